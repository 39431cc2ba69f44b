import { describe, expect, it } from 'vitest';
import { createAccounts } from '../../../../src/modules/people/accounts/accounts.ts';
import { createAuthenticator } from '../../../../src/modules/people/accounts/authenticate.ts';
import { createSignInLimit, type SignInLock } from '../../../../src/modules/people/accounts/sign-in-limit.ts';
import { hashApplicationPassword } from '../../../../src/modules/people/accounts/passwords.ts';
import { operatorDefaults } from '../../../../src/kernel/model/operator.ts';
import type { Peer } from '../../../../src/kernel/site/serving.ts';
import { createSessions } from '../../../../src/modules/people/sessions/sessions.ts';
import { type Account, blankAccount } from '../../../../src/modules/people/users/record.ts';
import { memoryDocuments } from '../../../kernel/site/documents.ts';

const secret = 'abcd EFGH ijkl MNOP qrst UVWX';
const day = 24 * 60 * 60;

function account(id: number, login: string, extra: Partial<Account> = {}): Account {
  const phone = {
    uuid: `phone-${id}`,
    appId: '',
    name: 'Phone',
    hash: hashApplicationPassword(secret),
    created: 1,
    lastUsed: null,
    lastIp: null,
  };
  return {
    ...blankAccount(id, login, '2026-01-02T03:04:05'),
    email: `${login}@example.org`,
    roles: ['editor'],
    applicationPasswords: [phone],
    ...extra,
  };
}

async function open(...known: readonly Account[]) {
  const documents = memoryDocuments();
  const time = { ms: 1_000_000_000_000 };
  const accounts = await createAccounts(documents, () => time.ms);
  for (const one of known) await accounts.save(one);
  const clock = () => time.ms;
  const signIns = createSignInLimit({ attempts: 5, clock });
  const operator = operatorDefaults();
  const sessions = createSessions({ accounts, clock, operator, url: 'http://192.0.2.9' });
  // Scopes ask for the items of a site; nothing here has one.
  const content = { types: new Map(), posts: undefined as never, paths: undefined as never, statuses: [] };
  const authenticator = createAuthenticator({ accounts, clock, signIns, sessions, operator, ...content }, ['x-test-nonce']);
  const who = async (authorization?: string, more: Record<string, string> = {}, from = '192.0.2.1') =>
    authenticator.authenticate({ ...more, ...(authorization === undefined ? {} : { authorization }) }, clientAt(from));
  return { documents, accounts, time, who, authenticator, signIns };
}

function clientAt(ip: string): Peer {
  return { ip, isHttps: false, isPrivate: false };
}

function basic(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
}

