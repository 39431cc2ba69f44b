export interface CrashedServer {
  readonly url: string;
  /** Leads a process group. */
  readonly pid: number;
  /** Resolves when it is gone. */
  readonly ended: Promise<unknown>;
  stop(): Promise<unknown>;
}

export function crashLoop(options: {
  readonly start: () => Promise<CrashedServer>;
  readonly dir: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly cycles: number;
  readonly random?: () => number;
  readonly withinMs?: number;
  readonly report?: (done: { readonly cycle: number; readonly acknowledged: number }) => void;
}): Promise<number>;
