/**
 * Total orders over slots, and the first few of many in such an order.
 */

import type { Identified, Sort } from './types.ts';
import type { Core } from './table.ts';
import { compareKeys } from './views.ts';
import { noSlots, type Slots } from './slots.ts';

export type Compare = (a: number, b: number) => number;

/**
 * The order a sort asks for, over `slots`.
 *
 * - `by` a sort key: in `direction`.
 * - `by` ids: in the order of the list whatever the direction, then the records it does not name.
 * - `by` a score: the highest first when `desc`, the lowest first when `asc`; NaN is the lowest.
 *
 * Ties are broken by the keys of `then`, each in its own direction, and at last by id in `direction` (ascending after a list of ids).
 */
export function orderOf<R extends Identified>(core: Core<R>, { by, direction, then = [] }: Sort, slots: Slots): Compare {
  const { ids, rows, views } = core;
  const sign = direction === 'asc' ? 1 : -1;
  const further = then.map((each) => byKey(views.keys(each.by), each.direction === 'asc' ? 1 : -1));
  if (typeof by === 'string') return chain([byKey(views.keys(by), sign), ...further], (a, b) => (ids[a]! - ids[b]!) * sign);

  if (typeof by === 'function') {
    const scores = new Float64Array(rows.length);
    for (const slot of slots) scores[slot] = finite(by(rows[slot] as never)) * sign;
    return chain([(a, b) => difference(scores[a]!, scores[b]!), ...further], (a, b) => (ids[a]! - ids[b]!) * sign);
  }
  const ranks = new Map<number, number>();
  for (const [rank, id] of by.entries()) {
    const slot = core.slotOf(id);
    if (slot !== undefined && !ranks.has(slot)) ranks.set(slot, rank);
  }
  const rankOf = (slot: number) => ranks.get(slot) ?? Infinity;
  return chain([(a, b) => difference(rankOf(a), rankOf(b)), ...further], (a, b) => ids[a]! - ids[b]!);
}

/** The first `count` slots in the order, or all of them when there are fewer. Cost: little more than one comparison a slot. */
export function firstOf(slots: Slots, compare: Compare, count: number): Slots {
  if (count === 0) return noSlots;
  if (slots.length <= count * 16) return slots.slice().sort(compare).subarray(0, count);
  // What comes after the last of a sample's first cannot be among the first of all.
  const sample = firstOf(
    slots.filter((_, i) => i % 16 === 0),
    compare,
    count,
  );
  const last = sample[count - 1]!;
  return slots
    .filter((slot) => compare(slot, last) <= 0)
    .sort(compare)
    .subarray(0, count);
}

const byKey =
  (keys: readonly (string | number)[], sign: number): Compare =>
  (a, b) =>
    compareKeys(keys[a]!, keys[b]!) * sign;

const finite = (score: number): number => (Number.isNaN(score) ? -Infinity : score);

/** Subtraction would make NaN of two infinities. */
const difference = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0);

function chain(compares: readonly Compare[], last: Compare): Compare {
  const [first = last, second] = compares;
  if (second === undefined) return (a, b) => first(a, b) || last(a, b);
  return (a, b) => {
    for (const compare of compares) {
      const order = compare(a, b);
      if (order !== 0) return order;
    }
    return last(a, b);
  };
}
