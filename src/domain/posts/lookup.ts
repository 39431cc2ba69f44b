/**
 * From an address of the site to what is there: a published post under its present address, or the way to it from a former
 * or plain one.
 */
import type { PostRecord } from '../../model/post.ts';
import { plainLink, prettyLink } from './permalinks.ts';
import { isPublished } from './posts.ts';
import type { Site } from '../site.ts';
import { encodedSlug } from '../../model/slugs.ts';

export type Found = { readonly post: PostRecord } | { readonly redirect: string };

/**
 * @param path   decoded or not, with or without a trailing slash
 * @param query  of the address: `p`, `page_id` and `attachment_id` name an item by its id
 */
export function lookUp(site: Site, path: string, query: Readonly<Record<string, unknown>>): Found | null {
  const id = Number(query.p ?? query.page_id ?? query.attachment_id ?? Number.NaN);
  if (Number.isInteger(id)) {
    const post = site.posts.get(id);
    return post && site.types.get(post.type)?.viewable && isPublished(site, post) ? there(site, post, plainLink(post)) : null;
  }
  const segments = path.split('/').filter((segment) => segment !== '');
  const last = segments.at(-1);
  if (last === undefined) return null;
  const slug = encodedSlug(last);
  for (const name of [slug, `~${slug}`]) {
    for (const candidate of [...site.posts.with('slug', name)].sort((a, b) => a - b)) {
      const post = site.posts.get(candidate);
      if (!post || !isPublished(site, post) || !site.types.get(post.type)?.viewable) continue;
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

function there(site: Site, post: PostRecord, asked: string): Found {
  const link = prettyLink(site, post);
  return link === asked ? { post } : { redirect: link };
}

/** Whether every segment is a slug, present or former, of the post and those above it. */
function isBelow(site: Site, post: PostRecord, segments: readonly string[]): boolean {
  let at: PostRecord | undefined = post;
  for (const segment of [...segments].reverse()) {
    const slug = encodedSlug(segment);
    if (!at || (at.slug !== slug && !at.aliases.includes(slug))) return false;
    at = site.posts.get(at.parent);
  }
  return at === undefined;
}
