/** Combines folder and bucket: batches of the folder with blobs of the bucket, and changes of the bucket as separate batches. */
import { originalOf } from '../../../kernel/store/paths.ts';
import type { Batch, Blob, Store } from '../../../kernel/store/types.ts';
import { type Bucket, isKept, type BucketNote } from './bucket.ts';
import { createSidecars, type Sidecars } from './sidecars.ts';

export interface Overlay {
  readonly sidecars: Sidecars;
  isHere(path: string): boolean;
  /** The folder has been read completely. */
  loaded(): void;
  /** The blob of an attachment that is only in the bucket. */
  blobAt(path: string): Blob | undefined;
  /** A batch of the folder, with blobs of the bucket for its media. */
  layered(batch: Batch): Batch;
  /** Lists the bucket, once. Where that takes long or cannot be, what is known from last time has to do. */
  list(): Promise<void>;
  /** Follows the bucket from now on. */
  follow(): void;
  /** Writes down what is known of the bucket, for the next start. */
  note(): void;
  readonly listeners: Set<(batch: Batch) => void>;
  close(): Promise<void>;
}

/** The bucket is listed so often, for what others do there. */
const refreshEveryMs = 10 * 60_000;
/** A start that knows the bucket from last time waits so long for it to be listed. */
const startMs = 3000;
const notedKey = 'media-store.json';

/** @param identity  notes of another bucket mean nothing */
export function createOverlay(inner: Store, bucket: Bucket, identity: string): Overlay {
  const sidecars = createSidecars();
  const listeners = new Set<(batch: Batch) => void>();
  let isListed = false;
  let isLoaded = false;
  let timer: NodeJS.Timeout | undefined;
  let noting = Promise.resolve();

  /** What has been loaded is followed; a tool that only goes through the files knows none of them. */
  function isHere(path: string): boolean {
    return isLoaded ? inner.knows(path) : inner.locate(path) !== null;
  }

  function blobAt(path: string): Blob | undefined {
    if (!isKept(path) || isHere(path) || !sidecars.names(path)) return undefined;
    const state = bucket.at(path);
    if (state) return { path, size: state.size, mtimeMs: state.mtimeMs };
    // Nobody could ask: whatever a sidecar names is there.
    return isListed || sidecars.isElsewhere(path) ? undefined : { path, size: 0, mtimeMs: 0 };
  }

  function layered(batch: Batch): Batch {
    const gone = batch.removed.flatMap((path) => sidecars.remove(path));
    for (const entry of batch.entries) sidecars.put(entry);
    const paths = new Set([...batch.entries.map(({ path }) => originalOf(path)), ...batch.removed].filter(isKept));
    const blobs = [...paths].flatMap((path) => blobAt(path) ?? []);
    const there = new Set(blobs.map(({ path }) => path));
    // A file that has been moved to the bucket is there: it is not gone until that has been looked at.
    const asked = new Set([...paths].filter((path) => !there.has(path) && lookLater(path)));
    const removed = [...batch.removed, ...gone.filter((path) => !isHere(path))].filter(
      (path) => !there.has(path) && !asked.has(path),
    );
    return { ...batch, blobs: [...batch.blobs, ...blobs], removed };
  }

  /** A sidecar has come, from a person or another machine: its bytes may be there since the bucket was listed. */
  function lookLater(path: string): boolean {
    const isWanted = sidecars.names(path) && !sidecars.isElsewhere(path) && !isHere(path);
    if (!isWanted || listeners.size === 0) return false;
    void inner.faults.background(`${path}: looking for it in the media store`, async () => {
      await bucket.look(path);
      tell([path]);
    });
    return true;
  }

  function tell(paths: readonly string[]): void {
    const own = paths.filter((path) => isKept(path) && sidecars.names(path) && !isHere(path));
    const blobs = own.flatMap((path) => blobAt(path) ?? []);
    const there = new Set(blobs.map(({ path }) => path));
    const removed = own.filter((path) => !there.has(path));
    if (own.length > 0) for (const listener of listeners) listener({ entries: [], blobs, removed, problems: [] });
  }

  async function refresh(): Promise<void> {
    const wasListed = isListed;
    const changed = await bucket.refresh();
    isListed = true;
    tell(wasListed ? changed : [...sidecars.originals()]);
    note();
  }

  function note(): void {
    if (inner.readOnly) return;
    const keep = (): Promise<void> => inner.cache.set(notedKey, Buffer.from(JSON.stringify({ identity, ...bucket.note() })));
    noting = noting.then(() => inner.faults.background('noting the media store', keep));
  }

  /** @returns whether there is a note of this bucket; a damaged one is none, and the bucket is listed first */
  async function recall(): Promise<boolean> {
    try {
      const bytes = await inner.cache.get(notedKey);
      const last = bytes && (JSON.parse(Buffer.from(bytes).toString('utf8')) as BucketNote & { readonly identity: string });
      if (last?.identity !== identity) return false;
      bucket.recall(last);
      return true;
    } catch {
      return false;
    }
  }

  return {
    sidecars,
    isHere,
    loaded() {
      isLoaded = true;
    },
    blobAt,
    layered,
    note,
    listeners,
    async list() {
      if (isListed) return;
      const isKnown = await recall();
      const listing = refresh().catch((error: unknown) => void inner.faults.report(error));
      const late = new Promise<void>((resolve) => setTimeout(resolve, startMs).unref());
      await (isKnown ? Promise.race([listing, late]) : listing);
      if (isKnown) isListed = true;
    },
    follow() {
      timer ??= setInterval(() => void inner.faults.background('listing the media store', refresh), refreshEveryMs).unref();
    },
    async close() {
      clearInterval(timer);
      listeners.clear();
      note();
      await noting;
    },
  };
}
