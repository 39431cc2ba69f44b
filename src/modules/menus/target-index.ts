/**
 * Menu items by what they point at and by the names they use, so that a write finds those it concerns without a look at the
 * others. It holds what files say, and is made when a menu has changed; what a name stands for is asked when it matters.
 */
import type { MenuItemRecord } from './record.ts';
import type { PostRecord } from '../content/posts/record.ts';
import { logicalPath } from '../../kernel/model/logical-path.ts';
import { slugify } from '../../kernel/model/slugs.ts';
import type { TermRecord } from '../content/terms/record.ts';
import { targetId } from './view.ts';
import type { Site } from '../../kernel/site/site.ts';

/** What an item may point at. */
export type Thing = PostRecord | TermRecord;

export interface TargetIndex {
  /** Items that point at a post or term. */
  at(thing: Thing): readonly MenuItemRecord[];
  /** Items whose files use one of the names for what is in a folder. */
  named(path: string, names: readonly string[]): readonly MenuItemRecord[];
}

/** How an item's file names its target: by its place in a hierarchy, else by the last step. */
export interface TargetName {
  readonly folder: string;
  readonly isTree: boolean;
  readonly ref: string;
  readonly step: string;
}

const made = new WeakMap<readonly MenuItemRecord[], TargetIndex>();

/** The index of the items in service. Cost: one pass over them when a menu has changed. */
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

/** Undefined where the file names the target by its id, or names none. */
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

/** Every name that may lead from a reference to its target: an id, a slug, or the last step of a path. */
function keysOfRef(ref: string | number): Iterable<string> {
  if (typeof ref === 'number') return [`#${ref}`];
  const last = ref
    .replace(/^\/+|\/+$/g, '')
    .split('/')
    .at(-1) as string;
  return new Set([ref, last, last.replace(/\.(md|html)$/, '')].map((name) => slugify(name)));
}

/** What such a name is of a thing: its id, its slugs of now and before, the name of its file. */
function keysOf(thing: Thing): readonly string[] {
  return [`#${thing.id}`, thing.slug, ...thing.aliases, slugify(logicalPath(thing.path).split('/').at(-1) as string)];
}

function file<K>(map: Map<K, MenuItemRecord[]>, key: K, item: MenuItemRecord): void {
  const others = map.get(key);
  if (others) others.push(item);
  else map.set(key, [item]);
}
