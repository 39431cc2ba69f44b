/**
 * Ordered views: slots sorted by one sort key, then by id, for the whole table or for one combination of values of
 * equal-indexes. Built when a query first wants them, kept by binary insertion, dropped when nobody has asked for long.
 * A descending order is a view read from its end.
 */

import type { Identified, Key, TableSpec } from './types.ts';
import { compareKeys, sorted } from './ordering.ts';
import { filterList, hasBit, intersect, sizeOf, type Slots, slotsOf, wordsOf } from './sets.ts';
import { finish, type Task } from '../scheduler.ts';
import type { Facets, RowStore, SortedIndexes, Values } from './table-core.ts';
import { contentOf, insertAt, removeAt, type SlotList } from './slot-lists.ts';

interface BuiltView extends SlotList {
  usedAt: number;
}

/** A view being sorted; `changed` are slots to be put in their places at the end. */
interface Building {
  readonly work: Task<void>;
  readonly changed: Set<number>;
}

interface Group {
  readonly by: readonly string[];
  readonly order: string;
  readonly built: Map<string, BuiltView>;
  readonly building: Map<string, Building>;
}

/** Keys of an order; the slots from `filled` on are still to be read. */
interface Column {
  readonly keys: Key[];
  filled: number;
}

/** Applies without a query after which a view is dropped, and the number of views kept. */
const idleApplies = 1000;
const maxViews = 256;
/** Keys read between two pauses. */
const stride = 256;

/** The views of a table, and what they are made of. */
interface Sorting<R extends Identified> {
  readonly spec: TableSpec<R>;
  readonly rowStore: RowStore<R>;
  /** Position of an equal-index among those of the spec. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly columns: Map<string, Column>;
  /** The narrowest first. */
  readonly groups: readonly Group[];
  /** Applies so far. */
  clock: number;
}

export function createSortedIndexes<R extends Identified>(spec: TableSpec<R>, rowStore: RowStore<R>): SortedIndexes {
  const groups = [...spec.views, ...Object.keys(spec.order).map((order) => ({ by: [], order }))]
    .map(({ by, order }) => ({ by, order, built: new Map(), building: new Map() }))
    .sort((a, b) => b.by.length - a.by.length);
  const numbers = new Map(Object.keys(spec.equal).map((index, number) => [index, number]));
  const sorting: Sorting<R> = { spec, rowStore, numbers, columns: new Map(), groups, clock: 0 };
  const { columns } = sorting;
  return {
    check(order) {
      if (!Object.hasOwn(spec.order, order)) throw new Error(`table ${spec.name} has no order "${order}"`);
    },
    keys: (order) => finish(fill(sorting, order)),
    fill: (order) => fill(sorting, order),
    orders: () => columns.keys(),
    covers: (order, indexes) =>
      groups.some(
        (group) =>
          group.order === order && group.by.length === indexes.length && group.by.every((index) => indexes.includes(index)),
      ),
    ready(order, values) {
      const group = groups.find(
        (each) => each.order === order && each.by.length === values.size && each.by.every((index) => values.has(index)),
      );
      const view = group?.built.get(nameOf(group.by.map((index) => values.get(index)!)));
      if (view === undefined || columns.get(order)!.filled < rowStore.rows.length) return undefined;
      view.usedAt = sorting.clock;
      return contentOf(view);
    },
    find: (order, values) => find(sorting, order, values),
    change: (slot, before, after) => change(sorting, slot, before, after),
    drop() {
      for (const { built, building } of groups) {
        built.clear();
        building.clear();
      }
    },
    age() {
      if (++sorting.clock % 64 !== 0) return;
      for (const { built } of groups) {
        for (const [name, view] of built) if (sorting.clock - view.usedAt > idleApplies) built.delete(name);
      }
    },
  };
}

function* fill<R extends Identified>({ spec, rowStore: { rows }, columns }: Sorting<R>, order: string): Task<readonly Key[]> {
  const keyOf = spec.order[order]!;
  let column = columns.get(order);
  if (column === undefined) {
    column = { keys: new Array<Key>(rows.length).fill(0), filled: 0 };
    columns.set(order, column);
  }
  // Changes write their keys from the beginning, so a slot is right once it was read.
  for (let slot = column.filled; slot < rows.length; slot = column.filled) {
    const row = rows[slot];
    column.keys[slot] = row === undefined ? 0 : sortable(keyOf(row));
    if (++column.filled % stride === 0) yield;
  }
  return column.keys;
}

function* find<R extends Identified>(sorting: Sorting<R>, order: string, values: ReadonlyMap<string, Key>): Task<Slots> {
  yield* fill(sorting, order);
  const group = sorting.groups.find((each) => each.order === order && each.by.every((index) => values.has(index)))!;
  const combination = group.by.map((index) => values.get(index)!);
  const name = nameOf(combination);
  let view = group.built.get(name);
  while (view === undefined) {
    // Several queries may wait for the same view: each does a piece of the work.
    let building = group.building.get(name);
    if (building === undefined) {
      const changed = new Set<number>();
      building = { work: build(sorting, group, combination, changed), changed };
      group.building.set(name, building);
    }
    if (building.work.next().done) group.building.delete(name);
    view = group.built.get(name);
    if (view === undefined) yield;
  }
  view.usedAt = sorting.clock;
  return contentOf(view);
}

