/**
 * What a person should know about a content folder: values, ids, slugs, references, dates, settings and menus. Pure: nothing
 * is made or written, and every field is judged by its own declaration, the one that the server reads it with.
 *
 * An error is something the site serves otherwise than its author meant, or not at all; a warning is a likely slip.
 */
import { now } from '../model/dates.ts';
import { type Fields, fileKeys } from '../model/field.ts';
import { type MetaSchemas, type PostFields, type PostRecord, postFields } from '../model/post.ts';
import { type Setting, standardSettings } from '../model/settings.ts';
import { slugify } from '../model/slugs.ts';
import { type Status, standardStatuses } from '../model/statuses.ts';
import { standardTaxonomies, type Taxonomy } from '../model/taxonomies.ts';
import { type TermFields, type TermRecord, termFields } from '../model/term.ts';
import { type PostType, standardTypes } from '../model/types.ts';
import { literalMarkersKey, positionOf } from '../store/codec.ts';
import { positionAt, problemOf } from '../store/problems.ts';
import type { Batch, Problem, Write } from '../store/types.ts';
import { nearest } from './spelling.ts';
import { didYouMean, doubtful, type Finding, wrong } from './validate/finding.ts';
import { checkIds, renumbered } from './validate/ids.ts';
import { checkMenus } from './validate/menus.ts';
import { checkReferences, createIndex, type Person } from './validate/references.ts';
import { checkSettings, zoneOf } from './validate/settings.ts';
import { readSheets, type Sheet } from './validate/sheets.ts';

/** What the files may say; the same declarations that a site is made from. */
export interface Declarations {
  readonly types: readonly PostType[];
  readonly taxonomies: readonly Taxonomy[];
  readonly statuses: readonly Status[];
  readonly settings: readonly Setting[];
  readonly postFields: ReadonlyMap<string, PostFields>;
  readonly termFields: ReadonlyMap<string, TermFields>;
}

export interface Circumstances {
  /** Milliseconds since the epoch. */
  readonly clock: number;
  /** People with an account, who may be authors without a file. */
  readonly people?: readonly Person[];
  /** Highest ids given so far, by number space (`posts`, `terms`, `users`). */
  readonly sequences?: Readonly<Record<string, number>>;
}

export type Content = Pick<Batch, 'entries' | 'blobs'>;

/** What declarations add to the standard ones; a list takes the place of the standard list. */
export interface Declared extends Partial<Omit<Declarations, 'postFields' | 'termFields'>> {
  readonly meta?: Readonly<Record<string, MetaSchemas>>;
}

/** The field tables that follow from declarations. */
export function declare(declared: Declared = {}): Declarations {
  const { types = standardTypes, taxonomies = standardTaxonomies, meta = {} } = declared;
  const { statuses = standardStatuses, settings = standardSettings } = declared;
  const tableOf = (type: PostType) => {
    const own = taxonomies.filter((one) => one.types.includes(type.name));
    return postFields({ type, taxonomies: own, statuses, meta: meta[type.name] ?? {} });
  };
  return {
    types,
    taxonomies,
    statuses,
    settings,
    postFields: new Map(types.map((type) => [type.name, tableOf(type)])),
    termFields: new Map(taxonomies.map((one) => [one.name, termFields(one, meta[one.name] ?? {})])),
  };
}

/** Everything there is to say about readable files, by path. */
export function validate(content: Content, model: Declarations, { clock, people = [] }: Circumstances): Finding[] {
  const zone = zoneOf(content);
  const { sheets, findings } = readSheets(content, model, zone);
  const index = createIndex(content, sheets, model, people);
  return [
    ...findings,
    ...checkSettings(content, model, index),
    ...checkIds(sheets),
    ...checkSlugs(sheets, model),
    ...checkReferences(sheets, index),
    ...checkDates(sheets, now(zone, clock).gmt),
    ...checkKeys(sheets),
    ...checkMenus(sheets, model, index, content),
  ].sort((a, b) => compare(a.path, b.path));
}

/** The changes that give every file an id of its own; nothing else. */
export function renumber(content: Content, model: Declarations, circumstances: Omit<Circumstances, 'clock'>): Write[] {
  const { people = [], sequences = {} } = circumstances;
  const { sheets } = readSheets(content, model, zoneOf(content));
  const users = Math.max(0, sequences.users ?? 0, ...people.map(({ id }) => id));
  return renumbered(sheets, { ...sequences, users });
}

export type Read = (path: string) => Promise<Uint8Array | null>;

/**
 * Findings with their line and column.
 * @param read  bytes of a file; null when it has gone meanwhile
 */
