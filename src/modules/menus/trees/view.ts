/**
 * A menu as a term with its items, in the reference's format for front ends: each item is a raw record with its target and children. Large numbers
 * are strings, and dates have no `T`.
 */
import { uniqueSlug } from '../../../kernel/model/slugs.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { createMenuItemView, isReachable, targetId, targetPost, targetTerm } from '../index.ts';
import type { MenuItemRecord, MenuItemView, MenuRecord } from '../record.ts';
import { rawTerm } from '../../content/terms/record.ts';
import { archiveSlug } from '../../types/record.ts';
import { itemsIn } from './language.ts';

export interface MenuTerm {
  readonly term_id: number;
  readonly name: string;
  /** Published items, whatever their target. */
  readonly count: number;
  readonly [member: string]: unknown;
}

interface MenuWithItems extends MenuTerm {
  readonly items: readonly MenuLink[];
}

interface MenuLink {
  readonly ID: number;
  /** Parent id as a string, `0` at the top. */
  readonly menu_item_parent: string;
  /** Absent without children. */
  readonly child_items?: readonly MenuLink[];
  readonly [member: string]: unknown;
}

/** Maximum depth. Files may nest deeper; responses must stay parsable. */
const maxDepth = 100;

interface MenuTrees {
  term(menu: MenuRecord): MenuTerm;
  tree(menu: MenuRecord): MenuWithItems;
}

/** Menus for one call. Cost: one pass over all items, and one over those shown. */
export function createMenuTrees(call: Call): MenuTrees {
  const { site, user, request } = call;
  const view = createMenuItemView(site, user, (name) => request.dialect.wireName(name), call.params);
  const byMenu = publishedItems(site);
  const author = String(firstAdministrator(site));
  const names = namesOf(site.menus.items());

  const term = (menu: MenuRecord): MenuTerm =>
    rawTerm(menu, { taxonomy: 'nav_menu', parent: 0, count: byMenu.get(menu.id)?.length ?? 0 });

  return {
    term,
    tree(menu) {
      const shown = itemsIn(call, byMenu.get(menu.id) ?? []).filter((item) => isReachable(site, user, item));
      const links = shown.sort((a, b) => a.order - b.order || a.id - b.id).map((item, at) => linkOf(item, at + 1));
      return { ...term(menu), items: nested(links) };
    },
  };

  function linkOf(item: MenuItemRecord, order: number): MenuLink {
    const name = names.get(item.id) ?? item.slug;
    return { ...recordOf(site, item, { name, author, order }), ...targetOf(site, item, view) };
  }
}

function publishedItems(site: Site): ReadonlyMap<number, MenuItemRecord[]> {
  const byMenu = new Map<number, MenuItemRecord[]>();
  for (const item of site.menus.items()) {
    if (item.status !== 'publish') continue;
    const others = byMenu.get(item.menu);
    if (others) others.push(item);
    else byMenu.set(item.menu, [item]);
  }
  return byMenu;
}

/** Files do not record who created an item. Only administrators may, so the first one stands for all; 0 if there is none. */
function firstAdministrator(site: Site): number {
  const ids = site.accounts.all().flatMap(({ id, roles }) => (roles.includes('administrator') ? [id] : []));
  return ids.length === 0 ? 0 : Math.min(...ids);
}

/** Names of items by id: duplicates are numbered across menus. */
function namesOf(items: readonly MenuItemRecord[]): ReadonlyMap<number, string> {
  const taken = new Set<string>();
  const next = new Map<string, number>();
  const names = new Map<number, string>();
  for (const { id, slug } of [...items].sort((a, b) => a.id - b.id)) {
    const name = uniqueSlug(slug, (wanted) => taken.has(wanted), next.get(slug));
    taken.add(name);
    next.set(slug, (next.get(slug) ?? 1) + 1);
    names.set(id, name);
  }
  return names;
}

interface Placed {
  readonly name: string;
  /** Id as a string. */
  readonly author: string;
  readonly order: number;
}

/** The record of an item. Without its own title it contains a space, as the reference stores it. */
function recordOf(site: Site, item: MenuItemRecord, { name, author, order }: Placed) {
  return {
    ID: item.id,
    post_author: author,
    post_date: spaced(item.date),
    post_date_gmt: spaced(item.dateGmt),
    post_content: item.content === '' && item.title === '' ? ' ' : item.content,
    post_title: item.title,
    post_excerpt: item.excerpt,
    post_status: item.status,
    comment_status: 'closed',
    ping_status: 'closed',
    post_password: '',
    post_name: name,
    to_ping: '',
    pinged: '',
    post_modified: spaced(item.modified),
    post_modified_gmt: spaced(item.modifiedGmt),
    post_content_filtered: '',
    post_parent: targetPost(site, item)?.parent ?? targetTerm(site, item)?.parent ?? 0,
    guid: `${site.url}/${name}/`,
    menu_order: order,
    post_type: item.type,
    post_mime_type: '',
    comment_count: '0',
    filter: 'raw',
  };
}

/** The target of an item, and its link. */
function targetOf(site: Site, item: MenuItemRecord, view: MenuItemView) {
  const slug = slugOfTarget(site, item);
  return {
    db_id: item.id,
    menu_item_parent: String(item.parent),
    object_id: String(targetId(site, item)),
    object: view.object(item),
    type: item.itemType,
    type_label: view.typeLabel(item),
    title: view.title(item),
    url: view.url(item),
    target: item.window,
    attr_title: item.excerpt,
    description: view.description(item),
    classes: item.classes.length === 0 ? [''] : item.classes,
    xfn: item.xfn.join(' '),
    ...(slug === undefined ? {} : { slug }),
  };
}

/** Undefined for a custom link. */
function slugOfTarget(site: Site, item: MenuItemRecord): string | undefined {
  if (item.itemType !== 'post_type_archive') return (targetPost(site, item) ?? targetTerm(site, item))?.slug;
  return archiveSlug(site.types.get(item.object)) || item.object;
}

/** The top level, each item with its children. Orphans are not shown. */
function nested(links: readonly MenuLink[]): readonly MenuLink[] {
  const below = new Map<string, MenuLink[]>();
  for (const link of links) {
    const others = below.get(link.menu_item_parent);
    if (others) others.push(link);
    else below.set(link.menu_item_parent, [link]);
  }
  const level = (parent: string, depth: number): readonly MenuLink[] =>
    (below.get(parent) ?? []).map((link) => {
      const children = depth < maxDepth ? level(String(link.ID), depth + 1) : [];
      return children.length === 0 ? link : { ...link, child_items: children };
    });
  return level('0', 1);
}

/** `2024-05-06T10:00:00` as `2024-05-06 10:00:00`. */
function spaced(date: string): string {
  return date.replace('T', ' ');
}
