/**
 * The media library: the files under `media/`, their facts, and derived files.
 *
 * A media file and its sidecar are one attachment. The sidecar is read like any other file; a placeholder stands in for a missing one until it is
 * written.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { AttachmentRecord } from '../../content/attachments/record.ts';
import { originalOf, originalsAt, originalsOfDerived } from '../../../kernel/store/paths.ts';
import type { Batch, Blob, Store } from '../../../kernel/store/types.ts';
import type { Served } from '../../../kernel/site/serving.ts';
import type { Settings } from '../../../kernel/site/settings.ts';
import { baseName, type Catalogue, type CatalogueOptions, createCatalogue } from './media-index.ts';
import { type Layout, layoutOf, sizingOf } from '../files/image-sizes.ts';
import type { ImageSource } from '../files/image.ts';
import { isOutOfReach } from '../files/elsewhere.ts';
import { mimeOf, pictures, servedAs } from '../files/types.ts';
import { createDerivedFiles, derivedFilesOf } from '../files/derived-files.ts';
import { maxPointerBytes } from '../files/lfs.ts';
import { createFactsReader, type Facts, isStill, readSource, sourceOf, versionOf } from '../files/facts.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly media: Media;
  }
}

interface Media extends Pick<Catalogue, 'clientSizes' | 'bare' | 'pending' | 'wait' | 'waiting' | 'namesIn' | 'sidecarsOf'> {
  /** A batch for the attachment kind: a sidecar for every media file, none without a file. */
  take(batch: Batch): Batch;
  fileOf(media: Pick<AttachmentRecord, 'path'>): Blob | undefined;
  /** Loads what `facts` and `layout` need. */
  prepare(media: readonly AttachmentRecord[]): Promise<void>;
  facts(media: Pick<AttachmentRecord, 'path'>): Facts | undefined;
  /** The files of an image; null for other media. */
  layout(media: Pick<AttachmentRecord, 'path'>): Layout | null;
  /** Makes every missing derived image that has not failed. Never rejects. */
  make(media: Pick<AttachmentRecord, 'path'>): Promise<void>;
  /** Like `make`, but retries failed ones. */
  remake(media: Pick<AttachmentRecord, 'path'>): Promise<void>;
  /** The file at a path below `/uploads/`; null for nothing, and for LFS files that are not fetched. Derived images are made if needed. */
  serve(path: string): Promise<Served | null>;
  /** Gives access to the pixels of a media file. */
  readSource<T>(path: string, work: (source: ImageSource) => Promise<T>): Promise<T | null>;
  /** Other attachments' files with the same bytes. */
  duplicates(media: Pick<AttachmentRecord, 'path'>): Promise<readonly string[]>;
  /** Records that a post refers to a missing file, by its path below the uploads. */
  awaitAt(place: string, reader: number): void;
  /** Posts that refer to a file that now exists. */
  arriveAt(place: string): Iterable<number>;
  close(): Promise<void>;
}

interface MediaOptions extends CatalogueOptions {
  readonly store: Store;
  readonly settings: Settings;
  /** Called when the facts of a file have changed. */
  changed(): void;
}

const headersAtOnce = 8;

