/** Which post a URL of this site names: the inverse of permalinks. */
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';
import type { PostRecord } from '../posts/record.ts';
import { listAt } from './list-at.ts';
import { itemsAt, lookUp } from './resolve-url.ts';
import { chosenPage, homeOf } from './record.ts';
import type { TermRecord } from '../terms/record.ts';
import { splitPath } from '../../../kernel/rest/address-prefix.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { decoded } from '../../../kernel/model/slugs.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';

/**
 * The post at an absolute URL (`https://example.com/hello/`, `…/?p=7`), in any status; undefined for other sites. Ignores `www.` and the scheme.
 * Cost: the posts with one of the slugs in the URL.
 */
export function postAt(site: Site, address: string): PostRecord | undefined {
  const place = pathIn(site, address);
  if (!place) return undefined;
  const { url } = place;
  const { path: within, params, prefix } = splitPath(site, place.path);
  const path = trimmed(within);
  for (const name of ['p', 'page_id', 'attachment_id']) {
    const id = url.searchParams.get(name) ?? '';
    if (/^\d+$/.test(id)) return site.posts.get(Number(id));
  }
  if (path === '') return chosenPage(site, 'front_page', params);
  return itemsAt(site, { prefix, path })[0];
}

/** The term whose archive is at an absolute URL: `https://example.com/category/notes/`. */
export function termAt(site: Site, address: string): TermRecord | undefined {
  const place = pathIn(site, address);
  const list = place && listAt(site, splitPath(site, place.path));
  return list?.of.kind === 'term' && plain(trimmed(list.path)) === plain(place?.path ?? '') ? list.of.term : undefined;
}

/**
 * Where a URL of this site leads instead: by a former slug or path, or by `redirects.yaml`. An absolute URL, of this site or another; '' for gone;
 * undefined where it leads nowhere else.
 */
export function redirectAt(site: Site, address: string): string | undefined {
  const place = pathIn(site, address);
  if (!place) return undefined;
  const found = lookUp(site, place.path, {}, place.url.search.slice(1));
  if (found && 'gone' in found) return '';
  const list = found === null ? listAt(site, splitPath(site, place.path)) : null;
  const to = found && 'redirect' in found ? found.redirect : list && !list.isThere ? list.path : undefined;
  return to?.startsWith('/') ? site.url + to : to;
}

/** The post to which a URL redirects. */
export function postOnceAt(site: Site, address: string): PostRecord | undefined {
  const to = redirectAt(site, address);
  return to === undefined ? undefined : postAt(site, to);
}

/** The path of a URL below the home of this site; undefined for other sites. */
function pathIn(site: Site, address: string): { readonly url: URL; readonly path: string } | undefined {
  if (!isUrl(address)) return undefined;
  const url = new URL(address);
  const homes = [homeOf(site), site.url].filter((home) => isUrl(home)).map((home) => new URL(home));
  const path = pathBelow(homes, url);
  return path === null ? undefined : { url, path: trimmed(path).replace(/^\/index\.php(?=\/|$)/, '') };
}

/** The path of a URL below one of a site's homes, the first on that host; null for other sites. */
export function pathBelow(homes: readonly URL[], url: URL): string | null {
  for (const home of homes) {
    const base = trimmed(home.pathname);
    if (hostOf(home) === hostOf(url) && `${url.pathname}/`.startsWith(`${base}/`)) return url.pathname.slice(base.length);
  }
  return null;
}

/** Decoded and in lower case, for hand-written slugs. */
const plain = (path: string): string => decoded(path).toLowerCase();

/** The host of a URL, without `www.`. */
function hostOf(url: URL): string {
  return url.host.replace(/^www\./, '');
}

function trimmed(path: string): string {
  return withoutTrailing(path, '/');
}
