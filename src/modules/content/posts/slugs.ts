/** The slug of a post: from the request, its title, and what is taken. */
import { isBlank, type PostRecord, type PostInput } from './record.ts';
import { isArchiveNumber, isReservedSlug, slugify, uniqueSlug } from '../../../kernel/model/slugs.ts';
import { isDraft, type PostType } from '../../types/record.ts';
import type { Actor } from '../../../kernel/model/access.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { isSiteAddress, pathOf, prettyLink } from '../permalinks/record.ts';

/** A draft may share a slug unless the client sets it (and, for a new one, the status; observed). */
export function needsOwnSlug(
  { statuses }: Pick<Site, 'statuses'>,
  post: PostRecord,
  input: PostInput,
  before: PostRecord | undefined,
): boolean {
  return !isDraft(statuses, post.status) || (Boolean(input.slug) && (before !== undefined || input.status !== undefined));
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
  if (stated !== '' || isDraft(site.statuses, post.status)) return stated;
  return slugify(post.title) || String(post.id);
}

/** Whether another post has the slug, or it is reserved. */
export function isTaken(site: Site, post: PostRecord): boolean {
  const type = site.types.get(post.type) as PostType;
  if (type.viewable && isSiteAddress(pathOf(site, post))) return true;
  const permalink = site.settings.value('permalink') as string;
  // A number that a post already has stays.
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

/** The slug, or the first free variant that no other post has or is about to get. @param isHeld  whether a slug is reserved */
export function ownSlug(site: Site, post: PostRecord, wanted: string, isHeld = isTaken): string {
  const type = site.types.get(post.type) as PostType;
  const isTree = type.hierarchical;
  const peers = peerGroupOf(site, type)(post);
  const scope = (isTree ? `posts below ${post.parent}` : post.type) + peers;
  return site.writers.pickSlug(scope, wanted, (slug) => isHeld(site, { ...post, slug }));
}

/** The slug for a published post with this title. */
export function freeSlug(site: Site, post: PostRecord): string {
  return uniqueSlug(slugify(post.title) || String(post.id), (slug) => isTakenOrFormer(site, { ...post, slug }));
}

/** A derived slug avoids former URLs and redirects, whose links would show this item instead. An explicit one does not. */
export function isTakenOrFormer(site: Site, post: PostRecord): boolean {
  if (isTaken(site, post)) return true;
  if (!site.types.get(post.type)?.viewable) return false;
  const address = prettyLink(site, post);
  if (pathOf(site, post) === '/' || address.includes('?')) return false;
  const found = site.addresses.within(address);
  if (!found || 'post' in found) return false;
  return 'gone' in found || found.redirect !== prettyLink(site, site.posts.get(post.id) ?? post);
}

/** Whether a slug comes only from the title; a lone 0 does not count (observed). */
export function isDerived(input: PostInput, before: PostRecord | undefined): boolean {
  return isBlank(input.slug === undefined ? before?.slug : slugify(input.slug));
}
