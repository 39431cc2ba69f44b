/**
 * Changes made by others, soon: events are hints where to look, sweeps are the truth.
 *
 * Directories are watched, not files. A few hints are looked at one by one within milliseconds; a change of a directory makes a
 * sweep of it, a burst or a change of git's HEAD one of everything; and one runs now and then, because events get lost.
 */

import type { Faults } from './faults.ts';
import { emptyMs, type ScanMode } from './file-judge.ts';
import type { FilesDriver } from './files.ts';
import { followFolder, type HintSource, isUnwatched } from './hint-source.ts';
import type { StatCache } from './stat-cache.ts';
import { isAtOrBelow, kindOf } from './paths.ts';
import { createQueue } from './queue.ts';
import type { Batch, Following } from './types.ts';

export interface WatchOptions {
  /** Between two sweeps without any hint; undefined: 5 s, or 30 s for more than 50,000 files. */
  readonly intervalMs?: number;
  /** False: scans only. For folders whose system reports no events. */
  readonly events?: boolean;
}

interface Watch {
  listen(listener: (batch: Batch) => void): Promise<() => Promise<void>>;
  /** Sweeps now, after the sweep that runs, and hands the findings to the caller instead of the listeners. */
  sweep(): Promise<Batch>;
  following(): Following;
  close(): Promise<void>;
}

/** Hints wait for the writer to finish: so long after the last, and never longer than `capMs` after the first. */
const fewHints = { quietMs: 8, capMs: 60 };
const manyHints = { quietMs: 50, capMs: 150 };
const maxHints = 64;
/** By then a directory that is followed is being watched. */
const openedMs = 300;
/** More than so many directories are not swept one by one: a sweep of everything takes about as long. */
const maxDirectories = 64;
const largeTree = 50_000;
/** Between two sweeps where the system gives no more watches. */
const unwatchedMs = { few: 1000, many: 5000 };
export function createWatch({
  engine,
  statCache,
  faults,
  intervalMs,
  events = true,
}: { engine: FilesDriver; statCache: StatCache; faults: Faults } & WatchOptions): Watch {
  const listeners = new Set<(batch: Batch) => void>();
  const hints = createHints((path) => isAsLeft(statCache, path), follow);
  let periodic: NodeJS.Timeout | undefined;
  /** Never two at a time. */
  const sweeps = createQueue();
  const looking = createLooking(faults);
  /** Sweeps that have not begun, by directory; undefined is everything. They see what is hinted at meanwhile, so there is one of each. */
  const due = new Set<string | undefined>();
  let source: HintSource | undefined;
  const swept = { sweeps: 0, sweptMs: 0, sweptAt: null as number | null };

  async function sweepOnce(under?: string, mode: ScanMode = 'stable'): Promise<Batch> {
    const began = performance.now();
    due.delete(under);
    const batch = await statCache.sweep(under, mode);
    if (under === undefined) {
      swept.sweeps++;
      swept.sweptMs += performance.now() - began;
      swept.sweptAt = began;
    }
    const isMeant = isAtOrBelow(under);
    const present = engine.directories().filter(({ path }) => isMeant(path) && !isUnwatched(path));
    const fresh = source?.follow(present, under) ?? [];
    // A directory that is watched only from now on may be filled before its watch is open, which nobody says.
    for (const path of fresh.length > maxDirectories ? [under] : fresh) {
      hints.add(path || null);
      hints.addLater(path || null, openedMs);
    }
    return batch;
  }

  function deliver(batch: Batch): void {
    for (const path of statCache.emptied()) hints.addLater(path, emptyMs + 1);
    if (batch.entries.length + batch.blobs.length + batch.removed.length + batch.problems.length === 0) return;
    for (const listener of listeners) looking.run(async () => listener(batch));
  }

  /** Looks at what hints name, or sweeps. */
  function follow(paths: readonly string[], isEverything: boolean): void {
    const directories = paths.filter((path) => isOfDirectory(engine, path));
    const outermost = directories.filter((path) => !directories.some((other) => path.startsWith(`${other}/`)));
    const isSweep = isEverything || outermost.length + due.size > maxDirectories;
    if (listeners.size === 0) return;
    // A failed look loses nothing: the next sweep meets the same state and reports it.
    const files = paths.filter((path) => !directories.includes(path));
    if (files.length > 0) looking.run(async () => deliver(await statCache.look(files, 'hinted')));
    for (const under of isSweep ? [undefined] : outermost) {
      if (due.has(under) || due.has(undefined)) continue;
      due.add(under);
      looking.run(() => sweeps.run(async () => deliver(await sweepOnce(under))));
    }
    if (isSweep || periodic === undefined) void sweeps.run(schedule);
  }

  function schedule(): void {
    clearTimeout(periodic);
    if (listeners.size === 0) return;
    const pauseMs = pauseOf(statCache.size, source?.isBlind() === true, intervalMs);
    periodic = setTimeout(() => {
      periodic = undefined;
      hints.add(null);
    }, pauseMs);
    periodic.unref();
  }

  async function start(): Promise<void> {
    if (events) source = followFolder(engine.root, hints.add, failed);
    // What has been loaded was scanned; directories that came since are found by the sweep.
    if (engine.directories().length === 0) await faults.background('watch', () => engine.sweep(() => {}));
    source?.follow(engine.directories().filter(({ path }) => !isUnwatched(path)));
    await source?.ready();
    await sweeps.run(async () => deliver(await sweepOnce()));
    schedule();
  }

  /** The watches of some directories are missing; not of one that went while it was being added. */
  function failed({ code, message }: NodeJS.ErrnoException): void {
    const line = `watch: ${code ?? message}: the system gives no more watches; changes are looked for every ${unwatchedMs.few / 1000} s`;
    void faults.background('', () => Promise.reject(new Error(line)));
    schedule();
  }

  async function stop(): Promise<void> {
    hints.drop();
    clearTimeout(periodic);
    const closing = source;
    source = undefined;
    await closing?.close();
    await looking.settled();
    await sweeps.idle();
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
    sweep: () => sweeps.run(() => sweepOnce(undefined, 'changed')),
    following: () => ({
      by: listeners.size === 0 ? null : source === undefined || source.isBlind() ? 'sweeps' : 'events',
      pending: looking.count() + hints.count(),
      since: earlier(looking.since(), hints.since()),
      files: statCache.size,
      ...swept,
    }),
    async close() {
      listeners.clear();
      await stop();
    },
  };
}

