/**
 * The log of commits. What a commit puts in place is written here and flushed first, once for all commits of a group; then it is
 * renamed into place and answered. Files and directories are flushed behind the answer, within a second; what the log holds of them is
 * free then, and written over. Whoever opens the folder after a crash carries out what is missing (`replay.ts`).
 *
 * Commits are numbered. The numbers rise, also where the log is lost: a new one begins with the time in milliseconds.
 */

import * as fs from 'node:fs';
import { join } from 'node:path';
import type { Disk } from './durable.ts';
import { quietly } from './lock-file.ts';
import {
  encode,
  firstCode,
  type LoggedCommit,
  type LogHead,
  type LogRecord,
  numberAt,
  pathOf,
  placeOf,
  type PlacedRecord,
  readFollowing,
  readHead,
  readRecords,
  type Step,
  writeEmpty,
} from './log-file.ts';
import { createQueue, type Queue } from './queue.ts';
import type { Seal } from './state.ts';

/** When what is answered is also in files that are flushed: `log`: within a second, `folder`: before. */
export type Durability = 'log' | 'folder';

/** What a process that died, or another, has left to do. */
export interface Unfinished {
  readonly commits: readonly (LoggedCommit & { readonly isVoid: boolean })[];
  /** Whether the system has been started since: any file that was not flushed may be lost. Otherwise only the last commits were under way. */
  readonly isAfterRestart: boolean;
}

export interface CommitLog {
  /** Takes in what others have written. To be called under a lock that others may have had. Null: nothing is left to do. */
  sync(): Unfinished | null;
  /** The same without writing anything, with a name for it. */
  peek(): (Unfinished & { readonly name: string }) | null;
  /** Numbers the commits; they are durable when this returns. Nothing has been put in place before. */
  append(commits: readonly (readonly Step[])[]): Promise<readonly number[]>;
  /** All that was appended is in place, but for what was refused; `paths` are to be flushed: before this returns, or later. */
  finish(paths: Iterable<string>, refused?: readonly number[]): Promise<void>;
  /** Flushes what waits for it. */
  checkpoint(): Promise<void>;
  close(): Promise<void>;
}

export interface LogOptions {
  /** The `.cms` folder. */
  readonly dir: string;
  readonly seal: Seal;
  readonly disk: Disk;
  readonly durability: Durability;
  /** Tells one start of the system from another; '' where that is not known. */
  readonly boot?: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Flushes files and their directories. */
  flush(paths: readonly string[]): Promise<void>;
  /** Runs work while no process commits. */
  alone(work: () => Promise<void>): Promise<void>;
  /** Runs work that nobody waits for. */
  background(work: () => Promise<void>): void;
}

interface LogState extends LogOptions {
  readonly boot: string;
  readonly file: string;
  open: OpenLog | undefined;
  /** Of the file as it was last read or written. */
  id: string;
  /** Of the last record. */
  number: number;
  code: string;
  /** Where the next one goes. */
  half: number;
  end: number;
  /** Number of the last commit in each half. */
  last: number[];
  position: number;
  done: number;
  flushed: number;
  /** What was appended and is not finished. */
  unfinished: Unfinished | null;
  /** Paths to be flushed. */
  dirty: Set<string>;
  /** Set while a checkpoint is due. */
  timer: NodeJS.Timeout | undefined;
  readonly checkpoints: Queue;
  flushing: Promise<void> | undefined;
  /** The record on its way to the disk. */
  putting: Promise<void> | undefined;
}

interface OpenLog {
  readonly handle: number;
  readonly ino: number;
  readonly head: LogHead;
}

const checkpointMs = 1000;
const smallestHalf = 128 * 1024;
const largestHalf = 4 * 1024 * 1024;
/** Kept free in each half for records without commits. */
const spare = 4096;

