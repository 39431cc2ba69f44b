/**
 * Query evaluation. A query whose clauses are those of an ordered view (and date ranges in its order) is a slice of it.
 * Otherwise every clause becomes a set of slots, the sets are intersected from the smallest, and the result is put in
 * order: sorted when it is small, picked from an ordered view when it is large. Results are kept until the table changes.
 */

import type { Clause, Identified, Key, Page, Query } from './types.ts';
import { firstOf, orderOf } from './ordering.ts';
import { createResultCache } from './result-cache.ts';
import { ascending, intersect, marksOf, noSlots, type Slots, subtract, union } from './slots.ts';
import type { Core } from './table.ts';
import { compareKeys, positionOf } from './views.ts';

export interface Planner<R> {
  query(query: Query): Page<R>;
  /** The table is about to change. */
  forget(): void;
}

type RangeClause = Extract<Clause, { kind: 'range' }>;
type TestClause = Extract<Clause, { kind: 'test' }>;

/** So few candidates are compared with a range one by one. */
const fewCandidates = 2048;

export function createPlanner<R extends Identified>(core: Core<R>): Planner<R> {
  const { rows, views, search, spec } = core;
  const pages = createResultCache<Page<R>>((page) => page.records.length + 8);
  const matches = createResultCache<Slots>((slots) => slots.length + 8);

  function query(asked: Query): Page<R> {
    const where = keyOf(asked.where);
    const key = where === undefined ? undefined : keyOf([where, asked.sort, asked.offset, asked.limit ?? 'all']);
    return pages.get(key, () => {
      for (const clause of asked.where) check(clause);
      return slice(asked) ?? evaluate(asked);
    });
  }

  /** The page as a piece of a view, when the clauses are no more than the view's own and ranges in its order. */
  function slice({ where, sort, offset, limit = Infinity }: Query): Page<R> | undefined {
    if (typeof sort.by !== 'string' || sort.then?.length) return undefined;
    const values = singleValues(where);
    const rest = where.filter((clause) => clause.kind !== 'in' || values.get(clause.index)?.clause !== clause);
    if (!rest.every((clause) => clause.kind === 'range' && clause.order === sort.by)) return undefined;
    if (!views.covers(sort.by, [...values.keys()])) return undefined;
    const view = views.find(sort.by, keysOf(values));
    const slots = rest.reduce((left, clause) => within(left, clause as RangeClause), view);
    const total = slots.length;
    const [from, to] = [Math.min(offset, total), Math.min(offset + limit, total)];
    const part = sort.direction === 'asc' ? slots.subarray(from, to) : slots.slice(total - to, total - from).reverse();
    return { records: recordsOf(part), total };
  }

  function evaluate({ where, sort, offset, limit = Infinity }: Query): Page<R> {
    const others = where.filter((clause) => !isTest(clause));
    const candidates = matches.get(keyOf(others), () => satisfying(others, undefined));
    const found = accepted(candidates, where.filter(isTest));
    const end = Math.min(offset + limit, found.length);
    if (typeof sort.by === 'string' && !sort.then?.length && found.length * 16 >= core.live().length) {
      const view = views.find(sort.by, keysOf(singleValues(where)));
      return { records: recordsOf(pick(view, found, sort.direction, offset, end)), total: found.length };
    }
    const order = orderOf(core, sort, found);
    return { records: recordsOf(firstOf(found, order, end).subarray(offset)), total: found.length };
  }

  /** The members from `offset` to `end`, counted in the order of the view. */
  function pick(view: Slots, members: Slots, direction: 'asc' | 'desc', offset: number, end: number): Slots {
    if (offset >= end) return noSlots;
    const marks = marksOf(members, rows.length);
    const out = new Uint32Array(end - offset);
    const [start, step] = direction === 'asc' ? [0, 1] : [view.length - 1, -1];
    for (let at = start, seen = 0; seen < end; at += step) {
      const slot = view[at]!;
      if (marks[slot] === 1 && seen++ >= offset) out[seen - 1 - offset] = slot;
    }
    return out;
  }

  /** Slots that satisfy all clauses, of those in `among` (undefined: of all). */
  function satisfying(clauses: readonly Clause[], among: Slots | undefined): Slots {
    const sets = clauses.map(setOf).filter((set) => set !== undefined);
    if (among !== undefined) sets.push(among);
    const smallest = sets.reduce((size, set) => Math.min(size, set.length), Infinity);
    const values = keysOf(singleValues(clauses));
    for (const clause of clauses) {
      if (clause.kind !== 'range' || smallest <= fewCandidates) continue;
      sets.push(ascending(within(views.find(clause.order, values), clause), rows.length));
    }
    // Undefined stands for all records, so that they need not be listed before something narrows them.
    let found: Slots | undefined;
    for (const set of sets.sort((a, b) => a.length - b.length)) found = found ? intersect(found, set) : set;
    for (const clause of clauses) {
      if (clause.kind === 'range' && smallest <= fewCandidates) found = found!.filter(inRange(clause));
      if (clause.kind === 'any') found = anyOf(clause.of, found);
    }
    found ??= core.live();
    for (const clause of clauses)
      if ((clause.kind === 'in' || clause.kind === 'ids') && clause.not) found = subtract(found, namedBy(clause));
    for (const clause of clauses) if (clause.kind === 'search') found = search.find(clause, found);
    return accepted(found, clauses.filter(isTest));
  }

  function anyOf(branches: readonly (readonly Clause[])[], among: Slots | undefined): Slots {
    return union(
      branches.map((branch) => satisfying(branch, among)),
      rows.length,
    );
  }

  /** The set a clause stands for, if it names its members. */
  function setOf(clause: Clause): Slots | undefined {
    if ((clause.kind === 'in' || clause.kind === 'ids') && !clause.not) return namedBy(clause);
    if (clause.kind !== 'all' || clause.values.length === 0) return undefined;
    return clause.values
      .map((value) => core.with(clause.index, value))
      .sort((a, b) => a.length - b.length)
      .reduce(intersect);
  }

  function namedBy(clause: Extract<Clause, { kind: 'in' | 'ids' }>): Slots {
    if (clause.kind === 'in')
      return union(
        clause.values.map((value) => core.with(clause.index, value)),
        rows.length,
      );
    const slots = clause.values.map(core.slotOf).filter((slot) => slot !== undefined);
    return ascending(Uint32Array.from(slots), rows.length);
  }

  /** The part of a view that lies in the range. */
  function within(view: Slots, { order, after, before, inclusive = false }: RangeClause): Slots {
    const keys = views.keys(order);
    const from = after === undefined ? 0 : positionOf(view, keys, after, !inclusive);
    const to = before === undefined ? view.length : positionOf(view, keys, before, inclusive);
    return view.subarray(from, Math.max(from, to));
  }

  function inRange({ order, after, before, inclusive = false }: RangeClause): (slot: number) => boolean {
    const keys = views.keys(order);
    const least = inclusive ? 0 : 1;
    return (slot) => {
      const key = keys[slot]!;
      return (
        (after === undefined || compareKeys(key, after) >= least) && (before === undefined || compareKeys(before, key) >= least)
      );
    };
  }

  function accepted(slots: Slots, tests: readonly TestClause[]): Slots {
    return tests.length === 0 ? slots : slots.filter((slot) => tests.every(({ test }) => test(rows[slot] as never)));
  }

  const recordsOf = (slots: Slots): R[] => Array.from(slots, (slot) => rows[slot]!);

  /** @throws Error for a name the table does not know: a programming error, whatever else the query says */
  function check(clause: Clause): void {
    if (clause.kind === 'in' || clause.kind === 'all') core.count(clause.index, '');
    if (clause.kind === 'range') views.keys(clause.order);
    if (clause.kind === 'any') clause.of.flat().forEach(check);
    if (clause.kind !== 'search') return;
    const unknown = clause.columns.find((column) => !Object.hasOwn(spec.text, column));
    if (unknown !== undefined) throw new Error(`table ${spec.name} has no text column "${unknown}"`);
  }

  return {
    query,
    forget() {
      pages.clear();
      matches.clear();
    },
  };
}

const isTest = (clause: Clause): clause is TestClause => clause.kind === 'test';

/** Equal-indexes that are held to one value, with the clause that does so. */
function singleValues(where: readonly Clause[]): Map<string, { value: Key; clause: Clause }> {
  const values = new Map<string, { value: Key; clause: Clause }>();
  for (const clause of where) {
    if (clause.kind !== 'in' || clause.not || clause.values.length !== 1 || values.has(clause.index)) continue;
    values.set(clause.index, { value: clause.values[0]!, clause });
  }
  return values;
}

const keysOf = (values: ReadonlyMap<string, { value: Key }>): Map<string, Key> =>
  new Map([...values].map(([index, { value }]) => [index, value]));

/** A name for the result of a query, or undefined when functions take part in it. */
function keyOf(value: unknown): string | undefined {
  let pure = true;
  const key = JSON.stringify(value, (_, part) => {
    if (typeof part === 'function') pure = false;
    // JSON has no infinities: they must not be taken for one another.
    return typeof part === 'number' && !Number.isFinite(part) ? { number: String(part) } : part;
  });
  return pure ? key : undefined;
}
