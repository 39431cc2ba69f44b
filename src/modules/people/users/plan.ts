/**
 * Creating, changing and deleting users: the public profile is a content file, the account a private document.
 *
 * Runs one after another (`accounts.alone`), so that a login name or email address that was free still is when it is written. Source: conformance
 * scenario users; behaviour of the reference 6.9.
 */
import { fail } from '../../../kernel/errors.ts';
import { same } from '../../../kernel/model/field.ts';
import { slugify } from '../../../kernel/model/slugs.ts';
import { type Account, blankAccount, blankUser, type Departure, type Leaving, type UserRecord } from './record.ts';
import type { FileChange } from '../../../kernel/store/types.ts';
import type { Actor } from '../../../kernel/model/access.ts';
import { hashPassword } from '../accounts/index.ts';
import { filterHtml } from '../../../render/filter.ts';
import { CompletedSet, inBatches } from '../../../kernel/site/in-batches.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { isUserNamedBySlug, userPath, writeUser } from './file.ts';

/** The input of a write. Absent keys keep their values, or have defaults. */
export interface UserInput {
  /** Display name; '' for the login name. */
  readonly name?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  /** '' for the login name. */
  readonly nickname?: string;
  /** Absolute, or `/` for the site itself. */
  readonly url?: string;
  readonly description?: string;
  /** '' to derive it from the login name. */
  readonly slug?: string;
  readonly email?: string;
  /** Whether the person enters the address themselves. */
  readonly isOwnEmail?: boolean;
  /** '' for the site's language. */
  readonly locale?: string;
  readonly roles?: readonly string[];
  readonly password?: string;
  /** Registered meta of the profile, complete. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Meta in the account, complete. */
  readonly privateMeta?: Readonly<Record<string, unknown>>;
  /** Properties set by fields of modules. */
  readonly added?: Readonly<Record<string, unknown>>;
}

export interface NewUser extends UserInput {
  readonly login: string;
}

const maxLogin = 60;
const maxSlug = 50;
const maxUrl = 100;
/** A longer display name changes nothing (observed). */
const maxName = 250;

/**
 * Creates a user.
 *
 * @returns  the id
 * @throws RestError rest_user_invalid_username, user_login_too_long, existing_user_login, existing_user_email, user_nicename_too_long,
 * user_url_too_long, rest_user_invalid_role
 */
export function createUser(site: Site, input: NewUser): Promise<number> {
  return site.accounts.alone(async () => {
    const { login, email = '' } = input;
    await site.accounts.refresh(login);
    if (!isLogin(login)) fail('rest_user_invalid_username');
    if (login.length > maxLogin) fail('user_login_too_long');
    if (loginTaken(site, login)) fail('existing_user_login');
    if ((input.slug || slugify(login.slice(0, maxSlug))).length > maxSlug) fail('user_nicename_too_long');
    if (email !== '' && site.accounts.byEmail(email)) fail('existing_user_email');
    checkInput(site, input);
    const passwordHash = input.password ? await hashPassword(input.password) : '';

    const id = await site.ownId('users');
    const name = input.name || [input.firstName, input.lastName].filter(Boolean).join(' ') || login;
    const roles = input.roles ?? [site.operator.default_role];
    const blank = { ...blankAccount(id, login, site.now().gmt), roles };
    // The profile first: until the account exists, it is an author who cannot sign in.
    const profile = await site.write(() => {
      const user = merge(site, { ...blankUser(id), account: blank }, login, { nickname: '', slug: '', ...input, name });
      const placed = { ...user, path: userPath(site.users, user) };
      return { changes: [writeUser(site, placed)], result: placed };
    });
    try {
      await site.accounts.save({ ...withInput(blank, input, passwordHash), name, slug: profile.slug });
    } catch (error) {
      await site.commit([{ remove: profile.path }]);
      throw error;
    }
    return id;
  });
}

/**
 * Changes a user. A profile without an account gets one when account data is set.
 *
 * @throws RestError rest_user_invalid_id, rest_user_invalid_email, rest_user_invalid_slug, user_nicename_too_long, user_url_too_long,
 * rest_user_invalid_role, and what `check` throws
 * @param check  called while no other change of a user is in progress
 */
