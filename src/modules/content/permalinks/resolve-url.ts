/** Resolves a URL of the site: to a published post at its current URL, or to a redirect from a former or plain one. */
import { isPathAlias, pathKey } from './aliases.ts';
import { originalsOfDerived } from '../../../kernel/store/paths.ts';
import type { PostRecord } from '../posts/record.ts';
import { listAt } from './list-at.ts';
import type { Redirect } from './redirects-file.ts';
import { decoded } from '../../../kernel/model/slugs.ts';
import { splitPath } from '../../../kernel/rest/address-prefix.ts';
import type { Site } from '../../../kernel/site/site.ts';
import {
  type Addresses,
  hasPrettyLink,
  pathOf,
  plainLink,
  prettyLink,
  readPattern,
  type ResolvedUrl,
  segmentsOf,
} from './record.ts';

/**
 * Items come first, then `redirects.yaml`, then whole paths among the aliases, then current and former slugs, unless there is a list.
 *
 * @param path   decoded or not, with or without a trailing slash
 * @param query  of the URL: `p`, `page_id` and `attachment_id` name an item by its id
 * @param search  the raw query, without its `?`
 */
export function lookUp(site: Site, path: string, query: Readonly<Record<string, unknown>>, search = ''): ResolvedUrl | null {
  if (isTooDeep(path)) return redirected(site, path, search) ?? null;
  const asked = splitPath(site, path);
  const found = itemAt(site, asked, query);
  if (found && 'post' in found) return found;
  const key = pathKey(asked.path);
  return (
    redirected(site, path, search) ??
    movedTo(site, withPathAlias(site, asked, key)) ??
    found ??
    movedTo(site, belowPathAlias(site, asked, key))
  );
}

/**
 * Suffixes of an item's URL: `/hello/2/`, `/hello/comment-page-2/`, `/hello/embed/`, `/hello/amp/`, `/hello/trackback/`. All of them are on its one
 * page here.
 */
const part = /^(.+\/)(?:embed|amp|trackback|comment-page-[1-9]\d{0,5}|[1-9]\d{0,5})\/?$/;

/**
 * The URL of the item, for a URL of one of its parts; null otherwise. Items and lists with the whole URL come first.
 * @param path  without language segments
 */
export function wholeAt(site: Site, { path, ...place }: Asked): string | null {
  const whole = part.exec(path)?.[1];
  if (whole === undefined || listAt(site, { path, ...place }) || listAt(site, { path: whole, ...place })) return null;
  const found = lookUp(site, place.prefix + whole, {});
  if (!found || 'gone' in found) return null;
  return 'post' in found ? prettyLink(site, found.post) : found.redirect;
}

export function createLookUpWithin(site: Site): Addresses['within'] {
  return (address) => {
    const found = lookUp(site, address, {});
    if (!found || !('redirect' in found) || site.modules.address.length === 0 || site.redirects.find(address, '')) return found;
    return splitPath(site, found.redirect).prefix === splitPath(site, address).prefix ? found : null;
  };
}

/** URLs with more segments match nothing, which bounds the cost. */
const maxSegments = 50;

function isTooDeep(path: string): boolean {
  let segments = 0;
  for (let at = path.indexOf('/'); at !== -1 && segments <= maxSegments; at = path.indexOf('/', at + 1)) segments++;
  return segments > maxSegments;
}

/** A path of the site without language segments. */
type Asked = ReturnType<typeof splitPath>;

/** The post at a URL, by a current or former slug, or by id. */
function itemAt(site: Site, asked: Asked, query: Readonly<Record<string, unknown>>): ResolvedUrl | null {
  const id = Number(query.p ?? query.page_id ?? query.attachment_id ?? Number.NaN);
  if (Number.isInteger(id)) {
    const post = site.posts.get(id);
    return post && isReachable(site, post) ? there(site, post, plainLink(site, post)) : null;
  }
  const post = itemsAt(site, asked).find((one) => isReachable(site, one));
  if (post) return { post };
  const near = bySlug(site, asked);
  return near && isListBefore(site, asked, near) ? null : movedTo(site, near);
}

/** Items at a URL, in any status, oldest first: by slug, or by the values of the permalink pattern. */
export function itemsAt(site: Site, { prefix, path }: Pick<Asked, 'prefix' | 'path'>): readonly PostRecord[] {
  if (isTooDeep(path)) return [];
  const key = pathKey(path);
  if (key === '') return [];
  const { slug = '', id } = saidBy(site, key);
  // Slugs in hand-written files may be unencoded.
  const names = new Set([slug, lastOf(key)].flatMap((name) => [name, decoded(name)]));
  const ids = new Set([...names].flatMap((name) => [...site.posts.with('slug', name)]));
  if (id !== undefined) ids.add(Number(id));
  const whole = pathKey(prefix + key);
  return [...ids]
    .sort((a, b) => a - b)
    .flatMap((one) => site.posts.get(one) ?? [])
    .filter((post) => segmentsOf(site, post) === prefix && pathKey(prettyLink(site, post)) === whole);
}

