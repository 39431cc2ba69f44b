/**
 * Users: a public profile in `users/<slug>.yaml` and, for those who may sign in, an account in the private mount.
 */
import { type Fields, type FileFacet, forms, inFile, map, text, texts } from './field.ts';
import { slugOfPath } from './post.ts';
import { type Context, editOnly, type Schema, viewAndEdit } from './schema.ts';
import { slugify } from './slugs.ts';

export interface ApplicationPassword {
  readonly uuid: string;
  readonly appId: string;
  readonly name: string;
  readonly hash: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly lastUsed: number | null;
  readonly lastIp: string | null;
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
  /** Private meta such as editor preferences. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Name and slug of someone without a public profile. */
  readonly name: string;
  readonly slug: string;
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
  readonly aliases?: readonly string[];
  readonly account: Account | null;
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

/** Meta that every site has; kept in the account, since it is nobody else's business. */
export const standardUserMeta: Readonly<Record<string, Schema>> = {
  persisted_preferences: {
    description: 'Preferences of editors and other tools.',
    type: 'object',
    title: '',
    default: [],
    context: editOnly,
    properties: {
      _modified: { description: 'When the preferences were last changed.', type: 'string', format: 'date-time', readonly: false },
    },
    additionalProperties: true,
  },
};

/** Sizes of pictures of people, in pixels. */
export const avatarSizes = [24, 48, 96] as const;
const readonly = true;
const everywhere: readonly Context[] = ['embed', 'view', 'edit'];

/** The fields of a user, in the order of the schema. */
export const userFields: UserFields = {
  id: {
    schema: { description: 'Unique identifier for the user.', type: 'integer', context: everywhere, readonly },
    get: (user) => user.id,
    file: { key: 'id', form: forms.id, read: () => {}, print: (user) => user.id },
    index: { order: (user) => user.id },
  },
  username: {
    schema: { description: 'Login name for the user.', type: 'string', context: editOnly, required: true },
    get: (user) => user.account?.login ?? '',
    index: { order: (user) => fold(user.account?.login ?? ''), text: (user) => user.account?.login ?? '' },
  },
  name: {
    schema: { description: 'Display name for the user.', type: 'string', context: everywhere },
    get: (user, view) => view.text(user.name),
    file: namedInFile('name'),
    index: { order: (user) => fold(user.name), text: (user) => user.name },
  },
  first_name: {
    schema: { description: 'First name for the user.', type: 'string', context: editOnly },
    get: (user, view) => view.text(user.firstName),
    file: inFile<UserRecord, 'firstName'>('firstName', text, '', 'first_name'),
  },
  last_name: {
    schema: { description: 'Last name for the user.', type: 'string', context: editOnly },
    get: (user, view) => view.text(user.lastName),
    file: inFile<UserRecord, 'lastName'>('lastName', text, '', 'last_name'),
  },
  email: {
    schema: {
      description: 'The email address for the user.',
      type: 'string',
      format: 'email',
      context: editOnly,
      required: true,
    },
    get: (user) => user.account?.email ?? '',
    index: { order: (user) => fold(user.account?.email ?? ''), text: (user) => user.account?.email ?? '' },
  },
  url: {
    schema: { description: 'URL of the user.', type: 'string', format: 'uri', context: everywhere },
    get: (user, view) => view.url(user),
    file: inFile<UserRecord, 'url'>('url', text, ''),
    index: { order: (user) => fold(user.url), text: (user) => user.url },
  },
  description: {
    schema: { description: 'Description of the user.', type: 'string', context: everywhere },
    get: (user) => user.description,
    file: inFile<UserRecord, 'description'>('description', text, ''),
  },
  link: {
    schema: { description: 'Author URL of the user.', type: 'string', format: 'uri', context: everywhere, readonly },
    get: (user, view) => view.link(user),
  },
  locale: {
    schema: { description: 'Locale for the user.', type: 'string', enum: ['', 'en_US'], context: editOnly },
    get: (user, view) => view.locale(user),
  },
  nickname: {
    schema: { description: 'The nickname for the user.', type: 'string', context: editOnly },
    get: (user, view) => view.text(user.nickname),
    file: namedInFile('nickname'),
  },
  slug: {
    schema: { description: 'An alphanumeric identifier for the user.', type: 'string', context: everywhere },
    get: (user) => user.slug,
    file: {
      key: 'slug',
      form: forms.text,
      read(raw, draft, cx) {
        draft.slug = (raw === undefined ? '' : slugify(text.parse(raw, 'slug'))) || slugOfPath(cx.path);
      },
      print: (user, cx) => (user.slug === slugOfPath(cx.path) ? undefined : user.slug),
    },
    // A former slug stands behind `~`, so that somebody's present one always comes first.
    index: {
      equal: (user) => [user.slug, ...(user.aliases ?? []).map((alias) => `~${alias}`)],
      order: (user) => user.slug,
      text: (user) => user.slug,
    },
  },
  registered_date: {
    schema: { description: 'Registration date for the user.', type: 'string', format: 'date-time', context: editOnly, readonly },
    get: (user) => `${user.account?.registered ?? '1970-01-01T00:00:00'}+00:00`,
    index: { order: (user) => user.account?.registered ?? '' },
  },
  roles: {
    schema: { description: 'Roles assigned to the user.', type: 'array', items: { type: 'string' }, context: editOnly },
    get: (user) => user.account?.roles ?? [],
    // What is given in person is found like a role.
    index: { equal: ({ account }) => (account ? [...account.roles, ...Object.keys(account.capabilities)].map(fold) : []) },
  },
  password: {
    schema: { description: 'Password for the user (never included).', type: 'string', context: [], required: true },
  },
  capabilities: {
    schema: { description: 'All capabilities assigned to the user.', type: 'object', context: editOnly, readonly },
    get: (user, view) => view.capabilities(user),
  },
  extra_capabilities: {
    schema: { description: 'Any extra capabilities assigned to the user.', type: 'object', context: editOnly, readonly },
    get: (user, view) => view.extraCapabilities(user),
  },
  avatar_urls: {
    schema: {
      description: 'Avatar URLs for the user.',
      type: 'object',
      context: everywhere,
      readonly,
      properties: Object.fromEntries(
        avatarSizes.map((size) => [
          size,
          {
            description: `Avatar URL with image size of ${size} pixels.`,
            type: 'string' as const,
            format: 'uri' as const,
            context: everywhere,
          },
        ]),
      ),
    },
    get: (user, view) => view.avatars(user),
  },
  meta: {
    schema: { description: 'Meta fields.', type: 'object', context: viewAndEdit, properties: standardUserMeta },
    get: (user, view) => view.meta(user),
    file: inFile<UserRecord, 'meta'>('meta', map, {}),
  },
  _aliases: { file: inFile<UserRecord, 'aliases'>('aliases', texts, []) },
};

/** Case and accents do not count where users are sorted or found. */
function fold(value: string): string {
  return value
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}

/**
 * Name and nickname when the file states none: what the file is called. A login that is an e-mail address stands for them too,
 * but in the account alone: it must not get into a public file.
 */
export function defaultName(path: string, account: Account | null): string {
  return account?.login.includes('@') ? account.login : slugOfPath(path);
}

function namedInFile(key: 'name' | 'nickname'): FileFacet<UserRecord> {
  return {
    key,
    form: forms.text,
    read(raw, draft, cx) {
      draft[key] = raw === undefined ? defaultName(cx.path, draft.account) : text.parse(raw, key);
    },
    print: (user, cx) => (user[key] === defaultName(cx.path, user.account) ? undefined : user[key]),
  };
}
