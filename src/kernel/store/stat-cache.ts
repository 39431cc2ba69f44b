/**
 * What is known of each file, and what differs on disk: the one place that decides whether a file is new, changed, gone or broken
 * (`file-judge.ts`), over all of them or a few.
 */

import { readEntry } from '../yaml/codec.ts';
import type { Temporary } from './durable.ts';
import { addParsed, type Findings, judgeSlice, type ScanMode } from './file-judge.ts';
import {
  type FileState,
  type FileStates,
  forget,
  hasSameStat,
  isUnchanged,
  know,
  knownIn,
  raceMs,
  remember,
} from './file-state.ts';
import type { Engine } from './mounts.ts';
import { backgroundMs, createPace, paced } from '../scheduler.ts';
import { isAtOrBelow, kindOf } from './paths.ts';
import { problemOf } from './problems.ts';
import type { Queue } from './queue.ts';
import type { StoreSnapshot } from './snapshot.ts';
import { createArenaBuilder, type FileEntry } from './text-arena.ts';
import { type FileStat, isContent } from './scan.ts';
import type { Batch, Blob, Problem } from './types.ts';

export interface StatCache {
  readonly size: number;
  /** Every file, whether it differs or not, and what is gone. */
  load(progress?: (done: number, total: number) => void): Promise<Batch>;
  /** What differs from what is known, everywhere or under one directory. */
  sweep(under?: string, mode?: ScanMode): Promise<Batch>;
  /** The same for these paths only. */
  look(paths: readonly string[], mode?: ScanMode): Promise<Batch>;
  /**
   * Takes note of own writes, so that they are not reported. To be called inside the queue.
   * @param written  what was put there; unknown: it is compared by the next sweep
   */
  note(path: string, stat: FileStat | null, etag: string, entry?: FileEntry, written?: WrittenFile): void;
  /** What of a batch is still so: the rest has been read or written again since, and comes (or came) with that. */
  current(batch: Batch): Batch;
  problems(): readonly Problem[];
  /** Files seen empty just now, to be checked again soon: an emptied file may be about to be filled. Each is reported once. */
  emptied(): readonly string[];
  knows(path: string): boolean;
  /** Takes files, which it has read, for own writes: another process of the run has written them so. */
  own(paths: Iterable<string>): void;
  /** Whether this process wrote it last, as far as that is sure. */
  isOwn(path: string): boolean;
  /** Whether it looks as this process has left it, so that a hint of it need not be followed. */
  isAsLeft(path: string): boolean;
  /** Everything is news to the snapshot. */
  expire(): void;
  /** Writes the snapshot, when much of it is news. */
  keep(): Promise<void>;
}

/** A file as it was put in place. */
export type WrittenFile = Pick<Temporary, 'ino' | 'mtimeMs' | 'isDated'>;

/** Smaller folders are read faster than they would be restored; and a snapshot that misses this share of the files is good enough. */
const fewFiles = 500;
const manyNews = 0.01;
/** The texts of more files than these are joined. */
const fewPaths = 256;

/**
 * @param queue  shared with the commits: looking and writing never overlap
 * @param snapshot  what an earlier process has read; null: everything is read
 */
export function createStatCache(
  engine: Engine,
  queue: Queue,
  clock: () => number = Date.now,
  snapshot: StoreSnapshot | null = null,
): StatCache {
  const cache: FileStates = {
    engine,
    queue,
    clock,
    known: new Map(),
    folders: new Map(),
    sweeps: 0,
    problems: new Map(),
    beyond: new Map(),
    own: new Set(),
    empty: new Map(),
    emptied: [],
    news: 0,
    isRead: false,
  };
  return {
    get size() {
      return cache.known.size;
    },
    load: (progress) => load(cache, snapshot, progress),
    sweep: (under, mode) => sweep(cache, under, mode),
    look: (paths, mode = 'changed') =>
      lookAt(
        cache,
        [...new Set(paths)].filter((path) => kindOf(path) !== null || cache.known.has(path)),
        mode,
      ),
    note(path, stat, etag, entry, written) {
      cache.problems.delete(path);
      if (stat === null) {
        forget(cache, path);
        return;
      }
      const isSure = written?.isDated === true && written.ino === stat.ino && written.mtimeMs === stat.mtimeMs;
      remember(cache, path, stat, etag, cache.isRead ? entry : null, isSure ? stat.ctimeMs + 2 * raceMs : cache.clock());
      cache.own.add(path);
    },
    current: (batch) => ({
      ...batch,
      entries: batch.entries.filter(({ path, etag }) => cache.known.get(path)?.etag === etag),
      blobs: batch.blobs.filter((blob) => isStill(cache.known.get(blob.path), blob)),
      removed: batch.removed.filter((path) => !cache.known.has(path)),
    }),
    problems: () => [...cache.problems.values()],
    emptied() {
      const paths = cache.emptied;
      cache.emptied = [];
      return paths;
    },
    knows: (path) => cache.known.has(path),
    own(paths) {
      for (const path of paths) cache.own.add(path);
    },
    isOwn: (path) => cache.own.has(path),
    isAsLeft(path) {
      const record = cache.known.get(path);
      if (kindOf(path) === null || (record !== undefined && !cache.own.has(path))) return false;
      const stat = cache.engine.stat(path);
      if (stat === null || record === undefined) return stat === null && record === undefined;
      return !(stat instanceof Promise) && hasSameStat(record, stat);
    },
    expire() {
      cache.news = Number.POSITIVE_INFINITY;
    },
    async keep() {
      if (snapshot === null || !cache.isRead || cache.known.size < fewFiles || cache.news < cache.known.size * manyNews) return;
      cache.news = 0;
      await snapshot.keep(cache.known);
    },
  };
}

