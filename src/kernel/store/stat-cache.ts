/**
 * What is known of each file, and what differs on disk: the one place that decides whether a file is new, changed, gone or
 * broken.
 *
 * Size, times and inode stand for the content, except within two seconds of a change: a second edit could leave them equal
 * (coarse clocks), so such files are compared by content. A file that cannot be read is quarantined: its problem is reported
 * once per state of the file, and it counts neither as an entry nor as removed.
 */

import { byteProblem, etagOf, type FileOf, maxTextBytes, type Parsed, parseEntry, readEntry, tooLarge } from '../yaml/codec.ts';
import { faultOf } from './faults.ts';
import { createFileClock } from './file-clock.ts';
import type { Engine } from './mounts.ts';
import { createPace, type Pace, paced } from '../scheduler.ts';
import { isPath, kindOf, PathError } from './paths.ts';
import { problemOf, refusalProblem } from './problems.ts';
import type { Queue } from './queue.ts';
import type { Snapshot } from './snapshot.ts';
import { createArenaBuilder, type FileEntry, type ArenaBuilder } from './text-arena.ts';
import { type FileStat, isContent, type Refusal } from './scan.ts';
import type { Batch, Blob, Problem } from './types.ts';

/** What is known of a file. */
export interface FileState {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  /** Of the bytes; '' for blobs, a word for what was refused. */
  readonly etag: string;
  /** Null for what is none, and until its text is read. */
  entry: FileEntry | null;
  /** When it was last compared by content, or by times that cannot be mistaken. */
  readonly seenAt: number;
}

export interface StatCache {
  readonly size: number;
  /** Every file, whether it differs or not, and what is gone. */
  load(progress?: (done: number, total: number) => void): Promise<Batch>;
  /** What differs from what is known, everywhere or under one directory. */
  sweep(under?: string, mode?: ScanMode): Promise<Batch>;
  /** The same for these paths alone. */
  look(paths: readonly string[], mode?: ScanMode): Promise<Batch>;
  /**
   * Takes note of own writes, so that they are not reported. To be called inside the queue.
   * @param written  what was put there; unknown: it is compared by the next sweep
   */
  note(path: string, stat: FileStat | null, etag: string, entry?: FileEntry, written?: WrittenFile): void;
  /** What of a batch is still so: the rest has been read or written again since, and comes (or came) with that. */
  current(batch: Batch): Batch;
  problems(): readonly Problem[];
  /** Files seen empty just now, to be looked at again soon: whoever empties a file may be about to fill it. Each is told once. */
  emptied(): readonly string[];
  knows(path: string): boolean;
  /** Whether this process wrote it last, as far as that is sure. */
  isOwn(path: string): boolean;
  /** Whether it looks as this process has left it, so that a hint of it need not be followed. */
  isAsLeft(path: string): boolean;
  /** Everything is news to the snapshot. */
  expire(): void;
  /** Writes the snapshot, when much of it is news. */
  keep(): Promise<void>;
}

/** A file as it was put in place, and when, by `Date.now`. */
export interface WrittenFile {
  readonly ino: number;
  readonly mtimeMs: number;
  readonly beganMs: number;
}

/**
 * `changed`: what differs; `stable`: the same, but for files that are being written; `hinted`: the same, and an own write is taken for
 * what it looks like, since sweeps will compare it; `all`: each as it is, changed or not.
 */
export type ScanMode = 'changed' | 'stable' | 'hinted' | 'all';

interface Findings {
  readonly mode: ScanMode;
  readonly entries: FileEntry[];
  readonly blobs: Blob[];
  readonly removed: string[];
  readonly problems: Problem[];
  /** Where much is read at once. */
  pool: ArenaBuilder<FileOf> | null;
}

