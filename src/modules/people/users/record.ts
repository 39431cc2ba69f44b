/** Users: a public profile in `users/<slug>.yaml` and, for those who may sign in, an account in the private mount. */
import { createHash } from 'node:crypto';
import type { Draft, Fields } from '../../../kernel/model/field.ts';
import { slugOfPath } from '../../../kernel/model/logical-path.ts';
import type { NamedThings } from '../../../kernel/model/named.ts';
import { embedFirst, of, type Schema } from '../../../kernel/model/schema.ts';
import type { Actor } from '../../../kernel/model/access.ts';
import type { Identified, Table } from '../../../kernel/records/types.ts';
import type { FileChange } from '../../../kernel/store/types.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly users: Table<UserRecord>;
    /** What modules do when a user is deleted. */
    readonly departures: Departure[];
  }
}

export interface Departure {
  /** Runs before any file is reassigned. */
  before?(leaving: Leaving): Promise<void>;
  /** Records by author, and how remaining files drop the author. */
  readonly written?: {
    readonly table: Table<Written>;
    release(record: Written, leaving: Leaving): readonly FileChange[];
  };
}

export interface Leaving {
  readonly user: number;
  /** Who gets the content: 0 nobody; null: it is trashed. */
  readonly heir: number | null;
  /** Who deletes the user; null: the command line. */
  readonly actor: Actor | null;
}

interface Written extends Identified {
  readonly path: string;
  readonly etag: string;
  readonly author: number;
}

/** Sets another author in a text file: a slug, or an id if required. */
export function withAuthor({ path, etag }: Pick<Written, 'path' | 'etag'>, author: string | number): readonly FileChange[] {
  const isText = /\.(?:md|markdown|html?|ya?ml)$/.test(path);
  return isText ? [{ path, expect: etag, data: { author }, order: ['author'] }] : [];
}

export interface ApplicationPassword {
  readonly uuid: string;
  readonly appId: string;
  readonly name: string;
  readonly hash: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly lastUsed: number | null;
  readonly lastIp: string | null;
  /** `accounts/scope.ts`; absent: all rights of the account. */
  readonly scope?: string;
}

/** A browser session: a cookie with a token, of which a digest is stored. */
export interface Session {
  /** SHA-256 of the token in base64url. */
  readonly hash: string;
  /** Of the login password at sign-in: the session ends when it changes. */
  readonly bound: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly expires: number;
  readonly lastUsed: number;
  readonly lastIp: string | null;
  /** User agent. */
  readonly agent: string;
  /** Of the provider at which the person signed in, which knows by it whom to sign out; '' for none. */
  readonly idToken: string;
}

/** A key on a device or in an account of the person, with which they sign in instead of a password. */
export interface Passkey {
  /** Base64url, from the device. */
  readonly id: string;
  /** Base64url, COSE. */
  readonly publicKey: string;
  /** Signatures so far, if the device counts them. */
  readonly counter: number;
  /** Host for which it works. */
  readonly host: string;
  readonly transports: readonly string[];
  readonly name: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly lastUsed: number | null;
  readonly lastIp: string | null;
}

/** An authenticator app, whose codes signing in with a password needs. */
export interface SecondFactor {
  /** Base32; the app has it, too. */
  readonly secret: string;
  /** Seconds since the epoch. */
  readonly since: number;
  /** Number of the period whose code was used last. */
  readonly lastStep: number;
  /** Digests of the recovery codes that are left. */
  readonly recovery: readonly string[];
}

/** A person of an OpenID provider, to whom an account belongs. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** Seconds since the epoch. */
  readonly since: number;
}

export interface Spent {
  readonly hash: string;
  /** Seconds since the epoch; after that it would not be accepted anyway. */
  readonly until: number;
}

