/** Resolves a URL to a page. */
import { plainParams } from '../../../kernel/rest/args.ts';
import { itemParams, itemPrefix, prefixOf, splitPath } from '../../../kernel/rest/address-prefix.ts';
import { parseQuery } from '../../../kernel/rest/params.ts';
import type { Params } from '../../../kernel/rest/request.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { type ListAt, listAt, listNamed, lookUp, termAt, wholeAt } from '../../content/permalinks/index.ts';
import { chosenPage, isPublic, prettyLink, settingPage } from '../../content/permalinks/record.ts';
import { wordsAt, wordsIn } from '../../content/search/record.ts';
import { namedIn, previewAt } from '../../content/posts/index.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import type { List, Target } from './record.ts';

/** The requested URL without language segments. */
type Place = ReturnType<typeof splitPath>;

const paged = /^(.*?\/)page\/([1-9]\d{0,5})\/?$/;

/** @param url  path and query */
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
  // Feeds are served elsewhere: this is an unknown one.
  if (typeof query.feed === 'string' && query.feed !== '') return missing;
  if (found) return postTarget(site, found.post, pageIn(query)) ?? missing;
  // A hidden item named by the query is a 404, on the front page too.
  if (namedIn(query).length > 0) return missing;
  const index = /^\/index\.php(\/.*)?$/.exec(place.path);
  if (index)
    return { kind: 'redirect', to: `${place.prefix}${index[1] ?? '/'}${search === '' ? '' : `?${search}`}`, status: 301 };
  const whole = wholeAt(site, place);
  if (whole !== null) return { kind: 'redirect', to: whole, status: 301 };
  const [, first = place.path, number = ''] = paged.exec(place.path) ?? [];
  // The first page of a list has one URL.
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

/** Only the posts page has further pages. */
function postTarget(site: Site, post: PostRecord, page: number): Target | null {
  const list = postsPage(site, post);
  if (list) return { kind: 'list', list, page };
  return page === 1 ? { kind: 'post', post } : null;
}

/** The list of posts, if this is the posts page. */
function postsPage(site: Site, post: PostRecord): List | null {
  if (post.type !== 'page' || site.settings.value('front') !== 'page') return null;
  const params = itemParams(site, post);
  if (settingPage(site, 'posts_page', params) !== post.id) return null;
  return { path: prettyLink(site, post), prefix: itemPrefix(site, post), params, of: { kind: 'home', page: post } };
}

/** A list, or the static front page. */
function within(site: Site, place: Place, query: Params, page: number): Target | null {
  const { path, params } = place;
  const prefix = prefixOf(site, '', params);
  const list = (of: List['of']): Target => ({ kind: 'list', page, list: { path: `${prefix}/`, prefix, params, of } });
  if (path !== '/' && path !== '') {
    const words = wordsAt(path);
    return words === null ? listTarget(listAt(site, place), page) : list({ kind: 'search', words });
  }
  if (query.s !== undefined) return list({ kind: 'search', words: wordsIn(String(query.s)) });
  const named = listNamed(site, place, query);
  if (named === 'missing') return null;
  // Some lists have no other URL.
  if (named?.path.includes('?')) return listTarget({ ...named, isThere: true }, page);
  if (named) return { kind: 'redirect', to: page === 1 ? named.path : `${named.path}page/${page}/`, status: 301 };
  if (query.taxonomy !== undefined && query.term !== undefined)
    return listTarget(termAt(site, place, String(query.taxonomy), String(query.term)), page);
  const front = chosenPage(site, 'front_page', params);
  if (front && isPublic(site, front)) return page === 1 ? { kind: 'post', post: front } : null;
  return list({ kind: 'home' });
}

function listTarget(found: ListAt | null, page: number): Target | null {
  if (!found) return null;
  const { isThere, ...list } = found;
  return isThere ? { kind: 'list', list, page } : { kind: 'redirect', to: list.path, status: 301 };
}
