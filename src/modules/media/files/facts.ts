/**
 * What media files tell of themselves. It belongs to one state of a file (size and time) and is read once; of images it is cached
 * in the cache mount, beside the sizes that were made of them.
 */
import type { Blob, Store } from '../../../kernel/store/types.ts';
import { type AudioVideo, readAudioVideo } from './audio-video.ts';
import { type LfsPointer, maxPointerBytes, readPointer } from './lfs.ts';
import { type Picture, PictureError, readPicture, type Source } from './image.ts';
import { mimeOf, pictures } from './types.ts';
import { isInPlace } from '../../../kernel/store/file-reads.ts';
import { uploadOf } from '../../../kernel/store/paths.ts';

export interface Facts {
  readonly picture: Picture | null;
  readonly audioVideo: AudioVideo | null;
  /** What lies in the file's place; null: its bytes. */
  readonly pointer: LfsPointer | null;
  /** Derived file → bytes, of those that are made. */
  readonly made: Map<string, number>;
  /** Derived files that could not be made. */
  readonly failed: Set<string>;
}

interface FactsReader {
  /** What has been read already. */
  known(path: string): Facts | undefined;
  read(path: string): Promise<Facts>;
  forget(path: string): void;
  /** Caches what is known of an image. Never throws. */
  save(file: Blob, facts: Facts): Promise<void>;
  /** Takes what was derived from a file out of the cache. */
  drop(file: Blob, facts: Facts | undefined): Promise<void>;
}

/** What is cached of an image beside its sizes. */
interface About {
  readonly picture: Picture;
  readonly made: Readonly<Record<string, number>>;
}

const aboutName = 'about.json';

/** Where something derived from a file is cached. */
export function cacheKeyOf(file: Blob, name: string): string {
  return `derived/${uploadOf(file.path)}/${versionOf(file)}/${name}`;
}

/** A place the bytes of a media file can be read from. What is read there counts if it `isStill` the same place afterwards. */
export async function sourceOf(store: Store, file: Blob): Promise<Source | null> {
  return store.locate(file.path) ?? (await store.elsewhere?.copyOf(file)) ?? (await store.readBytes(file.path));
}

/** False when a link came on the way to a file of the folder, or the file went: what was read there, or is `open`, may be another's. */
export function isStill(store: Store, { path }: Pick<Blob, 'path'>, source: Source, open?: number): boolean {
  if (typeof source !== 'string' || store.elsewhere?.has(path) === true) return true;
  return store.locate(path) === source && (open === undefined || isInPlace(open, source));
}

/** What `work` makes of the bytes of a media file; null when they are not there, or not to the end. */
export async function readSource<T>(store: Store, file: Blob, work: (source: Source) => Promise<T>): Promise<T | null> {
  const source = await sourceOf(store, file);
  if (source === null) return null;
  const made = await work(source);
  return isStill(store, file, source) ? made : null;
}

/** @param fileAt  a file as it is now */
export function createFactsReader(store: Store, fileAt: (path: string) => Blob | undefined): FactsReader {
  const known = new Map<string, Facts>();
  const reading = new Map<string, Promise<Facts>>();

  return {
    known: (path) => known.get(path),
    read,
    forget(path) {
      known.delete(path);
      reading.delete(path);
    },
    async save(file, { picture, made }) {
      if (picture) await saveAbout(store, file, { picture, made: Object.fromEntries(made) });
    },
    async drop(file, facts) {
      const names = facts ? [...facts.made.keys()] : Object.keys((await readAbout(store, file))?.made ?? {});
      if (names.length > 0) for (const name of [...names, aboutName]) await store.cache.remove(cacheKeyOf(file, name));
    },
  };

  function read(path: string): Promise<Facts> {
    const facts = known.get(path);
    if (facts) return Promise.resolve(facts);
    const pending = reading.get(path);
    if (pending !== undefined) return pending;
    const file = fileAt(path);
    const task = readFacts(store, path, file)
      .finally(() => {
        // What failed is tried again the next time.
        if (reading.get(path) === task) reading.delete(path);
      })
      .then((found) => {
        // It may be another file by now.
        if (fileAt(path) !== file) return read(path);
        known.set(path, found);
        return found;
      });
    reading.set(path, task);
    return task;
  }
}

async function readFacts(store: Store, path: string, file: Blob | undefined): Promise<Facts> {
  const nothing: Facts = { picture: null, audioVideo: null, pointer: null, made: new Map(), failed: new Set() };
  const mime = mimeOf(path) ?? '';
  if (!file) return nothing;
  if (store.elsewhere?.has(path)) return { ...nothing, ...(await readElsewhere(store, file, mime)) };
  const pointer = file.size > maxPointerBytes ? null : readPointer((await store.readBytes(path)) ?? new Uint8Array());
  if (pointer) return { ...nothing, pointer };
  if (/^(?:audio|video)\//.test(mime))
    return { ...nothing, audioVideo: await readSource(store, file, (source) => readAudioVideo(source, mime)) };
  if (!pictures.has(mime)) return nothing;
  const cached = await readAbout(store, file);
  if (cached) return { ...nothing, picture: cached.picture, made: new Map(Object.entries(cached.made)) };
  return { ...nothing, picture: await readSource(store, file, pictureIn) };
}

/** A picture elsewhere is brought once to be known, a text or an archive never. */
async function readElsewhere(store: Store, file: Blob, mime: string): Promise<Partial<Facts>> {
  const cached = pictures.has(mime) ? await readAbout(store, file) : null;
  if (cached) return { picture: cached.picture, made: new Map(Object.entries(cached.made)) };
  if (!pictures.has(mime) && !/^(?:audio|video)\//.test(mime)) return {};
  const source = await sourceOf(store, file);
  if (source === null) return {};
  if (!pictures.has(mime)) return { audioVideo: await readAudioVideo(source, mime) };
  const picture = await pictureIn(source);
  if (picture && !store.readOnly) await saveAbout(store, file, { picture, made: {} });
  return { picture };
}

/** Null for what is none, or broken. */
async function pictureIn(source: Source): Promise<Picture | null> {
  return readPicture(source).catch((error: unknown) => {
    if (error instanceof PictureError) return null;
    throw error;
  });
}

async function saveAbout(store: Store, file: Blob, about: About): Promise<void> {
  await store.faults.background(`${file.path}: noting its sizes`, () =>
    store.cache.set(cacheKeyOf(file, aboutName), Buffer.from(JSON.stringify(about))),
  );
}

async function readAbout(store: Store, file: Blob): Promise<About | null> {
  const cached = await store.cache.get(cacheKeyOf(file, aboutName)).catch(() => null);
  return cached && (JSON.parse(Buffer.from(cached).toString('utf8')) as About);
}

/** One state of a file. */
export function versionOf({ size, mtimeMs }: Blob): string {
  return `${size.toString(36)}-${Math.round(mtimeMs).toString(36)}`;
}
