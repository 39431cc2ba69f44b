/**
 * Where hints of changes come from: watches of directories.
 */

import { FSWatcher } from 'chokidar';
import { relative, resolve, sep } from 'node:path';
import { gitFolderOf } from './git.ts';
import { isAtOrBelow, isOutOfSight, isPath, temporaryPrefix } from './paths.ts';
import type { Directory } from './scan.ts';

/** Before the system is asked again for a watch that it would not give. */
const againMs = 30_000;
/**
 * The server's own writing, one directory for each post: nobody edits there with an eye on the result, and a system has only so
 * many watches. Sweeps see it.
 */
export const isUnwatched = (path: string): boolean => path.startsWith('revisions/');

/**
 * The watch of one directory. Each has a watcher to itself, which is closed with it: of a directory that goes while it is being
 * added, a shared one keeps the watch for good, or watches its parent once more, and remembers each path that was ever ignored.
 *
 * chokidar reads and stats a whole directory on each of its events: in a folder of 10,000 posts that is a fifth of a second
 * of computing per save. Our sweeps do that better, so its listing is switched off (`readdir` throttled for good) and it
 * only opens, closes and tends the watch. Were the method to go, it would merely list again.
 */
class DirectoryWatch extends FSWatcher {
  readonly opened = new Promise<void>((opened) => void this.once('ready', opened));

  readonly path: string;
  readonly ino: number;

  constructor({ path, absolute, ino }: Directory) {
    super({ ignoreInitial: true, ignorePermissionErrors: true, followSymlinks: false, depth: 0, atomic: false });
    this.path = path;
    this.ino = ino;
    this.add(absolute);
  }

  override _throttle(...[kind, path, timeoutMs]: Parameters<FSWatcher['_throttle']>): ReturnType<FSWatcher['_throttle']> {
    return kind === 'readdir' ? false : super._throttle(kind, path, timeoutMs);
  }

  override close(): Promise<void> {
    this.emit('ready');
    const closed = super.close();
    // It takes its listeners along, and what it was still waiting for may fail.
    this.on('error', () => {});
    return closed;
  }
}

/** Where hints come from. */
export interface HintSource {
  /** Resolves when what has been followed so far is watched. */
  ready(): Promise<void>;
  /**
   * Watches exactly these directories from now on.
   * @param under  of those at or below this one; undefined: of all
   * @param directories  each before those below it
   * @returns the paths of those that were not watched before, without what is below them
   */
  follow(directories: readonly Directory[], under?: string): readonly string[];
  /** Whether watches are missing that the system would not give. */
  isBlind(): boolean;
  close(): Promise<void>;
}

/**
 * Watches git's folder at once, and the directories that are followed.
 * @param failed  called when the system gives no more watches
 */
export function followFolder(
  root: string,
  hint: (path: string | null) => void,
  failed: (error: NodeJS.ErrnoException) => void,
): HintSource {
  /** Directories without a watch, and when to ask for it again. */
  const refused = new Map<string, number>();
  const watches = new Map<string, DirectoryWatch>();
  const git = gitFolderOf(root);
  function watch(found: Directory): void {
    const { absolute } = found;
    void watches.get(absolute)?.close();
    const of = new DirectoryWatch(found);
    watches.set(absolute, of);
    of.on('raw', (_event, name, details) => {
      const directory = (details as { watchedPath?: string }).watchedPath;
      if (typeof name !== 'string' || directory === undefined) return hint(null);
      if (name.startsWith(temporaryPrefix)) return;
      if (directory === git) return name === 'HEAD' || name === 'index' ? hint(null) : undefined;
      const path = relative(root, resolve(directory, name)).split(sep).join('/').normalize('NFC');
      if (path === '' || path.startsWith('..') || isOutOfSight(path) || isUnwatched(path)) return;
      hint(isPath(path) ? path : null);
    });
    // The sweeps see what events do not tell: of directories that went while they were being added, too.
    of.on('error', (thrown) => {
      const error = thrown as NodeJS.ErrnoException;
      if (error.code !== 'ENOSPC' && error.code !== 'EMFILE' && error.code !== 'ENFILE') return;
      const isFirst = refused.size === 0;
      refused.set(absolute, performance.now() + againMs);
      if (isFirst) failed(error);
    });
  }
  if (git !== null) watch({ path: '.git', absolute: git, ino: 0 });
  return {
    ready: async () => void (await Promise.all([...watches.values()].map(({ opened }) => opened))),
    follow(directories, under) {
      const present = new Set([git]);
      const fresh: string[] = [];
      const now = performance.now();
      for (const found of directories) {
        const { path, absolute, ino } = found;
        present.add(absolute);
        const isDue = (refused.get(absolute) ?? Number.POSITIVE_INFINITY) < now;
        if (isDue) refused.delete(absolute);
        // Another directory of the same name: its watch still hangs on the old one.
        if (watches.get(absolute)?.ino === ino && !isDue) continue;
        watch(found);
        const last = fresh.at(-1);
        if (last === undefined || !path.startsWith(`${last}/`)) fresh.push(path);
      }
      const isMeant = isAtOrBelow(under);
      for (const [absolute, gone] of watches) {
        if (!isMeant(gone.path) || present.has(absolute)) continue;
        watches.delete(absolute);
        refused.delete(absolute);
        void gone.close();
      }
      return fresh;
    },
    isBlind: () => refused.size > 0,
    close: async () => void (await Promise.all([...watches.values()].map((each) => each.close()))),
  };
}
