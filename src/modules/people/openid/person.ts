/**
 * Whose account a person of the provider has. It is bound to the subject once: by an email address that the provider has verified, by the person
 * on the profile page, or because the account is made for them. From then on only the subject counts.
 */
import type { Site } from '../../../kernel/site/site.ts';
import { createUser, isLogin, setRoles } from '../users/plan.ts';
import type { Account } from '../users/record.ts';
import type { Claims } from './provider.ts';
import type { OpenIdSettings } from './settings.ts';

/** Why nobody is signed in. */
export type NoAccount = 'unknown' | 'taken' | 'no-role' | 'bound';

interface People {
  /** The account of a person, which may be new, with the roles that the provider states. */
  find(claims: Claims): Promise<Account | NoAccount>;
  /** Binds the account of somebody who is signed in. */
  connect(id: number, claims: Claims): Promise<Account | NoAccount>;
}

const longest = { login: 60, name: 250, subject: 255 };

type Uses = Site;

export function createPeople(site: Uses, settings: OpenIdSettings): People {
  const { accounts } = site;
  const { issuer } = settings;

  return {
    async find(claims) {
      await accounts.refresh();
      const roles = rolesIn(claims, settings);
      const known = (await accountOf(claims.sub)) ?? (await boundByEmail(claims));
      if (typeof known === 'string') return known;
      if (known) return withRoles(known, roles);
      if (settings.newAccounts === null) return 'unknown';
      return bound(await makeAccount(claims, roles ?? [settings.newAccounts]), claims);
    },
    async connect(id, claims) {
      await accounts.refresh();
      const known = await accountOf(claims.sub);
      if (known && known.id !== id) return 'bound';
      const account = known ?? (await bound(id, claims));
      return typeof account === 'string' ? account : withRoles(account, rolesIn(claims, settings));
    },
  };

  async function accountOf(subject: string): Promise<Account | null> {
    const known = accounts.all().find((one) => hasIdentity(one, issuer, subject));
    if (known && !accounts.isCurrent(known.id)) await accounts.reread(known.id);
    const now = known && accounts.get(known.id);
    return now && hasIdentity(now, issuer, subject) ? now : null;
  }

  /** By the address that both know to be the person's: the provider has verified it, and here somebody else has entered it. */
  async function boundByEmail(claims: Claims): Promise<Account | NoAccount | null> {
    const email = verifiedEmail(claims);
    const known = email === '' ? undefined : accounts.byEmail(email);
    if (!known) return null;
    if (!accounts.isCurrent(known.id)) await accounts.reread(known.id);
    const now = accounts.get(known.id);
    if (!now || now.email.toLowerCase() !== email.toLowerCase()) return null;
    return now.isOwnEmail ? 'taken' : bound(now.id, claims);
  }

  /** An account has one identity of a provider. */
  async function bound(id: number, { sub }: Claims): Promise<Account | NoAccount> {
    const after = await accounts.alone(async () =>
      (await accountOf(sub))
        ? null
        : accounts.change(id, (account) =>
            account.identities.some((one) => one.issuer === issuer)
              ? account
              : {
                  ...account,
                  identities: [...account.identities, { issuer, subject: sub, since: Math.floor(site.clock() / 1000) }],
                },
          ),
    );
    if (!after || !hasIdentity(after, issuer, sub)) return 'bound';
    site.audit.note({ event: 'identity', by: id, issuer });
    return after;
  }

  async function withRoles(account: Account, roles: readonly string[] | null): Promise<Account | NoAccount> {
    if (roles === null) return account;
    const isSame = roles.length === account.roles.length && roles.every((role) => account.roles.includes(role));
    if (!isSame) {
      await setRoles(site, account.id, roles);
      site.audit.note({ event: 'roles', by: account.id, roles, issuer });
    }
    return roles.length === 0 ? 'no-role' : (accounts.get(account.id) ?? account);
  }

  async function makeAccount(claims: Claims, roles: readonly string[]): Promise<number> {
    const email = verifiedEmail(claims);
    const login = freeLogin(loginIn(claims, email));
    const name = textIn(claims, 'name')
      .replace(/\p{C}+/gu, ' ')
      .trim();
    const id = await createUser(site, {
      login,
      roles,
      ...(email === '' ? {} : { email }),
      ...(name === '' || [...name].length > longest.name ? {} : { name }),
    });
    site.audit.note({ event: 'create', on: login, roles, issuer });
    return id;
  }

  function freeLogin(wanted: string): string {
    let login = wanted;
    for (let number = 2; accounts.byLogin(login); number++) login = `${wanted}-${number}`;
    return login;
  }
}

/** Whether a subject can be one: not empty, and short enough to keep (Core 1.0, 2). */
export function isSubject(sub: unknown): sub is string {
  return typeof sub === 'string' && sub !== '' && sub.length <= longest.subject;
}

function hasIdentity({ identities }: Account, issuer: string, subject: string): boolean {
  return identities.some((one) => one.issuer === issuer && one.subject === subject);
}

/** '' if the provider does not say that it is the person's. Some providers write the boolean as a text. */
function verifiedEmail(claims: Claims): string {
  const { email_verified: isVerified } = claims;
  return isVerified === true || isVerified === 'true' ? textIn(claims, 'email').trim() : '';
}

/** From the name that the person has at the provider; never an email address, which would become public. */
function loginIn(claims: Claims, email: string): string {
  for (const text of [textIn(claims, 'preferred_username'), email, textIn(claims, 'name')]) {
    const login = text
      .replace(/@.*$/s, '')
      .normalize('NFKD')
      .replace(/[^\w.-]+/g, '-')
      .replace(/^[.-]+|[.-]+$/g, '')
      .toLowerCase()
      .slice(0, longest.login - 5);
    if (login !== '' && isLogin(login)) return login;
  }
  return 'user';
}

/** Null if roles are given here. Without a group of the map a person has the role of new accounts, or none. */
function rolesIn(claims: Claims, { roles, rolesClaim, newAccounts }: OpenIdSettings): readonly string[] | null {
  if (roles === null) return null;
  const stated = valueAt(claims, rolesClaim);
  const groups = (Array.isArray(stated) ? stated : [stated]).filter((one) => typeof one === 'string');
  const mapped = [...new Set(groups.flatMap((group) => roles.get(group) ?? []))];
  return mapped.length > 0 || newAccounts === null ? mapped : [newAccounts];
}

/** The claim of a name, or what is below its parts: `realm_access.roles`. */
function valueAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

function textIn(claims: Claims, name: string): string {
  const value = claims[name];
  return typeof value === 'string' ? value : '';
}
