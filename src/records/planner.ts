/**
 * Query evaluation. A query whose clauses are those of an ordered view (and date ranges in its order) is a slice of it.
 * Otherwise every clause becomes a set of slots, the sets are intersected from the smallest, and the page is put in order:
 * sorted when few satisfy, picked from an ordered view when many do. Results are kept until the table changes. All of it is
 * work that pauses, so that it can be done at once or between other requests.
 */

import type { Clause, Identified, Key, Page, Query, Sort, Tiers } from './types.ts';
import { compareKeys, firstOf, orderOf } from './ordering.ts';
import { createResultCache } from './result-cache.ts';
import {
  filterList,
  hasBit,
  intersect,
  isBits,
  mark,
  noSlots,
  setOf,
  setOfWords,
  sizeOf,
  type Slots,
  type SlotSet,
  slotsOf,
  subtract,
  union,
  wordsFor,
  wordsOf,
} from './sets.ts';
import { finish, type Slices, type Work } from './slices.ts';
import type { Core } from './table.ts';
import { positionOf } from './views.ts';

export interface Planner<R> {
  query(query: Query): Page<R>;
  find(query: Query): Promise<Page<R>>;
  /** The table is about to change. */
  forget(): void;
}

type RangeClause = Extract<Clause, { kind: 'range' }>;
type TestClause = Extract<Clause, { kind: 'test' }>;
type Values = ReadonlyMap<string, Key>;

/** So few candidates are compared with a range one by one. */
const fewCandidates = 512;
/** What comparing two records in a sort costs, in steps along a view. */
const stepsPerComparison = 40;
/** Steps of a loop between two pauses. */
const stride = 1024;