export function updateUser(site: Site, id: number, asked: UserInput, check: Check = noCheck): Promise<void> {
  const { name, ...others } = asked;
  const input = name !== undefined && [...name].length > maxName ? others : asked;
  return site.accounts.alone(async () => {
    const user = find(site, id);
    await check(user);
    const { email, slug } = input;
    if (email !== undefined && email !== '' && (site.accounts.byEmail(email)?.id ?? id) !== id) fail('rest_user_invalid_email');
    if (slug && slug !== user.slug && slugTaken(site, slug, id)) fail('rest_user_invalid_slug');
    if (slug && slug.length > maxSlug) fail('user_nicename_too_long');
    checkInput(site, input);
    const passwordHash = input.password ? await hashPassword(input.password) : undefined;

    const isPublic = !same(user, merge(site, user, loginOf(user), input));
    if (isPublic) await site.write(() => ({ changes: planProfile(site, find(site, id), input), result: null }));
    if (!accountKeys.some((key) => input[key] !== undefined)) return;
    // Another process may have created one.
    if (!site.accounts.get(id)) await site.accounts.reread(id);
    if (!site.accounts.get(id)) await site.accounts.save(blankAccount(id, freeLogin(site, user.slug), site.now().gmt));
    await site.accounts.change(id, (account) => {
      const after = withInput(account, input, passwordHash ?? account.passwordHash);
      return same(after, account) ? account : after;
    });
  });
}

type Check = (user: UserRecord) => void | Promise<void>;
const noCheck: Check = () => undefined;

/** Whether an account is the only administrator, according to the current documents. */
export async function isLastAdministrator({ accounts }: Pick<Site, 'accounts'>, id: number): Promise<boolean> {
  const isAdministrator = (one: number): boolean => accounts.get(one)?.roles.includes('administrator') ?? false;
  const others = accounts.all().filter((one) => one.id !== id && isAdministrator(one.id));
  for (const one of [id, ...others.map((other) => other.id)]) if (!accounts.isCurrent(one)) await accounts.reread(one);
  return isAdministrator(id) && !others.some((one) => isAdministrator(one.id));
}

/** Replaces the roles of a user. @throws RestError as `updateUser` */
export function setRoles(site: Site, id: number, roles: readonly string[]): Promise<void> {
  return updateUser(site, id, { roles });
}

/**
 * Deletes a user. Posts and revisions go to the heir (0: nobody); with null, the posts are trashed.
 *
 * @throws RestError rest_user_invalid_id, rest_user_invalid_reassign, and what `check` throws
 * @param check  as in `updateUser`
 */
export function deleteUser(
  site: Site,
  id: number,
  heir: number | null,
  actor: Actor | null = null,
  check: Check = noCheck,
): Promise<void> {
  return site.accounts.alone(async () => {
    await check(find(site, id));
    if (heir && (heir === id || !site.users.get(heir))) fail('rest_user_invalid_reassign');
    const leaving = { user: id, heir, actor };
    for (const departure of site.departures) await departure.before?.(leaving);
    const last: (() => readonly FileChange[])[] = [];
    for (const { written } of site.departures) if (written) last.push(await releaseInParts(site, written, leaving));
    await site.write(() => {
      const { path, etag } = site.users.get(id) ?? blankUser(id);
      const changes = last.flatMap((release) => release());
      return { changes: path === '' ? changes : [...changes, { remove: path, expect: etag }], result: null };
    });
    await site.accounts.remove(id);
  });
}

/** Releases all but the last batch of a user's content. @returns the remaining changes, including items added meanwhile */
async function releaseInParts(
  site: Site,
  { table, release }: Required<Departure>['written'],
  leaving: Leaving,
): Promise<() => readonly FileChange[]> {
  const done = new CompletedSet();
  const released = (ids: Iterable<number>) =>
    [...ids].flatMap((id) => {
      const known = table.get(id);
      return known?.author === leaving.user && !done.has(known) ? release(known, leaving) : [];
    });
  await inBatches([...table.with('author', leaving.user)], async (part) => {
    await site.write(() => ({ changes: released(part), result: null }));
    done.note(part, table.get);
  });
  return () => released(table.with('author', leaving.user));
}

