import { describe, expect, it } from 'vitest';
import { createRecords } from '../../../src/kernel/records/records.ts';
import { type Article, article, articles } from './article.ts';

const create = () => {
  const records = createRecords([articles, { ...articles, name: 'others' }]);
  return { records, table: records.table<Article>('articles'), put: (put: Article) => ({ table: 'articles', put }) };
};

describe('apply', () => {
  it('freezes records, replaces them by id and increments the generation', () => {
    const { records, table, put } = create();
    const first = article(1);
    records.apply([put(first), put(article(2)), { table: 'others', put: article(1) }]);
    expect([records.generation, table.size, table.get(1)]).toEqual([1, 2, first]);
    expect(Object.isFrozen(first)).toBe(true);
    records.apply([put(article(1, { kind: 'page' })), { table: 'articles', remove: 2 }, { table: 'articles', remove: 77 }]);
    expect([records.generation, table.size, table.get(2), table.count('kind', 'post'), table.count('kind', 'page')]).toEqual([
      2,
      1,
      undefined,
      0,
      1,
    ]);
    expect(records.table('others').size).toBe(1);
  });

  it.each<[string, (table: string) => never]>([
    ['an unknown table', () => ({ table: 'nope', remove: 1 }) as never],
    ['an id that is no integer', (table) => ({ table, put: article(1.5) }) as never],
    [
      'an index function that throws',
      (table) =>
        ({
          table,
          put: {
            ...article(9),
            get kind() {
              throw new Error('broken');
            },
          },
        }) as never,
    ],
  ])('changes nothing for %s', (_, bad) => {
    const { records, table, put } = create();
    records.apply([put(article(1)), put(article(2))]);
    const before = [...table.all()];
    expect(() =>
      records.apply([put(article(1, { kind: 'page' })), { table: 'articles', remove: 2 }, put(article(3)), bad('articles')]),
    ).toThrow();
    expect([...table.all()].sort((a, b) => a.id - b.id)).toEqual(before);
    expect([records.generation, table.count('kind', 'page'), [...table.with('kind', 'post')].sort()]).toEqual([1, 0, [1, 2]]);
    expect(table.by('slug', 'article-3')).toBeUndefined();
  });

  it('knows the lowest id of a value, whatever the order of insertion', () => {
    const { records, table, put } = create();
    for (const id of [7, 3, 9]) records.apply([put(article(id, { tags: ['x'] }))]);
    records.apply([{ table: 'articles', remove: 7 }, put(article(8, { tags: ['y'] })), put(article(2, { tags: ['x', 'y'] }))]);
    expect([table.lowest('tag', 'x'), table.lowest('tag', 'y'), table.lowest('tag', 'z')]).toEqual([2, 2, undefined]);
    records.apply([{ table: 'articles', remove: 2 }]);
    expect([table.lowest('tag', 'x'), table.lowest('tag', 'y')]).toEqual([3, 8]);
  });

  it('gives a unique value to the lowest id, and to the next when it is removed', () => {
    const { records, table, put } = create();
    records.apply([put(article(8, { slug: 'same' })), put(article(5, { slug: 'same' })), put(article(9, { slug: 'same' }))]);
    const owners = [5, 8, 9].map((remove) => {
      const owner = table.by('slug', 'same')?.id;
      records.apply([{ table: 'articles', remove }]);
      return owner;
    });
    expect([owners, table.by('slug', 'same')]).toEqual([[5, 8, 9], undefined]);
  });
});

describe('with', () => {
  it('returns a live set that may change while it is iterated', () => {
    const { records, table, put } = create();
    records.apply([1, 2, 3].map((id) => put(article(id, { parent: 7 }))));
    const children = table.with('parent', 7);
    expect([children.size, children.has(2), children.has(7), [...children.entries()][0]]).toEqual([3, true, false, [1, 1]]);
    for (const id of children) records.apply([{ table: 'articles', remove: id }]);
    expect([children.size, children.has(2), [...children]]).toEqual([0, false, []]);
  });

  it('rejects an index the table does not have', () => {
    const { table } = create();
    expect(() => [...table.with('nope', 1)]).toThrow(/nope/);
    expect(() => table.by('nope', 'x')).toThrow(/nope/);
  });
});
