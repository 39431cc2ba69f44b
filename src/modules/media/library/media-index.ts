/**
 * The index of media files and sidecars: a batch of the store becomes one sidecar per media file.
 *
 * A file without a sidecar has a placeholder until one is written; a sidecar without its file waits for it, and is an attachment meanwhile if it has
 * a remote URL.
 */
import type { ClientSizes } from '../../content/attachments/record.ts';
import { fetchKey, nameOfMedia } from '../../content/attachments/record.ts';
import { isMedia, originalOf, uploadOf } from '../../../kernel/store/paths.ts';
import { versionOf } from '../files/facts.ts';
import { slugify, uniqueSlug } from '../../../kernel/model/slugs.ts';
import type { Batch, Blob, Entry } from '../../../kernel/store/types.ts';
import { broughtUpload, clientSizesFolder, clientSizesKey, noClientSizes, readClientSizes } from '../files/client-sizes.ts';
import { extensionOf, mimeOf, servedAs } from '../files/types.ts';

interface Taken {
  /** For the attachment kind. */
  readonly batch: Batch;
  /** New or changed files. */
  readonly fresh: readonly Blob[];
  /** Removed files, and previous states of changed ones. */
  readonly gone: readonly Blob[];
}

export interface Catalogue {
  take(batch: Batch): Taken;
  /** Files in a batch without a sidecar. */
  bare(batch: Batch): readonly string[];
  /** The keys of a pending sidecar; undefined if there is one. */
  pending(sidecar: string): Readonly<Record<string, unknown>> | undefined;
  /** Records that a sidecar's target does not exist yet. */
  wait(sidecar: string): void;
  /** Waiting sidecars, to be read again. */
  waiting(): readonly Entry[];
  file(path: string): Blob | undefined;
  files(): Iterable<Blob>;
  /** The file with this path when its extension is lower-cased. */
  spelled(path: string): Blob | undefined;
  /** Lower-case names in a folder, including those that sidecars wait for. */
  namesIn(folder: string): ReadonlySet<string>;
  /** The client-side sizes of a media file. */
  clientSizes(path: string): ClientSizes;
  /** The path of a client-side file, by its path below the uploads. */
  broughtAt(upload: string): { readonly path: string; readonly mtimeMs: number } | undefined;
  /** Sidecars of a media file: one, or one per language. */
  sidecarsOf(path: string): readonly string[];
}

export interface CatalogueOptions {
  /** Site time of a file without a sidecar. */
  readonly dateOf: (path: string, mtimeMs: number) => string;
  isServed(path: string): boolean;
  isSlugTaken(slug: string): boolean;
}

