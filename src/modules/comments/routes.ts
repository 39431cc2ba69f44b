/**
 * Comments, and the notes of editors.
 *
 * Shape    an item of the fields of modules/comments/fields.ts; newest first
 * Access   approved ones for whoever may read the post; one's own always; the others, and every change, for moderators and those
 *          who may edit the post; the edit context, which has the personal data, by `moderate_comments`; notes by `edit_post`
 * Errors   rest_comment_…, rest_cannot_read, rest_cannot_read_post, rest_cannot_create_note, rest_cannot_edit, rest_cannot_delete,
 *          rest_cannot_update, rest_forbidden_context, rest_forbidden_param, rest_already_trashed, and those of `plan.ts`
 * Source   specification 4.4; conformance scenario comments; behaviour of the reference 6.9
 */
import { commentMeta, createCommentView } from './view.ts';
import { type CommentInput, createComment, deleteComment, hasReplies, trashComment, updateComment } from './plan.ts';
import { fail } from '../../kernel/errors.ts';
import type { Site } from '../../kernel/site/site.ts';
import { commentFields, standardCommentMeta, fieldsOfComments } from './fields.ts';
import type { CommentRecord, CommentView } from './record.ts';
import { resolveDates } from '../../kernel/model/dates.ts';
import { schemasOf } from '../../kernel/model/field.ts';
import { type Context, of, resourceSchema, type Schema, type Schemas } from '../../kernel/model/schema.ts';
import { scalarText } from '../../kernel/model/scalars.ts';
import { type Arg, type Args, argsForCreate, argsForUpdate, asSent, bySchema, metaAsSent } from '../../kernel/rest/args.ts';
import { cleanText } from '../../kernel/rest/coerce.ts';
import { contextArg } from '../../kernel/rest/collection.ts';
import { createProjector, type Item, type Link } from '../../kernel/rest/item.ts';
import type { Namespace } from '../../kernel/rest/types.ts';
import { answer, type Answer, type Call } from '../../kernel/rest/types.ts';
import type { Params } from '../../kernel/rest/request.ts';
import { collectionRoutes } from '../../kernel/rest/collection-routes.ts';
import { findComment, mayCreateComment, mayDeleteComment, mayReadComment, mayUpdateComment } from './access.ts';
import { authorNamed } from '../named-ids/record.ts';
import { commentListArgs, keyOf, listComments, mayListComments } from './list.ts';
import { forceArg, viewOf } from '../posts/routes.ts';
import { metaInput } from '../../kernel/rest/meta-input.ts';
import { inState } from '../../kernel/rest/preconditions.ts';
import { addedChanges, changesOf, created, inputFrom, isGiven, removed } from '../../kernel/rest/write-input.ts';

const line: Partial<Arg> = { validate: bySchema, coerce: (value) => cleanText(scalarText(value)) };
const hooks: Readonly<Record<string, Partial<Arg>>> = {
  author: { named: authorNamed },
  author_email: { validate: (value, request, param, arg) => (value === '' ? null : bySchema(value, request, param, arg)) },
  author_name: line,
  author_user_agent: line,
  content: asSent,
  status: { validate: bySchema, coerce: (value) => keyOf(value) },
  meta: metaAsSent,
};
const passwordArg: Args = {
  password: of('string', 'The password for the parent post of the comment (if the post is password protected).'),
};

/** Collection and item routes. */
export function commentRoutes(site: Site): Namespace['routes'] {
  const resource = createResource(site);
  const { schema, properties, item } = resource;
  return collectionRoutes({
    base: '/cms/v2/comments',
    schema,
    item: { id: of('integer', 'Unique identifier for the comment.') },
    list: { args: commentListArgs, lists: ['comment'], allow: mayListComments, handle: (call) => listComments(call, item) },
    create: { args: argsForCreate(properties, hooks), allow: mayCreateComment, handle: (call) => create(call, resource) },
    read: { args: { context: contextArg(), ...passwordArg }, allow: mayReadComment, handle: (call) => read(call, resource) },
    update: { args: argsForUpdate(properties, hooks), allow: mayUpdateComment, handle: (call) => update(call, resource) },
    remove: {
      args: { force: forceArg, ...passwordArg },
      allow: mayDeleteComment,
      handle: (call) => remove(call, resource),
    },
  });
}

/** What the routes share: the fields of comments and those of modules. */
interface CommentResource {
  readonly properties: Schemas;
  item(comment: CommentRecord, call: Call): Item;
  schema(call: Call): Schema & Params;
  /** The change a write stands for. */
  input(call: Call, before?: CommentRecord): CommentInput;
}

function createResource(site: Site): CommentResource {
  const fields = fieldsOfComments(site);
  const extension = site.modules.extension(['comment'], ['fields']);
  const properties = schemasOf(fields);
  const project = createProjector<CommentRecord, CommentView>({
    isWhole: true,
    fields,
    links: (comment, _view, call) => Object.assign(commentLinks(comment, call), extension.links(comment, call)),
  });
  return {
    properties,
    item(comment, call) {
      const { dialect } = call.request;
      const view = createCommentView(call.site, { postLink: viewOf(call).link, word: (name) => dialect.wireName(name) });
      return project(comment, view, call);
    },
    schema: (call) => ({ ...commentSchema(call, properties), ...extension.schema(call) }),
    input: (call, before) => ({ ...inputOf(call), ...addedChanges(call, extension, before) }),
  };
}

