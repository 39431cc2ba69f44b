/**
 * Menu items in memory: one post for each item of the menus in service and of the file of those that are in none.
 */
import { now } from '../../kernel/model/dates.ts';
import { FieldProblem, readFields, same } from '../../kernel/model/field.ts';
import { isId } from '../../kernel/model/ids.ts';
import { slugify } from '../../kernel/model/slugs.ts';
import type { Change } from '../../kernel/records/types.ts';
import type { InnerContests, SiteKernel } from '../../kernel/site/hooks.ts';
import { contextOf } from '../../kernel/site/record-file.ts';
import type { PlanningSite } from '../../kernel/site/site.ts';
import type { Batch, Entry, FileChange, Problem, Write } from '../../kernel/store/types.ts';
import { isMenuFile, looseFile, menusOf, targetWords } from './file.ts';
import { createItemIds } from './item-ids.ts';
import { everyNode, type MenuNode, printTree, type RawItem, readItems, readTarget } from './menu-tree.ts';
import { menuItemFields, menuKeys } from './fields.ts';
import { blankItem, type MenuItemRecord, type MenuRecord } from './record.ts';

declare module '../../kernel/site/site.ts' {
  interface Site {
    /** Menus with their items. */
    readonly menus: MenuIndex;
  }
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

export interface MenuIndex extends InnerContests {
  /** To be called before ids are given out: those of items are in the numbers of posts. */
  announce(batch: Batch): void;
  /** Brings the items in memory up to the menus in service. @returns files that need ids written into them, joined with `others` */
  ingest(batch: Batch, others: readonly FileChange[]): readonly FileChange[];
  /** The items in service; another list once a menu has changed. */
  items(): readonly MenuItemRecord[];
  /** Every menu with its items, the loose ones last. */
  groves(): readonly MenuTree[];
  problems(): readonly Problem[];
}

type IndexSite = Pick<
  PlanningSite,
  'modules' | 'posts' | 'terms' | 'records' | 'refs' | 'zone' | 'types' | 'taxonomies' | 'nextId'
>;

export function createMenuIndex(site: IndexSite, { seeId }: Pick<SiteKernel, 'seeId'>): MenuIndex {
  const fields = menuItemFields(site);
  const words = targetWords(site);
  const ids = createItemIds(site);
  const times = new Map<string, number>();
  let loose: Entry | null = null;
  let faults: Problem[] = [];
  let served: readonly MenuItemRecord[] = [];

  return {
    announce({ entries }) {
      for (const { path, data } of entries) if (isMenuFile(path)) for (const id of statedIds(data.items)) seeId('posts', id);
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
    contests: ids.contests,
    part() {
      const renumbered = ids.part();
      if (renumbered.length === 0) return { writes: [], renumbered };
      rebuild();
      const paths = new Set(renumbered.map(({ path }) => path));
      return { writes: groves().flatMap((tree) => (paths.has(tree.path) ? numbered(tree) : [])), renumbered };
    },
    problems: () => faults,
  };

  function groves(): readonly MenuTree[] {
    const menus = menusOf(site).map(({ id, path, etag, items }) => ({ menu: id, path, etag, nodes: ids.tree(path, items) }));
    return [...menus, { menu: 0, path: looseFile, etag: loose?.etag ?? null, nodes: ids.tree(looseFile, looseItems()) }];
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
    ids.see([...menusOf(site), { path: looseFile, items: looseItems() }]);
    for (const tree of groves()) {
      const { local, gmt } = now(site.zone, times.get(tree.path) ?? 0);
      const stamps = { date: local, dateGmt: gmt, modified: local, modifiedGmt: gmt };
      for (const node of everyNode(tree.nodes)) {
        const holder = wanted.get(node.id) ?? site.posts.get(node.id);
        if (wanted.has(node.id) || (holder && holder.type !== 'nav_menu_item')) continue;
        if (!ids.isKept(node.id, tree.path)) continue;
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

/** Ids that items state, with those below them. */
function* statedIds(list: unknown): Generator<number> {
  if (!Array.isArray(list)) return;
  for (const raw of list as (RawItem | null)[]) {
    if (isId(raw?.id)) yield raw.id;
    yield* statedIds(raw?.items);
  }
}

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
