/**
 * What a run of `cms validate` found, for every format to print; and as JSON.
 */
import { rules } from '../../validate/rules.ts';
import type { Located } from '../../kernel/store/locate.ts';
import type { Repair } from '../../validate/repairs.ts';

export interface FindingsReport {
  readonly files: number;
  readonly problems: readonly Located[];
  /** What `--fix` put right. */
  readonly repairs: readonly Repair[];
  /** The content folder as seen from where the command was called, with `/` at its end; '' when it is that folder. */
  readonly base: string;
}

export type FindingCounts = Readonly<Record<'errors' | 'warnings' | 'notes', number>>;

export function countsOf(problems: readonly Pick<Located, 'severity'>[]): FindingCounts {
  const count = (severity: Located['severity']): number => problems.filter((one) => one.severity === severity).length;
  return { errors: count('error'), warnings: count('warning'), notes: count('note') };
}

/** One document: files, errors, warnings, notes, problems, and with `--fix` what was fixed. */
export function printJson({ files, problems, repairs }: FindingsReport, fix: boolean): string {
  return JSON.stringify({ files, ...countsOf(problems), problems, ...(fix ? { fixed: repairs } : {}) }, null, 2);
}

export function printRules(): string {
  return JSON.stringify(
    Object.entries(rules).map(([name, rule]) => ({ name, ...rule })),
    null,
    2,
  );
}
