/**
 * Sets of slots. A slot is a record's place in its table (small, dense, reused); a set of them is an ascending Uint32Array,
 * so that every clause of a query becomes the same few operations on sorted numbers.
 */

export type Slots = Uint32Array;

export const noSlots: Slots = new Uint32Array(0);

/** Slots in both. Cost: O(small · log(large / small)). */
export function intersect(a: Slots, b: Slots): Slots {
  const [small, large] = a.length <= b.length ? [a, b] : [b, a];
  const out = new Uint32Array(small.length);
  let size = 0;
  if (large.length < small.length * 8) {
    for (let i = 0, j = 0; i < small.length && j < large.length; ) {
      const [x, y] = [small[i]!, large[j]!];
      if (x === y) out[size++] = x;
      i += Number(x <= y);
      j += Number(y <= x);
    }
    return out.slice(0, size);
  }
  for (let i = 0, at = 0; i < small.length; i++) {
    const slot = small[i]!;
    at = seek(large, slot, at);
    if (at === large.length) break;
    if (large[at] === slot) out[size++] = slot;
  }
  return out.slice(0, size);
}

/** Slots of `from` that are not in `out`. Cost: a copy of `from`, and a search for each of `out`. */
export function subtract(from: Slots, out: Slots): Slots {
  const left = from.slice();
  let [size, start] = [0, 0];
  for (let i = 0; i < out.length && start < from.length; i++) {
    const at = seek(from, out[i]!, start);
    left.copyWithin(size, start, at);
    size += at - start;
    start = from[at] === out[i] ? at + 1 : at;
  }
  left.copyWithin(size, start);
  return left.subarray(0, size + from.length - start);
}

/** Slots in any of the lists. `capacity` is one more than the greatest slot. */
export function union(lists: readonly Slots[], capacity: number): Slots {
  if (lists.length === 0) return noSlots;
  if (lists.length === 1) return lists[0]!;
  const all = new Uint32Array(lists.reduce((sum, list) => sum + list.length, 0));
  let size = 0;
  for (const list of lists) {
    all.set(list, size);
    size += list.length;
  }
  return ascending(all, capacity);
}

/** The set of slots in any order, with repetitions. */
export function ascending(slots: Slots, capacity: number): Slots {
  if (slots.length > capacity / 32) {
    const marks = marksOf(slots, capacity);
    const out = new Uint32Array(slots.length);
    let size = 0;
    for (let slot = 0; slot < capacity; slot++) if (marks[slot] === 1) out[size++] = slot;
    return out.slice(0, size);
  }
  return slots
    .slice()
    .sort()
    .filter((slot, i, sorted) => i === 0 || sorted[i - 1] !== slot);
}

/** One byte per slot, 1 where the set has it: constant-time membership. */
export function marksOf(slots: Slots, capacity: number): Uint8Array {
  const marks = new Uint8Array(capacity);
  for (let i = 0; i < slots.length; i++) marks[slots[i]!] = 1;
  return marks;
}

/** First position from `from` on whose slot is not below `slot`; found by doubling steps, since it is usually near. */
export function seek(slots: Slots, slot: number, from: number): number {
  let low = from;
  let high = from;
  for (let step = 1; high < slots.length && slots[high]! < slot; step *= 2) {
    low = high + 1;
    high += step;
  }
  if (high > slots.length) high = slots.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (slots[middle]! < slot) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A list of slots that grows and shrinks in place; what the positions mean is the owner's business. */
export interface SlotList {
  slots: Uint32Array;
  size: number;
}

export function insertAt(list: SlotList, at: number, slot: number): void {
  if (list.size === list.slots.length) {
    const grown = new Uint32Array(Math.max(4, Math.ceil(list.size * 1.5)));
    grown.set(list.slots);
    list.slots = grown;
  }
  list.slots.copyWithin(at + 1, at, list.size++);
  list.slots[at] = slot;
}

export function removeAt(list: SlotList, at: number): void {
  list.slots.copyWithin(at, at + 1, list.size--);
}

/** The list's present content; valid until the list changes. */
export const contentOf = (list: SlotList): Slots => list.slots.subarray(0, list.size);
