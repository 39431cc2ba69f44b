/**
 * What git is doing with the content folder, and which files it put there. Git refuses a stash pop or a checkout that would write over a
 * changed file, so a server must know which files git holds as they are, and when git is in the middle of writing files.
 */
import { existsSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createGitReader, GitError, gitFolderOf, type GitReader, isSameText } from './git.ts';

export interface GitState {
  /** Resolves when git writes no files, or after a few seconds: a lock may be left from a git that has died. */
  idle(): Promise<void>;
  /** Whether git is changing the working tree, or a merge or rebase waits for a person. @param now  milliseconds since the epoch */
  isBusy(now: number): Promise<boolean>;
  /** Which of the paths are tracked and on disk as in git's index. None where git does not say. */
  unchanged(paths: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Which of the paths git put there, not a person: they are as the commit of HEAD has them (a checkout, a pull, a stash, a reset),
   * and were not committed here a moment ago. All of them where git cannot say.
   *
   * @param since  milliseconds since the epoch: commits that were made here after it are a person's doing
   */
  fromCommit(paths: readonly string[], since: number): Promise<ReadonlySet<string>>;
}

const lock = 'index.lock';
/** Files in `.git` that exist while git is working, or in the middle of an operation. */
const atWork = [lock, 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply'];
/** A lock that is older was left behind. */
const staleMs = 60_000;
const lookMs = 20;
const patienceMs = 5000;
const tailBytes = 16 * 1024;

/**
 * @param root  absolute path of the content folder, which may become a part of a repository at any time
 * @param read  bytes of a file as it is now
 */
export function createGitState(root: string, read: (path: string) => Promise<Uint8Array | null>): GitState {
  return {
    async idle() {
      const folder = gitFolderOf(root);
      const until = performance.now() + patienceMs;
      while (folder !== null && existsSync(join(folder, lock)) && performance.now() < until) await pause(lookMs);
    },
    async isBusy(now) {
      const folder = gitFolderOf(root);
      for (const name of folder === null ? [] : atWork) {
        const stats = await stat(join(folder as string, name)).catch(() => null);
        if (stats && (name !== lock || now - stats.mtimeMs < staleMs)) return true;
      }
      return false;
    },
    async unchanged(paths) {
      if (gitFolderOf(root) === null || paths.length === 0) return new Set();
      return same(new Set(), async (reader) => reader.readIndexed(paths));
    },
    fromCommit: (paths, since) =>
      same(new Set(paths), async (reader) => {
        const folder = gitFolderOf(root);
        if (folder !== null && (await wereCommitsAlone(folder, since))) return new Map();
        return reader.read(paths);
      }),
  };

  /** The files that are as git has them. @param unknown  the answer where the repository cannot be read */
  async function same(
    unknown: ReadonlySet<string>,
    held: (reader: GitReader) => Promise<ReadonlyMap<string, Buffer>>,
  ): Promise<ReadonlySet<string>> {
    try {
      const reader = await createGitReader(root);
      const out = new Set<string>();
      for (const [path, bytes] of reader ? await held(reader) : []) {
        const present = await read(path);
        if (present !== null && isSameText(bytes, Buffer.from(present))) out.add(path);
      }
      return out;
    } catch (error) {
      if (error instanceof GitError) return unknown;
      throw error;
    }
  }
}

/** Whether HEAD has moved since, and only by commits made here: the log of HEAD says what moved it. */
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
