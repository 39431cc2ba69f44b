/**
 * Users: collection, item, and oneself under `me`.
 *
 * Shape    public profile; account, roles and capabilities in the edit context
 * Access   authors are public; others need `list_users`; everyone may read themselves; writing by `create_users`, `edit_user`, `promote_user`,
 * `delete_user`
 * Errors   rest_user_cannot_view, rest_user_invalid_id, rest_forbidden_context, rest_forbidden_orderby, rest_forbidden_who, rest_not_logged_in,
 * rest_cannot_create_user, rest_cannot_edit, rest_cannot_edit_roles, rest_user_cannot_delete, rest_user_exists, rest_user_invalid_argument,
 * rest_user_invalid_role, and those of `plan.ts`
 * Source   the reference's route catalogue; conformance scenario users
 */
import { websiteOf } from '../../../kernel/model/addresses.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { metaOf } from '../../../kernel/model/typed-value.ts';
import { createUser, deleteUser, isLastAdministrator, isLogin, type UserInput, updateUser } from './plan.ts';
import { fail, RestError } from '../../../kernel/errors.ts';
import type { Extended } from '../../../kernel/extended.ts';
import { shownIn } from '../../../kernel/model/field.ts';
import { hash } from '../../../kernel/store/bytes.ts';
import { of, resourceSchema, type Schemas } from '../../../kernel/model/schema.ts';
import { slugify } from '../../../kernel/model/slugs.ts';
import { escapeName } from '../../../kernel/model/escape.ts';
import { authorPath } from './record.ts';
import { fieldsOfUsers, standardUserMeta, userFields } from './fields.ts';
import { avatarUrls, type UserRecord, type UserView } from './record.ts';
import { scalarText } from '../../../kernel/model/scalars.ts';
import { type Arg, type Args, metaAsSent } from '../../../kernel/rest/args.ts';
import { cleanText } from '../../../kernel/rest/coerce.ts';
import { wholeState } from '../../../kernel/rest/item.ts';
import { isStateNamed } from '../../../kernel/rest/preconditions.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import { collection, defineResource, gone, item, made, type Verb } from '../../../kernel/rest/resource.ts';
import { anyone, type Call, type Refusal } from '../../../kernel/rest/types.ts';
import { hasPosts, listUsers, mayListUsers, shownTypes, userListArgs } from './list.ts';
import { lettersOf } from '../../mail/index.ts';
import { metaInput } from '../../../kernel/rest/meta-input.ts';
import { addedChanges, changesOf, inputFrom, isAsked, requireForce } from '../../../kernel/rest/write-input.ts';

const line: Partial<Arg> = { coerce: (value) => cleanText(scalarText(value)) };

const hooks: Readonly<Record<string, Partial<Arg>>> = {
  username: { coerce: (value) => (isLogin(scalarText(value)) ? value : fail('rest_user_invalid_username', { status: 400 })) },
  name: line,
  first_name: line,
  last_name: line,
  nickname: line,
  slug: { coerce: (value) => slugify(scalarText(value)) },
  password: {
    coerce: (value) => (/^(?:0?|.*\\.*)$/s.test(scalarText(value)) ? fail('rest_user_invalid_password', { status: 400 }) : value),
  },
  meta: metaAsSent,
};

const base = '/cms/v2/users';
const deleteArgs: Args = {
  force: of('boolean', 'Required to be true, as users do not support trashing.', { default: false }),
  reassign: {
    description: "Reassign the deleted user's posts and links to this user ID.",
    type: 'integer',
    required: true,
    validate: false,
    coerce: readHeir,
  },
};

export function userRoutes(site: Site): Namespace['routes'] {
  const extension = site.modules.extension(['user'], ['fields']);
  /** Verbs for one user: the one in the path, or the caller. */
  const verbs = (read: Verb<UserRecord>, target: (call: Call) => UserRecord, batch: boolean) => ({
    read: { ...read, batch },
    update: {
      args: 'writable' as const,
      allow: (call: Call) => mayUpdate(call, target(call)),
      handle: (call: Call) => update(call, extension, target(call)),
      batch,
    },
    remove: {
      args: deleteArgs,
      allow: (call: Call) => mayDelete(call, target(call)),
      handle: (call: Call) => remove(call, target(call)),
      batch,
    },
  });
  return defineResource<UserRecord, UserView>({
    name: 'user',
    base,
    fields: fieldsOfUsers(site),
    view: userView,
    links: ({ id }) => ({ self: `${base}/${id}`, collection: base }),
    extension,
    hooks,
    schema: (_call, properties) =>
      resourceSchema('user', { ...properties, meta: { ...properties.meta, properties: metaSchemas(site) } }),
    state: (user, { context }) => (context === 'edit' ? stateOf(user) : publicStateOf(user)),
    cacheVersion: wholeState,
    isWhole: true,
    params: { id: of('integer', 'Unique identifier for the user.') },
    routes: [
      collection({
        read: { args: userListArgs, lists: ['user'], allow: mayListUsers, handle: listUsers, batch: true },
        create: { args: 'writable', allow: mayCreate, handle: (call) => create(call, extension), batch: true },
      }),
      item('(?P<id>[\\d]+)', verbs({ allow: mayRead, handle: byPath }, byPath, true)),
      item('me', verbs({ allow: anyone, handle: readSelf }, byCaller, false)),
    ],
  });
}

