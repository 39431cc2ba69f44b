/**
 * Posts and pages, and every type that is made like them.
 *
 * Shape    an item of the type's fields, in the view, embed or edit context
 * Access   published ones for everyone, the others by the type's capabilities
 * Errors   rest_post_invalid_id, rest_forbidden, rest_forbidden_context, rest_cannot_create, rest_cannot_edit, rest_cannot_delete,
 *          rest_cannot_edit_others, rest_cannot_assign_sticky, rest_cannot_assign_term, and those of domain/posts.ts
 * Source   specification 4.1, 4.4, 4.5; conformance scenarios posts-*, pages
 */
import { fail } from '../../errors.ts';
import { createPostView } from '../../domain/posts/post-view.ts';
import { type PostInput, planCreate, planDelete, planTrash, planUpdate } from '../../domain/posts/posts.ts';
import { previewed } from '../../domain/posts/preview.ts';
import type { Site } from '../../domain/site.ts';
import { resolveDates } from '../../model/dates.ts';
import { schemasOf } from '../../model/field.ts';
import { type PostRecord, type PostView, shows } from '../../model/post.ts';
import type { Context, Schema } from '../../model/schema.ts';
import type { Taxonomy } from '../../model/taxonomies.ts';
import type { PostType } from '../../model/types.ts';
import type { Clause } from '../../records/types.ts';
import { type Arg, type Args, argsForCreate, argsForUpdate, asSent, bySchema, metaAsSent } from '../../rest/args.ts';
import { coerceValue } from '../../rest/coerce.ts';
import { contextArg, listed, paging, refusePastEnd } from '../../rest/collection.ts';
import { createProjector, type Item } from '../../rest/item.ts';
import type { Namespace } from '../../rest/registry.ts';
import { answer, type Call, CREATE, DELETE, type Endpoint, READ, type RestRequest, type Rule, UPDATE } from '../../rest/types.ts';
import { invalid, validateValue } from '../../rest/validate.ts';
import { postLinks, postSchemaLinks } from './post-links.ts';
import { leadsWithSticky, postListArgs, postQuery } from './post-list.ts';

export interface PostResource {
  readonly type: PostType;
  /** Taxonomies shown to clients. */
  readonly taxonomies: readonly Taxonomy[];
  readonly createArgs: Args;
  readonly updateArgs: Args;
  item(post: PostRecord, call: Call): Item;
  /** The post an id of the path names, of this type. @throws RestError rest_post_invalid_id */
  find(call: Call, id: unknown): PostRecord;
  input(call: Call, before?: PostRecord): PostInput;
  readonly schema: (call: Call) => Schema & Record<string, unknown>;
}

export function createPostResource(site: Site, type: PostType): PostResource {
  const taxonomies = type.taxonomies.flatMap((name) => site.taxonomies.get(name) ?? []).filter((one) => one.showInRest);
  const fields = site.postFields.get(type.name) ?? {};
  const properties = schemasOf(fields);
  const hooks: Record<string, Partial<Arg>> = {
    title: asSent,
    content: asSent,
    excerpt: asSent,
    password: {},
    meta: metaAsSent,
    // What a post has already it may be given again.
    status: {
      validate: (value, request, param, arg) =>
        postOf(site, type, request)?.status === value ? null : bySchema(value, request, param, arg),
    },
    template: {
      validate: (value, request, param) =>
        value === '' || typeof value !== 'string' || [...templates(site), postOf(site, type, request)?.template].includes(value)
          ? null
          : invalid('rest_invalid_param', `${param} is not one of the site's templates.`),
    },
  };
  const project = createProjector<PostRecord, PostView>({
    fields,
    links: (post, _view, call) => postLinks(call, resource, post),
    stamp: postStamp,
  });
  const resource: PostResource = {
    type,
    taxonomies,
    createArgs: argsForCreate(properties, hooks),
    updateArgs: argsForUpdate(properties, hooks),
    item: (post, call) => project(post, viewOf(call), call),
    find: (call, id) => {
      const post = call.site.posts.get(Number(id));
      return post?.type === type.name ? post : fail('rest_post_invalid_id');
    },
    input: (call, before) => inputOf(call, resource, before),
    schema: (call) => ({
      $schema: 'http://json-schema.org/draft-04/schema#',
      title: call.request.dialect.spellWord(type.name),
      type: 'object',
      properties,
      links: postSchemaLinks(call, resource),
    }),
  };
  return resource;
}

