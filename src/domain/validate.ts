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
import type { Batch, Problem, Severity, Write } from '../store/types.ts';
import { nearest } from './spelling.ts';
import { checkIds, renumbered } from './validate/ids.ts';
import { checkMenus } from './validate/menus.ts';
import { checkReferences, createIndex, type Person } from './validate/references.ts';
import { checkSettings, zoneOf } from './validate/settings.ts';
import { readSheets, type Sheet } from './validate/sheets.ts';

/** Something to say about a file, at the value that `keys` leads to; [] is the file as a whole. */
export interface Finding {
  readonly path: string;
  readonly keys: readonly (string | number)[];
  /** The key itself is meant, not its value. */
  readonly onKey?: true;
  readonly severity: Severity;
  /** Stable word for scripts. */
  readonly rule: string;
  readonly message: string;
  readonly hint?: string;
}

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

/** Field tables of a deployment; what is not said is standard. */
export function declare(options: Partial<Omit<Declarations, 'postFields' | 'termFields'>> & { readonly meta?: Readonly<Record<string, MetaSchemas>> } = {}): Declarations {
  const { types = standardTypes, taxonomies = standardTaxonomies, statuses = standardStatuses, settings = standardSettings, meta = {} } = options;
  const tableOf = (type: PostType) =>
    postFields({ type, taxonomies: taxonomies.filter((one) => one.types.includes(type.name)), statuses, meta: meta[type.name] ?? {} });
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
  ].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** The changes that give every file an id of its own; nothing else. */
export function renumber(content: Content, model: Declarations, { people = [], sequences = {} }: Omit<Circumstances, 'clock'>): Write[] {
  const { sheets } = readSheets(content, model, zoneOf(content));
  const users = Math.max(0, sequences.users ?? 0, ...people.map(({ id }) => id));
  return renumbered(sheets, { ...sequences, users });
}

/**
 * Findings with their line and column.
 * @param read  bytes of a file; null when it has gone meanwhile
 */
export async function locate(findings: readonly Finding[], read: (path: string) => Promise<Uint8Array | null>): Promise<Problem[]> {
  const problems: Problem[] = [];
  let last: { readonly path: string; readonly bytes: Uint8Array | null } | undefined;
  for (const finding of findings) {
    if (last?.path !== finding.path) last = { path: finding.path, bytes: await read(finding.path) };
    const isWhole = finding.keys.length === 0;
    problems.push(problemOf(finding.path, finding, last.bytes && !isWhole ? place(last.bytes, finding) : undefined));
  }
  return problems.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line || a.column - b.column));
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
function checkSlugs(sheets: readonly Sheet[], model: Declarations): Finding[] {
  const findings: Finding[] = [];
  const holders = new Map<string, string>();
  const free = new Set(model.statuses.filter(({ dateFloating, internal }) => dateFloating || internal).map(({ name }) => name));
  for (const { entry, slug, scope, draft } of sheets) {
    const { path } = entry;
    const said = entry.data.slug;
    if (said !== undefined && said !== null && slugify(String(said)) !== String(said)) {
      const better = slugify(String(said));
      findings.push({
        path, keys: ['slug'], severity: 'error', rule: 'slug-form', message: `${JSON.stringify(said)} cannot be a part of an address`,
        ...(better === '' ? {} : { hint: `write ${better}` }),
      });
    }
    if (scope === null || slug === '' || free.has((draft as Partial<PostRecord>).status ?? '')) continue;
    const holder = holders.get(`${scope}:${slug}`);
    if (holder === undefined) holders.set(`${scope}:${slug}`, path);
    else {
      const hint = said === undefined ? 'rename this file, or write another slug: into it' : 'write another slug';
      findings.push({ path, keys: said === undefined ? [] : ['slug'], severity: 'error', rule: 'duplicate-slug', message: `slug ${JSON.stringify(slug)} is already used by ${holder}`, hint });
    }
  }
  return findings;
}

function checkDates(sheets: readonly Sheet[], nowGmt: string): Finding[] {
  return sheets.flatMap(({ entry: { path, data }, kind, draft }) => {
    if (kind !== 'post') return [];
    const post = draft as Partial<PostRecord>;
    const findings: Finding[] = [];
    const warn = (key: string, rule: string, message: string, hint: string) =>
      findings.push({ path, keys: [key], severity: 'warning', rule, message, hint });
    if (post.status === 'publish' && post.dateGmt && post.dateGmt > nowGmt) {
      warn('date', 'future-date', 'published, but with a date to come: it is served as scheduled until then', 'write status: future, if that is meant');
    }
    if (data.modified !== undefined && post.date && post.modified && post.modified < post.date && post.status !== 'future') {
      warn('modified', 'modified-before-date', `modified before its date (${post.date})`, 'check which of the two is wrong');
    }
    return findings;
  });
}

/** Keys that look like a known one. Others are their author's own and stay without comment. */
function checkKeys(sheets: readonly Sheet[]): Finding[] {
  return sheets.flatMap(({ entry: { path, data }, kind, fields }) => {
    if (fields === null || kind === 'media') return [];
    const known = [...fileKeys(fields as Fields<TermRecord, never>), literalMarkersKey, ...(kind === 'menu' ? ['locations', 'items'] : [])];
    return Object.keys(data).flatMap((key): Finding[] => {
      if (known.includes(key)) return [];
      if (kind === 'user' && accountKeys.has(key)) {
        const hint = 'accounts are kept outside the content folder; see cms user --help';
        return [{ path, keys: [key], onKey: true, severity: 'warning', rule: 'private-key', message: `${key} has no effect in a public profile`, hint }];
      }
      const meant = nearest(key, known.filter((one) => !Object.hasOwn(data, one)));
      if (meant === undefined) return [];
      return [{ path, keys: [key], onKey: true, severity: 'warning', rule: 'unknown-key', message: `unknown key ${JSON.stringify(key)}`, hint: `did you mean ${meant}?` }];
    });
  });
}

const accountKeys = new Set(['login', 'email', 'password', 'role', 'roles', 'capabilities']);
