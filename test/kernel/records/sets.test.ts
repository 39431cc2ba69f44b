import fc from 'fast-check';
import { expect, it } from 'vitest';
import { has, intersect, noSlots, setOf, sizeOf, slotsOf, subtract, union, wordsOf } from '../../../src/kernel/records/sets.ts';

const capacity = 3000;
/** Few slots, many, or runs: lists and bits in all combinations. */
const members = fc.oneof(
  fc.array(fc.nat(capacity - 1), { maxLength: 60 }),
  fc.array(fc.nat(capacity - 1), { minLength: 100, maxLength: 400 }),
  fc.tuple(fc.nat(1000), fc.nat(1999)).map(([from, size]) => Array.from({ length: size }, (_, at) => from + at)),
);

it('sets of slots behave like sets, in both representations', () => {
  fc.assert(
    fc.property(fc.array(members, { minLength: 2, maxLength: 4 }), (lists) => {
      const sets = lists.map((list) => setOf(Uint32Array.from(list), capacity));
      const right = lists.map((list) => new Set(list));
      const [a, b] = sets as [(typeof sets)[0], (typeof sets)[0]];
      const [x, y] = right as [Set<number>, Set<number>];
      const sorted = (values: Iterable<number>) => [...values].sort((one, other) => one - other);
      const expected: [(typeof sets)[0], Iterable<number>][] = [
        [a, x],
        [intersect(a, b), [...x].filter((slot) => y.has(slot))],
        [subtract(a, b), [...x].filter((slot) => !y.has(slot))],
        [union(sets, capacity), new Set(lists.flat())],
        [setOf(slotsOf(union(sets, capacity)), capacity), new Set(lists.flat())],
        [intersect(a, { words: wordsOf(b, capacity), size: sizeOf(b) }), [...x].filter((slot) => y.has(slot))],
      ];
      for (const [given, wanted] of expected) {
        expect([...slotsOf(given)]).toEqual(sorted(wanted));
        expect(sizeOf(given)).toBe([...wanted].length);
        const slots = new Set(wanted);
        const every = Array.from({ length: capacity + 64 }, (_, slot) => slot);
        expect(every.filter((slot) => has(given, slot) !== slots.has(slot))).toEqual([]);
      }
      expect(sizeOf(union([], capacity))).toBe(0);
      expect(subtract(a, noSlots)).toBe(a);
    }),
    { numRuns: 100 },
  );
});