export function createLog(options: LogOptions): CommitLog {
  const log: LogState = {
    boot: bootId(),
    ...options,
    file: join(options.dir, 'log'),
    checkpoints: createQueue(),
    ...{ open: undefined, id: '', number: 0, code: firstCode, half: 0, end: 0, last: [0, 0], position: 0, done: 0, flushed: 0 },
    ...{ unfinished: null, dirty: new Set(), timer: undefined, flushing: undefined, putting: undefined },
  };
  return {
    sync: () => sync(log),
    peek: () => peek(log),
    append: (commits) => append(log, commits),
    async finish(paths, refused = []) {
      for (const path of paths) log.dirty.add(path);
      log.done = log.position;
      log.unfinished = null;
      if (log.dirty.size > 0) schedule(log);
      else if (log.flushing === undefined) log.flushed = log.position;
      if (refused.length > 0) await write(log, recordOf(log, { voids: refused }));
      else await note(log, false).catch(() => undefined);
      if (log.durability === 'folder') await flushAll(log);
    },
    checkpoint: () => checkpoint(log),
    async close() {
      clearTimeout(log.timer);
      // One under way has taken the paths, and notes later that they are flushed.
      await log.checkpoints.idle();
      if (log.timer !== undefined) await checkpoint(log, true).catch(() => undefined);
      clearTimeout(log.timer);
      // By the time a record is flushed, the number of a closed file can be that of another.
      await log.putting?.catch(() => undefined);
      shut(log);
    },
  };
}

const recordOf = ({ boot, done, flushed }: LogState, more: Partial<LogRecord> = {}): LogRecord => ({
  ...{ boot, done, flushed, voids: [], commits: [] },
  ...more,
});

async function append(log: LogState, commits: readonly (readonly Step[])[]): Promise<readonly number[]> {
  if (openLog(log)?.head.id !== log.id) await renew(log, smallestHalf);
  const numbered = commits.map((steps, at) => ({ seq: log.position + 1 + at, steps }));
  await write(log, recordOf(log, { commits: numbered }));
  log.position += commits.length;
  log.last[log.half] = log.position;
  log.unfinished = { commits: numbered.map((one) => ({ ...one, isVoid: false })), isAfterRestart: false };
  return numbered.map(({ seq }) => seq);
}

/** What a half cannot take goes into the other one, once all that stands there has been flushed, or into a larger file. */
async function write(log: LogState, record: LogRecord): Promise<void> {
  const coded = () => {
    const { head } = log.open as OpenLog;
    return { head, ...encode(head, log.number + 1, log.code, { ...record, flushed: log.flushed }, log.seal) };
  };
  let next = coded();
  const needed = next.bytes.length + spare;
  if (log.end + needed > next.head.size) {
    const { size } = next.head;
    const isFree = (log.last[1 - log.half] as number) <= log.flushed && needed <= size;
    if (!isFree) await flushAll(log);
    const isTooSmall = needed > size;
    const isNew =
      !isFree &&
      (isTooSmall || size < largestHalf) &&
      (await renew(log, Math.max(Math.min(4 * size, largestHalf), 2 * needed)).then(
        () => true,
        // A disk that has no room for it may have some for what is to be written.
        (error) => (isTooSmall ? Promise.reject(error) : false),
      ));
    if (!isNew) Object.assign(log, { half: 1 - log.half, end: 0, last: log.half === 0 ? [log.last[0], 0] : [0, log.last[1]] });
    next = coded();
    log.background(() => checkpoint(log));
  }
  await put(log, next, true);
}

/** For whoever opens the folder next; where it is lost, more is looked at. */
async function note(log: LogState, isFlushed: boolean): Promise<void> {
  if (log.open === undefined) return;
  const next = encode(log.open.head, log.number + 1, log.code, recordOf(log), log.seal);
  if (log.end + next.bytes.length <= log.open.head.size) await put(log, next, isFlushed);
}

async function put(log: LogState, record: { bytes: Buffer; code: string }, isFlushed: boolean): Promise<void> {
  log.putting = putNow(log, record, isFlushed);
  await log.putting;
}

