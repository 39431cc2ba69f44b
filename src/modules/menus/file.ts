/**
 * Menus on disk: `menus/<slug>.yaml`, and `menus/_loose.yaml` for items that are in no menu. The file of a menu becomes one
 * term, by its kind, and one post for each item, which the keeper here takes from the menus in service.
 */
import { now } from '../../kernel/model/dates.ts';
import { FieldProblem, fileKeys, readFields, same } from '../../kernel/model/field.ts';
import { isId } from '../../kernel/model/ids.ts';
import { blankItem, blankMenu, type MenuItemRecord, menuItemFields, menuKeys, type MenuRecord } from './record.ts';
import {
  everyNode,
  type ItemType,
  type MenuNode,
  printTree,
  type RawItem,
  readItems,
  readTarget,
  readTree,
  type TargetWords,
} from './menu-tree.ts';
import { slugify } from '../../kernel/model/slugs.ts';
import type { Change } from '../../kernel/records/types.ts';
import type { Batch, Entry, FileChange, Problem, Write } from '../../kernel/store/types.ts';
import { contextOf, writeRecord } from '../../kernel/site/record-file.ts';
import { rankClaimants } from '../../kernel/site/identity.ts';
import type { SiteKernel } from '../../kernel/site/hooks.ts';
import type { FileKind } from '../../kernel/site/file-kind.ts';
import type { PathRow } from '../../kernel/site/path-table.ts';
import type { TermFields } from '../terms/record.ts';
import type { Site } from '../../kernel/site/site.ts';

declare module '../../kernel/site/site.ts' {
  interface Site {
    /** Menus with their items. */
    readonly menus: MenuIndex;
  }
}

/** File of the items that are in no menu. */
export const looseFile = 'menus/_loose.yaml';
const pattern = 'menus/*.{yaml,yml}';
const isMenuFile = (path: string): boolean => /^menus\/[^/]+\.ya?ml$/.test(path);

/** Menus, and the file of items that are in none of them. */
export function menuPaths(fields: ReadonlyMap<string, TermFields>): [menus: PathRow, loose: PathRow] {
  const menu = { pattern, kind: 'menu', space: 'terms', fields: (fields.get('nav_menu') ?? null) as PathRow['fields'] };
  return [
    { ...menu, type: 'nav_menu', scope: () => 'menu:nav_menu', accepts: (path) => path !== looseFile },
    { ...menu, pattern: looseFile, type: '', fields: null },
  ];
}

export function createMenuKind(site: Pick<Site, 'termFields' | 'terms' | 'refs' | 'zone'>): FileKind<MenuRecord> {
  return {
    name: 'menus',
    table: 'terms',
    keys: menuKeys,
    isSlugTaken: (menu) => [...site.terms.with('slug', `nav_menu:${menu.slug}`)].some((other) => other !== menu.id),
    paths: menuPaths(site.termFields).slice(0, 1),
    read(source, id) {
      const { path, etag, mtimeMs, data } = source as Entry;
      const draft = Object.assign(blankMenu(id), { path, etag });
      readFields(site.termFields.get('nav_menu') ?? {}, data, draft, contextOf(site, path, mtimeMs));
      return draft;
    },
  };
}

/** The file change that turns the file of `before` (none: a new file) into that of `after`. */
export function writeMenu(site: Pick<Site, 'termFields' | 'refs' | 'zone'>, after: MenuRecord, before?: MenuRecord): Write {
  return writeRecord(site, site.termFields.get('nav_menu') ?? {}, after, before, menuKeys);
}

type Stamps = Pick<MenuItemRecord, 'date' | 'dateGmt' | 'modified' | 'modifiedGmt'>;

/** A menu, or the items without one (menu 0), as a tree. */
export interface MenuTree {
  readonly menu: number;
  readonly path: string;
  /** Null: the file is not there yet. */
  readonly etag: string | null;
  readonly nodes: readonly MenuNode[];
}

export interface MenuIndex {
  /** To be called before ids are given out: those of items are in the numbers of posts. */
  announce(batch: Batch): void;
  /** Brings the items in memory up to the menus in service. @returns files that need ids written into them, joined with `others` */
  ingest(batch: Batch, others: readonly FileChange[]): readonly FileChange[];
  /** The items in service; another list once a menu has changed. */
  items(): readonly MenuItemRecord[];
  /** Every menu with its items, the loose ones last. */
  groves(): readonly MenuTree[];
  /** Files with items whose ids are those of others; these items are not served. */
  contests(): readonly string[];
  /** Gives those items ids of their own. @returns the files they are to be written into */
  part(): { readonly writes: readonly Write[]; readonly renumbered: readonly RenumberedItem[] };
  problems(): readonly Problem[];
}