export interface Account {
  readonly id: number;
  readonly login: string;
  readonly email: string;
  /** Whether the person has entered the address themselves: nothing proves that it is theirs. */
  readonly isOwnEmail: boolean;
  readonly roles: readonly string[];
  /** Personal capabilities, granted or denied. */
  readonly capabilities: Readonly<Record<string, boolean>>;
  readonly locale: string;
  /** GMT, `YYYY-MM-DDTHH:MM:SS`. */
  readonly registered: string;
  /** Hash of the login password; '' if none is set. */
  readonly passwordHash: string;
  readonly applicationPasswords: readonly ApplicationPassword[];
  readonly sessions: readonly Session[];
  readonly identities: readonly Identity[];
  readonly passkeys: readonly Passkey[];
  readonly secondFactor: SecondFactor | null;
  /** What signs in once, and has. */
  readonly spent: readonly Spent[];
  /** Private meta such as editor preferences. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Name and slug of a user without a profile. */
  readonly name: string;
  readonly slug: string;
}

/** A new account with only a login name. */
export function blankAccount(id: number, login: string, registered: string): Account {
  return {
    id,
    login,
    email: '',
    isOwnEmail: false,
    roles: [],
    capabilities: {},
    locale: '',
    registered,
    passwordHash: '',
    applicationPasswords: [],
    sessions: [],
    identities: [],
    passkeys: [],
    secondFactor: null,
    spent: [],
    meta: {},
    name: login,
    slug: '',
  };
}

export interface UserRecord {
  readonly id: number;
  /** Path of the profile; '' without one. */
  readonly path: string;
  readonly etag: string;
  readonly slug: string;
  readonly name: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly nickname: string;
  readonly description: string;
  /** Absolute, or `/` for the site itself. */
  readonly url: string;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Former slugs, which posts may still use. */
  readonly aliases: readonly string[];
  readonly account: Account | null;
}

export function blankUser(id: number): Draft<UserRecord> {
  return {
    id,
    path: '',
    etag: '',
    slug: '',
    name: '',
    firstName: '',
    lastName: '',
    nickname: '',
    description: '',
    url: '',
    meta: {},
    aliases: [],
    account: null,
  };
}

/** What getters of a user use, once per request. */
export interface UserView {
  /** A text of the record as markup. */
  text(text: string): string;
  link(user: UserRecord): string;
  url(user: UserRecord): string;
  locale(user: UserRecord): string;
  capabilities(user: UserRecord): Readonly<Record<string, boolean>>;
  extraCapabilities(user: UserRecord): Readonly<Record<string, boolean>>;
  /** Avatar URLs by size. */
  avatars(user: UserRecord): Readonly<Record<string, string>>;
  meta(user: UserRecord): unknown;
}

export type UserFields = Fields<UserRecord, UserView>;

/** Avatar sizes in pixels. */
const avatarSizes = [24, 48, 96] as const;

/** Avatar URLs at the service that the reference uses, by size. Only a digest of the email address is visible. */
export function avatarUrls(email: string): Record<string, string> {
  const address = email.trim().toLowerCase();
  const digest = address === '' ? '' : createHash('sha256').update(address).digest('hex');
  return Object.fromEntries(avatarSizes.map((size) => [size, `https://secure.gravatar.com/avatar/${digest}?s=${size}&d=mm&r=g`]));
}

export function avatarSchema(description: string, context = embedFirst): Schema {
  const properties = avatarSizes.map((size) => [
    size,
    of('string', `Avatar URL with image size of ${size} pixels.`, { format: 'uri', context: embedFirst }),
  ]);
  return of('object', description, { context, readonly: true, properties: Object.fromEntries(properties) });
}

/**
 * Name and nickname of a file without them: the file name. A login that is an email address stays in the account, because it must not get into a
 * public file.
 */
export function defaultName(path: string, account: Account | null): string {
  return account?.login.includes('@') ? account.login : slugOfPath(path);
}

/** Lookup of users by name (`findNamed`). */
export function peopleNamed({ users }: { readonly users: Pick<Table<UserRecord>, 'lowest'> }): NamedThings<number> {
  return {
    present: (slug) => users.lowest('slug', slug),
    former: (slug) => users.lowest('slug', `~${slug}`),
    shown: (name) => users.lowest('called', name),
  };
}

/** Path of an author archive, below the language segments. */
export function authorPath({ slug }: { readonly slug: string }): string {
  return `/author/${slug}/`;
}