async function putNow(log: LogState, { bytes, code }: { bytes: Buffer; code: string }, isFlushed: boolean): Promise<void> {
  const { handle, head } = log.open as OpenLog;
  const at = placeOf(head, log.half, log.end);
  try {
    writeAll(handle, bytes, at);
    if (isFlushed) await log.disk.flushData(handle);
  } catch (error) {
    // Nobody is to find it whole.
    quietly(() => fs.writeSync(handle, '\n', at));
    throw error;
  }
  Object.assign(log, { number: log.number + 1, code, end: log.end + bytes.length });
}

/** A new file in place of the one there is, of which nothing is needed any more. */
async function renew(log: LogState, size: number): Promise<void> {
  await flushAll(log);
  const fresh = `${log.file}.new`;
  fs.rmSync(fresh, { recursive: true, force: true });
  const handle = fs.openSync(fresh, 'wx+', 0o600);
  try {
    const head = writeEmpty(handle, size, log.seal);
    if (log.id === '') log.position = Math.max(log.position, log.clock());
    if (log.unfinished === null) Object.assign(log, { done: log.position, flushed: log.position });
    const { bytes, code } = encode(head, log.number + 1, log.code, recordOf(log), log.seal);
    writeAll(handle, bytes, placeOf(head, 0, 0));
    await log.disk.flushData(handle);
    if (fs.lstatSync(log.file, { throwIfNoEntry: false })?.isDirectory()) fs.rmSync(log.file, { recursive: true });
    fs.renameSync(fresh, log.file);
    shut(log);
    const open = { handle, ino: fs.fstatSync(handle).ino, head };
    Object.assign(log, { open, id: head.id, number: log.number + 1, code, half: 0, end: bytes.length, last: [0, 0] });
  } catch (error) {
    fs.closeSync(handle);
    quietly(() => fs.rmSync(fresh, { force: true }));
    throw error;
  }
  await log.disk.flushDirectory(log.dir);
}

function writeAll(handle: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; ) done += fs.writeSync(handle, bytes, done, bytes.length - done, at + done);
}

/** The file, where there is one of ours. @throws LogVersionError; NodeJS.ErrnoException */
function openLog(log: LogState): OpenLog | null {
  const ino = inodeOf(log.file);
  if (log.open !== undefined && log.open.ino !== ino) shut(log);
  if (ino !== null) log.open ??= openFile(log.file, fs.constants.O_RDWR, log.seal) ?? undefined;
  return log.open ?? null;
}

/** Null for a link, a file that has another name too, and what is not ours. */
function inodeOf(file: string): number | null {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  return stat?.isFile() && stat.nlink === 1 ? stat.ino : null;
}

