/**
 * The lock between processes that write one content folder: a file that exists while somebody holds it, with a lease.
 *
 * Its content says who (process, host, start of the process), until when, and a fencing number that rises with every
 * acquisition. A lock whose process is gone, or whose lease has run out, is taken over. Whoever writes often may keep it for a
 * moment between two pieces of work, as long as nobody waits.
 *
 * The disk may fail at any call. Taking the lock throws then; giving it up never does: a lock file that could not be removed is
 * tried again, and is no obstacle for the process that left it.
 */

import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { openOwn, readOwn } from './durable.ts';
import { createQueue } from './queue.ts';

export interface Lease {
  /** Rises with every acquisition by anyone. */
  readonly fence: number;
  /** False when the lock was kept since the work before: nobody else has had it meanwhile. */
  readonly isNew: boolean;
  /** Prolongs the lease when it is due. To be called before each write. @throws LockError when the lease was lost */
  check(): void;
}

export interface Lock {
  /**
   * Runs `work` alone among all processes. Calls of one process come in order.
   * @throws LockError after `waitMs`; NodeJS.ErrnoException when the lock cannot be taken
   */
  withLock<T>(work: (lease: Lease) => Promise<T>): Promise<T>;
  /** Gives up a lock that is kept. Never throws. */
  close(): void;
}

export interface LockOptions {
  /** Folder of the lock file; it must exist when `withLock` is called. */
  readonly dir: string;
  readonly leaseMs?: number;
  readonly waitMs?: number;
  /** How long the lock is kept after some work, for the next. */
  readonly lingerMs?: number;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  /** Told why a lock could not be given up. */
  readonly failed?: (error: unknown) => void;
}

export class LockError extends Error {}

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Start of the process, milliseconds since the epoch: process ids are used again, in containers at once. */
  readonly started: number;
  readonly fence: number;
  readonly expires: number;
}

const longestPauseMs = 8;
/** Long enough for whoever waits to look again. */
const givingWayMs = 3 * longestPauseMs;
const sameStartMs = 3000;
/** A lock file without content belongs to a process between two calls, unless it is older than this. */
const unfinishedMs = 5000;
/** Between two attempts to give up a lock. */
const retryMs = 1000;
/** Beyond these nobody locks and nobody counts: the files came from elsewhere. */
const longestLeaseMs = 10 * 60_000;
const longestFence = 1e14;
const noop = (): void => undefined;

