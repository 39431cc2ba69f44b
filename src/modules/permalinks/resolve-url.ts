/**
 * From an address of the site to what is there: a published post under its present address, or the way to it from a former
 * or plain one.
 */
import { isPathAlias, pathKey } from '../../kernel/model/aliases.ts';
import type { PostRecord } from '../posts/record.ts';
import type { RedirectStatus } from './redirects-file.ts';
import { encodedSlug } from '../../kernel/model/slugs.ts';
import type { Site } from '../../kernel/site/site.ts';
import { plainLink, prettyLink } from './permalinks.ts';
import { isPublished } from '../posts/plan.ts';

export type ResolvedUrl =
  | { readonly post: PostRecord }
  /** A path of the site with a leading slash, or, where `redirects.yaml` says so, an absolute address. */
  | { readonly redirect: string; readonly status: Exclude<RedirectStatus, 410> }
  /** `redirects.yaml` says that nothing is there any more. */
  | { readonly gone: true };

/**
 * What has the address comes first, then `redirects.yaml`, then whole paths among the aliases, then present and former slugs.
 *
 * @param path   decoded or not, with or without a trailing slash
 * @param query  of the address: `p`, `page_id` and `attachment_id` name an item by its id
 * @param search  the query as it was sent, without its `?`
 */
export function lookUp(site: Site, path: string, query: Readonly<Record<string, unknown>>, search = ''): ResolvedUrl | null {
  const found = itemAt(site, path, query);
  if (found && 'post' in found) return found;
  return redirected(site, path, search) ?? byPathAlias(site, path) ?? found ?? belowPathAlias(site, path);
}

/** The post at an address, at a present or former slug of it, or by its id. */
function itemAt(site: Site, path: string, query: Readonly<Record<string, unknown>>): ResolvedUrl | null {
  const id = Number(query.p ?? query.page_id ?? query.attachment_id ?? Number.NaN);
  if (Number.isInteger(id)) {
    const post = site.posts.get(id);
    return post && isReachable(site, post) ? there(site, post, plainLink(post)) : null;
  }
  const segments = path.split('/').filter((segment) => segment !== '');
  const last = segments.at(-1);
  if (last === undefined) return null;
  const slug = encodedSlug(last);
  for (const name of [slug, `~${slug}`]) {
    for (const candidate of [...site.posts.with('slug', name)].sort((a, b) => a - b)) {
      const post = site.posts.get(candidate);
      if (!post || !isReachable(site, post)) continue;
      if (
        site.types.get(post.type)?.hierarchical
          ? isBelow(site, post, segments)
          : prettyLink(site, post).split('/').length === segments.length + 2
      ) {
        return there(site, post, `/${segments.map(encodedSlug).join('/')}/`);
      }
    }
  }
  return null;
}

function redirected(site: Site, path: string, search: string): ResolvedUrl | null {
  const rule = site.redirects.find(path, search);
  if (!rule) return null;
  return rule.status === 410 ? { gone: true } : { redirect: rule.to, status: rule.status };
}

/** An alias that is the whole path. */
function byPathAlias(site: Site, path: string): ResolvedUrl | null {
  const post = holderOf(site, pathKey(path));
  return post === undefined ? null : moved(prettyLink(site, post));
}

/** What lies below a page that has an alias for a part of the path: its children moved with it. */
function belowPathAlias(site: Site, path: string): ResolvedUrl | null {
  const segments = pathKey(path).split('/').slice(1);
  for (let length = segments.length - 1; length > 0; length--) {
    let post = holderOf(site, `/${segments.slice(0, length).join('/')}`);
    if (!post || !site.types.get(post.type)?.hierarchical) continue;
    for (const segment of segments.slice(length)) post = post && childNamed(site, post, segment);
    if (post) return moved(prettyLink(site, post));
  }
  return null;
}

function holderOf(site: Site, key: string): PostRecord | undefined {
  if (key === '') return undefined;
  return [...site.posts.with('slug', `~${key}`)]
    .sort((a, b) => a - b)
    .flatMap((id) => site.posts.get(id) ?? [])
    .find((post) => isReachable(site, post));
}

function childNamed(site: Site, parent: PostRecord, slug: string): PostRecord | undefined {
  for (const name of [slug, `~${slug}`])
    for (const id of site.posts.with('slug', name)) {
      const post = site.posts.get(id);
      if (post && post.parent === parent.id && post.type === parent.type && isReachable(site, post)) return post;
    }
  return undefined;
}

function isReachable(site: Site, post: PostRecord): boolean {
  return isPublished(site, post) && site.types.get(post.type)?.viewable === true;
}

function there(site: Site, post: PostRecord, asked: string): ResolvedUrl {
  const link = prettyLink(site, post);
  return link === asked ? { post } : moved(link);
}

function moved(link: string): ResolvedUrl {
  return { redirect: link, status: 301 };
}

/** Whether every segment is a slug, present or former, of the post and those above it. */
function isBelow(site: Site, post: PostRecord, segments: readonly string[]): boolean {
  let at: PostRecord | undefined = post;
  // Types of a site's own have their name before the path.
  if (post.type !== 'page' && segments[0] !== post.type) return false;
  for (const segment of (post.type === 'page' ? [...segments] : segments.slice(1)).reverse()) {
    const slug = encodedSlug(segment);
    if (!at || (at.slug !== slug && !at.aliases.some((alias) => !isPathAlias(alias) && alias === slug))) return false;
    at = site.posts.get(at.parent);
  }
  return at === undefined;
}
