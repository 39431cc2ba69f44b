import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ResultPage, Query } from '../../../src/kernel/records/types.ts';
import { change, query, row } from './arbitrary.ts';
import { type Article, article, articles } from './article.ts';
import { answer, mirrored } from './oracle.ts';

/** A table that pauses wherever it can, and the records it should have. */
function create(start: readonly Article[]) {
  const { records, table, expected, apply } = mirrored({ sliceMs: 0 });
  apply(start.map((put) => ({ table: 'articles', put })));
  /** Asks in slices; compares with what is right when the answer is there. */
  const ask = async (asked: Query): Promise<void> => {
    const compare = (given: ResultPage<Article>) => {
      const right = answer(articles, [...expected.values()], asked);
      const ids = (page: ResultPage<Article>) => page.records.map((record) => record.id);
      expect({ total: given.total, ids: ids(given) }, JSON.stringify(asked)).toEqual({ total: right.total, ids: ids(right) });
      expect(given.records).toEqual(right.records);
    };
    const found = table.find(asked);
    if (found instanceof Promise) await found.then(compare);
    else compare(found);
  };
  return { records, table, apply, ask };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const titled = (id: number) =>
  article(id, { title: `${(id * 7919) % 1009} ${id % 7}`, body: `The ${id % 3 ? 'cat' : 'dog'} sat.` });
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
const byTitle = (own: Partial<Query> = {}): Query => ({
  where: [],
  sort: { by: 'title', direction: 'asc' },
  offset: 0,
  limit: 20,
  ...own,
});
const phrase: Query['where'] = [{ kind: 'search', columns: ['body'], words: ['e cat s'], without: [] }];

describe('a time-sliced query', () => {
  it('is exact for the moment it returns, whatever changes in between', async () => {
    const step = fc.record({
      changes: fc.array(change, { maxLength: 5 }),
      asked: fc.array(query, { maxLength: 3 }),
      pauses: fc.nat(3),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 60, maxLength: 160 }),
        fc.array(step, { maxLength: 5 }),
        async (start, steps) => {
          const { apply, ask } = create(start);
          const answers: Promise<void>[] = [];
          for (const { changes, asked, pauses } of steps) {
            // The same query twice: the second joins the first.
            answers.push(...[...asked, ...asked].map(ask));
            for (let pause = 0; pause < pauses; pause++) await turn();
            if (changes.length > 0) apply(changes);
          }
          await Promise.all(answers);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('continues where it was when records change', async () => {
    const { apply, ask } = create(numbers(5000).map(titled));
    const asked = [
      byTitle({ limit: 9000 }),
      byTitle({ where: phrase }),
      byTitle({ offset: 2500, sort: { by: 'title', direction: 'desc' } }),
    ];
    const answers = asked.map(ask);
    let isDone = false;
    const all = Promise.all(answers).finally(() => {
      isDone = true;
    });
    let changes = 0;
    while (!isDone) {
      for (let pause = 0; pause < 2; pause++) await turn();
      const id = 1 + ((changes * 1031) % 6000);
      if (++changes % 5 === 0) apply([{ table: 'articles', remove: id }]);
      else
        apply([
          {
            table: 'articles',
            put: article(id, { title: `z${changes}`, body: changes % 2 ? 'The cat slept.' : 'One cat sat.' }),
          },
        ]);
    }
    await all;
    expect(changes).toBeGreaterThan(20);
    await Promise.all(asked.map(ask));
  });

  it('ends even if every turn brings changes', async () => {
    const { apply, ask } = create(numbers(3000).map(titled));
    let answered = false;
    const asked = ask(byTitle({ where: [...phrase, { kind: 'test', test: () => true }] })).finally(() => {
      answered = true;
    });
    for (let id = 1; !answered; id++) {
      apply([{ table: 'articles', put: titled(id) }]);
      await turn();
    }
    await asked;
  });

  it('yields between slices, and starts at once', async () => {
    const { table } = create(numbers(3000).map(titled));
    let turns = 0;
    let isDone = false;
    const asked = Promise.resolve(table.find(byTitle({ where: phrase }))).then((page) => {
      isDone = true;
      return page;
    });
    while (!isDone) {
      await turn();
      turns++;
    }
    expect((await asked).total).toBe(2000);
    expect(turns).toBeGreaterThan(50);
  });

  it.each<[string, Partial<Query>]>([
    ['tests', { where: [{ kind: 'test', test: () => true }] }],
    ['scores', { sort: { by: () => 1, direction: 'asc' } }],
  ])('yields between %s of the caller, however long these take', async (_, own) => {
    const { table } = create(numbers(640).map(titled));
    let turns = 0;
    let isDone = false;
    const asked = Promise.resolve(table.find(byTitle(own))).finally(() => {
      isDone = true;
    });
    for (; !isDone; turns++) await turn();
    expect((await asked).total).toBe(640);
    expect(turns).toBeGreaterThan(35);
  });

  it('rejects what the table does not have', () => {
    const { table } = create([article(1)]);
    expect(() => table.find(byTitle({ sort: { by: 'nope', direction: 'asc' } }))).toThrow(/nope/);
    const failing = byTitle({ where: [{ kind: 'test', test: () => expect.fail('test') }] });
    expect(() => table.find(failing)).toThrow(/test/);
  });
});
