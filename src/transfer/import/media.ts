/**
 * Bytes of attachments on their way in: found in the source's folder, in a local copy of the old uploads, with the source
 * itself, or on the web; put into the spool, checked, and handed over as a change that moves them into place.
 *
 * Files of the source are untrusted: what lies outside of the folders that were named is not read, whatever a path or link says.
 */
import { randomBytes } from 'node:crypto';
import { constants, type Dirent } from 'node:fs';
import { copyFile, mkdir, readdir, realpath, rm, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, sep } from 'node:path';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { createWorkQueue } from '../../modules/media-files/queue.ts';
import { mimeOf } from '../../modules/media-files/types.ts';
import { checkFile, UploadRefusal, type UploadRules } from '../../modules/media/uploads.ts';
import { FetchError, type Fetcher, type FetchOptions } from '../../kernel/http-client/fetch.ts';
import type { Settings } from '../../kernel/site/settings.ts';
import { temporaryPrefix } from '../../kernel/store/paths.ts';
import type { Store, TakeFile } from '../../kernel/store/types.ts';
import { type Operator, operatorSettings } from '../../kernel/model/operator.ts';
import { decoded } from '../../kernel/model/slugs.ts';
import { type MediaFile, type Source, SourceError } from './items.ts';

export interface MediaImportOptions {
  readonly store: Pick<Store, 'spool' | 'locate'>;
  /** Gives bytes by `fetch`; when its name is a folder, files in it are taken. */
  readonly source?: Pick<Source, 'name' | 'fetch'>;
  /** A local copy of the old uploads. */
  readonly mediaDir?: string;
  /** Local copies of what was under an address: everything that begins with `prefix`. */
  readonly mirrors?: readonly { readonly prefix: string; readonly dir: string }[];
  /** Addresses are only fetched where there is one. */
  readonly fetcher?: Pick<Fetcher, 'download'>;
  readonly fetching?: Pick<FetchOptions, 'own' | 'headers'>;
  readonly rules?: UploadRules;
  readonly limits?: { readonly maxBytes?: number; readonly atOnce?: number };
  readonly signal?: AbortSignal | undefined;
  /** Waits between two tries; tests need not. */
  readonly pause?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
}

/** `change`: bytes that are checked and in the spool. `present`: they are in place already. `missing`: the reason, for people. */
export type ObtainedFile = { readonly change: TakeFile; readonly note?: string } | { readonly present: true } | MissingFile;

interface MissingFile {
  readonly missing: string;
  /** They were to be had and could not be read. */
  readonly isUnreadable?: true;
  readonly hint?: string;
}

export interface MediaImport {
  /**
   * @param path  of the file below the content folder: `media/2026/03/cat.jpg`
   * @throws what the signal was aborted with; NodeJS.ErrnoException when the spool cannot be written
   */
  obtain(media: Pick<MediaFile, 'path' | 'url' | 'file'>, path: string): Promise<ObtainedFile>;
  /** Waits for what is under way and removes files that nobody took. */
  close(): Promise<void>;
}

/** What the operator and a site's settings say of files that come in. */
export function rulesOf({ allow_svg: allowSvg }: Pick<Operator, 'allow_svg'>, settings: Pick<Settings, 'value'>): UploadRules {
  return { allowSvg, stripLocation: settings.value('strip_location') === true };
}

const usualBytes = 2 * 2 ** 30;
const usualAtOnce = 4;
const tries = 3;
/** A host that has not answered so often in a row is not asked any more. */
const patience = 5;
/** Names in a folder of media that are looked at. */
const maxNames = 1_000_000;

