/** Resolves a URL to a list: of an author, date, term, format or type. */
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';
import { itemParams, itemPrefix, prefixOf, type splitPath } from '../../../kernel/rest/address-prefix.ts';
import { decoded, encodedSlug } from '../../../kernel/model/slugs.ts';
import type { Clause } from '../../../kernel/records/types.ts';
import type { Params } from '../../../kernel/rest/request.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { formats } from '../posts/record.ts';
import type { TermRecord } from '../terms/record.ts';
import { type PostType, typeOfArchive } from '../../types/record.ts';
import type { UserRecord } from '../../people/users/record.ts';
import { archivePath, datePath, termLink, termParam } from './record.ts';
import { authorPath } from '../../people/users/record.ts';

export interface ListAt {
  readonly of:
    | { readonly kind: 'term'; readonly term: TermRecord }
    | { readonly kind: 'author'; readonly author: UserRecord }
    | { readonly kind: 'format'; readonly format: string }
    | { readonly kind: 'date'; readonly date: string }
    | { readonly kind: 'archive'; readonly type: PostType };
  /** Path of its first page, with slashes at both ends. */
  readonly path: string;
  readonly prefix: string;
  /** Parameters in the segments before it. */
  readonly params: Params;
  /** Whether the requested URL is canonical, not a redirect to it. */
  readonly isThere: boolean;
}

/** A path of the site, and the parameters in its first segments. */
type Place = ReturnType<typeof splitPath>;

/** Items come first: `lookUp`. */
export function listAt(site: Site, place: Place): ListAt | null {
  const segments = place.path.split('/').filter((segment) => segment !== '');
  const [first = '', second, third] = segments;
  const { params } = place;
  const prefix = prefixOf(site, '', params);
  const list = (of: ListAt['of'], path: string): ListAt => ({
    ...{ of, path: prefix + path, prefix, params },
    isThere: decoded(path) === decoded(`/${segments.join('/')}/`),
  });
  if (first === 'author' && second !== undefined && third === undefined) {
    const author = authorNamed(site, encodedSlug(second));
    return author ? list({ kind: 'author', author }, authorPath(author)) : null;
  }
  const date = dateOf(segments);
  if (date !== null) return list({ kind: 'date', date }, datePath(date));
  const taxonomy = [...site.taxonomies.values()].find((one) => one.public && one.base === first);
  if (taxonomy?.name === 'post_format')
    return third === undefined && isFormat(second) ? list({ kind: 'format', format: second }, `/${first}/${second}/`) : null;
  if (taxonomy && second !== undefined) return termAt(site, place, taxonomy.name, segments.at(-1) as string);
  const type = second === undefined ? typeOfArchive(site.types, first) : undefined;
  return type ? list({ kind: 'archive', type }, archivePath(type)) : null;
}

/** By current or former slug. */
export function termAt(site: Site, { prefix, path }: Place, taxonomy: string, segment: string): ListAt | null {
  if (!site.taxonomies.get(taxonomy)?.public) return null;
  const slug = encodedSlug(segment);
  for (const name of [slug, `~${slug}`]) {
    const found = [...site.terms.with('slug', `${taxonomy}:${name}`)]
      .sort((a, b) => a - b)
      .flatMap((id) => site.terms.get(id) ?? []);
    const term = found.find((one) => itemPrefix(site, one) === prefix) ?? found[0];
    if (!term) continue;
    const link = termLink(site, term);
    const isThere = link.includes('?') || decoded(link) === decoded(`${withoutTrailing(prefix + path, '/')}/`);
    return { of: { kind: 'term', term }, path: link, prefix: itemPrefix(site, term), params: itemParams(site, term), isThere };
  }
  return null;
}

/** The list of a plain URL: `/?cat=3`, `/?author=2`, `/?m=201203`. Null: not a list URL; `missing`: an unknown list. */
export function listNamed(site: Site, place: Place, query: Params): ListAt | 'missing' | null {
  for (const [name, read] of plainNames) {
    const value = textIn(query, name);
    const found = value === null ? undefined : read(site, place, value, query);
    if (found !== undefined) return found ?? 'missing';
  }
  const own = [...site.taxonomies.values()].find(
    (one) => one.public && !isStandard(one.name) && textIn(query, termParam(one)) !== null,
  );
  return own ? (bySlug(site, place, own.name, textIn(query, termParam(own)) as string) ?? 'missing') : null;
}

