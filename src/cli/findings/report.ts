/**
 * What a run of `cms validate` found, for every format to print.
 */
import type { Located } from '../../validate/validate.ts';
import type { Repair } from '../../validate/repairs.ts';

export interface Report {
  readonly files: number;
  readonly problems: readonly Located[];
  /** What `--fix` put right. */
  readonly repairs: readonly Repair[];
  /** The content folder as seen from where the command was called, with `/` at its end; '' when it is that folder. */
  readonly base: string;
}

export type Counts = Readonly<Record<'errors' | 'warnings' | 'notes', number>>;

export function countsOf(problems: readonly Pick<Located, 'severity'>[]): Counts {
  const count = (severity: Located['severity']): number => problems.filter((one) => one.severity === severity).length;
  return { errors: count('error'), warnings: count('warning'), notes: count('note') };
}
