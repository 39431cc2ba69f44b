import fc from 'fast-check';
import { expect, it } from 'vitest';
import { queryKey } from '../../../src/kernel/records/query-key.ts';
import type { Query } from '../../../src/kernel/records/types.ts';

/** Keys that run into one another when they are only put side by side. */
const key = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.constantFrom('', '1', '12', '2', '1:1', '#1;', '-;', '1[', ']'));
const keys = fc.array(key, { maxLength: 3 });
const clause = fc.oneof(
  fc.record({ kind: fc.constant('in' as const), index: fc.constantFrom('a', 'ab'), values: keys, not: fc.boolean() }),
  fc.record({ kind: fc.constant('all' as const), index: fc.constantFrom('a', 'ab'), values: keys }),
  fc.record({ kind: fc.constant('ids' as const), values: fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 3 }) }),
  fc.record(
    { kind: fc.constant('range' as const), order: fc.constant('a'), after: key, before: key },
    { requiredKeys: ['kind', 'order'] },
  ),
  fc.record({
    kind: fc.constant('search' as const),
    columns: fc.constant(['a']),
    words: fc.array(fc.constantFrom('', 'a', '1:a')),
    without: fc.array(fc.constantFrom('', 'a', '1:a')),
  }),
);
const where = fc.array(
  fc.oneof(
    clause,
    fc.record({ kind: fc.constant('any' as const), of: fc.array(fc.array(clause, { maxLength: 2 }), { maxLength: 2 }) }),
  ),
  { maxLength: 3 },
);
const query: fc.Arbitrary<Query> = fc.record(
  {
    where,
    sort: fc.record({
      by: fc.oneof(
        fc.constantFrom('a', 'ab'),
        fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 3 }),
        fc.record({ tiers: fc.array(where, { maxLength: 2 }) }),
      ),
      direction: fc.constantFrom('asc' as const, 'desc' as const),
    }),
    offset: fc.nat(12),
    limit: fc.nat(12),
  },
  { requiredKeys: ['where', 'sort', 'offset'] },
);

/** Flags that are false and flags that are not there mean the same. */
const meaning = (asked: Query): string => JSON.stringify(asked, (_, value) => (value === false ? undefined : value));

it('two queries have the same key exactly if they are equivalent', () => {
  fc.assert(
    fc.property(query, query, (a, b) => {
      expect(queryKey(a) === queryKey(b)).toBe(meaning(a) === meaning(b));
      expect(queryKey(structuredClone(a))).toBe(queryKey(a));
    }),
    { numRuns: 3000 },
  );
});

it('a query with a function has no key', () => {
  const test = { kind: 'test' as const, test: () => true };
  const sort = { by: 'a', direction: 'asc' as const };
  expect(queryKey({ where: [test], sort, offset: 0 })).toBeUndefined();
  expect(queryKey({ where: [{ kind: 'any', of: [[test]] }], sort, offset: 0 })).toBeUndefined();
  expect(queryKey({ where: [], sort: { ...sort, by: () => 1 }, offset: 0 })).toBeUndefined();
});
