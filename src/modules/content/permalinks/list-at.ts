/**
 * From an address of the site to the list that stands there: of what a person has written, of a time, of a term, of a format, of a type.
 */
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';
import { itemParams, itemPrefix, prefixOf, type splitPath } from '../../../kernel/rest/address-prefix.ts';
import { decoded, encodedSlug } from '../../../kernel/model/slugs.ts';
import type { Params } from '../../../kernel/rest/request.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { formats } from '../posts/record.ts';
import type { TermRecord } from '../terms/record.ts';
import { type PostType, typeOfArchive } from '../../types/record.ts';
import type { UserRecord } from '../../people/users/record.ts';
import { archivePath, datePath, termLink } from './record.ts';
import { authorPath } from '../../people/users/record.ts';

export interface ListAt {
  readonly of:
    | { readonly kind: 'term'; readonly term: TermRecord }
    | { readonly kind: 'author'; readonly author: UserRecord }
    /** Of posts: `aside`. */
    | { readonly kind: 'format'; readonly format: string }
    /** `2026`, `2026-03` or `2026-03-05`. */
    | { readonly kind: 'date'; readonly date: string }
    | { readonly kind: 'archive'; readonly type: PostType };
  /** Its own address: the path of its first page, with slashes at both ends. */
  readonly path: string;
  readonly prefix: string;
  /** What the segments before it stand for. */
  readonly params: Params;
  /** The address asked for is its own, and not one that leads there. */
  readonly isThere: boolean;
}

/** A path of the site, and what segments before it stand for. */
type Place = ReturnType<typeof splitPath>;

/** What an item has comes first: `lookUp`. */
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

/** By its slug, or a former one. */
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

function authorNamed(site: Site, slug: string): UserRecord | undefined {
  const id = site.users.lowest('slug', slug) ?? site.users.lowest('slug', `~${slug}`);
  return id === undefined ? undefined : site.users.get(id);
}

function isFormat(name: string | undefined): name is string {
  return name !== undefined && name !== 'standard' && formats.some((format) => format === name);
}

/** A month or a day may stand with one digit. */
function dateOf(segments: readonly string[]): string | null {
  const [, year, ...rest] = /^(\d{4})(?:\/(\d\d?)(?:\/(\d\d?))?)?$/.exec(segments.join('/')) ?? [];
  if (year === undefined) return null;
  const date = [year, ...rest.flatMap((part) => part?.padStart(2, '0') ?? [])].join('-');
  return new Date(Date.parse(date)).toJSON()?.startsWith(date) ? date : null;
}
