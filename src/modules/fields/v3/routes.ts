/**
 * Custom fields of every kind of item, by route.
 *
 * Shape    {fields} of an item, [{id, fields}] of a list, {name: value} of one field
 * Access   who may read the item reads its fields, who may edit that very item writes them; of options pages visitors see what is
 *          public, and those who may manage options write
 * Errors   cant_update_item, rest_forbidden, rest_invalid_param naming the member, and those of the items' own routes
 * Source   reference media-tools-menus-fields C.1, C.2; recorded exchanges of fields/v3
 */
import { type ErrorCode, fail, RestError } from '../../../kernel/errors.ts';
import { isMap } from '../../../kernel/model/maps.ts';
import { everywhere, of } from '../../../kernel/model/schema.ts';
import type { Args } from '../../../kernel/rest/args.ts';
import { asSent } from '../../../kernel/rest/args.ts';
import { collectionArgs, listed } from '../../../kernel/rest/collection.ts';
import { createProjector } from '../../../kernel/rest/item.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import { anyone, answer, type Call, needs, READ, UPDATE } from '../../../kernel/rest/types.ts';
import type { Params, RestResponse } from '../../../kernel/rest/request.ts';
import type { Site } from '../../../kernel/site/site.ts';
import {
  commentItems,
  definitionsAt,
  type ValueFormat,
  type ItemKind,
  postItems,
  prepareFields,
  shownField,
  shownFields,
  termItems,
  userItems,
} from '../custom-fields/index.ts';
import type { FieldDefinition, FieldValues, WithFields } from '../custom-fields/record.ts';
import { isOptionsPage, optionDefinitions, optionsOf, writeOptions } from './options.ts';

type Routes = Namespace['routes'];
type Held = WithFields & { readonly id: number; readonly etag: string };

/** One kind of items, as its own routes have it. */
interface Base {
  readonly base: string;
  readonly kind: ItemKind<never>;
  /** The order of lists by id. */
  readonly order: 'asc' | 'desc';
  /** What lists are asked besides. */
  readonly usual?: Params;
  find(site: Site, id: number): object | undefined;
  readonly unknown: ErrorCode;
  mayEdit(call: Call, record: object): boolean;
}

export function fieldRoutes(site: Site): Routes {
  return [...basesOf(site).flatMap(itemRoutes), ...optionRoutes];
}

function basesOf(site: Site): readonly Base[] {
  const isPlain = (one: { readonly showInRest: boolean; readonly public: boolean; readonly restBase: string }) =>
    one.showInRest && one.public && /^[\w-]+$/.test(one.restBase);
  const types = [...site.types.values()].filter(isPlain).map(
    ({ name, restBase }): Base => ({
      base: restBase,
      kind: postItems as ItemKind<never>,
      order: 'desc',
      find: ({ posts }, id) => (posts.get(id)?.type === name ? posts.get(id) : undefined),
      unknown: 'rest_post_invalid_id',
      mayEdit: (call, post) => call.can('edit_post', post),
    }),
  );
  const taxonomies = [...site.taxonomies.values()].filter(isPlain).map(
    ({ name, restBase }): Base => ({
      base: restBase,
      kind: termItems as ItemKind<never>,
      order: 'asc',
      usual: { hide_empty: 'true' },
      find: ({ terms }, id) => (terms.get(id)?.taxonomy === name ? terms.get(id) : undefined),
      unknown: 'rest_term_invalid',
      mayEdit: (call, term) => call.can('edit_term', term),
    }),
  );
  return [
    ...types,
    ...taxonomies,
    {
      base: 'users',
      kind: userItems as ItemKind<never>,
      order: 'asc',
      find: ({ users }, id) => users.get(id),
      unknown: 'rest_user_invalid_id',
      // Who only reads does not write these, one's own neither (observed).
      mayEdit: (call, user) => call.can('edit_posts') && call.can('edit_user', (user as Held).id),
    },
    {
      base: 'comments',
      kind: commentItems as ItemKind<never>,
      order: 'desc',
      find: ({ comments }, id) => comments.get(id),
      unknown: 'rest_comment_invalid_id',
      mayEdit: (call, comment) => call.can('edit_comment', comment),
    },
  ];
}

