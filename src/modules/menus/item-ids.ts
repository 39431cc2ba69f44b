/**
 * Ids of menu items. One that the file does not say is given, and remembered by the place of the item until it is written; one that
 * items of several files say is kept by one of them, and the others wait until they get ids of their own.
 */
import { isId } from '../../kernel/model/ids.ts';
import { rankClaimants } from '../../kernel/site/identity.ts';
import type { PlanningSite, Site } from '../../kernel/site/site.ts';
import { type MenuNode, type RawItem, readItems, readTree } from './menu-tree.ts';

export interface ItemIds {
  /** Looks anew at who keeps which id, of all files with items. */
  see(files: readonly { readonly path: string; readonly items: readonly RawItem[] }[]): void;
  /** The items of a file, each with its id. */
  tree(path: string, items: readonly RawItem[]): MenuNode[];
  /** Whether an id that items of a file say is not kept by another. */
  isKept(id: number, path: string): boolean;
  /** Files with items that wait. */
  contests(): readonly string[];
  /** Gives ids of their own to the items that wait. */
  part(): readonly RenumberedItem[];
}

export interface RenumberedItem {
  readonly path: string;
  readonly said: number;
  readonly id: number;
}

export function createItemIds(site: Pick<PlanningSite, 'posts' | 'nextId'>): ItemIds {
  /** Ids of items whose files do not have them yet, by file and place. */
  const given = new Map<string, number>();
  /** Ids that items of several files have → the file that keeps it; '' is one that is no menu's. */
  let keepers = new Map<number, string>();
  /** Items that are not served, because their ids are those of others: places in files, as in `given`. */
  let waiting = new Map<string, { readonly path: string; readonly said: number }>();
  const isKept = (id: number, path: string): boolean => (keepers.get(id) ?? path) === path;

  return {
    see(files) {
      waiting = new Map();
      keepers = keepersOf(site, files);
    },
    tree(path, items) {
      const seen = new Set<number>();
      /** Ids that items of this file say and do not have. */
      const others = new Map<number, number>();
      const nodes = readTree(items, (raw, place) => {
        const key = `${path}:${place}:${JSON.stringify({ ...raw, items: undefined })}`;
        const said = isId(raw.id) ? raw.id : 0;
        if (said > 0 && !seen.has(said) && isKept(said, path)) {
          seen.add(said);
          return said;
        }
        const id = given.get(key);
        if (said > 0 && id === undefined) {
          waiting.set(key, { path, said });
          return said;
        }
        const own = id ?? site.nextId('posts');
        given.set(key, own);
        if (said > 0) others.set(said, own);
        return own;
      });
      return others.size === 0 ? nodes : nodes.map((node) => withParents(node, others, seen));
    },
    isKept,
    contests: () => [...new Set([...waiting.values()].map(({ path }) => path))],
    part: () =>
      [...waiting].map(([key, { path, said }]) => {
        const id = site.nextId('posts');
        given.set(key, id);
        return { path, said, id };
      }),
  };
}

/** Who keeps an id that items of several files have: the one that has had it, else the first file, a copy after what it is one of. */
function keepersOf(site: Pick<Site, 'posts'>, files: Parameters<ItemIds['see']>[0]): Map<number, string> {
  const keepers = new Map<number, string>();
  const claimants = new Map<number, string[]>();
  const see = (path: string, items: readonly RawItem[]): void => {
    for (const { id, items: below } of items) {
      if (isId(id)) claimants.set(id, [...(claimants.get(id) ?? []), path]);
      see(path, readItems(below));
    }
  };
  for (const { path, items } of files) see(path, items);
  for (const [id, paths] of claimants) {
    const holder = site.posts.get(id);
    if (holder && holder.type !== 'nav_menu_item') keepers.set(id, '');
    else if (holder && paths.includes(holder.path)) keepers.set(id, holder.path);
    else if (paths.length > 1) {
      const [first] = rankClaimants([...new Set(paths)].map((path) => ({ path })));
      keepers.set(id, first?.path ?? '');
    }
  }
  return keepers;
}

/** A node whose parent is said by an id that another item of the same file has got in place of the one it says. */
function withParents(node: MenuNode, others: ReadonlyMap<number, number>, own: ReadonlySet<number>): MenuNode {
  const parent = own.has(node.parent) ? node.parent : (others.get(node.parent) ?? node.parent);
  return { ...node, parent, children: node.children.map((child) => withParents(child, others, own)) };
}
