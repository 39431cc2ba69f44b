/**
 * Posts and pages, and every type that is made like them.
 *
 * Shape    an item of the type's fields, in the view, embed or edit context
 * Access   published ones for everyone, the others by the type's capabilities
 * Errors   rest_post_invalid_id, rest_forbidden, rest_forbidden_context, rest_cannot_create, rest_cannot_edit, rest_cannot_delete,
 *          rest_cannot_edit_others, rest_cannot_assign_sticky, rest_cannot_assign_term, and those of `plan.ts`
 * Source   specification 4.1, 4.4, 4.5; conformance scenarios posts-*, pages
 */
import { fail } from '../../../kernel/errors.ts';
import { createPostView, showingAhead, showsAddress, showsOthers } from './view.ts';
import { planCreate, planDelete, planTrash, planUpdate, type PostPlan, reparentChildren } from './plan.ts';
import { needsPreview, previewed, previewLink } from './preview.ts';
import type { Site, WritePlan } from '../../../kernel/site/site.ts';
import { resolveDates } from '../../../kernel/model/dates.ts';
import { authorNamed, itemNamed, termsNamed } from '../named-ids/record.ts';
import { isBlank, type PostFields, type PostInput, type PostRecord, type PostResource, type PostView, shows } from './record.ts';
import { type Context, of, resourceSchema, type Schemas } from '../../../kernel/model/schema.ts';
import type { PostType } from '../../types/record.ts';
import type { Clause, ResultPage } from '../../../kernel/records/types.ts';
import { type Arg, type Args, asSent, bySchema, metaAsSent } from '../../../kernel/rest/args.ts';
import { toInteger } from '../../../kernel/rest/coerce.ts';
import { contextArg, type Paging, paging, refusePastEnd } from '../../../kernel/rest/collection.ts';
import { wholeState } from '../../../kernel/rest/item.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import type { RestRequest } from '../../../kernel/rest/request.ts';
import { mapOf, table } from '../../../kernel/model/maps.ts';
import { invalid } from '../../../kernel/rest/validate.ts';
import { writeParts } from '../../../kernel/compose-modules.ts';
import { collection, defineResource, gone, item, made, RecordPage, type Resource, told } from '../../../kernel/rest/resource.ts';
import { isUnlocked } from '../post-passwords/index.ts';
import { canRead, hasPreview, mayCreate, mayDelete, mayList, mayRead, mayUpdate } from './access.ts';
import { postLinks, postSchemaLinks } from './links.ts';
import { countedOf, leadsWithSticky, postListArgs, postQuery, withKnown } from './list.ts';
import { inState } from '../../../kernel/rest/preconditions.ts';
import { changesOf, isGiven } from '../../../kernel/rest/write-input.ts';

export function createPostResource(site: Site, type: PostType): PostResource {
  const taxonomies = type.taxonomies.flatMap((name) => site.taxonomies.get(name) ?? []).filter((one) => one.showInRest);
  const fields = site.postFields.get(type.name) ?? {};
  const extension = site.modules.extension(type.extensionNames, writeParts);
  const hooks: Record<string, Partial<Arg>> = {
    title: asSent,
    content: asSent,
    excerpt: asSent,
    password: {},
    meta: metaAsSent,
    author: { named: authorNamed },
    ...(type.hierarchical ? { parent: { named: itemNamed(type.name) } } : {}),
    featured_media: { named: itemNamed('attachment') },
    ...Object.fromEntries(taxonomies.map(({ name, restBase }) => [restBase, { named: termsNamed(name) }])),
    // The current value may always be sent again.
    status: {
      validate: (value, request, param, arg) =>
        postOf(site, type, request)?.status === value ? null : bySchema(value, request, param, arg),
    },
    template: {
      // An empty value is valid, whatever its type (observed).
      validate: (value, request, param) =>
        isBlank(value) || [...templates(site), postOf(site, type, request)?.template].some((one) => one === value)
          ? null
          : invalid('rest_invalid_param', `${param} is not one of the site's templates.`),
    },
  };
  return {
    type,
    taxonomies,
    extension,
    fields,
    hooks,
    find: (call, id) => {
      const post = call.site.posts.get(Number(id));
      return post?.type === type.name ? post : fail('rest_post_invalid_id');
    },
    input: (call, before) => postInput(call, fields, before),
  };
}

/**
 * What an item's response depends on besides its post: terms, author, revisions; in the edit context, with a parent or image, other posts; blocks on
 * anything, and the day.
 */
function postCacheVersion(post: PostRecord, { site }: Call, context: Context): string | number {
  const { records } = site;
  if (showsOthers(site, post)) return `${records.generation}:${site.now().local.slice(0, 10)}`;
  if (context === 'edit' || post.parent > 0 || post.featuredMedia > 0) return records.generation;
  // Generations share one counter, so the maximum grows whenever one of them changes.
  return Math.max(records.generationOf('terms'), records.generationOf('users'), records.generationOf('revisions'));
}

