/** A content folder as one word, and what no folder may be left with. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { real } from './disk-faults.ts';

/** Digests by path, of every file but the server's own, git's, and those that are not content yet. */
export function digestsOf(dir: string): ReadonlyMap<string, string> {
  const paths = filesOf(dir).filter((path) => !/^\.(?:cms|git)\//.test(path) && !isTemporary(path));
  return new Map(paths.map((path) => [path, digestOf(real.readFileSync(join(dir, path)))]));
}

/** Files that two states differ in, numbers in their names left out. @param counts  which of them count */
export function changesBetween(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  counts: (path: string) => boolean = () => true,
): readonly string[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path));
  return paths
    .filter(counts)
    .map((path) => path.replace(/\d+/g, '0'))
    .sort();
}

function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url');
}

/** Names, sizes and times of all files: another one when anything has changed. */
export function stampOf(...dirs: readonly string[]): string {
  const files = dirs.flatMap((dir) => (real.existsSync(dir) ? filesOf(dir).map((path) => join(dir, path)) : []));
  const stats = files.map((file) => [file, real.lstatSync(file, { throwIfNoEntry: false, bigint: true })] as const);
  return stats.map(([file, stat]) => `${file} ${stat?.ino} ${stat?.size} ${stat?.mtimeNs} ${stat?.ctimeNs}`).join('\n');
}

/** Temporary files of the server that nobody has removed. */
export function temporaryFiles(dir: string): string[] {
  return filesOf(dir).filter(isTemporary);
}

function filesOf(dir: string): string[] {
  const entries = real.readdirSync(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1)).sort();
}

function isTemporary(path: string): boolean {
  return path.split('/').some((part) => part.startsWith('.cms-tmp-'));
}
