/**
 * Media files of an import: found in local folders (`local-media.ts`), with the source itself, or on the web; put into the spool,
 * checked, and handed over as a change that moves them into place.
 */
import { closeSync, constants, createReadStream, createWriteStream, fstatSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { createWorkQueue } from '../../modules/media/files/queue.ts';
import { mimeOf } from '../../modules/media/files/types.ts';
import { checkFile, UploadRefusal, type UploadRules } from '../../modules/media/library/uploads.ts';
import { FetchError, type Fetcher, type FetchOptions } from '../../http-client/fetch.ts';
import type { Settings } from '../../kernel/site/settings.ts';
import { openInPlace } from '../../kernel/store/file-reads.ts';
import type { Store, TakeFile } from '../../kernel/store/types.ts';
import { type Operator, operatorSettings } from '../../kernel/model/operator.ts';
import { type MediaFile, type Source, SourceError } from './items.ts';
import { findLocally, isAbsent, type LocalFolders, type MissingFile } from './local-media.ts';
import { isUrl } from '../../kernel/model/addresses.ts';
import { isElsewhere } from '../listing.ts';

export interface MediaImportOptions extends Omit<LocalFolders, 'sourceFolder' | 'names'> {
  readonly store: Pick<Store, 'spoolFile' | 'locate' | 'elsewhere'>;
  /** Gives bytes by `fetch`; when its name is a folder, files in it are taken. */
  readonly source?: Pick<Source, 'name' | 'fetch'>;
  /** Addresses are only fetched where there is one. */
  readonly fetcher?: Pick<Fetcher, 'download'>;
  readonly fetching?: Pick<FetchOptions, 'own' | 'headers'>;
  readonly rules?: UploadRules;
  readonly limits?: { readonly maxBytes?: number; readonly atOnce?: number };
  readonly signal?: AbortSignal | undefined;
  /** Waits between two tries; tests need not. */
  readonly pause?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
}

/** `change`: bytes that are checked and in the spool. `present`: they are in place already. `missing`: the reason, for the report. */
export type ObtainedFile =
  | { readonly change: TakeFile; readonly size: number; readonly note?: string }
  | { readonly present: true }
  | MissingFile;

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
/** A host that did not respond this often in a row is not asked any more. */
const patience = 5;
/** What a media import works with. */
interface MediaState extends MediaImportOptions {
  readonly folders: LocalFolders;
  readonly maxBytes: number;
  readonly rules: UploadRules;
  /** Files that nobody has taken yet. */
  readonly spooled: Set<string>;
  /** Host → how often in a row it did not respond. */
  readonly silent: Map<string, number>;
}

type WantedFile = Pick<MediaFile, 'path' | 'url' | 'file'>;

/** Null: the bytes are in `into`; undefined: it knows nothing of them; else why they are not. */
type Finder = (state: MediaState, media: WantedFile, into: string) => Promise<MissingFile | null | undefined>;

const finders: readonly Finder[] = [fromFolders, fromSource, fromWeb];

export function createMediaImport(options: MediaImportOptions): MediaImport {
  const { source, limits = {}, rules = { allowSvg: false, stripLocation: false } } = options;
  const folders: LocalFolders = { ...options, sourceFolder: source?.name, names: undefined };
  const maxBytes = limits.maxBytes ?? usualBytes;
  const state: MediaState = { ...options, folders, maxBytes, rules, spooled: new Set(), silent: new Map() };
  const queue = createWorkQueue(limits.atOnce ?? usualAtOnce);
  return {
    obtain: (media, path) => queue.run(() => obtain(state, media, path)),
    async close() {
      await queue.close();
      for (const file of state.spooled) await rm(file, { force: true });
    },
  };
}

async function obtain(state: MediaState, media: WantedFile, path: string): Promise<ObtainedFile> {
  const { store, signal, spooled, rules } = state;
  signal?.throwIfAborted();
  if (store.locate(path) !== null || store.elsewhere?.has(path)) return { present: true };
  if (mimeOf(path) === null) return { missing: 'unsupported file type' };
  const file = store.spoolFile();
  let last: ObtainedFile = nowhere(media);
  spooled.add(file);
  for (const find of finders) {
    const found = await find(state, media, file);
    if (found === undefined) continue;
    last = found ?? (await checked(file, path, rules));
    if ('change' in last) return last;
    await rm(file, { force: true });
    signal?.throwIfAborted();
  }
  spooled.delete(file);
  return last;
}

async function fromFolders({ folders, maxBytes }: MediaState, media: WantedFile, into: string): ReturnType<Finder> {
  const found = await findLocally(folders, media);
  if (found === null) return undefined;
  if ('missing' in found) return found;
  let file: number;
  try {
    file = openInPlace(found.file);
  } catch (error) {
    if (!isElsewhere(error)) throw error;
    return { missing: `${found.file} is gone, or became a link`, isUnreadable: true };
  }
  if (fstatSync(file).size > maxBytes) {
    closeSync(file);
    return { missing: `${found.file} is larger than ${maxBytes} bytes` };
  }
  const { O_WRONLY, O_CREAT, O_EXCL } = constants;
  const source = createReadStream('', { fd: file, highWaterMark: 1024 * 1024 });
  try {
    await pipeline(source, createWriteStream('', { fd: openInPlace(into, O_WRONLY | O_CREAT | O_EXCL) }));
    return null;
  } finally {
    source.destroy();
  }
}

async function fromSource({ source, maxBytes, signal }: MediaState, media: WantedFile, into: string): ReturnType<Finder> {
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

async function fromWeb(state: MediaState, { url }: WantedFile, into: string): ReturnType<Finder> {
  const { fetcher, fetching, maxBytes, silent, signal, pause = waitFor } = state;
  if (!fetcher || url === undefined || !isUrl(url)) return undefined;
  const { host } = new URL(url);
  for (let round = 1; ; round++) {
    if ((silent.get(host) ?? 0) >= patience)
      return { missing: `${url} was not requested: ${host} does not respond`, isUnreadable: true };
    try {
      await fetcher.download(url, into, { ...fetching, maxBytes, ...(signal ? { signal } : {}) });
      silent.delete(host);
      return null;
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof FetchError)) throw error;
      if (error.status === undefined && !error.refused) silent.set(host, (silent.get(host) ?? 0) + 1);
      else silent.delete(host);
      if (error.refused) return { missing: error.message, hint: `if you trust this host, allow it with CMS_FETCH_ALLOW=${host}` };
      if (round === tries || !isPassing(error)) return { missing: error.message, isUnreadable: true };
      await pause(pauseAfter(error, round), signal);
    }
  }
}