describe('credentials', () => {
  it.each<[string, string]>([
    ['login', basic('mira', secret)],
    ['login in capitals', basic('MIRA', secret)],
    ['email address', basic('mira@example.org', secret)],
    ['password without spaces', basic('mira', secret.replaceAll(' ', ''))],
    ['scheme in small letters', basic('mira', secret).replace('Basic', 'basic')],
    ['a token that is the same', basic('mira', secret).replace('Basic', 'Bearer')],
    ['a token that says it plainly', `Bearer mira:${secret.replaceAll(' ', '')}`],
  ])('are accepted: %s', async (_, header) => {
    const { who } = await open(account(1, 'oda', { applicationPasswords: [] }), account(3, 'mira'));
    const expected = { user: { id: 3, roles: ['editor'], capabilities: {} }, credential: 'phone-3' };
    expect(await who(header)).toEqual(expected);
    expect(await who(header)).toEqual(expected);
  });

  it.each<[string, string | undefined]>([
    ['none', undefined],
    ['wrong password', basic('mira', 'wrong')],
    ['password in other case', basic('mira', secret.toLowerCase())],
    ['empty password', basic('mira', '')],
    ['password without a letter', basic('mira', '    ')],
    ['login password', basic('mira', 'Sturdy-pass-91')],
    ["another's password", basic('oda', secret)],
    ['unknown login', basic('nobody', secret)],
    ['no name', basic('', secret)],
    ['no colon', `Basic ${Buffer.from('mira').toString('base64')}`],
    ['no base64', 'Basic %%%'],
    ['nothing behind the scheme', 'Basic '],
    ['another scheme', 'Bearer abc'],
    ['a name of the language', basic('__proto__', secret)],
  ])('are anonymous: %s', async (_, header) => {
    const { who } = await open(
      account(1, 'oda', { applicationPasswords: [] }),
      account(3, 'mira', { passwordHash: '$scrypt$x' }),
    );
    const { user, refusal, credential } = await who(header);
    expect([user, refusal, credential]).toEqual([null, undefined, undefined]);
  });

  it.each([
    ['Basic %%%', 'malformed'],
    ['Digest abc', 'unknown-scheme'],
    ['Bearer abc', 'malformed'],
    ['Bearer mira:login-password', 'malformed'],
    [basic('mira', 'Sturdy-pass-91'), 'not-an-application-password'],
    [basic('nobody', 'Sturdy-pass-91'), 'not-an-application-password'],
    [basic('mira', secret.toLowerCase()), 'wrong-name-or-password'],
    [basic('nobody', secret), 'wrong-name-or-password'],
  ])('say which part was wrong without revealing whether the account exists: %s', async (header, fault) => {
    const { who } = await open(account(3, 'mira'));
    expect((await who(header)).told).toEqual({ Auth: fault });
  });

  it('reject a lone nonce, and ignore one with a password', async () => {
    const { who } = await open(account(3, 'mira'));
    expect((await who(undefined, { 'x-test-nonce': 'a' })).refusal?.code).toBe('rest_cookie_invalid_nonce');
    expect((await who(basic('mira', 'wrong'), { 'x-test-nonce': '' })).refusal?.code).toBe('rest_cookie_invalid_nonce');
    expect((await who(basic('mira', secret), { 'x-test-nonce': 'a' })).user?.id).toBe(3);
  });

  it('are forgotten when accounts change', async () => {
    const { who, accounts } = await open(account(3, 'mira'));
    const header = basic('mira', secret);
    expect((await who(header)).user?.roles).toEqual(['editor']);
    await accounts.change(3, (one) => ({ ...one, roles: ['author'] }));
    expect((await who(header)).user?.roles).toEqual(['author']);
    await accounts.change(3, (one) => ({ ...one, applicationPasswords: [] }));
    expect((await who(header)).user).toBeNull();
  });

  it('changed by another process take effect', async () => {
    const { who, documents, accounts, time } = await open(account(3, 'mira', { applicationPasswords: [] }));
    const header = basic('mira', secret);
    documents.texts.set('accounts/3.json', JSON.stringify(account(3, 'mira')));
    expect((await who(header)).user?.id).toBe(3);
    documents.texts.set('accounts/4.json', JSON.stringify(account(4, 'sven')));
    expect((await who(basic('sven', secret))).user?.id).toBe(4);
    documents.texts.delete('accounts/3.json');
    time.ms += 5000;
    await who(header);
    await accounts.settle();
    expect((await who(header)).user).toBeNull();
  });
});

describe('the last use of a password', () => {
  it('is recorded once a day, with the IP address', async () => {
    const { who, accounts, time } = await open(account(3, 'mira'));
    const used = () => accounts.get(3)?.applicationPasswords[0];
    const start = Math.floor(time.ms / 1000);
    await who(basic('mira', secret));
    expect(used()).toMatchObject({ lastUsed: start, lastIp: '192.0.2.1' });
    time.ms += (day - 1) * 1000;
    await who(basic('mira', secret));
    await who(basic('mira@example.org', secret));
    expect(used()?.lastUsed).toBe(start);
    time.ms += 1000;
    await who(basic('mira', secret));
    expect(used()?.lastUsed).toBe(start + day);
    await who(basic('mira', secret), {}, '192.0.2.2');
    expect(used()?.lastIp).toBe('192.0.2.1');
    time.ms += 60_000;
    await who(basic('mira', secret), {}, '192.0.2.2');
    expect(used()).toMatchObject({ lastUsed: start + day + 60, lastIp: '192.0.2.2' });
  });

  it('does not fail a request when it cannot be written', async () => {
    const { who, accounts, documents } = await open(account(3, 'mira'));
    documents.failing.add('accounts/3.json');
    expect((await who(basic('mira', secret))).user?.id).toBe(3);
    await accounts.settle();
  });
});

it('wrong credentials cost at most one read per second', async () => {
  const { who, documents } = await open(account(3, 'mira'));
  documents.reads = 0;
  for (let tries = 0; tries < 200; tries++) {
    await who(basic('mira', `wrong${tries}`));
    await who(basic(`nobody${tries}`, secret));
  }
  expect(documents.reads).toBeLessThanOrEqual(2);
});

