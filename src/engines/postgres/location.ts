/** Where an engine in PostgreSQL is: an address with what this program and the driver read of it. */
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import type { PoolConfig } from 'pg';

export interface Location {
  /** `postgres://host/database#schema`, without user and password. */
  readonly name: string;
  /** Of a site; several may share a database. */
  readonly schema: string;
  /** Whether the database may be asked to announce changes, which needs a session of its own. */
  readonly isNotified: boolean;
  readonly pool: PoolConfig;
}

/** Nothing of the address is repeated in the message: it holds a password. */
export class LocationError extends Error {}

const local = /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?|)$/;
const known = new Set([
  'schema',
  'host',
  'port',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'connections',
  'notifications',
  'application_name',
]);

/**
 * Reads `postgres://user:password@host:port/database?schema=…`. On another machine the server has to prove by a certificate who it is,
 * unless `sslmode=disable` says that the network is trusted.
 * @throws LocationError
 */
export function readLocation(address: string): Location {
  const url = parse(address);
  const given = url.searchParams;
  for (const key of given.keys())
    if (!known.has(key)) throw new LocationError(`unknown parameter "${key}"; known are ${[...known].join(', ')}`);
  const schema = given.get('schema') ?? 'cms';
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
    throw new LocationError(`schema "${schema}": use small letters, digits and underscores`);
  const database = decodeURIComponent(url.pathname.slice(1));
  const host = given.get('host') ?? decodeURIComponent(url.hostname);
  const isLocal = local.test(host) || host.startsWith('/');
  const connections = Number(given.get('connections') ?? 8);
  if (!Number.isInteger(connections) || connections < 3 || connections > 100)
    throw new LocationError('connections: use a number from 3 to 100');
  const ssl = tls(given, isLocal);
  return {
    name: `postgres://${host === '' ? 'localhost' : host.startsWith('/') ? '' : url.host || host}/${database}#${schema}`,
    schema,
    isNotified: notified(given.get('notifications') ?? 'on'),
    pool: {
      host: host === '' ? 'localhost' : host,
      port: Number(given.get('port') ?? (url.port || 5432)),
      ...(database === '' ? {} : { database }),
      ...(url.username === '' ? {} : { user: decodeURIComponent(url.username) }),
      ...(url.password === '' ? {} : { password: decodeURIComponent(url.password) }),
      application_name: given.get('application_name') ?? 'cms',
      max: connections,
      ssl,
    },
  };
}

function notified(given: string): boolean {
  if (given === 'on' || given === 'off') return given === 'on';
  throw new LocationError('notifications: use on, or off where a pooler is between');
}

function parse(address: string): URL {
  try {
    // A socket has no host, which only addresses of special schemes may leave out.
    const url = new URL(address.replace(/^postgres(?:ql)?:\/\/(?=[^/]*\/?)/, 'postgres://'));
    if (url.protocol === 'postgres:') return url;
  } catch {
    // Said below.
  }
  throw new LocationError('not an address of the form postgres://user:password@host:5432/database');
}

function tls(given: URLSearchParams, isLocal: boolean): ConnectionOptions | false {
  const mode = given.get('sslmode') ?? (isLocal ? 'disable' : 'verify-full');
  if (mode === 'disable') return false;
  if (mode !== 'verify-full')
    throw new LocationError(`sslmode=${mode}: use verify-full (the default on other machines), or disable in a trusted network`);
  const file = (key: string): { readonly text?: string } => {
    const path = given.get(key);
    if (path === null) return {};
    try {
      return { text: readFileSync(path, 'utf8') };
    } catch (error) {
      throw new LocationError(`${key}: ${(error as Error).message}`);
    }
  };
  const [ca, cert, key] = [file('sslrootcert').text, file('sslcert').text, file('sslkey').text];
  return {
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
}