export function createPlanner<R extends Identified>(core: Core<R>, slices: Slices): Planner<R> {
  const { rows, views, search, spec } = core;
  const pages = createResultCache<Page<R>>((page) => page.records.length + 8);
  const matches = createResultCache<SlotSet>((set) => (isBits(set) ? set.words.length : set.length) + 8);
  /** Queries under way, so that the same one is not evaluated twice. */
  const running = new Map<string, Promise<Page<R>>>();
  let changes = 0;

  function nameOf({ where, sort, offset, limit }: Query): string | undefined {
    const name = keyOf(where);
    return name === undefined ? undefined : keyOf([name, sort, offset, limit ?? 'all']);
  }

  function* answer(asked: Query, name: string | undefined): Work<Page<R>> {
    return pages.set(name, (yield* slice(asked)) ?? (yield* evaluate(asked)));
  }

  /** The page as a piece of a view, when the clauses are no more than the view's own and ranges in its order. */
  function* slice({ where, sort, offset, limit = Infinity }: Query): Work<Page<R> | undefined> {
    if (typeof sort.by !== 'string' || sort.then?.length) return undefined;
    const values = singleValues(where);
    const rest = where.filter((clause) => clause.kind !== 'in' || values.get(clause.index)?.clause !== clause);
    if (!rest.every((clause) => clause.kind === 'range' && clause.order === sort.by)) return undefined;
    if (!views.covers(sort.by, [...values.keys()])) return undefined;
    const view = yield* views.find(sort.by, keysOf(values));
    const slots = rest.reduce((left, clause) => within(left, clause as RangeClause), view);
    return pageOf(piece(slots, sort.direction, offset, offset + limit), slots.length);
  }

  function* evaluate({ where, sort, offset, limit = Infinity }: Query): Work<Page<R>> {
    const pure = where.filter((clause) => !isTest(clause));
    const name = keyOf(pure);
    const candidates = matches.get(name) ?? matches.set(name, yield* satisfying(pure, undefined));
    const found = yield* accepted(candidates, where.filter(isTest));
    const total = sizeOf(found);
    const end = Math.min(offset + limit, total);
    return pageOf(offset < end ? yield* arranged(found, sort, keysOf(singleValues(where)), offset, end) : noSlots, total);
  }

  /** The members from `offset` to `end` (not beyond the last) in the order asked for. */
  function* arranged(members: SlotSet, sort: Sort, values: Values, offset: number, end: number): Work<Slots> {
    if (isTiers(sort.by)) return yield* byTier(members, sort, sort.by, values, offset, end);
    const { by, direction, then = [] } = sort;
    const total = sizeOf(members);
    if (typeof by === 'string' && then.length === 0) {
      const size = sizeOf(core.live());
      const steps = Math.min(end, total - offset) * (size / total);
      if (total * Math.log2(total + 1) * stepsPerComparison > steps + wordsFor(size)) {
        return pick(yield* views.find(by, values), members, direction, offset, end);
      }
    }
    const slots = slotsOf(members);
    return (yield* firstOf(slots, yield* orderOf(core, sort, slots), end)).subarray(offset);
  }

  /** The first tier in its order, then the second; tiers behind the page are not looked for. */
  function* byTier(all: SlotSet, sort: Sort, { tiers }: Tiers, values: Values, offset: number, end: number): Work<Slots> {
    const [first = { by: 'id', direction: sort.direction }, ...further] = sort.then ?? [];
    // By one key, and by id in the same direction, is what views are for.
    const inner: Sort = further.length === 0 && first.direction === sort.direction ? first : { ...sort, by: () => 0 };
    const out = new Uint32Array(end - offset);
    let left = all;
    let seen = 0;
    for (const tier of [...tiers, []]) {
      const members = tier.length > 0 ? yield* satisfying(tier, left) : left;
      const size = sizeOf(members);
      const [from, to] = [Math.max(offset - seen, 0), Math.min(end - seen, size)];
      if (from < to) out.set(yield* arranged(members, inner, values, from, to), seen + from - offset);
      seen += size;
      if (seen >= end) break;
      left = subtract(left, members);
    }
    return out;
  }

  /** The members from `offset` to `end`, counted in the order of the view; walked from the nearer end. */
  function pick(view: Slots, members: SlotSet, direction: 'asc' | 'desc', offset: number, end: number): Slots {
    const total = sizeOf(members);
    if (end > total - offset) return pick(view, members, opposite(direction), total - end, total - offset).reverse();
    const words = wordsOf(members, rows.length);
    const out = new Uint32Array(end - offset);
    const step = direction === 'asc' ? 1 : -1;
    for (let at = direction === 'asc' ? 0 : view.length - 1, seen = 0; seen < end; at += step) {
      const slot = view[at]!;
      if (hasBit(words, slot) && seen++ >= offset) out[seen - 1 - offset] = slot;
    }
    return out;
  }

  /** Slots that satisfy all clauses, of those in `among` (undefined: of all). */
  function* satisfying(clauses: readonly Clause[], among: SlotSet | undefined): Work<SlotSet> {
    const sets = clauses.map(namedBy).filter((set) => set !== undefined);
    if (among !== undefined) sets.push(among);
    // Undefined stands for all records, so that they need not be listed before something narrows them.
    let found: SlotSet | undefined;
    for (const set of sets.sort((a, b) => sizeOf(a) - sizeOf(b))) found = found ? intersect(found, set) : set;
    const values = keysOf(singleValues(clauses));
    for (const clause of clauses) {
      if (clause.kind === 'range') found = yield* inRange(found, clause, values);
      if ((clause.kind === 'in' || clause.kind === 'ids') && clause.not)
        found = subtract(found ?? core.live(), membersOf(clause));
    }
    for (const clause of clauses) if (clause.kind === 'any') found = yield* anyOf(clause.of, found);
    found ??= core.live();
    for (const clause of clauses) if (clause.kind === 'search') found = yield* search.find(clause, found);
    return yield* accepted(found, clauses.filter(isTest));
  }

  /** Each branch is asked about those only that no branch before it has. */
  function* anyOf(branches: readonly (readonly Clause[])[], among: SlotSet | undefined): Work<SlotSet> {
    const found: SlotSet[] = [];
    let left = among;
    for (const branch of branches) {
      const more = yield* satisfying(branch, left);
      found.push(more);
      if (branches.length > 1) left = subtract(left ?? core.live(), more);
    }
    return union(found, rows.length);
  }

  /** The set a clause stands for, if it names its members. */
  function namedBy(clause: Clause): SlotSet | undefined {
    if ((clause.kind === 'in' || clause.kind === 'ids') && !clause.not) return membersOf(clause);
    if (clause.kind !== 'all' || clause.values.length === 0) return undefined;
    return clause.values
      .map((value) => core.with(clause.index, value))
      .sort((a, b) => sizeOf(a) - sizeOf(b))
      .reduce(intersect);
  }

  function membersOf(clause: Extract<Clause, { kind: 'in' | 'ids' }>): SlotSet {
    if (clause.kind === 'in') {
      const sets = clause.values.map((value) => core.with(clause.index, value));
      return union(sets, rows.length);
    }
    const slots = clause.values.map(core.slotOf).filter((slot) => slot !== undefined);
    return setOf(Uint32Array.from(slots), rows.length);
  }

  /** The part of a view that lies in the range. */
  function within(view: Slots, range: RangeClause): Slots {
    const [from, to] = boundsOf(view, range);
    return view.subarray(from, to);
  }

  function boundsOf(view: Slots, { order, after, before, inclusive = false }: RangeClause): [number, number] {
    const keys = views.keys(order);
    const from = after === undefined ? 0 : positionOf(view, keys, after, !inclusive);
    const to = before === undefined ? view.length : positionOf(view, keys, before, inclusive);
    return [from, Math.max(from, to)];
  }

  /** Those in the range: few are compared, of many the smaller part of a view (in the range or out of it) is marked. */
  function* inRange(among: SlotSet | undefined, clause: RangeClause, values: Values): Work<SlotSet> {
    const { order, after, before, inclusive = false } = clause;
    if (among !== undefined && sizeOf(among) <= fewCandidates) {
      const keys = yield* views.fill(order);
      const least = inclusive ? 0 : 1;
      return filterList(slotsOf(among), (slot) => {
        const key = keys[slot]!;
        return (
          (after === undefined || compareKeys(key, after) >= least) && (before === undefined || compareKeys(before, key) >= least)
        );
      });
    }
    const view = yield* views.find(order, values);
    const [from, to] = boundsOf(view, clause);
    const words = new Int32Array(wordsFor(rows.length));
    if (to - from <= view.length / 2) {
      mark(words, view.subarray(from, to));
      const inside = setOfWords(words);
      return among === undefined ? inside : intersect(inside, among);
    }
    mark(words, view.subarray(0, from));
    mark(words, view.subarray(to));
    return subtract(among ?? core.live(), setOfWords(words));
  }

  function* accepted(set: SlotSet, tests: readonly TestClause[]): Work<SlotSet> {
    if (tests.length === 0) return set;
    const kept = slotsOf(set).slice();
    let size = 0;
    for (let i = 0; i < kept.length; i++) {
      const row = rows[kept[i]!];
      if (tests.every(({ test }) => test(row as never))) kept[size++] = kept[i]!;
      if (i % stride === stride - 1) yield;
    }
    return setOf(kept.subarray(0, size), rows.length);
  }

  const pageOf = (slots: Slots, total: number): Page<R> => ({ records: Array.from(slots, (slot) => rows[slot]!), total });

  /** @throws Error for a name the table does not know: a programming error, whatever else the query says */
  function check({ where, sort }: Query): void {
    where.forEach(checkClause);
    if (isTiers(sort.by)) sort.by.tiers.flat().forEach(checkClause);
    const orders = [sort.by, ...(sort.then ?? []).map(({ by }) => by)];
    for (const order of orders) if (typeof order === 'string') views.check(order);
  }

  function checkClause(clause: Clause): void {
    if (clause.kind === 'in' || clause.kind === 'all') core.count(clause.index, '');
    if (clause.kind === 'range') views.check(clause.order);
    if (clause.kind === 'any') clause.of.flat().forEach(checkClause);
    if (clause.kind !== 'search') return;
    const unknown = clause.columns.find((column) => !Object.hasOwn(spec.text, column));
    if (unknown !== undefined) throw new Error(`table ${spec.name} has no text column "${unknown}"`);
  }

  return {
    query(asked) {
      const name = nameOf(asked);
      const known = pages.get(name);
      if (known !== undefined) return known;
      check(asked);
      return finish(answer(asked, name));
    },
    async find(asked) {
      const name = nameOf(asked);
      const known = pages.get(name) ?? (name === undefined ? undefined : running.get(name));
      if (known !== undefined) return known;
      check(asked);
      let isDone = false;
      const leave = () => {
        isDone = true;
        if (name !== undefined) running.delete(name);
      };
      const page = slices.run(
        function* () {
          const result = yield* answer(asked, name);
          leave();
          return result;
        },
        () => changes,
      );
      if (!isDone && name !== undefined) {
        running.set(name, page);
        page.catch(leave);
      }
      return page;
    },
    forget() {
      changes++;
      pages.clear();
      matches.clear();
    },
  };
}

const isTest = (clause: Clause): clause is TestClause => clause.kind === 'test';
const isTiers = (by: Sort['by']): by is Tiers => typeof by === 'object' && 'tiers' in by;
const opposite = (direction: 'asc' | 'desc') => (direction === 'asc' ? 'desc' : 'asc');

/** The slots from `from` to `to`, counted in the direction. */
function piece(slots: Slots, direction: 'asc' | 'desc', from: number, to: number): Slots {
  const total = slots.length;
  const [start, end] = [Math.min(from, total), Math.min(to, total)];
  return direction === 'asc' ? slots.subarray(start, end) : slots.slice(total - end, total - start).reverse();
}

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