/**
 * What an item shows beside its post: slugs and names of terms, the writer, revisions; in the edit context, with a parent or
 * with an image, also other posts.
 */
export function postStamp(post: PostRecord, { site: { records } }: Call, context: Context): string | number {
  if (context === 'edit' || post.parent > 0 || post.featuredMedia > 0) return records.generation;
  return `${records.generationOf('terms')}.${records.generationOf('users')}.${records.generationOf('revisions')}`;
}

/** Collection and item routes of a type. */
export function postRoutes(site: Site, resource: PostResource): Namespace['routes'] {
  const { type, schema } = resource;
  const base = `/${type.restNamespace}/${type.restBase}`;
  const batch = type.batch ? { batch: true } : {};
  const idArg: Args = { id: { description: 'Unique identifier for the post.', type: 'integer' } };
  const listArgs = postListArgs(site, resource);
  const endpoints: Endpoint[] = [
    {
      methods: READ,
      args: listArgs,
      allow: mayList(resource),
      handle: (call) => list(withKnown(call, listArgs), resource),
      ...batch,
    },
    {
      methods: CREATE,
      args: resource.createArgs,
      allow: mayCreate(resource),
      handle: (call) => create(call, resource),
      ...batch,
    },
  ];
  return [
    { path: base, endpoints, schema },
    {
      path: `${base}/(?P<id>[\\d]+)`,
      schema,
      endpoints: [
        {
          methods: READ,
          args: { ...idArg, context: contextArg(), ...readArgs(resource) },
          allow: mayRead(resource),
          handle: (call) => read(call, resource),
          ...batch,
        },
        {
          methods: UPDATE,
          args: { ...idArg, ...resource.updateArgs },
          allow: mayUpdate(resource),
          handle: (call) => update(call, resource),
          ...batch,
        },
        {
          methods: DELETE,
          args: { ...idArg, force: forceArg },
          allow: mayDelete(resource),
          handle: (call) => remove(call, resource),
          ...batch,
        },
      ],
    },
  ];
}

export const forceArg: Arg = { description: 'Whether to bypass Trash and force deletion.', type: 'boolean', default: false };

function readArgs({ type }: PostResource): Args {
  return {
    ...(shows(type, 'excerpt')
      ? { excerpt_length: { description: 'Override the default excerpt length.', type: 'integer' } }
      : {}),
    ...(type.supports.editor
      ? { password: { description: 'The password for the post if it is password protected.', type: 'string' } }
      : {}),
  };
}

/** Filters that not every type has; a type without one passes over it, whatever it says. */
const someFilters = ['author', 'author_exclude', 'format', 'menu_order', 'parent', 'parent_exclude', 'sticky', 'tax_relation'];

function withKnown(call: Call, args: Args): Call {
  const unknown = someFilters.filter((name) => !(name in args) && name in call.params);
  if (unknown.length === 0) return call;
  return { ...call, params: Object.fromEntries(Object.entries(call.params).filter(([name]) => !unknown.includes(name))) };
}

async function list(call: Call, resource: PostResource) {
  const page = paging(call);
  const { records, total } = await call.site.posts.find(postQuery(call, resource));
  // Nothing behind the offset: the reference has not counted.
  const counted = records.length === 0 && call.params.offset ? 0 : total;
  refusePastEnd(counted, page);
  const found = leadsWithSticky(call, resource) ? stickyFirst(call, resource, records) : records;
  const shown = call.context === 'edit' ? found.filter((post) => call.can('edit_post', post)) : found;
  return listed(call, call.request.method === 'HEAD' ? [] : shown.map((post) => resource.item(post, call)), counted, page);
}

