/**
 * Application passwords of a user.
 *
 * Shape    uuid, name, creation and last use; the secret once, when created; `scope` if it is limited (not in the reference, nor in schemas)
 * Access   users who may edit the user; `introspect` only the signed-in user
 * Errors   rest_user_invalid_id, rest_not_logged_in, rest_application_password_not_found, rest_no_authenticated_app_password,
 * application_password_empty_name, rest_cannot_…_application_password(s)
 * Source   the reference's route catalogue; conformance scenario application-passwords
 */
import { addApplicationPassword } from './application-passwords.ts';
import { fail } from '../../../kernel/errors.ts';
import { printGmt } from '../../../kernel/model/dates.ts';
import { type Fields, schemasOf } from '../../../kernel/model/field.ts';
import { everywhere, of, viewAndEdit } from '../../../kernel/model/schema.ts';
import type { ApplicationPassword, UserRecord } from '../users/record.ts';
import { argsForCreate, argsForUpdate } from '../../../kernel/rest/args.ts';
import { cleanText } from '../../../kernel/rest/coerce.ts';
import { contextArg } from '../../../kernel/rest/collection.ts';
import { createProjector, Item } from '../../../kernel/rest/item.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import { type Call, CREATE, DELETE, READ, type AccessRule, UPDATE } from '../../../kernel/rest/types.ts';
import type { ErrorCode } from '../../../kernel/errors.ts';
import { draft } from '../../../kernel/rest/schema-helpers.ts';
import { created, removed } from '../../../kernel/rest/write-input.ts';
import { mergeParams } from '../../../kernel/rest/params.ts';
import { isScope, scopesInWords } from './scope.ts';

const readonly = true;

const fields: Fields<ApplicationPassword, UserRecord> = {
  uuid: {
    schema: of('string', 'The unique identifier for the application password.', {
      format: 'uuid',
      context: everywhere,
      readonly,
    }),
    get: (one) => one.uuid,
  },
  app_id: {
    schema: of('string', 'A UUID provided by the application to uniquely identify it.', {
      oneOf: [
        { type: 'string', format: 'uuid' },
        { type: 'string', enum: [''] },
      ],
      context: everywhere,
    }),
    get: (one) => one.appId,
  },
  name: {
    schema: of('string', 'The name of the application password.', {
      required: true,
      context: everywhere,
      minLength: 1,
      pattern: '.*\\S.*',
    }),
    get: (one) => one.name,
  },
  password: {
    schema: of('string', 'The generated password. Only available after adding an application.', { context: ['edit'], readonly }),
  },
  created: {
    schema: of('string', 'The GMT date the application password was created.', {
      format: 'date-time',
      context: viewAndEdit,
      readonly,
    }),
    get: (one) => printGmt(one.created * 1000),
  },
  last_used: {
    schema: of(['string', 'null'], 'The GMT date the application password was last used.', {
      format: 'date-time',
      context: viewAndEdit,
      readonly,
    }),
    get: (one) => (one.lastUsed === null ? null : printGmt(one.lastUsed * 1000)),
  },
  last_ip: {
    schema: of(['string', 'null'], 'The IP address the application password was last used by.', {
      format: 'ip',
      context: viewAndEdit,
      readonly,
    }),
    get: (one) => one.lastIp,
  },
};

const properties = schemasOf(fields);
const schema = draft('application-password', properties);
const base = '/cms/v2/users/(?P<user_id>(?:[\\d]+|me))/application-passwords';
const context = { context: contextArg() };

export const applicationPasswordRoutes: Namespace['routes'] = [
  {
    path: base,
    schema,
    endpoints: [
      {
        methods: READ,
        args: context,
        allow: mayEditUser('rest_cannot_list_application_passwords', 'list_app_passwords'),
        handle: list,
      },
      {
        methods: CREATE,
        args: argsForCreate(properties),
        allow: mayEditUser('rest_cannot_create_application_passwords', 'create_app_password'),
        handle: create,
      },
      {
        methods: DELETE,
        args: {},
        allow: mayEditUser('rest_cannot_delete_application_passwords', 'delete_app_passwords'),
        handle: removeAll,
      },
    ],
  },
  { path: `${base}/introspect`, schema, endpoints: [{ methods: READ, args: context, allow: mayIntrospect, handle: introspect }] },
  {
    path: `${base}/(?P<uuid>[\\w\\-]+)`,
    schema,
    endpoints: [
      {
        methods: READ,
        args: context,
        allow: mayEditUser('rest_cannot_read_application_password', 'read_app_password'),
        handle: (call) => toItem(find(call), call),
      },
      {
        methods: UPDATE,
        args: argsForUpdate(properties),
        allow: mayEditUser('rest_cannot_edit_application_password', 'edit_app_password'),
        handle: update,
      },
      {
        methods: DELETE,
        args: {},
        allow: mayEditUser('rest_cannot_delete_application_password', 'delete_app_password'),
        handle: remove,
      },
    ],
  },
];

