/**
 * Files derived from images: sizes, and the original in another format. Made in the background or on request, each once at a time, in the cache
 * mount, or in memory if nothing can be written.
 */
import type { Blob, Store } from '../../../kernel/store/types.ts';
import type { Layout } from './image-sizes.ts';
import { makeSizes, PictureError } from './image.ts';
import { createWorkQueue } from './queue.ts';
import { cacheKeyOf, type Facts, isStill, sourceOf } from './facts.ts';

interface DerivedFile {
  readonly file: string;
  readonly width: number;
  readonly height: number;
  readonly crop: boolean;
}

interface DerivedFiles {
  /** Makes missing files that have not failed before. */
  make(original: Original, wanted: readonly DerivedFile[]): Promise<void>;
  /** The bytes of an existing one. */
  read(file: Blob, name: string): Promise<Uint8Array | null>;
  close(): Promise<void>;
}

interface Original {
  readonly file: Blob;
  readonly facts: Facts;
  readonly layout: Layout;
}

interface Options {
  readonly store: Store;
  /** Of lossy formats, 1 to 100. */
  quality(): number | undefined;
  /** Whether a file is unchanged at its path. */
  isPresent(file: Blob): boolean;
  /** Called when some were made, or failed. */
  changed(original: Original): Promise<void>;
}

const atOnce = 2;
const maxMemoryBytes = 64 * 1024 * 1024;

export function derivedFilesOf({ full, sizes }: Layout): readonly DerivedFile[] {
  const all = [...(full.derived ? [{ ...full, crop: false }] : []), ...sizes.filter(({ brought }) => !brought)];
  // Two sizes with the same pixels share a file.
  return all.filter((one, at) => all.findIndex(({ file }) => file === one.file) === at);
}

export function createDerivedFiles({ store, quality, isPresent, changed }: Options): DerivedFiles {
  const making = new Map<string, Promise<void>>();
  const memory = createMemory(maxMemoryBytes);
  const queue = createWorkQueue(atOnce);

  return {
    async make(original, wanted) {
      const { file, facts } = original;
      const taskOf = (name: string): Promise<void> | undefined => making.get(cacheKeyOf(file, name));
      const missing = wanted.filter(({ file: name }) => !facts.made.has(name) && !facts.failed.has(name) && !taskOf(name));
      if (missing.length > 0) {
        const task = queue.run(() => makeNow(original, missing), missing.length === 1 ? 'urgent' : undefined);
        for (const one of missing) making.set(cacheKeyOf(file, one.file), task);
        void task
          .catch(() => {})
          .finally(() => {
            for (const one of missing) making.delete(cacheKeyOf(file, one.file));
          });
      }
      await Promise.all(wanted.flatMap((one) => taskOf(one.file) ?? []));
    },
    async read(file, name) {
      const key = cacheKeyOf(file, name);
      return memory.get(key) ?? store.cache.get(key);
    },
    close: () => queue.close(),
  };

  async function makeNow(original: Original, missing: readonly DerivedFile[]): Promise<void> {
    const { file, facts, layout } = original;
    const source = await sourceOf(store, file);
    if (source === null) return;
    try {
      await makeSizes(source, missing, { format: layout.format, quality: quality() }, async (name, bytes) => {
        if (!isPresent(file) || !isStill(store, file, source)) return;
        await save(cacheKeyOf(file, name), bytes);
        facts.made.set(name, bytes.length);
      });
    } catch (error) {
      if (!(error instanceof PictureError)) throw error;
      if (!isStill(store, file, source)) return;
      for (const { file: name } of missing) if (!facts.made.has(name)) facts.failed.add(name);
    }
    await changed(original);
  }

  async function save(key: string, bytes: Uint8Array): Promise<void> {
    if (!store.readOnly) {
      try {
        return await store.cache.set(key, bytes);
      } catch (error) {
        // Served from memory if it cannot be saved.
        if (store.faults.report(error) === null) throw error;
      }
    }
    memory.set(key, bytes);
  }
}

/** Bytes by key; the oldest are evicted. */
function createMemory(maxBytes: number): { get(key: string): Uint8Array | undefined; set(key: string, bytes: Uint8Array): void } {
  const cached = new Map<string, Uint8Array>();
  let size = 0;
  return {
    get: (key) => cached.get(key),
    set(key, bytes) {
      cached.set(key, bytes);
      size += bytes.length;
      for (const [oldest, dropped] of cached) {
        if (size <= maxBytes) break;
        cached.delete(oldest);
        size -= dropped.length;
      }
    },
  };
}
