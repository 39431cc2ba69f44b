/**
 * Front matter below front matter: what is left where an `id` was once written above TOML, or where two programs each wrote a
 * block of their own.
 */
import { foreignFrontMatter } from '../kernel/yaml/foreign-front-matter.ts';
import { type Finding, say } from './finding.ts';
import type { ParsedFile } from './parsed-file.ts';

export function checkFrontMatter(parsedFiles: readonly ParsedFile[]): Finding[] {
  return parsedFiles.flatMap(({ kind, entry }): Finding[] => {
    if (entry.kind === 'yaml' || kind === 'revision' || kind === 'comment') return [];
    const head = entry.body.slice(0, 4000);
    // A line break before it, so that dashes that begin the body count as well.
    const fault = foreignFrontMatter(`\n${head}`, 0, entry.path);
    if (fault === null || !isClosed(head)) return [];
    const at = Math.max(0, fault.offset - 1);
    const remark = say('second-front-matter', 'a second front matter follows the first: readers see it as text');
    return [{ path: entry.path, keys: [], at, length: 3, ...remark }];
  });
}

/** Whether a fence stands twice, or an object has an end. */
function isClosed(head: string): boolean {
  const fence = /^\s*(\+\+\+|;;;|---)/.exec(head)?.[1];
  if (fence === undefined) return head.includes('}');
  return head.split('\n').filter((line) => line.trim() === fence).length > 1;
}
