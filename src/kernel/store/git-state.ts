/**
 * What git is doing with the content folder. Git refuses a stash pop or a checkout that would write over a changed file, so a
 * server must know which files git holds as they are, and when git is in the middle of writing files.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createGitReader, GitError, isSameText } from './git.ts';

export interface GitState {
  /** Resolves when git writes no files, or after a few seconds: a lock may be left from a git that has died. */
  idle(): Promise<void>;
  /** Which of the paths are tracked and on disk as in git's index. None where git does not say. */
  unchanged(paths: readonly string[]): Promise<ReadonlySet<string>>;
}

const lookMs = 20;
const patienceMs = 5000;
/**
 * @param root  absolute path of the content folder, which may become a part of a repository at any time
 * @param read  bytes of a file as it is now
 */
export function createGitState(root: string, read: (path: string) => Promise<Uint8Array | null>): GitState {
  return {
    async idle() {
      const folder = gitFolderOf(root);
      const until = performance.now() + patienceMs;
      while (folder !== null && existsSync(join(folder, 'index.lock')) && performance.now() < until) await pause(lookMs);
    },
    async unchanged(paths) {
      const found = new Set<string>();
      if (gitFolderOf(root) === null || paths.length === 0) return found;
      try {
        const indexed = (await (await createGitReader(root))?.readIndexed(paths)) ?? new Map<string, Buffer>();
        for (const [path, bytes] of indexed) {
          const present = await read(path);
          if (present !== null && isSameText(bytes, Buffer.from(present))) found.add(path);
        }
      } catch (error) {
        // A repository that cannot be read: then nobody knows what git is going to refuse.
        if (!(error instanceof GitError)) throw error;
      }
      return found;
    },
  };
}

/** The folder that holds HEAD and index of the repository around `root`, which may be a worktree; null outside of one. */
export function gitFolderOf(root: string): string | null {
  try {
    return searchGitFolder(root);
  } catch {
    // Out of reach: then its events are none of ours. Sweeps see what a checkout changes.
    return null;
  }
}

function searchGitFolder(root: string): string | null {
  for (let directory = root; ; directory = dirname(directory)) {
    const git = join(directory, '.git');
    if (existsSync(join(git, 'HEAD'))) return git;
    if (statSync(git, { throwIfNoEntry: false })?.isFile()) {
      const link = /^gitdir: (.+)$/m.exec(readFileSync(git, 'utf8'))?.[1];
      return link === undefined ? null : resolve(directory, link.trim());
    }
    if (dirname(directory) === directory) return null;
  }
}
