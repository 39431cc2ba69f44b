/**
 * Files of languages that programs bring: `lang/languages/<plugin|theme|other>/<component>/<domain>-<locale>.mo`, `.po` or `.json`. What
 * was imported of them answers look-ups where the site has no translation of its own, and never takes the place of one.
 *
 * `lang/language-files.yaml` says which are imported, by the digest of their bytes: a file that has changed is pending again.
 *
 * Source: reference on languages, 9.1 and 13.6.
 */
import { createHash } from 'node:crypto';
import { mapOf } from '../../../kernel/model/maps.ts';
import { paced } from '../../../kernel/scheduler.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { Batch, Problem } from '../../../kernel/store/types.ts';
import { filesBelow } from '../../languages/config/index.ts';
import { type FileFormat, LanguageFileError, maxFileBytes, type GettextMessage, readMessages } from './gettext.ts';

const componentTypes = ['plugin', 'theme', 'other'] as const;
type ComponentType = (typeof componentTypes)[number];

interface LanguageFile {
  readonly path: string;
  readonly type: ComponentType;
  readonly component: string;
  readonly domain: string;
  readonly locale: string;
  /** Of the site. */
  readonly code: string;
  readonly format: FileFormat;
  readonly size: number;
}

/** Which components an import is about, by type; null: all. */
type Selection = Readonly<Record<ComponentType, readonly string[]>> | null;

interface ImportResult {
  /** Selected files that were pending before, and after. */
  readonly total: number;
  readonly remaining: number;
}

export interface LanguageFiles {
  /** Imports pending files, for a while; the caller asks again while something remains. */
  import(selection: Selection, limits?: { readonly ms: number; readonly messages: number }): Promise<ImportResult>;
  /** What an imported file has for a text; null: nothing. */
  lookUp(domain: string, code: string, original: string, context?: string): readonly string[] | null;
  /** Everything that imported files have. */
  messages(domain: string, code: string): ReadonlyMap<string, GettextMessage>;
  /** Domains of imported files. */
  domains(): readonly string[];
  /** Reads the imported files, as the list in memory says. */
  load(): Promise<void>;
  /** The list, as a batch has it. @returns whether imported files have to be read again */
  take(batch: Pick<Batch, 'entries' | 'removed'>): boolean;
  problems(): readonly Problem[];
}

const folder = 'lang/languages';
const listPath = 'lang/language-files.yaml';
const pattern = /^lang\/languages\/(plugin|theme|other)\/([^/]+)\/([^/]+)\.(mo|po|json)$/;
const importLimits = { ms: 10_000, messages: 20_000 };

type ImportStatus = 'imported' | 'skipped' | 'error';

/** What the list says of a file. */
interface Noted {
  readonly status: ImportStatus;
  readonly digest: string;
  readonly strings: number;
  readonly message: string;
}

export const messageKey = (original: string, context = ''): string => `${context}\u0004${original}`;

export function createLanguageFiles(
  site: Pick<Site, 'store' | 'languages' | 'write' | 'clock' | 'records'>,
  changed: () => void = () => undefined,
): LanguageFiles {
  const files = new Map<string, { readonly size: number }>();
  const read = new Map<string, readonly GettextMessage[]>();
  let noted: ReadonlyMap<string, Noted> = new Map();
  let etag: string | null = null;
  /** The list as this process wrote it last. */
  let written = '';
  /** Imports and loads come one after the other. */
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = queue.then(work, work);
    queue = next.catch(() => undefined);
    return next;
  };
  let slots = new Map<string, Map<string, GettextMessage>>();

  const known = (): readonly LanguageFile[] =>
    [...files].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([path, { size }]) => fileOf(path, size, site) ?? []);

  /** Looks for files, which nothing tells of. */
  async function look(): Promise<void> {
    files.clear();
    for (const { path, size } of await filesBelow(site.store, folder)) if (pattern.test(path)) files.set(path, { size });
  }

  /** @returns whether the list is in the batch */
  function takeList({ entries, removed }: Pick<Batch, 'entries' | 'removed'>): boolean {
    const list = entries.find(({ path }) => path === listPath);
    if (list === undefined && !removed.includes(listPath)) return false;
    etag = list?.etag ?? null;
    noted = new Map(Object.entries(mapOf(list?.data.files)).map(([path, row]) => [path, notedIn(mapOf(row))]));
    return textOf(noted) !== written;
  }

  async function refreshAll(): Promise<void> {
    await look();
    read.clear();
    for await (const file of paced(known(), 1)) await refresh(file);
    rebuild();
  }

  /** The messages of a file that is imported as it is. */
  async function refresh({ path, format }: LanguageFile): Promise<void> {
    const said = noted.get(path);
    if (said?.status !== 'imported') return;
    const bytes = await site.store.readBytes(path);
    if (bytes === null || digestOf(bytes) !== said.digest) return;
    try {
      read.set(path, readMessages(format, bytes));
    } catch (error) {
      if (!(error instanceof LanguageFileError)) throw error;
    }
  }

  function rebuild(): void {
    slots = slotsOf(known(), read);
    changed();
  }

  async function save(found: ReadonlyMap<string, Noted>): Promise<void> {
    await site.write(() => {
      const present = [...noted].filter(([path, { status }]) => files.has(path) && status !== 'skipped');
      const rows = new Map([...present, ...found]);
      const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1));
      const data = { files: Object.fromEntries(sorted.map(([path, row]) => [path, rowOf(row)])) };
      const isSame = textOf(noted) === textOf(rows);
      written = textOf(rows);
      return { changes: isSame ? [] : [{ path: listPath, expect: etag, data, order: ['files'] }], result: null };
    });
  }

  async function importPending(selection: Selection, { ms, messages }: typeof importLimits): Promise<ImportResult> {
    const end = performance.now() + ms;
    await look();
    const found = new Map<string, Noted>();
    let [total, done, count] = [0, 0, 0];
    for await (const file of paced(known(), 1)) {
      const isSelected = selection === null || selection[file.type].includes(file.component);
      if (!isSelected) {
        if (!noted.has(file.path)) found.set(file.path, { status: 'skipped', digest: '', strings: 0, message: '' });
        continue;
      }
      if (!(await isPending(site, file, noted.get(file.path)))) continue;
      total++;
      // At least one file, so that repeated calls end.
      if (done > 0 && (count >= messages || performance.now() > end)) continue;
      const one = await importOne(site, file, read);
      found.set(file.path, one);
      count += one.strings;
      done++;
    }
    await save(found);
    rebuild();
    return { total, remaining: total - done };
  }

  return {
    import: (selection, limits = importLimits) => inTurn(() => importPending(selection, limits)),
    lookUp: (domain, code, original, context) =>
      slots.get(`${code} ${domain}`)?.get(messageKey(original, context))?.values ?? null,
    messages: (domain, code) => slots.get(`${code} ${domain}`) ?? new Map(),
    domains: () => [...new Set([...slots.keys()].map((key) => key.slice(key.indexOf(' ') + 1)))].sort(),
    load: () => inTurn(refreshAll),
    take: takeList,
    problems: () =>
      [...noted].flatMap(([path, { status, message }]): readonly Problem[] =>
        status === 'error' && files.has(path)
          ? [{ path, line: 1, column: 1, severity: 'warning', rule: 'language-file', message }]
          : [],
      ),
  };
}

