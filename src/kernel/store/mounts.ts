/**
 * The three mounts `content`, `private` and `cache` of one unstorage storage, each a folder, and what can be done with each. The driver
 * is used directly where it can do more than unstorage's contract says.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createStorage, type Storage } from 'unstorage';
import { createDisk, type Disk, type Temporary } from './durable.ts';
import type { StageFileOptions } from './file-writes.ts';
import { type FilesDriver, filesDriver } from './files.ts';
import type { Replaced } from './replaced-files.ts';
import { checkPath, decodeKey, encodeKey } from './paths.ts';
import type { Directory, FileStat } from './scan.ts';
import { type Documents, ReadOnlyError } from './types.ts';

export interface Staged extends Temporary {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The content as the stat cache and the plans of commits read it. */
export interface Engine {
  readonly name: string;
  /** Tells of each file as it is found. `under`: a directory alone; a node, which has none, looks everywhere. */
  sweep(visit: (stat: FileStat) => void, under?: string): Promise<void>;
  /** As `sweep`; waits for what `visit` returns. */
  walk(visit: (stat: FileStat) => Promise<void> | undefined): Promise<void>;
  directories(): readonly Directory[];
  /** Whether the folder itself is not there: then nothing is known to be gone from it. */
  isAway(): boolean;
  isDirectory(path: string): boolean;
  stat(path: string): Promise<FileStat | null> | FileStat | null;
  read(path: string): Promise<Uint8Array | null> | Uint8Array | null;
  /** As `read`; what is returned may be written over by the next call. */
  peek(path: string): Promise<Uint8Array | null> | Uint8Array | null;
}

/** The content in a folder, and how it is written. */
export interface FolderEngine extends Engine {
  readonly files: FilesDriver;
  stat(path: string): FileStat | null;
  read(path: string): Uint8Array | null;
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
}

export interface Mounts {
  readonly content: FolderEngine;
  /** The folders of the other two. */
  readonly files: Readonly<Record<DocumentMount, FilesDriver>>;
  /** The documents of the mount, as stored. */
  readonly private: Documents;
  readonly cache: Documents;
  dispose(): Promise<void>;
}

/** @param dir  the content folder, written through `disk` */
export function createMounts({
  dir,
  disk = createDisk(),
  readOnly = false,
}: {
  dir: string;
  disk?: Disk;
  readOnly?: boolean;
}): Mounts {
  const content = filesDriver({ dir, within: dir, disk });
  const files = {
    private: filesDriver({ dir: join(dir, '.cms', 'private'), within: dir, private: true, disk }),
    cache: filesDriver({ dir: join(dir, '.cms', 'cache'), within: dir, disk }),
  };
  const storage = createStorage().mount('content', content).mount('private', files.private).mount('cache', files.cache);
  return {
    content: folderEngine(content),
    files,
    private: createDocuments(storage, 'private', readOnly),
    cache: createDocuments(storage, 'cache', readOnly),
    dispose: () => storage.dispose(),
  };
}

type DocumentMount = 'private' | 'cache';

/** Named byte documents of a mount. @throws PathError for keys that are not paths; Error for changes when read-only */
function createDocuments(storage: Storage, mount: DocumentMount, readOnly: boolean): Documents {
  const keyOf = (path: string) => `${mount}:${encodeKey(checkPath(path))}`;
  const refuse = (path: string) => {
    if (readOnly) throw new ReadOnlyError(`${mount}/${path}`);
  };
  return {
    get: async (path) => storage.getItemRaw<Uint8Array>(keyOf(path)),
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

function folderEngine(files: FilesDriver): FolderEngine {
  return {
    name: files.root,
    files,
    sweep: files.sweep,
    walk: files.walk,
    directories: files.directories,
    isAway: () => !existsSync(files.root),
    isDirectory: files.isDirectory,
    stat: files.stat,
    read: files.read,
    peek: files.peek,
    stage: async (path, bytes, options) => ({ path, bytes, ...(await files.stage(path, bytes, options)) }),
    take: async (path, fromFile) => ({ path, bytes: new Uint8Array(), ...(await files.take(path, fromFile)) }),
    publish: ({ path, temporary }, replaced) => files.publish(temporary, path, replaced),
    remove: files.unlink,
    tidy: files.tidy,
    flush: files.flush,
    flushFiles: files.flushFiles,
  };
}
