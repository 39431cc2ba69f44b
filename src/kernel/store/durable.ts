/**
 * Writing so that a file is either the old or the new one, whatever happens: a temporary file beside the target
 * (rename is atomic only within one file system), fsync, rename, fsync of the directory.
 */

import * as fs from 'node:fs';
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createReplacedFiles, type Replaced, type ReplacedFiles } from './replaced-files.ts';
import { makeFolder } from './folders.ts';
import { temporaryPrefix } from './paths.ts';

const fsync = promisify(fs.fsync);
const fdatasync = promisify(fs.fdatasync);
const write = promisify(fs.write);
const rename = promisify(fs.rename);
const copyFile = promisify(fs.copyFile);
const unlink = promisify(fs.unlink);

/** Up to this size the copy into the page cache is quicker done here than handed to the thread pool. */
const inlineBytes = 256 * 1024;

/** A disk that answers sooner than this, in ms, is waited for in place: handing the wait to the thread pool costs as much again. */
const inPlaceMs = 0.25;

/** Temporary files of this process begin so. The letters tell it from an earlier process with the same id, and from other machines. */
const ownPrefix = `${temporaryPrefix}${process.pid}-${randomBytes(6).toString('hex')}-`;

/** A staged file: its absolute path, and what is the target's once it is there. */
export interface Temporary {
  readonly temporary: string;
  readonly ino: number;
  readonly mtimeMs: number;
  /** Bytes. */
  readonly size: number;
  /** Whether `mtimeMs` is one that no later write can give the file. */
  readonly isDated: boolean;
}

export interface StageOptions {
  /** The permission bits are not subject to the umask. */
  readonly isExact?: boolean;
  /** Somebody else holds the bytes until `flushFile`. */
  readonly isFlushedLater?: boolean;
}

/** How one site writes: it remembers how fast its disk is, which files it has replaced, and how many temporary files it has named. */
export interface Disk {
  /**
   * Writes `bytes` to a temporary file in `directory` (which exists) and flushes it.
   * @param mode  permission bits of the new file
   */
  stage(directory: string, bytes: Uint8Array, mode: number, options?: StageOptions): Promise<Temporary>;
  /** Makes a finished file a flushed temporary one in `directory` (which exists): renamed, or copied from another file system. */
  take(directory: string, fromFile: string): Promise<Temporary>;
  /** Puts a staged file in place of `target`. The directory has to be flushed afterwards. */
  publish(temporary: string, target: string, replaced?: Replaced): Promise<void>;
  /** Removes a file. @throws ENOENT */
  unlink(target: string): Promise<void>;
  /** Flushes a file that was staged without; one that is gone needs none. */
  flushFile(file: string): Promise<void>;
  /** Flushes a directory's entries. Where directories cannot be flushed (Windows), does nothing. */
  flushDirectory(directory: string): Promise<void>;
  /** Replaces a whole file durably. */
  write(target: string, bytes: Uint8Array, mode: number): Promise<void>;
  /** Flushes what was written into an open file. */
  flushData(handle: number): Promise<void>;
  /** Closes the files that were replaced. */
  close(): void;
}

interface DiskState {
  /** Mean of the last flushes. */
  flushMs: number;
  temporaries: number;
  /** Tells the temporary files of two sites of one process apart. */
  readonly name: string;
  readonly replaced: ReplacedFiles;
}

export function createDisk(): Disk {
  const disk: DiskState = {
    flushMs: 2 * inPlaceMs,
    temporaries: 0,
    name: randomBytes(4).toString('hex'),
    replaced: createReplacedFiles(),
  };
  return {
    stage: (directory, bytes, mode, options) => stage(disk, directory, bytes, mode, options),
    take: (directory, fromFile) => take(disk, directory, fromFile),
    publish: (temporary, target, replaced) => publish(disk, temporary, target, replaced),
    unlink: (target) =>
      disk.replaced.replaceHoldingOld(
        target,
        () => fs.unlinkSync(target),
        () => unlink(target),
      ),
    flushFile: (file) => flushOpened(file, (handle) => flushSmall(disk, handle), fs.constants.O_RDWR),
    flushDirectory: (directory) => flushDirectory(directory, (handle) => flushSmall(disk, handle)),
    async write(target, bytes, mode) {
      const directory = dirname(target);
      const made = makeFolder(directory, { mode: mode === 0o600 ? 0o700 : 0o777 });
      await publish(disk, (await stage(disk, directory, bytes, mode)).temporary, target);
      for (const each of [...made.map(dirname), directory]) await flushDirectory(each);
    },
    flushData: (handle) => timed(disk, handle, fs.fdatasyncSync, fdatasync),
    close: disk.replaced.close,
  };
}

/** Flushes a small file or a directory. */
const flushSmall = (disk: DiskState, handle: number): Promise<void> => timed(disk, handle, fs.fsyncSync, fsync);

/** After one slow flush, the next ones do not block the event loop. */
async function timed(
  disk: DiskState,
  handle: number,
  now: (handle: number) => void,
  later: (handle: number) => Promise<void>,
): Promise<void> {
  const started = performance.now();
  if (disk.flushMs < inPlaceMs) now(handle);
  else await later(handle);
  disk.flushMs = 0.8 * disk.flushMs + 0.2 * (performance.now() - started);
}

/** Always a new name: an existing file is not ours, and opening fails. */
function temporaryIn(disk: DiskState, directory: string): string {
  return join(directory, `${ownPrefix}${disk.name}${(disk.temporaries++).toString(36)}`);
}