/** The item with the last slug of a URL, current or former; in a hierarchy each segment must match a parent. */
function bySlug(site: Site, asked: Asked): PostRecord | undefined {
  const key = pathKey(asked.path);
  const segments = segmentsIn(key);
  const { slug = '' } = saidBy(site, key);
  const isAt = (post: PostRecord): boolean =>
    site.types.get(post.type)?.hierarchical ? isBelow(site, post, segments) : isAsDeep(site, post, segments);
  return [...new Set([lastOf(key), slug])]
    .filter((name) => name !== '')
    .flatMap((name) => [name, `~${name}`])
    .flatMap((name) => named(site, asked, name))
    .find(isAt);
}

/** Whether the URL of an item has this many segments. */
export function isAsDeep(site: Site, post: PostRecord, segments: readonly string[]): boolean {
  return segmentsIn(pathOf(site, post)).length === segments.length;
}

/** Whether the URL is that of a list, in any language, and the item found only shares its slug. */
function isListBefore(site: Site, asked: Asked, near: PostRecord): boolean {
  const key = pathKey(asked.path);
  const list = pathKey(pathOf(site, near)) === key ? null : listAt(site, asked);
  return list !== null && pathKey(splitPath(site, list.path).path) === key;
}

function saidBy(site: Site, key: string): NonNullable<ReturnType<typeof readPattern>> {
  return readPattern(site.settings.value('permalink') as string, key) ?? {};
}

function lastOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}

/** Whether every segment is a current or former slug of a hierarchical item and its parents. */
function isBelow(site: Site, post: PostRecord, segments: readonly string[]): boolean {
  const { type } = post;
  // Custom types have their name before the path.
  if (type !== 'page' && segments[0] !== type) return false;
  let at: PostRecord | undefined = post;
  for (const segment of (type === 'page' ? segments : segments.slice(1)).toReversed()) {
    if (at === undefined) return false;
    if (at.slug !== segment && !at.aliases.some((alias) => !isPathAlias(alias) && alias === segment)) return false;
    at = site.posts.get(at.parent);
  }
  return at === undefined;
}

function redirected(site: Site, path: string, search: string): ResolvedUrl | null {
  const rule = site.redirects.find(path, search) ?? ofWholePicture(site, path);
  if (!rule) return null;
  return rule.status === 410 ? { gone: true } : { redirect: rule.to, status: rule.status };
}

/** A redirect of an image applies to its sizes too, which other sites may embed. */
function ofWholePicture(site: Site, path: string): Redirect | undefined {
  const from = path.lastIndexOf('/') + 1;
  const names = originalsOfDerived(path.slice(from)).flatMap((name) => [name, name.replace(/\.[a-z]+$/, '-scaled$&')]);
  return names.map((name) => site.redirects.find(path.slice(0, from) + name, '')).find((rule) => rule !== undefined);
}

/** The item with this path as an alias. */
function withPathAlias(site: Site, asked: Asked, key: string): PostRecord | undefined {
  return key === '' ? undefined : named(site, asked, `~${key}`)[0];
}

/** Items below a page with an alias for part of the path: children move with their parent. */
function belowPathAlias(site: Site, asked: Asked, key: string): PostRecord | undefined {
  for (let end = key.lastIndexOf('/'); end > 0; end = key.lastIndexOf('/', end - 1)) {
    let post = withPathAlias(site, asked, key.slice(0, end));
    if (!post || !site.types.get(post.type)?.hierarchical) continue;
    for (const segment of segmentsIn(key.slice(end))) post = post && childNamed(site, asked, post, segment);
    if (post) return post;
  }
  return undefined;
}

function childNamed(site: Site, asked: Asked, { id, type }: PostRecord, slug: string): PostRecord | undefined {
  return [slug, `~${slug}`].flatMap((name) => named(site, asked, name)).find((post) => post.parent === id && post.type === type);
}

/** The public item with a slug; `~slug` is a former one, `~/path` an alias. Items with the segments of the URL come first. */
function named(site: Site, { prefix }: Asked, name: string): readonly PostRecord[] {
  const found = [...site.posts.with('slug', name)]
    .sort((a, b) => a - b)
    .flatMap((id) => site.posts.get(id) ?? [])
    .filter((post) => isReachable(site, post));
  if (site.modules.address.length === 0) return found;
  const isMeant = (post: PostRecord): boolean => segmentsOf(site, post) === prefix;
  const others = prefix === '' || name.startsWith('~/') ? found.filter((post) => !isMeant(post)) : [];
  return [...found.filter(isMeant), ...others];
}

function isReachable(site: Site, post: PostRecord): boolean {
  return hasPrettyLink(site, post, false) && site.types.get(post.type)?.viewable === true;
}

function there(site: Site, post: PostRecord, asked: string): ResolvedUrl | null {
  return prettyLink(site, post) === asked ? { post } : movedTo(site, post);
}

function movedTo(site: Site, post: PostRecord | undefined): ResolvedUrl | null {
  return post === undefined ? null : { redirect: prettyLink(site, post), status: 301, of: post };
}

function segmentsIn(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '');
}
