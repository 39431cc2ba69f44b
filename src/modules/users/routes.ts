/**
 * Users: collection, item, and oneself under `me`.
 *
 * Shape    profile and address for everyone; account, roles and capabilities in the edit context
 * Access   visitors see who has published; `list_users` the others; everyone themselves; writing by `create_users`, `edit_user`,
 *          `promote_user`, `delete_user`
 * Errors   rest_user_cannot_view, rest_user_invalid_id, rest_forbidden_context, rest_forbidden_orderby, rest_forbidden_who,
 *          rest_not_logged_in, rest_cannot_create_user, rest_cannot_edit, rest_cannot_edit_roles, rest_user_cannot_delete,
 *          rest_user_exists, rest_user_invalid_argument, rest_user_invalid_role, and those of `plan.ts`
 * Source   the reference's route catalogue; conformance scenario users
 */
import { avatarUrls } from './avatars.ts';
import type { Site } from '../../kernel/site/site.ts';
import { metaOf } from '../../kernel/model/typed-value.ts';
import { createUser, deleteUser, isLastAdministrator, isLogin, postsOfUser, type UserInput, updateUser } from './plan.ts';
import { fail, RestError } from '../../kernel/errors.ts';
import type { Extended } from '../../kernel/extended.ts';
import { schemasOf, shownIn } from '../../kernel/model/field.ts';
import { type Context, of, resourceSchema, type Schema, type Schemas } from '../../kernel/model/schema.ts';
import { slugify } from '../../kernel/model/slugs.ts';
import { escapeName } from '../terms/record.ts';
import { fieldsOfUsers, standardUserMeta, userFields } from './fields.ts';
import type { UserRecord, UserView } from './record.ts';
import { scalarText } from '../../kernel/model/scalars.ts';
import { type Arg, type Args, argsForCreate, argsForUpdate, metaAsSent } from '../../kernel/rest/args.ts';
import { cleanText } from '../../kernel/rest/coerce.ts';
import { contextArg } from '../../kernel/rest/collection.ts';
import { createProjector, type Item, type Links, wholeState } from '../../kernel/rest/item.ts';
import type { Namespace } from '../../kernel/rest/types.ts';
import { anyone, type Call, CREATE, DELETE, type Endpoint, READ, type Refusal, UPDATE } from '../../kernel/rest/types.ts';
import type { Urls } from '../../kernel/rest/urls.ts';
import { hasPosts, listUsers, mayListUsers, shownTypes, userListArgs } from './list.ts';
import { metaInput } from '../../kernel/rest/meta-input.ts';
import { addedChanges, changesOf, created, inputFrom, removed, requireForce } from '../../kernel/rest/write-input.ts';

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

/** What the routes share: the fields of users and those of modules. */
interface UserResource {
  readonly properties: Schemas;
  item(user: UserRecord, call: Call): Item;
  schema(call: Call): Schema & Record<string, unknown>;
  /** The change a write stands for. */
  input(call: Call, user: UserRecord | null): UserInput;
}

const idArg: Args = { id: of('integer', 'Unique identifier for the user.') };
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

/** Endpoints that work on one user: the one the path names, or the caller. */
function itemEndpoints(
  resource: UserResource,
  idOf: (call: Call) => number,
  args: Args,
  read: Pick<Endpoint, 'allow' | 'handle'>,
  batch: Pick<Endpoint, 'batch'>,
): readonly Endpoint[] {
  const target = (call: Call): UserRecord => find(call, idOf(call));
  return [
    { methods: READ, args: { ...args, context: contextArg() }, ...read, ...batch },
    {
      methods: UPDATE,
      args: { ...args, ...argsForUpdate(resource.properties, hooks) },
      allow: (call) => mayUpdate(call, target(call)),
      handle: (call) => update(call, resource, target(call)),
      ...batch,
    },
    {
      methods: DELETE,
      args: { ...args, ...deleteArgs },
      allow: (call) => mayDelete(call, target(call)),
      handle: (call) => remove(call, resource, target(call)),
      ...batch,
    },
  ];
}

const byPath = (call: Call): number => Number(call.params.id);
const byCaller = (call: Call): number => call.user?.id ?? 0;

