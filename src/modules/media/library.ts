/**
 * Media of a site in service: the files under `media/`, what is known of them, and what is derived from them.
 *
 * A media file and its sidecar are one attachment. The sidecar is read like any other file; one that is missing is stood in
 * for until it is written. Facts and derived pictures belong to one state of a file (size and time), live in the cache mount
 * and are made once.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type AttachmentRecord, mediaFolder, originalOf } from './record.ts';
import type { Batch, Blob, Store } from '../../kernel/store/types.ts';
import type { Settings } from '../../kernel/site/settings.ts';
import { type AudioVideo, readAudioVideo } from '../media-files/audio-video.ts';
import { baseName, type Catalogue, type CatalogueOptions, createCatalogue, versionOf } from './media-index.ts';
import { type Layout, layoutOf, originalsOfDerived, sizingOf } from '../media-files/image-sizes.ts';
import { makeSizes, type Picture, PictureError, readPicture, type Source } from '../media-files/image.ts';
import { createWorkQueue } from '../media-files/queue.ts';
import { mimeOf, pictures, servedAs } from '../media-files/types.ts';

declare module '../../kernel/site/site.ts' {
  interface Site {
    /** Files under `media/` and what is derived from them. */
    readonly media: Media;
  }
}

/** What a media file tells of itself. */
interface Facts {
  readonly picture: Picture | null;
  readonly audioVideo: AudioVideo | null;
  /** Derived file → bytes, of those that are made. */
  readonly made: Map<string, number>;
  /** Derived files that could not be made. */
  readonly failed: Set<string>;
}

/** A file to be served under `/uploads/`. */
export interface Served {
  readonly mime: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly etag: string;
  readonly derived: boolean;
  /** Absolute path, or the bytes. */
  readonly content: Source;
}

export interface Media extends Pick<Catalogue, 'bare' | 'pending' | 'wait' | 'waiting' | 'namesIn'> {
  /** A batch as the kind of attachments reads it: a sidecar for every media file, none without one. */
  take(batch: Batch): Batch;
  fileOf(media: Pick<AttachmentRecord, 'path'>): Blob | undefined;
  /** Reads what `facts` and `layout` tell of these attachments. */
  prepare(media: readonly AttachmentRecord[]): Promise<void>;
  facts(media: Pick<AttachmentRecord, 'path'>): Facts | undefined;
  /** Files that stand for a picture; null for what is none. */
  layout(media: Pick<AttachmentRecord, 'path'>): Layout | null;
  /** Makes every derived picture that is missing and has not failed. Never rejects. */
  make(media: Pick<AttachmentRecord, 'path'>): Promise<void>;
  /** As `make`, but also tries those again that failed. */
  remake(media: Pick<AttachmentRecord, 'path'>): Promise<void>;
  /** What is served at a path below `/uploads/`; null for nothing. Derived pictures are made if need be. */
  serve(path: string): Promise<Served | null>;
  /** A place the pixels of a media file can be read from. */
  source(path: string): Promise<Source | null>;
  /** Attachments' files with the same bytes as this one, itself left out. */
  duplicates(media: Pick<AttachmentRecord, 'path'>): Promise<readonly string[]>;
  close(): Promise<void>;
}

interface MediaOptions extends CatalogueOptions {
  readonly store: Store;
  readonly settings: Settings;
  /** Called when what is known of a file has changed. */
  changed(): void;
}

const atOnce = 2;
const headersAtOnce = 8;
/** Of derived pictures in memory, where nothing may be written. */
const memoryBytes = 64 * 1024 * 1024;
const about = 'about.json';