/** Sticky posts before the others, also those that are not on the page. */
function stickyFirst(call: Call, resource: PostResource, records: readonly PostRecord[]): readonly PostRecord[] {
  const { site, params } = call;
  const where: Clause[] = [
    { kind: 'in', index: 'type', values: [resource.type.name] },
    { kind: 'in', index: 'status', values: ['publish'] },
    { kind: 'in', index: 'sticky', values: [1] },
    { kind: 'ids', values: [...params.exclude, ...records.map(({ id }) => id)], not: true },
  ];
  const others = site.posts.query({ where, sort: { by: 'date', direction: 'desc' }, offset: 0 }).records;
  return [...records.filter(({ sticky }) => sticky), ...others, ...records.filter(({ sticky }) => !sticky)];
}

function read(call: Call, resource: PostResource) {
  const post = hasPreview(call) ? previewed(call.site, resource.find(call, call.params.id)) : resource.find(call, call.params.id);
  const item = resource.item(post, call);
  const link = `<${viewOf(call).link(post)}>; rel="alternate"; type=text/html`;
  return answer(item, { headers: resource.type.viewable ? { Link: link } : {}, state: post.etag });
}

async function create(call: Call, resource: PostResource) {
  if (call.params.id !== undefined) fail('rest_post_invalid_id');
  const input = resource.input(call);
  const id = await call.site.write(() => planCreate(call.site, call.user, resource.type.name, input));
  const location = call.urls.rest(`/${resource.type.restNamespace}/${resource.type.restBase}/${id}`);
  return saved(call, resource, id, { status: 201, headers: { Location: location } });
}

async function update(call: Call, resource: PostResource) {
  const { site, user } = call;
  const id = resource.find(call, call.params.id).id;
  await site.write(() => {
    const before = resource.find(call, id);
    matchState(call, before);
    return planUpdate(site, user, before, resource.input(call, before));
  });
  return saved(call, resource, id);
}

async function remove(call: Call, resource: PostResource) {
  const { site, user } = call;
  const { id } = resource.find(call, call.params.id);
  if (!call.params.force) {
    await site.write(() => {
      const before = resource.find(call, id);
      matchState(call, before);
      return planTrash(site, user, before);
    });
    return saved(call, resource, id);
  }
  const previous = edited(call, resource, id).body;
  await site.write(() => {
    const before = resource.find(call, id);
    matchState(call, before);
    return planDelete(site, before);
  });
  return { deleted: true, previous };
}

/** The item as its writer sees it. */
function edited(call: Call, resource: PostResource, id: number): Item {
  return resource.item(resource.find(call, id), { ...call, context: 'edit' });
}

/** The answer to a write: the item, and the state it is in now. */
function saved(
  call: Call,
  resource: PostResource,
  id: number,
  options: { status?: number; headers?: Record<string, string> } = {},
) {
  return answer(edited(call, resource, id), { ...options, state: resource.find(call, id).etag });
}

/** A write that names a state applies to that state only. Source: RFC 9110, 13.1.1. */
export function matchState({ request }: Call, post: PostRecord): void {
  const wanted = request.headers['if-match'];
  if (!wanted || wanted.trim() === '*') return;
  // An answer's validator is the state, a dot and a hash of the answer.
  if (!wanted.split(',').some((tag) => tag.trim().replace(/^"|"$/g, '').split('.')[0] === post.etag)) fail('rest_conflict');
}

const mayList =
  ({ type }: PostResource): Rule =>
  (call) =>
    call.context === 'edit' && !call.can(type.capabilities.edit_posts) ? 'rest_forbidden_context' : null;