const formatArg: Args = {
  fields_format: of('string', 'Stored values (light), or as they are shown (standard).', {
    enum: ['light', 'standard'],
    default: 'standard',
  }),
};
const fieldsArg: Args = { fields: { ...of('object', 'Values of custom fields, by their names.'), ...asSent } };
const fieldArg: Args = { field: of('string', 'Name of a field.') };

function itemRoutes(base: Base): Routes {
  const id: Args = { id: of('integer', 'Unique identifier for the item.') };
  const path = `/fields/v3/${base.base}`;
  const item = (named: Args): Routes[number]['endpoints'] => [
    { methods: READ, args: { ...id, ...named, ...formatArg }, allow: anyone, handle: (call) => read(call, base) },
    {
      methods: UPDATE,
      args: { ...id, ...named, ...fieldsArg, ...formatArg },
      allow: (call) => (base.mayEdit(call, recordOf(call, base)) ? null : 'rest_forbidden'),
      handle: (call) => write(call, base),
    },
  ];
  const { context: _context, ...listArgs } = collectionArgs({ order: base.order, orderby: 'id', keys: ['id'] });
  const { orderby: _orderby, ...args } = listArgs;
  return [
    {
      path,
      endpoints: [
        {
          methods: READ,
          args: { ...args, orderby: of('string', 'Sort collection by item attribute.', { default: 'id' }), ...formatArg },
          allow: anyone,
          handle: (call) => list(call, base),
        },
      ],
    },
    { path: `${path}/(?P<id>[\\d]+)`, endpoints: item({}) },
    { path: `${path}/(?P<id>[\\d]+)/(?P<field>[\\w-]+)`, endpoints: item(fieldArg) },
  ];
}

/** @throws RestError that the items' own routes have for it */
function recordOf({ site, params }: Call, { find, unknown }: Base): Held {
  return (find(site, Number(params.id)) ?? fail(unknown)) as Held;
}

interface View {
  readonly definitions: ReadonlyMap<string, FieldDefinition>;
  readonly isLocked: boolean;
}

const valuesField = {
  schema: { context: everywhere },
  get: (record: Held, { definitions, isLocked }: View, call: Call) =>
    isLocked ? {} : shownFields({ ...record, fields: record.fields ?? {} }, definitions, formatOf(call), call),
};
const projectItem = createProjector<Held, View>({ fields: { fields: valuesField } });
const projectListed = createProjector<Held, View>({
  fields: { id: { schema: { context: everywhere }, get: ({ id }) => id }, fields: valuesField },
});

function formatOf({ params }: Call): ValueFormat {
  return params.fields_format === 'light' ? 'light' : 'standard';
}

/** What is to be known of an item before it is shown. */
async function viewOf(call: Call, { kind }: Base, record: Held): Promise<View> {
  const { site } = call;
  const definitions = definitionsAt(site.fieldGroups, kind.locate(record as never, site));
  await prepareFields({ fields: record.fields ?? {} }, definitions, call);
  return { definitions, isLocked: kind.isLocked?.(record as never, call) ?? false };
}

async function list(call: Call, base: Base) {
  const { site, params, request } = call;
  const { order, orderby, page, per_page } = params;
  const asked = Object.entries(request.query).filter(([name]) => !own.has(request.dialect.readWord(name)));
  const query = { ...base.usual, ...Object.fromEntries(asked), order, orderby, page, per_page, _fields: 'id' };
  const { data, headers } = await ask(call, 'GET', `/cms/v2/${base.base}`, { query });
  const records = (data as readonly { readonly id: number }[]).flatMap(({ id }) => (base.find(site, id) as Held) ?? []);
  const items = [];
  for (const record of records) items.push(projectListed(record, await viewOf(call, base, record), call));
  return listed(call, items, Number(headers[request.dialect.header('Total')] ?? items.length), { page, perPage: per_page });
}

/** Parameters of these routes that those of the items read otherwise. */
const own: ReadonlySet<string> = new Set(['_fields', '_embed', '_envelope', 'fields_format', 'context']);

