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
import { type ErrorCode, fail } from '../../kernel/errors.ts';
import type { Extended } from '../../kernel/extended.ts';
import type { Site } from '../../kernel/site/site.ts';
import { commentFields, standardCommentMeta, fieldsOfComments } from './fields.ts';
import type { CommentRecord, CommentView } from './record.ts';
import { resolveDates } from '../../kernel/model/dates.ts';
import { type Context, of, resourceSchema, type Schema, type Schemas } from '../../kernel/model/schema.ts';
import { scalarText } from '../../kernel/model/scalars.ts';
import { type Arg, type Args, asSent, bySchema, metaAsSent } from '../../kernel/rest/args.ts';
import { cleanText } from '../../kernel/rest/coerce.ts';
import { contextArg } from '../../kernel/rest/collection.ts';
import type { Link } from '../../kernel/rest/item.ts';
import type { Namespace } from '../../kernel/rest/types.ts';
import type { Call } from '../../kernel/rest/types.ts';
import type { Params } from '../../kernel/rest/request.ts';
import { collection, defineResource, gone, item, made, type RouteLinks } from '../../kernel/rest/resource.ts';
import { findComment, mayCreateComment, mayDeleteComment, mayReadComment, mayUpdateComment } from './access.ts';
import { authorNamed } from '../content/named-ids/record.ts';
import { commentListArgs, keyOf, listComments, mayListComments } from './list.ts';
import { forceArg, viewOf } from '../content/posts/index.ts';
import { validateValue } from '../../kernel/rest/validate.ts';
import { metaInput } from '../../kernel/rest/meta-input.ts';
import { inState } from '../../kernel/rest/preconditions.ts';
import { addedChanges, changesOf, inputFrom, isGiven } from '../../kernel/rest/write-input.ts';

const base = '/cms/v2/comments';
const line: Partial<Arg> = { validate: bySchema, coerce: (value) => cleanText(scalarText(value)) };
const hooks: Readonly<Record<string, Partial<Arg>>> = {
  author: { named: authorNamed },
  // Validated last (observed).
  author_email: { validate: false, coerce: readEmail },
  author_name: line,
  author_user_agent: line,
  content: asSent,
  status: { validate: bySchema, coerce: (value) => keyOf(value) },
  meta: metaAsSent,
};

/** @throws RestError rest_invalid_type, rest_invalid_email */
function readEmail(value: unknown, _request: unknown, param: string, arg: Arg): unknown {
  const wrong = value === '' || value === null ? null : validateValue(value, arg, param);
  if (wrong) fail(wrong.code as ErrorCode, wrong.data ?? {}, wrong.message);
  return value;
}

const passwordArg: Args = {
  password: of('string', 'The password for the parent post of the comment (if the post is password protected).'),
};

export function commentRoutes(site: Site): Namespace['routes'] {
  const extension = site.modules.extension(['comment'], ['fields']);
  const inEdit = (): Context => 'edit';
  return defineResource<CommentRecord, CommentView>({
    name: 'comment',
    base,
    fields: fieldsOfComments(site),
    view: (call) =>
      createCommentView(call.site, { postLink: viewOf(call).link, word: (name) => call.request.dialect.wireName(name) }),
    links: commentLinks,
    extension,
    hooks,
    schema: commentSchema,
    state: ({ etag }) => etag,
    isWhole: true,
    params: { id: of('integer', 'Unique identifier for the comment.') },
    routes: [
      collection({
        read: { args: commentListArgs, lists: ['comment'], allow: mayListComments, handle: listComments },
        create: {
          args: 'writable',
          allow: mayCreateComment,
          context: (call) => (call.can('moderate_comments') ? 'edit' : 'view'),
          handle: (call) => create(call, extension),
        },
      }),
      item('(?P<id>[\\d]+)', {
        read: { args: { context: contextArg(), ...passwordArg }, allow: mayReadComment, handle: find },
        // The edit context would be refused to authors who may change comments on their posts but not moderate.
        update: { args: 'writable', allow: mayUpdateComment, context: inEdit, handle: (call) => update(call, extension) },
        remove: { args: { force: forceArg, ...passwordArg }, allow: mayDeleteComment, context: inEdit, handle: remove },
      }),
    ],
  });
}

