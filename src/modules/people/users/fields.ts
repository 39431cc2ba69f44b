/** The fields of users: profile and account. */
import type { Site } from '../../../kernel/site/site.ts';
import { type FileFacet, forms, idFile, inFile, map, text, texts, toRecord } from '../../../kernel/model/field.ts';
import { slugOfPath } from '../../../kernel/model/logical-path.ts';
import { editOnly, embedFirst as everywhere, of, type Schema, viewAndEdit } from '../../../kernel/model/schema.ts';
import { slugify } from '../../../kernel/model/slugs.ts';
import { type UserFields, type UserRecord, avatarSchema, defaultName } from './record.ts';

/** Standard meta, stored in the account because it is private. */
export const standardUserMeta: Readonly<Record<string, Schema>> = {
  persisted_preferences: of('object', 'Preferences of editors and other tools.', {
    title: '',
    default: [],
    context: editOnly,
    properties: { _modified: of('string', 'When the preferences were last changed.', { format: 'date-time', readonly: false }) },
    additionalProperties: true,
  }),
};

const readonly = true;

export function fieldsOfUsers({ modules }: Pick<Site, 'modules'>): UserFields {
  return modules.extendFields(userFields, 'user');
}

/** The fields of a user, in schema order. */
export const userFields: UserFields = {
  id: {
    schema: of('integer', 'Unique identifier for the user.', { context: everywhere, readonly }),
    get: (user) => user.id,
    file: idFile,
    index: { order: (user) => user.id },
  },
  username: {
    schema: of('string', 'Login name for the user.', { context: editOnly, required: true }),
    get: (user) => user.account?.login ?? '',
    index: { order: (user) => fold(user.account?.login ?? ''), text: (user) => user.account?.login ?? '' },
  },
  name: {
    schema: of('string', 'Display name for the user.', { context: everywhere }),
    get: (user, view) => view.text(user.name),
    set: toRecord('name'),
    file: namedInFile('name'),
    index: { order: (user) => fold(user.name), text: (user) => user.name },
  },
  first_name: {
    schema: of('string', 'First name for the user.', { context: editOnly }),
    get: (user, view) => view.text(user.firstName),
    set: toRecord('firstName'),
    file: inFile<UserRecord, 'firstName'>('firstName', text, '', 'first_name'),
  },
  last_name: {
    schema: of('string', 'Last name for the user.', { context: editOnly }),
    get: (user, view) => view.text(user.lastName),
    set: toRecord('lastName'),
    file: inFile<UserRecord, 'lastName'>('lastName', text, '', 'last_name'),
  },
  email: {
    schema: of('string', 'The email address for the user.', { format: 'email', context: editOnly, required: true }),
    get: (user) => user.account?.email ?? '',
    index: { order: (user) => fold(user.account?.email ?? ''), text: (user) => user.account?.email ?? '' },
  },
  url: {
    schema: of('string', 'URL of the user.', { format: 'uri', context: everywhere }),
    get: (user, view) => view.url(user),
    set: toRecord('url'),
    file: inFile<UserRecord, 'url'>('url', text, ''),
    index: { order: (user) => fold(user.url), text: (user) => user.url },
  },
  description: {
    schema: of('string', 'Description of the user.', { context: everywhere }),
    get: (user) => user.description,
    set: toRecord('description'),
    file: inFile<UserRecord, 'description'>('description', text, ''),
  },
  link: {
    schema: of('string', 'Author URL of the user.', { format: 'uri', context: everywhere, readonly }),
    get: (user, view) => view.link(user),
  },
  locale: {
    schema: of('string', 'Locale for the user.', { enum: ['', 'en_US'], context: editOnly }),
    get: (user, view) => view.locale(user),
  },
  nickname: {
    schema: of('string', 'The nickname for the user.', { context: editOnly }),
    get: (user, view) => view.text(user.nickname),
    set: toRecord('nickname'),
    file: namedInFile('nickname'),
  },
  slug: {
    schema: of('string', 'An alphanumeric identifier for the user.', { context: everywhere }),
    get: (user) => user.slug,
    set: toRecord('slug'),
    file: {
      key: 'slug',
      form: forms.text,
      read(raw, draft, cx) {
        draft.slug = (raw === undefined || raw === null ? '' : slugify(text.parse(raw, 'slug'))) || slugOfPath(cx.path);
      },
      print: (user, cx) => (user.slug === slugOfPath(cx.path) ? undefined : user.slug),
    },
    // A former slug is prefixed with `~`, so that a current one comes first.
    index: {
      equal: (user) => [user.slug, ...user.aliases.map((alias) => `~${alias}`)],
      order: (user) => user.slug,
      text: (user) => user.slug,
    },
  },
  registered_date: {
    schema: of('string', 'Registration date for the user.', { format: 'date-time', context: editOnly, readonly }),
    get: (user) => `${user.account?.registered ?? '1970-01-01T00:00:00'}+00:00`,
    index: { order: (user) => user.account?.registered ?? '' },
  },
  roles: {
    schema: of('array', 'Roles assigned to the user.', { items: { type: 'string' }, context: editOnly }),
    get: (user) => user.account?.roles ?? [],
    // Personal capabilities are found like roles.
    index: { equal: ({ account }) => (account ? [...account.roles, ...Object.keys(account.capabilities)].map(fold) : []) },
  },
  password: { schema: of('string', 'Password for the user (never included).', { context: [], required: true }) },
  capabilities: {
    schema: of('object', 'All capabilities assigned to the user.', { context: editOnly, readonly }),
    get: (user, view) => view.capabilities(user),
  },
  extra_capabilities: {
    schema: of('object', 'Any extra capabilities assigned to the user.', { context: editOnly, readonly }),
    get: (user, view) => view.extraCapabilities(user),
  },
  avatar_urls: {
    schema: avatarSchema('Avatar URLs for the user.'),
    get: (user, view) => view.avatars(user),
  },
  meta: {
    schema: of('object', 'Meta fields.', { context: viewAndEdit, properties: standardUserMeta }),
    get: (user, view) => view.meta(user),
    file: inFile<UserRecord, 'meta'>('meta', map, {}),
  },
  _aliases: { file: inFile<UserRecord, 'aliases'>('aliases', texts, []) },
  _place: { index: { equal: (user) => user.path } },
  _called: { index: { equal: (user) => user.name.toLowerCase() } },
};

/** Users are sorted and found ignoring case and accents. */
function fold(value: string): string {
  return value
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
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