export function createLock({
  dir,
  leaseMs = 30_000,
  waitMs = 60_000,
  lingerMs = 0,
  clock = Date.now,
  failed = noop,
}: LockOptions): Lock {
  const file = join(dir, 'lock');
  const fenceFile = join(dir, 'fence');
  const self = { pid: process.pid, host: hostname(), started: Math.round(clock() - process.uptime() * 1000) };
  const waitingFile = join(dir, 'lock.waiting');
  const waiter = `${self.pid} ${randomUUID()}`;
  const queue = createQueue();

  let kept: { readonly lease: Lease; readonly until: NodeJS.Timeout } | undefined;
  /** The fence of a lock file of ours that nobody uses and that could not be removed. */
  let left: number | undefined;
  let retry: NodeJS.Timeout | undefined;

  async function withLock<T>(work: (lease: Lease) => Promise<T>): Promise<T> {
    const lease = takeKept() ?? leaseOf(await acquire());
    let isDone = false;
    try {
      const result = await work(lease);
      isDone = true;
      return result;
    } finally {
      // After a failure others, and this process the next time, begin as with any lock: what was left half done is looked for.
      if (lingerMs > 0 && isDone) kept = { lease: { ...lease, isNew: false }, until: setTimeout(close, lingerMs).unref() };
      else release(lease.fence);
    }
  }

  /** The lock that was kept, unless somebody waits for it or has taken it away. */
  function takeKept(): Lease | undefined {
    if (kept === undefined) return undefined;
    const { lease, until } = kept;
    if (isAwaitedElsewhere() || quietly(read)?.fence !== lease.fence) {
      close();
      return undefined;
    }
    kept = undefined;
    clearTimeout(until);
    try {
      lease.check();
      return lease;
    } catch (error) {
      release(lease.fence);
      throw error;
    }
  }

  function close(): void {
    if (kept === undefined) return;
    const { lease, until } = kept;
    kept = undefined;
    clearTimeout(until);
    release(lease.fence);
  }

  async function acquire(): Promise<Holder> {
    const until = clock() + waitMs;
    if (isAwaitedElsewhere()) await pause(givingWayMs);
    for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const holder = tryAcquire();
      if (holder !== null) {
        if (pauseMs === longestPauseMs) quietly(() => fs.rmSync(waitingFile, { force: true }));
        return holder;
      }
      if (isStale() && takeAway()) continue;
      if (clock() > until) {
        quietly(() => fs.rmSync(waitingFile, { force: true }));
        throw new LockError(`the content folder is locked by ${describe(read())}`);
      }
      if (pauseMs === longestPauseMs) quietly(wait);
      await pause(pauseMs);
    }
  }

  function wait(): void {
    const handle = openOwn(waitingFile, 0o644);
    try {
      fs.ftruncateSync(handle);
      fs.writeSync(handle, waiter);
    } finally {
      fs.closeSync(handle);
    }
  }

  /** A process that commits in a loop, an import, would otherwise never leave a gap for others. */
  function isAwaitedElsewhere(): boolean {
    try {
      if (!fs.lstatSync(waitingFile, { throwIfNoEntry: false }) || ageOf(waitingFile) > 4 * givingWayMs) return false;
      const text = readOwn(waitingFile)?.toString('utf8');
      return text !== undefined && text !== waiter;
    } catch {
      return false;
    }
  }

  function tryAcquire(): Holder | null {
    let handle: number;
    try {
      handle = fs.openSync(file, 'wx', 0o644);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
      throw error;
    }
    try {
      const holder = { ...self, fence: lastFence() + 1, expires: clock() + leaseMs };
      fs.writeSync(handle, JSON.stringify(holder));
      keepFence(holder.fence);
      return holder;
    } catch (error) {
      quietly(() => fs.rmSync(file, { force: true }));
      throw error;
    } finally {
      fs.closeSync(handle);
    }
  }

  function leaseOf(acquired: Holder): Lease {
    let { expires } = acquired;
    return {
      fence: acquired.fence,
      isNew: true,
      check() {
        const left = expires - clock();
        if (left > leaseMs / 2) return;
        if (left <= 0 && read()?.fence !== acquired.fence) throw new LockError('the lock on the content folder was lost');
        expires = clock() + leaseMs;
        // Beside and renamed: others read the file at any moment.
        const temporary = `${file}.${acquired.fence}`;
        fs.rmSync(temporary, { recursive: true, force: true });
        fs.writeFileSync(temporary, JSON.stringify({ ...acquired, expires }), { flag: 'wx' });
        fs.renameSync(temporary, file);
      },
    };
  }

  /** Never throws: it is called when the work is done, and by timers. */
  function release(fence: number): void {
    clearTimeout(retry);
    try {
      if (read()?.fence === fence) fs.rmSync(file, { force: true });
      left = undefined;
    } catch (error) {
      left = fence;
      retry = setTimeout(release, retryMs, fence).unref();
      failed(error);
    }
  }

  /**
   * Removes a stale lock. Two processes may both find it stale; the second must not remove the first one's new lock, so
   * only the maker of the claim file looks again and removes.
   */
  function takeAway(): boolean {
    const claim = `${file}.claim`;
    try {
      fs.closeSync(fs.openSync(claim, 'wx'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (ageOf(claim) > unfinishedMs) fs.rmSync(claim, { force: true });
      return false;
    }
    try {
      if (!isStale()) return false;
      fs.rmSync(file, { recursive: true, force: true });
      return true;
    } finally {
      quietly(() => fs.rmSync(claim, { force: true }));
    }
  }

  function isStale(): boolean {
    const holder = read();
    if (holder === undefined) return false;
    if (holder === null) return ageOf(file) > unfinishedMs;
    if (holder.fence === left && isSelf(holder)) return true;
    if (holder.expires <= clock() || holder.expires > clock() + longestLeaseMs) return true;
    if (holder.host !== self.host) return false;
    if (holder.pid === self.pid) return !isSelf(holder);
    return !isAlive(holder.pid);
  }

  function isSelf({ pid, host, started }: Holder): boolean {
    return pid === self.pid && host === self.host && Math.abs(started - self.started) <= sameStartMs;
  }

  /** Undefined when there is no lock, null when its content makes no sense (yet). @throws NodeJS.ErrnoException */
  function read(): Holder | null | undefined {
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

  /** In place and of constant width: ext4 flushes a file to disk when it was truncated and written, a millisecond each time. */
  function keepFence(fence: number): void {
    const handle = openOwn(fenceFile, 0o644);
    try {
      fs.writeSync(handle, `${String(fence).padStart(15, '0')}\n`, 0);
    } finally {
      fs.closeSync(handle);
    }
  }

  function lastFence(): number {
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

  return { withLock: (work) => queue.run(() => withLock(work)), close };
}

/** What does not matter if it fails: the call that matters will tell. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function pause(forMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, forMs));
}

function describe(holder: Holder | null | undefined): string {
  return holder ? `process ${holder.pid} on ${holder.host}` : 'another process';
}