const mayRead =
  (resource: PostResource): Rule =>
  (call) => {
    const post = resource.find(call, call.params.id);
    if (call.context === 'edit' && !call.can('edit_post', post)) return 'rest_forbidden_context';
    const { password } = call.request.query;
    if (password !== undefined && password !== '' && !isPassword(post, password)) return 'rest_post_incorrect_password';
    return canRead(call, post) || hasPreview(call) ? null : 'rest_forbidden';
  };

const mayCreate =
  (resource: PostResource): Rule =>
  (call) => {
    const { author, sticky } = call.params;
    const { capabilities } = resource.type;
    if (call.params.id !== undefined && Number(call.params.id) > 0) return 'rest_post_exists';
    if (isOther(author, call) && !call.can(capabilities.edit_others_posts)) return 'rest_cannot_edit_others';
    if (sticky && !canStick(call, resource)) return 'rest_cannot_assign_sticky';
    if (!call.can(capabilities.create_posts)) return 'rest_cannot_create';
    return mayAssign(call, resource) ? null : 'rest_cannot_assign_term';
  };

const mayUpdate =
  (resource: PostResource): Rule =>
  (call) => {
    const post = resource.find(call, call.params.id);
    const { author, sticky } = call.params;
    const { capabilities } = resource.type;
    if (!call.can('edit_post', post)) return 'rest_cannot_edit';
    if (isOther(author, call) && !call.can(capabilities.edit_others_posts)) return 'rest_cannot_edit_others';
    if (sticky && !canStick(call, resource)) return 'rest_cannot_assign_sticky';
    return mayAssign(call, resource) ? null : 'rest_cannot_assign_term';
  };

const mayDelete =
  (resource: PostResource): Rule =>
  (call) =>
    call.can('delete_post', resource.find(call, call.params.id)) ? null : 'rest_cannot_delete';

/** Whether a reader brings a preview token for the post; it opens its newest state, saved or not, without a session. */
function hasPreview(call: Call): boolean {
  const token = call.request.query.preview_nonce;
  return (
    token !== undefined && call.context === 'view' && call.site.previews.check(token, Number(call.params.id), call.site.clock())
  );
}

/** As the reference reads a post: published ones freely, what is attached by its parent. */
export function canRead(call: Call, post: PostRecord): boolean {
  // Types that ask more than `read` ask it of published ones too.
  if (call.site.types.get(post.type)?.capabilities.read !== 'read') return call.can('read_post', post);
  if (post.status === 'publish' || call.can('read_post', post)) return true;
  if (post.status !== 'inherit') return false;
  const parent = call.site.posts.get(post.parent);
  return parent ? canRead(call, parent) : true;
}

/** Whether a write names somebody else as the author. A rule also meets the parameters of the list, where this is a list. */
function isOther(author: unknown, { user }: Call): boolean {
  return typeof author === 'number' && author > 0 && author !== user?.id;
}

function canStick(call: Call, { type }: PostResource): boolean {
  return call.can(type.capabilities.edit_others_posts) || call.can(type.capabilities.publish_posts);
}

function mayAssign(call: Call, { taxonomies }: PostResource): boolean {
  return taxonomies.every(({ name, restBase }) => {
    const ids = call.params[restBase] as unknown;
    return (
      !Array.isArray(ids) ||
      ids.every((id) => call.site.terms.get(Number(id))?.taxonomy !== name || call.can('assign_term', Number(id)))
    );
  });
}

function isPassword(post: PostRecord, given: unknown): boolean {
  return post.password !== '' && String(given) === post.password;
}

/** A request's view of posts. */
export function viewOf(call: Call): PostView {
  const given = call.request.query.password;
  return createPostView(call.site, {
    user: call.user,
    word: (name) => call.request.dialect.spellWord(name),
    unlocked: (post) =>
      (call.context === 'edit' && call.can('edit_post', post)) || (given !== undefined && isPassword(post, given)),
    excerptWords: call.params.excerpt_length as number | undefined,
  });
}

