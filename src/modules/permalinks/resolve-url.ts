/**
 * From an address of the site to what is there: a published post under its present address, or the way to it from a former
 * or plain one.
 */
import { pathKey } from '../../kernel/model/aliases.ts';
import type { PostRecord } from '../posts/record.ts';
import { type AddressBook, belowPathAlias, isBelow, withPathAlias } from './address-book.ts';
import type { RedirectStatus } from './redirects-file.ts';
import { encodedSlug } from '../../kernel/model/slugs.ts';
import type { Site } from '../../kernel/site/site.ts';
import { plainLink, prettyLink } from './permalinks.ts';
import { isPublished } from '../posts/plan.ts';

type ResolvedUrl =
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
  return redirected(site, path, search) ?? byPathAlias(site, path) ?? found ?? byAliasAbove(site, path);
}

/** The post at an address, at a present or former slug of it, or by its id. */
function itemAt(site: Site, path: string, query: Readonly<Record<string, unknown>>): ResolvedUrl | null {
  const id = Number(query.p ?? query.page_id ?? query.attachment_id ?? Number.NaN);
  if (Number.isInteger(id)) {
    const post = site.posts.get(id);
    return post && isReachable(site, post) ? there(site, post, plainLink(post)) : null;
  }
  const segments = segmentsOf(path);
  const last = segments.at(-1);
  if (last === undefined) return null;
  const slug = encodedSlug(last);
  const book = bookOf(site);
  const isAt = (post: PostRecord): boolean =>
    book.typeOf(post)?.hierarchical
      ? isBelow(book, post, segments)
      : prettyLink(site, post).split('/').length === segments.length + 2;
  for (const name of [slug, `~${slug}`]) {
    const post = book.named(name).find((one) => book.isReachable(one) && isAt(one));
    if (post) return there(site, post, `/${segments.map(encodedSlug).join('/')}/`);
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
  const post = withPathAlias(bookOf(site), segmentsOf(pathKey(path)));
  return post === undefined ? null : moved(prettyLink(site, post));
}

/** What lies below a page that has an alias for a part of the path. */
function byAliasAbove(site: Site, path: string): ResolvedUrl | null {
  const post = belowPathAlias(bookOf(site), segmentsOf(pathKey(path)));
  return post === undefined ? null : moved(prettyLink(site, post));
}

function bookOf(site: Site): AddressBook<PostRecord> {
  return {
    named: (name) => [...site.posts.with('slug', name)].sort((a, b) => a - b).flatMap((id) => site.posts.get(id) ?? []),
    isReachable: (post) => isReachable(site, post),
    typeOf: (post) => site.types.get(post.type),
    slugsOf: (post) => post,
    above: (post) => site.posts.get(post.parent),
    isDirectlyBelow: (post, parent) => post.parent === parent.id && post.type === parent.type,
  };
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

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '');
}
