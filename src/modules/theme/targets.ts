/**
 * From an address to the page that is there.
 */
import { encodedSlug, decoded } from '../../kernel/model/slugs.ts';
import { plainParams } from '../../kernel/rest/args.ts';
import { itemParams, itemPrefix, prefixOf, splitPath } from '../../kernel/rest/address-prefix.ts';
import { parseQuery } from '../../kernel/rest/params.ts';
import type { Params } from '../../kernel/rest/request.ts';
import type { Site } from '../../kernel/site/site.ts';
import { lookUp } from '../permalinks/index.ts';
import { archivePath, authorPath, datePath, isPublic, prettyLink, settingPage, termLink } from '../permalinks/record.ts';
import { namedIn, previewAt } from '../posts/index.ts';
import { formats, type PostRecord } from '../posts/record.ts';
import type { TermRecord } from '../terms/record.ts';
import { typeOfArchive } from '../types/record.ts';
import type { List, Target } from './record.ts';

/** The address as it is asked for, without the segments that stand for a language. */
interface Place {
  readonly prefix: string;
  readonly path: string;
  readonly params: Params;
}

const paged = /^(.*?\/)page\/([1-9]\d{0,5})\/?$/;
const maxWords = 200;

/** @param url  path and query, as a request has them */
export function targetAt(site: Site, url: string): Target {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  const search = mark < 0 ? '' : url.slice(mark + 1);
  const query = plainParams(parseQuery(search), {});
  const place = splitPath(site, path);
  const missing: Target = { kind: 'missing', prefix: place.prefix, params: place.params };
  const preview = previewAt(site, query);
  if (preview === 'refused') return missing;
  if (preview) return { kind: 'post', post: preview, isPreview: true };
  const found = lookUp(site, path, query, search);
  if (found && 'redirect' in found) return { kind: 'redirect', to: found.redirect, status: found.status };
  if (found && 'gone' in found) return { ...missing, kind: 'gone' };
  if (found) return postTarget(site, found.post, pageIn(query)) ?? missing;
  // An item that the address names and visitors may not see is missing, on the front page too.
  if (namedIn(query).length > 0) return missing;
  const [, first = place.path, number = ''] = paged.exec(place.path) ?? [];
  // The first page of a list has one address.
  if (number === '1') return { kind: 'redirect', to: place.prefix + first + (search === '' ? '' : `?${search}`), status: 301 };
  const page = number === '' ? pageIn(query) : Number(number);
  if (number !== '') {
    const listed = lookUp(site, place.prefix + first, {});
    if (listed && 'post' in listed) return postTarget(site, listed.post, page) ?? missing;
  }
  return within(site, { ...place, path: first }, query, page) ?? missing;
}

function pageIn({ paged: asked }: Params): number {
  return /^[1-9]\d{0,5}$/.test(String(asked ?? '')) ? Number(asked) : 1;
}

/** Only the page that stands for the posts has others after it. */
function postTarget(site: Site, post: PostRecord, page: number): Target | null {
  const list = postsPage(site, post);
  if (list) return { kind: 'list', list, page };
  return page === 1 ? { kind: 'post', post } : null;
}

/** The list of the posts where a page is chosen for it, and this is that page. */
function postsPage(site: Site, post: PostRecord): List | null {
  if (post.type !== 'page' || site.settings.value('front') !== 'page') return null;
  const params = itemParams(site, post);
  if (settingPage(site, 'posts_page', params) !== post.id) return null;
  return { path: prettyLink(site, post), prefix: itemPrefix(site, post), params, of: { kind: 'home', page: post } };
}

/** A list, or the page that is the front page. */
function within(site: Site, place: Place, query: Params, page: number): Target | null {
  const { path, params } = place;
  const prefix = site.modules.address.length === 0 ? place.prefix : prefixOf(site, '', params);
  const list = (of: List['of'], below: string): Target => ({
    kind: 'list',
    page,
    list: { path: prefix + below, prefix, params, of },
  });
  if (path === '/' || path === '' || path === '/index.php') {
    if (query.s !== undefined) return list({ kind: 'search', words: String(query.s).trim().slice(0, maxWords) }, '/');
    if (query.taxonomy !== undefined && query.term !== undefined)
      return termTarget(site, place, String(query.taxonomy), String(query.term), page);
    const front = site.settings.value('front') === 'page' ? site.posts.get(settingPage(site, 'front_page', params)) : undefined;
    if (front && isPublic(site, front)) return page === 1 ? { kind: 'post', post: front } : null;
    return list({ kind: 'home' }, '/');
  }
  const segments = path.split('/').filter((segment) => segment !== '');
  const [first = '', second, third] = segments;
  if (first === 'author' && second !== undefined && third === undefined)
    return authorTarget(site, { prefix, params }, second, page);
  const date = dateOf(segments);
  if (date !== null) return list({ kind: 'date', date }, datePath(date));
  const taxonomy = [...site.taxonomies.values()].find((one) => one.public && one.base === first);
  if (taxonomy?.name === 'post_format')
    return third === undefined && isFormat(second) ? list({ kind: 'format', format: second }, `/${first}/${second}/`) : null;
  if (taxonomy && second !== undefined) return termTarget(site, place, taxonomy.name, segments.at(-1) as string, page);
  const type = second === undefined ? typeOfArchive(site.types, first) : undefined;
  return type ? list({ kind: 'archive', type }, archivePath(type)) : null;
}

function isFormat(name: string | undefined): name is string {
  return name !== undefined && name !== 'standard' && formats.some((format) => format === name);
}

function dateOf(segments: readonly string[]): string | null {
  const [, year, month, day] = /^(\d{4})(?:\/(\d{2})(?:\/(\d{2}))?)?$/.exec(segments.join('/')) ?? [];
  if (year === undefined) return null;
  const date = [year, month, day].filter((part) => part !== undefined).join('-');
  return Number.isNaN(Date.parse(date)) ? null : date;
}

function authorTarget(site: Site, place: Pick<Place, 'prefix' | 'params'>, segment: string, page: number): Target | null {
  const slug = encodedSlug(segment);
  for (const name of [slug, `~${slug}`]) {
    const author = site.users.get(site.users.lowest('slug', name) ?? 0);
    if (!author) continue;
    const path = place.prefix + authorPath(author);
    if (name !== slug) return { kind: 'redirect', to: path, status: 301 };
    return { kind: 'list', page, list: { ...place, path, of: { kind: 'author', author } } };
  }
  return null;
}

/** By its slug, or a former one; under an address that is not its own, the way there. */
function termTarget(site: Site, { prefix, path }: Place, taxonomy: string, segment: string, page: number): Target | null {
  if (!site.taxonomies.get(taxonomy)?.public) return null;
  const slug = encodedSlug(segment);
  for (const name of [slug, `~${slug}`]) {
    const found = [...site.terms.with('slug', `${taxonomy}:${name}`)]
      .sort((a, b) => a - b)
      .flatMap((id) => site.terms.get(id) ?? []);
    const term = found.find((one) => itemPrefix(site, one) === prefix) ?? found[0];
    if (!term) continue;
    const link = termLink(site, term);
    const isThere = link.includes('?') || decoded(link) === decoded(`${prefix}${path}`.replace(/\/*$/, '/'));
    if (!isThere) return { kind: 'redirect', to: link, status: 301 };
    return { kind: 'list', page, list: listOfTerm(site, term, link) };
  }
  return null;
}

export function listOfTerm(site: Site, term: TermRecord, path = termLink(site, term)): List {
  return { path, prefix: itemPrefix(site, term), params: itemParams(site, term), of: { kind: 'term', term } };
}
