/**
 * What another process takes from an account is gone with the very next request that comes with an older credential: on a server of one
 * process and on every worker, whether answers are repeated or not.
 */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Accounts, createAccounts } from '../../src/modules/people/accounts/accounts.ts';
import { createApplicationPassword } from '../../src/modules/people/accounts/passwords.ts';
import { addApplicationPassword } from '../../src/modules/people/accounts/application-passwords.ts';
import { createStore } from '../../src/kernel/store/store.ts';
import { startWorkers, type Workers } from '../workers/workers.ts';
import { until } from '../support/site.ts';

const root = '/cms-json/cms/v2';
/** For each way; three ways, three workers. */
const rounds = 17;

let on: Workers;
let accounts: Accounts;
let close: () => Promise<void>;

beforeAll(async () => {
  on = await startWorkers({ others: 2, operator: { sign_in_attempts: 1000 } });
  // What `cms user` and `cms password` do, in a process of their own.
  const store = await createStore({ dir: on.dir });
  accounts = await createAccounts(store.private);
  close = () => store.close();
});

afterAll(async () => {
  await close();
  await on.close();
});

/** People who may sign in, once every worker knows them. */
async function newcomers(first: number, count: number): Promise<readonly { readonly id: number; readonly as: string }[]> {
  const made: { readonly id: number; readonly as: string }[] = [];
  for (let id = first; id < first + count; id++) {
    const [login, email] = [`u${id}`, `u${id}@example.com`];
    await accounts.save({ ...accountOf(1), id, login, email, roles: ['administrator'], applicationPasswords: [] });
    const { password } = await addApplicationPassword({ accounts, clock: Date.now }, id, 'Test');
    made.push({ id, as: `${login}:${password}` });
  }
  for (const { as } of made) await until(async () => (await statuses('/users/me', as)).every((status) => status === 200));
  return made;
}

const accountOf = (id: number) => accounts.get(id) ?? expect.fail(`no account ${id}`);

/** Status of one request to each worker, at once. */
const statuses = async (path: string, as: string): Promise<number[]> =>
  Promise.all(on.urls().map(async (url) => (await on.ask(url, 'GET', root + path, { as })).status));

/** Asks until every worker has the credential and the answer at hand, and no look at the file is due for its age. */
async function settled(path: string, { id, as }: { id: number; as: string }): Promise<void> {
  for (let times = 0; times < 3; times++) expect(await statuses(path, as)).toEqual([200, 200, 200]);
  await until(async () => {
    await statuses(path, as);
    return on.leader().accounts.isCurrent(id);
  });
}

const ways: readonly (readonly [name: string, path: string, take: (id: number) => Promise<unknown>, after: number])[] = [
  ['revoked', '/users/me', (id) => accounts.change(id, (account) => ({ ...account, applicationPasswords: [] })), 401],
  ['demoted', '/settings', (id) => accounts.change(id, (account) => ({ ...account, roles: ['subscriber'] })), 403],
  ['deleted', '/users/me', (id) => accounts.remove(id), 401],
];

describe.each(ways)('an account %s by another process', (name, path, take, after) => {
  const first = 1000 * (1 + ways.findIndex(([one]) => one === name));

  it('is rejected at once, on every worker', async () => {
    for (const [round, one] of (await newcomers(first, rounds)).entries()) {
      for (let times = 0; times < 3; times++) expect(await statuses(path, one.as)).toEqual([200, 200, 200]);
      await take(one.id);
      expect([round, ...(await statuses(path, one.as))]).toEqual([round, after, after, after]);
    }
  });

  it('is rejected after it has been idle', async () => {
    for (const one of await newcomers(first + 100, 3)) {
      await settled(path, one);
      await take(one.id);
      expect(await statuses(path, one.as)).toEqual([after, after, after]);
    }
  });

  it('cannot write', async () => {
    const [one = expect.fail()] = await newcomers(first + 200, 1);
    await settled(path, one);
    await take(one.id);
    const written = await Promise.all(
      on.urls().map((url) => on.ask(url, 'POST', `${root}/posts`, { as: one.as, body: { title: 'x', status: 'publish' } })),
    );
    expect(written.map(({ status }) => status)).toEqual(name === 'demoted' ? [403, 403, 403] : [401, 401, 401]);
  });
});

it('a revoked credential is rejected even where it was not cached', async () => {
  const [one = expect.fail()] = await newcomers(5000, 1);
  await settled('/users/me', one);
  await accounts.change(5000, (account) => ({ ...account, applicationPasswords: [] }));
  // Another spelling of the header.
  const sent = { authorization: `basic   ${Buffer.from(one.as).toString('base64')}` };
  const found = await Promise.all(on.urls().map((url) => on.ask(url, 'GET', `${root}/users/me`, { headers: sent })));
  expect(found.map(({ status }) => status)).toEqual([401, 401, 401]);
});

it('an account whose file was deleted by hand is rejected', async () => {
  const [one = expect.fail()] = await newcomers(5001, 1);
  await settled('/users/me', one);
  await rm(join(on.dir, '.cms/private/accounts/5001.json'));
  expect(await statuses('/users/me', one.as)).toEqual([401, 401, 401]);
});

describe('recording the last use of a password does not restore what was revoked meanwhile', () => {
  const revoke = () => accounts.change(1, (account) => ({ ...account, applicationPasswords: [] }));

  it.each<[string, boolean]>([
    ['before it is noted', true],
    ['while it is noted', false],
  ])('%s', async (_, isBefore) => {
    const store = await createStore({ dir: on.dir });
    const given = createApplicationPassword();
    const entry = { uuid: randomUUID(), appId: '', name: 'Noted', hash: given.hash, created: 1, lastUsed: null, lastIp: null };
    await accounts.change(1, (account) => ({ ...account, applicationPasswords: [...account.applicationPasswords, entry] }));
    const late = await createAccounts(store.private);
    if (isBefore) await revoke();
    late.noteUse(1, entry.uuid, 1_800_000_000, '192.0.2.1');
    if (!isBefore) await revoke();
    await late.settle();
    await accounts.reread(1);
    expect(accountOf(1).applicationPasswords).toEqual([]);
    await store.close();
  });
});

it('an account that another process has just given to an author is not overwritten', async () => {
  const [writer] = on.urls();
  await on.write('users/zoe.yaml', 'id: 6000\nname: Zoe\n');
  const one = `${root}/users/6000`;
  const [admin = expect.fail()] = await newcomers(6001, 1);
  await until(async () => (await on.ask(writer as string, 'GET', `${one}?context=edit`, { as: admin.as })).status === 200);
  await accounts.save({ ...accountOf(6001), id: 6000, login: 'zoe', email: 'zoe@example.com' });
  const changed = await on.ask(writer as string, 'POST', one, { as: admin.as, body: { email: 'zoe@example.org' } });
  expect(changed.status).toBe(200);
  await accounts.reread(6000);
  expect(accountOf(6000)).toMatchObject({ login: 'zoe', email: 'zoe@example.org', applicationPasswords: [{ name: 'Test' }] });
});
