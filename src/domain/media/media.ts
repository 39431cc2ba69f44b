/**
 * Media of a site in service: the files under `media/`, what is known of them, and what is derived from them.
 *
 * A media file and its sidecar are one attachment. The sidecar is read like any other file; one that is missing is stood in
 * for until it is written. Facts and derived pictures belong to one state of a file (size and time), live in the cache mount
 * and are made once.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type AttachmentRecord, mediaFolder, nameOfMedia, originalOf } from '../../model/attachment.ts';
import { toLocal } from '../../model/dates.ts';
import { slugify, uniqueSlug } from '../../model/slugs.ts';
import type { Batch, Blob, Entry, Store } from '../../store/types.ts';
import type { Settings } from '../settings.ts';
import { type AudioVideo, readAudioVideo } from './audio-video.ts';
import { type Layout, layoutOf, originalsOfDerived, sizingOf } from './layout.ts';
import { makeSizes, type Picture, PictureError, readPicture, type Source } from './pixels.ts';
import { createWorkQueue } from './queue.ts';
import { extensionOf, mimeOf, pictures, servedAs } from './types.ts';

/** What a media file tells of itself. */
export interface Facts {
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

export interface Media {
  /** A batch as the shelf of attachments reads it: a sidecar for every media file, none without one. */
  take(batch: Batch): Batch;
  /** The keys of the sidecar that is still to be written for a media file; undefined when there is one. */
  pending(sidecar: string): Readonly<Record<string, unknown>> | undefined;
  /** Notes that what a sidecar refers to is not there yet. */
  wait(sidecar: string): void;
  /** Sidecars that waited, to be read again. */
  waiting(): readonly Entry[];
  fileOf(media: Pick<AttachmentRecord, 'path'>): Blob | undefined;
  /** Lower-case names of files in a folder below `media/`. */
  namesIn(folder: string): ReadonlySet<string>;
  /** Reads what `facts` and `layout` tell of these attachments. */
  prepare(media: readonly AttachmentRecord[]): Promise<void>;
  facts(media: Pick<AttachmentRecord, 'path'>): Facts | undefined;
  /** Files that stand for a picture; null for what is none. */
  layout(media: Pick<AttachmentRecord, 'path'>): Layout | null;
  /** Makes every derived picture that is missing, and tries those again that failed. Never rejects. */
  make(media: Pick<AttachmentRecord, 'path'>): Promise<void>;
  /** What is served at a path below `/uploads/`; null for nothing. Derived pictures are made if need be. */
  serve(path: string): Promise<Served | null>;
  /** A place the pixels of a media file can be read from. */
  source(path: string): Promise<Source | null>;
  /** Attachments' files with the same bytes as this one, itself left out. */
  twins(media: Pick<AttachmentRecord, 'path'>): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface MediaOptions {
  readonly store: Store;
  readonly settings: Settings;
  readonly zone: () => string;
  /** Whether another post has the slug. */
  isSlugTaken(slug: string): boolean;
  /** Called when what is known of a file has changed. */
  changed(): void;
}

const atOnce = 2;
const headersAtOnce = 8;
/** Of derived pictures in memory, where nothing may be written. */
const memoryBytes = 64 * 1024 * 1024;
const about = 'about.json';

export function createMedia({ store, settings, zone, isSlugTaken, changed }: MediaOptions): Media {
  const files = new Map<string, Blob>();
  /** Media file → its sidecar, also of files that are not there. */
  const sidecars = new Map<string, Entry>();
  /** Path with the extension in lower case → path. */
  const spelled = new Map<string, string>();
  const folders = new Map<string, Set<string>>();
  const known = new Map<string, Facts>();
  const reading = new Map<string, Promise<Facts>>();
  const making = new Map<string, Promise<void>>();
  const memory = new Map<string, Uint8Array>();
  let memorySize = 0;
  const unwritten = new Map<string, Readonly<Record<string, unknown>>>();
  const late = new Set<string>();
  const queue = createWorkQueue(atOnce);
  let isLoaded = false;

  const media: Media = {
    take(batch) {
      const touched = new Set<string>();
      const removed = batch.removed.filter((path) => !path.startsWith(mediaFolder));
      for (const path of batch.removed) {
        if (!path.startsWith(mediaFolder)) continue;
        if (isSidecar(path)) sidecars.delete(originalOf(path));
        else dropFile(path);
        touched.add(isSidecar(path) ? originalOf(path) : path);
        if (isSidecar(path)) removed.push(path);
      }
      for (const blob of batch.blobs) if (putFile(blob)) touched.add(blob.path);
      const entries: Entry[] = [];
      for (const entry of batch.entries) {
        if (!entry.path.startsWith(mediaFolder)) entries.push(entry);
        else if (isSidecar(entry.path)) {
          sidecars.set(originalOf(entry.path), entry);
          unwritten.delete(entry.path);
          touched.add(originalOf(entry.path));
        }
      }
      const slugs = new Set<string>();
      for (const path of touched) {
        const file = files.get(path);
        const sidecar = sidecars.get(path);
        if (file) entries.push(sidecar ?? standIn(file, slugs));
        else {
          removed.push(sidecar?.path ?? `${path}.yaml`);
          unwritten.delete(`${path}.yaml`);
        }
        if (file && isLoaded && !store.readOnly && pictures.has(mimeOf(path) ?? '')) void media.make({ path: `${path}.yaml` });
      }
      isLoaded = true;
      return { ...batch, entries, removed, blobs: [] };
    },
    pending: (sidecar) => unwritten.get(sidecar),
    wait: (sidecar) => void late.add(sidecar),
    waiting() {
      const entries = [...late].flatMap((path) => sidecars.get(originalOf(path)) ?? []);
      late.clear();
      return entries;
    },
    fileOf: ({ path }) => files.get(originalOf(path)),
    namesIn: (folder) => folders.get(folder) ?? new Set(),
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
      const facts = await factsOf(one);
      const layout = media.layout(one);
      if (!layout) return;
      facts.failed.clear();
      await makeFiles(originalOf(one.path), facts, layout, derivedFiles(layout)).catch(() => {});
    },
    async serve(path) {
      const original = files.get(mediaFolder + path);
      if (original) return serveOriginal(original);
      const folder = path.slice(0, path.lastIndexOf('/') + 1);
      const name = baseName(path);
      for (const candidate of originalsOfDerived(name)) {
        const found = spelled.get(mediaFolder + folder + candidate);
        const derived = found === undefined ? null : await serveDerived(found, name);
        if (derived) return derived;
      }
      return null;
    },
    source: async (path) => store.locate(path) ?? (await store.readBytes(path)),
    async twins(one) {
      const path = originalOf(one.path);
      const size = files.get(path)?.size;
      const alike = [...files.values()].filter((file) => file.size === size && file.path !== path && mimeOf(file.path) !== null);
      if (alike.length === 0 || alike.length > 50) return [];
      const hash = await hashOf(path);
      const hashes = await Promise.all(alike.map((file) => hashOf(file.path)));
      return alike.filter((_, at) => hash !== null && hashes[at] === hash).map((file) => file.path);
    },
    close: () => queue.close(),
  };
  return media;