export function userRoutes(site: Site): Namespace['routes'] {
  const resource = createResource(site);
  const { schema, properties, item } = resource;
  return [
    {
      path: '/cms/v2/users',
      schema,
      endpoints: [
        {
          methods: READ,
          args: userListArgs,
          lists: ['user'],
          allow: mayListUsers,
          handle: (call) => listUsers(call, item),
          batch: true,
        },
        {
          methods: CREATE,
          args: argsForCreate(properties, hooks),
          allow: mayCreate,
          handle: (call) => create(call, resource),
          batch: true,
        },
      ],
    },
    {
      path: '/cms/v2/users/(?P<id>[\\d]+)',
      schema,
      endpoints: itemEndpoints(
        resource,
        byPath,
        idArg,
        { allow: mayRead, handle: (call) => item(find(call, byPath(call)), call) },
        { batch: true },
      ),
    },
    {
      path: '/cms/v2/users/me',
      schema,
      endpoints: itemEndpoints(resource, byCaller, {}, { allow: anyone, handle: (call) => readSelf(call, resource) }, {}),
    },
  ];
}

function createResource(site: Site): UserResource {
  const fields = fieldsOfUsers(site);
  const extension = site.modules.extension(['user'], ['fields']);
  const properties = schemasOf(fields);
  const project = createProjector<UserRecord, UserView>({
    isWhole: true,
    fields,
    links: (user, _view, call) => ({ ...userLinks(user, call), ...extension.links(user, call) }),
    cacheVersion: wholeState,
  });
  return {
    properties,
    item: (user, call) => project(user, userView(call.site, call.context, call.urls), call),
    schema: (call) => ({
      ...resourceSchema('user', { ...properties, meta: { ...properties.meta, properties: metaSchemas(site) } }),
      ...extension.schema(call),
    }),
    input: (call, user) => inputOf(call, user, extension),
  };
}

/** A request's view of users. */
function userView(site: Site, context: Context, { prefix }: Urls): UserView {
  const actorOf = ({ id, account }: UserRecord) => ({
    id,
    roles: account?.roles ?? [],
    capabilities: account?.capabilities ?? {},
  });
  return {
    text: escapeName,
    link: (user) => `${site.url}${prefix}/author/${user.slug}/`,
    url: (user) => (user.url === '/' ? site.url : user.url),
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

function userLinks({ id }: UserRecord, { urls }: Call): Links {
  return { self: [{ href: urls.rest(`/cms/v2/users/${id}`) }], collection: [{ href: urls.rest('/cms/v2/users') }] };
}

function readSelf(call: Call, { item }: UserResource): Item {
  if (!call.user) fail('rest_not_logged_in');
  return item(find(call, call.user.id), call);
}

async function create(call: Call, resource: UserResource) {
  const { site, params } = call;
  if (params.id) fail('rest_user_exists');
  checkRoles(call, null);
  const id = await createUser(site, { ...resource.input(call, null), login: params.username as string });
  return created(call, `/cms/v2/users/${id}`, edited(call, resource, find(call, id)));
}

async function update(call: Call, resource: UserResource, user: UserRecord) {
  const { username } = call.params;
  if (username && username !== user.account?.login) fail('rest_user_invalid_argument');
  checkRoles(call, user);
  const input = resource.input(call, user);
  await updateUser(call.site, user.id, input, async () => {
    if (input.roles?.includes('administrator') === false && (await isLastAdministrator(call.site, user.id)))
      fail('rest_cannot_edit_roles', { status: 403 }, 'Sorry, the last administrator has to stay one.');
  });
  return edited(call, resource, find(call, user.id));
}

async function remove(call: Call, resource: UserResource, user: UserRecord) {
  const { site, params } = call;
  requireForce(call, 'Users');
  const heir = params.reassign === false ? null : Math.abs(Math.trunc(Number(params.reassign)));
  return removed(edited(call, resource, user), () =>
    deleteUser(site, user.id, heir, postsOfUser(site, call.user), async () => {
      if (await isLastAdministrator(site, user.id))
        fail('rest_user_cannot_delete', { status: 403 }, 'Sorry, the last administrator cannot be deleted.');
    }),
  );
}

/** The item as its writer sees it. */
function edited(call: Call, { item }: UserResource, user: UserRecord): Item {
  return item(user, { ...call, context: 'edit' });
}

function find(call: Call, id: number): UserRecord {
  return call.site.users.get(id) ?? fail('rest_user_invalid_id');
}

function mayRead(call: Call): Refusal | null {
  const user = find(call, byPath(call));
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

/** Who only changes roles needs the right to promote, and no other. */
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

/** Unknown roles are refused, and so is a role that would take the right to edit users from the caller. */
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

/** Parameters that the account holds. */
const ofAccount: Readonly<Record<string, keyof UserInput>> = {
  email: 'email',
  locale: 'locale',
  roles: 'roles',
  password: 'password',
};

/** The change a write stands for: the profile's fields by their setters, what the account holds, and the meta of both. */
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
