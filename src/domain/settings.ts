/**
 * The settings of a site as `site.yaml` holds them, through the table of `model/settings.ts`, and as clients see them.
 *
 * The file has plain text and names things by slug or place; in memory and for clients the name of the site is text of a
 * page (`Tom &amp; Jerry`), and things are ids.
 */
import { isZone } from '../model/dates.ts';
import { printSetting, type Setting, settingValue } from '../model/settings.ts';
import { slugify } from '../model/slugs.ts';
import type { Documents, Entry, Problem } from '../store/types.ts';
import { findTerm } from './references.ts';
import { escapeOnce } from './render/text.ts';
import { operatorRemark } from './setting-values.ts';
import type { Site } from './site.ts';
import type { Keys, Remark } from './validate/finding.ts';

export interface Settings {
  readonly rows: readonly Setting[];
  /** The file as last read; null when there is none. */
  readonly entry: Entry | null;
  /** What is stored under a key of the file; undefined: nothing. */
  stored(key: string): unknown;
  /** The value in force of a key. */
  value(key: string): unknown;
  /** Takes a newer state of the file. */
  take(entry: Entry): void;
  /** What is wrong with the file's settings. */
  problems(): readonly Problem[];
}

export function createSettings(rows: readonly Setting[], entry: Entry | undefined): Settings {
  const byKey = new Map(rows.map((row) => [row.key, row]));
  let current = entry ?? null;
  const stored = (key: string): unknown => current?.data[key];
  return {
    rows,
    get entry() {
      return current;
    },
    stored,
    value(key) {
      const row = byKey.get(key);
      if (!row) throw new Error(`no setting ${key}`);
      const value = settingValue(row, read(row, stored(key)));
      return key === 'timezone' && !isZone(String(value)) ? row.default : value;
    },
    take(next) {
      current = next;
    },
    problems: () => Object.keys(current?.data ?? {}).flatMap((key) => problemsOf([key], operatorRemark(key))),
  };
}

function problemsOf(keys: Keys, remark: Remark | null): Problem[] {
  if (remark === null || remark.severity === 'note') return [];
  const { severity, ...said } = remark;
  return [{ path: 'site.yaml', line: 1, column: 1, keys, onKey: true, severity, ...said }];
}

/** The document of the private mount that holds what `site.yaml` must not. */
const privateDocument = 'settings.json';

/** Key → value of the private settings. */
export async function readPrivate(documents: Documents): Promise<Readonly<Record<string, unknown>>> {
  const bytes = await documents.get(privateDocument);
  return bytes === null ? {} : (JSON.parse(Buffer.from(bytes).toString('utf8')) as Record<string, unknown>);
}

export async function writePrivate(documents: Documents, values: Readonly<Record<string, unknown>>): Promise<void> {
  await documents.set(privateDocument, Buffer.from(JSON.stringify(values)));
}

/**
 * Every setting that clients see, by their name for it.
 *
 * @param written  names just written: a boolean that was switched off is `false` in that answer, and null afterwards (observed)
 */
export async function readSettings(site: Site, written: ReadonlySet<string> = new Set()): Promise<Record<string, unknown>> {
  const secrets = await readPrivate(site.store.private);
  const out: Record<string, unknown> = {};
  for (const row of site.settings.rows) {
    if (row.name === undefined) continue;
    const value = resolved(site, row, secrets);
    out[row.name] = value === false && written.has(row.name) ? false : printSetting(row, value);
  }
  return out;
}

/** What is stored of a setting, references as ids; what is worked out when nothing is; null: reset; undefined: the default. */
export function resolved(site: Site, row: Setting, secrets: Readonly<Record<string, unknown>>): unknown {
  const stored = row.private ? secrets[row.key] : site.settings.stored(row.key);
  if (stored === undefined && row.key === 'url') return site.url;
  if (stored === undefined && row.key === 'default_category') return site.refs.defaultTerm('category');
  if (row.refers && typeof stored === 'string') return idOf(site, row.refers, stored);
  return read(row, stored);
}

function idOf(site: Site, kind: NonNullable<Setting['refers']>, ref: string): number {
  if (kind !== 'category') return site.refs.postId(kind === 'page' ? 'page' : 'attachment', ref);
  const slug = slugify(ref);
  return findTerm(site.terms, kind, slug) ?? findTerm(site.terms, kind, `~${slug}`) ?? 0;
}

/** Texts that stand in pages as they are. */
const markup: ReadonlySet<string> = new Set(['name', 'description']);

/** A value of the file as its setting means it: `name: 2024` is a text. */
function read({ key, schema, refers }: Setting, stored: unknown): unknown {
  if (schema.type !== 'string' || refers || stored === undefined || stored === null || typeof stored === 'object') return stored;
  const text = String(stored);
  return markup.has(key) ? escapeOnce(text) : text;
}
