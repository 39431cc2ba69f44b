/**
 * A content folder with media in a bucket, as one store: batches have the blobs of both, a commit writes to both.
 *
 * A file in the folder comes before the object of its name, so a folder can be moved to a bucket and back while it is served.
 */
import type { Blob, Documents, Store } from '../../../kernel/store/types.ts';
import { type Bucket, type DerivedName, isKept, originalsOfSize } from './bucket.ts';
import { createCommit } from './layered-commit.ts';
import { createMoves, type Moves } from './moves.ts';
import { createOverlay, type Overlay } from './overlay.ts';

interface LayeredOptions {
  readonly bucket: Bucket;
  /** Identifies the bucket of stored notes. */
  readonly identity: string;
  /** Keeps a file of the folder as a copy of an upload. */
  readonly keepCopy: (file: Blob, from: string) => Promise<void>;
}

/** Used by commands. */
export interface MediaStore {
  readonly bucket: Bucket;
  /** Sidecars' files that exist nowhere, and objects without a sidecar. Of what was loaded or visited. */
  strays(): Strays;
  readonly moves: Moves;
}

interface Strays {
  readonly missing: readonly string[];
  readonly orphans: readonly string[];
}

declare module '../../../kernel/store/types.ts' {
  interface Store {
    /** Absent: all files are in the folder. */
    readonly mediaStore?: MediaStore;
  }
}

export function layeredStore<S extends Store>(inner: S, { bucket, identity, keepCopy }: LayeredOptions): S {
  const overlay = createOverlay(inner, bucket, identity);
  const { sidecars, isHere, blobAt, layered, listeners } = overlay;
  const isInBucket = (path: string): boolean => isKept(path) && !isHere(path);

  return {
    ...inner,
    elsewhere: {
      has: (path) => isInBucket(path) && bucket.at(path) !== undefined,
      namesIn: bucket.namesIn,
      copyOf: async (file) => (isInBucket(file.path) ? bucket.copyOf(file) : null),
    },
    mediaStore: { bucket, strays: () => straysIn(bucket, overlay), moves: createMoves(inner, bucket, overlay) },
    cache: derivedInBucket(inner.cache, bucket, isInBucket, sidecars.names),
    async load(progress) {
      await overlay.list();
      const read = await inner.load(progress);
      overlay.loaded();
      const batch = layered(read);
      if (!inner.readOnly) overlay.follow();
      return batch;
    },
    async visit(take, progress) {
      await overlay.list();
      const problems = await inner.visit((file) => {
        if ('data' in file) sidecars.put(file);
        return take(file);
      }, progress);
      for (const path of [...sidecars.originals()].sort()) {
        const blob = blobAt(path);
        if (blob) await take(blob);
      }
      return problems;
    },
    commit: createCommit({ inner, bucket, overlay, keepCopy }),
    sweep: async () => layered(await inner.sweep()),
    async reread(paths) {
      const own = paths.flatMap((path) => blobAt(path) ?? []);
      const rest = paths.filter((path) => !own.some((blob) => blob.path === path));
      const batch = layered(await inner.reread(rest));
      return { ...batch, blobs: [...batch.blobs, ...own] };
    },
    async watch(listener) {
      listeners.add(listener);
      const stop = await inner.watch((batch) => listener(layered(batch)));
      return async () => {
        listeners.delete(listener);
        await stop();
      };
    },
    async stopWatching() {
      listeners.clear();
      await inner.stopWatching();
    },
    current(batch) {
      const isOwn = ({ path }: Blob): boolean => isInBucket(path);
      const still = batch.blobs.filter(isOwn).filter(({ path, size, mtimeMs }) => {
        const now = blobAt(path);
        return now?.size === size && now.mtimeMs === mtimeMs;
      });
      const rest = inner.current({ ...batch, blobs: batch.blobs.filter((blob) => !isOwn(blob)) });
      return { ...rest, blobs: [...rest.blobs, ...still], removed: rest.removed.filter((path) => !blobAt(path)) };
    },
    knows: (path) => inner.knows(path) || (isKept(path) && bucket.at(path) !== undefined),
    async close() {
      await overlay.close();
      bucket.close();
      await inner.close();
    },
  };
}

function straysIn(bucket: Bucket, { sidecars, isHere }: Overlay): Strays {
  const isNamed = (path: string): boolean => sidecars.names(path) || originalsOfSize(path).some((one) => sidecars.names(one));
  const isNowhere = (path: string): boolean => !isHere(path) && !sidecars.isElsewhere(path) && !bucket.at(path);
  return {
    missing: [...sidecars.originals()].filter(isNowhere).sort(),
    orphans: [...bucket.paths()].filter((path) => !isNamed(path)).sort(),
  };
}

/** Sizes and image facts are stored with the images; other caches stay local. */
function derivedInBucket(
  cache: Documents,
  { derived }: Bucket,
  isInBucket: (path: string) => boolean,
  isOriginal: (path: string) => boolean,
): Documents {
  const madeOf = (key: string): DerivedName | null => {
    const [, upload = '', version = '', name = ''] = /^derived\/(.+)\/([^/]+)\/([^/]+)$/.exec(key) ?? [];
    const path = `media/${upload}`;
    // A size with the name of another original cannot be stored next to it.
    const isTaken = isOriginal(`${path.slice(0, path.lastIndexOf('/') + 1)}${name}`);
    return name === '' || isTaken || !isInBucket(path) ? null : { path, version, name };
  };
  return {
    ...cache,
    async get(key) {
      const made = madeOf(key);
      return made ? derived.read(made) : cache.get(key);
    },
    async set(key, bytes) {
      const made = madeOf(key);
      await (made ? derived.write(made, bytes) : cache.set(key, bytes));
    },
    async remove(key) {
      const made = madeOf(key);
      await (made ? derived.remove(made) : cache.remove(key));
    },
  };
}