const byPath = (call: Call): UserRecord => find(call, Number(call.params.id));
const byCaller = (call: Call): UserRecord => find(call, call.user?.id ?? 0);
const readSelf = (call: Call): UserRecord => (call.user ? byCaller(call) : fail('rest_not_logged_in'));

function userView({ site, context, urls: { prefix } }: Call): UserView {
  const actorOf = ({ id, account }: UserRecord) => ({
    id,
    roles: account?.roles ?? [],
    capabilities: account?.capabilities ?? {},
  });
  return {
    text: escapeName,
    link: (user) => site.url + prefix + authorPath(user),
    url: (user) => escapeName(websiteOf(site, user.url)),
    locale: (user) => user.account?.locale || (site.settings.value('language') as string),
    capabilities: (user) => site.access.allCapabilities(actorOf(user)),
    extraCapabilities: (user) => site.access.extraCapabilities(actorOf(user)),
    avatars: (user) => avatarUrls(user.account?.email ?? ''),
    meta(user) {
      const shown = Object.entries(metaSchemas(site)).filter(([, schema]) => shownIn(schema, context));
      return asLists(metaOf(Object.fromEntries(shown), { ...user.meta, ...user.account?.meta }));
    },
  };
}

async function create(call: Call, extension: Extended) {
  const { site, params } = call;
  if (params.id) fail('rest_user_exists');
  checkRoles(call, null);
  const isInvited = isAsked(call, 'invite');
  const { password, ...input } = inputOf(call, null, extension);
  const id = await createUser(site, {
    ...input,
    ...(isInvited ? {} : { password }),
    login: params.username as string,
  } as UserInput & {
    readonly login: string;
  });
  return made(find(call, id), { Location: call.urls.rest(`${base}/${id}`), ...(isInvited ? await invitation(call, id) : {}) });
}

/** The user chooses the password with a link in a response header, and in a letter if email is set up. */
async function invitation({ site, request }: Call, id: number): Promise<Record<string, string>> {
  const account = site.accounts.get(id);
  if (!account) return {};
  if (account.email !== '' && site.letterUrl !== null) {
    const link = await site.invitations.linkFor(account, site.letterUrl);
    site.mail.send({ kind: 'invitation', to: account.email, ...lettersOf(site).invitation({ login: account.login, link }) });
  }
  const link = await site.invitations.linkFor(account, site.credentialUrl(request.usedOrigin));
  return { [request.dialect.header('Invitation')]: link };
}

async function update(call: Call, extension: Extended, user: UserRecord): Promise<UserRecord> {
  const { username } = call.params;
  if (username && username !== user.account?.login) fail('rest_user_invalid_argument');
  checkRoles(call, user);
  const input = { ...inputOf(call, user, extension), isOwnEmail: user.id === call.user?.id };
  await updateUser(call.site, user.id, input, async (now) => {
    checkState(call, now);
    if (input.roles?.includes('administrator') === false && (await isLastAdministrator(call.site, user.id)))
      fail('rest_cannot_edit_roles', { status: 403 }, 'Sorry, the last administrator has to stay one.');
  });
  return find(call, user.id);
}

function remove(call: Call, user: UserRecord) {
  const { site, params } = call;
  requireForce(call, 'Users');
  const heir = params.reassign === false ? null : Math.abs(Math.trunc(Number(params.reassign)));
  return gone(user, () =>
    deleteUser(site, user.id, heir, call.user, async (now) => {
      checkState(call, now);
      if (await isLastAdministrator(site, user.id))
        fail('rest_user_cannot_delete', { status: 403 }, 'Sorry, the last administrator cannot be deleted.');
    }),
  );
}

