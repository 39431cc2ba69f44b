/**
 * Changes made by others, soon: events are hints where to look, sweeps are the truth.
 *
 * Directories are watched, not files. A few hints are looked at one by one within milliseconds; a change of a directory makes a
 * sweep of it, a burst or a change of git's HEAD one of everything; and one runs now and then, because events get lost.
 */

import { FSWatcher } from 'chokidar';
import { statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import type { Faults } from './faults.ts';
import { gitFolderOf } from './git.ts';
import { emptyMs, type ScanMode } from './file-judge.ts';
import type { StatCache } from './stat-cache.ts';
import type { Engine } from './mounts.ts';
import { decodeKey, isOutOfSight, isPath, kindOf, temporaryPrefix } from './paths.ts';
import type { Directory } from './scan.ts';
import type { Batch } from './types.ts';

export interface WatchOptions {
  /** Between two sweeps without any hint; undefined: 5 s, or 30 s for more than 50,000 files. */
  readonly intervalMs?: number;
  /** False: sweeps alone. For folders whose system tells of no events. */
  readonly events?: boolean;
}

export interface Watch {
  listen(listener: (batch: Batch) => void): Promise<() => Promise<void>>;
  /** Sweeps now, after the sweep that runs, and hands the findings to the caller instead of the listeners. */
  sweep(): Promise<Batch>;
  close(): Promise<void>;
}

/** Hints wait for the writer to finish: so long after the last, and never longer than `capMs` after the first. */
const fewHints = { quietMs: 8, capMs: 60 };
const manyHints = { quietMs: 50, capMs: 150 };
const maxHints = 64;
/** By then a directory that is followed is being watched. */
const openedMs = 300;
/** More than so many directories are not swept one by one. */
const maxDirectories = 8;
const largeTree = 50_000;
/**
 * The server's own writing, one directory for each post: nobody edits there with an eye on the result, and a system has only so
 * many watches. Sweeps see it.
 */
const isUnwatched = (path: string): boolean => path.startsWith('revisions/');

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

export function createWatch({
  engine,
  statCache,
  faults,
  intervalMs,
  events = true,
}: { engine: Engine; statCache: StatCache; faults: Faults } & WatchOptions): Watch {
  const listeners = new Set<(batch: Batch) => void>();
  const hints = createHints(isAsLeft, follow);
  let periodic: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  /** Looks and sweeps under way. A few files are looked at beside a sweep, which may take a second. */
  const looking = new Set<Promise<void>>();
  let source: HintSource | undefined;

  /** Sweeps, never two at a time. */
  function alone<T>(work: () => Promise<T>): Promise<T> {
    const result = running.then(work);
    running = result.catch(() => undefined);
    return result;
  }

  async function sweepOnce(under?: string, mode: ScanMode = 'stable'): Promise<Batch> {
    const batch = await statCache.sweep(under, mode);
    // A directory that is watched only from now on may be filled before its watch is open, which nobody says.
    if (source?.follow(engine.directories().filter(({ path }) => !isUnwatched(path)))) {
      hints.add(under ?? null);
      hints.addLater(under ?? null, openedMs);
    }
    return batch;
  }

  function deliver(batch: Batch): void {
    for (const path of statCache.emptied()) hints.addLater(path, emptyMs + 1);
    if (batch.entries.length + batch.blobs.length + batch.removed.length + batch.problems.length === 0) return;
    for (const listener of listeners) noted(async () => listener(batch));
  }

  /** Looks at what hints name, or sweeps. */
  function follow(paths: readonly string[], isEverything: boolean): void {
    const directories = paths.filter((path) => isOfDirectory(engine, path));
    const isSweep = isEverything || directories.length > maxDirectories;
    if (listeners.size === 0) return;
    // A failed look loses nothing: the next sweep meets the same state and reports it.
    const files = paths.filter((path) => !directories.includes(path));
    if (files.length > 0) noted(async () => deliver(await statCache.look(files, 'hinted')));
    for (const under of isSweep ? [undefined] : directories) noted(() => alone(async () => deliver(await sweepOnce(under))));
    if (isSweep || periodic === undefined) void running.then(schedule);
  }

  /** Asked of hints, which may name anything, at any moment: what cannot be looked at is followed. */
  function isAsLeft(path: string): boolean {
    try {
      return statCache.isAsLeft(path);
    } catch {
      return false;
    }
  }

  function noted(work: () => Promise<void>): void {
    const settled = faults.background('watch', work).finally(() => {
      looking.delete(settled);
    });
    looking.add(settled);
  }

  function schedule(): void {
    clearTimeout(periodic);
    if (listeners.size === 0) return;
    const pauseMs = intervalMs ?? (statCache.size > largeTree ? 30_000 : 5_000);
    periodic = setTimeout(() => {
      periodic = undefined;
      hints.add(null);
    }, pauseMs);
    periodic.unref();
  }

  async function start(): Promise<void> {
    if (events)
      source = engine.files === null ? await followDriver(engine, hints.add) : followFolder(engine.files.root, hints.add);
    // What has been loaded was scanned; directories that came since are found by the sweep.
    if (engine.directories().length === 0) await faults.background('watch', () => engine.scan());
    source?.follow(engine.directories().filter(({ path }) => !isUnwatched(path)));
    await source?.ready();
    await alone(async () => deliver(await sweepOnce()));
    schedule();
  }

  async function stop(): Promise<void> {
    hints.drop();
    clearTimeout(periodic);
    const closing = source;
    source = undefined;
    await closing?.close();
    await Promise.all(looking);
    await running;
  }

  return {
    async listen(listener) {
      const isFirst = listeners.size === 0;
      listeners.add(listener);
      if (isFirst) await start();
      return async () => {
        if (listeners.delete(listener) && listeners.size === 0) await stop();
      };
    },
    sweep: () => alone(() => sweepOnce(undefined, 'changed')),
    async close() {
      listeners.clear();
      await stop();
    },
  };
}

/** A name that is no content file: perhaps a directory come, gone or renamed. */
function isOfDirectory(engine: Engine, path: string): boolean {
  const isDirectory = engine.files?.isDirectory(path);
  if (kindOf(path) !== null && isDirectory !== true) return false;
  return isDirectory !== false || engine.directories().some((directory) => directory.path === path);
}

/** Hints that wait for the writer to finish. A hint is a path in the folder, or null for "anything". */
interface Hints {
  add(path: string | null): void;
  addLater(path: string | null, afterMs: number): void;
  /** Those that wait. */
  drop(): void;
}

/**
 * @param isAsLeft  nothing is to be seen there
 * @param follow    takes the paths that were hinted at, and whether everything has to be looked at
 */
function createHints(
  isAsLeft: (path: string) => boolean,
  follow: (paths: readonly string[], isEverything: boolean) => void,
): Hints {
  const paths = new Set<string>();
  const later = new Set<NodeJS.Timeout>();
  let isEverything = false;
  let firstAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function add(path: string | null): void {
    if (path !== null && isAsLeft(path)) return;
    if (path === null || paths.size >= maxHints) isEverything = true;
    else paths.add(path);
    const now = performance.now();
    if (timer === undefined) firstAt = now;
    else clearTimeout(timer);
    const { quietMs, capMs } = isEverything ? manyHints : fewHints;
    timer = setTimeout(flush, Math.max(0, Math.min(quietMs, firstAt + capMs - now)));
  }

  function flush(): void {
    const [some, wasEverything] = [[...paths].filter((path) => !isAsLeft(path)), isEverything];
    timer = undefined;
    paths.clear();
    isEverything = false;
    follow(some, wasEverything);
  }

  return {
    add,
    addLater(path, afterMs) {
      const waiting = setTimeout(() => {
        later.delete(waiting);
        add(path);
      }, afterMs).unref();
      later.add(waiting);
    },
    drop() {
      clearTimeout(timer);
      timer = undefined;
      for (const each of later) clearTimeout(each);
      later.clear();
    },
  };
}

/** Where hints come from. */
interface HintSource {
  /** Resolves when what has been followed so far is watched. */
  ready(): Promise<void>;
  /** Watches exactly these directories from now on. True when one of them was not watched before. */
  follow(directories: readonly Directory[]): boolean;
  close(): Promise<void>;
}

function followFolder(root: string, hint: (path: string | null) => void): HintSource {
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
  // Out of watches, or a directory that went while it was being added: the sweeps see what events do not tell.
  watcher.on('error', () => undefined);
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
        if (before === ino) continue;
        // Another directory of the same name: its watch still hangs on the old one.
        if (before !== undefined) watcher.unwatch(absolute);
        watched.set(absolute, ino);
        watcher.add(absolute);
        isNew = true;
      }
      for (const absolute of watched.keys()) {
        if (present.has(absolute)) continue;
        watched.delete(absolute);
        watcher.unwatch(absolute);
      }
      return isNew;
    },
    close: () => watcher.close(),
  };
}

/** The change events of a storage driver that is not the disk, where it reports any. */
async function followDriver(engine: Engine, hint: (path: string | null) => void): Promise<HintSource | undefined> {
  const unwatch = await engine.watch?.((_event, key) => hint(decodeKey(key)));
  if (unwatch === undefined) return undefined;
  return { ready: async () => undefined, follow: () => false, close: async () => void (await unwatch()) };
}

function inodeOf(directory: string): number {
  try {
    return statSync(directory, { throwIfNoEntry: false })?.ino ?? 0;
  } catch {
    return 0;
  }
}
