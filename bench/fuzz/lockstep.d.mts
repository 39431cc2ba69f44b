import type { Route } from '../../src/kernel/rest/types.ts';

/** What of the program a run needs: from `src` in tests, from `dist` on the command line. */
export interface FuzzedProgram {
  readonly dialects: readonly unknown[];
  readonly scaffoldSite: unknown;
  readonly openSite: unknown;
  readonly composeSite: unknown;
  readonly createDispatcher: unknown;
  readonly readAddress: unknown;
  readonly createRequestReader: unknown;
  readonly createAnswers: unknown;
  readonly createFrontCache: unknown;
  /** Why an answer may not be given; null where it may. */
  faultOf(status: number, body: unknown): string | null;
  /** What of an item does not fit a schema in a context. */
  schemaProblems(item: unknown, schema: never, context: string): string[];
}

export interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
  readonly restartEvery: number;
  readonly renewEvery?: number;
  readonly isLeftOut?: (path: Route['path']) => boolean;
  readonly report?: (difference: string) => void;
  readonly progress?: (done: number, differences: number) => void;
}

export function runLockstep(
  program: FuzzedProgram,
  options: FuzzOptions,
): Promise<{ readonly differences: string[]; readonly answered: Record<string, number> }>;
