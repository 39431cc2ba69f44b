/**
 * A page in order: sorted when few records satisfy the query, picked from a sorted index when many do, tier by tier where that is
 * asked for.
 */

import type { Identified, Sort, Tiers } from './types.ts';
import { type IndexValues, satisfying } from './clause-sets.ts';
import { firstOf, orderOf } from './ordering.ts';
import { hasBit, sizeOf, type Slots, type SlotSet, slotsOf, subtract, wordsFor, wordsOf } from './sets.ts';
import type { Task } from '../scheduler.ts';
import type { Core } from './table-core.ts';

/** What comparing two records in a sort costs, in steps along a view. */
const stepsPerComparison = 40;

export const isTiers = (by: Sort['by']): by is Tiers => typeof by === 'object' && 'tiers' in by;

/** The members from `offset` to `end` (not beyond the last) in the order asked for. */
export function* arranged<R extends Identified>(
  core: Core<R>,
  members: SlotSet,
  sort: Sort,
  values: IndexValues,
  offset: number,
  end: number,
): Task<Slots> {
  if (isTiers(sort.by)) return yield* byTier(core, members, sort, sort.by, values, offset, end);
  const { by, direction, then = [] } = sort;
  const total = sizeOf(members);
  if (total === 1) return slotsOf(members);
  if (typeof by === 'string' && then.length === 0) {
    const size = sizeOf(core.live());
    const steps = Math.min(end, total - offset) * (size / total);
    if (total * Math.log2(total + 1) * stepsPerComparison > steps + wordsFor(size)) {
      return pick(core, yield* core.views.find(by, values), members, direction, offset, end);
    }
  }
  const slots = slotsOf(members);
  return (yield* firstOf(slots, yield* orderOf(core, sort, slots), end)).subarray(offset);
}

/** The first tier in its order, then the second; tiers behind the page are not looked for. */
function* byTier<R extends Identified>(
  core: Core<R>,
  all: SlotSet,
  sort: Sort,
  { tiers }: Tiers,
  values: IndexValues,
  offset: number,
  end: number,
): Task<Slots> {
  const [first = { by: 'id', direction: sort.direction }, ...further] = sort.then ?? [];
  // By one key, and by id in the same direction, is what views are for.
  const inner: Sort = further.length === 0 && first.direction === sort.direction ? first : { ...sort, by: () => 0 };
  const out = new Uint32Array(end - offset);
  let left = all;
  let seen = 0;
  for (const tier of [...tiers, []]) {
    const members = tier.length > 0 ? yield* satisfying(core, tier, left) : left;
    const size = sizeOf(members);
    const [from, to] = [Math.max(offset - seen, 0), Math.min(end - seen, size)];
    if (from < to) out.set(yield* arranged(core, members, inner, values, from, to), seen + from - offset);
    seen += size;
    if (seen >= end) break;
    left = subtract(left, members);
  }
  return out;
}

/** The members from `offset` to `end`, counted in the order of the view; walked from the nearer end. */
function pick<R extends Identified>(
  core: Core<R>,
  view: Slots,
  members: SlotSet,
  direction: 'asc' | 'desc',
  offset: number,
  end: number,
): Slots {
  const total = sizeOf(members);
  if (end > total - offset) return pick(core, view, members, opposite(direction), total - end, total - offset).reverse();
  const words = wordsOf(members, core.rows.length);
  const out = new Uint32Array(end - offset);
  const step = direction === 'asc' ? 1 : -1;
  for (let at = direction === 'asc' ? 0 : view.length - 1, seen = 0; seen < end; at += step) {
    const slot = view[at]!;
    if (hasBit(words, slot) && seen++ >= offset) out[seen - 1 - offset] = slot;
  }
  return out;
}

const opposite = (direction: 'asc' | 'desc') => (direction === 'asc' ? 'desc' : 'asc');
