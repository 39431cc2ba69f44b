import { describe, expect, it } from 'vitest';
import { createAccounts } from '../../../../src/modules/people/accounts/accounts.ts';
import { type Account, blankAccount } from '../../../../src/modules/people/users/record.ts';
import { memoryDocuments } from '../../../kernel/site/documents.ts';

const mira: Account = { ...blankAccount(1, 'Mira', '2026-01-02T03:04:05'), email: 'mira@example.org', roles: ['author'] };
const oda: Account = { ...blankAccount(2, 'oda', '2026-01-02T03:04:05'), email: 'oda@example.org' };
const password = { uuid: 'u1', appId: '', name: 'Phone', hash: 'h', created: 1, lastUsed: null, lastIp: null };

async function open(...known: readonly Account[]) {
  const documents = memoryDocuments();
  for (const account of known) documents.texts.set(`accounts/${account.id}.json`, JSON.stringify(account));
  const time = { ms: 0 };
  const accounts = await createAccounts(documents, () => time.ms);
  const heard: number[][] = [];
  accounts.onChange((ids) => heard.push([...ids]));
  return { documents, accounts, heard, time };
}

describe('accounts', () => {
  it('are found by login and email address, ignoring case', async () => {
    const { accounts } = await open(mira, oda);
    for (const name of ['mira', 'MIRA', ' Mira ', 'mira@EXAMPLE.org']) expect(accounts.byLogin(name)?.id).toBe(1);
    expect(accounts.byEmail('ODA@example.org')?.id).toBe(2);
    for (const name of ['', 'nobody', 'constructor']) expect(accounts.byLogin(name)).toBeUndefined();
    expect(accounts.all().map(({ id }) => id)).toEqual([1, 2]);
  });

  it('follow renames and removals', async () => {
    const { accounts, documents, heard } = await open(mira, oda);
    await accounts.save({ ...oda, email: 'new@example.org' });
    await accounts.remove(1);
    expect([accounts.byEmail('oda@example.org'), accounts.byEmail('new@example.org')?.id, accounts.byLogin('mira')]).toEqual([
      undefined,
      2,
      undefined,
    ]);
    expect([...documents.texts.keys()]).toEqual(['accounts/2.json']);
    expect(heard).toEqual([[2], [1]]);
  });

  it('read back as written', async () => {
    const { accounts, documents } = await open();
    const full = { ...mira, applicationPasswords: [password], capabilities: { edit_pages: false }, meta: { a: { b: [1] } } };
    await accounts.save(full);
    expect((await createAccounts(documents)).get(1)).toEqual(full);
  });

  it('are written to disk before memory', async () => {
    const { accounts, documents, heard } = await open(mira);
    documents.failing.add('accounts/1.json');
    await expect(accounts.change(1, (account) => ({ ...account, email: 'x@example.org' }))).rejects.toThrow();
    expect([accounts.get(1)?.email, heard]).toEqual(['mira@example.org', []]);
  });

  it('keep what another process has written meanwhile', async () => {
    const { accounts, documents } = await open(mira);
    documents.texts.set('accounts/1.json', JSON.stringify({ ...mira, applicationPasswords: [password] }));
    await accounts.change(1, (account) => ({ ...account, locale: 'de_DE' }));
    expect(accounts.get(1)).toMatchObject({ locale: 'de_DE', applicationPasswords: [password] });
  });

  it('are changed one after another', async () => {
    const { accounts } = await open(mira);
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        accounts.change(1, (account) => ({ ...account, roles: [...account.roles, `r${at}`] })),
      ),
    );
    expect(accounts.get(1)?.roles).toHaveLength(21);
    expect(await accounts.change(9, (account) => account)).toBeUndefined();
  });

  it('are not affected by an unreadable neighbor', async () => {
    const { accounts, documents, time } = await open(mira, oda);
    documents.texts.set('accounts/1.json', '{"login": "mira", "passwordHash": "secret');
    documents.texts.set('accounts/3.json', '{}');
    documents.texts.set('accounts/4.json', JSON.stringify({ login: 'sven' }));
    documents.texts.set('accounts/x.json', 'not one');
    time.ms = 5000;
    await accounts.refresh();
    expect(accounts.problems().map(({ path, message }) => [path, message])).toEqual([
      ['.cms/private/accounts/1.json', 'is not valid JSON'],
      ['.cms/private/accounts/3.json', 'an account needs a login'],
    ]);
    expect(accounts.all().map(({ login }) => login)).toEqual(['Mira', 'oda', 'sven']);
    await accounts.save(mira);
    expect(accounts.problems()).toHaveLength(1);
  });
});