/** The same for items with module fields; some texts depend on the requested URL. */
function stateOf(isPlain: boolean): Resource<PostRecord>['cacheVersion'] {
  return (post, call, context) => {
    const version = isPlain ? postCacheVersion(post, call, context) : wholeState(post, call);
    return showsAddress(call.site, post) ? `${version} ${call.request.target ?? ''}` : version;
  };
}

/** Collection and item routes of a type. @param finish  transforms its items */
export function postRoutes(
  site: Site,
  resource: PostResource,
  { finish }: Pick<Resource<PostRecord>, 'finish'> = {},
): Namespace['routes'] {
  const { type, extension } = resource;
  const base = routeOf(type);
  const listArgs = postListArgs(site, resource);
  return defineResource<PostRecord, PostView>({
    name: type.name,
    base,
    fields: site.postFields.get(type.name) ?? {},
    view: viewOf,
    links: (post, call) => postLinks(call, resource, post),
    hooks: resource.hooks,
    schema: (call, properties) => ({
      ...resourceSchema(call.request.dialect.wireName(type.name), withTemplates(site, properties)),
      links: postSchemaLinks(call, resource),
    }),
    state: ({ etag }) => etag,
    cacheVersion: stateOf(extension.isEmpty),
    prepare: (post, view, call) =>
      call.fields.wants('content') || call.fields.wants('excerpt') ? view.prepare(post) : undefined,
    ...(finish && { finish }),
    batch: type.batch,
    params: { id: of('integer', 'Unique identifier for the post.') },
    routes: [
      collection({
        read: {
          args: listArgs,
          lists: type.extensionNames,
          allow: mayList(resource),
          handle: (call) => list(withKnown(call, listArgs), resource),
        },
        create: { args: 'writable', allow: mayCreate(resource), handle: (call) => create(call, resource) },
      }),
      item('(?P<id>[\\d]+)', {
        read: {
          args: { context: contextArg(), ...readArgs(resource) },
          allow: mayRead(resource),
          handle: (call) => read(call, resource),
        },
        update: { args: 'writable', allow: mayUpdate(resource), handle: (call) => update(call, resource) },
        remove: { args: { force: forceArg }, allow: mayDelete(resource), handle: (call) => remove(call, resource) },
      }),
    ],
  });
}

export const routeOf = ({ restNamespace, restBase }: PostType): string => `/${restNamespace}/${restBase}`;

export const forceArg: Arg = of('boolean', 'Whether to bypass Trash and force deletion.', { default: false });

function readArgs({ type }: PostResource): Args {
  return {
    ...(shows(type, 'excerpt') ? { excerpt_length: of('integer', 'Override the default excerpt length.') } : {}),
    ...(type.supports.editor ? { password: of('string', 'The password for the post if it is password protected.') } : {}),
  };
}

function list(call: Call, resource: PostResource) {
  const page = paging(call);
  const found = call.site.posts.find(postQuery(call, resource, { isCounted: true }));
  return found instanceof Promise
    ? found.then((some) => listOf(call, resource, page, some))
    : listOf(call, resource, page, found);
}

function listOf(call: Call, resource: PostResource, page: Paging, { records, total }: ResultPage<PostRecord>) {
  const counted = countedOf(call, { records, total });
  refusePastEnd(counted, page);
  const found = leadsWithSticky(call, resource) ? stickyFirst(call, resource, records) : records;
  const isShown = (post: PostRecord): boolean =>
    call.context === 'edit' ? call.can('edit_post', post) : post.status === 'publish' || canRead(call, post);
  const shown = found.every(isShown) ? found : found.filter(isShown);
  return new RecordPage(shown, counted, page);
}

/** Sticky posts first, including those of other pages. */
function stickyFirst(call: Call, resource: PostResource, records: readonly PostRecord[]): readonly PostRecord[] {
  const { site, params } = call;
  const where: Clause[] = [
    { kind: 'in', index: 'type', values: [resource.type.name] },
    { kind: 'in', index: 'status', values: ['publish'] },
    { kind: 'in', index: 'sticky', values: [1] },
    { kind: 'ids', values: [...params.exclude, ...records.map(({ id }) => id)], not: true },
    ...resource.extension.where(call),
  ];
  const others = site.posts.query({ where, sort: { by: 'date', direction: 'desc' }, offset: 0 }).records;
  return [...records.filter(({ sticky }) => sticky), ...others, ...records.filter(({ sticky }) => !sticky)];
}

function read(call: Call, resource: PostResource) {
  const found = resource.find(call, call.params.id);
  const post = hasPreview(call) ? previewed(call.site, found) : found;
  const isEdited = call.context === 'edit';
  const links: string[] = [];
  if (resource.type.viewable) {
    const link = viewOf(call).link(post);
    links.push(`<${link}>; rel="alternate"; type=text/html`);
    if (isEdited && needsPreview(call.site, post)) links.push(`<${previewLink(call.site, post, link)}>; rel="preview"`);
  }
  const format = formats[post.kind];
  if (isEdited && format !== undefined)
    links.push(`<${call.urls.rest(`${routeOf(resource.type)}/${post.id}`)}>; rel="edit"; type=${format}`);
  return links.length === 0 ? post : told(post, { Link: links.join(', ') });
}

