export function open(ids: number | readonly string[]): void;
export function state(): {
  readonly fits: boolean;
  readonly background: string;
  readonly twice: readonly string[];
  readonly lost: readonly string[];
};
export function findings(): Promise<string[]>;
