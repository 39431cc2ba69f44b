/**
 * The default engine: a folder of files, to unstorage's Driver contract, durable and atomic where the stock driver is not.
 *
 * Links are never followed, only regular files are opened, nothing outside the folder is reachable. Small calls are
 * synchronous (ten times cheaper than through the thread pool when the pages are warm) and long runs give way to the event
 * loop; only flushing waits on the disk.
 */

import * as fs from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { type Driver, defineDriver } from 'unstorage';
import {
  createDisk,
  type Disk,
  dropTemporary,
  isAbandoned,
  makeDirectory,
  type StageOptions,
  type Temporary,
} from './durable.ts';
import { chunksOf, paced } from '../scheduler.ts';
import type { Replaced } from './replaced-files.ts';
import { BlockedPathError, checkPath, decodeKey, encodeKey, isPassedOver, PathError, temporaryPrefix } from './paths.ts';
import { type Directory, type FileStat, isAbsent, refusal, scanFolder, toStat, walkFolder } from './scan.ts';

const largeBytes = 256 * 1024;

export interface FilesOptions {
  /** The folder; made when first written to. */
  readonly dir: string;
  /** Mode 0600 for files and 0700 for folders. */
  readonly private?: boolean;
  /** Of the site the folder belongs to. Default: one of its own. */
  readonly disk?: Disk;
}

export interface FilesDriver extends Driver<FilesOptions, undefined> {
  readonly root: string;
  /**
   * Every file, links and special files as refused; sorted by nothing.
   * @param under  a directory alone, with all that is below it
   * @throws when the folder itself cannot be listed
   */
  scan(under?: string): Promise<FileStat[]>;
  /** The same, one after the other and in the same order each time; nothing is kept. */
  walk(visit: (stat: FileStat) => Promise<void> | undefined): Promise<void>;
  /** The directories there are, as the last scans saw them. */
  directories(): readonly Directory[];
  /** Temporary files that the last scan of everything saw and no process is left to finish. */
  abandoned(): readonly string[];
  /** lstat without following anything. Null when there is nothing, or a directory. */
  stat(path: string): FileStat | null;
  isDirectory(path: string): boolean;
  /** Absolute path of a file, there or not. */
  locate(path: string): string;
  /** Content of a regular file, null when there is none. @throws NodeJS.ErrnoException when it cannot be read */
  read(path: string): Uint8Array | null;
  /** The same, in memory that the next call uses again. */
  peek(path: string): Uint8Array | null;
  /** As `read`; large files without holding up the event loop. */
  readLater(path: string): Promise<Uint8Array | null>;
  readMany(paths: readonly string[]): Promise<Map<string, Uint8Array | null>>;
  write(path: string, bytes: Uint8Array): Promise<void>;
  remove(path: string): Promise<void>;
  /**
   * The steps of `write` apart, for changes of several files: temporary file, rename, flush of the directories.
   */
  stage(path: string, bytes: Uint8Array, options?: StageFileOptions): Promise<Temporary>;
  /** As `stage`, for a file that is already written elsewhere and is moved. */
  take(path: string, fromFile: string): Promise<Temporary>;
  publish(temporary: string, path: string, replaced?: Replaced): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Runs work in which each directory is checked once to be no link. */
  group<T>(work: () => Promise<T>): Promise<T>;
  /** Flushes the directories of these files, and removes those that `unlink` has left empty. */
  flush(paths: Iterable<string>): Promise<void>;
  /** The same with the files themselves, for those that were staged to be flushed later. */
  flushFiles(paths: readonly string[]): Promise<void>;
  /** Removes temporary files of processes that are gone. Returns how many. */
  sweepTemporary(keep?: ReadonlySet<string>): Promise<number>;
}

export interface StageFileOptions extends Pick<StageOptions, 'isFlushedLater'> {
  /** Nothing is there to take the permissions from. */
  readonly isNew?: boolean;
}

/** Files or directories that are flushed side by side. */
const atOnce = 32;

/** The driver over `options.dir`. Keys as `encodeKey` makes them. */
export const filesDriver = defineDriver(createFiles) as typeof createFiles;

