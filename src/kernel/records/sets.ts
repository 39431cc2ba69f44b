/**
 * Sets of slots. A slot is a record's place in its table (small, dense, reused). A set is a list of ascending numbers where it
 * holds few of the slots, and one bit a slot where that takes less room; a query is a few operations on such sets, each a pass
 * over the smaller form: 3 µs for a hundred thousand records.
 */

export type Slots = Uint32Array;

/** Slot n is in the set when bit n is 1. Slots beyond the words are not in it. */
interface Bits {
  readonly words: Int32Array;
  /** Slots in the set. */
  readonly size: number;
}

export type SlotSet = Slots | Bits;

export const noSlots: Slots = new Uint32Array(0);

export const isBits = (set: SlotSet): set is Bits => !(set instanceof Uint32Array);
export const sizeOf = (set: SlotSet): number => (isBits(set) ? set.size : set.length);
export const wordsFor = (capacity: number): number => (capacity + 31) >>> 5;

/** Whether a bit is set; slots beyond the end are not. */
export const hasBit = (words: Int32Array, slot: number): boolean =>
  slot >>> 5 < words.length && ((words[slot >>> 5]! >>> (slot & 31)) & 1) === 1;

export function setBit(words: Int32Array, slot: number): void {
  words[slot >>> 5]! |= 1 << (slot & 31);
}

export function has(set: SlotSet, slot: number): boolean {
  if (isBits(set)) return hasBit(set.words, slot);
  return set[seek(set, slot, 0)] === slot;
}

/** Slots in both. */
export function intersect(a: SlotSet, b: SlotSet): SlotSet {
  if (isBits(a) && isBits(b)) {
    const words = new Int32Array(Math.min(a.words.length, b.words.length));
    for (let i = 0; i < words.length; i++) words[i] = a.words[i]! & b.words[i]!;
    return setOfWords(words);
  }
  if (isBits(a)) return filterList(b as Slots, (slot) => hasBit(a.words, slot));
  if (isBits(b)) return filterList(a, (slot) => hasBit(b.words, slot));
  return common(a, b);
}

export function subtract(from: SlotSet, out: SlotSet): SlotSet {
  if (sizeOf(out) === 0 || sizeOf(from) === 0) return from;
  if (!isBits(from)) return filterList(from, (slot) => !has(out, slot));
  const words = from.words.slice();
  if (isBits(out)) for (let i = Math.min(words.length, out.words.length); --i >= 0; ) words[i]! &= ~out.words[i]!;
  else for (const slot of out) if (slot >>> 5 < words.length) words[slot >>> 5]! &= ~(1 << (slot & 31));
  return setOfWords(words);
}

/** Slots in any of the sets. `capacity` is one more than the greatest slot. */
export function union(sets: readonly SlotSet[], capacity: number): SlotSet {
  const filled = sets.filter((set) => sizeOf(set) > 0);
  if (filled.length <= 1) return filled[0] ?? noSlots;
  const most = filled.reduce((sum, set) => sum + sizeOf(set), 0);
  if (most <= wordsFor(capacity) && !filled.some(isBits)) {
    const all = new Uint32Array(most);
    let size = 0;
    for (const set of filled as Slots[]) {
      all.set(set, size);
      size += set.length;
    }
    return all.sort().filter((slot, i) => i === 0 || all[i - 1] !== slot);
  }
  const words = new Int32Array(wordsFor(capacity));
  for (const set of filled) {
    if (isBits(set)) for (let i = Math.min(words.length, set.words.length); --i >= 0; ) words[i]! |= set.words[i]!;
    else mark(words, set);
  }
  return setOfWords(words);
}

/** The set of slots given in any order, with repetitions. */
export function setOf(slots: Slots, capacity: number): SlotSet {
  if (slots.length <= wordsFor(capacity)) {
    const sorted = slots.slice().sort();
    return sorted.filter((slot, i) => i === 0 || sorted[i - 1] !== slot);
  }
  const words = new Int32Array(wordsFor(capacity));
  mark(words, slots);
  return setOfWords(words);
}

/** The set whose bits these are, in the smaller form. */
export function setOfWords(words: Int32Array): SlotSet {
  let size = 0;
  for (let i = 0; i < words.length; i++) if (words[i] !== 0) size += bitsIn(words[i]!);
  return size < words.length ? listOf(words, size) : { words, size };
}

/** The words of the set: its own (treat as read-only), or new ones. */
export function wordsOf(set: SlotSet, capacity: number): Int32Array {
  if (isBits(set)) return set.words;
  const words = new Int32Array(wordsFor(capacity));
  mark(words, set);
  return words;
}

/** All slots of the set, ascending; treat as read-only. */
export const slotsOf = (set: SlotSet): Slots => (isBits(set) ? listOf(set.words, set.size) : set);

export function filterList(slots: Slots, test: (slot: number) => boolean): Slots {
  const out = new Uint32Array(slots.length);
  let size = 0;
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i]!;
    if (test(slot)) out[size++] = slot;
  }
  return out.slice(0, size);
}

export function mark(words: Int32Array, slots: Slots): void {
  for (let i = 0; i < slots.length; i++) setBit(words, slots[i]!);
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

/** Cost: O(small · log(large / small)). */
function common(a: Slots, b: Slots): Slots {
  const [small, large] = a.length <= b.length ? [a, b] : [b, a];
  let at = 0;
  return filterList(small, (slot) => {
    at = seek(large, slot, at);
    return large[at] === slot;
  });
}

function listOf(words: Int32Array, size: number): Slots {
  const out = new Uint32Array(size);
  for (let i = 0, at = 0; at < size; i++) {
    for (let word = words[i]!; word !== 0; word &= word - 1) out[at++] = (i << 5) + 31 - Math.clz32(word & -word);
  }
  return out;
}

function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
