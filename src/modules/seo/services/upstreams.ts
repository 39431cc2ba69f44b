/**
 * Where the services of keyword research and rank tracking are, as the operator says in `seo.upstreams`. No address of a service is
 * built in: without one, a service is not connected. What cannot work keeps the server from starting.
 *
 * Source: reference of seo/v1, 7.5
 */
import { isMap, table } from '../../../kernel/model/maps.ts';
import { OperatorFault } from '../../../kernel/model/operator.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';

type ServiceName = 'keyword-tool' | 'rank-tracker';

/** Members of a service with their usual values. */
const usual = table({
  'keyword-tool': {
    base_url: '',
    auth_base_url: '',
    token_path: '/oauth2/access_token',
    data_path: '/api/v1/keywords/phrase_fullsearch',
    client_id: '',
    client_secret_env: '',
    redirect_uri: '',
    timeout_ms: 10_000,
  },
  'rank-tracker': {
    base_url: '',
    auth_base_url: '',
    authorize_path: '/connect/authorize',
    token_path: '/connect/token',
    account_path: '/beta/account',
    campaign_path: '/v1/partner/upgrade-campaign',
    lookup_path: '/beta/partner/{websiteId}',
    bulk_path: '/beta/websites/{websiteId}/keywords/bulk',
    delete_path: '/beta/websites/{websiteId}/keywords/{id}',
    client_id: '',
    client_secret_env: '',
    redirect_uri: '',
    timeout_ms: 10_000,
  },
} as const);

type Members<S extends ServiceName> = { readonly [K in keyof (typeof usual)[S]]: K extends 'timeout_ms' ? number : string };

/** A service with its addresses; `isSet` is false without any. */
export type Upstream<S extends ServiceName = ServiceName> = Members<S> & {
  readonly name: S;
  readonly isSet: boolean;
  /** Whether the operator says how long to wait. */
  readonly hasTimeout: boolean;
};

type Upstreams = { readonly [S in ServiceName]: Upstream<S> };

/** @throws OperatorFault */
export function readUpstreams(given: Readonly<Record<string, unknown>>): Upstreams {
  for (const [name, row] of Object.entries(given)) {
    if (!Object.hasOwn(usual, name)) refuse(name, `is not one of ${Object.keys(usual).join(', ')}`);
    if (!isMap(row)) refuse(name, 'is not a map');
  }
  const read = <S extends ServiceName>(name: S) => readUpstream(name, (given[name] ?? {}) as Readonly<Record<string, unknown>>);
  return { 'keyword-tool': read('keyword-tool'), 'rank-tracker': read('rank-tracker') };
}

function readUpstream<S extends ServiceName>(name: S, row: Readonly<Record<string, unknown>>): Upstream<S> {
  const members: Record<string, string | number> = { ...usual[name] };
  for (const [key, value] of Object.entries(row)) {
    const place = `${name}.${key}`;
    if (!Object.hasOwn(members, key)) refuse(place, `is not one of ${Object.keys(members).join(', ')}`);
    if (value === null || value === undefined) continue;
    members[key] = (readers[key] ?? (key.endsWith('_path') ? readPath : readText))(value, place);
  }
  if (members.auth_base_url === '') members.auth_base_url = members.base_url as string;
  return { ...(members as unknown as Members<S>), name, isSet: members.base_url !== '', hasTimeout: 'timeout_ms' in row };
}

const readers: Readonly<Record<string, (value: unknown, place: string) => string | number>> = table({
  base_url: readAddress,
  auth_base_url: readAddress,
  client_secret_env: (value, place) =>
    value === '' || /^[A-Z][A-Z0-9_]{0,99}$/.test(String(value)) ? String(value) : refuse(place, 'is not the name of a variable'),
  timeout_ms(value, place) {
    const read = Number(value);
    return Number.isInteger(read) && read >= 1 && read <= 120_000 ? read : refuse(place, 'is not a whole number up to 120000');
  },
});

/** Without a slash at the end. */
function readAddress(value: unknown, place: string): string {
  const text = String(value);
  if (text !== '' && !(/^https?:\/\//i.test(text) && isUrl(text))) refuse(place, 'is not an address: https://…');
  return withoutTrailing(text, '/');
}

function readPath(value: unknown, place: string): string {
  return typeof value === 'string' && /^\/[\w./{}-]*$/.test(value) ? value : refuse(place, 'is not a path: /…');
}

function readText(value: unknown, place: string): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : refuse(place, 'is not a text');
}

function refuse(place: string, why: string): never {
  throw new OperatorFault('seo.upstreams', `seo.upstreams.${place} ${why}`);
}
