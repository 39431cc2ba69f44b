/**
 * The document of one account: JSON with the members of `Account`. Missing ones have defaults; an invalid one rejects the whole document, because
 * half an account may have other rights.
 */
import { isMap } from '../../../kernel/model/maps.ts';
import type { Account, ApplicationPassword, Identity, Passkey, SecondFactor, Session, Spent } from '../users/record.ts';

/**
 * @param id  from the name of the document; one inside is ignored
 * @throws SyntaxError, or Error with what is invalid. Neither quotes a value.
 */
export function readAccount(id: number, source: string): Account {
  const data: unknown = JSON.parse(source);
  if (!isMap(data)) throw new Error('an account must be an object');
  const login = textOf(data, 'login');
  if (login === '') throw new Error('an account needs a login');
  return {
    id,
    login,
    email: textOf(data, 'email'),
    isOwnEmail: data.isOwnEmail === true,
    roles: listOf(data, 'roles').map(String),
    capabilities: Object.fromEntries(Object.entries(mapOf(data, 'capabilities')).map(([name, given]) => [name, given === true])),
    locale: textOf(data, 'locale'),
    registered: textOf(data, 'registered') || '1970-01-01T00:00:00',
    passwordHash: textOf(data, 'passwordHash'),
    applicationPasswords: listOf(data, 'applicationPasswords').map(readApplicationPassword),
    sessions: listOf(data, 'sessions').map(readSession),
    identities: listOf(data, 'identities').map(readIdentity),
    passkeys: listOf(data, 'passkeys').map(readPasskey),
    secondFactor: readSecondFactor(data.secondFactor ?? null),
    spent: listOf(data, 'spent').map(readSpent),
    meta: mapOf(data, 'meta'),
    name: textOf(data, 'name') || login,
    slug: textOf(data, 'slug'),
  };
}

function readApplicationPassword(data: unknown): ApplicationPassword {
  if (!isMap(data) || textOf(data, 'uuid') === '' || textOf(data, 'hash') === '')
    throw new Error('an application password needs a uuid and a hash');
  const { created, lastUsed, lastIp } = data;
  const scope = textOf(data, 'scope');
  return {
    ...(scope === '' ? {} : { scope }),
    uuid: textOf(data, 'uuid'),
    appId: textOf(data, 'appId'),
    name: textOf(data, 'name'),
    hash: textOf(data, 'hash'),
    created: typeof created === 'number' ? created : 0,
    lastUsed: typeof lastUsed === 'number' ? lastUsed : null,
    lastIp: typeof lastIp === 'string' ? lastIp : null,
  };
}

function readSession(data: unknown): Session {
  if (!isMap(data) || textOf(data, 'hash') === '' || textOf(data, 'bound') === '')
    throw new Error('a session needs a hash and what it is bound to');
  const { created, expires, lastUsed, lastIp } = data;
  return {
    hash: textOf(data, 'hash'),
    bound: textOf(data, 'bound'),
    created: typeof created === 'number' ? created : 0,
    expires: typeof expires === 'number' ? expires : 0,
    lastUsed: typeof lastUsed === 'number' ? lastUsed : 0,
    lastIp: typeof lastIp === 'string' ? lastIp : null,
    agent: textOf(data, 'agent'),
    idToken: textOf(data, 'idToken'),
  };
}

function readIdentity(data: unknown): Identity {
  if (!isMap(data) || textOf(data, 'issuer') === '' || textOf(data, 'subject') === '')
    throw new Error('an identity needs an issuer and a subject');
  return { issuer: textOf(data, 'issuer'), subject: textOf(data, 'subject'), since: numberOf(data, 'since') };
}

function readPasskey(data: unknown): Passkey {
  if (!isMap(data) || ['id', 'publicKey', 'host'].some((key) => textOf(data, key) === ''))
    throw new Error('a passkey needs an id, a publicKey and a host');
  const { lastUsed, lastIp } = data;
  return {
    id: textOf(data, 'id'),
    publicKey: textOf(data, 'publicKey'),
    counter: numberOf(data, 'counter'),
    host: textOf(data, 'host'),
    transports: listOf(data, 'transports').map(String),
    name: textOf(data, 'name'),
    created: numberOf(data, 'created'),
    lastUsed: typeof lastUsed === 'number' ? lastUsed : null,
    lastIp: typeof lastIp === 'string' ? lastIp : null,
  };
}

/** A broken one must not become none. */
function readSecondFactor(data: unknown): SecondFactor | null {
  if (data === null) return null;
  if (!isMap(data) || textOf(data, 'secret') === '') throw new Error('a second factor needs a secret');
  return {
    secret: textOf(data, 'secret'),
    since: numberOf(data, 'since'),
    lastStep: numberOf(data, 'lastStep'),
    recovery: listOf(data, 'recovery').map(String),
  };
}

/** A broken one must not work again. */
function readSpent(data: unknown): Spent {
  if (!isMap(data) || textOf(data, 'hash') === '') throw new Error('what is spent needs a hash');
  return { hash: textOf(data, 'hash'), until: numberOf(data, 'until') };
}

type Data = Readonly<Record<string, unknown>>;

function textOf(data: Data, key: string): string {
  const value = data[key] ?? '';
  if (typeof value !== 'string') throw new Error(`${key} must be a text`);
  return value;
}

function numberOf(data: Data, key: string): number {
  const value = data[key];
  return typeof value === 'number' ? value : 0;
}

function listOf(data: Data, key: string): readonly unknown[] {
  const value = data[key] ?? [];
  if (!Array.isArray(value)) throw new Error(`${key} must be a list`);
  return value;
}

function mapOf(data: Data, key: string): Data {
  const value = data[key] ?? {};
  if (!isMap(value)) throw new Error(`${key} must be a map`);
  return value;
}
