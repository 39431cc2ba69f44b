/** Random articles, changes and queries, for the tests that compare with `oracle.ts`. */

import fc from 'fast-check';
import type { RecordChange, Clause, Query, Sort } from '../../../src/kernel/records/types.ts';
import type { Article } from './article.ts';

const kinds = ['post', 'page'];
const statuses = ['publish', 'draft', 'private'];
export const tags = [1, 2, 3, '1', 'red'];
const days = ['2024-01-01', '2024-01-02', '2024-02-01', '2025-06-15'];
const scraps = [
  'cat',
  'Cat',
  'concatenate',
  'Éclair',
  'e\u0301clair',
  'the house',
  'house.',
  'houses',
  '<p>',
  "don't",
  '漢字',
  '字',
  'über',
  'ΟΔΟΣ',
  ' ',
  '-',
  'a',
  'z'.repeat(70),
];
const words = [
  'cat',
  'CAT',
  'e',
  'eclair',
  'éc',
  'the house',
  'e h',
  'house',
  '<p>',
  "n't",
  '字',
  '漢字',
  '漢',
  'ubeR',
  'οδος',
  'οσ',
  '',
  ' ',
  '-',
  'zzz',
  'a',
  'nothing',
  'z'.repeat(66),
];

const id = fc.integer({ min: 1, max: 150 });
const text = fc.array(fc.constantFrom(...scraps), { maxLength: 4 }).map((parts) => parts.join(' '));
export const row: fc.Arbitrary<Article> = fc.record({
  id,
  slug: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
  kind: fc.constantFrom(...kinds),
  status: fc.constantFrom(...statuses),
  tags: fc.array(fc.constantFrom(...tags), { maxLength: 3 }),
  parent: fc.option(id, { nil: undefined }),
  date: fc.constantFrom(...days),
  rank: fc.integer({ min: -2, max: 2 }),
  title: text,
  body: text,
});

const direction = fc.constantFrom('asc' as const, 'desc' as const);
const order = fc.constantFrom('id', 'date', 'rank', 'title');
const equalClause: fc.Arbitrary<Clause> = fc
  .constantFrom(['kind', kinds], ['status', statuses], ['tag', tags] as const)
  .chain(([index, values]) =>
    fc.record({
      kind: fc.constantFrom('in', 'all'),
      index: fc.constant(index),
      values: fc.uniqueArray(fc.constantFrom(...values), { maxLength: 2 }),
      not: fc.boolean(),
    }),
  )
  .map((clause) => (clause.kind === 'in' ? clause : { ...clause, not: undefined }) as Clause);
const search: fc.Arbitrary<Clause> = fc.record({
  kind: fc.constant('search' as const),
  columns: fc.subarray(['title', 'body']),
  words: fc.array(fc.constantFrom(...words), { maxLength: 2 }),
  without: fc.array(fc.constantFrom(...words), { maxLength: 1 }),
  exact: fc.boolean(),
});
const simple: fc.Arbitrary<Clause> = fc.oneof(
  { weight: 4, arbitrary: equalClause },
  fc.record({ kind: fc.constant('ids' as const), values: fc.array(id, { maxLength: 5 }), not: fc.boolean() }),
  fc
    .record({ after: fc.option(fc.constantFrom(...days)), before: fc.option(fc.constantFrom(...days)), inclusive: fc.boolean() })
    .map(({ after, before, inclusive }) => ({
      kind: 'range' as const,
      order: 'date',
      after: after ?? undefined,
      before: before ?? undefined,
      inclusive,
    })),
  fc.integer({ min: -2, max: 2 }).map((after) => ({ kind: 'range' as const, order: 'rank', after })),
  search,
  fc.integer({ min: 2, max: 3 }).map((n) => ({ kind: 'test' as const, test: (record: Article) => record.id % n === 0 })),
);
const clause = fc.oneof(
  { weight: 6, arbitrary: simple },
  fc.array(fc.array(simple, { maxLength: 2 }), { maxLength: 3 }).map((of) => ({ kind: 'any' as const, of })),
);
const sort: fc.Arbitrary<Sort> = fc.record({
  by: fc.oneof(
    { weight: 3, arbitrary: order },
    fc.array(id, { maxLength: 6 }),
    fc.constant((record: Article) => record.title.length),
    fc.array(fc.array(simple, { maxLength: 2 }), { maxLength: 3 }).map((tiers) => ({ tiers })),
  ),
  direction,
  then: fc.option(fc.array(fc.record({ by: order, direction }), { maxLength: 2 }), { nil: undefined }),
}) as fc.Arbitrary<Sort>;
export const query: fc.Arbitrary<Query> = fc.record({
  where: fc.array(clause, { maxLength: 3 }),
  sort,
  offset: fc.integer({ min: 0, max: 20 }),
  limit: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
});
export const change: fc.Arbitrary<RecordChange> = fc.oneof(
  { weight: 3, arbitrary: row.map((put) => ({ table: 'articles', put })) },
  id.map((remove) => ({ table: 'articles', remove })),
);
