/**
 * Menus on disk: `menus/<slug>.yaml`, and `menus/_loose.yaml` for items that are in no menu. The file of a menu becomes one
 * term, by its shelf, and one post for each item, which the keeper here takes from the menus in service.
 */
import { now } from '../../model/dates.ts';
import { FieldProblem, fileKeys, readFields, same } from '../../model/field.ts';
import { isId } from '../../model/ids.ts';
import { blankItem, blankMenu, type MenuItemRecord, menuItemFields, menuKeys, type MenuRecord } from '../../model/menu.ts';
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
} from '../../model/menu-tree.ts';
import { slugify } from '../../model/slugs.ts';
import type { Change } from '../../records/types.ts';
import type { Batch, Entry, FileChange, Problem, Write } from '../../store/types.ts';
import { contextOf, writeRecord } from '../record-file.ts';
import type { Sequences } from '../sequences.ts';
import type { Shelf } from '../shelf.ts';
import type { Site } from '../site.ts';

/** File of the items that are in no menu. */
export const looseFile = 'menus/_loose.yaml';
const isMenuFile = (path: string): boolean => /^menus\/[^/]+\.ya?ml$/.test(path);

export function createMenuShelf(site: Pick<Site, 'termFields' | 'refs' | 'zone'>): Shelf<MenuRecord> {
  return {
    name: 'menus',
    table: 'terms',
    keys: menuKeys,
    owns: (path) => isMenuFile(path) && path !== looseFile,
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
export interface Grove {
  readonly menu: number;
  readonly path: string;
  /** Null: the file is not there yet. */
  readonly etag: string | null;
  readonly nodes: readonly MenuNode[];
}

export interface MenuKeeper {
  /** To be called before ids are given out: those of items are in the numbers of posts. */
  announce(batch: Batch): void;
  /** Brings the items in memory up to the menus in service. @returns files that need ids written into them, joined with `others` */
  absorb(batch: Batch, others: readonly FileChange[]): readonly FileChange[];
  /** Every menu with its items, the loose ones last. */
  groves(): readonly Grove[];
  problems(): readonly Problem[];
}

type Kept = Pick<Site, 'posts' | 'terms' | 'records' | 'refs' | 'zone' | 'types' | 'taxonomies' | 'store'>;

export function createMenuKeeper(site: Kept, sequences: Sequences): MenuKeeper {
  const fields = menuItemFields([]);
  const words = targetWords(site);
  /** Ids of items whose files do not have them yet, by file and place. */
  const given = new Map<string, number>();
  const times = new Map<string, number>();
  let loose: Entry | null = null;
  let faults: Problem[] = [];

  return {
    announce({ entries }) {
      const see = (list: unknown): void => {
        if (!Array.isArray(list)) return;
        for (const raw of list as (RawItem | null)[]) {
          if (isId(raw?.id)) sequences.see('posts', raw.id);
          see(raw?.items);
        }
      };
      for (const { path, data } of entries) if (isMenuFile(path)) see(data.items);
    },
    absorb(batch, others) {
      const isTouched = [...batch.entries.map(({ path }) => path), ...batch.removed].some(isMenuFile);
      if (!isTouched) return others;
      for (const { path, mtimeMs } of batch.entries) if (isMenuFile(path)) times.set(path, mtimeMs);
      if (batch.removed.includes(looseFile)) loose = null;
      loose = batch.entries.find(({ path }) => path === looseFile) ?? loose;
      rebuild();
      return joined(others, groves().flatMap(numbered));
    },
    groves,
    problems: () => faults,
  };

  function groves(): readonly Grove[] {
    const menus = menusOf(site).map(({ id, path, etag, items }) => ({ menu: id, path, etag, nodes: tree(path, items) }));
    let nodes: readonly MenuNode[] = [];
    try {
      nodes = loose ? tree(looseFile, readItems(loose.data.items)) : [];
    } catch (error) {
      if (!(error instanceof FieldProblem)) throw error;
    }
    return [...menus, { menu: 0, path: looseFile, etag: loose?.etag ?? null, nodes }];
  }

  function tree(path: string, items: readonly RawItem[]): MenuNode[] {
    return readTree(items, (raw, place) => {
      if (isId(raw.id)) return raw.id;
      const key = `${path}:${place}:${JSON.stringify({ ...raw, items: undefined })}`;
      const id = given.get(key) ?? sequences.next('posts');
      given.set(key, id);
      return id;
    });
  }

  function rebuild(): void {
    const wanted = new Map<number, MenuItemRecord>();
    faults = [];
    for (const grove of groves()) {
      const { local, gmt } = now(site.zone, times.get(grove.path) ?? 0);
      const stamps = { date: local, dateGmt: gmt, modified: local, modifiedGmt: gmt };
      for (const node of everyNode(grove.nodes)) {
        const holder = wanted.get(node.id) ?? site.posts.get(node.id);
        if (wanted.has(node.id) || (holder && holder.type !== 'nav_menu_item')) {
          report(
            grove.path,
            'duplicate-id',
            `id ${node.id} is already used by ${holder?.path}, which is served; this menu item is not`,
          );
          continue;
        }
        const record = read(grove, node, stamps) ?? (holder as MenuItemRecord | undefined);
        if (record) wanted.set(node.id, record);
      }
    }
    const changes: Change[] = [];
    for (const id of site.posts.with('type', 'nav_menu_item')) if (!wanted.has(id)) changes.push({ table: 'posts', remove: id });
    for (const record of wanted.values())
      if (!same(site.posts.get(record.id), record)) changes.push({ table: 'posts', put: record });
    if (changes.length > 0) site.records.apply(changes);
  }

  function read({ menu, path, etag }: Grove, { id, own, parent, order }: MenuNode, stamps: Stamps): MenuItemRecord | null {
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
  function numbered({ path, etag, menu, nodes }: Grove): Write[] {
    const raw =
      menu === 0
        ? ((loose?.data.items ?? []) as readonly RawItem[])
        : ((site.terms.get(menu) as MenuRecord | undefined)?.items ?? []);
    return etag === null || isNumbered(raw) ? [] : [{ path, expect: etag, data: { items: printTree(nodes) }, order: menuKeys }];
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

function isNumbered(items: readonly RawItem[]): boolean {
  return items.every((raw) => isId(raw.id) && isNumbered((raw.items ?? []) as readonly RawItem[]));
}