export function createMedia({ store, settings, changed, ...options }: MediaOptions): Media {
  const catalogue = createCatalogue(options);
  const known = new Map<string, Facts>();
  const reading = new Map<string, Promise<Facts>>();
  const making = new Map<string, Promise<void>>();
  const memory = new Map<string, Uint8Array>();
  let memorySize = 0;
  const queue = createWorkQueue(atOnce);
  let isLoaded = false;

  const media: Media = {
    ...catalogue,
    take(given) {
      const { batch, fresh, gone } = catalogue.take(given);
      for (const file of gone) forget(file);
      // What was known of its absence.
      for (const { path } of fresh) known.delete(path);
      for (const { path } of fresh) reading.delete(path);
      // What was there at the start is made when it is asked for.
      if (isLoaded && !store.readOnly) for (const { path } of fresh) void media.make({ path });
      isLoaded = true;
      return batch;
    },
    fileOf: ({ path }) => catalogue.file(originalOf(path)),
    async prepare(list) {
      for (let at = 0; at < list.length; at += headersAtOnce) await Promise.all(list.slice(at, at + headersAtOnce).map(factsOf));
    },
    facts: (one) => known.get(originalOf(one.path)),
    layout(one) {
      const path = originalOf(one.path);
      const picture = known.get(path)?.picture;
      return picture ? layoutOf(baseName(path), picture, sizingOf(settings)) : null;
    },
    async make(one) {
      try {
        const facts = await factsOf(one);
        const layout = media.layout(one);
        if (!layout) return;
        await makeFiles(originalOf(one.path), facts, layout, derivedFiles(layout));
      } catch {
        // Whoever asks for the files meets the reason again.
      }
    },
    async remake(one) {
      media.facts(one)?.failed.clear();
      await media.make(one);
    },
    async serve(path) {
      const original = catalogue.file(mediaFolder + path);
      if (original) return serveOriginal(original);
      const folder = path.slice(0, path.lastIndexOf('/') + 1);
      const name = baseName(path);
      for (const candidate of originalsOfDerived(name)) {
        const found = catalogue.spelled(mediaFolder + folder + candidate);
        const derived = found && (await serveDerived(found, name));
        if (derived) return derived;
      }
      return null;
    },
    source: async (path) => store.locate(path) ?? (await store.readBytes(path)),
    async duplicates(one) {
      const path = originalOf(one.path);
      const size = catalogue.file(path)?.size;
      const alike = [...catalogue.files()].filter(
        (file) => file.size === size && file.path !== path && mimeOf(file.path) !== null,
      );
      if (alike.length === 0 || alike.length > 50) return [];
      const hash = await hashOf(path);
      const hashes = await Promise.all(alike.map((file) => hashOf(file.path)));
      return alike.filter((_, at) => hash !== null && hashes[at] === hash).map((file) => file.path);
    },
    close: () => queue.close(),
  };
  return media;

  /** A file is gone, or is another one now: what was derived from it goes. */
  function forget(file: Blob): void {
    const facts = known.get(file.path);
    known.delete(file.path);
    reading.delete(file.path);
    if (!store.readOnly && pictures.has(mimeOf(file.path) ?? ''))
      void store.faults.background(`${file.path}: removing its sizes`, () => dropDerived(file, facts));
  }

  async function dropDerived(file: Blob, facts: Facts | undefined): Promise<void> {
    const names = facts ? [...facts.made.keys()] : Object.keys((await readAbout(file))?.made ?? {});
    if (names.length > 0) for (const name of [...names, about]) await store.cache.remove(keyOf(file, name));
  }

  async function readAbout(file: Blob): Promise<About | null> {
    const kept = await store.cache.get(keyOf(file, about)).catch(() => null);
    return kept && (JSON.parse(Buffer.from(kept).toString('utf8')) as About);
  }

  function factsOf({ path: sidecar }: Pick<AttachmentRecord, 'path'>): Promise<Facts> {
    const path = originalOf(sidecar);
    const facts = known.get(path);
    if (facts) return Promise.resolve(facts);
    const pending = reading.get(path);
    if (pending !== undefined) return pending;
    const file = catalogue.file(path);
    const task = readFacts(path, file)
      .finally(() => {
        // What failed is tried again the next time.
        if (reading.get(path) === task) reading.delete(path);
      })
      .then((found) => {
        // It may be another file by now.
        if (catalogue.file(path) !== file) return factsOf({ path: sidecar });
        known.set(path, found);
        return found;
      });
    reading.set(path, task);
    return task;
  }

  async function readFacts(path: string, file: Blob | undefined): Promise<Facts> {
    const nothing: Facts = { picture: null, audioVideo: null, made: new Map(), failed: new Set() };
    const mime = mimeOf(path) ?? '';
    const source = file ? await media.source(path) : null;
    if (!file || source === null) return nothing;
    if (/^(?:audio|video)\//.test(mime)) return { ...nothing, audioVideo: await readAudioVideo(source, mime) };
    if (!pictures.has(mime)) return nothing;
    const kept = await readAbout(file);
    if (kept) return { ...nothing, picture: kept.picture, made: new Map(Object.entries(kept.made)) };
    const picture = await readPicture(source).catch((error: unknown) => {
      if (error instanceof PictureError) return null;
      throw error;
    });
    return { ...nothing, picture };
  }

  /** Makes those of the files that are missing; each is under way at most once. */
  async function makeFiles(path: string, facts: Facts, layout: Layout, wanted: readonly DerivedFile[]): Promise<void> {
    const file = catalogue.file(path);
    if (!file) return;
    const missing = wanted.filter(
      (one) => !facts.made.has(one.file) && !facts.failed.has(one.file) && !making.has(keyOf(file, one.file)),
    );
    if (missing.length > 0) {
      const task = queue.run(() => makeNow(file, facts, layout, missing), missing.length === 1 ? 'urgent' : undefined);
      for (const one of missing) making.set(keyOf(file, one.file), task);
      void task
        .catch(() => {})
        .finally(() => {
          for (const one of missing) making.delete(keyOf(file, one.file));
        });
    }
    await Promise.all(wanted.flatMap((one) => making.get(keyOf(file, one.file)) ?? []));
  }

  async function makeNow(file: Blob, facts: Facts, layout: Layout, missing: readonly DerivedFile[]): Promise<void> {
    const source = await media.source(file.path);
    if (source === null) return;
    const { quality } = sizingOf(settings);
    try {
      await makeSizes(source, missing, { format: layout.format, quality }, async (name, bytes) => {
        if (catalogue.file(file.path) !== file) return;
        await keep(keyOf(file, name), bytes);
        facts.made.set(name, bytes.length);
      });
    } catch (error) {
      if (!(error instanceof PictureError)) throw error;
      for (const { file: name } of missing) if (!facts.made.has(name)) facts.failed.add(name);
    }
    changed();
    if (!store.readOnly && catalogue.file(file.path) === file) {
      const text = JSON.stringify({ picture: facts.picture, made: Object.fromEntries(facts.made) });
      await store.faults.background(`${file.path}: noting its sizes`, () =>
        store.cache.set(keyOf(file, about), Buffer.from(text)),
      );
    }
  }

  async function keep(key: string, bytes: Uint8Array): Promise<void> {
    if (!store.readOnly) {
      try {
        return await store.cache.set(key, bytes);
      } catch (error) {
        // Nowhere to keep it: it is shown all the same.
        if (store.faults.report(error) === null) throw error;
      }
    }
    memory.set(key, bytes);
    memorySize += bytes.length;
    for (const [oldest, dropped] of memory) {
      if (memorySize <= memoryBytes) break;
      memory.delete(oldest);
      memorySize -= dropped.length;
    }
  }

  async function serveOriginal(file: Blob): Promise<Served | null> {
    const content = await media.source(file.path);
    if (content === null) return null;
    return {
      mime: servedAs(file.path) as string,
      size: file.size,
      mtimeMs: file.mtimeMs,
      etag: `"${versionOf(file)}"`,
      derived: false,
      content,
    };
  }

  async function serveDerived(file: Blob, name: string): Promise<Served | null> {
    const { path } = file;
    const facts = await factsOf({ path });
    const layout = media.layout({ path });
    const wanted = layout ? derivedFiles(layout).find((one) => one.file === name) : undefined;
    if (!layout || !wanted) return null;
    const key = keyOf(file, name);
    const read = async (): Promise<Uint8Array | null> => memory.get(key) ?? store.cache.get(key);
    let content = await read();
    if (content === null) {
      facts.made.delete(name);
      await makeFiles(path, facts, layout, [wanted]);
      content = await read();
    }
    if (content === null) return null;
    return {
      mime: layout.mime,
      size: content.length,
      mtimeMs: file.mtimeMs,
      etag: `"${versionOf(file)}-${wanted.width}"`,
      derived: true,
      content,
    };
  }

  async function hashOf(path: string): Promise<string | null> {
    const source = await media.source(path);
    if (source === null) return null;
    const hash = createHash('sha256');
    if (typeof source !== 'string') return hash.update(source).digest('hex');
    for await (const chunk of createReadStream(source)) hash.update(chunk as Buffer);
    return hash.digest('hex');
  }
}

/** What is kept of a picture beside its sizes. */
interface About {
  readonly picture: Picture;
  readonly made: Readonly<Record<string, number>>;
}

interface DerivedFile {
  readonly file: string;
  readonly width: number;
  readonly height: number;
  readonly crop: boolean;
}

function derivedFiles({ full, sizes }: Layout): readonly DerivedFile[] {
  const all = [...(full.derived ? [{ ...full, crop: false }] : []), ...sizes];
  // Two sizes of the same pixels are one file.
  return all.filter((one, at) => all.findIndex(({ file }) => file === one.file) === at);
}

function keyOf(file: Blob, name: string): string {
  return `derived/${file.path.slice(mediaFolder.length)}/${versionOf(file)}/${name}`;
}