function openFile(file: string, flags: number, seal: Seal): OpenLog | null {
  const { O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  const handle = fs.openSync(file, flags | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
  let head: LogHead | null = null;
  try {
    const { ino, nlink } = fs.fstatSync(handle);
    head = nlink === 1 ? readHead(handle, seal) : null;
    return head && { handle, ino, head };
  } finally {
    if (head === null) fs.closeSync(handle);
  }
}

function shut(log: LogState): void {
  if (log.open !== undefined) fs.closeSync(log.open.handle);
  log.open = undefined;
}

function sync(log: LogState): Unfinished | null {
  const open = openLog(log);
  if (open === null) return log.unfinished;
  const { handle, head } = open;
  const isKnown = head.id === log.id && log.unfinished === null;
  const following = isKnown ? readFollowing(handle, head, log.seal, log) : [];
  const isAsLeft = head.id === log.id && following.length === 0 && numberAt(handle, head, log.half, log.end) !== log.number + 1;
  if (isAsLeft && numberAt(handle, head, 1 - log.half, 0) <= log.number) return log.unfinished;
  const isContinued = following.length > 0;
  const records = isContinued ? following : readRecords(handle, head, log.seal);
  const { last: { number, code, half, end } = { number: log.number, code: firstCode, half: 0, end: 0 }, ...found } = judge(
    records,
    log.boot,
  );
  for (const { commits } of records)
    for (const { seq, steps } of commits)
      if (seq > Math.max(log.position, found.flushed))
        for (const step of steps) for (const path of withFolders(pathOf(step))) log.dirty.add(path);
  const lastIn = (wanted: number) =>
    Math.max(
      isContinued ? (log.last[wanted] as number) : 0,
      ...records.map((one) => (one.half === wanted ? (one.commits.at(-1)?.seq ?? 0) : 0)),
    );
  // Where others have written meanwhile, what this process has flushed is not noted yet.
  log.flushed = Math.max(head.id === log.id ? log.flushed : 0, found.flushed);
  Object.assign(log, { id: head.id, number, code, half, end, last: [lastIn(0), lastIn(1)], unfinished: found.unfinished });
  log.position = Math.max(log.position, found.position, found.unfinished?.isAfterRestart ? log.clock() : 0);
  log.done = found.unfinished === null ? log.position : found.done;
  if (log.dirty.size > 0) schedule(log);
  return log.unfinished;
}

function peek({ file, seal, boot }: LogState): (Unfinished & { readonly name: string }) | null {
  const open = inodeOf(file) === null ? null : openFile(file, fs.constants.O_RDONLY, seal);
  if (open === null) return null;
  try {
    const { unfinished, last } = judge(readRecords(open.handle, open.head, seal), boot);
    return unfinished && { ...unfinished, name: String(last?.number) };
  } finally {
    fs.closeSync(open.handle);
  }
}

function judge(records: readonly PlacedRecord[], boot: string) {
  const last = records.at(-1);
  const isAfterRestart = boot === '' || last?.boot !== boot;
  const commits = records.flatMap((record) => record.commits);
  const [done, flushed] = [last?.done ?? 0, last?.flushed ?? 0];
  const voids = new Set(records.flatMap((record) => record.voids));
  const open = commits.filter(({ seq }) => seq > (isAfterRestart ? flushed : done));
  return {
    last,
    done,
    flushed,
    position: Math.max(done, flushed, commits.at(-1)?.seq ?? 0),
    unfinished:
      open.length === 0 ? null : { commits: open.map((one) => ({ ...one, isVoid: voids.has(one.seq) })), isAfterRestart },
  };
}

function schedule(log: LogState): void {
  log.timer ??= setTimeout(() => log.background(() => checkpoint(log)), checkpointMs).unref();
}

/** @param isLast  nobody will flush later what others commit until then */
function checkpoint(log: LogState, isLast = false): Promise<void> {
  return log.checkpoints.run(() => checkpointNow(log, isLast));
}

async function checkpointNow(log: LogState, isLast: boolean): Promise<void> {
  clearTimeout(log.timer);
  log.timer = undefined;
  try {
    await flushAll(log);
  } catch (error) {
    schedule(log);
    throw error;
  }
  await log.alone(async () => {
    if (isLast) await flushAll(log);
    // Otherwise an edit by hand that comes now would meet the commits before it after a power cut.
    await note(log, true);
    // An open file keeps a disk from being taken away.
    if (log.dirty.size === 0) shut(log);
  });
}

/** All commits that are in place by now have been flushed when this returns. */
async function flushAll(log: LogState): Promise<void> {
  while (log.flushing !== undefined) await log.flushing.catch(() => undefined);
  const [paths, upTo] = [log.dirty, log.done];
  log.dirty = new Set();
  log.flushing = paths.size === 0 ? Promise.resolve() : log.flush([...paths]);
  try {
    await log.flushing;
    log.flushed = Math.max(log.flushed, upTo);
  } catch (error) {
    for (const path of paths) log.dirty.add(path);
    throw error;
  } finally {
    log.flushing = undefined;
  }
}

/** Only who has made a folder knows that it is new: of others' files, those above are flushed as well. */
function withFolders(path: string): readonly string[] {
  const names = path.split('/');
  return names.map((_, at) => names.slice(0, at + 1).join('/'));
}

function bootId(): string {
  return quietly(() => fs.readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()) ?? '';
}