const publicStateOf = ({ etag }: UserRecord): string => etag || 'none';

/** What a user is made from: profile and account, without what signing in changes. Its hash confirms a guess: it is not for everyone. */
function stateOf({ etag, account }: UserRecord): string {
  const { email, locale, roles, capabilities, meta, name, slug } = account ?? {};
  return hash(Buffer.from(JSON.stringify([etag, email, locale, roles, capabilities, meta, name, slug])));
}

/** @throws RestError rest_conflict */
function checkState(call: Call, user: UserRecord): void {
  if (![stateOf(user), publicStateOf(user)].some((state) => isStateNamed(call, state))) fail('rest_conflict');
}

function find(call: Call, id: number): UserRecord {
  return call.site.users.get(id) ?? fail('rest_user_invalid_id');
}

function mayRead(call: Call): Refusal | null {
  const user = byPath(call);
  if (user.id === call.user?.id) return null;
  const mayEdit = call.can('edit_user', user.id);
  if (call.context === 'edit' && !mayEdit) return 'rest_forbidden_context';
  return mayEdit || call.can('list_users') || hasPosts(call, user.id, shownTypes(call.site), { hidden: true })
    ? null
    : 'rest_user_cannot_view';
}

function mayCreate(call: Call): Refusal | null {
  return call.can('create_users') ? null : 'rest_cannot_create_user';
}

/** A change of roles requires only the right to promote. */
function mayUpdate(call: Call, user: UserRecord): Refusal | null {
  const { roles } = call.params;
  if (Array.isArray(roles) ? roles.length > 0 : roles) {
    if (!call.can('promote_user', user.id)) return 'rest_cannot_edit_roles';
    if (Object.keys(call.params).every((name) => name === 'id' || name === 'roles')) return null;
  }
  return call.can('edit_user', user.id)
    ? null
    : { code: 'rest_cannot_edit', message: 'Sorry, you are not allowed to edit this user.' };
}

function mayDelete(call: Call, user: UserRecord): Refusal | null {
  return call.can('delete_user', user.id) ? null : 'rest_user_cannot_delete';
}

/** Refuses unknown roles, and a role that would take the right to edit users from the caller. */
function checkRoles(call: Call, user: UserRecord | null): void {
  const known = call.site.access.roles;
  for (const name of (call.params.roles ?? []) as readonly string[]) {
    const role = known.get(name);
    if (!role) fail('rest_user_invalid_role', {}, `The role ${name} does not exist.`);
    if (user !== null && user.id === call.user?.id && !role.capabilities.includes('edit_users')) {
      fail('rest_user_invalid_role', { status: 403 }, 'Sorry, you are not allowed to give yourself that role.');
    }
  }
}

/** Parameters of the account. */
const ofAccount: Readonly<Record<string, keyof UserInput>> = {
  email: 'email',
  locale: 'locale',
  roles: 'roles',
  password: 'password',
};

/** The input of a write: profile fields by their setters, account data, and the meta of both. */
function inputOf(call: Call, user: UserRecord | null, extension: Extended): UserInput {
  const { params, site } = call;
  const input: Record<string, unknown> = {
    ...changesOf(call, userFields, user ?? undefined),
    ...inputFrom<UserInput>(params, ofAccount),
    ...addedChanges(call, extension, user ?? undefined),
  };
  const given = (params.meta ?? {}) as Record<string, unknown>;
  const own = site.meta.user ?? {};
  if (names(standardUserMeta, given)) input.privateMeta = metaInput(standardUserMeta, given, user?.account?.meta ?? {});
  if (names(own, given)) input.meta = metaInput(own, given, user?.meta ?? {});
  return input as UserInput;
}

function names(schemas: Schemas, given: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(schemas).some((name) => Object.hasOwn(given, name));
}

function metaSchemas(site: Site): Schemas {
  return { ...standardUserMeta, ...site.meta.user };
}

/** A number, or false for the words that mean nobody. */
function readHeir(value: unknown): unknown {
  if (typeof value === 'number' || (typeof value === 'string' && /^\s*[+-]?\d+(?:\.\d*)?\s*$/.test(value))) return value;
  if (value === '' || value === false || value === 'false' || value === null) return false;
  throw new RestError('rest_invalid_param', { status: 400 }, 'Invalid user parameter(s).');
}

/** The reference prints empty maps as lists, at any depth. */
function asLists(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(asLists);
  const entries = Object.entries(value);
  return entries.length === 0 ? [] : Object.fromEntries(entries.map(([name, member]) => [name, asLists(member)]));
}