const raceMs = 2000;
/** So long an empty file may be one that is being written. Its last good version stays in service. */
export const emptyMs = 500;
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
  snapshot: Snapshot | null = null,
): StatCache {
  const known = new Map<string, FileState>();
  const problems = new Map<string, Problem>();
  /** What the last scan could not look at or name, and a single look could not judge. */
  let beyond = new Map<string, FileStat>();
  /** Written by this process since the last sweep. */
  const own = new Set<string>();
  const fileClock = createFileClock();
  /** Files that are empty → since when, by the clock of `performance.now`. */
  const empty = new Map<string, number>();
  let emptied: string[] = [];
  /** Changes since the snapshot. */
  let news = 0;
  /** Whoever only writes needs no texts: they are kept from the first reading on. */
  let isRead = false;

  async function load(progress?: (done: number, total: number) => void): Promise<Batch> {
    isRead = true;
    const stats = await scan();
    if (stats === null) return batchOf({ problems: [...problems.values()] });
    const kept = known.size === 0 ? ((await snapshot?.restore()) ?? null) : known;
    const entries: FileEntry[] = [];
    const files: (FileStat | string)[] = [];
    for await (const stat of paced(stats)) {
      const before = kept?.get(stat.path);
      if (before?.entry && isUnchanged(before, stat)) {
        known.set(stat.path, before);
        entries.push(before.entry);
      } else if (isContent(stat)) files.push(stat);
    }
    // What was known and is not listed is looked at as well: it is gone, or was written a moment ago.
    if (kept === known) {
      const listed = new Set<string>();
      for await (const { path } of paced(stats)) {
        listed.add(path);
      }
      for await (const path of paced(known.keys())) {
        if (!listed.has(path)) files.push(path);
      }
    }
    const total = entries.length + files.length;
    const found = await inSlices(files, 'all', progress && ((done) => progress(entries.length + done, total)));
    if (files.length === 0) progress?.(total, total);
    return { ...found, entries: entries.length === 0 ? found.entries : entries.concat(found.entries as FileEntry[]) };
  }

  async function sweep(under?: string, mode: ScanMode = 'changed'): Promise<Batch> {
    if (under === undefined) own.clear();
    const isReported = problems.has('');
    const stats = await scan(under);
    if (stats === null) return batchOf({ problems: isReported ? [] : [problems.get('') as Problem] });
    const present = new Set<string>();
    const suspects: string[] = [];
    for await (const stat of paced(stats)) {
      if (!isContent(stat)) continue;
      present.add(stat.path);
      const record = known.get(stat.path);
      if (record === undefined || !isUnchanged(record, stat)) suspects.push(stat.path);
    }
    // What is missing may have been written after its directory was listed: it is looked at again.
    for await (const path of paced(known.keys())) {
      if (!present.has(path) && isUnder(path, under)) suspects.push(path);
    }
    return inSlices(suspects, mode);
  }

  /** Null when the folder itself cannot be listed: then nothing is taken for removed. */
  async function scan(under?: string): Promise<FileStat[] | null> {
    try {
      const stats = await engine.scan(under);
      problems.delete('');
      const found = stats.filter(isBeyond).map((stat): [string, FileStat] => [stat.path, stat]);
      beyond = new Map([...[...beyond].filter(([path]) => !isUnder(path, under)), ...found]);
      return stats;
    } catch (error) {
      const message = `The content folder cannot be listed: ${(error as Error).message}`;
      problems.set('', problemOf('', { rule: 'folder-unreadable', message }));
      return null;
    }
  }

  /** @param files  paths, or what has just been seen of them */
  async function inSlices(
    files: readonly (FileStat | string)[],
    mode: ScanMode,
    progress?: (done: number, total: number) => void,
  ): Promise<Batch> {
    const findings: Findings = { mode, entries: [], blobs: [], removed: [], problems: [], pool: null };
    if (files.length > fewPaths) {
      findings.pool = createArenaBuilder((file, arena, start, end) => {
        // Otherwise it was written since: what was read is of no use any more.
        const record = known.get(file.path);
        if (record?.etag === file.etag) take(record, file.path, readEntry(file, arena, start, end), findings);
      });
    }
    const pace = createPace(8, 2);
    for (let next = 0; next < files.length; ) {
      // A new turn first: who was just handed a commit's result gets to apply it before anything newer is found.
      await pace.rest();
      next = await queue.run(() => slice(files, next, pace, findings));
      progress?.(next, files.length);
    }
    const { pool, mode: _, ...batch } = findings;
    pool?.flush();
    return batch;
  }

  async function slice(files: readonly (FileStat | string)[], from: number, pace: Pace, findings: Findings): Promise<number> {
    let next = from;
    do {
      const file = files[next++] as FileStat | string;
      const pending = typeof file === 'string' ? inspect(file, findings) : judge(file.path, file, findings);
      if (pending !== undefined) await pending;
    } while (next < files.length && !pace.isDue());
    return next;
  }

  /** Looks at one file; a promise only where the engine has to be waited for. */
  function inspect(path: string, findings: Findings): Promise<void> | undefined {
    const refused = beyond.get(path);
    if (refused !== undefined || !isPath(path)) return judge(path, refused ?? null, findings);
    const stat = engine.stat(path);
    if (stat instanceof Promise) return stat.then((found) => judge(path, found, findings));
    return judge(path, stat, findings);
  }

  function judge(path: string, stat: FileStat | null, findings: Findings): Promise<void> | undefined {
    if (stat === null) {
      gone(path, findings);
      return;
    }
    const record = known.get(path);
    const { mode } = findings;
    if (stat.refused !== undefined) {
      quarantine(path, stat, `refused ${stat.refused}`, refusalProblem(path, stat.refused), findings);
      return;
    }
    if (mode !== 'all' && record !== undefined && isUnchanged(record, stat)) return;
    if (mode === 'hinted' && own.has(path) && record !== undefined && hasSameStat(record, stat)) return;
    const kind = kindOf(path);
    if (isPatient(mode) && kind !== 'blob' && record?.size !== 0 && isBeingWritten(path, stat)) return;
    if (kind === 'blob' && !Number.isNaN(stat.mtimeMs)) {
      if (mode === 'all' || record === undefined || !hasSameStat(record, stat)) report(path, stat, '', null, findings);
      else remember(path, stat, '');
      return;
    }
    if (kind !== 'blob' && stat.size > maxTextBytes) {
      quarantine(path, stat, `too-large ${stat.size}`, tooLarge(path), findings);
      return;
    }
    let bytes: ReturnType<Engine['read']>;
    try {
      bytes = findings.pool === null ? engine.read(path) : engine.peek(path);
    } catch (error) {
      unreadable(path, stat, error, findings);
      return;
    }
    if (!(bytes instanceof Promise)) {
      digest(path, stat, bytes, findings);
      return;
    }
    return bytes.then(
      (content) => digest(path, stat, content, findings),
      (error: unknown) => unreadable(path, stat, error, findings),
    );
  }

  function isBeingWritten(path: string, { size }: FileStat): boolean {
    if (size > 0) {
      if (empty.size > 0) empty.delete(path);
      return false;
    }
    const since = empty.get(path);
    if (since === undefined) {
      empty.set(path, performance.now());
      emptied.push(path);
    }
    return since === undefined || performance.now() - since < emptyMs;
  }

  function gone(path: string, findings: Findings): void {
    const wasKnown = known.delete(path);
    problems.delete(path);
    empty.delete(path);
    if (wasKnown || findings.mode === 'all') findings.removed.push(path);
  }

  function digest(path: string, stat: FileStat, bytes: Uint8Array | null, findings: Findings): void {
    if (bytes === null) {
      gone(path, findings);
      return;
    }
    const etag = etagOf(bytes);
    const before = known.get(path);
    if (findings.mode !== 'all' && before?.etag === etag) {
      remember(path, stat, etag, before.entry);
      return;
    }
    report(path, { ...stat, size: bytes.length }, etag, bytes, findings);
  }

  function report(path: string, stat: FileStat, etag: string, bytes: Uint8Array | null, findings: Findings): void {
    const { size } = stat;
    const mtimeMs = Number.isNaN(stat.mtimeMs) ? 0 : stat.mtimeMs;
    problems.delete(path);
    if (kindOf(path) === 'blob' || bytes === null) {
      remember(path, stat, etag);
      findings.blobs.push({ path, size, mtimeMs });
      return;
    }
    const problem = byteProblem(path, bytes);
    if (problem !== null) {
      quarantine(path, stat, etag, problem, findings);
      return;
    }
    const record = remember(path, stat, etag);
    if (findings.pool !== null) findings.pool.add({ path, etag, size, mtimeMs }, bytes);
    else take(record, path, parseEntry(path, bytes, { size, mtimeMs, etag }), findings);
  }

  function take(record: FileState, path: string, parsed: Parsed, findings: Findings): void {
    if ('entry' in parsed) {
      record.entry = parsed.entry;
      findings.entries.push(parsed.entry);
      return;
    }
    problems.set(path, parsed.problem);
    findings.problems.push(parsed.problem);
  }

  function quarantine(path: string, stat: FileStat, etag: string, problem: Problem, findings: Findings): void {
    const isNew = known.get(path)?.etag !== etag;
    remember(path, stat, etag);
    problems.set(path, problem);
    if (isNew || findings.mode === 'all') findings.problems.push(problem);
  }

  function unreadable(path: string, stat: FileStat, error: unknown, findings: Findings): void {
    const refusal: Refusal = error instanceof PathError ? 'link' : 'unreadable';
    // A fault of the disk ends without a change of the file: the next sweep tries again.
    const seen = faultOf(error) === null ? stat : { ...stat, ctimeMs: -1 };
    quarantine(path, seen, `refused ${refusal}`, refusalProblem(path, refusal, error), findings);
  }

  function remember(
    path: string,
    { size, mtimeMs, ctimeMs, ino }: FileStat,
    etag: string,
    entry: FileEntry | null = null,
    seenAt = clock(),
  ): FileState {
    const record = { size, mtimeMs, ctimeMs, ino, etag, entry, seenAt };
    if (known.get(path)?.etag !== etag) news++;
    own.delete(path);
    known.set(path, record);
    return record;
  }

  return {
    get size() {
      return known.size;
    },
    load,
    sweep,
    look: (paths, mode = 'changed') =>
      inSlices(
        [...new Set(paths)].filter((path) => kindOf(path) !== null || known.has(path)),
        mode,
      ),
    note(path, stat, etag, entry, written) {
      problems.delete(path);
      if (stat === null) {
        known.delete(path);
        return;
      }
      const isOurs = written !== undefined && written.ino === stat.ino && written.mtimeMs === stat.mtimeMs;
      if (isOurs) fileClock.observe(stat.ctimeMs, written.beganMs);
      const isSure = isOurs && fileClock.isExact();
      remember(path, stat, etag, isRead ? entry : null, isSure ? stat.ctimeMs + 2 * raceMs : clock());
      own.add(path);
    },
    current: (batch) => ({
      ...batch,
      entries: batch.entries.filter(({ path, etag }) => known.get(path)?.etag === etag),
      blobs: batch.blobs.filter((blob) => isStill(known.get(blob.path), blob)),
      removed: batch.removed.filter((path) => !known.has(path)),
    }),
    problems: () => [...problems.values()],
    emptied() {
      const paths = emptied;
      emptied = [];
      return paths;
    },
    knows: (path) => known.has(path),
    isOwn: (path) => own.has(path),
    isAsLeft(path) {
      const record = known.get(path);
      if (kindOf(path) === null || (record !== undefined && !own.has(path))) return false;
      const stat = engine.stat(path);
      if (stat === null || record === undefined) return stat === null && record === undefined;
      return !(stat instanceof Promise) && hasSameStat(record, stat);
    },
    expire() {
      news = Number.POSITIVE_INFINITY;
    },
    async keep() {
      if (snapshot === null || !isRead || known.size < fewFiles || news < known.size * manyNews) return;
      news = 0;
      await snapshot.keep(known);
    },
  };
}

