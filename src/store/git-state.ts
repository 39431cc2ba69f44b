/**
 * What git is doing with the content folder. Git refuses a stash pop or a checkout that would write over a changed file, so a
 * server must know which files git holds as they are, and when git is in the middle of writing files.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

export interface GitState {
  /** Resolves when git writes no files, or after a few seconds: a lock may be left from a git that has died. */
  idle(): Promise<void>;
  /** Which of the paths are tracked and on disk as in git's index. None where git does not say. */
  unchanged(paths: readonly string[]): Promise<ReadonlySet<string>>;
}

const run = promisify(execFile);
const lookMs = 20;
const patienceMs = 5000;
const timeoutMs = 10_000;
/** Command lines have an end. */
const pathsAtOnce = 200;

/** @param root  absolute path of the content folder, which may become a part of a repository at any time */
export function createGitState(root: string): GitState {
  /** Paths below the content folder. `--no-optional-locks`: nobody who uses git meanwhile is to meet our lock. */
  async function list(paths: readonly string[], ...options: readonly string[]): Promise<string[]> {
    const line = ['-C', root, '-c', 'core.fsmonitor=false', '--no-optional-locks', '--literal-pathspecs'];
    const { stdout } = await run('git', [...line, 'ls-files', '-z', ...options, '--', ...paths], {
      timeout: timeoutMs,
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout.split('\0').filter((path) => path !== '');
  }

  return {
    async idle() {
      const folder = gitFolderOf(root);
      const until = performance.now() + patienceMs;
      while (folder !== null && existsSync(join(folder, 'index.lock')) && performance.now() < until) await pause(lookMs);
    },
    async unchanged(paths) {
      const found = new Set<string>();
      if (gitFolderOf(root) === null) return found;
      try {
        for (let from = 0; from < paths.length; from += pathsAtOnce) {
          const some = paths.slice(from, from + pathsAtOnce);
          const modified = new Set(await list(some, '--modified'));
          for (const path of await list(some)) if (!modified.has(path)) found.add(path.normalize('NFC'));
        }
      } catch {
        // No git here, or a repository that it will not touch for us: then no git is going to refuse anything.
        return new Set();
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
