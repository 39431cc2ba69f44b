/**
 * The file of a lock between processes: who holds it and until when. Beside it lie the fencing number, which rises with every
 * acquisition, and a mark of whoever waits.
 */

import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isAlive, openOwn, readOwn } from './durable.ts';

export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Start of the process, milliseconds since the epoch: process ids are used again, in containers at once. */
  readonly started: number;
  readonly fence: number;
  readonly expires: number;
}

/** One folder's lock as one process sees it. */
export interface LockFile {
  readonly file: string;
  readonly fenceFile: string;
  readonly waitingFile: string;
  readonly self: Pick<Holder, 'pid' | 'host' | 'started'>;
  /** This process among those that wait. */
  readonly waiter: string;
  readonly leaseMs: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** The fence of a lock file of ours that nobody uses and that could not be removed. */
  leftover: number | undefined;
}

/** Stands for the lock file and its content, as long as nobody has touched it. */
export type LockStamp = Pick<fs.Stats, 'ino' | 'ctimeMs'>;

const waiterLength = 60;
const sameStartMs = 3000;
/** A lock file without content belongs to a process between two calls, unless it is older than this. */
const unfinishedMs = 5000;
/** Nobody writes beyond these: such files came from elsewhere. */
const longestLeaseMs = 10 * 60_000;
const longestFence = 1e14;

export function lockFileIn(dir: string, leaseMs: number, clock: () => number): LockFile {
  const self = { pid: process.pid, host: hostname(), started: Math.round(clock() - process.uptime() * 1000) };
  return {
    file: join(dir, 'lock'),
    fenceFile: join(dir, 'fence'),
    waitingFile: join(dir, 'lock.waiting'),
    self,
    waiter: `${self.pid} ${randomUUID()}`,
    leaseMs,
    clock,
    leftover: undefined,
  };
}

/** @returns null when somebody holds the lock */
export function tryAcquire(lock: LockFile): Holder | null {
  let handle: number;
  try {
    handle = fs.openSync(lock.file, 'wx', 0o644);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
    throw error;
  }
  try {
    const holder = { ...lock.self, fence: lastFence(lock) + 1, expires: lock.clock() + lock.leaseMs };
    fs.writeSync(handle, JSON.stringify(holder));
    writeInPlace(lock.fenceFile, `${String(holder.fence).padStart(15, '0')}\n`);
    return holder;
  } catch (error) {
    quietly(() => fs.rmSync(lock.file, { force: true }));
    throw error;
  } finally {
    fs.closeSync(handle);
  }
}

/** Rewrites the lock file. @returns when the lease ends */
export function prolong(lock: LockFile, holder: Holder): number {
  const expires = lock.clock() + lock.leaseMs;
  // Beside and renamed: others read the file at any moment.
  const temporary = `${lock.file}.${holder.fence}`;
  fs.rmSync(temporary, { recursive: true, force: true });
  fs.writeFileSync(temporary, JSON.stringify({ ...holder, expires }), { flag: 'wx' });
  fs.renameSync(temporary, lock.file);
  return expires;
}

export function lockStamp(lock: LockFile): LockStamp | undefined {
  return fs.lstatSync(lock.file, { throwIfNoEntry: false });
}

/** Undefined if there is no lock, null if its content is invalid (yet). @throws NodeJS.ErrnoException */
export function readHolder({ file }: LockFile): Holder | null | undefined {
  const bytes = readOwn(file);
  if (bytes === null) return fs.lstatSync(file, { throwIfNoEntry: false }) === undefined ? undefined : null;
  const text = bytes.toString('utf8');
  try {
    const value = JSON.parse(text) as Partial<Holder> | null;
    const isHolder = Number.isSafeInteger(value?.pid) && Number.isFinite(value?.expires) && typeof value?.host === 'string';
    return isHolder ? ({ started: 0, fence: 0, ...value } as Holder) : null;
  } catch {
    return null;
  }
}

export function isStale(lock: LockFile): boolean {
  const holder = readHolder(lock);
  if (holder === undefined) return false;
  if (holder === null) return ageOf(lock.file) > unfinishedMs;
  if (holder.fence === lock.leftover && isSelf(lock, holder)) return true;
  const now = lock.clock();
  if (holder.expires <= now || holder.expires > now + longestLeaseMs) return true;
  if (holder.host !== lock.self.host) return false;
  if (holder.pid === lock.self.pid) return !isSelf(lock, holder);
  return !isAlive(holder.pid);
}

/**
 * Removes a stale lock. Two processes may both find it stale; the second must not remove the first one's new lock, so
 * only the maker of the claim file looks again and removes.
 */
export function takeAway(lock: LockFile): boolean {
  const claim = `${lock.file}.claim`;
  try {
    fs.closeSync(fs.openSync(claim, 'wx'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (ageOf(claim) > unfinishedMs) fs.rmSync(claim, { force: true });
    return false;
  }
  try {
    if (!isStale(lock)) return false;
    fs.rmSync(lock.file, { recursive: true, force: true });
    return true;
  } finally {
    quietly(() => fs.rmSync(claim, { force: true }));
  }
}

/** Leaves a mark that this process waits. A process that commits in a loop, an import, would otherwise never leave a gap. */
export function markWaiting({ waitingFile, waiter }: LockFile): void {
  writeInPlace(waitingFile, waiter.padEnd(waiterLength));
}

/** @param withinMs  an older mark does not count */
export function isAwaitedElsewhere({ waitingFile, waiter }: LockFile, withinMs: number): boolean {
  try {
    if (!fs.lstatSync(waitingFile, { throwIfNoEntry: false }) || ageOf(waitingFile) > withinMs) return false;
    const text = readOwn(waitingFile)?.toString('utf8');
    return text !== undefined && text.trimEnd() !== waiter;
  } catch {
    return false;
  }
}

export function describeHolder(holder: Holder | null | undefined): string {
  return holder ? `process ${holder.pid} on ${holder.host}` : 'another process';
}

/** Runs a call whose failure does not matter: the call that matters will report it. */
export function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function isSelf({ self }: LockFile, { pid, host, started }: Holder): boolean {
  return pid === self.pid && host === self.host && Math.abs(started - self.started) <= sameStartMs;
}

/** Text of constant width: ext4 flushes a file to disk when it was truncated and written, a millisecond each time. */
function writeInPlace(file: string, text: string): void {
  const handle = openOwn(file, 0o644);
  try {
    fs.writeSync(handle, text, 0);
  } finally {
    fs.closeSync(handle);
  }
}

function lastFence({ fenceFile }: LockFile): number {
  try {
    const fence = Number.parseInt(readOwn(fenceFile)?.toString('latin1', 0, 16) ?? '', 10);
    return fence > 0 && fence < longestFence ? fence : 0;
  } catch {
    return 0;
  }
}

/** By the file system's clock and ours; they differ by less than the limits used here. */
function ageOf(path: string): number {
  const stats = fs.lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined ? 0 : Date.now() - stats.mtimeMs;
}
