/**
 * Menu items by target and by the names they use, so that a write finds affected ones directly. Built from the files after each change of a menu;
 * names are resolved on use.
 */
import type { MenuItemRecord } from './record.ts';
import type { PostRecord } from '../content/posts/record.ts';
import { logicalPath } from '../../kernel/model/logical-path.ts';
import { slugify } from '../../kernel/model/slugs.ts';
import type { TermRecord } from '../content/terms/record.ts';
import { targetId } from './view.ts';
import type { Site } from '../../kernel/site/site.ts';

/** A possible target. */
export type Thing = PostRecord | TermRecord;

interface TargetIndex {
  /** Items with a target. */
  at(thing: Thing): readonly MenuItemRecord[];
  /** Items whose files refer to a folder's item by one of the names. */
  named(path: string, names: readonly string[]): readonly MenuItemRecord[];
}

/** How a file refers to the target: by path in a hierarchy, else by the last segment. */
interface TargetName {
  readonly folder: string;
  readonly isTree: boolean;
  readonly ref: string;
  readonly step: string;
}

const made = new WeakMap<readonly MenuItemRecord[], TargetIndex>();

/** Cost: one pass over the items after a change of a menu. */
export function targetIndexOf(site: Site): TargetIndex {
  const items = site.menus.items();
  const known = made.get(items);
  if (known) return known;
  const index = createTargetIndex(site, items);
  made.set(items, index);
  return index;
}

function createTargetIndex(site: Site, items: readonly MenuItemRecord[]): TargetIndex {
  const byTarget = new Map<string, MenuItemRecord[]>();
  const byName = new Map<string, MenuItemRecord[]>();
  const folders = new Set<string>();
  for (const item of items) {
    const kind = item.itemType === 'taxonomy' ? item.object : item.itemType === 'post_type' ? '' : null;
    if (kind === null) continue;
    for (const key of keysOfRef(item.ref)) file(byTarget, `${kind} ${key}`, item);
    const name = targetNameOf(site, item);
    if (name === undefined) continue;
    folders.add(name.folder);
    file(byName, `${name.folder} ${name.isTree ? name.ref : name.step}`, item);
  }
  return {
    at(thing) {
      const kind = isTerm(thing) ? thing.taxonomy : '';
      const found = new Set(keysOf(thing).flatMap((key) => byTarget.get(`${kind} ${key}`) ?? []));
      return [...found].filter((item) => targetId(site, item) === thing.id);
    },
    named: (path, names) =>
      [...folders]
        .filter((folder) => path.startsWith(`${folder}/`))
        .flatMap((folder) =>
          [logicalPath(path).slice(folder.length + 1), ...names].flatMap((name) => byName.get(`${folder} ${name}`) ?? []),
        ),
  };
}

export const isTerm = (thing: Thing): thing is TermRecord => 'taxonomy' in thing;

/** Undefined if the file uses an id, or no target. */
export function targetNameOf(
  site: Pick<Site, 'types' | 'taxonomies'>,
  { itemType, object, ref }: MenuItemRecord,
): TargetName | undefined {
  const folder = itemType === 'taxonomy' ? `terms/${site.taxonomies.get(object)?.folder}` : site.types.get(object)?.folder;
  if (folder === undefined || typeof ref !== 'string') return undefined;
  const isTree = itemType === 'post_type' && (site.types.get(object)?.hierarchical || object === 'attachment');
  const place = ref.replace(/^\/+|\/+$/g, '');
  return { folder, isTree: isTree === true, ref: place, step: slugify(place.split('/').at(-1) as string) };
}

/** Every name that may resolve a reference: an id, a slug, or the last segment of a path. */
function keysOfRef(ref: string | number): Iterable<string> {
  if (typeof ref === 'number') return [`#${ref}`];
  const last = ref
    .replace(/^\/+|\/+$/g, '')
    .split('/')
    .at(-1) as string;
  return new Set([ref, last, last.replace(/\.(md|html)$/, '')].map((name) => slugify(name)));
}

/** The names of an item: id, current and former slugs, file name. */
function keysOf(thing: Thing): readonly string[] {
  return [`#${thing.id}`, thing.slug, ...thing.aliases, slugify(logicalPath(thing.path).split('/').at(-1) as string)];
}

function file<K>(map: Map<K, MenuItemRecord[]>, key: K, item: MenuItemRecord): void {
  const others = map.get(key);
  if (others) others.push(item);
  else map.set(key, [item]);
}
