/**
 * Pictures that were made on demand: in the cache mount, the least recently used removed when there are too many bytes of them. Names tell
 * how long they are, so that a start reads names and no pictures.
 */
import type { Store } from '../../../kernel/store/types.ts';

interface PictureCache {
  get(name: string): Promise<Uint8Array | null>;
  /** Never rejects for want of a disk. @param maxBytes  of all of them */
  set(name: string, bytes: Uint8Array, maxBytes: number): Promise<void>;
}

const folder = 'transformed/';
/** Where nothing can be written. */
const memoryBytes = 64 * 1024 * 1024;
const maxEntries = 50_000;
const relistMs = 1000;

interface Kept {
  readonly key: string;
  readonly bytes: number;
  /** What could not be written. */
  readonly held?: Uint8Array;
}

export function createPictureCache(store: Store): PictureCache {
  /** In the order they were used in. */
  const kept = new Map<string, Kept>();
  let total = 0;
  let listing: Promise<void> | null = null;
  let listedAt = 0;

  return {
    async get(name) {
      const found = await find(name);
      if (!found) return null;
      const bytes = found.held ?? (await store.cache.get(found.key));
      drop(name);
      if (bytes !== null) keep(name, found);
      return bytes;
    },
    async set(name, bytes, maxBytes) {
      const key = `${folder}${name}-${bytes.length}`;
      const isSaved = !store.readOnly && (await saved(key, bytes));
      drop(name);
      keep(name, { key, bytes: bytes.length, ...(isSaved ? {} : { held: bytes }) });
      for (const [oldest, { key: gone, held }] of kept) {
        if (total <= (isSaved ? maxBytes : memoryBytes) && kept.size <= maxEntries) break;
        drop(oldest);
        if (held === undefined && !store.readOnly)
          await store.faults.background('removing a picture from the cache', () => store.cache.remove(gone));
      }
    },
  };

  async function find(name: string): Promise<Kept | undefined> {
    // What another process has made since is on the disk alone.
    if ((store.readOnly || store.shared) && performance.now() - listedAt > relistMs) listing = null;
    if (kept.has(name)) return kept.get(name);
    listing ??= list();
    await listing;
    return kept.get(name);
  }

  async function list(): Promise<void> {
    listedAt = performance.now();
    try {
      for (const key of await store.cache.keys(folder)) {
        const [, name, bytes] = /^transformed\/(.+)-(\d+)$/.exec(key) ?? [];
        if (name !== undefined && !kept.has(name)) keep(name, { key, bytes: Number(bytes) });
      }
    } catch (error) {
      // The next one looks again.
      listing = null;
      throw error;
    }
  }

  async function saved(key: string, bytes: Uint8Array): Promise<boolean> {
    try {
      await store.cache.set(key, bytes);
      return true;
    } catch (error) {
      if (store.faults.report(error) === null) throw error;
      return false;
    }
  }

  function keep(name: string, one: Kept): void {
    kept.set(name, one);
    total += one.bytes;
  }

  function drop(name: string): void {
    total -= kept.get(name)?.bytes ?? 0;
    kept.delete(name);
  }
}