async function read(call: Call, base: Base) {
  const { query } = call.request;
  const password = query.password === undefined ? {} : { password: query.password };
  await ask(call, 'GET', `/cms/v2/${base.base}/${call.params.id}`, { query: { ...password, _fields: 'id' } });
  return shownItem(call, base);
}

async function shownItem(call: Call, base: Base) {
  const record = recordOf(call, base);
  const view = await viewOf(call, base, record);
  const { field } = call.params;
  if (field === undefined) return answer(projectItem(record, view, call), { state: record.etag });
  const held = { ...record, fields: view.isLocked ? {} : (record.fields ?? {}) };
  return answer({ [field]: shownField(held, view.definitions.get(field), formatOf(call), call) }, { state: record.etag });
}

async function write(call: Call, base: Base) {
  const record = recordOf(call, base);
  const { definitions } = await viewOf(call, base, record);
  const fields = valuesIn(call, definitions);
  await ask(call, 'POST', `/cms/v2/${base.base}/${record.id}`, { json: { fields, ...argsOfModules(call) } });
  return shownItem(call, base);
}

/** What a write sends; of a path that names a field that one alone. @throws RestError cant_update_item */
function valuesIn({ params }: Call, definitions: ReadonlyMap<string, FieldDefinition>): FieldValues {
  const { fields, field } = params;
  if (!isMap(fields) || Object.keys(fields).length === 0 || definitions.size === 0) fail('cant_update_item');
  if (field === undefined) return fields as FieldValues;
  if (!Object.hasOwn(fields as object, field)) fail('cant_update_item');
  return { [field]: (fields as FieldValues)[field] };
}

/** Arguments that every route has. */
function argsOfModules({ site, params }: Call): Params {
  return Object.fromEntries(site.modules.argNames.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]])));
}

/** Asks the items' own routes: what they refuse, these refuse. @throws RestError */
async function ask(
  { dispatcher, request }: Call,
  method: 'GET' | 'POST',
  route: string,
  { query = {}, json }: { readonly query?: Params; readonly json?: Params },
): Promise<RestResponse> {
  const { dialect, address, user, credential, ip, headers } = request;
  const match = headers['if-match'];
  const response = await dispatcher.dispatch({
    ...{ method, route, query, dialect, address, user, credential, ip },
    headers: match === undefined || method === 'GET' ? {} : { 'if-match': match },
    ...(json ? { json } : {}),
    inner: true,
  });
  if (response.error instanceof RestError) throw response.error;
  return response;
}

const mayManage = needs('manage_options');
const pageArg: Args = { id: of('string', 'Name of the options page.') };

const optionEndpoints = (named: Args): Routes[number]['endpoints'] => [
  { methods: READ, args: { ...pageArg, ...named, ...formatArg }, allow: anyone, handle: readOptions },
  { methods: UPDATE, args: { ...pageArg, ...named, ...fieldsArg, ...formatArg }, allow: mayManage, handle: changeOptions },
];

const optionRoutes: Routes = [
  { path: '/fields/v3/options/(?P<id>[\\w-]+)', endpoints: optionEndpoints({}) },
  { path: '/fields/v3/options/(?P<id>[\\w-]+)/(?P<field>[\\w-]+)', endpoints: optionEndpoints(fieldArg) },
];

/** @throws RestError rest_options_page_invalid */
async function readOptions(call: Call) {
  const { site, params } = call;
  const page = params.id as string;
  if (!isOptionsPage(site.fieldGroups, page)) fail('rest_options_page_invalid');
  const definitions = optionDefinitions(call, page);
  const options = optionsOf(site, page);
  await prepareFields(options, definitions, call);
  const state = options.etag === '' ? {} : { state: options.etag };
  if (params.field === undefined) return answer(projectItem(options, { definitions, isLocked: false }, call), state);
  return answer({ [params.field]: shownField(options, definitions.get(params.field), formatOf(call), call) }, state);
}

async function changeOptions(call: Call) {
  const page = call.params.id as string;
  if (!isOptionsPage(call.site.fieldGroups, page)) fail('rest_options_page_invalid');
  await writeOptions(call, page, valuesIn(call, optionDefinitions(call, page)));
  return readOptions(call);
}
