import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRecords } from '../../../src/kernel/records/records.ts';
import type { Query } from '../../../src/kernel/records/types.ts';
import { type Article, article, articles } from './article.ts';
import { change, query, row, tags } from './arbitrary.ts';
import { answer, mirrored } from './oracle.ts';

const step = fc.record({ changes: fc.array(change, { maxLength: 12 }), queries: fc.array(query, { maxLength: 4 }) });

describe('queries equal a plain filter and sort', () => {
  it('for random records, changes and queries, with and without cached results', () => {
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 160 }),
        fc.array(step, { maxLength: 4 }),
        fc.array(query, { maxLength: 4 }),
        (start, steps, asked) => {
          const { table, expected, apply } = mirrored();
          const ask = (each: Query) => {
            const right = answer(articles, [...expected.values()], each);
            for (const given of [table.query(each), table.query(each)]) {
              expect(given.records.map((record) => record.id)).toEqual(right.records.map((record) => record.id));
              expect(given.records).toEqual(right.records);
              expect(given.total).toBe(right.total);
            }
          };
          apply(start.map((put) => ({ table: 'articles', put })));
          asked.forEach(ask);
          for (const { changes, queries } of steps) {
            apply(changes);
            // The queries of the start again: their views and postings have been kept up by insertion.
            [...asked, ...queries].forEach(ask);
          }
          expect(table.size).toBe(expected.size);
          expect([...table.all()].map((record) => record.id).sort()).toEqual([...expected.keys()].sort());
          for (const tag of tags) {
            const ids = [...expected.values()].filter((record) => record.tags.includes(tag)).map((record) => record.id);
            expect([...table.with('tag', tag)].sort()).toEqual(ids.sort());
            expect(table.count('tag', tag)).toBe(ids.length);
          }
          for (const slug of ['a', 'b', 'c']) {
            const first = [...expected.values()].filter((record) => record.slug === slug).sort((a, b) => a.id - b.id)[0];
            expect(table.by('slug', slug)).toBe(first);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('for a table large enough for views, bitmaps and the search index', () => {
    const rows = fc.sample(row, { numRuns: 6000, seed: 7 }).map((record, i) => ({ ...record, id: i * 3 + 1 }));
    const records = createRecords([articles]);
    records.apply(rows.map((put) => ({ table: 'articles', put })));
    const table = records.table<Article>('articles');
    for (const each of fc.sample(query, { numRuns: 150, seed: 11 })) {
      const { records: found, total } = table.query(each);
      const right = answer(articles, rows, each);
      expect(total, JSON.stringify(each)).toBe(right.total);
      expect(
        found.map((record) => record.id),
        JSON.stringify(each),
      ).toEqual(right.records.map((record) => record.id));
    }
  });
});

describe('a query', () => {
  const records = createRecords([articles]);
  const put = (...list: Article[]) => records.apply(list.map((each) => ({ table: 'articles', put: each })));
  put(article(1, { rank: 5 }), article(2, { rank: 5 }), article(3, { rank: 9 }), article(4, { rank: Number.NaN }));
  const ids = (own: Partial<Query>) =>
    records
      .table('articles')
      .query({ where: [], sort: { by: 'id', direction: 'asc' }, offset: 0, ...own })
      .records.map((record) => record.id);

  it.each<[string, Partial<Query>, number[]]>([
    ['breaks ties by id in the same direction', { sort: { by: 'rank', direction: 'desc' } }, [3, 2, 1, 4]],
    ['sorts NaN first', { sort: { by: 'rank', direction: 'asc' } }, [4, 1, 2, 3]],
    [
      'follows a list of ids whatever the direction, the others after it',
      { sort: { by: [3, 99, 1, 3], direction: 'desc' } },
      [3, 1, 2, 4],
    ],
    [
      'puts the higher score first when descending',
      { sort: { by: (record: Article) => -record.id, direction: 'desc' } },
      [1, 2, 3, 4],
    ],
    ['tells infinite bounds apart (-)', { where: [{ kind: 'range', order: 'id', after: -Infinity }] }, [1, 2, 3, 4]],
    ['tells infinite bounds apart (+)', { where: [{ kind: 'range', order: 'id', after: Infinity }] }, []],
    ['past the end is empty', { offset: 9, limit: 2 }, []],
  ])('%s', (_, own, expected) => expect(ids(own)).toEqual(expected));

  it.each<[string, Partial<Query>]>([
    ['an index', { where: [{ kind: 'in', index: 'nope', values: [] }] }],
    ['an order', { sort: { by: 'nope', direction: 'asc' } }],
    ['a further order', { sort: { by: 'id', direction: 'asc', then: [{ by: 'nope', direction: 'asc' }] } }],
    [
      'the order of a range, though nothing is left to compare',
      {
        where: [
          { kind: 'ids', values: [] },
          { kind: 'range', order: 'nope' },
        ],
      },
    ],
    ['a text column', { where: [{ kind: 'any', of: [[{ kind: 'search', columns: ['nope'], words: [], without: [] }]] }] }],
  ])('rejects %s the table does not have', (_, own) => expect(() => ids(own)).toThrow(/nope/));
});