export async function locate(findings: readonly Finding[], read: Read): Promise<Problem[]> {
  const problems: Problem[] = [];
  let last: { readonly path: string; readonly bytes: Uint8Array | null } | undefined;
  for (const finding of findings) {
    const { path, keys } = finding;
    if (keys.length > 0 && last?.path !== path) last = { path, bytes: await read(path) };
    problems.push(problemOf(path, finding, keys.length > 0 && last?.bytes ? place(last.bytes, finding) : undefined));
  }
  return problems.sort((a, b) => compare(a.path, b.path) || a.line - b.line || a.column - b.column);
}

function place(bytes: Uint8Array, { path, keys, onKey }: Finding) {
  const key = keys[0];
  if (onKey && keys.length === 1) {
    const text = Buffer.from(bytes).toString('utf8');
    const found = new RegExp(`^(["']?)${String(key).replace(/[^\w]/g, '\\$&')}\\1[ \\t]*:`, 'm').exec(text);
    if (found) return positionAt(text, found.index);
  }
  return positionOf(bytes, path, keys);
}

/** Slugs in their own form, and one item for each within its type, parent or taxonomy. Drafts may share a slug until published. */
function checkSlugs(sheets: readonly Sheet[], { statuses }: Declarations): Finding[] {
  const findings: Finding[] = [];
  const holders = new Map<string, string>();
  const free = new Set(statuses.filter(({ dateFloating, internal }) => dateFloating || internal).map(({ name }) => name));
  for (const { entry, slug, scope, draft } of sheets) {
    const { path, data } = entry;
    const said = data.slug === undefined || data.slug === null ? null : String(data.slug);
    if (said !== null && slugify(said) !== said) {
      const hint = slugify(said) === '' ? undefined : `write ${slugify(said)}`;
      findings.push({
        path,
        keys: ['slug'],
        ...wrong('slug-form', `${JSON.stringify(said)} cannot be a part of an address`, hint),
      });
    }
    if (scope === null || slug === '' || free.has((draft as Partial<PostRecord>).status ?? '')) continue;
    const key = `${scope}:${slug}`;
    const holder = holders.get(key);
    if (holder === undefined) {
      holders.set(key, path);
      continue;
    }
    const hint = said === null ? 'rename this file, or write another slug: into it' : 'write another slug';
    const remark = wrong('duplicate-slug', `slug ${JSON.stringify(slug)} is already used by ${holder}`, hint);
    findings.push({ path, keys: said === null ? [] : ['slug'], ...remark });
  }
  return findings;
}

function checkDates(sheets: readonly Sheet[], nowGmt: string): Finding[] {
  const findings: Finding[] = [];
  for (const { entry, kind, draft } of sheets) {
    if (kind !== 'post') continue;
    const { path, data } = entry;
    const { status, date, dateGmt, modified } = draft as Partial<PostRecord>;
    if (status === 'publish' && dateGmt && dateGmt > nowGmt) {
      const message = 'published, but with a date to come: it is served as scheduled until then';
      findings.push({ path, keys: ['date'], ...doubtful('future-date', message, 'write status: future, if that is meant') });
    }
    if (data.modified !== undefined && date && modified && modified < date && status !== 'future') {
      const remark = doubtful('modified-before-date', `modified before its date (${date})`, 'check which of the two is wrong');
      findings.push({ path, keys: ['modified'], ...remark });
    }
  }
  return findings;
}

/** Keys that look like a known one. Others are their author's own and stay without comment. */
function checkKeys(sheets: readonly Sheet[]): Finding[] {
  return sheets.flatMap(({ entry: { path, data }, kind, fields }) => {
    // What a sidecar holds beside the keys of posts is declared with media.
    if (fields === null || kind === 'media') return [];
    const known = [
      ...fileKeys(fields as Fields<TermRecord, never>),
      literalMarkersKey,
      ...(kind === 'menu' ? ['locations', 'items'] : []),
    ];
    const free = known.filter((key) => !Object.hasOwn(data, key));
    return Object.keys(data).flatMap((key): Finding[] => {
      if (known.includes(key)) return [];
      const at = { path, keys: [key], onKey: true } as const;
      if (kind === 'user' && accountKeys.has(key)) {
        const hint = 'accounts are kept outside the content folder; see cms user --help';
        return [{ ...at, ...doubtful('private-key', `${key} has no effect in a public profile`, hint) }];
      }
      const meant = nearest(key, free);
      return meant === undefined
        ? []
        : [{ ...at, ...doubtful('unknown-key', `unknown key ${JSON.stringify(key)}`, didYouMean(meant)) }];
    });
  });
}

const accountKeys = new Set(['login', 'email', 'password', 'role', 'roles', 'capabilities']);

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
