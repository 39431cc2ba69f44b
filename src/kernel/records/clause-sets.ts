/**
 * Clauses as sets of slots: those that name their members are intersected from the smallest, then ranges and exclusions narrow what
 * is left, then alternatives, searches and tests.
 */

import type { Clause, Identified, Key } from './types.ts';
import { compareKeys } from './ordering.ts';
import {
  filterList,
  intersect,
  mark,
  setOf,
  setOfWords,
  sizeOf,
  type Slots,
  type SlotSet,
  slotsOf,
  subtract,
  union,
  wordsFor,
} from './sets.ts';
import type { Task } from '../scheduler.ts';
import { positionOf } from './sorted-index.ts';
import type { Core } from './table-core.ts';

export type RangeClause = Extract<Clause, { kind: 'range' }>;
type TestClause = Extract<Clause, { kind: 'test' }>;
/** One value by equal-index. */
export type IndexValues = ReadonlyMap<string, Key>;

/** So few candidates are compared with a range one by one. */
export const fewCandidates = 512;
/** Tests, which callers give and which may cost much, between two pauses. */
const stride = 16;

export const isTest = (clause: Clause): clause is TestClause => clause.kind === 'test';

/** Whether a clause holds an equal-index to one value. */
export const isSingle = (clause: Clause): clause is Extract<Clause, { kind: 'in' }> =>
  clause.kind === 'in' && !clause.not && clause.values.length === 1;

/** Equal-indexes that are held to one value, with that value. */
export function keysOf(where: readonly Clause[]): Map<string, Key> {
  const values = new Map<string, Key>();
  for (const clause of where) if (isSingle(clause) && !values.has(clause.index)) values.set(clause.index, clause.values[0]!);
  return values;
}

/** Slots that satisfy all clauses, of those in `among` (undefined: of all). */
export function* satisfying<R extends Identified>(
  core: Core<R>,
  clauses: readonly Clause[],
  among: SlotSet | undefined,
): Task<SlotSet> {
  const sets: SlotSet[] = among === undefined ? [] : [among];
  for (const clause of clauses) {
    const set = namedBy(core, clause);
    if (set !== undefined) sets.push(set);
  }
  // Undefined means all records, so that they need not be listed before something narrows them.
  let found: SlotSet | undefined;
  for (const set of sets.sort((a, b) => sizeOf(a) - sizeOf(b))) found = found ? intersect(found, set) : set;
  for (const clause of clauses) {
    if (clause.kind === 'range') found = yield* inRange(core, found, clause, keysOf(clauses));
    if ((clause.kind === 'in' || clause.kind === 'ids') && clause.not)
      found = subtract(found ?? core.live(), membersOf(core, clause));
  }
  for (const clause of clauses) if (clause.kind === 'any') found = yield* anyOf(core, clause.of, found);
  found ??= core.live();
  for (const clause of clauses) if (clause.kind === 'search') found = yield* core.search.find(clause, found);
  return yield* accepted(core, found, clauses.filter(isTest));
}

/** Each branch is asked about those only that no branch before it has. */
function* anyOf<R extends Identified>(
  core: Core<R>,
  branches: readonly (readonly Clause[])[],
  among: SlotSet | undefined,
): Task<SlotSet> {
  const found: SlotSet[] = [];
  let left = among;
  for (const branch of branches) {
    const more = yield* satisfying(core, branch, left);
    found.push(more);
    if (branches.length > 1) left = subtract(left ?? core.live(), more);
  }
  return union(found, core.rows.length);
}

/** The set of a clause, if it names its members. */
function namedBy<R extends Identified>(core: Core<R>, clause: Clause): SlotSet | undefined {
  if ((clause.kind === 'in' || clause.kind === 'ids') && !clause.not) return membersOf(core, clause);
  if (clause.kind !== 'all' || clause.values.length === 0) return undefined;
  return clause.values
    .map((value) => core.with(clause.index, value))
    .sort((a, b) => sizeOf(a) - sizeOf(b))
    .reduce(intersect);
}

function membersOf<R extends Identified>(core: Core<R>, clause: Extract<Clause, { kind: 'in' | 'ids' }>): SlotSet {
  if (clause.kind === 'in') {
    if (clause.values.length === 1) return core.with(clause.index, clause.values[0]!);
    const sets = clause.values.map((value) => core.with(clause.index, value));
    return union(sets, core.rows.length);
  }
  const slots = clause.values.map(core.slotOf).filter((slot) => slot !== undefined);
  return setOf(Uint32Array.from(slots), core.rows.length);
}

export function boundsOf<R extends Identified>(
  core: Core<R>,
  view: Slots,
  { order, after, before, inclusive = false }: RangeClause,
): [number, number] {
  const keys = core.views.keys(order);
  const from = after === undefined ? 0 : positionOf(view, keys, after, !inclusive);
  const to = before === undefined ? view.length : positionOf(view, keys, before, inclusive);
  return [from, Math.max(from, to)];
}

/** Those in the range: few are compared, of many the smaller part of a view (in the range or out of it) is marked. */
function* inRange<R extends Identified>(
  core: Core<R>,
  among: SlotSet | undefined,
  clause: RangeClause,
  values: IndexValues,
): Task<SlotSet> {
  const { order, after, before, inclusive = false } = clause;
  if (among !== undefined && sizeOf(among) <= fewCandidates) {
    const keys = yield* core.views.fill(order);
    const least = inclusive ? 0 : 1;
    return filterList(slotsOf(among), (slot) => {
      const key = keys[slot]!;
      return (
        (after === undefined || compareKeys(key, after) >= least) && (before === undefined || compareKeys(before, key) >= least)
      );
    });
  }
  const view = yield* core.views.find(order, values);
  const [from, to] = boundsOf(core, view, clause);
  const words = new Int32Array(wordsFor(core.rows.length));
  if (to - from <= view.length / 2) {
    mark(words, view.subarray(from, to));
    const inside = setOfWords(words);
    return among === undefined ? inside : intersect(inside, among);
  }
  mark(words, view.subarray(0, from));
  mark(words, view.subarray(to));
  return subtract(among ?? core.live(), setOfWords(words));
}

export function* accepted<R extends Identified>(core: Core<R>, set: SlotSet, tests: readonly TestClause[]): Task<SlotSet> {
  if (tests.length === 0) return set;
  const kept = slotsOf(set).slice();
  let size = 0;
  for (let i = 0; i < kept.length; i++) {
    const row = core.rows[kept[i]!];
    if (tests.every(({ test }) => test(row as never))) kept[size++] = kept[i]!;
    if (i % stride === stride - 1) yield;
  }
  return setOf(kept.subarray(0, size), core.rows.length);
}