export function createCatalogue({ dateOf, isServed, isSlugTaken }: CatalogueOptions): Catalogue {
  const files = new Map<string, Blob>();
  /** Media file → its sidecars by path, including missing files. */
  const sidecars = new Map<string, Map<string, Entry>>();
  const unwritten = new Map<string, Readonly<Record<string, unknown>>>();
  const late = new Set<string>();
  /** Media file → client-side sizes. */
  const client = new Map<string, ClientSizes>();
  /** Path of a client-side size below the uploads → its media file. */
  const brought = new Map<string, string>();
  const bySpelling = new Map<string, string>();
  const folders = new Map<string, Set<string>>();

  return {
    take(batch) {
      const touched = new Set<string>();
      const fresh: Blob[] = [];
      const gone: Blob[] = [];
      const [entries, own] = split(batch.entries, ({ path }) => isMedia(path) && isSidecar(path));
      const [removed, ownRemoved] = split(batch.removed, isMedia);
      for (const path of ownRemoved) {
        touched.add(originalOf(path));
        if (isSidecar(path)) {
          without(sidecars, path);
          release(originalOf(path));
          removed.push(path);
        } else gone.push(...drop(path));
      }
      for (const blob of batch.blobs) {
        if (servedAs(blob.path) === null || !isServed(blob.path)) continue;
        const before = files.get(blob.path);
        touched.add(blob.path);
        // Unchanged: keep the previous facts.
        if (before && versionOf(before) === versionOf(blob)) continue;
        put(blob);
        fresh.push(blob);
        if (before) gone.push(before);
      }
      for (const entry of own) {
        const original = originalOf(entry.path);
        sidecars.set(original, (sidecars.get(original) ?? new Map()).set(entry.path, entry));
        hold(original);
        unwritten.delete(entry.path);
        touched.add(original);
      }
      const slugs = new Set<string>();
      for (const path of touched) noteBrought(path);
      for (const path of touched) {
        const file = files.get(path);
        const own = [...(sidecars.get(path)?.values() ?? [])];
        if (file && own.length === 0 && mimeOf(path) !== null) entries.push(standIn(file, slugs));
        for (const sidecar of own) {
          if (file || typeof sidecar.data[fetchKey] === 'string') entries.push(sidecar);
          else removed.push(sidecar.path);
        }
        if (!file) {
          if (own.length === 0) removed.push(`${path}.yaml`);
          if (!own.some(({ data }) => typeof data[fetchKey] === 'string')) unwritten.delete(`${path}.yaml`);
        }
      }
      return { batch: { ...batch, entries, removed, blobs: [] }, fresh, gone };
    },
    bare({ blobs, entries }) {
      const written = blobs.length === 0 ? new Set() : new Set(entries.map(({ path }) => path));
      return blobs.flatMap(({ path }) =>
        mimeOf(path) !== null && isServed(path) && !sidecars.has(path) && !written.has(`${path}.yaml`) ? [path] : [],
      );
    },
    pending: (sidecar) => unwritten.get(sidecar),
    wait: (sidecar) => void late.add(sidecar),
    waiting() {
      const entries = [...late].flatMap((path) => sidecars.get(originalOf(path))?.get(path) ?? []);
      late.clear();
      return entries;
    },
    file: (path) => files.get(path),
    files: () => files.values(),
    spelled: (path) => files.get(bySpelling.get(path) ?? ''),
    namesIn: (folder) => folders.get(folder) ?? new Set(),
    clientSizes: (path) => client.get(path) ?? noClientSizes,
    broughtAt(upload) {
      const picture = files.get(brought.get(upload) ?? '');
      return picture && { path: clientSizesFolder + upload, mtimeMs: picture.mtimeMs };
    },
    sidecarsOf: (path) => [...(sidecars.get(path)?.keys() ?? [])],
  };

  /** Reads the client-side sizes in a media file's sidecars, and reserves their names. */
  function noteBrought(path: string): void {
    const before = client.get(path);
    const upload = (file: string): string => broughtUpload(uploadOf(path), file);
    for (const { file } of before?.files ?? []) {
      brought.delete(upload(file));
      // A hand-written sidecar may claim the name of an existing file.
      if (!files.has(`${folderOf(path)}/${file}`)) folders.get(folderOf(path))?.delete(file.toLowerCase());
    }
    client.delete(path);
    for (const { data } of sidecars.get(path)?.values() ?? []) {
      const read = data[clientSizesKey] === undefined ? noClientSizes : readClientSizes(data[clientSizesKey]);
      if (typeof read === 'string' || read === noClientSizes) continue;
      client.set(path, read);
      for (const { file } of read.files) {
        brought.set(upload(file), path);
        hold(`${folderOf(path)}/${file}`);
      }
      return;
    }
  }

  function put(blob: Blob): void {
    files.set(blob.path, blob);
    bySpelling.set(lowerExtension(blob.path), blob.path);
    hold(blob.path);
  }

  function hold(path: string): void {
    const folder = folderOf(path);
    folders.set(folder, (folders.get(folder) ?? new Set()).add(baseName(path).toLowerCase()));
  }

  /** The name is free once neither the file nor its sidecar exists. */
  function release(path: string): void {
    if (!files.has(path) && !sidecars.has(path)) folders.get(folderOf(path))?.delete(baseName(path).toLowerCase());
  }

  function drop(path: string): readonly Blob[] {
    const file = files.get(path);
    if (!file) return [];
    files.delete(path);
    bySpelling.delete(lowerExtension(path));
    release(path);
    return [file];
  }

  /** The placeholder sidecar of a file: dated by the file, with a unique slug. */
  function standIn(file: Blob, slugs: Set<string>): Entry {
    const path = `${file.path}.yaml`;
    const data = unwritten.get(path) ?? firstData(file, path, slugs);
    unwritten.set(path, data);
    return { path, kind: 'yaml', data, body: '', etag: '', size: 0, mtimeMs: file.mtimeMs };
  }

  function firstData(file: Blob, path: string, slugs: Set<string>): Readonly<Record<string, unknown>> {
    const plain = slugify(nameOfMedia(path));
    const slug = uniqueSlug(plain, (wanted) => slugs.has(wanted) || isSlugTaken(wanted));
    slugs.add(slug);
    return { ...(slug === plain ? {} : { slug }), date: dateOf(file.path, file.mtimeMs) };
  }
}

/** Removes a sidecar from those of its file. */
function without(sidecars: Map<string, Map<string, Entry>>, path: string): void {
  const own = sidecars.get(originalOf(path));
  own?.delete(path);
  if (own?.size === 0) sidecars.delete(originalOf(path));
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

function isSidecar(path: string): boolean {
  return /\.ya?ml$/.test(path);
}

function lowerExtension(path: string): string {
  const extension = extensionOf(path);
  return extension === '' ? path : path.slice(0, -extension.length) + extension;
}

function split<T>(items: readonly T[], fits: (item: T) => boolean): [T[], T[]] {
  return [items.filter((item) => !fits(item)), items.filter(fits)];
}
