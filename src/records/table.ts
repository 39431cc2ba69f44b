/**
 * A table: records by id in slots, the indexes its spec declares, and the queries over them. A change computes what the old
 * and the new record are found by and touches only the indexes where the two differ.
 */

import type { Identified, Key, Table, TableSpec } from './types.ts';
import { addSlot, createPostings, removeSlot } from './postings.ts';
import { createPlanner } from './planner.ts';
import { createSearch, type Search } from './search.ts';
import { contentOf, type SlotList, type Slots, seek } from './slots.ts';
import { createViews, type Facets, sameValues, sortable, type Shelf, type Views } from './views.ts';

/** The table as its keeper and the planner see it. */
export interface Core<R extends Identified> extends Shelf<R> {
  readonly spec: TableSpec<R>;
  readonly views: Views;
  readonly search: Search;
  slotOf(id: number): number | undefined;
  live(): Slots;
  /** @throws Error for an index the table does not have */
  with(index: string, value: Key): Slots;
  count(index: string, value: Key): number;
}

export interface KeptTable<R extends Identified> extends Table<R> {
  /** Told once before a batch of `count` changes. */
  prepare(count: number): void;
  /** Puts the record in place of the one with its id, or removes that. All or nothing. @returns the record that was there */
  set(id: number, record: R | undefined): R | undefined;
  /** Indexes text for at most about `budgetMs`. @returns whether all text is indexed */
  warm(budgetMs: number): boolean;
}

export function createTable<R extends Identified>(spec: TableSpec<R>): KeptTable<R> {
  const rows: (R | undefined)[] = [];
  const ids: number[] = [];
  const slots = new Map<number, number>();
  const free: number[] = [];
  const live: SlotList = { slots: new Uint32Array(16), size: 0 };
  const equal = new Map(Object.keys(spec.equal).map((name) => [name, createPostings()]));
  const unique = new Map(Object.keys(spec.unique).map((name) => [name, new Map<string, number | readonly number[]>()]));

  const shelf: Shelf<R> = { rows, ids, live: () => contentOf(live), with: (index, value) => postings(index).slots(value) };
  const views = createViews(spec, shelf);
  const search = createSearch(spec, shelf);
  const core: Core<R> = {
    ...shelf,
    spec,
    views,
    search,
    slotOf: (id) => slots.get(id),
    count: (index, value) => postings(index).count(value),
  };
  const planner = createPlanner(core);

  function postings(index: string) {
    const found = equal.get(index);
    if (found === undefined) throw new Error(`table ${spec.name} has no equal-index "${index}"`);
    return found;
  }

  function facetsOf(record: R): Facets {
    const found: Record<string, readonly Key[]> = {};
    for (const name in spec.equal) found[name] = listOf(spec.equal[name]!(record));
    const keys: Record<string, Key> = {};
    for (const order of views.orders()) keys[order] = sortable(spec.order[order]!(record));
    return { equal: found, keys };
  }

  function set(id: number, record: R | undefined): R | undefined {
    if (!Number.isSafeInteger(id)) throw new Error(`table ${spec.name} cannot hold the id ${id}`);
    const known = slots.get(id);
    const previous = known === undefined ? undefined : rows[known];
    if (previous === record) return previous;

    // Everything the spec computes comes first: should it throw, nothing has changed.
    const before = previous && facetsOf(previous);
    const after = record && facetsOf(record);
    const names = [...unique].map(([name, held]) => ({
      held,
      from: previous && spec.unique[name]!(previous),
      to: record && spec.unique[name]!(record),
    }));
    const textChanged = search.started && differs(spec.text, previous, record);

    const slot = known ?? free.pop() ?? rows.length;
    for (const { held, from, to } of names) {
      if (from === to) continue;
      if (from !== undefined) removeId(held, from, id);
      if (to !== undefined) addId(held, to, id);
    }
    for (const [name, lists] of equal) {
      const from = before?.equal[name] ?? [];
      const to = after?.equal[name] ?? [];
      if (sameValues(from, to)) continue;
      for (const value of from) if (!to.includes(value)) lists.remove(value, slot);
      for (const value of to) if (!from.includes(value)) lists.add(value, slot);
    }
    rows[slot] = record && Object.freeze(record);
    ids[slot] = id;
    if (known === undefined) {
      slots.set(id, slot);
      addSlot(live, slot);
    }
    views.change(slot, before, after);
    if (record === undefined) {
      slots.delete(id);
      removeSlot(live, slot);
      free.push(slot);
    }
    if (textChanged) search.change(slot);
    return previous;
  }

  return {
    name: spec.name,
    get size() {
      return slots.size;
    },
    get(id) {
      const slot = slots.get(id);
      return slot === undefined ? undefined : rows[slot];
    },
    by(index, value) {
      const held = unique.get(index);
      if (held === undefined) throw new Error(`table ${spec.name} has no unique index "${index}"`);
      const id = held.get(value);
      return id === undefined ? undefined : rows[slots.get(typeof id === 'number' ? id : id[0]!)!];
    },
    with: (index, value) => idSet(() => postings(index).slots(value), shelf.ids, core.slotOf),
    count: core.count,
    query: planner.query,
    *all() {
      for (const slot of contentOf(live).slice()) if (rows[slot] !== undefined) yield rows[slot];
    },
    prepare(count) {
      planner.forget();
      views.age();
      // Sorting afresh costs about as much as this many insertions.
      if (count > 64 + slots.size / 16) views.drop();
    },
    set,
    warm: search.warm,
  };
}

function listOf(value: Key | readonly Key[] | undefined): readonly Key[] {
  if (value === undefined) return [];
  return typeof value === 'object' ? value : [value];
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
function idSet(slots: () => Slots, ids: readonly number[], slotOf: (id: number) => number | undefined): ReadonlySet<number> {
  const values = () => Array.from(slots(), (slot) => ids[slot]!).values();
  const has = (id: number) => {
    const slot = slotOf(id);
    if (slot === undefined) return false;
    const all = slots();
    return all[seek(all, slot, 0)] === slot;
  };
  const set: ReadonlySet<number> = {
    get size() {
      return slots().length;
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
