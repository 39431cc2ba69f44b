/**
 * The default engine: a folder of files, to unstorage's Driver contract, durable and atomic where the stock driver is not.
 *
 * Links are never followed, only regular files are opened, nothing outside the folder is reachable. Small calls are
 * synchronous (ten times cheaper than through the thread pool when the pages are warm) and long runs give way to the event
 * loop; only flushing waits on the disk.
 */

import * as fs from 'node:fs';
import { relative, sep } from 'node:path';
import { type Driver, defineDriver } from 'unstorage';
import { createDiskPaths, type DiskPaths } from './disk-paths.ts';
import { createDisk, type Disk, dropTemporary, isAbandoned } from './durable.ts';
import { createFileReads, type FileReads } from './file-reads.ts';
import { createFileWrites, type FileWrites } from './file-writes.ts';
import { decodeKey, encodeKey, isAtOrBelow, isPassedOver, temporaryPrefix } from './paths.ts';
import { type Directory, type FileStat, type Finder, isAbsent, walkFolder } from './scan.ts';

interface FilesOptions {
  /** The folder; made when first written to. */
  readonly dir: string;
  /** The content folder that `dir` is in, or is: it is never made, so that nothing is written in its place while it is away. */
  readonly within?: string | undefined;
  /** Mode 0600 for files and 0700 for folders. */
  readonly private?: boolean;
  /** Of the site the folder belongs to. Default: one of its own. */
  readonly disk?: Disk;
}

export interface FilesDriver
  extends Driver<FilesOptions, undefined>,
    FileListing,
    FileReads,
    FileWrites,
    Pick<DiskPaths, 'root' | 'locate'> {
  remove(path: string): Promise<void>;
}

/** What there is in the folder. */
interface FileListing {
  /**
   * Tells of every file as it is found, links and special files as refused; sorted by nothing, and nothing is kept.
   * @param under  a directory alone, with all that is below it
   * @throws when the folder itself cannot be listed
   */
  sweep(visit: (stat: FileStat) => void, under?: string): Promise<void>;
  /** The same, one after the other and in the same order each time; nothing is kept. */
  walk(visit: (stat: FileStat) => Promise<void> | undefined): Promise<void>;
  /** The directories there are, as the last scans saw them. */
  directories(): readonly Directory[];
  /** Whether the folder itself is not there: then nothing is known to be gone from it. */
  isAway(): boolean;
  /** Temporary files that the last scan of everything saw and no process is left to finish. */
  abandoned(): readonly string[];
  /** Removes temporary files of processes that are gone. Returns how many. */
  sweepTemporary(): Promise<number>;
}

/** The driver over `options.dir`. Keys as `encodeKey` makes them. */
export const filesDriver = defineDriver(createFiles) as typeof createFiles;

function createFiles(options: FilesOptions): FilesDriver {
  const paths = createDiskPaths(options.dir);
  const listing = createListing(paths);
  const reads = createFileReads(paths);
  const writes = createFileWrites(paths, options.disk ?? createDisk(), options.private === true, options.within);
  const { root, locate } = paths;
  const { stat, read } = reads;
  const { write } = writes;

  async function remove(path: string): Promise<void> {
    if (stat(path) === null) return;
    await writes.unlink(path);
    await writes.flush([path]);
  }

  /** Keys under `base`, a whole number of segments. */
  async function getKeys(base = ''): Promise<string[]> {
    const keys: string[] = [];
    if (fs.existsSync(root))
      await listing.sweep(({ path, refused }) => void (refused === undefined && keys.push(encodeKey(path))));
    return keys.filter((key) => key.startsWith(base));
  }

  return {
    name: 'files',
    options,
    root,
    locate,
    ...listing,
    ...reads,
    ...writes,
    remove,

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

function createListing(paths: DiskPaths): FileListing {
  const { root, locate } = paths;
  let listed: Directory[] = [];
  let temporaries: string[] = [];
  return {
    async sweep(visit, directory) {
      const under = directory !== undefined && isReal(locate(directory)) ? directory : undefined;
      const from = under === undefined ? undefined : { path: under, onDisk: relative(root, locate(under)) };
      const directories: Directory[] = [];
      const names = new Map<string, string>();
      const seen: string[] = [];
      const finder: Finder = {
        file: (stat) => void visit(stat),
        directory: (found) => void directories.push(found),
        name: (path, onDisk) => void names.set(path, onDisk),
        temporary: (absolute) => void seen.push(absolute),
      };
      await walkFolder(root, finder, from ? { from } : {});
      const isMeant = isAtOrBelow(under);
      paths.names = new Map([...[...paths.names].filter(([path]) => !isMeant(path) || path === under), ...names]);
      listed = [...listed.filter(({ path }) => !isMeant(path)), ...directories];
      if (under === undefined) temporaries = seen;
    },
    walk: (file) => walkFolder(root, { file, name: (path, onDisk) => void paths.names.set(path, onDisk) }, { sorted: true }),
    directories: () => listed,
    isAway: () => !fs.existsSync(root),
    abandoned: () => temporaries.filter(isAbandoned),
    async sweepTemporary() {
      let swept = 0;
      const stack = fs.existsSync(root) ? [root] : [];
      for (let directory = stack.pop(); directory !== undefined; directory = stack.pop()) {
        for (const item of listQuietly(directory)) {
          const absolute = `${directory}${sep}${item.name}`;
          if (item.isDirectory() && !isPassedOver(item.name, directory === root ? 0 : 1, true)) stack.push(absolute);
          if (!item.isFile() || !item.name.startsWith(temporaryPrefix) || !isAbandoned(absolute)) continue;
          dropTemporary(absolute);
          swept++;
        }
      }
      return swept;
    },
  };
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