export function createMediaImport(options: MediaImportOptions): MediaImport {
  const { store, source, mediaDir, mirrors = [], fetcher, signal, pause = waitFor } = options;
  const { maxBytes = usualBytes, atOnce = usualAtOnce } = options.limits ?? {};
  const rules = options.rules ?? { allowSvg: false, stripLocation: false };
  const queue = createWorkQueue(atOnce);
  const spooled = new Set<string>();
  const silent = new Map<string, number>();
  let names: Promise<ReadonlyMap<string, readonly string[]>> | undefined;

  return {
    obtain: (media, path) => queue.run(() => obtain(media, path)),
    async close() {
      await queue.close();
      for (const file of spooled) await rm(file, { force: true });
    },
  };

  async function obtain(media: Pick<MediaFile, 'path' | 'url' | 'file'>, path: string): Promise<ObtainedFile> {
    signal?.throwIfAborted();
    if (store.locate(path) !== null) return { present: true };
    if (mimeOf(path) === null) return { missing: 'unsupported file type' };
    await mkdir(store.spool, { recursive: true });
    const file = join(store.spool, `${temporaryPrefix}${process.pid}-${randomBytes(9).toString('base64url')}`);
    let last: ObtainedFile = nowhere(media);
    spooled.add(file);
    for (const find of [() => fromFolders(media, file), () => fromSource(media, file), () => fromWeb(media, file)]) {
      const found = await find();
      if (found === undefined) continue;
      last = found ?? (await checked(file, path));
      if ('change' in last) return last;
      await rm(file, { force: true });
      signal?.throwIfAborted();
    }
    spooled.delete(file);
    return last;
  }

  // Each gives null when the bytes are in `into`, undefined when it knows nothing of them, else why they are not.

  async function fromFolders(
    media: Pick<MediaFile, 'path' | 'url' | 'file'>,
    into: string,
  ): Promise<MissingFile | null | undefined> {
    const found = (await named(media)) ?? (await mirrored(media.url ?? '')) ?? (await inMediaDir(media.path));
    if (found === null) return undefined;
    if ('missing' in found) return found;
    if (found.size > maxBytes) return { missing: `${found.file} is larger than ${maxBytes} bytes` };
    await copyFile(found.file, into, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    return null;
  }

  async function fromSource(
    media: Pick<MediaFile, 'path' | 'url' | 'file'>,
    into: string,
  ): Promise<MissingFile | null | undefined> {
    if (!source?.fetch) return undefined;
    try {
      await source.fetch(media, into);
      const { size } = await stat(into);
      return size > maxBytes ? { missing: `larger than ${maxBytes} bytes` } : null;
    } catch (error) {
      signal?.throwIfAborted();
      const isKnown = error instanceof SourceError || error instanceof FetchError || isAbsent(error);
      if (!isKnown) throw error;
      await rm(into, { force: true });
      return { missing: (error as Error).message, isUnreadable: true };
    }
  }

  async function fromWeb({ url }: Pick<MediaFile, 'url'>, into: string): Promise<MissingFile | null | undefined> {
    if (!fetcher || url === undefined || !URL.canParse(url)) return undefined;
    const { host } = new URL(url);
    for (let round = 1; ; round++) {
      if ((silent.get(host) ?? 0) >= patience)
        return { missing: `${url} was not requested: ${host} does not respond`, isUnreadable: true };
      try {
        await fetcher.download(url, into, { ...options.fetching, maxBytes, ...(signal ? { signal } : {}) });
        silent.delete(host);
        return null;
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof FetchError)) throw error;
        if (error.status === undefined && !error.refused) silent.set(host, (silent.get(host) ?? 0) + 1);
        else silent.delete(host);
        if (error.refused)
          return { missing: error.message, hint: `if you trust this host, allow it with CMS_FETCH_ALLOW=${host}` };
        if (round === tries || !isPassing(error)) return { missing: error.message, isUnreadable: true };
        await pause(1000 * 4 ** (round - 1), signal);
      }
    }
  }

  /** The file the source names, if it lies in the source's folder. */
  async function named({ file }: Pick<MediaFile, 'file'>): Promise<LocalFile | null> {
    if (file === undefined || !source || !isAbsolute(source.name)) return null;
    return within(source.name, file);
  }

  async function mirrored(url: string): Promise<LocalFile | null> {
    for (const { prefix, dir } of mirrors) {
      if (!url.startsWith(prefix)) continue;
      const found = await within(dir, join(dir, decoded(url.slice(prefix.length).replace(/[?#].*$/s, ''))));
      if (found && !('missing' in found)) return found;
    }
    return null;
  }

  /** By its path below the uploads, else by its name where no other file has it. */
  async function inMediaDir(path: string): Promise<LocalFile | null> {
    if (mediaDir === undefined) return null;
    const direct = await within(mediaDir, join(mediaDir, path));
    if (direct && !('missing' in direct)) return direct;
    names ??= namesBelow(mediaDir);
    const alike = (await names).get(basename(path).normalize('NFC')) ?? [];
    const same = alike.filter((file) =>
      file
        .replaceAll(sep, '/')
        .normalize('NFC')
        .endsWith(`/${path.normalize('NFC')}`),
    );
    const [only, ...others] = same.length > 0 ? same : alike;
    if (only === undefined) return null;
    return others.length > 0
      ? { missing: `${mediaDir} contains ${others.length + 1} files named ${basename(path)}` }
      : within(mediaDir, only);
  }

  async function checked(file: string, path: string): Promise<ObtainedFile> {
    try {
      if ((await stat(file)).size === 0) return { missing: 'the file is empty', isUnreadable: true };
      const other = await checkFile(file, basename(path), rules);
      const change: TakeFile = { path, fromFile: file, expect: null };
      return other === null ? { change } : { change, note: `its content is ${other}, despite its name` };
    } catch (error) {
      if (!(error instanceof UploadRefusal)) throw error;
      const isSvg = error.kind === 'type' && mimeOf(path) === 'image/svg+xml';
      return {
        missing: error.message,
        ...(isSvg ? { hint: `${operatorSettings.allow_svg.env}=1 accepts SVG files, sanitized` } : {}),
      };
    }
  }
}

/** What is said when no place has been looked at. */
function nowhere({ url }: Pick<MediaFile, 'url'>): MissingFile {
  return url === undefined
    ? { missing: 'the location of its file is unknown', hint: 'pass a copy of the old uploads with --media' }
    : { missing: `file not downloaded yet: ${url}`, hint: 'cms media fetch downloads it' };
}

/** A regular file that may be read, or why a file that is there may not. */
type LocalFile = { readonly file: string; readonly size: number } | MissingFile;

/** A file below a folder, links followed no further than that. Null when there is none. */
async function within(folder: string, file: string): Promise<LocalFile | null> {
  try {
    const root = await realpath(folder);
    const real = await realpath(file);
    if (!real.startsWith(root.endsWith(sep) ? root : root + sep))
      return { missing: `${file} points outside ${folder}`, isUnreadable: true };
    const found = await stat(real);
    return found.isFile() ? { file: real, size: found.size } : null;
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

/** Whether an error of the system says that there is no such file, or can be none. */
function isAbsent(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'].includes(code);
}

/** Files below a folder by their names, links left out. */
async function namesBelow(folder: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  const folders = [folder];
  for (let at = 0, seen = 0; at < folders.length && seen < maxNames; at++) {
    const here = folders[at] as string;
    for (const entry of await readdir(here, { withFileTypes: true }).catch(() => [] as Dirent[])) {
      seen++;
      if (entry.isDirectory()) folders.push(join(here, entry.name));
      else if (entry.isFile()) {
        const name = entry.name.normalize('NFC');
        const alike = found.get(name);
        if (alike) alike.push(join(here, entry.name));
        else found.set(name, [join(here, entry.name)]);
      }
    }
  }
  return found;
}

/** Whether it may be different a moment later. */
function isPassing({ refused, status }: FetchError): boolean {
  return !refused && (status === undefined || status === 429 || (status >= 500 && status !== 501));
}

async function waitFor(ms: number, signal?: AbortSignal): Promise<void> {
  await pauseFor(ms, undefined, signal ? { signal } : {});
}