export function createMedia({ store, settings, changed, ...options }: MediaOptions): Media {
  const catalogue = createCatalogue(options);
  const facts = createFactsReader(store, catalogue.file);
  const isPresent = (file: Blob): boolean => catalogue.file(file.path) === file;
  const derived = createDerivedFiles({
    store,
    quality: () => sizingOf(settings).quality,
    isPresent,
    async changed(original) {
      changed();
      if (!store.readOnly && isPresent(original.file)) await facts.save(original.file, original.facts);
      // If the file was removed meanwhile, `forget` has missed these.
      if (!store.readOnly && !isPresent(original.file)) await facts.drop(original.file, original.facts);
    },
  });
  /** Path of a missing file below the uploads → posts that refer to it. */
  const awaited = new Map<string, Set<number>>();
  let isLoaded = false;

  const media: Media = {
    ...catalogue,
    take(given) {
      const { batch, fresh, gone } = catalogue.take(given);
      for (const file of gone) forget(file);
      // Forget that they were missing.
      for (const { path } of fresh) facts.forget(path);
      // Files present at start are processed on demand.
      if (isLoaded && !store.readOnly) for (const { path } of fresh) void media.make({ path });
      isLoaded = true;
      return batch;
    },
    fileOf: ({ path }) => catalogue.file(originalOf(path)),
    prepare: (list) => readAll(store, facts.read, list),
    facts: ({ path }) => facts.known(originalOf(path)),
    layout: ({ path }) => layoutAt(originalOf(path)),
    async make({ path: sidecar }) {
      const path = originalOf(sidecar);
      try {
        const original = await originalAt(path);
        if (original) await derived.make(original, derivedFilesOf(original.layout));
      } catch {
        // Requests for the files report the reason again.
      }
    },
    async remake(one) {
      media.facts(one)?.failed.clear();
      await media.make(one);
    },
    async serve(path) {
      const original = originalsAt(path).map(catalogue.file).find(isThere);
      if (original) return serveOriginal(original);
      const brought = await serveBrought(path);
      if (brought) return brought;
      const folder = path.slice(0, path.lastIndexOf('/') + 1);
      const name = baseName(path);
      for (const place of originalsOfDerived(name).flatMap((candidate) => originalsAt(folder + candidate))) {
        const found = catalogue.spelled(place);
        const served = found && (await serveDerived(found, name));
        if (served) return served;
      }
      return null;
    },
    readSource: (path, work) => readSourceIn(store, catalogue.file(path), work),
    namesIn: (folder) => together(catalogue.namesIn(folder), store.elsewhere?.namesIn(folder)),
    duplicates: async ({ path }) => (await unlessOutOfReach(store, duplicatesOf(store, catalogue, originalOf(path)))) ?? [],
    awaitAt(place, reader) {
      const readers = awaited.get(place);
      if (readers) readers.add(reader);
      else awaited.set(place, new Set([reader]));
    },
    arriveAt(place) {
      const readers = awaited.get(place) ?? [];
      awaited.delete(place);
      return readers;
    },
    close: () => derived.close(),
  };
  return media;

  /** Drops derived files of a removed or changed file. */
  function forget(file: Blob): void {
    const known = facts.known(file.path);
    facts.forget(file.path);
    if (!store.readOnly && pictures.has(mimeOf(file.path) ?? ''))
      void store.faults.background(`${file.path}: removing its sizes`, () => facts.drop(file, known));
  }

  function layoutAt(path: string): Layout | null {
    const picture = facts.known(path)?.picture;
    return picture ? layoutOf(baseName(path), picture, sizingOf(settings), catalogue.clientSizes(path)) : null;
  }

  async function originalAt(path: string) {
    const known = await facts.read(path);
    const file = catalogue.file(path);
    const layout = layoutAt(path);
    return file && layout ? { file, facts: known, layout } : null;
  }

  async function serveOriginal(file: Blob): Promise<Served | null> {
    const content = await sourceOf(store, file);
    const { path, size, mtimeMs } = file;
    if (content === null || (size <= maxPointerBytes && (await facts.read(path)).pointer)) return null;
    const state = { size, mtimeMs, etag: `"${versionOf(file)}"`, isStill: isStill.bind(null, store, file, content) };
    return { mime: servedAs(path) as string, ...state, derived: false, content };
  }

  /** A client-side size. */
  async function serveBrought(path: string): Promise<Served | null> {
    const place = catalogue.broughtAt(path);
    const content = place ? await store.readBytes(place.path) : null;
    if (!place || content === null) return null;
    const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
    return { mime: servedAs(path) as string, size: content.length, mtimeMs: place.mtimeMs, etag, derived: false, content };
  }

  async function serveDerived(file: Blob, name: string): Promise<Served | null> {
    const original = await originalAt(file.path);
    const wanted = original && derivedFilesOf(original.layout).find((one) => one.file === name);
    if (!original || !wanted) return null;
    let content = await derived.read(file, name);
    if (content === null) {
      original.facts.made.delete(name);
      await derived.make(original, [wanted]);
      content = await derived.read(file, name);
    }
    if (content === null) return null;
    const etag = `"${versionOf(file)}-${wanted.width}"`;
    return { mime: original.layout.mime, size: content.length, mtimeMs: file.mtimeMs, etag, derived: true, content };
  }
}

/** Nothing for unreachable remote media: only their sidecars are used. */
async function unlessOutOfReach<T>({ faults }: Store, work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    if (!isOutOfReach(error)) throw error;
    faults.report(error);
    return undefined;
  });
}

/** Loads facts of attachments, a few at a time. */
async function readAll(
  store: Store,
  read: (path: string) => Promise<Facts>,
  list: readonly Pick<AttachmentRecord, 'path'>[],
): Promise<void> {
  for (let at = 0; at < list.length; at += headersAtOnce)
    await Promise.all(list.slice(at, at + headersAtOnce).map(({ path }) => unlessOutOfReach(store, read(originalOf(path)))));
}

function together(names: ReadonlySet<string>, others: ReadonlySet<string> | undefined): ReadonlySet<string> {
  return others ? new Set([...names, ...others]) : names;
}

async function readSourceIn<T>(
  store: Store,
  file: Blob | undefined,
  work: (source: ImageSource) => Promise<T>,
): Promise<T | null> {
  return file ? readSource(store, file, work) : null;
}

function isThere(file: Blob | undefined): file is Blob {
  return file !== undefined;
}

async function duplicatesOf(store: Store, catalogue: Catalogue, path: string): Promise<readonly string[]> {
  const size = catalogue.file(path)?.size;
  const alike = [...catalogue.files()].filter((file) => file.size === size && file.path !== path && mimeOf(file.path) !== null);
  if (alike.length === 0 || alike.length > 50) return [];
  const hash = await hashOf(store, catalogue.file(path));
  const hashes = await Promise.all(alike.map((file) => hashOf(store, file)));
  return alike.filter((_, at) => hash !== null && hashes[at] === hash).map((file) => file.path);
}

async function hashOf(store: Store, file: Blob | undefined): Promise<string | null> {
  return readSourceIn(store, file, async (source) => {
    const hash = createHash('sha256');
    if (typeof source !== 'string') return hash.update(source).digest('hex');
    for await (const chunk of createReadStream(source)) hash.update(chunk as Buffer);
    return hash.digest('hex');
  });
}
