/**
 * Writing so that a file is either the old or the new one, whatever happens: a temporary file beside the target
 * (rename is atomic only within one file system), fsync, rename, fsync of the directory.
 */

import * as fs from 'node:fs';
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { replaceHoldingOld, type Replaced } from './replaced-files.ts';
import { temporaryPrefix } from './paths.ts';

const fsync = promisify(fs.fsync);
const write = promisify(fs.write);
const rename = promisify(fs.rename);
const copyFile = promisify(fs.copyFile);
const unlink = promisify(fs.unlink);

/** Up to this size the copy into the page cache is quicker done here than handed to the thread pool. */
const inlineBytes = 256 * 1024;

/** A disk that answers sooner than this, in ms, is waited for in place: handing the wait to the thread pool costs as much again. */
const inPlaceMs = 0.25;
/** Mean of the last flushes. */
let flushMs = 2 * inPlaceMs;

/** Of the names of temporary files. Asking for the process's id is a call of the system. */
const ownPrefix = `${temporaryPrefix}${process.pid}-`;

/** Complete temporary files this process has made and not yet renamed or removed. */
const own = new Set<string>();

/** A flushed temporary file: its absolute path and its inode, which is the target's once it is there. */
export interface Temporary {
  readonly temporary: string;
  readonly ino: number;
}

/** Flushes a small file or a directory. One slow answer is enough to leave the event loop alone for the next ones. */
async function flushSmall(handle: number): Promise<void> {
  const started = performance.now();
  if (flushMs < inPlaceMs) fs.fsyncSync(handle);
  else await fsync(handle);
  flushMs = 0.8 * flushMs + 0.2 * (performance.now() - started);
}

/**
 * Writes `bytes` to a temporary file in `directory` (which exists) and flushes it.
 * @param mode  permission bits of the new file, not subject to the umask when `exact`
 */
export async function stageFile(directory: string, bytes: Uint8Array, mode: number, exact = false): Promise<Temporary> {
  const temporary = join(directory, `${ownPrefix}${randomBytes(9).toString('base64url')}`);
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants;
  const file = fs.openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0), mode);
  own.add(temporary);
  try {
    for (let done = 0; done < bytes.length; ) {
      const rest = bytes.subarray(done);
      done +=
        rest.length <= inlineBytes ? fs.writeSync(file, rest) : (await write(file, rest, 0, rest.length, null)).bytesWritten;
    }
    if (exact) fs.fchmodSync(file, mode);
    const { ino } = fs.fstatSync(file);
    await (bytes.length <= inlineBytes ? flushSmall(file) : fsync(file));
    return { temporary, ino };
  } catch (error) {
    dropTemporary(temporary);
    throw error;
  } finally {
    fs.closeSync(file);
  }
}

/**
 * Makes a finished file a flushed temporary one in `directory` (which exists): renamed, or copied from another file system.
 */
export async function takeFile(directory: string, fromFile: string): Promise<Temporary> {
  const temporary = join(directory, `${ownPrefix}${randomBytes(9).toString('base64url')}`);
  own.add(temporary);
  try {
    await rename(fromFile, temporary).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EXDEV') throw error;
      await copyFile(fromFile, temporary, fs.constants.COPYFILE_EXCL);
      await unlink(fromFile);
    });
    const file = fs.openSync(temporary, fs.constants.O_RDWR | (fs.constants.O_NOFOLLOW ?? 0));
    try {
      await fsync(file);
      return { temporary, ino: fs.fstatSync(file).ino };
    } finally {
      fs.closeSync(file);
    }
  } catch (error) {
    dropTemporary(temporary);
    throw error;
  }
}

/** Puts a staged file in place of `target`. The directory has to be flushed afterwards. */
export async function publishFile(temporary: string, target: string, replaced?: Replaced): Promise<void> {
  await replaceHoldingOld(
    target,
    () => fs.renameSync(temporary, target),
    () => rename(temporary, target),
    replaced,
  );
  own.delete(temporary);
}

/** Removes a file. @throws ENOENT */
export function unlinkFile(target: string): Promise<void> {
  return replaceHoldingOld(
    target,
    () => fs.unlinkSync(target),
    () => unlink(target),
  );
}

/** Never throws: what cannot be removed now is swept at the next start. */
export function dropTemporary(temporary: string): void {
  own.delete(temporary);
  try {
    fs.rmSync(temporary, { force: true });
  } catch {
    // The fault that led here is the one to tell.
  }
}

/** Flushes a directory's entries. Where directories cannot be flushed (Windows), does nothing. */
export async function flushDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  let handle: number;
  try {
    handle = fs.openSync(directory, fs.constants.O_RDONLY | (fs.constants.O_DIRECTORY ?? 0));
  } catch (error) {
    // Emptied and removed by a neighbouring change: its own parent is flushed by that change.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  try {
    await flushSmall(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/** mkdir -p. Returns the directories that have to be flushed for the new ones to survive a power cut. */
export function makeDirectory(directory: string, mode: number): readonly string[] {
  if (fs.existsSync(directory)) return [];
  const parent = dirname(directory);
  const above = makeDirectory(parent, mode);
  try {
    fs.mkdirSync(directory, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return [...above, parent];
}

/** Replaces a whole file durably. */
export async function writeDurably(target: string, bytes: Uint8Array, mode: number): Promise<void> {
  const directory = dirname(target);
  const above = makeDirectory(directory, mode === 0o600 ? 0o700 : 0o777);
  await publishFile((await stageFile(directory, bytes, mode)).temporary, target);
  for (const each of [...above, directory]) await flushDirectory(each);
}

/** Writes over the beginning of a file of our own, made if need be, and flushes. What is longer than `bytes` stays behind them. */
export async function writeInPlace(target: string, bytes: Uint8Array, mode: number): Promise<void> {
  const file = openOwn(target, mode);
  try {
    for (let done = 0; done < bytes.length; ) done += fs.writeSync(file, bytes, done, bytes.length - done, done);
    await flushSmall(file);
  } finally {
    fs.closeSync(file);
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

/** What a file of our own holds; null when there is none: links and what is no file are not read. */
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

/** True when nobody will finish this temporary file: its process is gone, or it is an earlier life's with our id. */
export function isAbandoned(temporary: string): boolean {
  if (own.has(temporary)) return false;
  const pid = Number(temporary.slice(temporary.lastIndexOf(temporaryPrefix) + temporaryPrefix.length).split('-')[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
