/**
 * Whether something of the source is on the site already, where no earlier run says so: people by login or slug, items by guid,
 * or by id and slug.
 */
import { slugify } from '../../kernel/model/slugs.ts';
import type { Inventory, ExistingFile, Space } from './inventory.ts';
import type { UserItem } from './items.ts';
import type { CommentHeader, ItemHeader } from './source-scan.ts';

export function existingById(inventory: Inventory, space: Space, id: number | undefined): ExistingFile | null {
  return id === undefined ? null : (inventory.byId[space].get(id) ?? null);
}

/** By login, then by slug: one who is here already is the same person. */
export function findUser(inventory: Inventory, accounts: ReadonlyMap<string, number>, item: UserItem): ExistingFile | null {
  const account = item.login === '' ? undefined : accounts.get(item.login.toLowerCase());
  if (account !== undefined) return existingById(inventory, 'users', account);
  const slug = slugify(item.slug) || slugify(item.login);
  return slug === '' ? null : existingById(inventory, 'users', inventory.slugs.get(`user: ${slug}`));
}

/**
 * By guid, else by id, type and slug, but for a number that the slug may have been given.
 * @param claimed  files that other items of the source are found in: a guid may plannedSite for several
 */
export function findPost(
  inventory: Inventory,
  of: string,
  { guid, id, slug }: ItemHeader,
  claimed: ReadonlySet<ExistingFile> = new Set(),
): ExistingFile | null {
  const isCalled = (existing: ExistingFile): boolean => slug !== '' && unnumbered(existing.slug) === unnumbered(slugify(slug));
  const byGuid = guid === '' ? [] : (inventory.guids.get(`${of} ${guid}`) ?? []);
  const open = byGuid.filter((existing) => existing.id > 0 && !claimed.has(existing));
  if (open.length > 0) return open.find(isCalled) ?? (open[0] as ExistingFile);
  const byId = existingById(inventory, 'posts', id || undefined);
  return byId !== null && byId.of === of && isCalled(byId) ? byId : null;
}

function unnumbered(slug: string): string {
  return slug.replace(/(?<=.)-\d+$/, '');
}

export function findComment(inventory: Inventory, { id }: CommentHeader, post: ExistingFile | null): ExistingFile | null {
  const existing = existingById(inventory, 'comments', id || undefined);
  return existing !== null && post !== null && existing.path.startsWith(`comments/${post.id}/`) ? existing : null;
}
