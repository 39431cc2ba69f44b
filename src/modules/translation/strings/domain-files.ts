/**
 * The files of strings: `lang/strings/<domain>.yaml` lists strings of the site's own, `lang/strings/<domain>.<code>.yaml` what strings of
 * a domain are in a language. The name of a file is its domain where `domain:` says nothing else.
 */
import { isMap } from '../../../kernel/model/maps.ts';
import type { Batch, Entry, Problem, Write } from '../../../kernel/store/types.ts';
import { fileName, nameKey, type SourceString, type StringTranslation, type StringType, stringTypes } from './record.ts';

interface DomainFile {
  readonly path: string;
  readonly etag: string;
  readonly domain: string;
  /** '' for a list of originals. */
  readonly code: string;
  /** `strings:` as it stands there. */
  readonly rows: readonly unknown[];
  readonly own: readonly SourceString[];
  readonly translations: ReadonlyMap<string, StringTranslation>;
  readonly faults: readonly StringFault[];
}

interface StringFault {
  readonly keys: readonly (string | number)[];
  readonly message: string;
  readonly hint?: string;
}

const folder = 'lang/strings/';
const place = /^lang\/strings\/([^/]+)\.yaml$/;
/** Settings of clients stand beside, in a folder. */
export const settingsFolder = `${folder}settings/`;

export const isDomainFile = (path: string): boolean => place.test(path);

/**
 * @param codes  languages of the site: which part of a name is one
 * @param isLanguage  whether strings may be in it
 */
export function readDomainFile(
  { path, etag, data }: Pick<Entry, 'path' | 'etag' | 'data'>,
  codes: readonly string[],
  isLanguage = (code: string) => codes.includes(code),
): DomainFile {
  const name = place.exec(path)?.[1] ?? '';
  const code = codes.find((one) => name.endsWith(`.${one}`)) ?? '';
  const domain =
    typeof data.domain === 'string' && data.domain !== '' ? data.domain : name.slice(0, code ? -code.length - 1 : undefined);
  const faults: StringFault[] = [];
  const isList = Array.isArray(data.strings);
  if (!isList && data.strings !== undefined && data.strings !== null)
    faults.push({ keys: ['strings'], message: 'strings must be a list' });
  const rows: readonly unknown[] = isList ? (data.strings as unknown[]) : [];
  const own: SourceString[] = [];
  const translations = new Map<string, StringTranslation>();
  for (const [at, row] of rows.entries()) {
    const keys = ['strings', at];
    const read = isMap(row)
      ? code === ''
        ? ownString(domain, row, isLanguage)
        : translation(row)
      : 'a string is a map with a name';
    if (typeof read === 'string') faults.push({ keys, message: read });
    else if ('values' in read) translations.set(nameKey(read.name, read.context), read);
    else own.push(read);
  }
  return { path, etag, domain, code, rows, own, translations, faults };
}

type Row = Readonly<Record<string, unknown>>;

/** A text as YAML has it, numbers among them; undefined: none. */
function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function ownString(domain: string, row: Row, isLanguage: (code: string) => boolean): SourceString | string {
  const value = textIn(row.value);
  const name = textIn(row.name) ?? value;
  if (name === undefined || value === undefined || name === '') return 'a string has a name and a value';
  const type = textIn(row.type)?.toUpperCase() ?? 'LINE';
  if (!stringTypes.includes(type as StringType)) return `type is one of ${stringTypes.join(', ')}`;
  const plural = textIn(row.plural);
  const lang = textIn(row.lang);
  if (lang !== undefined && !isLanguage(lang)) return `"${lang}" is not a language of the site`;
  return {
    ...{ domain, name, value, context: textIn(row.context) ?? '', type: type as StringType },
    ...(plural === undefined ? {} : { plural }),
    ...(lang === undefined ? {} : { lang }),
  };
}

function translation(row: Row): StringTranslation | string {
  const original = textIn(row.original);
  const name = textIn(row.name) ?? original;
  const list = Array.isArray(row.translation) ? row.translation.map(textIn) : [textIn(row.translation)];
  if (name === undefined || original === undefined) return 'a translation has the name of its string and the original';
  const values = list.filter((value) => value !== undefined);
  return {
    name,
    context: textIn(row.context) ?? '',
    original,
    values,
    isFuzzy: row.fuzzy === true,
    translator: typeof row.translator === 'number' ? row.translator : 0,
    date: textIn(row.date) ?? '',
  };
}

