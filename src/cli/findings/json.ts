/**
 * Findings for scripts.
 */
import { rules } from '../../validate/rules.ts';
import { countsOf, type Report } from './report.ts';

/** One document: files, errors, warnings, notes, problems, and with `--fix` what was put right. */
export function printJson({ files, problems, repairs }: Report, fix: boolean): string {
  return JSON.stringify({ files, ...countsOf(problems), problems, ...(fix ? { fixed: repairs } : {}) }, null, 2);
}

export function printRules(): string {
  return JSON.stringify(
    Object.entries(rules).map(([name, rule]) => ({ name, ...rule })),
    null,
    2,
  );
}
