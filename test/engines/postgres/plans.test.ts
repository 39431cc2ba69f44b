/** What the database makes of the questions that nodes ask all the time, where it knows nothing of the tables yet. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { changesSql, createPostgresEngine, fewChangesSql, listSql } from '../../../src/engines/postgres/postgres-engine.ts';
import { missingPostgres, type Postgres, startPostgres } from '../../support/postgres.ts';

const test = missingPostgres === null ? it : it.skip;
let database: Postgres;

beforeAll(async () => {
  if (missingPostgres !== null) return;
  database = await startPostgres();
  const engine = createPostgresEngine(database.address());
  await engine.migrate();
  for (const table of ['file', 'position']) await database.run(`alter table cms.${table} set (autovacuum_enabled = off)`);
  await database.run(
    `insert into cms.file select 'posts/' || n || '.md', 'etag', 4, n, 0, true, 'text' from generate_series(1, 20000) n`,
  );
  await database.run('update cms.position set seq = 20000');
  await engine.close();
});
afterAll(() => database?.stop());

test.each([
  ['what has changed', changesSql('cms').replaceAll('$1', '19997')],
  ['a few changes', fewChangesSql('cms').replaceAll('$1', '19997')],
  ['everything', listSql('cms').replaceAll('$1', '0')],
])('answers the question for %s without compiling it first', async (_, sql) => {
  const [row] = await database.run(`explain (format json) ${sql}`);
  const [explained] = (row?.['QUERY PLAN'] ?? []) as { readonly Plan: { readonly 'Total Cost': number } }[];
  const [setting] = await database.run('show jit_above_cost');
  expect(explained?.Plan['Total Cost']).toBeLessThan(Number(setting?.jit_above_cost) / 10);
});

test('tells which commits are complete, and whether there are later ones', async () => {
  const engine = createPostgresEngine(database.address());
  const some = await engine.changes(18_500);
  expect([some?.seq, some?.isLatest, some?.files.length]).toEqual([19_500, false, 1000]);
  const last = await engine.changes(19_500);
  expect([last?.seq, last?.isLatest, last?.files.length]).toEqual([20_000, true, 500]);
  for (const few of [65, 64, 63, 1, 0]) {
    const found = await engine.changes(20_000 - few);
    expect([found?.seq, found?.isLatest, found?.files.length]).toEqual([20_000, true, few]);
  }
  await engine.close();
});
