/**
 * Total orders over slots, and the first few of many in such an order.
 */

import type { Identified, Key, Sort } from './types.ts';
import { filterList, noSlots, type Slots } from './sets.ts';
import type { Task } from '../scheduler.ts';
import type { Core } from './table-core.ts';

type Compare = (a: number, b: number) => number;

/** Comparisons between two pauses. */
const stride = 512;
/** Scores, which callers give, and which may cost much more. */
const strideOfScores = 16;

/**
 * The order a sort asks for, over `slots`.
 *
 * - `by` a sort key: in `direction`.
 * - `by` ids: in the order of the list whatever the direction, then the records it does not name.
 * - `by` a score: the highest first when `desc`, the lowest first when `asc`; NaN is the lowest.
 *
 * Ties are broken by the keys of `then`, each in its own direction, and at last by id in `direction` (ascending after a list of ids).
 */
export function* orderOf<R extends Identified>(core: Core<R>, { by, direction, then = [] }: Sort, slots: Slots): Task<Compare> {
  const { ids, rows, views } = core;
  const sign = direction === 'asc' ? 1 : -1;
  const further: Compare[] = [];
  for (const each of then) further.push(byKey(yield* views.fill(each.by), each.direction === 'asc' ? 1 : -1));
  if (typeof by === 'string')
    return chain([byKey(yield* views.fill(by), sign), ...further], (a, b) => (ids[a]! - ids[b]!) * sign);

  if (typeof by === 'function') {
    const scores = new Float64Array(rows.length);
    for (let i = 0; i < slots.length; i++) {
      scores[slots[i]!] = finite(by(rows[slots[i]!] as never)) * sign;
      if (i % strideOfScores === strideOfScores - 1) yield;
    }
    return chain([(a, b) => difference(scores[a]!, scores[b]!), ...further], (a, b) => (ids[a]! - ids[b]!) * sign);
  }
  // Tiers are arranged one by one.
  if (!Array.isArray(by)) throw new Error('tiers have no order among themselves');
  const ranks = new Map<number, number>();
  for (const [rank, id] of (by as readonly number[]).entries()) {
    const slot = core.slotOf(id);
    if (slot !== undefined && !ranks.has(slot)) ranks.set(slot, rank);
  }
  const rankOf = (slot: number) => ranks.get(slot) ?? Infinity;
  return chain([(a, b) => difference(rankOf(a), rankOf(b)), ...further], (a, b) => ids[a]! - ids[b]!);
}

/** The first `count` slots in the order, or all of them when there are fewer. Cost: little more than one comparison a slot. */
export function* firstOf(slots: Slots, compare: Compare, count: number): Task<Slots> {
  if (count === 0) return noSlots;
  if (slots.length <= count * 16) return (yield* sorted(slots, compare)).subarray(0, count);
  // What comes after the last of a sample's first cannot be among the first of all.
  const sample = slots.filter((_, i) => i % 16 === 0);
  const last = (yield* firstOf(sample, compare, count))[count - 1]!;
  const left: Slots[] = [];
  for (let start = 0; start < slots.length; start += stride) {
    left.push(filterList(slots.subarray(start, start + stride), (slot) => compare(slot, last) <= 0));
    yield;
  }
  const most = Uint32Array.from(left.flatMap((part) => [...part]));
  return (yield* sorted(most, compare)).subarray(0, count);
}

/** A merge sort that pauses. @returns a new list */
export function* sorted(slots: Slots, compare: Compare): Task<Slots> {
  let from = slots.slice();
  if (from.length <= stride) return from.sort(compare);
  for (let start = 0; start < from.length; start += stride) {
    from.subarray(start, start + stride).sort(compare);
    yield;
  }
  let to = new Uint32Array(from.length);
  for (let width = stride; width < from.length; width *= 2) {
    for (let start = 0; start < from.length; start += width * 2) {
      const [middle, end] = [Math.min(start + width, from.length), Math.min(start + width * 2, from.length)];
      if (middle === end || compare(from[middle - 1]!, from[middle]!) <= 0) {
        to.set(from.subarray(start, end), start);
        continue;
      }
      for (let left = start, right = middle, at = start; at < end; at++) {
        const isLeft = right === end || (left < middle && compare(from[left]!, from[right]!) <= 0);
        to[at] = from[isLeft ? left++ : right++]!;
        if (at % stride === 0) yield;
      }
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Numbers before strings, strings by code unit. */
export function compareKeys(a: Key, b: Key): number {
  if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
  return typeof a === 'number' ? -1 : 1;
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
