/**
 * Whether something of the source is on the site already, where no earlier run says so: people by login or slug, items by guid,
 * or by id and slug.
 */
import { slugify } from '../../kernel/model/slugs.ts';
import type { Inventory, ExistingFile, Space } from './inventory.ts';
import type { UserItem } from './items.ts';
import type { CommentHeader, ItemHeader } from './source-scan.ts';

export function heldBy(inventory: Inventory, space: Space, id: number | undefined): ExistingFile | null {
  return id === undefined ? null : (inventory.byId[space].get(id) ?? null);
}

/** By login, then by slug: one who is here already is the same person. */
export function knownUser(inventory: Inventory, accounts: ReadonlyMap<string, number>, item: UserItem): ExistingFile | null {
  const account = item.login === '' ? undefined : accounts.get(item.login.toLowerCase());
  if (account !== undefined) return heldBy(inventory, 'users', account);
  const slug = slugify(item.slug) || slugify(item.login);
  return slug === '' ? null : heldBy(inventory, 'users', inventory.slugs.get(`user: ${slug}`));
}

/**
 * By guid, else by id, type and slug, but for a number that the slug may have been given.
 * @param claimed  files that other items of the source are found in: a guid may stand for several
 */
export function knownPost(
  inventory: Inventory,
  of: string,
  { guid, id, slug }: ItemHeader,
  claimed: ReadonlySet<ExistingFile> = new Set(),
): ExistingFile | null {
  const isCalled = (held: ExistingFile): boolean => slug !== '' && unnumbered(held.slug) === unnumbered(slugify(slug));
  const byGuid = guid === '' ? [] : (inventory.guids.get(`${of} ${guid}`) ?? []);
  const open = byGuid.filter((held) => held.id > 0 && !claimed.has(held));
  if (open.length > 0) return open.find(isCalled) ?? (open[0] as ExistingFile);
  const byId = heldBy(inventory, 'posts', id || undefined);
  return byId !== null && byId.of === of && isCalled(byId) ? byId : null;
}

function unnumbered(slug: string): string {
  return slug.replace(/(?<=.)-\d+$/, '');
}

export function knownComment(inventory: Inventory, { id }: CommentHeader, post: ExistingFile | null): ExistingFile | null {
  const held = heldBy(inventory, 'comments', id || undefined);
  return held !== null && post !== null && held.path.startsWith(`comments/${post.id}/`) ? held : null;
}
