export interface PageStep {
  readonly heading: string;
  /** Commands, a block of `sh`. */
  readonly run?: string;
  /** Name of a file, with its text. */
  readonly file?: string;
  readonly text?: string;
}
export function stepsOf(page: string): PageStep[];
export function writeFiles(steps: readonly PageStep[], folder: string, places?: Readonly<Record<string, string>>): Promise<void>;