async function checked(file: string, path: string, rules: UploadRules): Promise<ObtainedFile> {
  try {
    const { size } = await stat(file);
    if (size === 0) return { missing: 'the file is empty', isUnreadable: true };
    const other = await checkFile(file, basename(path), rules);
    const change: TakeFile = { path, fromFile: file, expect: null };
    return other === null ? { change, size } : { change, size, note: `its content is ${other}, despite its name` };
  } catch (error) {
    if (!(error instanceof UploadRefusal)) throw error;
    const isSvg = error.kind === 'type' && mimeOf(path) === 'image/svg+xml';
    const hint = `${operatorSettings.allow_svg.env}=1 accepts SVG files, sanitized`;
    return { missing: error.message, ...(isSvg ? { hint } : {}) };
  }
}

/** The report when there was no place to look. */
function nowhere({ url }: Pick<MediaFile, 'url'>): MissingFile {
  return url === undefined
    ? { missing: 'the location of its file is unknown', hint: 'pass a copy of the old uploads with --media' }
    : { missing: `file not downloaded yet: ${url}`, hint: 'cms media fetch downloads it' };
}

/** What the host asks for, as far as that is a minute; else longer every time. */
function pauseAfter({ retryAfter = '' }: FetchError, round: number): number {
  return /^\d{1,2}$/.test(retryAfter) ? Math.min(60, Number(retryAfter)) * 1000 : 1000 * 4 ** (round - 1);
}

/** Whether it may be different a moment later. */
function isPassing({ refused, status }: FetchError): boolean {
  return !refused && (status === undefined || status === 429 || (status >= 500 && status !== 501));
}

async function waitFor(ms: number, signal?: AbortSignal): Promise<void> {
  await pauseFor(ms, undefined, signal ? { signal } : {});
}
