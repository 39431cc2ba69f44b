/**
 * Users: a public profile in `users/<slug>.yaml` and, for those who may sign in, an account in the private mount.
 */
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
    /** What modules do when a user goes. Each adds its own. */
    readonly departures: Departure[];
  }
}

export interface Departure {
  /** What is done before any file is handed on. */
  before?(leaving: Leaving): Promise<void>;
  /** Records that name the user as their author, and how the files of those that stay name them no longer. */
  readonly written?: {
    readonly table: Table<Written>;
    release(record: Written, leaving: Leaving): readonly FileChange[];
  };
}

/** A user who goes. */
export interface Leaving {
  readonly user: number;
  /** Whose becomes what they have: 0 nobody's; null: it is put away. */
  readonly heir: number | null;
  /** Who wants it; null: the command line. */
  readonly actor: Actor | null;
}

interface Written extends Identified {
  readonly path: string;
  readonly etag: string;
  readonly author: number;
}

/** The change by which a text file names another author: a slug, or a number where that is how it must stand. */
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
  /** What it is for, as `accounts/scope.ts` has it; absent: whatever its account may. */
  readonly scope?: string;
}

/** What a browser is signed in by: a cookie with a token, of which a digest is kept. */
export interface Session {
  /** Of the token, SHA-256 in URL-safe base 64. */
  readonly hash: string;
  /** Of the login password it was begun with: when that is another one, the session has ended. */
  readonly bound: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly expires: number;
  readonly lastUsed: number;
  readonly lastIp: string | null;
  /** As the browser calls itself. */
  readonly agent: string;
}

export interface Account {
  /** Id of the user. */
  readonly id: number;
  readonly login: string;
  readonly email: string;
  readonly roles: readonly string[];
  /** Capabilities given or taken beside the roles. */
  readonly capabilities: Readonly<Record<string, boolean>>;
  readonly locale: string;
  /** GMT, `YYYY-MM-DDTHH:MM:SS`. */
  readonly registered: string;
  /** Login password; '' when none was set. */
  readonly passwordHash: string;
  readonly applicationPasswords: readonly ApplicationPassword[];
  readonly sessions: readonly Session[];
  /** Private meta such as editor preferences. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Name and slug of someone without a public profile. */
  readonly name: string;
  readonly slug: string;
}

/** A new account with nothing but a name to sign in by; the rest is laid over it. */
export function blankAccount(id: number, login: string, registered: string): Account {
  return {
    id,
    login,
    email: '',
    roles: [],
    capabilities: {},
    locale: '',
    registered,
    passwordHash: '',
    applicationPasswords: [],
    sessions: [],
    meta: {},
    name: login,
    slug: '',
  };
}

export interface UserRecord {
  readonly id: number;
  /** File of the profile; '' without one. */
  readonly path: string;
  readonly etag: string;
  readonly slug: string;
  /** Display name. */
  readonly name: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly nickname: string;
  readonly description: string;
  /** Absolute, or `/` for the site itself. */
  readonly url: string;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Former slugs, which files of posts may still name. */
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

/** What the getters of a user may ask of the site; one for each request. */
export interface UserView {
  /** A text of the record as markup shows it. */
  text(text: string): string;
  link(user: UserRecord): string;
  url(user: UserRecord): string;
  locale(user: UserRecord): string;
  capabilities(user: UserRecord): Readonly<Record<string, boolean>>;
  extraCapabilities(user: UserRecord): Readonly<Record<string, boolean>>;
  /** Addresses of the user's picture by size. */
  avatars(user: UserRecord): Readonly<Record<string, string>>;
  meta(user: UserRecord): unknown;
}

export type UserFields = Fields<UserRecord, UserView>;

/** Sizes of pictures of people, in pixels. */
const avatarSizes = [24, 48, 96] as const;

/** Addresses of somebody's picture at the service that the reference names, by size. Only a digest of the e-mail address shows. */
export function avatarUrls(email: string): Record<string, string> {
  const address = email.trim().toLowerCase();
  const digest = address === '' ? '' : createHash('sha256').update(address).digest('hex');
  return Object.fromEntries(avatarSizes.map((size) => [size, `https://secure.gravatar.com/avatar/${digest}?s=${size}&d=mm&r=g`]));
}

/** Addresses of such pictures by size. */
export function avatarSchema(description: string, context = embedFirst): Schema {
  const properties = avatarSizes.map((size) => [
    size,
    of('string', `Avatar URL with image size of ${size} pixels.`, { format: 'uri', context: embedFirst }),
  ]);
  return of('object', description, { context, readonly: true, properties: Object.fromEntries(properties) });
}

/**
 * Name and nickname when the file states none: what the file is called. A login that is an e-mail address stands for them too,
 * but in the account alone: it must not get into a public file.
 */
export function defaultName(path: string, account: Account | null): string {
  return account?.login.includes('@') ? account.login : slugOfPath(path);
}

/** How people are found by name (`findNamed`). */
export function peopleNamed({ users }: { readonly users: Pick<Table<UserRecord>, 'lowest'> }): NamedThings<number> {
  return {
    present: (slug) => users.lowest('slug', slug),
    former: (slug) => users.lowest('slug', `~${slug}`),
    shown: (name) => users.lowest('called', name),
  };
}

/** Path of the list of what a user has written, below the segments of a language. */
export function authorPath({ slug }: { readonly slug: string }): string {
  return `/author/${slug}/`;
}
