/**
 * Ids of menu items. A missing one is assigned and remembered by position until it is written; of items in several files with one id, one keeps it,
 * and the others wait for new ids.
 */
import { isId } from '../../kernel/model/ids.ts';
import { rankClaimants } from '../../kernel/site/identity.ts';
import type { PlanningSite, Site } from '../../kernel/site/site.ts';
import { type MenuNode, type RawItem, readItems, readTree } from './menu-tree.ts';

interface ItemIds {
  /** Decides again who keeps which id. */
  see(files: readonly { readonly path: string; readonly items: readonly RawItem[] }[]): void;
  /** The items of a file, with ids. */
  tree(path: string, items: readonly RawItem[]): MenuNode[];
  /** Whether no other file keeps an id of this one. */
  isKept(id: number, path: string): boolean;
  /** Files with waiting items. */
  contests(): readonly string[];
  /** Assigns new ids to waiting items. */
  part(): readonly RenumberedItem[];
}

interface RenumberedItem {
  readonly path: string;
  readonly said: number;
  readonly id: number;
}

export function createItemIds(site: Pick<PlanningSite, 'posts' | 'nextId'>): ItemIds {
  /** Assigned but unwritten ids, by file and position. */
  const given = new Map<string, number>();
  /** Ids in several files → the file that keeps it; '' for one outside menus. */
  let keepers = new Map<number, string>();
  /** Items that are not served because of a duplicate id: positions, as in `given`. */
  let waiting = new Map<string, { readonly path: string; readonly said: number }>();
  const isKept = (id: number, path: string): boolean => (keepers.get(id) ?? path) === path;

  return {
    see(files) {
      waiting = new Map();
      keepers = keepersOf(site, files);
    },
    tree(path, items) {
      const seen = new Set<number>();
      /** New ids of this file's items by the ids they state. */
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

/** The file that keeps a duplicate id: the one that had it, else the first, copies last. */
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

/** A node whose stated parent id has been replaced within the file. */
function withParents(node: MenuNode, others: ReadonlyMap<number, number>, own: ReadonlySet<number>): MenuNode {
  const parent = own.has(node.parent) ? node.parent : (others.get(node.parent) ?? node.parent);
  return { ...node, parent, children: node.children.map((child) => withParents(child, others, own)) };
}