/** Whether a text can be a login name: letters, digits, `_ . - @` and single spaces within, and not 0. Length is checked elsewhere. */
export function isLogin(text: string): boolean {
  return text !== '0' && /^[\w.@-]+(?: [\w.@-]+)*$/.test(text);
}

/** Keys of the input that belong to the account. */
const accountKeys = ['email', 'locale', 'roles', 'password', 'privateMeta'] as const;

function find(site: Site, id: number): UserRecord {
  return site.users.get(id) ?? fail('rest_user_invalid_id');
}

function checkInput(site: Site, { url, roles }: UserInput): void {
  if (url !== undefined && url.length > maxUrl) fail('user_url_too_long');
  for (const role of roles ?? [])
    if (!site.access.roles.has(role)) fail('rest_user_invalid_role', {}, `The role ${role} does not exist.`);
}

/** The input applied to a profile. */
function merge(site: Site, before: UserRecord, login: string, input: UserInput): UserRecord {
  const {
    name = before.name,
    nickname = before.nickname,
    firstName = before.firstName,
    lastName = before.lastName,
    meta = before.meta,
  } = input;
  const description = input.description === undefined ? before.description : filterHtml(input.description, 'description');
  const url =
    input.url === undefined || (before.url === '/' && input.url.replace(/\/$/, '') === site.url) ? before.url : input.url;
  const keepsSlug = input.slug === undefined || (input.slug !== '' && input.slug === before.slug);
  const slug = keepsSlug ? before.slug : freeSlug(site, input.slug || slugify(login.slice(0, maxSlug)), before.id);
  const former = before.slug !== '' && before.slug !== slug ? [...before.aliases, before.slug] : before.aliases;
  const aliases = [...new Set(former)].filter((alias) => alias !== slug);
  return {
    ...before,
    ...input.added,
    name: name || login,
    nickname: nickname || login,
    firstName,
    lastName,
    description,
    url,
    slug,
    meta,
    aliases,
  };
}

/** The profile moves with its slug, unless a person named the file otherwise. */
function planProfile(site: Site, before: UserRecord, input: UserInput): readonly FileChange[] {
  const after = merge(site, before, loginOf(before), input);
  if (before.path === '') return [writeUser(site, { ...after, path: userPath(site.users, after) })];
  const moves = before.slug !== after.slug && isUserNamedBySlug(before);
  return [writeUser(site, moves ? { ...after, path: userPath(site.users, after) } : after, before)];
}

function withInput(account: Account, input: UserInput, passwordHash: string): Account {
  const { email = account.email, locale = account.locale, roles = account.roles, privateMeta = account.meta } = input;
  const isOwnEmail = email === account.email ? account.isOwnEmail : email !== '' && input.isOwnEmail === true;
  return { ...account, email, isOwnEmail, locale, roles: [...new Set(roles)], meta: privateMeta, passwordHash };
}

function loginOf(user: UserRecord): string {
  return user.account?.login ?? user.slug;
}

function loginTaken(site: Site, login: string): boolean {
  return site.accounts.byLogin(login)?.login.toLowerCase() === login.toLowerCase();
}

function freeLogin(site: Site, wanted: string): string {
  let login = wanted;
  for (let number = 2; loginTaken(site, login); number++) login = `${wanted}-${number}`;
  return login;
}

/** Also another user's former slug, which files may still use. */
function slugTaken(site: Site, slug: string, id: number): boolean {
  return [slug, `~${slug}`].some((key) => [...site.users.with('slug', key)].some((other) => other !== id));
}

function freeSlug(site: Site, wanted: string, id: number): string {
  const base = cut(wanted, maxSlug) || String(id);
  let slug = base;
  for (let number = 2; slugTaken(site, slug, id); number++) slug = `${cut(base, maxSlug - 1 - String(number).length)}-${number}`;
  return slug;
}

/** Not within an encoded byte. */
function cut(slug: string, length: number): string {
  return slug.length <= length ? slug : slug.slice(0, length).replace(/%[\da-f]?$/, '');
}