function isPatient(mode: ScanMode): boolean {
  return mode === 'stable' || mode === 'hinted';
}

function isUnder(path: string, directory: string | undefined): boolean {
  return directory === undefined || path === directory || path.startsWith(`${directory}/`);
}

function isBeyond(stat: FileStat): boolean {
  return stat.refused === 'name' || stat.refused === 'depth' || stat.refused === 'unreadable';
}

function hasSameStat(record: FileState, stat: FileStat): boolean {
  return (
    record.size === stat.size && record.mtimeMs === stat.mtimeMs && record.ctimeMs === stat.ctimeMs && record.ino === stat.ino
  );
}

function isStill(record: FileState | undefined, { size, mtimeMs }: Blob): boolean {
  return record !== undefined && record.size === size && (record.mtimeMs === mtimeMs || Number.isNaN(record.mtimeMs));
}

function isUnchanged(record: FileState, stat: FileStat): boolean {
  if (!hasSameStat(record, stat)) return false;
  if (record.etag === '' || stat.refused !== undefined) return true;
  return Math.abs(record.seenAt - Math.max(record.mtimeMs, record.ctimeMs)) > raceMs;
}

function batchOf(parts: Partial<Batch>): Batch {
  return { entries: [], blobs: [], removed: [], problems: [], ...parts };
}
