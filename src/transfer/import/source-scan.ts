/**
 * The first of the two passes through a source: what there is, without bodies. Small things (people, terms, menu links,
 * declarations) are kept whole; of the many (items and comments) a header is, as much as ids, slugs and places need.
 */
import { parseFileDate } from '../../kernel/model/dates.ts';
import { slugify } from '../../kernel/model/slugs.ts';
import {
  type CommentItem,
  type DeclarationItem,
  type SourceItem,
  type MenuLinkItem,
  type PostItem,
  type ImportRemark,
  type SiteItem,
  type Source,
  SourceError,
  type TermItem,
  type UserItem,
  detachString,
} from './items.ts';
import { type SaidLanguage, saidLanguage } from './item-language.ts';
import type { ImportLog, Category } from './report.ts';

/** Of a post, whatever its type. Type and taxonomies by their names in the source. */
export interface ItemHeader {
  readonly key: string;
  readonly type: string;
  readonly id: number;
  readonly slug: string;
  /** What a file without a slug is called: from the title. */
  readonly name: string;
  readonly status: string;
  /** Site time; '' for undated. */
  readonly date: string;
  readonly parent: string;
  readonly author: string;
  /** The first categories, for addresses that hold one. */
  readonly categories: readonly string[];
  readonly guid: string;
  readonly link: string;
  readonly preferredPath: string;
  /** Path of the file below the uploads; '' for what is no attachment. */
  readonly media: string;
  readonly said: SaidLanguage;
}

export interface CommentHeader {
  readonly key: string;
  readonly id: number;
  readonly post: string;
  readonly parent: string;
}

/** What the items of a type use, so that its declaration can hold it. */
export interface TypeUsage {
  items: number;
  readonly taxonomies: Set<string>;
  readonly features: Set<string>;
  hierarchical: boolean;
}

export interface SourceScan {
  site: SiteItem | null;
  readonly declarations: DeclarationItem[];
  readonly users: UserItem[];
  readonly terms: TermItem[];
  readonly links: MenuLinkItem[];
  readonly posts: ItemHeader[];
  readonly comments: CommentHeader[];
  readonly typeUsage: Map<string, TypeUsage>;
  /** Items seen. */
  count: number;
  /** The source was read to its end. */
  isWhole: boolean;
}

interface ScanOptions {
  readonly report: ImportLog;
  /** A source that breaks off gives what came before. */
  readonly keepGoing: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((done: number, total: number) => void) | undefined;
}

/** @throws SourceError, with `keepGoing` where nothing could be read before; what `signal` was aborted with */
export async function scanSource(source: Source, { report, keepGoing, signal, progress }: ScanOptions): Promise<SourceScan> {
  const sourceScan: SourceScan = {
    site: null,
    declarations: [],
    users: [],
    terms: [],
    links: [],
    posts: [],
    comments: [],
    typeUsage: new Map(),
    count: 0,
    isWhole: true,
  };
  const seen = new Set<string>();
  const pool = new Map<string, string>();
  try {
    for await (const item of source.items('scan', progress)) {
      signal?.throwIfAborted();
      if (sourceScan.count++ % 1000 === 0) report.sample();
      if ('key' in item) {
        const key = `${item.kind} ${item.key}`;
        if (seen.has(key) && takePlace(sourceScan, item)) continue;
        if (seen.has(key)) {
          reportLost(report, item, 'duplicate-key', 'the source contains it twice; the first one was imported');
          continue;
        }
        seen.add(detachString(key));
      }
      note(sourceScan, item, report, pool);
    }
  } catch (error) {
    const isNothing = sourceScan.users.length + sourceScan.terms.length + sourceScan.posts.length === 0;
    if (!keepGoing || !(error instanceof SourceError) || error.stops || isNothing) throw error;
    reportBroken(report, error);
    sourceScan.isWhole = false;
  }
  const languages = sourceScan.site?.languages?.terms;
  for (const [at, item] of sourceScan.terms.entries()) {
    const language = languages?.get(item.key);
    if (language) sourceScan.terms[at] = { ...item, language };
  }
  return sourceScan;
}

/** Puts an item in the place of one that was only named before. @returns whether there is one */
function takePlace({ users, terms }: SourceScan, item: SourceItem): boolean {
  const all: (UserItem | TermItem)[] | null = item.kind === 'user' ? users : item.kind === 'term' ? terms : null;
  const at = all?.findIndex((one) => 'key' in item && one.key === item.key && one.standsIn) ?? -1;
  if (all === null || at < 0) return false;
  all[at] = whole(item as UserItem | TermItem);
  return true;
}

function note(sourceScan: SourceScan, item: SourceItem, report: ImportLog, pool: Map<string, string>): void {
  switch (item.kind) {
    case 'site':
      sourceScan.site ??= item;
      remarksOf(report, item);
      return;
    case 'type':
    case 'taxonomy':
      sourceScan.declarations.push(whole(item));
      remarksOf(report, item);
      return;
    case 'user':
      sourceScan.users.push(whole(item));
      return;
    case 'term':
      sourceScan.terms.push(whole(item));
      return;
    case 'menu-link':
      sourceScan.links.push(whole(item));
      return;
    case 'post':
      sourceScan.posts.push(header(item, pool));
      use(sourceScan, item, pool);
      return;
    case 'comment':
      sourceScan.comments.push(commentHeader(item, pool));
      return;
    case 'lost':
      report.count({ kind: 'other', of: item.what }, 'lost', item.count);
      remarksOf(report, item);
      if ((item.remarks ?? []).length === 0)
        report.remark({
          severity: 'lost',
          rule: 'not-brought',
          message: 'the site does not support it',
          what: item.what,
          place: item.place,
        });
  }
}

