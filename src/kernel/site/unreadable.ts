/**
 * Files that a client may not write to, because they cannot be read as they are: somebody's unfinished merge, a slip in the front
 * matter. The last good version is served; to save over it would lose what the file holds.
 */
import { fail } from '../errors.ts';
import type { Problem } from '../store/types.ts';
import type { Site } from './site.ts';
import { locate } from '../store/locate.ts';

/** @throws RestError rest_file_unreadable with `file`, `line` and `column`, if the file has a problem */
export async function refuseUnreadable(site: Site, path: string): Promise<void> {
  const problem = site.problems().find((one) => one.path === path && one.rule !== 'duplicate-id');
  if (problem === undefined) return;
  const { line, column } = await placed(problem, site);
  fail('rest_file_unreadable', { file: path, line, column }, `${path}:${line} cannot be read: ${problem.message}`);
}

/** @throws RestError rest_value_unreadable, if a value does not fit that has just been written */
export function refuseFault(fault: Problem | undefined): void {
  if (fault === undefined) return;
  const param = fault.rule.replace(/^field:/, '');
  fail('rest_value_unreadable', { param }, `${fault.message}. Nothing has been saved.`);
}

/** Memory keeps no lines: those of a value are looked up in its file. */
async function placed(problem: Problem, site: Site): Promise<Pick<Problem, 'line' | 'column'>> {
  const key = /^field:(.+)$/.exec(problem.rule)?.[1];
  const [found] = key === undefined ? [] : await locate([{ ...problem, keys: [key] }], (path) => site.store.readBytes(path));
  return found ?? problem;
}