/** What the text of an item is written in, for those who edit it. */
const formats: Readonly<Partial<Record<PostRecord['kind'], string>>> = table({ md: 'text/markdown', html: 'text/html' });

async function create(call: Call, resource: PostResource) {
  if (call.params.id !== undefined) fail('rest_post_invalid_id');
  const id = await call.site.write((site) => {
    const { input, plan } = resource.extension.prepareWrite(resource.input(call), site, call);
    return plan(shownMeanwhile(call, planCreate(site, call.user, resource.type.name, input)));
  });
  return made(resource.find(call, id), { Location: call.urls.rest(`${routeOf(resource.type)}/${id}`) });
}

async function update(call: Call, resource: PostResource) {
  const { site, user } = call;
  const id = resource.find(call, call.params.id).id;
  await site.write((site) => {
    const before = inState(call, resource.find(call, id));
    const { input, plan } = resource.extension.prepareWrite(resource.input(call, before), site, call, before);
    return plan(shownMeanwhile(call, planUpdate(site, user, before, input), before));
  });
  return resource.find(call, id);
}

/** The plan of a write whose response contains the post. */
function shownMeanwhile(call: Call, plan: PostPlan, before?: PostRecord): WritePlan<number> {
  const meanwhile = call.fields.wants('content') ? showingAhead(call.site, plan.after, before) : undefined;
  return meanwhile === undefined ? plan : { ...plan, meanwhile };
}

async function remove(call: Call, resource: PostResource) {
  const { site, user } = call;
  const { id } = resource.find(call, call.params.id);
  if (!call.params.force) {
    await site.write((site) => planTrash(site, user, inState(call, resource.find(call, id))));
    return resource.find(call, id);
  }
  return gone(resource.find(call, id), async () => {
    await reparentChildren(site, inState(call, resource.find(call, id)));
    await site.write(() => planDelete(site, inState(call, resource.find(call, id))));
  });
}

/** A request's view of posts. */
export function viewOf(call: Call): PostView {
  return createPostView(call.site, {
    user: call.user,
    isWrite: call.request.method === 'POST' || call.request.method === 'PUT' || call.request.method === 'PATCH',
    word: (name) => call.request.dialect.wireName(name),
    unlocked: (post) => (call.context === 'edit' && call.can('edit_post', post)) || isUnlocked(call, post),
    showsContent: call.context !== 'embed' && call.fields.wants('content'),
    address: call.request.target,
    // Lists and writes do not declare it but accept it, as in the reference.
    excerptWords: isGiven(call.params.excerpt_length) ? toInteger(call.params.excerpt_length) : undefined,
  });
}

function postOf(site: Site, type: PostType, { route }: RestRequest): PostRecord | undefined {
  const post = site.posts.get(Number(/\/(\d+)(?:\/autosaves)?$/.exec(route)?.[1] ?? 0));
  return post?.type === type.name ? post : undefined;
}

/** Templates in `site.yaml`. */
function templates(site: Site): readonly string[] {
  return Object.keys(mapOf(site.settings.value('templates')));
}

/** What these are called, for forms. */
function withTemplates(site: Site, properties: Schemas): Schemas {
  const { template } = properties;
  const titles = mapOf(site.settings.value('templates'));
  if (!template || Object.keys(titles).length === 0) return properties;
  const choices = table(Object.fromEntries(Object.entries(titles).map(([name, title]) => [name, String(title || name)])));
  return { ...properties, template: { ...template, 'x-field': { type: 'select', choices } } };
}

/** The input of a write: setters of fields, and the date from two arguments. */
function postInput(call: Call, fields: PostFields, before?: PostRecord): PostInput {
  const input = changesOf<PostRecord>(call, fields, before) as PostInput;
  const { date, date_gmt } = call.params;
  const moment = resolveDates({ date, date_gmt }, call.site.zone);
  const kind = kindSent(call, before);
  return { ...input, ...(moment === undefined ? {} : { date: moment }), ...(kind === null ? {} : { kind }) };
}

/** What the client says that a text is written in, where there was none before, or one of that kind. */
function kindSent({ request }: Call, before: PostRecord | undefined): PostRecord['kind'] | null {
  const sent = request.headers['x-cms-content-type'] ?? request.headers['x-wp-content-type'];
  const kind = sent === undefined ? undefined : kinds[sent.trim().toLowerCase()];
  if (kind === undefined || before?.kind === 'yaml') return null;
  return before === undefined || before.content === '' || before.kind === kind ? kind : null;
}

const kinds: Readonly<Record<string, PostRecord['kind']>> = table(
  Object.fromEntries(Object.entries(formats).map(([kind, format]) => [format, kind as PostRecord['kind']])),
);