const project = createProjector<ApplicationPassword, UserRecord>({
  fields,
  links: ({ uuid }, user, { urls }) => ({
    self: [{ href: urls.rest(`/cms/v2/users/${user.id}/application-passwords/${uuid}`) }],
  }),
});

function toItem(one: ApplicationPassword, call: Call): Item {
  const item = project(one, owner(call), call);
  return one.scope === undefined ? item : new Item({ ...item.body, scope: one.scope }, item.links);
}

function list(call: Call): Item[] {
  return passwordsOf(call).map((one) => toItem(one, call));
}

async function create(call: Call) {
  const { site, params } = call;
  const user = owner(call);
  const name = cleanText(params.name);
  if (name === '' || name === '0') fail('application_password_empty_name');
  const { password, entry } = await addApplicationPassword(site, user.id, name, params.app_id ?? '', scopeIn(call));
  const item = toItem(entry, { ...call, context: 'edit' });
  const path = `/cms/v2/users/${user.id}/application-passwords/${entry.uuid}`;
  return created(call, path, new Item({ ...item.body, password }, item.links));
}

/** Reads the raw input: an undeclared list or map is not among the parameters, and would mean no scope. @throws RestError rest_invalid_param */
function scopeIn({ request: { query, form, json } }: Call): string {
  const sent = mergeParams(query, form, json).scope;
  if (sent === undefined || sent === null || sent === '') return '';
  if (typeof sent === 'string' && isScope(sent)) return sent;
  const params = { scope: `It is ${scopesInWords}, or several of these with commas.` };
  return fail('rest_invalid_param', { params, details: [] }, 'Invalid parameter(s): scope');
}

async function update(call: Call): Promise<Item> {
  const { uuid } = find(call);
  const name = cleanText(call.params.name ?? '');
  if (name !== '') {
    await call.site.accounts.change(owner(call).id, (account) => ({
      ...account,
      applicationPasswords: account.applicationPasswords.map((one) => (one.uuid === uuid ? { ...one, name } : one)),
    }));
  }
  return toItem(find(call), { ...call, context: 'edit' });
}

async function remove(call: Call) {
  const found = find(call);
  return removed(toItem(found, { ...call, context: 'edit' }), () => keepOnly(call, (one) => one.uuid !== found.uuid));
}

async function removeAll(call: Call) {
  const count = passwordsOf(call).length;
  await keepOnly(call, () => false);
  return { deleted: true, count };
}

function introspect(call: Call): Item {
  const { credential } = call.request;
  if (credential === undefined) fail('rest_no_authenticated_app_password');
  return toItem(passwordsOf(call).find(({ uuid }) => uuid === credential) ?? fail('rest_application_password_not_found'), call);
}

async function keepOnly(call: Call, keep: (one: ApplicationPassword) => boolean): Promise<void> {
  await call.site.accounts.change(owner(call).id, (account) => ({
    ...account,
    applicationPasswords: account.applicationPasswords.filter(keep),
  }));
}

/** The user in the path. @throws RestError rest_not_logged_in, rest_user_invalid_id */
function owner({ site, params, user }: Call): UserRecord {
  if (params.user_id === 'me' && !user) fail('rest_not_logged_in');
  return site.users.get(params.user_id === 'me' ? (user?.id ?? 0) : Number(params.user_id)) ?? fail('rest_user_invalid_id');
}

/** From the account itself: its record does not follow recorded uses. */
function passwordsOf(call: Call): readonly ApplicationPassword[] {
  return call.site.accounts.get(owner(call).id)?.applicationPasswords ?? [];
}

function find(call: Call): ApplicationPassword {
  return passwordsOf(call).find(({ uuid }) => uuid === call.params.uuid) ?? fail('rest_application_password_not_found');
}

function mayEditUser(code: ErrorCode, capability: string): AccessRule {
  return (call) => (call.can(capability, owner(call).id) ? null : code);
}

function mayIntrospect(call: Call): ErrorCode | null {
  return owner(call).id === call.user?.id ? null : 'rest_cannot_introspect_app_password_for_non_authenticated_user';
}
