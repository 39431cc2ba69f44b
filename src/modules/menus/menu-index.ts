/** Menu items in memory: one post for each item in a menu or in the loose file. */
import { now } from '../../kernel/model/dates.ts';
import { FieldProblem, readFields, same } from '../../kernel/model/field.ts';
import { isId } from '../../kernel/model/ids.ts';
import { slugify } from '../../kernel/model/slugs.ts';
import type { RecordChange } from '../../kernel/records/types.ts';
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
    readonly menus: MenuIndex;
  }
}

type Stamps = Pick<MenuItemRecord, 'date' | 'dateGmt' | 'modified' | 'modifiedGmt'>;

/** A menu, or the loose items (menu 0), as a tree. */
export interface MenuTree {
  readonly menu: number;
  readonly path: string;
  /** Null: the file does not exist yet. */
  readonly etag: string | null;
  readonly nodes: readonly MenuNode[];
}

interface MenuIndex extends InnerContests {
  /** Must be called before ids are assigned: item ids share the sequence of posts. */
  announce(batch: Batch): void;
  /** Updates the items in memory. @returns files that need ids, merged with `others` */
  ingest(batch: Batch, others: readonly FileChange[]): readonly FileChange[];
  /** All items; a new list after each change of a menu. */
  items(): readonly MenuItemRecord[];
  /** Every menu with its items, loose ones last. */
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
      for (const entry of entries) if (isMenuFile(entry.path)) for (const id of statedIds(entry.data.items)) seeId('posts', id);
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
    const changes: RecordChange[] = [];
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

  /** The write that adds missing ids to a file. */
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

/** Ids of items and their children. */
function* statedIds(list: unknown): Generator<number> {
  if (!Array.isArray(list)) return;
  for (const raw of list as (RawItem | null)[]) {
    if (isId(raw?.id)) yield raw.id;
    yield* statedIds(raw?.items);
  }
}

/** Merges several writes of one file. */
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

/** Whether the items of a file state their ids. */
function isNumbered(items: readonly RawItem[], nodes: readonly MenuNode[]): boolean {
  return items.every((raw, at) => {
    const node = nodes[at] as MenuNode;
    return raw.id === node.id && isNumbered((raw.items ?? []) as readonly RawItem[], node.children);
  });
}