/** Asked of hints, which may name anything, at any moment: what cannot be looked at is followed. */
function isAsLeft(statCache: StatCache, path: string): boolean {
  try {
    return statCache.isAsLeft(path);
  } catch {
    return false;
  }
}

/** Until the next sweep. */
function pauseOf(files: number, isBlind: boolean, intervalMs?: number): number {
  const isLarge = files > largeTree;
  const usualMs = intervalMs ?? (isLarge ? 30_000 : 5_000);
  return isBlind ? Math.min(usualMs, isLarge ? unwatchedMs.many : unwatchedMs.few) : usualMs;
}

function earlier(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

/** Checks and scans in progress. A few files can be checked during a scan, which may take a second. */
function createLooking(faults: Faults) {
  const running = new Set<Promise<void>>();
  let since: number | null = null;
  return {
    run(work: () => Promise<void>): void {
      since ??= performance.now();
      const settled = faults.background('watch', work).finally(() => {
        running.delete(settled);
        if (running.size === 0) since = null;
      });
      running.add(settled);
    },
    count: () => running.size,
    since: () => since,
    settled: () => Promise.all(running),
  };
}

/** A name that is not a content file: perhaps a directory that was added, removed or renamed. */
function isOfDirectory(engine: FilesDriver, path: string): boolean {
  const isDirectory = engine.isDirectory(path);
  if (kindOf(path) !== null && !isDirectory) return false;
  return isDirectory || engine.directories().some((directory) => directory.path === path);
}

/**
 * Hints that wait for the writer to finish. A hint is a path in the folder, or null for "anything".
 * @param isAsLeft  nothing is to be seen there
 * @param follow    takes the paths that were hinted at, and whether everything has to be looked at
 */
function createHints(isAsLeft: (path: string) => boolean, follow: (paths: readonly string[], isEverything: boolean) => void) {
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
    addLater(path: string | null, afterMs: number): void {
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
    count: () => (timer === undefined ? 0 : Math.max(1, paths.size)),
    since: () => (timer === undefined ? null : firstAt),
  };
}
