/**
 * The three mounts `content`, `private` and `cache` of one unstorage storage, and what can be done with each.
 *
 * Our own driver is used directly where it can do more than the Driver contract says. Any other unstorage driver works
 * through the contract; what it cannot promise then is said in `capabilities`.
 */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createStorage, type Driver, type Storage } from 'unstorage';
import { createDisk, type Disk, type Temporary } from './durable.ts';
import type { StageFileOptions } from './file-writes.ts';
import { type FilesDriver, filesDriver, isFilesDriver } from './files.ts';
import { paced } from '../scheduler.ts';
import type { Replaced } from './replaced-files.ts';
import { checkPath, decodeKey, encodeKey, isOutOfSight } from './paths.ts';
import type { Directory, FileStat } from './scan.ts';
import { type Documents, ReadOnlyError } from './types.ts';

export type MountName = 'content' | 'private' | 'cache';
export type Drivers = Partial<Record<MountName, Driver>>;

/** What an engine promises. */
export interface Capabilities {
  /** A write that has returned survives a power cut. */
  readonly durable: boolean;
  /** A file is either the old or the new one; changes of several files are finished or undone after a crash. */
  readonly atomic: boolean;
  /** Changes made by others are seen without reading everything again. */
  readonly stats: boolean;
  /** Changes made by others are announced. Otherwise they are seen at the next sweep. */
  readonly watch: boolean;
}

export interface Staged extends Omit<Temporary, 'temporary'> {
  readonly path: string;
  /** Temporary file, or null where the engine has none and the bytes are kept until published. */
  readonly temporary: string | null;
  readonly bytes: Uint8Array;
}

/** The content mount as the stat cache and the commits use it. */
export interface Engine {
  readonly name: string;
  readonly capabilities: Capabilities;
  /** The driver, when it is our own. */
  readonly files: FilesDriver | null;
  /** Tells of each file as it is found. `under`: a directory alone; engines without directories look everywhere. */
  sweep(visit: (stat: FileStat) => void, under?: string): Promise<void>;
  /** As `sweep`; waits for what `visit` returns. */
  walk(visit: (stat: FileStat) => Promise<void> | undefined): Promise<void>;
  directories(): readonly Directory[];
  /** Whether the folder itself is not there: then nothing is known to be gone from it. */
  isAway(): boolean;
  /** `mtimeMs` is NaN where the engine does not know it. */
  stat(path: string): Promise<FileStat | null> | FileStat | null;
  read(path: string): Promise<Uint8Array | null> | Uint8Array | null;
  /** As `read`; what is returned may be written over by the next call. */
  peek(path: string): Promise<Uint8Array | null> | Uint8Array | null;
  stage(path: string, bytes: Uint8Array, options?: StageFileOptions): Promise<Staged>;
  /** As `stage`, for a file that is already written elsewhere. */
  take(path: string, fromFile: string): Promise<Staged>;
  /** @param replaced  what the file held, where it is known; nothing where there was none */
  publish(staged: Staged, replaced?: Replaced): Promise<void>;
  remove(path: string): Promise<void>;
  /** Removes directories that removals have left empty. */
  tidy(): Promise<void>;
  /** Makes published files and removals durable. */
  flush(paths: Iterable<string>): Promise<void>;
  /** The same for files that were staged to be flushed later. */
  flushFiles(paths: readonly string[]): Promise<void>;
  /** The driver's own announcements of changes; undefined where it has none or the folder is watched instead. */
  readonly watch?: Driver['watch'];
}

export interface Mounts {
  readonly storage: Storage;
  readonly content: Engine;
  /** The documents of the mount, as stored. */
  readonly private: Documents;
  readonly cache: Documents;
  dispose(): Promise<void>;
}

/** @param dir  the content folder; drivers that are not given are folders there, written through `disk` */
export function createMounts({
  dir,
  disk = createDisk(),
  drivers = {},
  readOnly = false,
}: {
  dir: string;
  disk?: Disk;
  drivers?: Drivers;
  readOnly?: boolean;
}): Mounts {
  const all: Record<MountName, Driver> = {
    content: drivers.content ?? filesDriver({ dir, within: dir, disk }),
    private: drivers.private ?? filesDriver({ dir: join(dir, '.cms', 'private'), within: dir, private: true, disk }),
    cache: drivers.cache ?? filesDriver({ dir: join(dir, '.cms', 'cache'), within: dir, disk }),
  };
  const storage = createStorage();
  for (const name of ['content', 'private', 'cache'] as const) storage.mount(name, all[name]);
  return {
    storage,
    content: isFilesDriver(all.content) ? filesEngine(all.content) : foreignEngine(storage, all.content),
    private: createDocuments(storage, 'private', readOnly),
    cache: createDocuments(storage, 'cache', readOnly),
    dispose: () => storage.dispose(),
  };
}

