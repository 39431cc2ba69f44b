/** Facts about media files. They belong to one state of a file (size and time) and are read once; those of images are cached next to their sizes. */
import type { Blob, Store } from '../../../kernel/store/types.ts';
import { type AudioVideo, readAudioVideo } from './audio-video.ts';
import { type LfsPointer, maxPointerBytes, readPointer } from './lfs.ts';
import { type Picture, PictureError, readPicture, type ImageSource } from './image.ts';
import { mimeOf, pictures } from './types.ts';
import { isInPlace } from '../../../kernel/store/file-reads.ts';
import { uploadOf } from '../../../kernel/store/paths.ts';

export interface Facts {
  readonly picture: Picture | null;
  readonly audioVideo: AudioVideo | null;
  /** An LFS pointer in place of the file; null for the file itself. */
  readonly pointer: LfsPointer | null;
  /** Existing derived files → bytes. */
  readonly made: Map<string, number>;
  /** Derived files that failed. */
  readonly failed: Set<string>;
}

interface FactsReader {
  /** Facts that have been read already. */
  known(path: string): Facts | undefined;
  read(path: string): Promise<Facts>;
  forget(path: string): void;
  /** Caches the facts of an image. Never throws. */
  save(file: Blob, facts: Facts): Promise<void>;
  /** Removes derived files from the cache. */
  drop(file: Blob, facts: Facts | undefined): Promise<void>;
}

/** Cached facts of an image. */
interface About {
  readonly picture: Picture;
  readonly made: Readonly<Record<string, number>>;
}

const aboutName = 'about.json';

/** Cache key of a derived file. */
export function cacheKeyOf(file: Blob, name: string): string {
  return `derived/${uploadOf(file.path)}/${versionOf(file)}/${name}`;
}

/** A readable path of a media file. What is read counts if it `isStill` the same path afterwards. */
export async function sourceOf(store: Store, file: Blob): Promise<ImageSource | null> {
  return store.locate(file.path) ?? (await store.elsewhere?.copyOf(file)) ?? (await store.readBytes(file.path));
}

/** False if a link appeared in the path, or the file was removed: what was read, or is `open`, may be another file. */
export function isStill(store: Store, { path }: Pick<Blob, 'path'>, source: ImageSource, open?: number): boolean {
  if (typeof source !== 'string' || store.elsewhere?.has(path) === true) return true;
  return store.locate(path) === source && (open === undefined || isInPlace(open, source));
}

/** The result of `work` on a media file; null if the file is missing or incomplete. */
export async function readSource<T>(store: Store, file: Blob, work: (source: ImageSource) => Promise<T>): Promise<T | null> {
  const source = await sourceOf(store, file);
  if (source === null) return null;
  const made = await work(source);
  return isStill(store, file, source) ? made : null;
}

/** @param fileAt  the current file */
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
        // Retried the next time.
        if (reading.get(path) === task) reading.delete(path);
      })
      .then((found) => {
        // The file may have changed.
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

/** A remote image is downloaded once for its facts, other files are not. */
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

/** Null for anything but a valid image. */
async function pictureIn(source: ImageSource): Promise<Picture | null> {
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

/** The state of a file. */
export function versionOf({ size, mtimeMs }: Blob): string {
  return `${size.toString(36)}-${Math.round(mtimeMs).toString(36)}`;
}