  /** True when the file is an attachment's. */
  function putFile(blob: Blob): boolean {
    if (servedAs(blob.path) === null) return false;
    const before = files.get(blob.path);
    files.set(blob.path, blob);
    spelled.set(lowerExtension(blob.path), blob.path);
    const folder = folderOf(blob.path);
    folders.set(folder, (folders.get(folder) ?? new Set()).add(baseName(blob.path).toLowerCase()));
    if (before && versionOf(before) !== versionOf(blob)) forget(before);
    return mimeOf(blob.path) !== null;
  }

  function dropFile(path: string): void {
    const file = files.get(path);
    if (!file) return;
    files.delete(path);
    spelled.delete(lowerExtension(path));
    folders.get(folderOf(path))?.delete(baseName(path).toLowerCase());
    forget(file);
  }

  /** A file is gone, or is another one now: what was derived from it goes. */
  function forget(file: Blob): void {
    const facts = known.get(file.path);
    known.delete(file.path);
    reading.delete(file.path);
    if (store.readOnly || !facts) return;
    for (const name of [...facts.made.keys(), about]) void store.cache.remove(keyOf(file, name)).catch(() => {});
  }

  /** The sidecar of a file that has none yet: dated by the file, with a slug nobody else has. */
  function standIn(file: Blob, slugs: Set<string>): Entry {
    const path = `${file.path}.yaml`;
    const plain = slugify(nameOfMedia(path));
    const before = unwritten.get(path);
    const slug = before ? undefined : uniqueSlug(plain, (wanted) => slugs.has(wanted) || isSlugTaken(wanted));
    if (slug !== undefined) slugs.add(slug);
    const date = toLocal(new Date(file.mtimeMs).toISOString().slice(0, 19), zone());
    const data = before ?? { ...(slug === plain ? {} : { slug }), date };
    unwritten.set(path, data);
    return { path, kind: 'yaml', data, body: '', etag: '', size: 0, mtimeMs: file.mtimeMs };
  }

