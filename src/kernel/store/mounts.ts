/**
 * The three mounts `content`, `private` and `cache` of one unstorage storage, each a folder, and what can be done with each. The driver
 * is used directly where it can do more than unstorage's contract says.
 */

import { join } from 'node:path';
import { createStorage, type Storage } from 'unstorage';
import { createDisk, type Disk } from './durable.ts';
import { type FilesDriver, filesDriver } from './files.ts';
import { checkPath, decodeKey, encodeKey } from './paths.ts';
import type { Directory, FileStat } from './scan.ts';
import { type Documents, ReadOnlyError } from './types.ts';

/** The content as the stat cache and the plans of commits read it. */
export interface Engine {
  /** Tells of each file as it is found. `under`: a directory alone; a node, which has none, looks everywhere. */
  sweep(visit: (stat: FileStat) => void, under?: string): Promise<void>;
  /** As `sweep`; waits for what `visit` returns. */
  walk(visit: (stat: FileStat) => Promise<void> | undefined): Promise<void>;
  directories(): readonly Directory[];
  /** Whether the folder itself is not there: then nothing is known to be gone from it. */
  isAway(): boolean;
  stat(path: string): Promise<FileStat | null> | FileStat | null;
  /** As `stat`, but tells of a directory. */
  lookUp(path: string): Promise<FileStat | null> | FileStat | 'directory' | null;
  read(path: string): Promise<Uint8Array | null> | Uint8Array | null;
  /** As `read`; what is returned may be written over by the next call. */
  peek(path: string): Promise<Uint8Array | null> | Uint8Array | null;
}

export interface Mounts {
  readonly content: FilesDriver;
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
    content,
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
