/**
 * A table: records by id in slots, the indexes its spec declares, and the queries over them. A change computes what the old
 * and the new record are found by and touches only the indexes where the two differ.
 */

import type { Identified, Key, Table, TableSpec } from './types.ts';
import { addBit, type BitList, bitsOf, createPostings, type Postings, removeBit } from './postings.ts';
import { createPlanner } from './planner.ts';
import { createSearch } from './search.ts';
import { noSlots, type Slots, slotsOf } from './sets.ts';
import { createSortedIndexes, listOf, sameValues, sortable } from './sorted-index.ts';
import type { Core, Facets, RowStore, Search, SortedIndexes, Values } from './table-core.ts';

export interface CachedTable<R extends Identified> extends Table<R> {
  /** Told once before a batch of `count` changes. */
  prepare(count: number): void;
  /** Puts the record in place of the one with its id, or removes that. All or nothing. @returns the record that was there */
  set(id: number, record: R | undefined): R | undefined;
  /** Indexes text for at most about `budgetMs`. @returns whether all text is indexed */
  warm(budgetMs: number): boolean;
}

/** Rows by slot, and what they are found by. */
interface TableState<R extends Identified> {
  readonly spec: TableSpec<R>;
  readonly rows: (R | undefined)[];
  readonly ids: number[];
  /** Id → slot. */
  readonly slots: Map<number, number>;
  /** Slots that removed records have left. */
  readonly free: number[];
  readonly live: BitList;
  readonly equal: readonly EqualIndex<R>[];
  readonly unique: readonly UniqueIndex<R>[];
  readonly views: SortedIndexes;
  readonly search: Search;
}

interface EqualIndex<R> {
  readonly valuesOf: (record: R) => Values;
  readonly lists: Postings;
}

interface UniqueIndex<R> {
  readonly keyOf: (record: R) => string | undefined;
  /** The id that has the value, or all of them in ascending order. */
  readonly held: Map<string, number | readonly number[]>;
}

export function createTable<R extends Identified>(spec: TableSpec<R>, sliceMs?: number): CachedTable<R> {
  const rows: (R | undefined)[] = [];
  const ids: number[] = [];
  const slots = new Map<number, number>();
  const live = bitsOf(noSlots);
  const equal = new Map(Object.entries(spec.equal).map(([name, valuesOf]) => [name, { valuesOf, lists: createPostings() }]));
  const unique = new Map(Object.entries(spec.unique).map(([name, keyOf]) => [name, { keyOf, held: new Map() }]));
  const rowStore: RowStore<R> = {
    rows,
    ids,
    live: () => ({ ...live }),
    with: (index, value) => postings(index).set(value),
    has: (index, value, slot) => postings(index).has(value, slot),
  };
  const views = createSortedIndexes(spec, rowStore);
  const search = createSearch(spec, rowStore);
  const core: Core<R> = {
    ...rowStore,
    spec,
    views,
    search,
    slotOf: (id) => slots.get(id),
    count: (index, value) => postings(index).count(value),
  };
  const planner = createPlanner(core, sliceMs);
  const table: TableState<R> = {
    spec,
    rows,
    ids,
    slots,
    live,
    views,
    search,
    free: [],
    equal: [...equal.values()],
    unique: [...unique.values()],
  };

  function postings(index: string): Postings {
    const found = equal.get(index);
    if (found === undefined) throw new Error(`table ${spec.name} has no equal-index "${index}"`);
    return found.lists;
  }

  return {
    get size() {
      return slots.size;
    },
    get(id) {
      const slot = slots.get(id);
      return slot === undefined ? undefined : rows[slot];
    },
    by(index, value) {
      const held: UniqueIndex<R>['held'] | undefined = unique.get(index)?.held;
      if (held === undefined) throw new Error(`table ${spec.name} has no unique index "${index}"`);
      const id = held.get(value);
      return id === undefined ? undefined : rows[slots.get(typeof id === 'number' ? id : id[0]!)!];
    },
    with: (index, value) =>
      idSet(
        () => slotsOf(postings(index).set(value)),
        (id) => {
          const slot = slots.get(id);
          return slot !== undefined && postings(index).has(value, slot);
        },
        () => postings(index).count(value),
        ids,
      ),
    count: core.count,
    lowest(index, value) {
      let found: number | undefined;
      for (const slot of slotsOf(postings(index).set(value))) {
        const id = ids[slot]!;
        if (found === undefined || id < found) found = id;
      }
      return found;
    },
    query: planner.query,
    find: planner.find,
    *all() {
      for (const slot of slotsOf(live)) if (rows[slot] !== undefined) yield rows[slot];
    },
    prepare(count) {
      planner.forget();
      views.age();
      // Sorting afresh costs about as much as this many insertions.
      if (count > 64 + slots.size / 16) views.drop();
    },
    set: (id, record) => setRecord(table, id, record),
    warm: search.warm,
  };
}

