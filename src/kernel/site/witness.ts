/**
 * What is known of files that state one id, beside what this process has served: the snapshot, git's history, the disk. It is asked
 * when files contest an id and at no other time.
 */
import { statSync } from 'node:fs';
import { parseEntry } from '../yaml/codec.ts';
import { createGitReader, GitError, type GitReader } from '../store/git.ts';
import type { Entry, Store } from '../store/types.ts';
import type { Contest } from './claims.ts';
import { type Claimant, rankClaimants } from './identity.ts';
import type { RecordCache } from './record-cache.ts';

/** @returns the contests, with the path that keeps the id first */
export type Witness = (contests: readonly Contest[]) => Promise<readonly Contest[]>;

/** @param kept  what the last process has left */
export function createWitness(store: Pick<Store, 'name' | 'locate'>, kept: RecordCache | null): Witness {
  return async (contests) => {
    if (contests.length === 0) return [];
    const committed = await committedIds(store.name, contests);
    return contests.map(({ space, id, paths }) => {
      const claimants = paths.map((path): Claimant => {
        const arrived = committed.get(path);
        const stats = store.locate(path);
        return {
          path,
          wasServed: kept?.idOf(path) === id,
          ...(arrived?.id === id ? { arrived: arrived.at } : {}),
          ...(stats === null ? {} : timesOf(stats)),
        };
      });
      return { space, id, paths: rankClaimants(claimants).map(({ path }) => path) };
    });
  };
}

function timesOf(file: string): Pick<Claimant, 'mtimeMs' | 'birthMs'> {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats ? { mtimeMs: stats.mtimeMs, birthMs: stats.birthtimeMs } : {};
}

/** The ids that files have in the commit of HEAD, and since when the paths are there. Empty where there is no history to be read. */
async function committedIds(
  dir: string,
  contests: readonly Contest[],
): Promise<ReadonlyMap<string, { readonly id: unknown; readonly at: number }>> {
  const out = new Map<string, { readonly id: unknown; readonly at: number }>();
  try {
    const git = await openGit(dir);
    if (git === null) return out;
    const found = await git.read(contests.flatMap(({ paths }) => paths));
    if (found.size === 0) return out;
    const arrived = await git.arrived([...found.keys()]);
    for (const [path, bytes] of found) {
      const parsed = parseEntry(path, bytes, { size: bytes.length, mtimeMs: 0 });
      if ('entry' in parsed) out.set(path, { id: (parsed.entry as Entry).data.id, at: arrived.get(path) ?? 0 });
    }
    return out;
  } catch (error) {
    if (error instanceof GitError) return out;
    throw error;
  }
}

/** Null outside a repository, and where the content is in no folder. */
async function openGit(dir: string): Promise<GitReader | null> {
  try {
    return await createGitReader(dir);
  } catch (error) {
    if (error instanceof GitError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
