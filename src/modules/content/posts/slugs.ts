/**
 * The slug a post gets: what is asked for, what its title gives, and what others have already.
 */
import { isBlank, type PostRecord, type PostInput } from './record.ts';
import { isArchiveNumber, isReservedSlug, slugify, uniqueSlug } from '../../../kernel/model/slugs.ts';
import type { PostType } from '../../types/record.ts';
import type { Actor } from '../../../kernel/model/access.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { isSiteAddress, pathOf, prettyLink } from '../permalinks/record.ts';

/** A draft's slug may be another's, unless the client names it (and, for a new one, the status as well; observed). */
export function needsOwnSlug(post: PostRecord, input: PostInput, before: PostRecord | undefined): boolean {
  return !isDraft(post.status) || (Boolean(input.slug) && (before !== undefined || input.status !== undefined));
}

export function wantedSlug(
  site: Site,
  actor: Actor | null,
  post: PostRecord,
  input: PostInput,
  before: PostRecord | undefined,
): string {
  const type = site.types.get(post.type) as PostType;
  if (post.status === 'pending' && !site.access.can(actor, type.capabilities.publish_posts)) return '';
  if (before?.status === 'trash' && post.status !== 'trash' && before.trashed?.slug) return before.trashed.slug;
  const stated = (input.slug === undefined ? (before?.slug ?? '') : slugify(input.slug)).replace(/^0$/, '');
  if (stated !== '' || isDraft(post.status)) return stated;
  return slugify(post.title) || String(post.id);
}

/** Whether another post has the slug, or the site itself needs it. */
export function isTaken(site: Site, post: PostRecord): boolean {
  const type = site.types.get(post.type) as PostType;
  if (type.viewable && isSiteAddress(pathOf(site, post))) return true;
  const permalink = site.settings.value('permalink') as string;
  // A number that a post has already stays: whoever moved it in knows it by that.
  const isKept = site.posts.get(post.id)?.slug === post.slug && post.type === 'post' && isArchiveNumber(post.slug, permalink);
  if (!isKept && isReservedSlug(post.slug, type, permalink)) return true;
  const peers = peerGroupOf(site, type);
  for (const id of site.posts.with('slug', post.slug)) {
    const other = site.posts.get(id);
    if (!other || other.id === post.id || other.slug !== post.slug) continue;
    const rivals = type.hierarchical
      ? site.types.get(other.type)?.hierarchical || other.type === 'attachment'
      : other.type === post.type;
    if (rivals && (!type.hierarchical || other.parent === post.parent) && peers(other) === peers(post)) return true;
  }
  return false;
}

function peerGroupOf(site: Site, type: PostType): (post: PostRecord) => string {
  return site.modules.extension(type.extensionNames).peerGroup;
}

/** The slug, or the first like it that no other post has or is about to get. @param isHeld  whether a slug may not be used */
export function ownSlug(site: Site, post: PostRecord, wanted: string, isHeld = isTaken): string {
  const type = site.types.get(post.type) as PostType;
  const isTree = type.hierarchical;
  const peers = peerGroupOf(site, type)(post);
  const scope = (isTree ? `posts below ${post.parent}` : post.type) + peers;
  return site.writers.pickSlug(scope, wanted, (slug) => isHeld(site, { ...post, slug }));
}

/** The slug that a published post with this title would get. */
export function freeSlug(site: Site, post: PostRecord): string {
  return uniqueSlug(slugify(post.title) || String(post.id), (slug) => isTakenOrFormer(site, { ...post, slug }));
}

/**
 * What nobody asked for by name is not given where it is the former address of another item, or redirected: links to that one would
 * show this one. Whoever asks for the very slug gets it.
 */
export function isTakenOrFormer(site: Site, post: PostRecord): boolean {
  if (isTaken(site, post)) return true;
  if (!site.types.get(post.type)?.viewable) return false;
  const address = prettyLink(site, post);
  if (pathOf(site, post) === '/' || address.includes('?')) return false;
  const found = site.addresses.within(address);
  if (!found || 'post' in found) return false;
  return 'gone' in found || found.redirect !== prettyLink(site, site.posts.get(post.id) ?? post);
}

/** Whether a slug comes from the title alone; a lone 0 says nothing (observed). */
export function isDerived(input: PostInput, before: PostRecord | undefined): boolean {
  return isBlank(input.slug === undefined ? before?.slug : slugify(input.slug));
}

export function isDraft(status: string): boolean {
  return status === 'draft' || status === 'pending' || status === 'auto-draft';
}
