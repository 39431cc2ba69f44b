/**
 * The texts of a content folder as git's last commit has them.
 */
import { createHash } from 'node:crypto';
import { parseEntry } from '../kernel/yaml/codec.ts';
import { createGitReader, type GitReader } from '../kernel/store/git.ts';
import { isOutOfSight, kindOf } from '../kernel/store/paths.ts';
import type { Entry } from '../kernel/store/types.ts';

/** Files that are read from git at once. */
const atOnce = 500;

/**
 * Entries of the last commit that have addresses or decide them. Those that the folder has unchanged are its own; those that are there
 * and cannot be read are left out.
 *
 * @param read  bytes of a file as it is now; null when there is none
 * @returns  null without a repository or a commit, or where the folder was no site then
 * @throws GitError when there is one that cannot be read
 */
export async function committedEntries(
  dir: string,
  entries: readonly Entry[],
  read: (path: string) => Promise<Uint8Array | null>,
): Promise<readonly Entry[] | null> {
  const reader = await createGitReader(dir);
  if (reader === null || reader.head === null) return null;
  const present = new Map(entries.map((entry) => [entry.path, entry]));
  const out: Entry[] = [];
  const changed: string[] = [];
  for (const [path, id] of await reader.committedIds()) {
    if (isOutOfSight(path) || (path !== 'site.yaml' && kindOf(path) !== 'md' && kindOf(path) !== 'html')) continue;
    const bytes = await read(path);
    const entry = present.get(path);
    if (bytes !== null && !entry) continue;
    if (bytes !== null && entry && idOf(bytes, id.length) === id) out.push(entry);
    else changed.push(path);
  }
  for (let from = 0; from < changed.length; from += atOnce)
    out.push(...(await readEntries(reader, changed.slice(from, from + atOnce))));
  // A folder with neither settings nor ids was no site, and had no addresses.
  return out.some(({ path, data }) => path === 'site.yaml' || data.id !== undefined) ? out : null;
}

async function readEntries(reader: GitReader, paths: readonly string[]): Promise<Entry[]> {
  return [...(await reader.read(paths))].flatMap(([path, bytes]): Entry[] => {
    const parsed = parseEntry(path, bytes, { size: bytes.length, mtimeMs: 0 });
    return 'entry' in parsed ? [parsed.entry] : [];
  });
}

/** The id that git has for bytes: SHA-1, or SHA-256 where ids are longer. */
function idOf(bytes: Uint8Array, length: number): string {
  return createHash(length > 40 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex');
}
