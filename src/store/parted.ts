/**
 * Files that a commit took the name from, held open for a while: for the disk's sake, and for that of whoever is still writing to
 * them. An editor that opened a file before it was replaced writes to the one that has no name any more; that text would be lost.
 */

import * as fs from 'node:fs';
import { maxTextBytes } from './codec.ts';

/** What there was before a replacement, and who is told when it turns out that somebody was still writing it. */
export interface Replaced {
  readonly bytes: Uint8Array;
  /** Called with all that the file without a name holds, once nothing more is written to it. */
  late(bytes: Uint8Array): void;
}

interface Parted {
  readonly handle: number;
  readonly replaced: Replaced | undefined;
  /** As last looked at. */
  size: number;
  mtimeMs: number;
  isWritten: boolean;
  /** Held until then, by the clock of `performance.now`. */
  until: number;
}

/** The disk has a rest. */
const restMs = 50;
/** A file that was changed so short a time ago, by the clock of the files, may be in the middle of being written. */
const writingMs = 2000;
const mostParted = 64;

let parted: Parted[] = [];
const rest = setTimeout(() => letGo(), restMs).unref();

/**
 * Takes the name of a file away from it. Giving back its blocks can take the disk a millisecond, in which nothing else is flushed
 * (measured: 0.9 ms of a replacement that takes 0.01 ms without); that waits, with the file held open, until the disk has a rest.
 * @param later  the same through the thread pool, for systems that do not let go of a name while the file is open
 */
export async function parting(target: string, now: () => void, later: () => Promise<void>, replaced?: Replaced): Promise<void> {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants;
  if (process.platform === 'win32') return later();
  if (parted.length >= mostParted) letGo(true);
  let handle: number;
  try {
    handle = fs.openSync(target, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? now() : later();
  }
  const { size, mtimeMs } = replaced ? fs.fstatSync(handle) : { size: 0, mtimeMs: 0 };
  const isFresh = replaced !== undefined && Date.now() - mtimeMs < writingMs;
  const until = performance.now() + (isFresh ? writingMs : restMs);
  parted.push({ handle, replaced, size, mtimeMs, isWritten: replaced !== undefined && size !== replaced.bytes.length, until });
  rest.refresh();
  now();
}

/** Gives back what nobody writes to. @param all  also what somebody may still write to: what there is of it is told */
function letGo(all = false): void {
  const held: Parted[] = [];
  const present = performance.now();
  for (const one of parted) {
    if (one.replaced !== undefined && look(one)) one.until = present + writingMs;
    if (!all && one.until > present && one.replaced !== undefined) {
      held.push(one);
      continue;
    }
    if (one.isWritten) tell(one);
    fs.close(one.handle, () => undefined);
  }
  parted = held;
  if (held.length > 0) rest.refresh();
}

/** Whether something has been written since the last look. */
function look(one: Parted): boolean {
  const { size, mtimeMs, nlink } = fs.fstatSync(one.handle);
  // It has another name, under which it is somebody else's.
  if (nlink > 0 || (size === one.size && mtimeMs === one.mtimeMs)) return false;
  one.size = size;
  one.mtimeMs = mtimeMs;
  one.isWritten = true;
  return true;
}

function tell({ handle, size, replaced }: Parted): void {
  if (replaced === undefined || size > maxTextBytes) return;
  const bytes = Buffer.alloc(size);
  const length = fs.readSync(handle, bytes, 0, size, 0);
  const written = bytes.subarray(0, length);
  // Touched, or emptied by whoever then found that it has been replaced.
  if (length > 0 && Buffer.compare(written, replaced.bytes) !== 0) replaced.late(written);
}