function setRecord<R extends Identified>(table: TableState<R>, id: number, record: R | undefined): R | undefined {
  const { spec, rows, ids, slots, live, free, views, search } = table;
  if (!Number.isSafeInteger(id)) throw new Error(`table ${spec.name} cannot hold the id ${id}`);
  const known = slots.get(id);
  const previous = known === undefined ? undefined : rows[known];
  if (previous === record) return previous;

  // Everything the spec computes comes first: should it throw, nothing has changed.
  const before = previous && facetsOf(table, previous);
  const after = record && facetsOf(table, record);
  const names = table.unique.map(({ held, keyOf }) => ({
    held,
    from: previous && keyOf(previous),
    to: record && keyOf(record),
  }));
  const textChanged = search.started && differs(spec.text, previous, record);

  const slot = known ?? free.pop() ?? rows.length;
  for (const { held, from, to } of names) {
    if (from === to) continue;
    if (from !== undefined) removeId(held, from, id);
    if (to !== undefined) addId(held, to, id);
  }
  for (let index = 0; index < table.equal.length; index++)
    changeValues(table.equal[index]!.lists, slot, before?.equal[index], after?.equal[index]);
  rows[slot] = record && Object.freeze(record);
  ids[slot] = id;
  if (known === undefined) {
    slots.set(id, slot);
    addBit(live, slot);
  }
  views.change(slot, before, after);
  if (record === undefined) {
    slots.delete(id);
    removeBit(live, slot);
    free.push(slot);
  }
  if (textChanged) search.change(slot);
  return previous;
}

function facetsOf<R extends Identified>({ spec, equal, views }: TableState<R>, record: R): Facets {
  const found = equal.map(({ valuesOf }) => valuesOf(record));
  const keys: Record<string, Key> = {};
  for (const order of views.orders()) keys[order] = sortable(spec.order[order]!(record));
  return { equal: found, keys };
}

function changeValues(lists: Postings, slot: number, from: Values, to: Values): void {
  if (sameValues(from, to)) return;
  if (from === undefined && typeof to !== 'object') lists.add(to!, slot);
  else {
    const [gone, come] = [listOf(from), listOf(to)];
    for (const value of gone) if (!come.includes(value)) lists.remove(value, slot);
    for (const value of come) if (!gone.includes(value)) lists.add(value, slot);
  }
}

function differs<R>(text: TableSpec<never>['text'], a: R | undefined, b: R | undefined): boolean {
  if (a === undefined || b === undefined) return true;
  return Object.values(text).some((read) => read(a as never) !== read(b as never));
}

function addId(held: Map<string, number | readonly number[]>, value: string, id: number): void {
  const others = held.get(value);
  held.set(value, others === undefined ? id : [id].concat(others).sort((a, b) => a - b));
}

function removeId(held: Map<string, number | readonly number[]>, value: string, id: number): void {
  const left = [held.get(value) ?? []].flat().filter((other) => other !== id);
  if (left.length === 0) held.delete(value);
  else held.set(value, left.length === 1 ? left[0]! : left);
}

/** A live set of ids over a posting. Iterating walks the posting as it was at the start, so that a loop may apply changes. */
function idSet(
  slots: () => Slots,
  has: (id: number) => boolean,
  size: () => number,
  ids: readonly number[],
): ReadonlySet<number> {
  const values = () => {
    const held = slots();
    const found = new Array<number>(held.length);
    for (let at = 0; at < held.length; at++) found[at] = ids[held[at]!]!;
    return found.values();
  };
  const set: ReadonlySet<number> = {
    get size() {
      return size();
    },
    has,
    values,
    keys: values,
    entries: () => Array.from(values(), (id): [number, number] => [id, id]).values(),
    forEach(visit) {
      for (const id of values()) visit(id, id, set);
    },
    [Symbol.iterator]: values,
  };
  return set;
}