function createFiles(options: FilesOptions): FilesDriver {
  const root = realRoot(resolve(options.dir));
  const { disk = createDisk() } = options;
  const fileMode = options.private ? 0o600 : 0o666;
  const directoryMode = options.private ? 0o700 : 0o777;
  /** Paths in NFC whose name on disk is written otherwise. */
  let written = new Map<string, string>();
  let listed: Directory[] = [];
  let temporaries: string[] = [];
  let scratch = Buffer.alloc(0);
  /** Directories that removals may have left empty. */
  const emptied = new Set<string>();
  /** Directories with new directories in them, to be flushed with the files. */
  const grown = new Set<string>();
  /** Directories found to be real in this turn of the event loop, or in this group of commits. */
  const guarded = new Set<string>();
  let groups = 0;

  /** Absolute path; a name not in NFC on disk is found through the last scan. */
  function locate(path: string): string {
    if (written.size === 0) return join(root, path);
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const onDisk = written.get(path.slice(0, end));
      if (onDisk !== undefined) return join(root, onDisk + path.slice(end));
    }
    return join(root, path);
  }

  /** @throws PathError when a directory on the way is a link */
  function guard(directory: string): void {
    if (directory.length <= root.length || guarded.has(directory)) return;
    const real = fs.realpathSync.native(directory);
    if (real !== directory) throw new BlockedPathError(`a link on the way, not followed: ${directory.slice(root.length + 1)}`);
    if (guarded.size === 0 && groups === 0) setImmediate(forgetGuarded);
    guarded.add(directory);
  }

  /** @throws PathError when it is reached through a link */
  function isThere(directory: string): boolean {
    try {
      guard(directory);
      return true;
    } catch (error) {
      if (!isAbsent(error)) throw error;
      return false;
    }
  }

  function forgetGuarded(): void {
    if (groups === 0) guarded.clear();
  }

  async function group<T>(work: () => Promise<T>): Promise<T> {
    groups++;
    try {
      return await work();
    } finally {
      groups--;
      forgetGuarded();
    }
  }

  function stat(path: string): FileStat | null {
    const absolute = locate(checkPath(path));
    try {
      const stats = fs.lstatSync(absolute, { throwIfNoEntry: false });
      if (stats === undefined || stats.isDirectory()) return null;
      guard(dirname(absolute));
      return toStat(path, stats);
    } catch (error) {
      if (isAbsent(error)) return null;
      if (error instanceof PathError) return refusal(path, 'link');
      return refusal(path, 'unreadable');
    }
  }

  function read(path: string): Uint8Array | null {
    return readFile(path, (size) => Buffer.allocUnsafeSlow(size));
  }

  function peek(path: string): Uint8Array | null {
    return readFile(path, (size) => {
      if (size > scratch.length) scratch = Buffer.allocUnsafeSlow(Math.min(2 * size, largeBytes));
      return size > scratch.length ? Buffer.allocUnsafeSlow(size) : scratch;
    });
  }

  function readFile(path: string, allocate: (size: number) => Buffer): Uint8Array | null {
    const absolute = locate(checkPath(path));
    const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants;
    let file: number;
    try {
      guard(dirname(absolute));
      // Not blocking: opening a FIFO that was put here after the scan must not hang.
      file = fs.openSync(absolute, O_RDONLY | (O_NONBLOCK ?? 0) | (O_NOFOLLOW ?? 0));
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

  async function scan(directory?: string): Promise<FileStat[]> {
    const under = directory !== undefined && isReal(locate(directory)) ? directory : undefined;
    const from = under === undefined ? undefined : { path: under, onDisk: relative(root, locate(under)) };
    const { files, directories, names, temporaries: seen } = await scanFolder(root, from ? { from } : {});
    const isElsewhere = (path: string) => under !== undefined && path !== under && !path.startsWith(`${under}/`);
    written = new Map([...[...written].filter(([path]) => isElsewhere(path) || path === under), ...names]);
    listed = [...listed.filter(({ path }) => isElsewhere(path)), ...directories];
    if (under === undefined) temporaries = seen;
    return files;
  }

  function walk(file: (stat: FileStat) => Promise<void> | undefined): Promise<void> {
    return walkFolder(root, { file, name: (path, onDisk) => void written.set(path, onDisk) }, { sorted: true });
  }

  async function readLater(path: string): Promise<Uint8Array | null> {
    const found = stat(path);
    if (found === null || found.refused !== undefined || found.size <= largeBytes) return read(path);
    const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = fs.constants;
    const handle = await fs.promises.open(locate(path), O_RDONLY | (O_NONBLOCK ?? 0) | (O_NOFOLLOW ?? 0));
    try {
      return (await handle.stat()).isFile() ? await handle.readFile() : null;
    } finally {
      await handle.close();
    }
  }

  function stage(path: string, bytes: Uint8Array, { isNew, isFlushedLater = false }: StageFileOptions = {}): Promise<Temporary> {
    const target = locate(checkPath(path));
    const before = isNew ? undefined : fs.lstatSync(target, { throwIfNoEntry: false });
    const mode = before?.isFile() && !options.private ? before.mode & 0o777 : fileMode;
    const isExact = before !== undefined || options.private === true;
    return inDirectory(dirname(target), (directory) => disk.stage(directory, bytes, mode, { isExact, isFlushedLater }));
  }

  function take(path: string, fromFile: string): Promise<Temporary> {
    return inDirectory(dirname(locate(checkPath(path))), (directory) => disk.take(directory, fromFile));
  }

  /** Makes the directory if need be and something in it. */
  async function inDirectory<T>(directory: string, make: (directory: string) => Promise<T>): Promise<T> {
    // Twice at most: a neighbour may remove the directory as empty between the two steps.
    for (let attempt = 0; ; attempt++) {
      if (attempt > 0 || !isThere(directory)) {
        guard(nearestExisting(directory));
        for (const above of makeDirectory(directory, directoryMode)) grown.add(above);
      }
      try {
        return await make(directory);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt > 0) throw error;
      }
    }
  }

  /** Asked by hints, which may name anything, at any moment: what cannot be looked at is none. */
  function isDirectory(path: string): boolean {
    try {
      return fs.lstatSync(locate(checkPath(path)), { throwIfNoEntry: false })?.isDirectory() ?? false;
    } catch {
      return false;
    }
  }

  async function unlink(path: string): Promise<void> {
    const absolute = locate(checkPath(path));
    try {
      guard(dirname(absolute));
      await disk.unlink(absolute);
      emptied.add(dirname(absolute));
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
  }

  /** Removes directories that removals have left empty, and their parents. Returns those that remain. */
  async function tidy(): Promise<Set<string>> {
    const remaining = new Set<string>();
    for await (const one of paced([...emptied], 1)) {
      emptied.delete(one);
      let directory = one;
      while (directory.length > root.length && removeIfEmpty(directory)) directory = dirname(directory);
      remaining.add(directory);
    }
    return remaining;
  }

  function nearestExisting(directory: string): string {
    let place = directory;
    while (place.length > root.length && !fs.existsSync(place)) place = dirname(place);
    return place;
  }

  async function flush(paths: Iterable<string>): Promise<void> {
    const places = await tidy();
    for (const path of paths) {
      const directory = dirname(locate(path));
      places.add(directory);
      for (const above of grown) {
        if (!directory.startsWith(`${above}${sep}`)) continue;
        grown.delete(above);
        places.add(above);
      }
    }
    const all = [...places];
    for await (const some of paced(chunksOf(all, atOnce), 1)) {
      await Promise.all(some.map(disk.flushDirectory));
    }
  }

  async function flushFiles(paths: readonly string[]): Promise<void> {
    for (const some of chunksOf(paths, atOnce)) await Promise.all(some.map((path) => disk.flushFile(locate(path))));
    await flush(paths);
  }

  async function write(path: string, bytes: Uint8Array): Promise<void> {
    const { temporary } = await stage(path, bytes);
    try {
      await disk.publish(temporary, locate(path));
    } catch (error) {
      dropTemporary(temporary);
      throw error;
    }
    await flush([path]);
  }

  async function remove(path: string): Promise<void> {
    if (stat(path) === null) return;
    await unlink(path);
    await flush([path]);
  }

  async function readMany(paths: readonly string[]): Promise<Map<string, Uint8Array | null>> {
    const contents = new Map<string, Uint8Array | null>();
    for await (const path of paced(paths)) {
      contents.set(path, read(path));
    }
    return contents;
  }

  async function sweepTemporary(keep: ReadonlySet<string> = new Set()): Promise<number> {
    let swept = 0;
    const stack = fs.existsSync(root) ? [root] : [];
    for (let directory = stack.pop(); directory !== undefined; directory = stack.pop()) {
      for (const item of listQuietly(directory)) {
        const absolute = `${directory}${sep}${item.name}`;
        if (item.isDirectory() && !isPassedOver(item.name, directory === root ? 0 : 1, true)) stack.push(absolute);
        if (!item.isFile() || !item.name.startsWith(temporaryPrefix) || keep.has(absolute) || !isAbandoned(absolute)) continue;
        dropTemporary(absolute);
        swept++;
      }
    }
    return swept;
  }

  /** Keys under `base`, a whole number of segments. */
  async function getKeys(base = ''): Promise<string[]> {
    const stats = fs.existsSync(root) ? await scan() : [];
    return stats
      .filter((file) => file.refused === undefined)
      .map((file) => encodeKey(file.path))
      .filter((key) => key.startsWith(base));
  }

  return {
    name: 'files',
    options,
    root,
    scan,
    walk,
    directories: () => listed,
    abandoned: () => temporaries.filter(isAbandoned),
    stat,
    locate,
    isDirectory,
    read,
    peek,
    readLater,
    readMany,
    write,
    remove,
    stage,
    take,
    publish: (temporary, path, replaced) => disk.publish(temporary, locate(path), replaced),
    unlink,
    group,
    flush,
    flushFiles,
    sweepTemporary,

    hasItem: (key) => isPlain(stat(decodeKey(key))),
    getItem: (key) => toText(read(decodeKey(key))),
    getItemRaw: (key) => read(decodeKey(key)),
    setItem: (key, value) => write(decodeKey(key), Buffer.from(value)),
    setItemRaw: (key, value: string | Uint8Array) =>
      write(decodeKey(key), typeof value === 'string' ? Buffer.from(value) : value),
    removeItem: (key) => remove(decodeKey(key)),
    getMeta(key) {
      const found = stat(decodeKey(key));
      return isPlain(found)
        ? { size: found.size, mtime: new Date(found.mtimeMs), ctime: new Date(found.ctimeMs), ino: found.ino }
        : null;
    },
    getKeys,
    async clear(base) {
      for (const key of await getKeys(base)) await remove(decodeKey(key));
    },
  };
}

/** True for a driver this module made. */
export function isFilesDriver(driver: Driver): driver is FilesDriver {
  return driver.name === 'files' && typeof (driver as Partial<FilesDriver>).scan === 'function';
}

function removeIfEmpty(directory: string): boolean {
  try {
    fs.rmdirSync(directory);
    return true;
  } catch (error) {
    return isAbsent(error);
  }
}

/** The folder's path without links; for one that is not there yet, that of its nearest parent. */
function realRoot(dir: string): string {
  if (fs.existsSync(dir)) return fs.realpathSync.native(dir);
  return join(realRoot(dirname(dir)), basename(dir));
}

/** False for a directory that is reached through a link; one that is not there is none. */
function isReal(directory: string): boolean {
  try {
    return fs.realpathSync.native(directory) === directory;
  } catch (error) {
    return isAbsent(error);
  }
}

function isPlain(stat: FileStat | null): stat is FileStat {
  return stat !== null && stat.refused === undefined;
}

/** Reads to the end: the file may have grown since its size was taken. A regular file gives less than asked for at its end alone. */
function readAll(file: number, into: Buffer): Uint8Array {
  let bytes = into;
  let filled = 0;
  for (;;) {
    filled += fs.readSync(file, bytes, filled, bytes.length - filled, null);
    if (filled < bytes.length) return bytes.subarray(0, filled);
    bytes = Buffer.concat([bytes], bytes.length * 2);
  }
}

function toText(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

function listQuietly(directory: string): fs.Dirent[] {
  try {
    return fs.readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}
