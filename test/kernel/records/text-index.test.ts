/** What the index of texts holds while texts change. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { createRecords } from '../../../src/kernel/records/records.ts';
import type { Records } from '../../../src/kernel/records/types.ts';
import { type Article, article, articles } from './article.ts';
import { answer } from './oracle.ts';

const textOf = (from: number, words: number) => Array.from({ length: words }, (_, at) => `w${(from + at * 7) % 900}`).join(' ');
const put = (records: Records, list: readonly Article[]) => records.apply(list.map((each) => ({ table: 'articles', put: each })));
function warm(records: Records): void {
  while (!records.warm(100));
}

/** Held in typed arrays. What is collected is given back in a thread. */
async function settledMb(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const held: number[] = [];
  await expect
    .poll(() => {
      collect();
      held.push(process.memoryUsage().arrayBuffers / 2 ** 20);
      return held.at(-1) === held.at(-3);
    })
    .toBe(true);
  return held.at(-1)!;
}

it('does not grow when few texts change very often', async () => {
  const records = createRecords([articles]);
  put(
    records,
    Array.from({ length: 3000 }, (_, id) => article(id + 1, { body: textOf(id, 30) })),
  );
  warm(records);
  const before = await settledMb();
  for (let change = 0; change < 10_000; change++) {
    put(records, [article(1 + (change % 20), { body: textOf(change, 300) })]);
    if (change % 10 === 0) warm(records);
  }
  warm(records);
  // With what each change has said it would be more than three.
  expect((await settledMb()) - before).toBeLessThan(2);
});

it.each([
  ['few change often', 100, 60],
  ['all change in turns', 900, 20],
])('finds the current texts while segments are rebuilt: %s', (_, changing, rounds) => {
  const records = createRecords([articles]);
  const rows = new Map(Array.from({ length: 2400 }, (_, id) => [id + 1, article(id + 1, { body: textOf(id, 8) })]));
  put(records, [...rows.values()]);
  warm(records);
  let next = 0;
  for (let round = 0; round < rounds; round++) {
    const range = changing === 100 ? 100 : 2400;
    const changed = Array.from({ length: changing }, () => article(1 + (next++ % range), { body: textOf(next * 3 + round, 8) }));
    // One that no index takes, one that goes, and one that comes in its place.
    changed[0] = { ...changed[0]!, body: `${'x'.repeat(100)} w${round}` };
    for (const each of changed) rows.set(each.id, each);
    put(records, changed);
    const [gone, come] = [1 + ((round * 13) % range), article(10_000 + round, { body: textOf(round, 8) })];
    records.apply([{ table: 'articles', remove: gone }]);
    put(records, [come]);
    rows.delete(gone);
    rows.set(come.id, come);
    if (round % 3 > 0) warm(records);
    for (const word of [`w${round}`, `w${round * 3} w${round * 3 + 7}`, 'xx', `${round} w`]) {
      const where = [{ kind: 'search' as const, columns: ['title', 'body'], words: [word], without: ['w11'] }];
      const query = { where, sort: { by: 'id', direction: 'asc' as const }, offset: 0 };
      const ids = (found: readonly Article[]) => found.map(({ id }) => id);
      const { records: found } = records.table<Article>('articles').query(query);
      expect(ids(found), word).toEqual(ids(answer(articles, [...rows.values()], query).records));
    }
  }
});
