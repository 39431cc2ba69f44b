/**
 * From an address of the site to what is there: a published post under its present address, or the way to it from a former
 * or plain one.
 */
import { pathKey } from '../../kernel/model/aliases.ts';
import { originalsOfDerived } from '../../media-files/image-sizes.ts';
import type { PostRecord } from '../posts/record.ts';
import { type AddressBook, belowPathAlias, isBelow, withPathAlias } from './address-book.ts';
import type { Redirect, RedirectStatus } from './redirects-file.ts';
import { encodedSlug } from '../../kernel/model/slugs.ts';
import { splitPath } from '../../kernel/rest/address-prefix.ts';
import type { Site } from '../../kernel/site/site.ts';
import { hasPrettyLink, pathOf, plainLink, prettyLink, segmentsOf } from './record.ts';

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
  const asked = splitPath(site, path);
  const found = itemAt(site, asked, query);
  if (found && 'post' in found) return found;
  return redirected(site, path, search) ?? byPathAlias(site, asked) ?? found ?? byAliasAbove(site, asked);
}

/** The same for the address of an item: what has other segments before its own is something else, and not meant by it. */
export function lookUpWithin(site: Site, address: string): ResolvedUrl | null {
  const found = lookUp(site, address, {});
  if (!found || !('redirect' in found) || site.modules.address.length === 0 || site.redirects.find(address, '')) return found;
  return splitPath(site, found.redirect).prefix === splitPath(site, address).prefix ? found : null;
}

/** A path of the site without segments that items have before theirs. */
type Asked = ReturnType<typeof splitPath>;

/** The post at an address, at a present or former slug of it, or by its id. */
function itemAt(site: Site, asked: Asked, query: Readonly<Record<string, unknown>>): ResolvedUrl | null {
  const id = Number(query.p ?? query.page_id ?? query.attachment_id ?? Number.NaN);
  if (Number.isInteger(id)) {
    const post = site.posts.get(id);
    return post && isReachable(site, post) ? there(site, post, plainLink(site, post)) : null;
  }
  const segments = segmentsIn(asked.path);
  const last = segments.at(-1);
  if (last === undefined) return null;
  const slug = encodedSlug(last);
  const book = bookOf(site, asked);
  const isAt = (post: PostRecord): boolean =>
    book.typeOf(post)?.hierarchical
      ? isBelow(book, post, segments)
      : pathOf(site, post).split('/').length === segments.length + 2;
  for (const name of [slug, `~${slug}`]) {
    const post = book.named(name).find((one) => book.isReachable(one) && isAt(one));
    if (post) return there(site, post, `${asked.prefix}/${segments.map(encodedSlug).join('/')}/`);
  }
  return null;
}

function redirected(site: Site, path: string, search: string): ResolvedUrl | null {
  const rule = site.redirects.find(path, search) ?? ofWholePicture(site, path);
  if (!rule) return null;
  return rule.status === 410 ? { gone: true } : { redirect: rule.to, status: rule.status };
}

/** What leads a picture on leads its sizes there, too: other sites show them, and nobody writes a line for each. */
function ofWholePicture(site: Site, path: string): Redirect | undefined {
  const from = path.lastIndexOf('/') + 1;
  const names = originalsOfDerived(path.slice(from)).flatMap((name) => [name, name.replace(/\.[a-z]+$/, '-scaled$&')]);
  return names.map((name) => site.redirects.find(path.slice(0, from) + name, '')).find((rule) => rule !== undefined);
}

/** An alias that is the whole path. */
function byPathAlias(site: Site, asked: Asked): ResolvedUrl | null {
  const post = withPathAlias(bookOf(site, asked), segmentsIn(pathKey(asked.path)));
  return post === undefined ? null : moved(prettyLink(site, post));
}

/** What lies below a page that has an alias for a part of the path. */
function byAliasAbove(site: Site, asked: Asked): ResolvedUrl | null {
  const post = belowPathAlias(bookOf(site, asked), segmentsIn(pathKey(asked.path)));
  return post === undefined ? null : moved(prettyLink(site, post));
}

/** What has the segments of the address comes first. An address without any leads to what has some. */
function bookOf(site: Site, { prefix }: Asked): AddressBook<PostRecord> {
  return {
    named(name) {
      const found = [...site.posts.with('slug', name)].sort((a, b) => a - b).flatMap((id) => site.posts.get(id) ?? []);
      if (site.modules.address.length === 0) return found;
      const isMeant = (post: PostRecord): boolean => segmentsOf(site, post) === prefix;
      const others = prefix === '' || name.startsWith('~/') ? found.filter((post) => !isMeant(post)) : [];
      return [...found.filter(isMeant), ...others];
    },
    isReachable: (post) => isReachable(site, post),
    typeOf: (post) => site.types.get(post.type),
    slugsOf: (post) => post,
    above: (post) => site.posts.get(post.parent),
    isDirectlyBelow: (post, parent) => post.parent === parent.id && post.type === parent.type,
  };
}

function isReachable(site: Site, post: PostRecord): boolean {
  return hasPrettyLink(site, post, false) && site.types.get(post.type)?.viewable === true;
}

function there(site: Site, post: PostRecord, asked: string): ResolvedUrl {
  const link = prettyLink(site, post);
  return link === asked ? { post } : moved(link);
}

function moved(link: string): ResolvedUrl {
  return { redirect: link, status: 301 };
}

function segmentsIn(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '');
}
