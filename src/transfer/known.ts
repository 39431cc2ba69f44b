/**
 * Whether something of the source is on the site already, where no earlier run says so: people by login or slug, items by guid,
 * or by id and slug.
 */
import { slugify } from '../model/slugs.ts';
import type { Census, Held, Space } from './census.ts';
import type { UserItem } from './items.ts';
import type { CommentSketch, Sketch } from './survey.ts';

export function heldBy(census: Census, space: Space, id: number | undefined): Held | null {
  return id === undefined ? null : (census.byId[space].get(id) ?? null);
}

/** By login, then by slug: one who is here already is the same person. */
export function knownUser(census: Census, accounts: ReadonlyMap<string, number>, item: UserItem): Held | null {
  const account = item.login === '' ? undefined : accounts.get(item.login.toLowerCase());
  if (account !== undefined) return heldBy(census, 'users', account);
  const slug = slugify(item.slug) || slugify(item.login);
  return slug === '' ? null : heldBy(census, 'users', census.slugs.get(`user: ${slug}`));
}

/** By guid, else by id, type and slug, but for a number that the slug may have been given. */
export function knownPost(census: Census, of: string, { guid, id, slug }: Sketch): Held | null {
  const byGuid = guid === '' ? undefined : census.guids.get(`${of} ${guid}`);
  if (byGuid && byGuid.id > 0) return byGuid;
  const byId = heldBy(census, 'posts', id || undefined);
  const isNamed =
    byId !== null &&
    byId.of === of &&
    slug !== '' &&
    byId.slug.replace(/(?<=.)-\d+$/, '') === slugify(slug).replace(/(?<=.)-\d+$/, '');
  return isNamed ? byId : null;
}

export function knownComment(census: Census, { id }: CommentSketch, post: Held | null): Held | null {
  const held = heldBy(census, 'comments', id || undefined);
  return held !== null && post !== null && held.path.startsWith(`comments/${post.id}/`) ? held : null;
}