async function stage(
  disk: DiskState,
  directory: string,
  bytes: Uint8Array,
  mode: number,
  { isExact = false, isFlushedLater = false }: StageOptions = {},
): Promise<Temporary> {
  const temporary = temporaryIn(disk, directory);
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;
  const file = fs.openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0), mode);
  try {
    for (let done = 0; done < bytes.length; ) {
      const rest = bytes.subarray(done);
      done +=
        rest.length <= inlineBytes ? fs.writeSync(file, rest) : (await write(file, rest, 0, rest.length, null)).bytesWritten;
    }
    if (isExact) fs.fchmodSync(file, mode);
    const staged = dated(file);
    if (!isFlushedLater) await (bytes.length <= inlineBytes ? flushSmall(disk, file) : fsync(file));
    return { temporary, ...staged };
  } catch (error) {
    dropTemporary(temporary);
    throw error;
  } finally {
    fs.closeSync(file);
  }
}

/** In ms: less than a file system that tells times apart at all rounds them to, and no multiple of a tick. */
const datedBackMs = 0.7;

/**
 * Dates a file that has been written a little earlier. File systems note the time of the last tick of a timer, up to ten milliseconds
 * ago: what another writes of the same length within that tick would have the time of this write, but never an earlier one.
 */
function dated(file: number): Omit<Temporary, 'temporary'> {
  const { mtimeMs: now } = fs.fstatSync(file);
  try {
    fs.futimesSync(file, now / 1000, (now - datedBackMs) / 1000);
  } catch {
    // A file system that takes no times.
  }
  const { ino, mtimeMs, size } = fs.fstatSync(file);
  return { ino, mtimeMs, size, isDated: mtimeMs < now && now - mtimeMs < 1 };
}

async function take(disk: DiskState, directory: string, fromFile: string): Promise<Temporary> {
  const temporary = temporaryIn(disk, directory);
  try {
    await rename(fromFile, temporary).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EXDEV') throw error;
      await copyFile(fromFile, temporary, fs.constants.COPYFILE_EXCL);
      await unlink(fromFile);
    });
    const file = fs.openSync(temporary, fs.constants.O_RDWR | (fs.constants.O_NOFOLLOW ?? 0));
    try {
      await fsync(file);
      const { ino, mtimeMs, size } = fs.fstatSync(file);
      return { temporary, ino, mtimeMs, size, isDated: false };
    } finally {
      fs.closeSync(file);
    }
  } catch (error) {
    dropTemporary(temporary);
    throw error;
  }
}

function publish(disk: DiskState, temporary: string, target: string, replaced?: Replaced): Promise<void> {
  return disk.replaced.replaceHoldingOld(
    target,
    () => fs.renameSync(temporary, target),
    () => rename(temporary, target),
    replaced,
  );
}

/** Never throws: what cannot be removed now is swept at the next start. */
export function dropTemporary(temporary: string): void {
  try {
    fs.rmSync(temporary, { force: true });
  } catch {
    // The fault that led here is the one to report.
  }
}

/** Flushes a directory's entries. Where directories cannot be flushed (Windows), does nothing. */
export async function flushDirectory(directory: string, flush: (handle: number) => Promise<void> = fsync): Promise<void> {
  if (process.platform !== 'win32') await flushOpened(directory, flush);
}

async function flushOpened(
  path: string,
  flush: (handle: number) => Promise<void>,
  flags = fs.constants.O_RDONLY | (fs.constants.O_DIRECTORY ?? 0),
): Promise<void> {
  let handle: number;
  try {
    handle = fs.openSync(path, flags | (fs.constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    // Emptied and removed by a neighbouring change: its own parent is flushed by that change.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  try {
    await flush(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/**
 * Opens a file of our own to be written in place. Others can put something else there, that leads anywhere: a link, or a file that
 * has another name, too. It is taken away.
 */
export function openOwn(target: string, mode: number): number {
  const { O_RDWR, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  for (let attempt = 0; ; attempt++) {
    try {
      const file = fs.openSync(target, O_RDWR | O_CREAT | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0), mode);
      const stats = fs.fstatSync(file);
      if (stats.isFile() && stats.nlink === 1) return file;
      fs.closeSync(file);
      if (attempt > 0) throw new Error(`${target} is no file of our own`);
    } catch (error) {
      if (attempt > 0 || !['ELOOP', 'EMLINK', 'EISDIR', 'ENXIO', undefined].includes((error as NodeJS.ErrnoException).code))
        throw error;
    }
    fs.rmSync(target, { recursive: true, force: true });
  }
}

/** Content of one of our own files; null if there is none: links and anything but files are not read. */
export function readOwn(target: string): Buffer | null {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  let file: number;
  try {
    file = fs.openSync(target, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
  } catch (error) {
    if (['ENOENT', 'ELOOP', 'EMLINK', 'ENXIO'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
  try {
    return fs.fstatSync(file).isFile() ? fs.readFileSync(file) : null;
  } finally {
    fs.closeSync(file);
  }
}

/** True when nobody will finish this temporary file: its process is gone, or it is an earlier one's with our id. */
export function isAbandoned(temporary: string): boolean {
  const name = temporary.slice(temporary.lastIndexOf(temporaryPrefix));
  if (name.startsWith(ownPrefix)) return false;
  const pid = Number(name.slice(temporaryPrefix.length).split('-')[0]);
  return !Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid || !isAlive(pid);
}

/** Whether there is a process of that id. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