/** A translation as a file has it. */
function rowOf({ name, context, original, values, isFuzzy, translator, date }: StringTranslation): Row {
  return {
    ...(name === original ? {} : { name }),
    ...(context === '' ? {} : { context }),
    original,
    translation: values.length === 1 ? values[0] : [...values],
    ...(isFuzzy ? { fuzzy: true } : {}),
    ...(translator > 0 ? { translator } : {}),
    ...(date === '' ? {} : { date }),
  };
}

/** Translations over those of a file; rows that nobody writes stay as they are. @param known  the file; undefined: there is none */
export function writeTranslations(
  known: DomainFile | undefined,
  domain: string,
  code: string,
  rows: readonly StringTranslation[],
): Write {
  const left = new Map(rows.map((row) => [nameKey(row.name, row.context), row]));
  const kept = (known?.rows ?? []).map((row) => {
    const read = isMap(row) ? translation(row) : '';
    if (typeof read === 'string') return row;
    const key = nameKey(read.name, read.context);
    const next = left.get(key);
    left.delete(key);
    return next ? rowOf(next) : row;
  });
  const strings = [...kept, ...[...left.values()].map(rowOf)];
  return { ...fileOf(known, domain, code), data: { ...domainKey(known, domain), strings } };
}

function fileOf(known: DomainFile | undefined, domain: string, code: string): Omit<Write, 'data'> {
  const path = known?.path ?? `${folder}${fileName(domain)}${code === '' ? '' : `.${code}`}.yaml`;
  return { path, expect: known?.etag ?? null, order: ['domain', 'strings'] };
}

/** Where the name of the file does not say it. */
function domainKey(known: DomainFile | undefined, domain: string): { readonly domain?: string } {
  return known === undefined && fileName(domain) !== domain ? { domain } : {};
}

/** Originals over those of a list: a text of the same name changes, what a row says beside stays. */
export function writeOriginals(known: DomainFile | undefined, domain: string, strings: readonly SourceString[]): Write {
  const left = new Map(strings.map((one) => [nameKey(one.name, one.context), one]));
  const kept = (known?.rows ?? []).map((row) => {
    if (!isMap(row)) return row;
    const key = nameKey(textIn(row.name) ?? textIn(row.value) ?? '', textIn(row.context) ?? '');
    const next = left.get(key);
    left.delete(key);
    // A row named by its text gets that name.
    return next ? { name: next.name, ...row, value: next.value } : row;
  });
  const added = [...left.values()].map(({ name, value, context = '' }) => ({
    ...(name === value ? {} : { name }),
    value,
    ...(context === '' ? {} : { context }),
  }));
  return { ...fileOf(known, domain, ''), data: { ...domainKey(known, domain), strings: [...kept, ...added] } };
}

/** Files of strings in memory, as batches bring them. */
export interface DomainFiles {
  /** @returns whether a file of strings is in the batch */
  take(batch: Batch, codes: readonly string[]): boolean;
  all(): Iterable<DomainFile>;
  of(domain: string, code: string): DomainFile | undefined;
  problems(): readonly Problem[];
}

export function createDomainFiles(): DomainFiles {
  const files = new Map<string, DomainFile>();
  let byDomain = new Map<string, DomainFile>();
  const keyOf = (domain: string, code: string): string => `${code} ${domain}`;
  return {
    take({ entries, removed }, codes) {
      const gone = removed.filter((path) => files.delete(path));
      const come = entries.filter(({ path }) => isDomainFile(path));
      for (const entry of come) files.set(entry.path, readDomainFile(entry, codes));
      if (gone.length + come.length === 0) return false;
      const sorted = [...files.values()].sort((a, b) => (a.path > b.path ? -1 : 1));
      byDomain = new Map(sorted.map((file) => [keyOf(file.domain, file.code), file]));
      return true;
    },
    all: () => files.values(),
    of: (domain, code) => byDomain.get(keyOf(domain, code)),
    problems: () =>
      [...files.values()].flatMap(({ path, faults }) =>
        faults.map((fault): Problem => ({ path, line: 1, column: 1, severity: 'warning', rule: 'string-row', ...fault })),
      ),
  };
}