/** The post a request's path names. */
function postOf(site: Site, type: PostType, { route }: RestRequest): PostRecord | undefined {
  const post = site.posts.get(Number(/\/(\d+)(?:\/autosaves)?$/.exec(route)?.[1] ?? 0));
  return post?.type === type.name ? post : undefined;
}

/** Templates a post may name: those that `site.yaml` lists. */
function templates(site: Site): readonly string[] {
  const listedTemplates = site.settings.stored('templates');
  return typeof listedTemplates === 'object' && listedTemplates !== null ? Object.keys(listedTemplates) : [];
}

/** The parameters of a write as the domain takes them. */
function inputOf(call: Call, resource: PostResource, before?: PostRecord): PostInput {
  const { params, site } = call;
  const { type } = resource;
  const has = (name: string): boolean => name in resource.updateArgs && params[name] !== undefined && params[name] !== null;
  const input: Record<string, unknown> = {};
  for (const part of ['title', 'content', 'excerpt']) {
    const raw = has(part) ? rawOf(params[part]) : undefined;
    // An empty title within an object is passed over (observed).
    if (raw !== undefined && (raw !== '' || part !== 'title' || params[part] === '')) input[part] = raw;
  }
  for (const [name, key] of plainInputs) if (has(name)) input[key] = params[name];
  // A null that was sent arrives as an empty text: of a status it means a draft, of the others nothing (observed).
  if (input.status === '') input.status = 'draft';
  for (const key of ['comments', 'pings']) if (input[key] === '') delete input[key];
  if (input.author === 0) delete input.author;
  const dates = resolveDates({ date: params.date, date_gmt: params.date_gmt }, site.zone);
  if (dates !== undefined) input.date = dates;
  const terms = resource.taxonomies.filter(({ restBase }) => has(restBase)).map(({ name, restBase }) => [name, params[restBase]]);
  if (terms.length > 0) input.terms = Object.fromEntries(terms);
  if (has('meta')) {
    const { readWord } = call.request.dialect;
    const given = Object.entries(params.meta as Record<string, unknown>).map(([name, value]) => [readWord(name), value]);
    input.meta = metaInput(site.meta[type.name] ?? {}, Object.fromEntries(given), before?.meta ?? {});
  }
  return input as PostInput;
}

/** Parameter → key of the input. */
const plainInputs: readonly (readonly [string, keyof PostInput])[] = [
  ['status', 'status'],
  ['slug', 'slug'],
  ['author', 'author'],
  ['parent', 'parent'],
  ['menu_order', 'order'],
  ['featured_media', 'featuredMedia'],
  ['comment_status', 'comments'],
  ['ping_status', 'pings'],
  ['format', 'format'],
  ['sticky', 'sticky'],
  ['template', 'template'],
  ['password', 'password'],
];

/** A text, or `{raw}`; anything else, a number say, is passed over (observed). */
function rawOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? value : undefined;
  const { raw } = value as { raw?: unknown };
  return raw === undefined || raw === null || typeof raw === 'object' ? undefined : String(raw);
}

/**
 * Registered meta of a request over what is stored; null takes a value away; unregistered names are passed over.
 * @throws RestError the code of the schema's check, with `additional_data`
 */
export function metaInput(
  schemas: Readonly<Record<string, Schema>>,
  given: Readonly<Record<string, unknown>>,
  stored: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const next: Record<string, unknown> = { ...stored };
  for (const [name, schema] of Object.entries(schemas)) {
    if (!Object.hasOwn(given, name)) continue;
    const value = given[name];
    if (value === null) {
      delete next[name];
      continue;
    }
    const problem = validateValue(value, schema, `meta.${name}`);
    if (problem)
      fail(problem.code as never, { status: 400, ...(problem.data ? { additional: [problem.data] } : {}) }, problem.message);
    const clean = coerceValue(value, schema, `meta.${name}`);
    if (clean === schema.default) delete next[name];
    else next[name] = clean;
  }
  return next;
}
