/** Which alias an item needs for its former URL to redirect, and the file changes that add it. */
import { aliasKey, pathKey } from './aliases.ts';
import type { PostRecord } from '../posts/record.ts';
import type { TermRecord } from '../terms/record.ts';
import type { UserRecord } from '../../people/users/record.ts';
import type { Write } from '../../../kernel/store/types.ts';
import { writeUser } from '../../people/users/index.ts';
import { isAsDeep } from './resolve-url.ts';
import { hasPrettyLink, pathOf, prettyLink } from './record.ts';
import { splitPath } from '../../../kernel/rest/address-prefix.ts';
import { writePost } from '../posts/index.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { writeTerm } from '../terms/index.ts';

/** Where an item was before its file was renamed, moved or edited. */
export interface Former {
  readonly table: 'posts' | 'terms' | 'users';
  readonly id: number;
  readonly path: string;
  readonly slug: string;
  /** Path of a post's page; '' for terms and users, which are named by slug. */
  readonly address: string;
}

export type AddressedItem = PostRecord | TermRecord | UserRecord;

export const keyOf = ({ table, id }: Pick<Former, 'table' | 'id'>): string => `${table}:${id}`;

export function itemOf(site: Site, { table, id }: Pick<Former, 'table' | 'id'>): AddressedItem | undefined {
  return table === 'posts' ? site.posts.get(id) : table === 'terms' ? site.terms.get(id) : site.users.get(id);
}

/** Undefined for items that nobody can visit or refer to. */
export function formerOf(site: Site, table: Former['table'], item: AddressedItem): Former | undefined {
  const { id, path, slug } = item;
  if (path === '' || slug === '') return undefined;
  if (table !== 'posts')
    return table === 'terms' && (item as TermRecord).taxonomy === 'nav_menu' ? undefined : { table, id, path, slug, address: '' };
  const post = item as PostRecord;
  if (post.type === 'attachment' || !site.types.get(post.type)?.viewable || !hasPrettyLink(site, post, false)) return undefined;
  const address = prettyLink(site, post);
  return address.includes('?') || pathOf(site, post) === '/' ? undefined : { table, id, path, slug, address };
}

export function isStill(site: Site, former: Former, item: AddressedItem): boolean {
  if (former.table !== 'posts') return item.slug === former.slug;
  return pathKey(prettyLink(site, item as PostRecord)) === pathKey(former.address);
}

/** The missing alias; null if the former URL still leads to the item, or belongs to another one. */
export function missingAlias(site: Site, former: Former): string | null {
  const item = itemOf(site, former);
  if (!item || isStill(site, former, item)) return null;
  if (former.table === 'posts') return missingPostAlias(site, former, item as PostRecord);
  // An alias only in memory is not written yet.
  const others =
    former.table === 'terms'
      ? site.terms.with('slug', `${(item as TermRecord).taxonomy}:${former.slug}`)
      : site.users.with('slug', former.slug);
  return others.size > 0 ? null : former.slug;
}

function missingPostAlias(site: Site, { address, slug }: Former, post: PostRecord): string | null {
  const present = prettyLink(site, post);
  const found = site.addresses.within(address);
  if (found && (!('redirect' in found) || found.redirect === present || site.redirects.find(address, ''))) return null;
  return found === null && slug !== post.slug && leadsBySlug(site, address, post)
    ? slug
    : readable(splitPath(site, address).path);
}

/** Whether a former slug is enough, because the parents' URL resolves to the current parents. */
function leadsBySlug(site: Site, address: string, post: PostRecord): boolean {
  const { prefix, path } = splitPath(site, address);
  const segments = path.split('/').filter((segment) => segment !== '');
  if (!site.types.get(post.type)?.hierarchical) return isAsDeep(site, post, segments);
  const above = `${prefix}/${segments.slice(0, -1).join('/')}`;
  const parent = site.posts.get(post.parent);
  if (!parent) return segments.length === (post.type === 'page' ? 1 : 2);
  const found = site.addresses.within(above);
  return (
    found !== null &&
    ('post' in found ? found.post.id === parent.id : 'redirect' in found && found.redirect === prettyLink(site, parent))
  );
}

function readable(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}

/** @param mine  aliases written here, which are removed again when the item moves back */
export function writeAlias(
  site: Site,
  former: Former,
  mine: ReadonlySet<string>,
): { readonly write: Write; readonly alias: string } | null {
  const item = itemOf(site, former);
  if (!item || item.etag === '') return null;
  const own = former.table === 'posts' ? pathKey(pathOf(site, item as PostRecord)) : '';
  const kept = item.aliases.filter((alias) => !mine.has(alias) || (alias !== item.slug && aliasKey(alias) !== own));
  const alias = missingAlias(site, former);
  // The item is back: its old alias goes, and the URL it had meanwhile redirects.
  if (alias === null && kept.length === item.aliases.length) return null;
  const more = alias === null ? [] : [alias];
  return { write: writeItem(site, former, item, [...kept.filter((one) => one !== alias), ...more]), alias: alias ?? '' };
}

function writeItem(site: Site, { table }: Former, item: AddressedItem, aliases: readonly string[]): Write {
  if (table === 'posts') return writePost(site, { ...(item as PostRecord), aliases }, item as PostRecord);
  if (table === 'users') return writeUser(site, { ...(item as UserRecord), aliases }, { ...(item as UserRecord), aliases: [] });
  return writeTerm(site, { ...(item as TermRecord), aliases }, { ...(item as TermRecord), aliases: [] });
}
