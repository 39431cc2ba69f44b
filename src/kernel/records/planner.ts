/**
 * Query evaluation. A query whose clauses are those of an ordered view (and date ranges in its order) is a slice of it.
 * Otherwise every clause becomes a set of slots, the sets are intersected from the smallest, and the page is put in order:
 * sorted when few satisfy, picked from an ordered view when many do. Results are kept until the table changes. All of it is
 * work that pauses, so that it can be done at once or between other requests.
 */

import type { Clause, Identified, Key, Page, Query, Sort, Tiers } from './types.ts';
import { compareKeys, firstOf, orderOf } from './ordering.ts';
import { nameOfClauses, queryKey } from './query-key.ts';
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
import { finish, runTask, type Task } from '../scheduler.ts';
import type { Core } from './table.ts';
import { positionOf } from './sorted-index.ts';

export interface Planner<R> {
  query(query: Query): Page<R>;
  find(query: Query): Page<R> | Promise<Page<R>>;
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
/** Tests, which callers give and which may cost much, between two pauses. */
const stride = 16;

export function createPlanner<R extends Identified>(core: Core<R>, sliceMs?: number): Planner<R> {
  const { rows, views, search, spec } = core;
  const pages = createResultCache<Page<R>>((page) => page.records.length + 8);
  const matches = createResultCache<SlotSet>((set) => (isBits(set) ? set.words.length : set.length) + 8);
  /** Queries under way, so that the same one is not evaluated twice. */
  const running = new Map<string, Promise<Page<R>>>();
  let changes = 0;

  function* answer(asked: Query, name: string | undefined, clauses: string | undefined): Task<Page<R>> {
    const part = yield* slice(asked);
    if (part !== undefined) return part;
    const page = yield* evaluate(asked, clauses);
    return isQuick(asked, page) ? page : pages.set(name, page);
  }

  /** The page, where that is a piece of a view which is there: no more work than to remember it. */
  function ready(asked: Query): Page<R> | undefined {
    const values = sliced(asked);
    const view = values && views.ready(asked.sort.by as string, values);
    return view && pieceOf(view, asked);
  }

  /** The page as a piece of a view, which is built where that is wanted. */
  function* slice(asked: Query): Task<Page<R> | undefined> {
    const values = sliced(asked);
    const by = asked.sort.by as string;
    if (values === undefined || !views.covers(by, [...values.keys()])) return undefined;
    return pieceOf(yield* views.find(by, values), asked);
  }

  function pieceOf(view: Slots, { where, sort, offset, limit = Infinity }: Query): Page<R> {
    let slots = view;
    for (const clause of where) if (clause.kind === 'range') slots = within(slots, clause);
    return pageOf(piece(slots, sort.direction, offset, offset + limit), slots.length);
  }

  /** @param clauses  the name of the clauses, undefined when there are tests among them */
  function* evaluate({ where, sort, offset, limit = Infinity }: Query, clauses: string | undefined): Task<Page<R>> {
    const tests = where.filter(isTest);
    const pure = tests.length === 0 ? where : where.filter((clause) => !isTest(clause));
    const name = clauses ?? nameOfClauses(pure);
    let candidates = matches.get(name);
    if (candidates === undefined) {
      candidates = yield* satisfying(pure, undefined);
      if (!isNamed(pure) || sizeOf(candidates) > fewCandidates) matches.set(name, candidates);
    }
    const found = yield* accepted(candidates, tests);
    const total = sizeOf(found);
    const end = Math.min(offset + limit, total);
    return pageOf(offset < end ? yield* arranged(found, sort, keysOf(where), offset, end) : noSlots, total);
  }

  /** The members from `offset` to `end` (not beyond the last) in the order asked for. */
  function* arranged(members: SlotSet, sort: Sort, values: Values, offset: number, end: number): Task<Slots> {
    if (isTiers(sort.by)) return yield* byTier(members, sort, sort.by, values, offset, end);
    const { by, direction, then = [] } = sort;
    const total = sizeOf(members);
    if (total === 1) return slotsOf(members);
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
  function* byTier(all: SlotSet, sort: Sort, { tiers }: Tiers, values: Values, offset: number, end: number): Task<Slots> {
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
  function* satisfying(clauses: readonly Clause[], among: SlotSet | undefined): Task<SlotSet> {
    const sets: SlotSet[] = among === undefined ? [] : [among];
    for (const clause of clauses) {
      const set = namedBy(clause);
      if (set !== undefined) sets.push(set);
    }
    // Undefined stands for all records, so that they need not be listed before something narrows them.
    let found: SlotSet | undefined;
    for (const set of sets.sort((a, b) => sizeOf(a) - sizeOf(b))) found = found ? intersect(found, set) : set;
    for (const clause of clauses) {
      if (clause.kind === 'range') found = yield* inRange(found, clause, keysOf(clauses));
      if ((clause.kind === 'in' || clause.kind === 'ids') && clause.not)
        found = subtract(found ?? core.live(), membersOf(clause));
    }
    for (const clause of clauses) if (clause.kind === 'any') found = yield* anyOf(clause.of, found);
    found ??= core.live();
    for (const clause of clauses) if (clause.kind === 'search') found = yield* search.find(clause, found);
    return yield* accepted(found, clauses.filter(isTest));
  }

  /** Each branch is asked about those only that no branch before it has. */
  function* anyOf(branches: readonly (readonly Clause[])[], among: SlotSet | undefined): Task<SlotSet> {
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
      if (clause.values.length === 1) return core.with(clause.index, clause.values[0]!);
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
  function* inRange(among: SlotSet | undefined, clause: RangeClause, values: Values): Task<SlotSet> {
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

  function* accepted(set: SlotSet, tests: readonly TestClause[]): Task<SlotSet> {
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

  function pageOf(slots: Slots, total: number): Page<R> {
    const records = new Array<R>(slots.length);
    for (let at = 0; at < slots.length; at++) records[at] = rows[slots[at]!]!;
    return { records, total };
  }

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
      const clauses = nameOfClauses(asked.where);
      const name = queryKey(asked, clauses);
      const known = pages.get(name) ?? ready(asked);
      if (known !== undefined) return known;
      check(asked);
      return finish(answer(asked, name, clauses));
    },
    find(asked) {
      const part = ready(asked);
      if (part !== undefined) return part;
      const clauses = nameOfClauses(asked.where);
      const name = queryKey(asked, clauses);
      const known = pages.get(name) ?? (name === undefined ? undefined : running.get(name));
      if (known !== undefined) return known;
      check(asked);
      const begun = answer(asked, name, clauses);
      // What is done before its first pause, as nearly everything is, waits for nobody.
      const first = begun.next();
      if (first.done) return first.value;
      let done: Page<R> | undefined;
      const leave = () => name !== undefined && running.delete(name);
      function* leaving(work: Task<Page<R>>): Task<Page<R>> {
        done = yield* work;
        leave();
        return done;
      }
      let next: Task<Page<R>> | undefined = begun;
      const begin = (): Task<Page<R>> => {
        const work = next ?? answer(asked, name, clauses);
        next = undefined;
        return leaving(work);
      };
      const page = runTask(begin, () => changes, sliceMs);
      if (done !== undefined) return done;
      if (name !== undefined) {
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

/** Whether a clause holds an equal-index to one value. */
const isSingle = (clause: Clause): clause is Extract<Clause, { kind: 'in' }> =>
  clause.kind === 'in' && !clause.not && clause.values.length === 1;

/** Equal-indexes that are held to one value, with that value. */
function keysOf(where: readonly Clause[]): Map<string, Key> {
  const values = new Map<string, Key>();
  for (const clause of where) if (isSingle(clause) && !values.has(clause.index)) values.set(clause.index, clause.values[0]!);
  return values;
}

/** The values a view must be for, so that the query is a piece of it; undefined when it asks for more than values and a range. */
function sliced({ where, sort }: Query): Map<string, Key> | undefined {
  if (typeof sort.by !== 'string' || sort.then?.length) return undefined;
  const values = new Map<string, Key>();
  for (const clause of where) {
    if (isSingle(clause) && !values.has(clause.index)) values.set(clause.index, clause.values[0]!);
    else if (clause.kind !== 'range' || clause.order !== sort.by) return undefined;
  }
  return values;
}

/** Whether clauses do no more than to name their members. */
const isNamed = (clauses: readonly Clause[]): boolean => clauses.every(({ kind }) => kind === 'in' || kind === 'ids');

/** What is found again as fast as it is remembered. */
const isQuick = ({ where, sort }: Query, { total }: Page<unknown>): boolean =>
  total <= fewCandidates && typeof sort.by === 'string' && isNamed(where);
