/**
 * What becomes of menus when something else is written. Items of what is deleted go with it; an item whose file names its
 * target by a slug that the target gives up, or that another takes, names it anew; menus that ask for it get new pages.
 *
 * Source: behaviour of the reference (6.9).
 */
import type { MenuItemRecord } from './record.ts';
import { parentPath, logicalPath, type PostRecord, slugOfPath } from '../posts/record.ts';
import { slugify } from '../../kernel/model/slugs.ts';
import { saysFuture } from '../posts/stated-status.ts';
import type { TermRecord } from '../terms/record.ts';
import type { FileChange, Remove, Write } from '../../kernel/store/types.ts';
import { menusOf } from './file.ts';
import { targetId, targetRef } from './view.ts';
import { MenuTreeEdits } from './plan.ts';
import type { Site } from '../../kernel/site/site.ts';

/**
 * The changes of menus that follow from a plan's changes.
 * Cost: nothing on a site without menus; else one pass over all menu items, and another for each page that is published.
 */
export function menuChanges(site: Site, changes: readonly FileChange[]): readonly FileChange[] {
  if (site.terms.count('taxonomy', 'nav_menu') + site.posts.count('type', 'nav_menu_item') === 0) return [];
  const others = changes.filter(
    (change) => !('bytes' in change) && !('remove' in change ? change.remove : change.path).startsWith('menus/'),
  );
  if (others.length === 0) return [];
  const edits = new MenuTreeEdits(site);
  const items = [...site.posts.with('type', 'nav_menu_item')].flatMap(
    (id) => (site.posts.get(id) as MenuItemRecord | undefined) ?? [],
  );
  const signs = createTargetIndex(site, items);
  for (const change of others as (Write | Remove)[]) {
    const thing = thingAt(site, 'remove' in change ? change.remove : (change.from ?? change.path));
    const pointing = thing ? signs.at(thing) : [];
    if ('remove' in change) {
      for (const item of pointing) edits.drop(item);
      continue;
    }
    for (const item of new Set([...pointing, ...signs.named(change, thing)]))
      if (typeof item.ref === 'string') rename(site, edits, item, change, thing);
    addPage(site, edits, items, change, thing);
  }
  return edits.writes();
}

/** Menu items by what they point at and by the names they use: found out once for all changes of a plan, there may be thousands. */
interface TargetIndex {
  at(thing: Thing): readonly MenuItemRecord[];
  /** Items whose files use the name that a write gives. */
  named(write: Write, thing: Thing | undefined): readonly MenuItemRecord[];
}

function createTargetIndex(site: Site, items: readonly MenuItemRecord[]): TargetIndex {
  const byTarget = new Map<string, Map<number, MenuItemRecord[]>>();
  const byName = new Map<string, MenuItemRecord[]>();
  const folders = new Set<string>();
  for (const item of items) {
    const name = nameOf(site, item);
    if (name === undefined) continue;
    folders.add(name.folder);
    file(byName, `${name.folder} ${name.isTree ? name.ref : name.step}`, item);
  }
  return {
    at(thing) {
      const kind = kindOf(thing);
      const known = byTarget.get(kind);
      if (known) return known.get(thing.id) ?? [];
      const found = new Map<number, MenuItemRecord[]>();
      byTarget.set(kind, found);
      for (const item of items) if (isOfKind(item, thing)) file(found, targetId(site, item), item);
      return found.get(thing.id) ?? [];
    },
    named: (write, thing) =>
      [...folders]
        .filter((folder) => write.path.startsWith(`${folder}/`))
        .flatMap((folder) =>
          [logicalPath(write.path).slice(folder.length + 1), slugAfter(write, thing)].flatMap(
            (name) => byName.get(`${folder} ${name}`) ?? [],
          ),
        ),
  };
}

function file<K>(map: Map<K, MenuItemRecord[]>, key: K, item: MenuItemRecord): void {
  const others = map.get(key);
  if (others) others.push(item);
  else map.set(key, [item]);
}

type Thing = PostRecord | TermRecord;

const isTerm = (thing: Thing): thing is TermRecord => 'taxonomy' in thing;

/** The post or term that a file holds. */
function thingAt(site: Site, path: string): Thing | undefined {
  if (path.startsWith('terms/')) {
    for (const term of site.terms.all()) if (term.path === path) return term;
    return undefined;
  }
  for (const id of site.posts.with('place', logicalPath(path))) if (site.posts.get(id)?.path === path) return site.posts.get(id);
  return undefined;
}

const kindOf = (thing: Thing): string => (isTerm(thing) ? thing.taxonomy : '');

function isOfKind(item: MenuItemRecord, thing: Thing): boolean {
  return isTerm(thing) ? item.itemType === 'taxonomy' && item.object === thing.taxonomy : item.itemType === 'post_type';
}

function pointsAt(site: Site, item: MenuItemRecord, thing: Thing): boolean {
  return isOfKind(item, thing) && targetId(site, item) === thing.id;
}

/** How an item's file names its target: by its place in a hierarchy, else by the last step; undefined where it does not. */
function nameOf(site: Site, { itemType, object, ref }: MenuItemRecord) {
  const folder = itemType === 'taxonomy' ? `terms/${site.taxonomies.get(object)?.folder}` : site.types.get(object)?.folder;
  if (folder === undefined || typeof ref !== 'string') return undefined;
  const isTree = itemType === 'post_type' && (site.types.get(object)?.hierarchical || object === 'attachment');
  const place = ref.replace(/^\/+|\/+$/g, '');
  return { folder, isTree, ref: place, step: slugify(place.split('/').at(-1) as string) };
}

/** Keeps an item on its target when the write takes its name away or gives it to something else. */
function rename(site: Site, edits: MenuTreeEdits, item: MenuItemRecord, write: Write, thing: Thing | undefined): void {
  const name = nameOf(site, item);
  if (name === undefined || !write.path.startsWith(`${name.folder}/`)) return;
  const { folder, isTree, ref, step } = name;
  const slug = slugAfter(write, thing);
  const now = isTree ? logicalPath(write.path).slice(folder.length + 1) : slug;
  if (thing && pointsAt(site, item, thing)) {
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

function slugAfter(write: Write, thing: Thing | undefined): string {
  if (Object.hasOwn(write.data, 'slug')) return String(write.data.slug ?? slugOfPath(write.path));
  return thing && thing.slug !== slugOfPath(thing.path) ? thing.slug : slugOfPath(write.path);
}

/** A top-level page that is published now is put at the end of the menus that add pages, unless it is there already. */
function addPage(
  site: Site,
  edits: MenuTreeEdits,
  items: readonly MenuItemRecord[],
  write: Write,
  before: Thing | undefined,
): void {
  const folder = `${site.types.get('page')?.folder}`;
  const place = logicalPath(write.path);
  if (parentPath(write.path) !== folder || (before && (isTerm(before) || before.type !== 'page'))) return;
  const wasOut = before !== undefined && (before as PostRecord).status === 'publish' && !saysFuture(before as PostRecord);
  const isOut = Object.hasOwn(write.data, 'status') || !before ? (write.data.status ?? 'publish') === 'publish' : wasOut;
  if (wasOut || !isOut) return;
  const id = before?.id ?? Number(write.data.id);
  for (const menu of menusOf(site)) {
    if (!menu.autoAdd || items.some((item) => item.menu === menu.id && targetId(site, item) === id)) continue;
    edits.add(menu.id, site.nextId('posts'), place.slice(folder.length + 1));
  }
}
