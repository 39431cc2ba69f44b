/**
 * Sign-in by OpenID Connect, in the operator's `openid:`. What cannot work keeps the server from starting; the secret is in an environment
 * variable, named here.
 */
import { environment } from '../../../kernel/environment.ts';
import { isThisMachine, isUrl } from '../../../kernel/model/addresses.ts';
import { isMap } from '../../../kernel/model/maps.ts';
import { OperatorFault } from '../../../kernel/model/operator.ts';

export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** '' for a public client, which has only PKCE. */
  readonly secret: string;
  /** What people know the provider by. */
  readonly name: string;
  /** Separated by spaces. */
  readonly scope: string;
  /** Claim with the groups of a person; its parts with dots. */
  readonly rolesClaim: string;
  /** Group → role; null: roles are given here, not at the provider. */
  readonly roles: ReadonlyMap<string, string> | null;
  /** Role of people without an account, who get one; null: they do not. */
  readonly newAccounts: string | null;
  /** Nobody signs in with a password or passkey of this site. */
  readonly isOnly: boolean;
  /** Who signs out here is sent to sign out there. */
  readonly signsOut: boolean;
}

type Row = Readonly<Record<string, unknown>>;

const keys = [
  'issuer',
  'client_id',
  'client_secret_env',
  'name',
  'scope',
  'roles_claim',
  'roles',
  'new_accounts',
  'only',
  'sign_out',
];

/**
 * Null if people sign in here alone.
 * @param roles  that the site has
 * @throws OperatorFault
 */
export function readOpenId(given: Row, roles: Pick<ReadonlySet<string>, 'has'>, env = environment): OpenIdSettings | null {
  if (Object.keys(given).length === 0) return null;
  const unknown = Object.keys(given).find((key) => !keys.includes(key));
  if (unknown !== undefined) refuse(unknown, `is not one of ${keys.join(', ')}`);
  const issuer = issuerOf(given.issuer);
  const scope = given.scope === undefined ? 'openid email profile' : textOf(given, 'scope');
  if (!scope.split(' ').includes('openid')) refuse('scope', 'must contain openid');
  return {
    issuer,
    clientId: textOf(given, 'client_id'),
    secret: given.client_secret_env === undefined ? '' : secretOf(textOf(given, 'client_secret_env'), env),
    name: given.name === undefined ? new URL(issuer).hostname : textOf(given, 'name'),
    scope,
    rolesClaim: given.roles_claim === undefined ? 'groups' : textOf(given, 'roles_claim'),
    roles: given.roles === undefined ? null : rolesOf(given.roles, roles),
    newAccounts: given.new_accounts === undefined ? null : roleOf('new_accounts', given.new_accounts, roles),
    isOnly: switchOf(given, 'only'),
    signsOut: switchOf(given, 'sign_out'),
  };
}

/** Without encryption only on this machine: whoever listens could sign in as anybody. */
function issuerOf(given: unknown): string {
  const url = typeof given === 'string' && isUrl(given) ? new URL(given) : refuse('issuer', 'is not a URL: https://…');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isThisMachine(url.hostname))) refuse('issuer', 'must use HTTPS');
  if (url.username !== '' || url.search !== '' || url.hash !== '') refuse('issuer', 'is a URL without user, query and fragment');
  return given as string;
}

function secretOf(name: string, env: Readonly<Record<string, string | undefined>>): string {
  return env[name] || refuse('client_secret_env', `names ${name}, which is not set`);
}

function rolesOf(given: unknown, roles: Pick<ReadonlySet<string>, 'has'>): ReadonlyMap<string, string> {
  if (!isMap(given)) refuse('roles', 'is not a map of groups to roles');
  return new Map(Object.entries(given).map(([group, role]) => [group, roleOf(`roles.${group}`, role, roles)]));
}

function roleOf(key: string, given: unknown, roles: Pick<ReadonlySet<string>, 'has'>): string {
  return typeof given === 'string' && roles.has(given) ? given : refuse(key, 'is not a role of the site');
}

function switchOf(given: Row, key: string): boolean {
  const value = given[key] ?? false;
  return typeof value === 'boolean' ? value : refuse(key, 'is not true or false');
}

function textOf(given: Row, key: string): string {
  const value = given[key];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : refuse(key, 'is not a text');
}

function refuse(key: string, why: string): never {
  throw new OperatorFault('openid', `openid.${key} ${why}`);
}
