/**
 * Whether git put files where they are, or a person did: a checkout, a pull, a stash or a reset brings files into the state of a
 * commit. What is written into such a file stands in the way of the next checkout.
 */
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createGitReader, GitError, isSameText } from './git.ts';
import { gitFolderOf } from './git-state.ts';

/** Files in `.git` that are there while git is at work, or in the middle of something. */
const atWork = ['index.lock', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply'];
/** A lock that is older was left behind. */
const staleMs = 60_000;
const tailBytes = 16 * 1024;

/** Whether git is changing the working tree around a folder, or a merge or rebase waits for a person. */
export async function isGitBusy(dir: string, clock: () => number): Promise<boolean> {
  const gitDir = gitFolderOf(dir);
  if (gitDir === null) return false;
  for (const name of atWork) {
    const stats = await stat(join(gitDir, name)).catch(() => null);
    if (stats && (name !== 'index.lock' || clock() - stats.mtimeMs < staleMs)) return true;
  }
  return false;
}

/**
 * Which of these files are as the commit of HEAD has them, and were not committed here a moment ago.
 *
 * @param read   bytes of a file as it is now
 * @param since  milliseconds since the epoch: commits that were made here after it are a person's doing
 * @returns  all of them where git cannot say
 */
export async function filesFromGit(
  dir: string,
  paths: readonly string[],
  read: (path: string) => Promise<Uint8Array | null>,
  since: number,
): Promise<ReadonlySet<string>> {
  try {
    const reader = await createGitReader(dir).catch(outsideOfFolders);
    if (reader === null || reader.head === null) return new Set();
    const gitDir = gitFolderOf(dir);
    if (gitDir !== null && (await wereCommitsAlone(gitDir, since))) return new Set();
    const committed = await reader.read(paths);
    const out = new Set<string>();
    for (const [path, bytes] of committed) {
      const present = await read(path);
      if (present !== null && isSameText(bytes, Buffer.from(present))) out.add(path);
    }
    return out;
  } catch (error) {
    if (error instanceof GitError) return new Set(paths);
    throw error;
  }
}

/** A content folder may be no folder at all, but kept by another engine. */
function outsideOfFolders(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** Whether HEAD has moved since, and by commits made here alone: the log of HEAD names what moved it. */
async function wereCommitsAlone(gitDir: string, since: number): Promise<boolean> {
  const moves = (await tailOf(join(gitDir, 'logs/HEAD'))).split('\n').flatMap((line) => {
    const found = /> (\d+) [+-]\d{4}\t(\w+)/.exec(line);
    // The log counts in seconds.
    return found && (Number(found[1]) + 1) * 1000 >= since ? [found[2]] : [];
  });
  return moves.length > 0 && moves.every((move) => move === 'commit');
}

async function tailOf(path: string): Promise<string> {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return '';
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - tailBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