function commentLinks(comment: CommentRecord, { site, urls, request }: Call): Record<string, readonly Link[]> {
  const links: Record<string, readonly Link[]> = {
    self: [{ href: urls.rest(`/cms/v2/comments/${comment.id}`) }],
    collection: [{ href: urls.rest('/cms/v2/comments') }],
  };
  if (comment.author > 0) links.author = [{ embeddable: true, href: urls.rest(`/cms/v2/users/${comment.author}`) }];
  const post = site.posts.get(comment.post);
  const type = site.types.get(post?.type ?? '');
  if (post && type?.showInRest) {
    const href = urls.rest(`/${type.restNamespace}/${type.restBase}/${post.id}`);
    links.up = [{ embeddable: true, post_type: request.dialect.wireName(post.type), href }];
  }
  if (comment.parent > 0) links['in-reply-to'] = [{ embeddable: true, href: urls.rest(`/cms/v2/comments/${comment.parent}`) }];
  if (hasReplies(site, comment.id)) {
    // Lists leave notes, and what is not approved, out unless asked.
    const more = comment.type === 'note' ? '&type=note&status=all' : '';
    links.children = [{ embeddable: true, href: urls.rest(`/cms/v2/comments?parent=${comment.id}${more}`) }];
  }
  return links;
}

function read(call: Call, { item }: CommentResource): Answer {
  const comment = findComment(call, call.params.id);
  return answer(item(comment, call), { state: comment.etag });
}

async function create(call: Call, resource: CommentResource): Promise<Answer> {
  const { site, user, params } = call;
  if (params.id) fail('rest_comment_exists');
  const type = (params.type as string | undefined) || 'comment';
  if (type !== 'comment' && type !== 'note') fail('rest_invalid_comment_type');
  const meta = metaOf(call, { id: 0, post: Number(params.post) }, {});
  const id = await createComment(site, user, { ...resource.input(call), ...meta, type, post: params.post as number });
  const { data, state } = answered(call, resource, id, call.can('moderate_comments') ? 'edit' : 'view');
  return created(call, `/cms/v2/comments/${id}`, data, state);
}

async function update(call: Call, resource: CommentResource): Promise<Answer> {
  const comment = findComment(call, call.params.id);
  const { type } = call.params;
  if (type !== undefined && type !== comment.type) fail('rest_comment_invalid_type');
  inState(call, comment);
  const meta = metaOf(call, comment, comment.meta);
  await updateComment(call.site, call.user, comment.id, { ...resource.input(call, comment), ...meta });
  return answered(call, resource, comment.id, 'edit');
}

async function remove(call: Call, resource: CommentResource): Promise<unknown> {
  const comment = findComment(call, call.params.id);
  inState(call, comment);
  if (!call.params.force) return answered(call, resource, await trashComment(call.site, comment.id), 'edit');
  return removed(resource.item(comment, { ...call, context: 'edit' }), () => deleteComment(call.site, comment.id));
}

/**
 * The answer to a write. As in the reference the request counts from here on as one in that context, which shows in `Allow`:
 * an author who may change comments on their posts, but does not moderate, could not read them so.
 */
function answered(call: Call, { item }: CommentResource, id: number, context: Context): Answer {
  (call.params as Record<string, unknown>).context = context;
  const comment = findComment(call, id);
  return answer(item(comment, { ...call, context }), { state: comment.etag });
}

/** Parameters that the file does not hold as they are. */
const inputs: Readonly<Record<string, keyof CommentInput>> = { author_email: 'email', status: 'status' };

/** The change a write stands for. A new comment has the address it came from. */
function inputOf(call: Call): CommentInput {
  const { params, site, request, can } = call;
  const changes = changesOf<CommentRecord>(call, commentFields, undefined) as CommentInput;
  const input: Record<string, unknown> = { ...changes, ...inputFrom<CommentInput>(params, inputs) };
  if (isGiven(params.author_ip) && can('moderate_comments')) input.ip = params.author_ip;
  else if (params.id === undefined) input.ip = request.ip ?? '127.0.0.1';
  const agent = params.author_user_agent || request.headers['user-agent'];
  if (agent) input.agent = agent;
  const dates = resolveDates({ date: params.date || undefined, date_gmt: params.date_gmt || undefined }, site.zone);
  if (dates) input.date = dates;
  return input;
}

/** Registered meta of a write, for those who may edit the comment. @throws RestError rest_cannot_update, and the code of a schema's check */
function metaOf(
  call: Call,
  comment: Pick<CommentRecord, 'id' | 'post'>,
  stored: CommentRecord['meta'],
): Pick<CommentInput, 'meta'> {
  const { dialect } = call.request;
  const given = (call.params.meta ?? {}) as Readonly<Record<string, unknown>>;
  const schemas = commentMeta(call.site);
  const named = Object.keys(schemas).filter((name) => Object.hasOwn(given, dialect.wireName(name)));
  if (named.length === 0) return {};
  if (!call.can('edit_comment', comment))
    fail(
      'rest_cannot_update',
      {},
      `Sorry, you are not allowed to edit the ${dialect.wireName(named[0] as string)} custom field.`,
    );
  return { meta: metaInput(schemas, Object.fromEntries(named.map((name) => [name, given[dialect.wireName(name)]])), stored) };
}

function commentSchema({ site, request }: Call, properties: Schemas): Schema & Params {
  const known = Object.entries({ ...standardCommentMeta, ...site.meta.comment });
  const meta = Object.fromEntries(known.map(([name, schema]) => [request.dialect.wireName(name), schema]));
  return resourceSchema('comment', { ...properties, meta: { ...properties.meta, properties: meta } });
}
