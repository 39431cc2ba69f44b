/**
 * Reading the files of a folder. Links are never followed and only regular files are opened. Small reads are synchronous: ten times
 * cheaper than through the thread pool when the pages are warm.
 */

import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { DiskPaths } from './disk-paths.ts';
import { BlockedPathError, checkPath, PathError } from './paths.ts';
import { type FileStat, isAbsent, refusal, toStat } from './scan.ts';

export interface FileReads {
  /** lstat without following anything. Null when there is nothing, or a directory. */
  stat(path: string): FileStat | null;
  /** As `stat`, but tells of a directory. */
  lookUp(path: string): FileStat | 'directory' | null;
  /** Absolute path of a regular file, the disk being asked each time. */
  find(path: string): string | null;
  isDirectory(path: string): boolean;
  /** Content of a regular file, null when there is none. @throws NodeJS.ErrnoException when it cannot be read */
  read(path: string): Uint8Array | null;
  /** The same, in memory that the next call uses again. */
  peek(path: string): Uint8Array | null;
  /** As `read`; large files without holding up the event loop. */
  readLater(path: string): Promise<Uint8Array | null>;
}

const largeBytes = 256 * 1024;
const readWhole = promisify(fs.readFile) as (file: number) => Promise<Buffer>;

export function createFileReads(paths: DiskPaths): FileReads {
  let scratch = Buffer.alloc(0);
  const lookUp = (path: string) => statFile(paths, path);
  const stat = (path: string) => fileOf(lookUp(path));
  const read = (path: string) => readFile(paths, path, Buffer.allocUnsafeSlow);

  return {
    stat,
    lookUp,
    find(path) {
      const found = fileOf(statFile(paths, path, paths.guard));
      return found !== null && found.refused === undefined ? paths.locate(path) : null;
    },
    // Asked by hints, which may name anything, at any moment: what cannot be looked at is none.
    isDirectory(path) {
      try {
        return fs.lstatSync(paths.locate(checkPath(path)), { throwIfNoEntry: false })?.isDirectory() ?? false;
      } catch {
        return false;
      }
    },
    read,
    peek: (path) =>
      readFile(paths, path, (size) => {
        if (size > scratch.length) scratch = Buffer.allocUnsafeSlow(Math.min(2 * size, largeBytes));
        return size > scratch.length ? Buffer.allocUnsafeSlow(size) : scratch;
      }),
    async readLater(path) {
      const found = stat(path);
      if (found === null || found.refused !== undefined || found.size <= largeBytes) return read(path);
      const file = openInPlace(paths.locate(path));
      try {
        return fs.fstatSync(file).isFile() ? await readWhole(file) : null;
      } finally {
        fs.closeSync(file);
      }
    },
  };
}

/**
 * Opens a file, and looks then whether it lies there, with no link in its place or on the way. Not blocking: a FIFO must not hang.
 * @param absolute  without links
 * @throws BlockedPathError when it is elsewhere; NodeJS.ErrnoException
 */
export function openInPlace(absolute: string, flags = fs.constants.O_RDONLY): number {
  const file = fs.openSync(absolute, flags | (fs.constants.O_NONBLOCK ?? 0) | (fs.constants.O_NOFOLLOW ?? 0));
  if (isInPlace(file, absolute)) return file;
  fs.closeSync(file);
  throw new BlockedPathError(`a link on the way, not followed: ${absolute}`);
}

/** Whether an open file lies there. Linux says where it is, so that a link that was there for its opening alone is seen as well. */
export function isInPlace(file: number, absolute: string): boolean {
  const directory = dirname(absolute);
  let found: string;
  try {
    found = dirname(fs.readlinkSync(`/proc/self/fd/${file}`));
  } catch {
    found = fs.realpathSync.native(directory);
  }
  return found === directory;
}

function statFile(paths: DiskPaths, path: string, guard = paths.guardOnce): FileStat | 'directory' | null {
  const absolute = paths.locate(checkPath(path));
  try {
    const stats = fs.lstatSync(absolute, { throwIfNoEntry: false });
    if (stats === undefined) return null;
    if (stats.isDirectory()) return 'directory';
    guard(dirname(absolute));
    return toStat(path, stats);
  } catch (error) {
    if (isAbsent(error)) return null;
    if (error instanceof PathError) return refusal(path, 'link');
    return refusal(path, 'unreadable');
  }
}

const fileOf = (found: FileStat | 'directory' | null): FileStat | null => (found === 'directory' ? null : found);

function readFile(paths: DiskPaths, path: string, allocate: (size: number) => Buffer): Uint8Array | null {
  const absolute = paths.locate(checkPath(path));
  let file: number;
  try {
    paths.guardOnce(dirname(absolute));
    file = openInPlace(absolute);
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
  try {
    const stats = fs.fstatSync(file);
    if (stats.isDirectory()) return null;
    if (!stats.isFile()) throw new PathError(`not a regular file: ${path}`);
    return readAll(file, allocate(stats.size + 1));
  } finally {
    fs.closeSync(file);
  }
}

/** Reads to the end: the file may have grown since its size was taken. A regular file returns less than requested only at its end. */
function readAll(file: number, into: Buffer): Uint8Array {
  let bytes = into;
  let filled = 0;
  for (;;) {
    filled += fs.readSync(file, bytes, filled, bytes.length - filled, null);
    if (filled < bytes.length) return bytes.subarray(0, filled);
    bytes = Buffer.concat([bytes], bytes.length * 2);
  }
}