/** Named byte documents of a mount. @throws PathError for keys that are not paths; Error for changes when read-only */
export function createDocuments(storage: Storage, mount: MountName, readOnly = false): Documents {
  const keyOf = (path: string) => `${mount}:${encodeKey(checkPath(path))}`;
  const refuse = (path: string) => {
    if (readOnly) throw new ReadOnlyError(`${mount}/${path}`);
  };
  return {
    get: async (path) => toBytes(await storage.getItemRaw<unknown>(keyOf(path))),
    async set(path, bytes) {
      refuse(path);
      await storage.setItemRaw(keyOf(path), bytes);
    },
    async remove(path) {
      refuse(path);
      await storage.removeItem(keyOf(path));
    },
    async keys(prefix = '') {
      const paths = (await storage.getKeys(mount)).map((key) => decodeKey(key.slice(mount.length + 1)));
      return paths.filter((path) => path.startsWith(prefix)).sort();
    },
  };
}

function filesEngine(files: FilesDriver): Engine {
  return {
    name: files.root,
    capabilities: { durable: true, atomic: true, stats: true, watch: true },
    files,
    sweep: files.sweep,
    walk: files.walk,
    directories: files.directories,
    isAway: () => !existsSync(files.root),
    stat: files.stat,
    read: files.read,
    peek: files.peek,
    stage: async (path, bytes, options) => ({ path, bytes, ...(await files.stage(path, bytes, options)) }),
    take: async (path, fromFile) => ({ path, bytes: new Uint8Array(), ...(await files.take(path, fromFile)) }),
    publish: ({ path, temporary }, replaced) => files.publish(temporary as string, path, replaced),
    remove: files.unlink,
    tidy: files.tidy,
    flush: files.flush,
    flushFiles: files.flushFiles,
  };
}

function foreignEngine(storage: Storage, driver: Driver): Engine {
  const keyOf = (path: string) => `content:${encodeKey(checkPath(path))}`;
  const read = async (path: string) => toBytes(await storage.getItemRaw<unknown>(keyOf(path)));

  async function stat(path: string): Promise<FileStat | null> {
    const meta = driver.getMeta === undefined ? null : await driver.getMeta(encodeKey(path), {});
    const mtimeMs = meta?.mtime === undefined ? Number.NaN : Number(meta.mtime);
    if (typeof meta?.size === 'number' && !Number.isNaN(mtimeMs)) {
      return { path, size: meta.size, mtimeMs, ctimeMs: mtimeMs, ino: 0 };
    }
    const bytes = await read(path);
    return bytes === null ? null : { path, size: bytes.length, mtimeMs: Number.NaN, ctimeMs: Number.NaN, ino: 0 };
  }

  const walk: Engine['walk'] = async (visit) => {
    const paths = (await storage.getKeys('content')).map((key) => decodeKey(key.slice('content:'.length)));
    for await (const path of paced(paths.filter((item) => !isOutOfSight(item)))) {
      const found = await stat(path);
      if (found !== null) await visit(found);
    }
  };

  const stage = async (path: string, bytes: Uint8Array): Promise<Staged> => {
    return { path: checkPath(path), bytes, temporary: null, ino: 0, mtimeMs: 0, size: bytes.length, isDated: false };
  };

  return {
    name: driver.name ?? 'storage',
    capabilities: { durable: false, atomic: false, stats: driver.getMeta !== undefined, watch: driver.watch !== undefined },
    files: null,
    isAway: () => false,
    sweep: (visit) => walk(async (found) => visit(found)),
    walk,
    directories: () => [],
    stat,
    read,
    peek: read,
    stage,
    take: async (path, fromFile) => stage(path, await readFile(fromFile)),
    publish: ({ path, bytes }) => storage.setItemRaw(keyOf(path), bytes),
    remove: (path) => storage.removeItem(keyOf(path)),
    tidy: async () => undefined,
    flush: async () => undefined,
    flushFiles: async () => undefined,
    ...(driver.watch === undefined ? {} : { watch: driver.watch }),
  };
}

/** What drivers hand back for raw items: bytes, a Node buffer, an ArrayBuffer, or text. */
function toBytes(value: unknown): Uint8Array | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return Buffer.from(String(value));
}
