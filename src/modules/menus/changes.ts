/**
 * Changes of menus that follow from other writes. Items of a deleted target are removed; an item that refers to its target by a slug that it loses is
 * rewritten; menus with `auto_add` get new pages.
 *
 * Source: behaviour of the reference (6.9).
 */
import type { MenuItemRecord } from './record.ts';
import type { PostRecord } from '../content/posts/record.ts';
import { parentPath, logicalPath, slugOfPath } from '../../kernel/model/logical-path.ts';
import { saysFuture } from '../content/posts/index.ts';
import type { FileChange, Remove, Write } from '../../kernel/store/types.ts';
import { menusOf } from './file.ts';
import { isTerm, type Thing, targetIndexOf, targetNameOf } from './target-index.ts';
import { termAt } from '../content/terms/record.ts';
import { targetId, targetRef } from './view.ts';
import { MenuTreeEdits } from './plan.ts';
import { folderWith, placeBelow, type PostType } from '../types/record.ts';
import type { PlanningSite, Site } from '../../kernel/site/site.ts';

/**
 * The changes of menus that follow from a plan.
 * Cost: nothing without menus; otherwise a lookup of affected items, and of all items for each published page.
 */
export function menuChanges(site: PlanningSite, changes: readonly FileChange[]): readonly FileChange[] {
  if (site.terms.count('taxonomy', 'nav_menu') + site.posts.count('type', 'nav_menu_item') === 0) return [];
  // Media files contain no names; their sidecars do.
  const others = changes.filter((change): change is Write | Remove =>
    'remove' in change ? !change.remove.startsWith('menus/') : 'data' in change && !change.path.startsWith('menus/'),
  );
  if (others.length === 0) return [];
  const edits = new MenuTreeEdits(site);
  const targets = targetIndexOf(site);
  for (const change of others) {
    const thing = thingAt(site, 'remove' in change ? change.remove : (change.from ?? change.path));
    const pointing = thing ? targets.at(thing) : [];
    if ('remove' in change) {
      for (const item of pointing) edits.drop(item);
      continue;
    }
    for (const item of new Set([...pointing, ...targets.named(change.path, [slugAfter(site, change, thing)])]))
      if (typeof item.ref === 'string') rename(site, edits, item, change, thing);
    addPage(site, edits, change, thing);
  }
  return edits.writes();
}

function thingAt(site: Site, path: string): Thing | undefined {
  if (path.startsWith('terms/')) return termAt(site.terms, path);
  for (const id of site.posts.with('place', logicalPath(path))) if (site.posts.get(id)?.path === path) return site.posts.get(id);
  return undefined;
}

function isOfKind(item: MenuItemRecord, thing: Thing): boolean {
  return isTerm(thing) ? item.itemType === 'taxonomy' && item.object === thing.taxonomy : item.itemType === 'post_type';
}

/** Updates an item whose target loses its name. */
function rename(site: Site, edits: MenuTreeEdits, item: MenuItemRecord, write: Write, thing: Thing | undefined): void {
  const name = targetNameOf(site, item);
  if (name === undefined || !write.path.startsWith(`${name.folder}/`)) return;
  const { folder, isTree, ref, step } = name;
  const slug = slugAfter(site, write, thing);
  const now = isTree ? logicalPath(write.path).slice(folder.length + 1) : slug;
  if (thing && isOfKind(item, thing) && targetId(site, item) === thing.id) {
    const aliases = Object.hasOwn(write.data, 'aliases') ? ((write.data.aliases ?? []) as readonly string[]) : thing.aliases;
    const moved = isTree && parentPath(write.path) !== parentPath(thing.path);
    if (moved || (step !== slug && !aliases.includes(step))) edits.point(item, now);
    return;
  }
  const held = targetId(site, item);
  if (held !== 0 && (isTree ? now === ref : slug === step) && (thing === undefined || thing.slug !== slug)) {
    edits.point(item, targetRef(site, item, held));
  }
}

function slugAfter(site: Site, write: Write, thing: Thing | undefined): string {
  const named = (path: string): string => slugOfPath(path, folderWith(site.types.get('post') as PostType, path) !== undefined);
  if (Object.hasOwn(write.data, 'slug')) return String(write.data.slug ?? named(write.path));
  return thing && thing.slug !== named(thing.path) ? thing.slug : named(write.path);
}

/** Appends a newly published top-level page to menus that add pages, unless they contain it. */
function addPage(site: PlanningSite, edits: MenuTreeEdits, write: Write, before: Thing | undefined): void {
  const place = placeBelow(site.types.get('page'), write.path);
  if (place === undefined || place.includes('/') || (before && (isTerm(before) || before.type !== 'page'))) return;
  const wasOut = before !== undefined && (before as PostRecord).status === 'publish' && !saysFuture(before as PostRecord);
  const isOut = Object.hasOwn(write.data, 'status') || !before ? (write.data.status ?? 'publish') === 'publish' : wasOut;
  if (wasOut || !isOut) return;
  const id = before?.id ?? Number(write.data.id);
  for (const menu of menusOf(site)) {
    if (!menu.autoAdd || site.menus.items().some((item) => item.menu === menu.id && targetId(site, item) === id)) continue;
    edits.add(menu.id, site.nextId('posts'), place);
  }
}