async function load(
  cache: FileStates,
  snapshot: StoreSnapshot | null,
  progress?: (done: number, total: number) => void,
): Promise<Batch> {
  cache.isRead = true;
  const stats: FileStat[] = [];
  if (!(await scan(cache, (stat) => void stats.push(stat)))) return batchOf({ problems: [...cache.problems.values()] });
  const kept = cache.known.size === 0 ? ((await snapshot?.restore()) ?? null) : cache.known;
  const entries: FileEntry[] = [];
  const files: (FileStat | string)[] = [];
  for await (const stat of paced(stats)) {
    const before = kept?.get(stat.path);
    if (before?.entry && isUnchanged(before, stat)) {
      know(cache, stat.path, before);
      entries.push(before.entry);
    } else if (isContent(stat)) files.push(stat);
  }
  // What was known and is not listed is looked at as well: it is gone, or was written a moment ago.
  if (kept === cache.known) {
    const listed = new Set<string>();
    for await (const { path } of paced(stats)) {
      listed.add(path);
    }
    for await (const path of paced(cache.known.keys())) {
      if (!listed.has(path)) files.push(path);
    }
  }
  const total = entries.length + files.length;
  const found = await lookAt(cache, files, 'all', progress && ((done) => progress(entries.length + done, total)));
  if (files.length === 0) progress?.(total, total);
  return { ...found, entries: entries.length === 0 ? found.entries : entries.concat(found.entries as FileEntry[]) };
}

async function sweep(cache: FileStates, under?: string, mode: ScanMode = 'changed'): Promise<Batch> {
  if (under === undefined) cache.own.clear();
  const isReported = cache.problems.has('');
  const number = ++cache.sweeps;
  const suspects: string[] = [];
  // What is seen is marked and not listed: the lists of a large folder would be long, and the collector would copy them.
  const isListed = await scan(
    cache,
    (stat) => {
      if (!isContent(stat)) return;
      const record = cache.known.get(stat.path);
      if (record !== undefined) record.sweep = number;
      if (record === undefined || !isUnchanged(record, stat)) suspects.push(stat.path);
    },
    under,
  );
  if (!isListed) return batchOf({ problems: isReported ? [] : [cache.problems.get('') as Problem] });
  // What is missing may have been written after its directory was listed: it is looked at again.
  const pace = createPace(backgroundMs);
  for (const path of under === undefined ? cache.known.keys() : knownIn(cache, under)) {
    if (pace.isDue()) await pace.rest();
    if ((cache.known.get(path)?.sweep ?? number) < number) suspects.push(path);
  }
  return lookAt(cache, suspects, mode);
}

/** False when the folder itself cannot be listed: then nothing is taken for removed. */
async function scan(cache: FileStates, visit: (stat: FileStat) => void, under?: string): Promise<boolean> {
  const found = new Map<string, FileStat>();
  try {
    await cache.engine.sweep((stat) => {
      if (isBeyond(stat)) found.set(stat.path, stat);
      visit(stat);
    }, under);
    cache.problems.delete('');
    const isMeant = isAtOrBelow(under);
    cache.beyond = new Map([...[...cache.beyond].filter(([path]) => !isMeant(path)), ...found]);
    return true;
  } catch (error) {
    const message = `The content folder cannot be listed: ${(error as Error).message}`;
    cache.problems.set('', problemOf('', { rule: 'folder-unreadable', message }));
    return false;
  }
}

/** @param files  paths, or what has just been seen of them */
async function lookAt(
  cache: FileStates,
  files: readonly (FileStat | string)[],
  mode: ScanMode,
  progress?: (done: number, total: number) => void,
): Promise<Batch> {
  const findings: Findings = { mode, entries: [], blobs: [], removed: [], problems: [], pool: null };
  if (files.length > fewPaths) {
    findings.pool = createArenaBuilder((file, arena, start, end) => {
      // Otherwise it was written since: what was read is of no use any more.
      const record = cache.known.get(file.path);
      if (record?.etag === file.etag) addParsed(cache, record, file.path, readEntry(file, arena, start, end), findings);
    });
  }
  const pace = createPace(8, 2);
  for (let next = 0; next < files.length; ) {
    // A new turn first: who was just handed a commit's result gets to apply it before anything newer is found.
    await pace.rest();
    next = await cache.queue.run(() => judgeSlice(cache, files, next, pace, findings));
    progress?.(next, files.length);
  }
  const { pool, mode: _, ...batch } = findings;
  pool?.flush();
  return batch;
}

function isBeyond(stat: FileStat): boolean {
  return stat.refused === 'name' || stat.refused === 'depth' || stat.refused === 'unreadable';
}

function isStill(record: FileState | undefined, { size, mtimeMs }: Blob): boolean {
  return record !== undefined && record.size === size && record.mtimeMs === mtimeMs;
}

function batchOf(parts: Partial<Batch>): Batch {
  return { entries: [], blobs: [], removed: [], problems: [], ...parts };
}
