/** Statements that a session keeps. */
import pg from 'pg';
import { expect, it } from 'vitest';
import { createPrepared } from '../../../src/engines/postgres/prepared.ts';

function refusal(code: string): pg.DatabaseError {
  const error = new pg.DatabaseError('refused', 0, 'error');
  error.code = code;
  return error;
}

it('names a statement by its text, so that a session through a pooler never runs another one', async () => {
  const prepared = createPrepared(true);
  const nameOf = (sql: string) => prepared(sql, async (name) => name);
  expect(await nameOf('select 1')).toBe(await nameOf('select 1'));
  expect(await nameOf('select 1')).not.toBe(await nameOf('select 2'));
  expect((await nameOf('select 1'))?.length).toBeLessThan(64);
});

it.each(['26000', '42P05', '0A000'])('goes on without names where a session refuses one with %s', async (code) => {
  const prepared = createPrepared(true);
  const names: (string | undefined)[] = [];
  const run = async (name?: string) => {
    names.push(name);
    if (name !== undefined) throw refusal(code);
    return 'answer';
  };
  expect(await prepared('select 1', run)).toBe('answer');
  expect(await prepared('select 2', run)).toBe('answer');
  expect(names).toEqual([expect.stringMatching(/^cms_/), undefined, undefined]);
});

it('repeats nothing after other errors', async () => {
  const prepared = createPrepared(true);
  let runs = 0;
  const run = async () => {
    runs++;
    throw refusal('57P01');
  };
  await expect(prepared('select 1', run)).rejects.toThrow('refused');
  expect(runs).toBe(1);
});
