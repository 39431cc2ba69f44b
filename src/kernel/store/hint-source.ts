/**
 * Where hints of changes come from: watches of directories, or the events of a storage driver.
 */

import { FSWatcher } from 'chokidar';
import { statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { gitFolderOf } from './git.ts';
import type { Engine } from './mounts.ts';
import { decodeKey, isOutOfSight, isPath, temporaryPrefix } from './paths.ts';
import type { Directory } from './scan.ts';

/** Before the system is asked again for a watch that it would not give. */
const againMs = 30_000;
/**
 * The server's own writing, one directory for each post: nobody edits there with an eye on the result, and a system has only so
 * many watches. Sweeps see it.
 */
export const isUnwatched = (path: string): boolean => path.startsWith('revisions/');

/**
 * chokidar reads and stats a whole directory on each of its events: in a folder of 10,000 posts that is a fifth of a second
 * of computing per save. Our sweeps do that better, so its listing is switched off (`readdir` throttled for good) and it
 * only opens, closes and tends the watches. Were the method to go, it would merely list again.
 *
 * Nor does it keep what is not watched any more, to be ignored: each path would be compared with all that ever went (measured: 2.5 s
 * in one stretch for a tree of 500 directories that moves).
 */
class DirectoryWatcher extends FSWatcher {
  override _throttle(...[kind, path, timeoutMs]: Parameters<FSWatcher['_throttle']>): ReturnType<FSWatcher['_throttle']> {
    return kind === 'readdir' ? false : super._throttle(kind, path, timeoutMs);
  }

  override _addIgnoredPath(): void {}

  override _isIgnored(): boolean {
    return false;
  }
}

/** Where hints come from. */
export interface HintSource {
  /** Resolves when what has been followed so far is watched. */
  ready(): Promise<void>;
  /** Watches exactly these directories from now on. True when one of them was not watched before. */
  follow(directories: readonly Directory[]): boolean;
  /** Whether watches are missing that the system would not give. */
  isBlind(): boolean;
  close(): Promise<void>;
}

/** @param failed  called when the system gives no more watches */
export function followFolder(
  root: string,
  hint: (path: string | null) => void,
  failed: (error: NodeJS.ErrnoException) => void,
): HintSource {
  /** Directories without a watch, and when to ask for it again. */
  const refused = new Map<string, number>();
  const watched = new Map<string, number>([[root, inodeOf(root)]]);
  const git = gitFolderOf(root);
  const watcher = new DirectoryWatcher({
    ignoreInitial: true,
    ignorePermissionErrors: true,
    followSymlinks: false,
    depth: 0,
    atomic: false,
  });
  watcher.on('raw', (_event, name, details) => {
    const directory = (details as { watchedPath?: string }).watchedPath;
    if (typeof name !== 'string' || directory === undefined) return hint(null);
    if (name.startsWith(temporaryPrefix)) return;
    if (directory === git) return name === 'HEAD' || name === 'index' ? hint(null) : undefined;
    const path = relative(root, resolve(directory, name)).split(sep).join('/').normalize('NFC');
    if (path === '' || path.startsWith('..') || isOutOfSight(path) || isUnwatched(path)) return;
    hint(isPath(path) ? path : null);
  });
  // The sweeps see what events do not tell: of directories that went while they were being added, too.
  watcher.on('error', (thrown) => {
    const error = thrown as NodeJS.ErrnoException;
    if (error.code !== 'ENOSPC' && error.code !== 'EMFILE' && error.code !== 'ENFILE') return;
    const isFirst = refused.size === 0;
    refused.set(error.path ?? root, performance.now() + againMs);
    if (isFirst) failed(error);
  });
  const ready = new Promise<void>((resolved) => void watcher.once('ready', resolved));
  watcher.add(git === null ? root : [root, git]);
  return {
    ready: () => ready,
    follow(directories) {
      const present = new Set<string>();
      let isNew = false;
      for (const { absolute, ino } of directories) {
        present.add(absolute);
        const before = watched.get(absolute);
        const isDue = (refused.get(absolute) ?? Number.POSITIVE_INFINITY) < performance.now();
        if (isDue) refused.delete(absolute);
        if (before === ino && !isDue) continue;
        // Another directory of the same name: its watch still hangs on the old one.
        if (before !== undefined) watcher.unwatch(absolute);
        watched.set(absolute, ino);
        watcher.add(absolute);
        isNew = true;
      }
      for (const absolute of watched.keys()) {
        if (present.has(absolute)) continue;
        watched.delete(absolute);
        refused.delete(absolute);
        watcher.unwatch(absolute);
      }
      return isNew;
    },
    isBlind: () => refused.size > 0,
    close: () => watcher.close(),
  };
}

/** The change events of a storage driver that is not the disk, where it reports any. */
export async function followDriver(engine: Engine, hint: (path: string | null) => void): Promise<HintSource | undefined> {
  const unwatch = await engine.watch?.((_event, key) => hint(decodeKey(key)));
  if (unwatch === undefined) return undefined;
  return { ready: async () => undefined, follow: () => false, isBlind: () => false, close: async () => void (await unwatch()) };
}

function inodeOf(directory: string): number {
  try {
    return statSync(directory, { throwIfNoEntry: false })?.ino ?? 0;
  } catch {
    return 0;
  }
}