describe('too many wrong passwords', () => {
  const right = basic('mira', secret);
  const wrong = (at: number, name = 'mira') => basic(name, `wrong ${at}`);
  const refused = { user: null, refusal: expect.objectContaining({ code: 'rest_too_many_attempts' }) };
  const start = async () => open(account(3, 'mira'), account(4, 'oda'));

  it('lock the account for that address, even with the right password, and for no other address', async () => {
    const { who, signIns, authenticator } = await start();
    const locks: SignInLock[] = [];
    signIns.onLock((lock) => locks.push(lock));
    expect((await who(right)).user?.id).toBe(3);
    expect(authenticator.recall(right)).toBeDefined();
    for (let at = 0; at < 5; at++) expect((await who(wrong(at))).refusal).toBeUndefined();
    for (const name of ['mira', 'MIRA', 'mira@example.org']) expect(await who(basic(name, secret))).toEqual(refused);
    expect(authenticator.recall(right)).toBeUndefined();
    expect(await who(wrong(9))).toEqual(refused);
    expect((await who(basic('oda', secret))).user?.id).toBe(4);
    expect((await who(right, {}, '192.0.2.2')).user?.id).toBe(3);
    expect(await who()).toEqual({ user: null });
    expect(locks).toEqual([{ account: '3', network: '192.0.2.1', until: expect.any(Number) }]);
  });

  it('count at once, under all names of the account, and however many names are tried', async () => {
    const { who } = await start();
    const names = ['mira', 'MIRA', ' mira ', 'mira@example.org'];
    const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => who(wrong(at, names[at % 4]))));
    expect(answers.filter(({ refusal }) => !refusal)).toHaveLength(5);
    for (let at = 0; at < 20_000; at++) void who(wrong(0, `nobody-${at}`));
    expect(await who(right)).toEqual(refused);
  });

  it('for too many names lock out that address, whether or not the accounts exist', async () => {
    const { who, time, signIns } = await start();
    const locks: SignInLock[] = [];
    signIns.onLock((lock) => locks.push(lock));
    expect((await who(right)).user?.id).toBe(3);
    // Of one account they are one name.
    for (const name of ['oda', 'ODA', 'oda@example.org']) await who(wrong(1, name));
    for (const name of ['a', 'b', 'c']) expect((await who(wrong(1, name))).refusal).toBeUndefined();
    expect((await who(wrong(2, 'd'))).refusal).toBeUndefined();
    for (const one of [wrong(3, 'e'), wrong(3, 'oda'), basic('oda', secret)]) expect(await who(one)).toEqual(refused);
    expect(locks).toEqual([{ account: '*', network: '192.0.2.1', until: expect.any(Number) }]);
    // Who has signed in goes on; so do others elsewhere.
    expect((await who(right)).user?.id).toBe(3);
    expect((await who(basic('oda', secret), {}, '192.0.2.2')).user?.id).toBe(4);
    time.ms += 300_000;
    expect((await who(basic('oda', secret))).user?.id).toBe(4);
  });

  it('for many names at once stay few', async () => {
    const { who } = await start();
    const answers = await Promise.all(Array.from({ length: 500 }, (_, at) => who(wrong(0, `nobody-${at}`))));
    expect(answers.filter(({ refusal }) => !refusal).length).toBeLessThanOrEqual(50);
  });

  it('count once if identical and concurrent, and not at all if right', async () => {
    const { who } = await start();
    const same = await Promise.all(Array.from({ length: 40 }, () => who(wrong(1))));
    expect(same.every(({ refusal }) => !refusal)).toBe(true);
    const many = await Promise.all(Array.from({ length: 40 }, () => who(right)));
    expect(many.every(({ user }) => user?.id === 3)).toBe(true);
  });

  it('are forgotten after five minutes', async () => {
    const { who, time } = await start();
    for (let at = 0; at < 4; at++) await who(wrong(at));
    time.ms += 300_000;
    for (let at = 0; at < 4; at++) await who(wrong(at));
    expect((await who(right)).user?.id).toBe(3);
    await who(wrong(5));
    const { refusal } = await who(right);
    expect(refusal?.data).toEqual({ retry_after: 300 });
    time.ms += 300_000;
    expect((await who(right)).user?.id).toBe(3);
  });

  it.each([
    ['::ffff:192.0.2.7', '192.0.2.7', true],
    ['2001:db8::1', '2001:db8:0:0:ffff::2', true],
    ['2001:db8:1::1', '2001:db8:2::1', false],
    ['::1', '::2', true],
  ])('from %s and %s are from one address: %s', async (one, other, expected) => {
    const { who } = await start();
    for (let at = 0; at < 5; at++) await who(wrong(at), {}, one);
    expect((await who(right, {}, other)).refusal !== undefined).toBe(expected);
  });
});
