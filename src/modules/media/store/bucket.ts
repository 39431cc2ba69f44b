/**
 * The library in its bucket: `media/2026/03/cat.jpg` is the object `2026/03/cat.jpg` below the prefix, with its sizes next to it and image facts in
 * `.about/`. An original is named by a sidecar in the folder; other objects are ignored.
 */
import { rm } from 'node:fs/promises';
import { mediaFolder, originalOf } from '../../../kernel/store/paths.ts';
import type { Blob } from '../../../kernel/store/types.ts';
import { versionOf } from '../files/facts.ts';
import { originalsOfDerived } from '../../../kernel/store/paths.ts';
import { mimeOf, servedAs } from '../files/types.ts';
import type { Copies } from './copies.ts';
import { MediaStoreError } from './media-store-error.ts';
import type { ObjectContent, Objects, StoredObject } from './objects.ts';

/** The contents of the bucket: listed, and written since. */
export interface Bucket {
  /** State of a path; undefined if it does not exist. */
  at(path: string): StoredObject | undefined;
  paths(): Iterable<string>;
  /** Names in a folder, in lower case. */
  namesIn(folder: string): ReadonlySet<string>;
  /** Lists everything. @returns changed paths */
  refresh(): Promise<readonly string[]>;
  /** Checks one path. @returns whether it exists */
  look(path: string): Promise<boolean>;
  /** SHA-256 of an object, '' if another program uploaded it; null if there is none. */
  digestOf(path: string): Promise<string | null>;
  /** @throws MediaStoreError */
  put(path: string, content: ObjectContent): Promise<Blob>;
  remove(path: string): Promise<void>;
  copyOf(file: Blob): Promise<string | null>;
  /** Derived files, by their cache name. */
  readonly derived: {
    read(made: DerivedName): Promise<Uint8Array | null>;
    write(made: DerivedName, bytes: Uint8Array): Promise<void>;
    remove(made: DerivedName): Promise<void>;
  };
  /** State and pending removals, for the next start. */
  note(): BucketNote;
  recall(noted: BucketNote): void;
  close(): void;
}

export interface BucketNote {
  readonly objects: Readonly<Record<string, readonly [size: number, mtimeMs: number]>>;
  /** Logically removed, but still there because the store was unreachable. */
  readonly left: readonly string[];
}

export interface DerivedName {
  /** Media file: `media/2026/03/cat.jpg`. */
  readonly path: string;
  readonly version: string;
  readonly name: string;
}

/** Whether the bytes of a path may be in the bucket: attachments only. Fonts and images next to texts stay in the folder. */
export function isKept(path: string): boolean {
  return path.startsWith(mediaFolder) && mimeOf(path) !== null && originalOf(path) === path && !path.includes('/.');
}

/** Types that could run on the bucket's own origin. */
const active = /^(?:image\/svg\+xml|text\/(?:html|css|xml)|application\/(?:ttaf\+xml|java|xml|javascript))$/;
const about = '.about/';

