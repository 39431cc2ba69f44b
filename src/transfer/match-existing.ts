/**
 * Whether something of the source is on the site already, where no earlier run says so: people by login or slug, items by guid,
 * or by id and slug.
 */
import { slugify } from '../model/slugs.ts';
import type { Census, Held, Space } from './inventory.ts';
import type { UserItem } from './items.ts';
import type { CommentSketch, Sketch } from './source-scan.ts';

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

/**
 * By guid, else by id, type and slug, but for a number that the slug may have been given.
 * @param claimed  files that other items of the source are found in: a guid may stand for several
 */
export function knownPost(
  census: Census,
  of: string,
  { guid, id, slug }: Sketch,
  claimed: ReadonlySet<Held> = new Set(),
): Held | null {
  const isCalled = (held: Held): boolean => slug !== '' && unnumbered(held.slug) === unnumbered(slugify(slug));
  const byGuid = guid === '' ? [] : (census.guids.get(`${of} ${guid}`) ?? []);
  const open = byGuid.filter((held) => held.id > 0 && !claimed.has(held));
  if (open.length > 0) return open.find(isCalled) ?? (open[0] as Held);
  const byId = heldBy(census, 'posts', id || undefined);
  return byId !== null && byId.of === of && isCalled(byId) ? byId : null;
}

function unnumbered(slug: string): string {
  return slug.replace(/(?<=.)-\d+$/, '');
}

export function knownComment(census: Census, { id }: CommentSketch, post: Held | null): Held | null {
  const held = heldBy(census, 'comments', id || undefined);
  return held !== null && post !== null && held.path.startsWith(`comments/${post.id}/`) ? held : null;
}
