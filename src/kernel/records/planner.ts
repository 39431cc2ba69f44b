/**
 * Query evaluation. A query whose clauses are those of an ordered view (and date ranges in its order) is a slice of it.
 * Otherwise every clause becomes a set of slots, the sets are intersected from the smallest, and the page is put in order:
 * sorted when few satisfy, picked from an ordered view when many do. Results are kept until the table changes. All of it is
 * work that pauses, so that it can be done at once or between other requests.
 */

import type { Clause, Identified, Key, ResultPage, Query } from './types.ts';
import { accepted, boundsOf, fewCandidates, isSingle, isTest, keysOf, type RangeClause, satisfying } from './clause-sets.ts';
import { arranged, isTiers } from './page-order.ts';
import { nameOfClauses, queryKey } from './query-key.ts';
import { createResultCache } from './result-cache.ts';
import { isBits, noSlots, sizeOf, type Slots, type SlotSet } from './sets.ts';
import { finish, runTask, type Task } from '../scheduler.ts';
import type { Core } from './table-core.ts';

interface Planner<R> {
  query(query: Query): ResultPage<R>;
  find(query: Query): ResultPage<R> | Promise<ResultPage<R>>;
  /** The table is about to change. */
  forget(): void;
}

export function createPlanner<R extends Identified>(core: Core<R>, sliceMs?: number): Planner<R> {
  const { rows, views } = core;
  const pages = createResultCache<ResultPage<R>>((page) => page.records.length + 8);
  const matches = createResultCache<SlotSet>((set) => (isBits(set) ? set.words.length : set.length) + 8);
  /** Queries under way, so that the same one is not evaluated twice. */
  const running = new Map<string, Promise<ResultPage<R>>>();
  let changes = 0;

  function* answer(asked: Query, name: string | undefined, clauses: string | undefined): Task<ResultPage<R>> {
    const part = yield* slice(asked);
    if (part !== undefined) return part;
    const page = yield* evaluate(asked, clauses);
    return isQuick(asked, page) ? page : pages.set(name, page);
  }

  /** The page, where that is a piece of a view which is there: no more work than to remember it. */
  function ready(asked: Query): ResultPage<R> | undefined {
    const values = sliced(asked);
    const view = values && views.ready(asked.sort.by as string, values);
    return view && pieceOf(view, asked);
  }

  /** The page as a piece of a view, which is built where that is wanted. */
  function* slice(asked: Query): Task<ResultPage<R> | undefined> {
    const values = sliced(asked);
    const by = asked.sort.by as string;
    if (values === undefined || !views.covers(by, [...values.keys()])) return undefined;
    return pieceOf(yield* views.find(by, values), asked);
  }

  function pieceOf(view: Slots, { where, sort, offset, limit = Infinity }: Query): ResultPage<R> {
    let slots = view;
    for (const clause of where) if (clause.kind === 'range') slots = within(slots, clause);
    return pageOf(piece(slots, sort.direction, offset, offset + limit), slots.length);
  }

  /** @param clauses  the name of the clauses, undefined when there are tests among them */
  function* evaluate({ where, sort, offset, limit = Infinity }: Query, clauses: string | undefined): Task<ResultPage<R>> {
    const tests = where.filter(isTest);
    const pure = tests.length === 0 ? where : where.filter((clause) => !isTest(clause));
    const name = clauses ?? nameOfClauses(pure);
    let candidates = matches.get(name);
    if (candidates === undefined) {
      candidates = yield* satisfying(core, pure, undefined);
      if (!isNamed(pure) || sizeOf(candidates) > fewCandidates) matches.set(name, candidates);
    }
    const found = yield* accepted(core, candidates, tests);
    const total = sizeOf(found);
    const end = Math.min(offset + limit, total);
    return pageOf(offset < end ? yield* arranged(core, found, sort, keysOf(where), offset, end) : noSlots, total);
  }

  /** The part of a view that lies in the range. */
  function within(view: Slots, range: RangeClause): Slots {
    const [from, to] = boundsOf(core, view, range);
    return view.subarray(from, to);
  }

  function pageOf(slots: Slots, total: number): ResultPage<R> {
    const records = new Array<R>(slots.length);
    for (let at = 0; at < slots.length; at++) records[at] = rows[slots[at]!]!;
    return { records, total };
  }

  return {
    query(asked) {
      const clauses = nameOfClauses(asked.where);
      const name = queryKey(asked, clauses);
      const known = pages.get(name) ?? ready(asked);
      if (known !== undefined) return known;
      check(core, asked);
      return finish(answer(asked, name, clauses));
    },
    find(asked) {
      const part = ready(asked);
      if (part !== undefined) return part;
      const clauses = nameOfClauses(asked.where);
      const name = queryKey(asked, clauses);
      const known = pages.get(name) ?? (name === undefined ? undefined : running.get(name));
      if (known !== undefined) return known;
      check(core, asked);
      const begun = answer(asked, name, clauses);
      // What is done before its first pause, as nearly everything is, waits for nobody.
      const first = begun.next();
      if (first.done) return first.value;
      let done: ResultPage<R> | undefined;
      const leave = () => name !== undefined && running.delete(name);
      function* leaving(work: Task<ResultPage<R>>): Task<ResultPage<R>> {
        done = yield* work;
        leave();
        return done;
      }
      let next: Task<ResultPage<R>> | undefined = begun;
      const begin = (): Task<ResultPage<R>> => {
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

/** @throws Error for a name the table does not know: a programming error, whatever else the query says */
function check<R extends Identified>(core: Core<R>, { where, sort }: Query): void {
  const checkEach = (clause: Clause) => checkClause(core, clause);
  where.forEach(checkEach);
  if (isTiers(sort.by)) sort.by.tiers.flat().forEach(checkEach);
  const orders = [sort.by, ...(sort.then ?? []).map(({ by }) => by)];
  for (const order of orders) if (typeof order === 'string') core.views.check(order);
}

function checkClause<R extends Identified>(core: Core<R>, clause: Clause): void {
  if (clause.kind === 'in' || clause.kind === 'all') core.count(clause.index, '');
  if (clause.kind === 'range') core.views.check(clause.order);
  if (clause.kind === 'any') for (const each of clause.of.flat()) checkClause(core, each);
  if (clause.kind !== 'search') return;
  const unknown = clause.columns.find((column) => !Object.hasOwn(core.spec.text, column));
  if (unknown !== undefined) throw new Error(`table ${core.spec.name} has no text column "${unknown}"`);
}

/** The slots from `from` to `to`, counted in the direction. */
function piece(slots: Slots, direction: 'asc' | 'desc', from: number, to: number): Slots {
  const total = slots.length;
  const [start, end] = [Math.min(from, total), Math.min(to, total)];
  return direction === 'asc' ? slots.subarray(start, end) : slots.slice(total - end, total - start).reverse();
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
const isQuick = ({ where, sort }: Query, { total }: ResultPage<unknown>): boolean =>
  total <= fewCandidates && typeof sort.by === 'string' && isNamed(where);