interface RenumberedItem {
  readonly path: string;
  readonly said: number;
  readonly id: number;
}

type IndexSite = Pick<Site, 'posts' | 'terms' | 'records' | 'refs' | 'zone' | 'types' | 'taxonomies' | 'nextId'>;

export function createMenuIndex(site: IndexSite, { seeId }: Pick<SiteKernel, 'seeId'>): MenuIndex {
  const fields = menuItemFields([]);
  const words = targetWords(site);
  /** Ids of items whose files do not have them yet, by file and place. */
  const given = new Map<string, number>();
  const times = new Map<string, number>();
  let loose: Entry | null = null;
  let faults: Problem[] = [];
  let served: readonly MenuItemRecord[] = [];
  /** Ids that items of several files have → the file that keeps it; '' is one that is no menu's. */
  let keepers = new Map<number, string>();
  /** Items that are not served, because their ids are those of others: places in files, as in `given`. */
  let waiting = new Map<string, { readonly path: string; readonly said: number }>();

  return {
    announce({ entries }) {
      const see = (list: unknown): void => {
        if (!Array.isArray(list)) return;
        for (const raw of list as (RawItem | null)[]) {
          if (isId(raw?.id)) seeId('posts', raw.id);
          see(raw?.items);
        }
      };
      for (const { path, data } of entries) if (isMenuFile(path)) see(data.items);
    },
    ingest(batch, others) {
      const isTouched = [...batch.entries.map(({ path }) => path), ...batch.removed].some(isMenuFile);
      if (!isTouched) return others;
      for (const { path, mtimeMs } of batch.entries) if (isMenuFile(path)) times.set(path, mtimeMs);
      if (batch.removed.includes(looseFile)) loose = null;
      loose = batch.entries.find(({ path }) => path === looseFile) ?? loose;
      rebuild();
      return joined(others, groves().flatMap(numbered));
    },
    items: () => served,
    groves,
    contests: () => [...new Set([...waiting.values()].map(({ path }) => path))],
    part() {
      const renumbered = [...waiting].map(([key, { path, said }]): RenumberedItem => {
        const id = site.nextId('posts');
        given.set(key, id);
        return { path, said, id };
      });
      if (renumbered.length === 0) return { writes: [], renumbered };
      rebuild();
      const paths = new Set(renumbered.map(({ path }) => path));
      return { writes: groves().flatMap((tree) => (paths.has(tree.path) ? numbered(tree) : [])), renumbered };
    },
    problems: () => faults,
  };

  function groves(): readonly MenuTree[] {
    const menus = menusOf(site).map(({ id, path, etag, items }) => ({ menu: id, path, etag, nodes: tree(path, items) }));
    return [...menus, { menu: 0, path: looseFile, etag: loose?.etag ?? null, nodes: tree(looseFile, looseItems()) }];
  }

  function tree(path: string, items: readonly RawItem[]): MenuNode[] {
    const seen = new Set<number>();
    /** Ids that items of this file say and do not have. */
    const others = new Map<number, number>();
    const nodes = readTree(items, (raw, place) => {
      const key = `${path}:${place}:${JSON.stringify({ ...raw, items: undefined })}`;
      const said = isId(raw.id) ? raw.id : 0;
      if (said > 0 && !seen.has(said) && (keepers.get(said) ?? path) === path) {
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
  }

  /** Who keeps an id that items of several files have: the one that has had it, else the first file, a copy after what it is one of. */
  function findKeepers(): void {
    keepers = new Map();
    const claimants = new Map<number, string[]>();
    const see = (path: string, items: readonly RawItem[]): void => {
      for (const { id, items: below } of items) {
        if (isId(id)) claimants.set(id, [...(claimants.get(id) ?? []), path]);
        see(path, readItems(below));
      }
    };
    for (const { path, items } of menusOf(site)) see(path, items);
    see(looseFile, looseItems());
    for (const [id, paths] of claimants) {
      const holder = site.posts.get(id);
      if (holder && holder.type !== 'nav_menu_item') keepers.set(id, '');
      else if (holder && paths.includes(holder.path)) keepers.set(id, holder.path);
      else if (paths.length > 1) {
        const [first] = rankClaimants([...new Set(paths)].map((path) => ({ path })));
        keepers.set(id, first?.path ?? '');
      }
    }
  }

  function looseItems(): readonly RawItem[] {
    try {
      return loose ? readItems(loose.data.items) : [];
    } catch (error) {
      if (!(error instanceof FieldProblem)) throw error;
      return [];
    }
  }

  function rebuild(): void {
    const wanted = new Map<number, MenuItemRecord>();
    faults = [];
    waiting = new Map();
    findKeepers();
    for (const tree of groves()) {
      const { local, gmt } = now(site.zone, times.get(tree.path) ?? 0);
      const stamps = { date: local, dateGmt: gmt, modified: local, modifiedGmt: gmt };
      for (const node of everyNode(tree.nodes)) {
        const holder = wanted.get(node.id) ?? site.posts.get(node.id);
        if (wanted.has(node.id) || (holder && holder.type !== 'nav_menu_item')) continue;
        if ((keepers.get(node.id) ?? tree.path) !== tree.path) continue;
        const record = read(tree, node, stamps) ?? (holder as MenuItemRecord | undefined);
        if (record) wanted.set(node.id, record);
      }
    }
    served = [...wanted.values()];
    const changes: Change[] = [];
    for (const id of site.posts.with('type', 'nav_menu_item')) if (!wanted.has(id)) changes.push({ table: 'posts', remove: id });
    for (const record of wanted.values())
      if (!same(site.posts.get(record.id), record)) changes.push({ table: 'posts', put: record });
    if (changes.length > 0) site.records.apply(changes);
  }

  function read({ menu, path, etag }: MenuTree, { id, own, parent, order }: MenuNode, stamps: Stamps): MenuItemRecord | null {
    const draft = blankItem(id, menu);
    try {
      readFields(fields, own, draft, contextOf(site, path));
      return Object.assign(draft, readTarget(own, words), {
        path,
        etag: etag ?? '',
        parent,
        order,
        slug: slugify(draft.title) || String(id),
        ...stamps,
      });
    } catch (error) {
      if (!(error instanceof FieldProblem)) throw error;
      report(path, `field:${error.key}`, error.message, error.hint);
      return null;
    }
  }

  function report(path: string, rule: string, message: string, hint?: string): void {
    faults.push({ path, line: 1, column: 1, severity: 'error', rule, message, ...(hint ? { hint } : {}) });
  }

  /** The write that puts ids into a file where items have none. */
  function numbered({ path, etag, menu, nodes }: MenuTree): Write[] {
    const raw =
      menu === 0
        ? ((loose?.data.items ?? []) as readonly RawItem[])
        : ((site.terms.get(menu) as MenuRecord | undefined)?.items ?? []);
    return etag === null || isNumbered(raw, nodes)
      ? []
      : [{ path, expect: etag, data: { items: printTree(nodes) }, order: menuKeys }];
  }
}

/** Menus in the order of their files. */
export function menusOf(site: Pick<Site, 'terms'>): readonly MenuRecord[] {
  const menus = [...site.terms.with('taxonomy', 'nav_menu')].flatMap(
    (id) => (site.terms.get(id) as MenuRecord | undefined) ?? [],
  );
  return menus.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The words by which files name types and taxonomies that have pages: `page`, `category`, `tag`. */
export function targetWords({ types, taxonomies }: Pick<Site, 'types' | 'taxonomies'>): TargetWords {
  return new Map<string, { readonly itemType: ItemType; readonly object: string }>([
    ...[...taxonomies.values()]
      .filter(({ base, showInRest }) => base !== null && showInRest)
      .map(({ name, folder }) => [folder, { itemType: 'taxonomy', object: name }] as const),
    ...[...types.values()]
      .filter(({ viewable }) => viewable)
      .map(({ name }) => [name, { itemType: 'post_type', object: name }] as const),
  ]);
}

/** Keys of an item's file that its fields hold. */
export const itemKeys: readonly string[] = fileKeys(menuItemFields([]));

/** One write for each file: what is to be written into it from several sides. */
function joined(changes: readonly FileChange[], more: readonly Write[]): readonly FileChange[] {
  const byPath = new Map(more.map((write) => [write.path, write]));
  const merged = changes.map((change) => {
    const other = 'data' in change ? byPath.get(change.path) : undefined;
    if (!other || !('data' in change)) return change;
    byPath.delete(change.path);
    return { ...change, data: { ...change.data, ...other.data } };
  });
  return [...merged, ...byPath.values()];
}

/** Whether the items of a file say the ids they have. */
function isNumbered(items: readonly RawItem[], nodes: readonly MenuNode[]): boolean {
  return items.every((raw, at) => {
    const node = nodes[at] as MenuNode;
    return raw.id === node.id && isNumbered((raw.items ?? []) as readonly RawItem[], node.children);
  });
}

/** A node whose parent is said by an id that another item of the same file has got in place of the one it says. */
function withParents(node: MenuNode, others: ReadonlyMap<number, number>, own: ReadonlySet<number>): MenuNode {
  const parent = own.has(node.parent) ? node.parent : (others.get(node.parent) ?? node.parent);
  return { ...node, parent, children: node.children.map((child) => withParents(child, others, own)) };
}