  function factsOf({ path: sidecar }: Pick<AttachmentRecord, 'path'>): Promise<Facts> {
    const path = originalOf(sidecar);
    const facts = known.get(path);
    if (facts) return Promise.resolve(facts);
    const pending = reading.get(path);
    if (pending) return pending;
    const file = files.get(path);
    const task = readFacts(path, file).then((found) => {
      // Unless the file has changed meanwhile.
      if (files.get(path) === file) known.set(path, found);
      if (reading.get(path) === task) reading.delete(path);
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
    const kept = await store.cache.get(keyOf(file, about)).catch(() => null);
    if (kept) {
      const { picture, made } = JSON.parse(Buffer.from(kept).toString('utf8')) as { picture: Picture; made: Record<string, number> };
      return { ...nothing, picture, made: new Map(Object.entries(made)) };
    }
    const picture = await readPicture(source).catch((error: unknown) => {
      if (error instanceof PictureError) return null;
      throw error;
    });
    return { ...nothing, picture };
  }

  /** Makes those of the files that are missing; each is under way at most once. */
  async function makeFiles(path: string, facts: Facts, layout: Layout, wanted: readonly DerivedFile[]): Promise<void> {
    const file = files.get(path);
    if (!file) return;
    const missing = wanted.filter((one) => !facts.made.has(one.file) && !facts.failed.has(one.file) && !making.has(keyOf(file, one.file)));
    if (missing.length > 0) {
      const task = queue.run(() => makeNow(file, facts, layout, missing), missing.length === 1 ? 'urgent' : undefined);
      for (const one of missing) making.set(keyOf(file, one.file), task);
      void task.catch(() => {}).finally(() => {
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
        if (files.get(file.path) !== file) return;
        await keep(keyOf(file, name), bytes);
        facts.made.set(name, bytes.length);
      });
    } catch (error) {
      if (!(error instanceof PictureError)) throw error;
      for (const { file: name } of missing) if (!facts.made.has(name)) facts.failed.add(name);
    }
    changed();
    if (!store.readOnly && files.get(file.path) === file) {
      const text = JSON.stringify({ picture: facts.picture, made: Object.fromEntries(facts.made) });
      await store.cache.set(keyOf(file, about), Buffer.from(text));
    }
  }

  async function keep(key: string, bytes: Uint8Array): Promise<void> {
    if (!store.readOnly) return store.cache.set(key, bytes);
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
    return { mime: servedAs(file.path) as string, size: file.size, mtimeMs: file.mtimeMs, etag: `"${versionOf(file)}"`, derived: false, content };
  }

  async function serveDerived(path: string, name: string): Promise<Served | null> {
    const file = files.get(path);
    const facts = await factsOf({ path });
    const layout = media.layout({ path });
    const wanted = layout ? derivedFiles(layout).find((one) => one.file === name) : undefined;
    if (!file || !layout || !wanted) return null;
    const key = keyOf(file, name);
    const read = async (): Promise<Uint8Array | null> => memory.get(key) ?? store.cache.get(key);
    let content = await read();
    if (content === null) {
      facts.made.delete(name);
      await makeFiles(path, facts, layout, [wanted]);
      content = await read();
    }
    if (content === null) return null;
    return { mime: layout.mime, size: content.length, mtimeMs: file.mtimeMs, etag: `"${versionOf(file)}-${wanted.width}"`, derived: true, content };
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

function isSidecar(path: string): boolean {
  return /\.ya?ml$/.test(path);
}

/** One state of a file. */
function versionOf({ size, mtimeMs }: Blob): string {
  return `${size.toString(36)}-${Math.round(mtimeMs).toString(36)}`;
}

function keyOf(file: Blob, name: string): string {
  return `derived/${file.path.slice(mediaFolder.length)}/${versionOf(file)}/${name}`;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

function lowerExtension(path: string): string {
  const extension = extensionOf(path);
  return extension === '' ? path : path.slice(0, -extension.length) + extension;
}
