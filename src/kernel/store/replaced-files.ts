/**
 * Files that a commit took the name from, held open for a while: for the disk's sake, and for programs that are still writing to
 * them. An editor that opened a file before it was replaced writes to the one that has no name any more; that text would be lost.
 */

import * as fs from 'node:fs';
import { maxTextBytes } from '../yaml/codec.ts';

/** What there was before a replacement, and whom to call when it turns out that somebody was still writing it. */
export interface Replaced {
  readonly bytes: Uint8Array;
  /** Whether others wrote it. */
  readonly isTheirs: boolean;
  /** Called with all that the file without a name holds, whenever nothing more has come for a while. */
  late(bytes: Uint8Array): void;
  /** The disk failed while looking for it. */
  failed(error: unknown): void;
}

interface HeldFile {
  readonly handle: number;
  readonly replaced: Replaced | undefined;
  /** As last looked at. */
  size: number;
  mtimeMs: number;
  /** When something was found to have been written that has not been reported yet. All times by the clock of `performance.now`. */
  writtenAt: number | null;
  until: number;
}

/** The disk has a rest. */
const restMs = 50;
/** A file that others changed so short a time ago, by the clock of the files, may be in the middle of being written. */
const freshMs = 2000;
/** So long it is held then, after each time something has come. */
const patienceMs = 60_000;
/** What has come is whole for now. */
const quietMs = 1000;
const lookMs = 250;
const maxHeld = 64;

export interface ReplacedFiles {
  /**
   * Takes the name of a file away from it. Giving back its blocks can take the disk a millisecond, in which nothing else is flushed
   * (measured: 0.9 ms of a replacement that takes 0.01 ms without); that waits, with the file held open, until the disk has a rest.
   * @param later  the same through the thread pool, for systems that do not let go of a name while the file is open
   */
  replaceHoldingOld(target: string, now: () => void, later: () => Promise<void>, replaced?: Replaced): Promise<void>;
  /** Closes all of them; reports what has been written. */
  close(): void;
}

interface HeldFiles {
  all: HeldFile[];
  timer: NodeJS.Timeout | undefined;
}

export function createReplacedFiles(): ReplacedFiles {
  const held: HeldFiles = { all: [], timer: undefined };
  return {
    async replaceHoldingOld(target, now, later, replaced) {
      if (process.platform === 'win32') return later();
      // Mostly there is nothing where nothing was; to learn that by opening it would cost an error.
      if (replaced?.bytes.length === 0 && fs.lstatSync(target, { throwIfNoEntry: false }) === undefined) return now();
      if (held.all.length >= maxHeld) makeRoom(held);
      const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants;
      let handle: number;
      try {
        handle = fs.openSync(target, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === 'ENOENT' ? now() : later();
      }
      held.all.push(heldFile(handle, replaced));
      schedule(held, restMs);
      now();
    },
    close() {
      clearTimeout(held.timer);
      for (const one of held.all.splice(0)) {
        look(one, performance.now());
        close(one);
      }
    },
  };
}

function heldFile(handle: number, replaced: HeldFile['replaced']): HeldFile {
  const present = performance.now();
  const { size, mtimeMs } = replaced ? statOf(handle) : { size: 0, mtimeMs: 0 };
  const isWatched = replaced?.isTheirs === true && Date.now() - mtimeMs < freshMs;
  const isChanged = replaced !== undefined && size !== replaced.bytes.length;
  const until = present + (isWatched ? patienceMs : restMs);
  return { handle, replaced, size, mtimeMs, writtenAt: isChanged ? present : null, until };
}

function schedule(held: HeldFiles, afterMs: number): void {
  clearTimeout(held.timer);
  held.timer = setTimeout(release, afterMs, held).unref();
}

/** Looks at what is held, and gives back what nobody writes to. */
function release(held: HeldFiles): void {
  const present = performance.now();
  const left: HeldFile[] = [];
  for (const one of held.all) {
    if (look(one, present) && one.writtenAt !== null && present - one.writtenAt >= quietMs) report(one);
    if (one.until <= present) close(one);
    else left.push(one);
  }
  held.all = left;
  if (left.length > 0) schedule(held, lookMs);
}

/** Closes handles that are held only because of the disk, or else the oldest ones. */
function makeRoom(held: HeldFiles): void {
  const present = performance.now();
  for (const one of held.all) look(one, present);
  const watched = held.all.filter(({ until, writtenAt }) => writtenAt !== null || until > present + restMs);
  const gone = watched.length < maxHeld ? held.all.filter((one) => !watched.includes(one)) : watched.splice(0, 1);
  held.all = watched;
  gone.forEach(close);
}

function close(one: HeldFile): void {
  report(one);
  fs.close(one.handle, () => undefined);
}

/** Notes what has been written since the last look. @returns false when the disk fails, and the file is given up */
function look(one: HeldFile, present: number): boolean {
  if (one.replaced === undefined) return true;
  try {
    const { size, mtimeMs, nlink } = fs.fstatSync(one.handle);
    // With another name it is somebody else's.
    if (nlink > 0 || (size === one.size && mtimeMs === one.mtimeMs)) return true;
    Object.assign(one, { size, mtimeMs, writtenAt: present, until: present + patienceMs });
    return true;
  } catch (error) {
    giveUp(one, error);
    return false;
  }
}

function report(one: HeldFile): void {
  const { handle, size, replaced } = one;
  if (replaced === undefined || one.writtenAt === null) return;
  one.writtenAt = null;
  if (size > maxTextBytes) return;
  try {
    const bytes = Buffer.alloc(size);
    const written = bytes.subarray(0, fs.readSync(handle, bytes, 0, size, 0));
    // Touched, or emptied by a writer that then found it replaced.
    if (written.length > 0 && Buffer.compare(written, replaced.bytes) !== 0) replaced.late(written);
  } catch (error) {
    giveUp(one, error);
  }
}

/** A file that cannot be read any more: nothing of it can be put back, and the next look must not meet the fault again. */
function giveUp(one: HeldFile, error: unknown): void {
  one.writtenAt = null;
  one.until = 0;
  one.replaced?.failed(error);
}

function statOf(handle: number): { readonly size: number; readonly mtimeMs: number } {
  try {
    return fs.fstatSync(handle);
  } catch (error) {
    fs.closeSync(handle);
    throw error;
  }
}
