/**
 * The lock between processes that write one content folder: a file that exists while somebody holds it, with a lease.
 *
 * A lock whose process is gone, or whose lease has run out, is taken over. A process that writes often may hold it for a
 * moment between two pieces of work, as long as nobody waits.
 *
 * The disk may fail at any call. Taking the lock throws then; giving it up never does: a lock file that could not be removed is
 * tried again, and is no obstacle for the process that left it.
 */

import * as fs from 'node:fs';
import {
  describeHolder,
  type Holder,
  isAwaitedElsewhere,
  isStale,
  type LockFile,
  lockFileIn,
  type LockStamp,
  lockStamp,
  markWaiting,
  prolong,
  quietly,
  readHolder,
  takeAway,
  tryAcquire,
} from './lock-file.ts';
import { createQueue } from './queue.ts';

export interface Lease {
  /** Rises with every acquisition by anyone. */
  readonly fence: number;
  /** False when the lock was held since the work before: nobody else has had it meanwhile. */
  readonly isNew: boolean;
  /** Prolongs the lease when it is due. To be called before each write. @throws LockError when the lease was lost */
  check(): void;
}

export interface Lock {
  /**
   * Runs `work` exclusively among all processes. Calls of one process run in order.
   * @throws LockError after `waitMs`; NodeJS.ErrnoException when the lock cannot be taken
   */
  withLock<T>(work: (lease: Lease) => Promise<T>): Promise<T>;
  /** Gives up a lock that is still held. Never throws. */
  close(): void;
}

interface LockOptions {
  /** Folder of the lock file; it must exist when `withLock` is called. */
  readonly dir: string;
  readonly leaseMs?: number;
  readonly waitMs?: number;
  /** How long the lock is held after some work, for the next. */
  readonly lingerMs?: number;
  /** The longest pause between two attempts. */
  readonly pollMs?: number;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  /** Called with the reason why a lock could not be given up. */
  readonly failed?: (error: unknown) => void;
}

export class LockError extends Error {}

/** A lease, and what its lock file looked like when it was last written. */
interface OwnLease extends Lease {
  /** Whether the lock file is the one this process wrote. Does not read it. */
  isOnDisk(): boolean;
}

interface LockState {
  readonly lock: LockFile;
  readonly times: Times;
  readonly failed: (error: unknown) => void;
  /** After some work, until `until`. */
  held: { readonly lease: OwnLease; readonly until: NodeJS.Timeout } | undefined;
  retry: NodeJS.Timeout | undefined;
}

interface Times {
  readonly waitMs: number;
  readonly pollMs: number;
}

/** Long enough for any waiting process to look again. */
const givingWayMs = 24;
/** A process that waits renews its mark more often than this. */
const waitingMs = 4 * givingWayMs;

/** Between two attempts to give up a lock. */
const retryMs = 1000;
const noop = (): void => undefined;

export function createLock({
  dir,
  leaseMs = 30_000,
  waitMs = 60_000,
  lingerMs = 0,
  pollMs = 8,
  clock = Date.now,
  failed = noop,
}: LockOptions): Lock {
  const state: LockState = {
    lock: lockFileIn(dir, leaseMs, clock),
    times: { waitMs, pollMs },
    failed,
    held: undefined,
    retry: undefined,
  };
  const queue = createQueue();

  async function withLock<T>(work: (lease: Lease) => Promise<T>): Promise<T> {
    const lease = takeHeld(state) ?? leaseOf(state.lock, await acquire(state.lock, state.times));
    let isDone = false;
    try {
      const result = await work(lease);
      isDone = true;
      return result;
    } finally {
      // After a failure others, and this process the next time, begin as with any lock: what was left half done is looked for.
      if (lingerMs > 0 && isDone) {
        state.held = { lease: { ...lease, isNew: false }, until: setTimeout(giveUp, lingerMs, state).unref() };
      } else release(state, lease.fence);
    }
  }

  return { withLock: (work) => queue.run(() => withLock(work)), close: () => giveUp(state) };
}

/** The lock that is still held, unless somebody waits for it or has taken it away. */
function takeHeld(state: LockState): OwnLease | undefined {
  if (state.held === undefined) return undefined;
  const { lease, until } = state.held;
  if (isAwaitedElsewhere(state.lock, waitingMs) || quietly(lease.isOnDisk) !== true) {
    giveUp(state);
    return undefined;
  }
  state.held = undefined;
  clearTimeout(until);
  try {
    lease.check();
    return lease;
  } catch (error) {
    release(state, lease.fence);
    throw error;
  }
}

function giveUp(state: LockState): void {
  if (state.held === undefined) return;
  const { lease, until } = state.held;
  state.held = undefined;
  clearTimeout(until);
  release(state, lease.fence);
}

async function acquire(lock: LockFile, { waitMs, pollMs }: Times): Promise<Holder> {
  const until = lock.clock() + waitMs;
  const stopWaiting = () => quietly(() => fs.rmSync(lock.waitingFile, { force: true }));
  for (const late = performance.now() + givingWayMs; performance.now() < late && isAwaitedElsewhere(lock, waitingMs); )
    await pause(pollMs);
  let isMarked = false;
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, pollMs)) {
    const holder = tryAcquire(lock);
    if (holder !== null) {
      if (isMarked) stopWaiting();
      return holder;
    }
    if (isStale(lock) && takeAway(lock)) continue;
    if (lock.clock() > until) {
      stopWaiting();
      throw new LockError(`the content folder is locked by ${describeHolder(readHolder(lock))}`);
    }
    if (pauseMs === pollMs) {
      isMarked = true;
      quietly(() => markWaiting(lock));
    }
    await pause(pauseMs);
  }
}

function leaseOf(lock: LockFile, holder: Holder): OwnLease {
  let { expires } = holder;
  let stamp: LockStamp | undefined = quietly(() => lockStamp(lock));
  return {
    fence: holder.fence,
    isNew: true,
    isOnDisk() {
      const now = lockStamp(lock);
      return now !== undefined && now.ino === stamp?.ino && now.ctimeMs === stamp.ctimeMs;
    },
    check() {
      const left = expires - lock.clock();
      if (left > lock.leaseMs / 2) return;
      if (left <= 0 && readHolder(lock)?.fence !== holder.fence) throw new LockError('the lock on the content folder was lost');
      expires = prolong(lock, holder);
      stamp = lockStamp(lock);
    },
  };
}

/** Never throws: it is called when the work is done, and by timers. */
function release(state: LockState, fence: number): void {
  const { lock } = state;
  clearTimeout(state.retry);
  try {
    if (readHolder(lock)?.fence === fence) fs.rmSync(lock.file, { force: true });
    lock.leftover = undefined;
  } catch (error) {
    lock.leftover = fence;
    state.retry = setTimeout(release, retryMs, state, fence).unref();
    state.failed(error);
  }
}

function pause(forMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, forMs));
}
