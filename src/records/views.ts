/**
 * Ordered views: slots sorted by one sort key, then by id, for the whole table or for one combination of values of
 * equal-indexes. Built when a query first wants them, kept by binary insertion, dropped when nobody has asked for long.
 * A descending order is a view read from its end.
 */

import type { Identified, Key, TableSpec } from './types.ts';
import { contentOf, insertAt, intersect, marksOf, removeAt, type SlotList, type Slots } from './slots.ts';

/** What a record is found and sorted by, computed once per change. */
export interface Facets {
  readonly equal: Readonly<Record<string, readonly Key[]>>;
  /** Only the orders in use; see `Views.orders`. */
  readonly keys: Readonly<Record<string, Key>>;
}

/** What the views need of their table. `rows` and `ids` are indexed by slot. */
export interface Shelf<R> {
  readonly rows: (R | undefined)[];
  readonly ids: number[];
  live(): Slots;
  with(index: string, value: Key): Slots;
}

export interface Views {
  /** Sort keys by slot. @throws Error for an order the table does not have */
  keys(order: string): readonly Key[];
  /** Orders whose keys are kept, and so belong into facets. */
  orders(): Iterable<string>;
  /** Whether there is a view of `order` for exactly these equal-indexes. */
  covers(order: string, indexes: readonly string[]): boolean;
  /**
   * The narrowest view of `order` that holds all records with all of `values` (index → value); the whole table's at worst.
   * Slots ascending by key, then id; valid until the next change.
   */
  find(order: string, values: ReadonlyMap<string, Key>): Slots;
  /** A record came (no `before`), went (no `after`) or changed in its slot. */
  change(slot: number, before: Facets | undefined, after: Facets | undefined): void;
  /** Forgets the views, to be sorted afresh when wanted: cheaper than very many insertions. */
  drop(): void;
  /** Drops what has not been wanted for long. Called once per apply. */
  age(): void;
}

interface BuiltView extends SlotList {
  usedAt: number;
}

interface Group {
  readonly by: readonly string[];
  readonly order: string;
  readonly built: Map<string, BuiltView>;
}

/** Applies without a query after which a view is dropped, and the number of views kept. */
const idleApplies = 1000;
const maxViews = 256;

export function createViews<R extends Identified>(spec: TableSpec<R>, shelf: Shelf<R>): Views {
  const { rows, ids } = shelf;
  const columns = new Map<string, Key[]>();
  const groups: Group[] = [
    ...spec.views.map(({ by, order }) => ({ by, order, built: new Map() })),
    ...Object.keys(spec.order).map((order) => ({ by: [], order, built: new Map() })),
  ].sort((a, b) => b.by.length - a.by.length);
  let clock = 0;

  function keys(order: string): Key[] {
    let column = columns.get(order);
    if (column === undefined) {
      const keyOf = spec.order[order];
      if (keyOf === undefined) throw new Error(`table ${spec.name} has no order "${order}"`);
      column = rows.map((row) => (row === undefined ? 0 : sortable(keyOf(row))));
      columns.set(order, column);
    }
    return column;
  }

  function build(group: Group, values: readonly Key[]): BuiltView {
    const column = keys(group.order);
    let members = shelf.live();
    for (const [i, index] of group.by.entries()) members = intersect(members, shelf.with(index, values[i]!));
    const whole = groups.find(({ by, order }) => by.length === 0 && order === group.order)?.built.get('');
    if (whole !== undefined && members.length * 16 > whole.size) {
      const marks = marksOf(members, rows.length);
      members = contentOf(whole).filter((slot) => marks[slot] === 1);
    } else {
      members = members.slice().sort((a, b) => compareKeys(column[a]!, column[b]!) || ids[a]! - ids[b]!);
    }
    return { slots: members, size: members.length, usedAt: clock };
  }

  /** Position of the slot's key and id in the view: where it is, or belongs. */
  function place(view: BuiltView, order: string, slot: number): number {
    const column = columns.get(order)!;
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

  function dropOldest(): void {
    let oldest: [Group, string, number] | undefined;
    let count = 0;
    for (const group of groups) {
      count += group.built.size;
      for (const [name, view] of group.built) if (!oldest || view.usedAt < oldest[2]) oldest = [group, name, view.usedAt];
    }
    if (oldest !== undefined && count > maxViews) oldest[0].built.delete(oldest[1]);
  }

  return {
    keys,
    orders: () => columns.keys(),
    covers: (order, indexes) =>
      groups.some(
        (group) =>
          group.order === order && group.by.length === indexes.length && group.by.every((index) => indexes.includes(index)),
      ),
    find(order, values) {
      keys(order);
      const group = groups.find((each) => each.order === order && each.by.every((index) => values.has(index)))!;
      const combination = group.by.map((index) => values.get(index)!);
      const name = nameOf(combination);
      let view = group.built.get(name);
      if (view === undefined) {
        view = build(group, combination);
        group.built.set(name, view);
        dropOldest();
      }
      view.usedAt = clock;
      return contentOf(view);
    },
    change(slot, before, after) {
      const touched = groups.filter(({ built, by, order }) => {
        if (built.size === 0) return false;
        if (!before || !after || compareKeys(before.keys[order]!, after.keys[order]!) !== 0) return true;
        return by.some((index) => !sameValues(before.equal[index]!, after.equal[index]!));
      });
      if (before !== undefined) {
        for (const { built, by, order } of touched) {
          for (const name of combinations(by, before)) {
            const view = built.get(name);
            if (view !== undefined) removeAt(view, place(view, order, slot));
          }
        }
      }
      if (after === undefined) return;
      for (const [order, column] of columns) column[slot] = after.keys[order]!;
      for (const { built, by, order } of touched) {
        for (const name of combinations(by, after)) {
          const view = built.get(name);
          if (view !== undefined) insertAt(view, place(view, order, slot), slot);
        }
      }
    },
    drop() {
      for (const { built } of groups) built.clear();
    },
    age() {
      if (++clock % 64 !== 0) return;
      for (const { built } of groups) {
        for (const [name, view] of built) if (clock - view.usedAt > idleApplies) built.delete(name);
      }
    },
  };
}

/** Numbers before strings, strings by code unit. */
export function compareKeys(a: Key, b: Key): number {
  if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
  return typeof a === 'number' ? -1 : 1;
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

export function sameValues(a: readonly Key[], b: readonly Key[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

/** Names of the views a record belongs to: every choice of one value per index. */
function combinations(by: readonly string[], { equal }: Facets): string[] {
  let rows: Key[][] = [[]];
  for (const index of by) rows = rows.flatMap((row) => [...new Set(equal[index])].map((value) => [...row, value]));
  return rows.map(nameOf);
}

/** `1` and `"1"` are different values; the whole table's view has the empty name. */
const nameOf = (values: readonly Key[]): string =>
  values.map((value) => (typeof value === 'number' ? value : JSON.stringify(value))).join();
