/**
 * The default navigation of an editor: the latest one; else a new one from a menu; else a new one with the pages.
 *
 * Source: behaviour of the reference 6.9.
 */
import type { MenuItemRecord, MenuRecord } from './record.ts';
import type { PostRecord, PostInput } from '../content/posts/record.ts';
import { isPublic } from '../content/permalinks/record.ts';
import type { Actor } from '../../kernel/model/access.ts';
import { createMenuItemView, heldLocations, targetPost } from './view.ts';
import { menusOf } from './file.ts';
import { planCreate } from '../content/posts/index.ts';
import { delimiterNames } from '../../render/wire-constants.ts';
import type { Site } from '../../kernel/site/site.ts';

const type = 'cms_navigation';
const [prefix] = delimiterNames;

/** @returns its id; null if none exists and none can be written. Concurrent calls create one. */
export async function fallbackNavigation(site: Site, actor: Actor | null): Promise<number | null> {
  const known = latest(site);
  if (known) return known.id;
  if (site.store.readOnly) return null;
  return site.write((site) => {
    const found = latest(site);
    if (found) return { changes: [], result: found.id };
    return { ...planCreate(site, actor, type, { ...firstContent(site), status: 'publish' }), once: 'navigation' };
  });
}

function latest(site: Site): PostRecord | undefined {
  const where = [
    { kind: 'in', index: 'type', values: [type] },
    { kind: 'in', index: 'status', values: ['publish'] },
  ] as const;
  return site.posts.query({ where, sort: { by: 'date', direction: 'desc' }, offset: 0, limit: 1 }).records[0];
}

function firstContent(site: Site): PostInput {
  const menu = mainMenu(site);
  const blocks = menu ? blocksOf(site, menu) : '';
  if (menu && blocks !== '') return { title: menu.name, slug: menu.slug, content: blocks };
  return { title: 'Navigation', slug: 'navigation', content: `<!-- ${prefix}:page-list /-->` };
}

/** The menu at the location `primary`, else the one of that name, else the newest. */
function mainMenu(site: Site): MenuRecord | undefined {
  const menus = menusOf(site);
  const placed = heldLocations(site).get('primary');
  const newest = [...menus].sort((a, b) => b.id - a.id)[0];
  return menus.find(({ id }) => id === placed) ?? menus.find(({ slug }) => slug === 'primary') ?? newest;
}

/** The public items of a menu as link blocks, with submenus. */
function blocksOf(site: Site, menu: MenuRecord): string {
  const where = [
    { kind: 'in', index: 'type', values: ['nav_menu_item'] },
    { kind: 'in', index: 'status', values: ['publish'] },
    { kind: 'test', test: (item: MenuItemRecord) => item.menu === menu.id },
  ] as const;
  const items = site.posts.query({ where, sort: { by: 'menu_order', direction: 'asc' }, offset: 0 })
    .records as readonly MenuItemRecord[];
  const view = createMenuItemView(site, null, (name) => name);
  const isOpen = (item: MenuItemRecord): boolean => {
    const target = targetPost(site, item);
    return target === undefined || isPublic(site, target);
  };
  const below = (parent: number): string =>
    items
      .filter((item) => item.parent === parent && item.id !== parent && !view.isInvalid(item) && isOpen(item))
      .map((item) => {
        const id = view.objectId(item);
        const attributes = {
          ...(item.classes.length > 0 ? { className: item.classes.join(' ') } : {}),
          ...(item.content === '' ? {} : { description: item.content }),
          ...(id > 0 && item.itemType !== 'custom' ? { id } : {}),
          kind: item.itemType.replaceAll('_', '-'),
          label: view.title(item),
          ...(item.window === '_blank' ? { opensInNewTab: true } : {}),
          ...(item.xfn.length > 0 ? { rel: item.xfn.join(' ') } : {}),
          ...(item.excerpt === '' ? {} : { title: item.excerpt }),
          type: item.object,
          url: view.url(item) || '',
        };
        const inside = below(item.id);
        if (inside === '') return `<!-- ${prefix}:navigation-link ${printed(attributes)} /-->`;
        return `<!-- ${prefix}:navigation-submenu ${printed(attributes)} -->${inside}<!-- /${prefix}:navigation-submenu -->`;
      })
      .join('');
  return below(0);
}

/** JSON that is safe in a comment. */
function printed(attributes: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(attributes)
    .replace(/--/g, '\\u002d\\u002d')
    .replace(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
}