function commentLinks(comment: CommentRecord, { site, request }: Call): RouteLinks {
  const post = site.posts.get(comment.post);
  const type = site.types.get(post?.type ?? '');
  // By default, lists exclude notes and unapproved comments.
  const more = comment.type === 'note' ? '&type=note&status=all' : '';
  return {
    self: `${base}/${comment.id}`,
    collection: base,
    ...(comment.author > 0 && { author: embeddable(`/cms/v2/users/${comment.author}`) }),
    ...(post && type?.showInRest
      ? {
          up: {
            embeddable: true,
            post_type: request.dialect.wireName(post.type),
            href: `/${type.restNamespace}/${type.restBase}/${post.id}`,
          },
        }
      : {}),
    ...(comment.parent > 0 && { 'in-reply-to': embeddable(`${base}/${comment.parent}`) }),
    ...(hasReplies(site, comment.id) && { children: embeddable(`${base}?parent=${comment.id}${more}`) }),
  };
}

const embeddable = (href: string): Link => ({ embeddable: true, href });

const find = (call: Call): CommentRecord => findComment(call, call.params.id);

async function create(call: Call, extension: Extended) {
  const { site, user, params } = call;
  if (params.id) fail('rest_comment_exists');
  const type = (params.type as string | undefined) || 'comment';
  if (type !== 'comment' && type !== 'note') fail('rest_invalid_comment_type');
  const meta = metaOf(call, { id: 0, post: Number(params.post) }, {});
  const input = { ...inputOf(call), ...addedChanges(call, extension, undefined), ...meta };
  const id = await createComment(site, user, { ...input, type, post: params.post as number });
  return made(findComment(call, id), { Location: call.urls.rest(`${base}/${id}`) });
}

async function update(call: Call, extension: Extended): Promise<CommentRecord> {
  const comment = find(call);
  const { type } = call.params;
  if (type !== undefined && type !== comment.type) fail('rest_comment_invalid_type');
  inState(call, comment);
  const meta = metaOf(call, comment, comment.meta);
  const input = { ...inputOf(call), ...addedChanges(call, extension, comment), ...meta };
  await updateComment(call.site, call.user, comment.id, input);
  return find(call);
}

async function remove(call: Call) {
  const comment = inState(call, find(call));
  if (call.params.force) return gone(comment, () => deleteComment(call.site, comment.id));
  return findComment(call, await trashComment(call.site, comment.id));
}

/** Parameters that need conversion. */
const inputs: Readonly<Record<string, keyof CommentInput>> = { author_email: 'email', status: 'status' };

/** The input of a write. A new comment has the IP address of the request. */
function inputOf(call: Call): CommentInput {
  const { params, site, request, can } = call;
  const isNew = params.id === undefined;
  const changes = changesOf<CommentRecord>(call, commentFields, undefined) as CommentInput;
  const input: Record<string, unknown> = { ...changes, ...inputFrom<CommentInput>(params, inputs) };
  if (isGiven(params.author_ip) && can('moderate_comments')) input.ip = params.author_ip;
  else if (isNew) input.ip = request.ip ?? '127.0.0.1';
  const agent = params.author_user_agent || request.headers['user-agent'];
  if (agent) input.agent = agent;
  if (isNew && request.headers.referer) input.referrer = request.headers.referer;
  const dates = resolveDates({ date: params.date || undefined, date_gmt: params.date_gmt || undefined }, site.zone);
  if (dates) input.date = dates;
  return input;
}

/** Registered meta of a write, for users who may edit the comment. @throws RestError rest_cannot_update, and the code of a schema's check */
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