function header(item: PostItem, pool: Map<string, string>): ItemHeader {
  const { key, id = 0, parent = '', link = '', preferredPath = '', author = '' } = item;
  const guid = detachString(item.guid ?? '');
  return {
    key: detachString(key),
    type: shared(item.type, pool),
    id,
    slug: detachString(item.slug),
    name: item.slug === '' ? detachString(slugify(item.title)) : '',
    status: shared(item.status, pool),
    date: detachString([item.date, item.dateGmt].find(isDate) ?? ''),
    parent: shared(parent, pool),
    author: shared(author, pool),
    categories: (item.terms?.category ?? []).map((category) => shared(category, pool)),
    guid,
    link: link === guid ? guid : detachString(link),
    preferredPath: detachString(preferredPath),
    media: detachString(item.media?.path ?? ''),
    said: sharedLanguage(item, pool),
  };
}

function sharedLanguage(item: PostItem, pool: Map<string, string>): SaidLanguage {
  const { lang, translationOf, group } = saidLanguage(item);
  return { lang: shared(lang, pool), translationOf: shared(translationOf, pool), group: shared(group, pool) };
}

function commentHeader({ key, id = 0, post, parent = '' }: CommentItem, pool: Map<string, string>): CommentHeader {
  return { key: detachString(key), id, post: shared(post, pool), parent: detachString(parent) };
}

function use({ typeUsage: uses }: SourceScan, item: PostItem, pool: Map<string, string>): void {
  let used = uses.get(item.type);
  if (!used) {
    used = { items: 0, taxonomies: new Set(), features: new Set(), hierarchical: false };
    uses.set(shared(item.type, pool), used);
  }
  used.items++;
  for (const [taxonomy, keys] of Object.entries(item.terms ?? {}))
    if (keys.length > 0) used.taxonomies.add(shared(taxonomy, pool));
  if (item.parent) used.hierarchical = true;
  if (item.order) used.features.add('page-attributes');
  if (item.featuredMedia) used.features.add('thumbnail');
  if (item.comments === 'open' || item.pings === 'open') used.features.add('comments');
  if (item.format && item.format !== 'standard') used.features.add('post-formats');
  if (item.excerpt) used.features.add('excerpt');
  if (item.author) used.features.add('author');
}

/** Whether a text is a moment in the form of `kernel/model/dates.ts`, and one that the calendar has. */
export function isDate(text: string | undefined): text is string {
  return text !== undefined && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(text) && parseFileDate(text, 'UTC')?.local === text;
}

/** The source cannot be read on. */
export function reportBroken(report: ImportLog, { message, place, hint }: SourceError): void {
  report.remark({ severity: 'error', rule: 'source', message, what: 'the source', place, ...(hint ? { hint } : {}) });
}

/** What an item is called in a report. */
export function labelOf(item: SourceItem): string {
  if (item.kind === 'post') return `${item.type} ${quoted(item.title || item.slug || item.key)}`;
  if (item.kind === 'term') return `${item.taxonomy} ${quoted(item.name || item.slug)}`;
  if (item.kind === 'user') return `user ${quoted(item.login || item.slug || item.name)}`;
  if (item.kind === 'comment') return `comment ${item.id ?? item.key}`;
  if (item.kind === 'menu-link') return `menu link ${quoted(item.title || item.url || item.key)}`;
  if (item.kind === 'type' || item.kind === 'taxonomy') return `${item.kind} ${item.name}`;
  return item.kind === 'lost' ? item.what : 'site';
}

export function categoryOf(item: SourceItem): Category {
  if (item.kind === 'post') return { kind: item.type === 'attachment' ? 'media' : 'post', of: item.type };
  if (item.kind === 'term') return item.taxonomy === 'nav_menu' ? { kind: 'menu', of: '' } : { kind: 'term', of: item.taxonomy };
  if (item.kind === 'user' || item.kind === 'comment' || item.kind === 'menu-link') return { kind: item.kind, of: '' };
  return { kind: 'other', of: item.kind };
}

/** Counts an item as lost, and says why. */
export function reportLost(report: ImportLog, item: SourceItem, rule: string, message: string): void {
  report.count(categoryOf(item), 'lost');
  report.remark({ severity: 'lost', rule, message, what: labelOf(item), place: item.place });
}

/** A remark of the import on an item. */
export function remark(
  report: ImportLog,
  item: SourceItem,
  severity: ImportRemark['severity'],
  rule: string,
  message: string,
  hint?: string,
): void {
  report.remark({ severity, rule, message, what: labelOf(item), place: item.place, ...(hint ? { hint } : {}) });
}

/** The importer's own remarks on an item. */
export function remarksOf(report: ImportLog, item: SourceItem): void {
  for (const one of item.remarks ?? []) report.remark({ ...one, what: labelOf(item), place: item.place });
}

function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return JSON.stringify(line.length > 60 ? `${line.slice(0, 59)}…` : line);
}

/** One copy for many equal texts. */
function shared(text: string, pool: Map<string, string>): string {
  const known = pool.get(text);
  if (known !== undefined) return known;
  const copy = detachString(text);
  pool.set(copy, copy);
  return copy;
}

function whole<T extends SourceItem>(item: T): T {
  return structuredClone(item);
}