function* build<R extends Identified>(
  sorting: Sorting<R>,
  group: Group,
  values: readonly Key[],
  changed: ReadonlySet<number>,
): Task<void> {
  const { rowStore, groups } = sorting;
  const { rows, ids } = rowStore;
  const { by, order, built } = group;
  const column = yield* fill(sorting, order);
  let members = rowStore.live();
  for (const [i, index] of by.entries()) members = intersect(members, rowStore.with(index, values[i]!));
  const whole = groups.find((each) => each.by.length === 0 && each.order === order)?.built.get('');
  let slots: Slots;
  if (whole !== undefined && sizeOf(members) * 16 > whole.size) {
    const words = wordsOf(members, rows.length);
    slots = filterList(contentOf(whole), (slot) => hasBit(words, slot));
  } else {
    // As they are now: keys that change while others are sorted would spoil the places of these.
    const [keys, numbers] = [column.slice(), ids.slice()];
    slots = yield* sorted(slotsOf(members), (a, b) => compareKeys(keys[a]!, keys[b]!) || numbers[a]! - numbers[b]!);
  }
  if (changed.size > 0) slots = filterList(slots, (slot) => !changed.has(slot));
  const view: BuiltView = { slots, size: slots.length, usedAt: sorting.clock };
  for (const slot of changed) {
    const isMember = rows[slot] !== undefined && by.every((index, i) => rowStore.has(index, values[i]!, slot));
    if (isMember) insertAt(view, place(sorting, view, order, slot), slot);
  }
  built.set(nameOf(values), view);
  dropOldest(groups);
}

function change<R extends Identified>(
  sorting: Sorting<R>,
  slot: number,
  before: Facets | undefined,
  after: Facets | undefined,
): void {
  const { groups, numbers, columns } = sorting;
  const numberOf = (index: string): number => numbers.get(index)!;
  for (const { building } of groups) for (const { changed } of building.values()) changed.add(slot);
  const touched = groups.filter(({ built, by, order }) => {
    if (built.size === 0) return false;
    if (!before || !after || compareKeys(before.keys[order]!, after.keys[order]!) !== 0) return true;
    return by.some((index) => !sameValues(before.equal[numberOf(index)], after.equal[numberOf(index)]));
  });
  if (before !== undefined) {
    for (const { built, by, order } of touched) {
      for (const name of combinations(by.map(numberOf), before)) {
        const view = built.get(name);
        if (view !== undefined) removeAt(view, place(sorting, view, order, slot));
      }
    }
  }
  if (after === undefined) return;
  for (const [order, { keys }] of columns) keys[slot] = after.keys[order]!;
  for (const { built, by, order } of touched) {
    for (const name of combinations(by.map(numberOf), after)) {
      const view = built.get(name);
      if (view !== undefined) insertAt(view, place(sorting, view, order, slot), slot);
    }
  }
}

/** Position of the slot's key and id in the view: where it is, or belongs. */
function place<R extends Identified>(
  { columns, rowStore: { ids } }: Sorting<R>,
  view: BuiltView,
  order: string,
  slot: number,
): number {
  const column = columns.get(order)!.keys;
  const key = column[slot]!;
  const id = ids[slot]!;
  let low = 0;
  let high = view.size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = view.slots[middle]!;
    if ((compareKeys(column[other]!, key) || ids[other]! - id) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function dropOldest(groups: readonly Group[]): void {
  let oldest: [Group, string, number] | undefined;
  let count = 0;
  for (const group of groups) {
    count += group.built.size;
    for (const [name, view] of group.built) if (!oldest || view.usedAt < oldest[2]) oldest = [group, name, view.usedAt];
  }
  if (oldest !== undefined && count > maxViews) oldest[0].built.delete(oldest[1]);
}

/** NaN would have no place in an order; it sorts first. */
export const sortable = (key: Key): Key => (Number.isNaN(key) ? -Infinity : key);

/** First position in a view whose key is not below (with `beyond`: is above) `key`. */
export function positionOf(slots: Slots, keys: readonly Key[], key: Key, beyond: boolean): number {
  let low = 0;
  let high = slots.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = compareKeys(keys[slots[middle]!]!, key);
    if (order < 0 || (beyond && order === 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function sameValues(a: Values, b: Values): boolean {
  if (a === b || typeof a !== 'object' || typeof b !== 'object') return a === b;
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

export function listOf(values: Values): readonly Key[] {
  if (values === undefined) return [];
  return typeof values === 'object' ? values : [values];
}

/** Names of the views a record belongs to: every choice of one value per index, these given by number. */
function combinations(by: readonly number[], { equal }: Facets): string[] {
  let rows: Key[][] = [[]];
  for (const index of by) rows = rows.flatMap((row) => [...new Set(listOf(equal[index]))].map((value) => [...row, value]));
  return rows.map(nameOf);
}

/** `1` and `"1"` are different values; the whole table's view has the empty name. */
const nameOf = (values: readonly Key[]): string =>
  values.map((value) => (typeof value === 'number' ? value : JSON.stringify(value))).join();