/** @param said  what the list says of the file */
async function isPending(
  { store }: Pick<Site, 'store'>,
  { path, size }: LanguageFile,
  said: Noted | undefined,
): Promise<boolean> {
  if (said === undefined || said.status === 'skipped') return true;
  if (size > maxFileBytes) return said.status !== 'error';
  const bytes = await store.readBytes(path);
  return bytes !== null && digestOf(bytes) !== said.digest;
}

/** @param read  gets the messages, where there are some */
async function importOne(
  { store }: Pick<Site, 'store'>,
  { path, format, size }: LanguageFile,
  read: Map<string, readonly GettextMessage[]>,
): Promise<Noted> {
  const bytes = size > maxFileBytes ? null : await store.readBytes(path);
  const digest = bytes === null ? '' : digestOf(bytes);
  try {
    if (bytes === null) throw new LanguageFileError(`it is larger than ${maxFileBytes / 1024 / 1024} MB`);
    const messages = bytes.length === 0 ? [] : readMessages(format, bytes);
    read.set(path, messages);
    return { status: 'imported', digest, strings: messages.length, message: '' };
  } catch (error) {
    if (!(error instanceof LanguageFileError)) throw error;
    read.delete(path);
    return { status: 'error', digest, strings: 0, message: error.message };
  }
}

/** Language and domain → what the files have, later ones over those before. */
function slotsOf(
  files: readonly LanguageFile[],
  read: ReadonlyMap<string, readonly GettextMessage[]>,
): Map<string, Map<string, GettextMessage>> {
  const slots = new Map<string, Map<string, GettextMessage>>();
  for (const { path, domain, code } of files) {
    const messages = read.get(path);
    if (messages === undefined) continue;
    const key = `${code} ${domain}`;
    const slot = slots.get(key) ?? new Map<string, GettextMessage>();
    slots.set(key, slot);
    for (const message of messages) if (!message.isFuzzy) slot.set(messageKey(message.original, message.context), message);
  }
  return slots;
}

/** Null: of a language that the site does not have. */
function fileOf(path: string, size: number, { languages }: Pick<Site, 'languages'>): LanguageFile | null {
  const [, type, component = '', name = '', format] = pattern.exec(path) ?? [];
  for (const code of languages.codes) {
    const locale = languages.of(code)?.locale ?? code;
    const found = new RegExp(`^(.+)-${locale}${format === 'json' ? '(?:-[0-9a-f]{32})?' : ''}$`).exec(name);
    if (found)
      return {
        path,
        type: type as ComponentType,
        component,
        domain: found[1] as string,
        locale,
        code,
        format: format as FileFormat,
        size,
      };
  }
  return null;
}

function notedIn(row: Readonly<Record<string, unknown>>): Noted {
  const status = ['imported', 'skipped', 'error'].find((one) => one === row.status) as ImportStatus | undefined;
  return {
    status: status ?? 'skipped',
    digest: typeof row.digest === 'string' ? row.digest : String(row.digest ?? ''),
    strings: typeof row.strings === 'number' ? row.strings : 0,
    message: typeof row.message === 'string' ? row.message : '',
  };
}

function rowOf({ status, digest, strings, message }: Noted): Readonly<Record<string, unknown>> {
  if (status === 'skipped') return { status };
  return status === 'error' ? { status, digest, message } : { status, strings, digest };
}

/** To tell lists apart, whatever order they have. */
function textOf(rows: ReadonlyMap<string, Noted>): string {
  return JSON.stringify([...rows].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32);
}