describe('refresh', () => {
  it('reads new, changed and removed documents, at most once a second', async () => {
    const { accounts, documents, heard, time } = await open(mira, oda);
    await accounts.refresh();
    documents.texts.delete('accounts/1.json');
    documents.texts.set('accounts/2.json', JSON.stringify({ ...oda, roles: ['editor'] }));
    documents.texts.set('accounts/3.json', JSON.stringify({ ...mira, id: 3, login: 'sven' }));
    time.ms = 999;
    await accounts.refresh();
    expect(heard).toEqual([]);
    time.ms = 1000;
    await accounts.refresh();
    expect(heard.flat().sort()).toEqual([1, 2, 3]);
    expect([accounts.get(1), accounts.get(2)?.roles, accounts.byLogin('sven')?.id]).toEqual([undefined, ['editor'], 3]);
    time.ms = 9000;
    await accounts.refresh();
    expect(heard).toHaveLength(1);
  });

  it('of one name reads one document, at most once a second', async () => {
    const { accounts, documents, time } = await open(mira, oda);
    documents.texts.set('accounts/1.json', JSON.stringify({ ...mira, roles: ['editor'] }));
    documents.reads = 0;
    await accounts.refresh('mira');
    expect([accounts.get(1)?.roles, documents.reads]).toEqual([['editor'], 1]);
    for (let tries = 0; tries < 50; tries++) await accounts.refresh('mira');
    await accounts.refresh('oda');
    expect(documents.reads).toBe(2);
    documents.texts.set('accounts/3.json', JSON.stringify({ ...mira, id: 3, login: 'sven' }));
    for (let tries = 0; tries < 50; tries++) await accounts.refresh(`nobody${tries}`);
    expect([accounts.byLogin('sven')?.id, documents.reads]).toEqual([3, 3]);
    time.ms = 1000;
    await accounts.refresh('mira');
    expect(documents.reads).toBe(4);
  });
});

describe('recording the last use', () => {
  const withPassword = { ...mira, applicationPasswords: [password] };

  it('is visible at once and written soon, without notifying listeners', async () => {
    const { accounts, documents, heard } = await open(withPassword);
    accounts.noteUse(1, 'u1', 60, '127.0.0.1');
    expect(accounts.get(1)?.applicationPasswords[0]).toMatchObject({ lastUsed: 60, lastIp: '127.0.0.1' });
    await accounts.settle();
    expect(JSON.parse(documents.texts.get('accounts/1.json') ?? '').applicationPasswords[0].lastUsed).toBe(60);
    expect(heard).toEqual([]);
  });

  it('never causes an error', async () => {
    const { accounts, documents } = await open(withPassword);
    documents.failing.add('accounts/1.json');
    accounts.noteUse(1, 'u1', 60, null);
    accounts.noteUse(5, 'u1', 60, null);
    await accounts.settle();
    expect(accounts.get(1)?.applicationPasswords[0]?.lastUsed).toBe(60);
  });
});

it('check-then-write operations run exclusively', async () => {
  const { accounts } = await open();
  const make = (id: number) =>
    accounts.alone(async () => {
      if (accounts.byLogin('mira')) return false;
      await accounts.save({ ...mira, id });
      return true;
    });
  expect(await Promise.all([make(1), make(2), make(3)])).toEqual([true, false, false]);
});
