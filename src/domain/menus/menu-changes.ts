/**
 * What becomes of menus when something else is written. Items of what is deleted go with it; an item whose file names its
 * target by a slug that the target gives up, or that another takes, names it anew; menus that ask for it get new pages.
 *
 * Source: behaviour of the reference (6.9).
 */
import type { MenuItemRecord } from '../../model/menu.ts';
import { placeAbove, placeOf, type PostRecord, slugOfPath } from '../../model/post.ts';
import { slugify } from '../../model/slugs.ts';
import type { TermRecord } from '../../model/term.ts';
import type { FileChange, Remove, Write } from '../../store/types.ts';
import { menusOf } from './menu-shelf.ts';
import { targetId, targetRef } from './menu-view.ts';
import { Thicket } from './menus.ts';
import type { Site } from '../site.ts';

/**
 * The changes of menus that follow from a plan's changes.
 * Cost: nothing on a site without menus; else one pass over all menu items for each file deleted, renamed or published.
 */
export function menuChanges(site: Site, changes: readonly FileChange[]): readonly FileChange[] {
  if (site.terms.count('taxonomy', 'nav_menu') + site.posts.count('type', 'nav_menu_item') === 0) return [];
  const others = changes.filter(
    (change) => !('bytes' in change) && !('remove' in change ? change.remove : change.path).startsWith('menus/'),
  );
  if (others.length === 0) return [];
  const thicket = new Thicket(site);
  const items = [...site.posts.with('type', 'nav_menu_item')].flatMap(
    (id) => (site.posts.get(id) as MenuItemRecord | undefined) ?? [],
  );
  for (const change of others as (Write | Remove)[]) {
    const thing = thingAt(site, 'remove' in change ? change.remove : (change.from ?? change.path));
    if ('remove' in change) {
      if (thing) for (const item of items) if (pointsAt(site, item, thing)) thicket.drop(item);
      continue;
    }
    for (const item of items) if (typeof item.ref === 'string') rename(site, thicket, item, change, thing);
    addPage(site, thicket, items, change, thing);
  }
  return thicket.writes();
}

type Thing = PostRecord | TermRecord;

const isTerm = (thing: Thing): thing is TermRecord => 'taxonomy' in thing;

/** The post or term that a file holds. */
function thingAt(site: Site, path: string): Thing | undefined {
  if (path.startsWith('terms/')) {
    for (const term of site.terms.all()) if (term.path === path) return term;
    return undefined;
  }
  for (const id of site.posts.with('place', placeOf(path))) if (site.posts.get(id)?.path === path) return site.posts.get(id);
  return undefined;
}

function pointsAt(site: Site, item: MenuItemRecord, thing: Thing): boolean {
  const isKind = isTerm(thing) ? item.itemType === 'taxonomy' && item.object === thing.taxonomy : item.itemType === 'post_type';
  return isKind && targetId(site, item) === thing.id;
}

/** Keeps an item on its target when the write takes its name away or gives it to something else. */
function rename(site: Site, thicket: Thicket, item: MenuItemRecord, write: Write, thing: Thing | undefined): void {
  const folder =
    item.itemType === 'taxonomy' ? `terms/${site.taxonomies.get(item.object)?.folder}` : site.types.get(item.object)?.folder;
  if (folder === undefined || !write.path.startsWith(`${folder}/`)) return;
  const isTree = item.itemType === 'post_type' && (site.types.get(item.object)?.hierarchical || item.object === 'attachment');
  const slug = slugAfter(write, thing);
  const now = isTree ? placeOf(write.path).slice(folder.length + 1) : slug;
  const ref = String(item.ref).replace(/^\/+|\/+$/g, '');
  const step = slugify(ref.split('/').at(-1) as string);
  if (thing && pointsAt(site, item, thing)) {
    const aliases = Object.hasOwn(write.data, 'aliases') ? ((write.data.aliases ?? []) as readonly string[]) : thing.aliases;
    const moved = isTree && placeAbove(write.path) !== placeAbove(thing.path);
    if (moved || (step !== slug && !aliases.includes(step))) thicket.point(item, now);
    return;
  }
  const held = targetId(site, item);
  if (held !== 0 && (isTree ? now === ref : slug === step) && (thing === undefined || thing.slug !== slug)) {
    thicket.point(item, targetRef(site, item, held));
  }
}

function slugAfter(write: Write, thing: Thing | undefined): string {
  if (Object.hasOwn(write.data, 'slug')) return String(write.data.slug ?? slugOfPath(write.path));
  return thing && thing.slug !== slugOfPath(thing.path) ? thing.slug : slugOfPath(write.path);
}

/** A top-level page that is published now is put at the end of the menus that add pages, unless it is there already. */
function addPage(site: Site, thicket: Thicket, items: readonly MenuItemRecord[], write: Write, before: Thing | undefined): void {
  const folder = `${site.types.get('page')?.folder}`;
  const place = placeOf(write.path);
  if (placeAbove(write.path) !== folder || (before && (isTerm(before) || before.type !== 'page'))) return;
  const wasOut = before !== undefined && (before as PostRecord).status === 'publish';
  const isOut = Object.hasOwn(write.data, 'status') || !before ? (write.data.status ?? 'publish') === 'publish' : wasOut;
  if (wasOut || !isOut) return;
  const id = before?.id ?? Number(write.data.id);
  for (const menu of menusOf(site)) {
    if (!menu.autoAdd || items.some((item) => item.menu === menu.id && targetId(site, item) === id)) continue;
    thicket.add(menu.id, site.nextId('posts'), place.slice(folder.length + 1));
  }
}
