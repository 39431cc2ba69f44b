/** What a content folder holds, asked again and again. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file as it was read, while its stamp tells that it is the same. */
export interface Known {
  readonly stamp: string;
  readonly text: string;
}

/** Of a change that is younger, the time of the file system may not be another than that of the next one. */
const settledMs = 100;

/**
 * Content of every file but the server's own, by path.
 * @param known  what was read before: a request changes few files or none, and reading all of them is most of what a test of it costs
 */
export function contentOf(dir: string, known: Map<string, Known>, below = ''): Map<string, string> {
  const files = new Map<string, string>();
  for (const entry of readdirSync(join(dir, below), { withFileTypes: true })) {
    const path = join(below, entry.name);
    if (path === '.cms') continue;
    if (entry.isDirectory()) for (const [one, text] of contentOf(dir, known, path)) files.set(one, text);
    else if (entry.isFile()) files.set(path, textOf(join(dir, path), known));
  }
  return files;
}

function textOf(path: string, known: Map<string, Known>): string {
  const { ino, size, mtimeNs, ctimeNs, ctimeMs } = lstatSync(path, { bigint: true });
  const stamp = `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  const before = known.get(path);
  if (before?.stamp === stamp) return before.text;
  const isSettled = Date.now() - Number(ctimeMs) > settledMs;
  const text = readFileSync(path, 'latin1');
  if (isSettled) known.set(path, { stamp, text });
  return text;
}