export function createBucket(objects: Objects, copies: Copies): Bucket {
  const known = new Map<string, StoredObject>();
  const folders = new Map<string, Set<string>>();
  const left = new Set<string>();
  /** Written or removed during a listing, which may have either state. */
  const touched = new Set<string>();

  function set(path: string, state: StoredObject | null): void {
    touched.add(path);
    const at = path.lastIndexOf('/');
    const folder = path.slice(0, at);
    const name = path.slice(at + 1).toLowerCase();
    if (state) {
      known.set(path, state);
      folders.set(folder, (folders.get(folder) ?? new Set()).add(name));
    } else {
      known.delete(path);
      folders.get(folder)?.delete(name);
    }
  }

  async function removeObject(key: string): Promise<void> {
    left.add(key);
    await objects.remove(key);
    left.delete(key);
  }

  async function refresh(): Promise<readonly string[]> {
    for (const key of [...left]) {
      await removeObject(key).catch((error: unknown) => {
        // Listing works without the right to remove.
        if (!(error instanceof MediaStoreError && error.reason === 'refused')) throw error;
      });
    }
    touched.clear();
    const found = new Map<string, StoredObject>();
    for await (const { key, size, mtimeMs } of objects.list())
      if (!key.startsWith('.') && isKept(mediaFolder + key)) found.set(mediaFolder + key, { size, mtimeMs });
    const changed = [...found].flatMap(([path, state]) => (isSame(known.get(path), state) || touched.has(path) ? [] : [path]));
    const gone = [...known.keys()].filter((path) => !found.has(path) && !touched.has(path));
    for (const path of changed) set(path, found.get(path) ?? null);
    for (const path of gone) set(path, null);
    return [...changed, ...gone];
  }

  return {
    at: (path) => known.get(path),
    paths: () => known.keys(),
    namesIn: (folder) => folders.get(folder) ?? none,
    refresh,
    async look(path) {
      const state = await objects.head(keyOf(path));
      set(path, state && { size: state.size, mtimeMs: state.mtimeMs });
      return state !== null;
    },
    async digestOf(path) {
      const found = await objects.head(keyOf(path));
      return found && (found.meta.sha256 ?? '');
    },
    async put(path, content) {
      await objects.put(keyOf(path), content, headersOf(path, 'public, max-age=3600'));
      left.delete(keyOf(path));
      // Only the store knows the time.
      const state = await objects.head(keyOf(path));
      if (!state) throw new MediaStoreError('refused', `${path} is not in the media store though it took it`);
      set(path, state);
      return { path, size: state.size, mtimeMs: state.mtimeMs };
    },
    async remove(path) {
      set(path, null);
      await removeObject(keyOf(path));
    },
    copyOf: (file) => copies.bring(`${file.path}/${versionOf(file)}`, (into) => objects.save(keyOf(file.path), into)),
    derived: {
      async read(made) {
        const found = await objects.read(derivedKey(made));
        return found && (made.name === aboutName || found.meta.version === made.version) ? found.bytes : null;
      },
      async write(made, bytes) {
        const key = derivedKey(made);
        await objects.put(key, { bytes }, headersOf(made.name, 'public, max-age=31536000'), { version: made.version });
        if (made.name !== aboutName) set(mediaFolder + key, { size: bytes.length, mtimeMs: 0 });
      },
      async remove(made) {
        const key = derivedKey(made);
        if (made.name !== aboutName) set(mediaFolder + key, null);
        await removeObject(key);
      },
    },
    note: () => ({
      objects: Object.fromEntries([...known].map(([path, { size, mtimeMs }]) => [path, [size, mtimeMs] as const])),
      left: [...left],
    }),
    recall(noted) {
      for (const [path, [size, mtimeMs]] of Object.entries(noted.objects)) set(path, { size, mtimeMs });
      for (const key of noted.left) left.add(key);
    },
    close: objects.close,
  };
}

const aboutName = 'about.json';
const none: ReadonlySet<string> = new Set();

/** Media files of which an object could be a size. */
export function originalsOfSize(path: string): readonly string[] {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return originalsOfDerived(path.slice(folder.length)).map((name) => folder + name);
}

/** Removes a temporary upload file. */
export async function dropSpooled(content: ObjectContent): Promise<void> {
  if ('fromFile' in content) await rm(content.fromFile, { force: true });
}

function keyOf(path: string): string {
  return path.slice(mediaFolder.length);
}

function derivedKey({ path, version, name }: DerivedName): string {
  const key = keyOf(path);
  if (name === aboutName) return `${about}${key}/${version}.json`;
  return key.slice(0, key.lastIndexOf('/') + 1) + name;
}

function headersOf(name: string, cache: string): Readonly<Record<string, string>> {
  const mime = servedAs(name) ?? (name === aboutName ? 'application/json' : 'application/octet-stream');
  return {
    'content-type': mime,
    'cache-control': cache,
    ...(active.test(mime) ? { 'content-disposition': 'attachment' } : {}),
  };
}

function isSame(one: StoredObject | undefined, other: StoredObject): boolean {
  return one !== undefined && one.size === other.size && one.mtimeMs === other.mtimeMs;
}