/** Null for an unknown list; undefined if the parameter names none. */
type Named = ListAt | null | undefined;

/** Source: the reference's query variables. */
const plainNames: readonly (readonly [string, (site: Site, place: Place, value: string, query: Params) => Named])[] = [
  ['cat', (site, place, value) => byId(site, place, 'category', value)],
  ['category_name', (site, place, value) => bySlug(site, place, 'category', value)],
  ['tag', (site, place, value) => bySlug(site, place, 'post_tag', value)],
  ['tag_id', (site, place, value) => byId(site, place, 'post_tag', value)],
  ['author', (site, place, value) => (isId(value) ? ofAuthor(site, place, site.users.get(Number(value))) : undefined)],
  ['author_name', (site, place, value) => ofAuthor(site, place, authorNamed(site, encodedSlug(value)))],
  ['m', (site, place, value) => ofDate(site, place, /^(\d{4})(\d\d)?(\d\d)?\d{0,6}$/.exec(value)?.slice(1) ?? [])],
  [
    'year',
    (site, place, value, query) => ofDate(site, place, [value, ...['monthnum', 'day'].map((name) => textIn(query, name))]),
  ],
  ['post_type', (site, place, value) => ofType(site, place, value)],
];

function textIn(query: Params, name: string): string | null {
  const value = query[name];
  return (typeof value === 'string' || typeof value === 'number') && value !== '' ? String(value) : null;
}

function isId(value: string): boolean {
  return /^[1-9]\d{0,14}$/.test(value);
}

function isStandard(taxonomy: string): boolean {
  return ['category', 'post_tag', 'post_format'].includes(taxonomy);
}

function byId(site: Site, place: Place, taxonomy: string, id: string): Named {
  if (!isId(id)) return undefined;
  const term = site.terms.get(Number(id));
  return term?.taxonomy === taxonomy ? termAt(site, place, taxonomy, term.slug) : null;
}

/** By slug, optionally preceded by its parents. */
function bySlug(site: Site, place: Place, taxonomy: string, slug: string): Named {
  return termAt(site, place, taxonomy, withoutTrailing(slug, '/').replace(/^.*\//s, ''));
}

function ofAuthor(site: Site, place: Place, author: UserRecord | undefined): Named {
  return author && hasWritten(site, author) ? listAt(site, { ...place, path: authorPath(author) }) : null;
}

function ofDate(site: Site, place: Place, parts: readonly (string | null | undefined)[]): Named {
  const [year = '', ...rest] = parts.filter((part) => typeof part === 'string');
  return /^\d{4}$/.test(year) ? listAt(site, { ...place, path: `/${[year, ...rest].join('/')}/` }) : undefined;
}

function ofType(site: Site, place: Place, name: string): Named {
  const path = archivePath(site.types.get(name));
  return path === '/' ? undefined : listAt(site, { ...place, path });
}

/** Does not reveal who has an account. */
function hasWritten(site: Site, { id }: UserRecord): boolean {
  const where: Clause[] = [
    { kind: 'in', index: 'author', values: [id] },
    { kind: 'in', index: 'status', values: ['publish'] },
    { kind: 'in', index: 'type', values: ['post'] },
  ];
  return site.posts.query({ where, sort: { by: 'id', direction: 'asc' }, offset: 0, limit: 0 }).total > 0;
}

function authorNamed(site: Site, slug: string): UserRecord | undefined {
  const id = site.users.lowest('slug', slug) ?? site.users.lowest('slug', `~${slug}`);
  return id === undefined ? undefined : site.users.get(id);
}

function isFormat(name: string | undefined): name is string {
  return name !== undefined && name !== 'standard' && formats.some((format) => format === name);
}

/** Month and day may have one digit. */
function dateOf(segments: readonly string[]): string | null {
  const [, year, ...rest] = /^(\d{4})(?:\/(\d\d?)(?:\/(\d\d?))?)?$/.exec(segments.join('/')) ?? [];
  if (year === undefined) return null;
  const date = [year, ...rest.flatMap((part) => part?.padStart(2, '0') ?? [])].join('-');
  return new Date(Date.parse(date)).toJSON()?.startsWith(date) ? date : null;
}
