/**
 * The list of comments: its arguments, permissions and query.
 *
 * Comments that the caller may not read are left out of the page but counted, as in the reference, except in searches by text or email address, where
 * a count would reveal them. Email and IP addresses are searched for moderators only.
 * Source: the reference's route catalogue and its behaviour (6.9).
 */
import { table } from '../../kernel/model/maps.ts';
import type { CommentRecord } from './record.ts';
import { parseDateTime, resolveDates } from '../../kernel/model/dates.ts';
import { of } from '../../kernel/model/schema.ts';
import { scalarText } from '../../kernel/model/scalars.ts';
import type { Clause, Sort } from '../../kernel/records/types.ts';
import type { Site } from '../../kernel/site/site.ts';
import { type Args, bySchema } from '../../kernel/rest/args.ts';
import { collectionArgs, dateArg, idList } from '../../kernel/rest/collection.ts';
import { RecordPage } from '../../kernel/rest/resource.ts';
import type { Call, Refusal } from '../../kernel/rest/types.ts';
import { canReadComment, canReadCommented, hasNotes } from './access.ts';

const wordArg = (fallback: string, description: string) => ({
  description,
  default: fallback,
  type: 'string' as const,
  validate: bySchema,
  coerce: (value: unknown) => keyOf(value),
});
const ids = (description: string) => of('array', description, { items: { type: 'integer' as const } });

export const commentListArgs: Args = {
  ...collectionArgs({
    order: 'desc',
    orderby: 'date_gmt',
    keys: ['date', 'date_gmt', 'id', 'include', 'post', 'parent', 'type'],
    beforeIds: {
      after: dateArg('Limit response to comments published after a given ISO8601 compliant date.'),
      author: ids('Limit result set to comments assigned to specific user IDs. Requires authorization.'),
      author_exclude: ids('Ensure result set excludes comments assigned to specific user IDs. Requires authorization.'),
      author_email: {
        description: 'Limit result set to that from a specific author email. Requires authorization.',
        default: null,
        format: 'email',
        type: 'string',
      },
      before: dateArg('Limit response to comments published before a given ISO8601 compliant date.'),
    },
  }),
  parent: idList('Limit result set to comments of specific parent IDs.'),
  parent_exclude: idList('Ensure result set excludes specific parent IDs.'),
  post: idList('Limit result set to comments assigned to specific post IDs.'),
  status: wordArg('approve', 'Limit result set to comments assigned a specific status. Requires authorization.'),
  type: wordArg('comment', 'Limit result set to comments assigned a specific type. Requires authorization.'),
  password: of('string', 'The password for the post if it is password protected.'),
};

/** Approved comments on readable posts are public. The rest requires the right to edit posts; the edit context, to moderate. */
export function mayListComments(call: Call): Refusal | null {
  const { params, site } = call;
  const isNote = params.type === 'note';
  const posts = (Array.isArray(params.post) ? params.post : params.post ? [params.post] : []) as readonly number[];
  for (const id of posts) {
    const post = site.posts.get(Number(id));
    if (post && !canReadCommented(call, post)) return 'rest_cannot_read_post';
    if (Number(id) === 0 && !call.can('moderate_comments')) {
      return { code: 'rest_cannot_read', message: 'Sorry, you are not allowed to read comments without a post.' };
    }
    if (post && isNote && !hasNotes(site.types.get(post.type))) {
      return call.can('edit_post', post) ? 'rest_comment_not_supported_post_type' : 'rest_forbidden_param';
    }
  }
  if (call.context === 'edit') {
    const mayEdit =
      isNote && posts.length > 0 ? posts.every((id) => call.can('edit_post', Number(id))) : call.can('moderate_comments');
    if (!mayEdit) return { code: 'rest_forbidden_context', message: 'Sorry, you are not allowed to edit comments.' };
  }
  if (call.can('edit_posts')) return null;
  const forbidden = [
    ...['author', 'author_exclude', 'author_email'].filter((name) => isGiven(params[name])),
    ...(params.type === 'comment' ? [] : ['type']),
    ...(params.status === 'approve' ? [] : ['status']),
  ];
  return forbidden.length === 0
    ? null
    : { code: 'rest_forbidden_param', message: `Query parameter not permitted: ${forbidden.join(', ')}` };
}

/** Normalizes a word: lower case, without other characters. */
export function keyOf(value: unknown): string {
  return scalarText(value)
    .toLowerCase()
    .replace(/[^a-z\d_-]/g, '');
}

export async function listComments(call: Call): Promise<RecordPage<CommentRecord>> {
  const { params, site } = call;
  const perPage = params.per_page as number;
  const page = params.page as number;
  const offset = params.offset ? Math.abs(params.offset as number) : (page - 1) * perPage;
  const { records, total } = await site.comments.find({ where: clausesOf(call), sort: sortOf(call), offset, limit: perPage });
  const shown = records.filter((comment) => canReadComment(call, comment));
  return new RecordPage(shown, total, { page, perPage, offset });
}

/** Parameter → index, and whether it excludes. */
const lists: readonly (readonly [string, string, { readonly not?: true }])[] = [
  ['author', 'author', {}],
  ['author_exclude', 'author', { not: true }],
  ['parent', 'parent', {}],
  ['parent_exclude', 'parent', { not: true }],
  ['post', 'post', {}],
];

function clausesOf(call: Call): Clause[] {
  const { params, site } = call;
  const clauses: Clause[] = [
    ...statusClauses(call),
    ...typeClauses(params.type as string),
    ...site.modules.extension(['comment']).where(call),
  ];
  if (isGiven(params.include)) clauses.push({ kind: 'ids', values: params.include.map(Math.abs) });
  if (isGiven(params.exclude)) clauses.push({ kind: 'ids', values: params.exclude.map(Math.abs), not: true });
  for (const [name, index, how] of lists) {
    if (isGiven(params[name])) clauses.push({ kind: 'in', index, values: params[name].map(Math.abs), ...how });
  }
  const [after, before] = [boundOf(params.after, site.zone), boundOf(params.before, site.zone)];
  if (after || before) clauses.push({ kind: 'range', order: 'date', ...(after ? { after } : {}), ...(before ? { before } : {}) });
  const telling = [...emailClauses(call), ...searchClauses(call)];
  if (telling.length === 0) return clauses;
  const readable: Clause = {
    kind: 'test',
    test: ((comment: CommentRecord) => canReadComment(call, comment)) as (record: never) => boolean,
  };
  return [...clauses, ...telling, readable];
}

/** Status filter → stored statuses. */
const states: Readonly<Record<string, readonly string[]>> = table({
  '': ['approved', 'hold'],
  all: ['approved', 'hold'],
  approve: ['approved'],
  '1': ['approved'],
  hold: ['hold'],
  '0': ['hold'],
  spam: ['spam'],
  trash: ['trash'],
});

/** Comments on trashed posts have no status but their own. */
function statusClauses({ params, site }: Call): Clause[] {
  const status = params.status as string;
  if (status === 'any') return [];
  const gone = [...site.posts.with('status', 'trash')].filter((id) => site.comments.count('post', id) > 0);
  if (status === 'post-trashed') return [{ kind: 'in', index: 'post', values: gone }];
  const wanted: Clause = {
    kind: 'in',
    index: 'status',
    values: (Object.hasOwn(states, status) ? states[status] : undefined) ?? [],
  };
  return gone.length === 0 ? [wanted] : [wanted, { kind: 'in', index: 'post', values: gone, not: true }];
}

/** Type filters that are not types. */
const families: Readonly<Record<string, readonly string[]>> = table({ comments: ['comment'], pings: ['pingback', 'trackback'] });

/** Notes are only listed on request. */
function typeClauses(type: string): Clause[] {
  if (type === 'all') return [];
  if (type === '') return [{ kind: 'in', index: 'type', values: ['note'], not: true }];
  return [{ kind: 'in', index: 'type', values: (Object.hasOwn(families, type) ? families[type] : undefined) ?? [type] }];
}

function emailClauses({ params, site }: Call): Clause[] {
  const email = params.author_email as string | null | undefined;
  if (!email) return [];
  const user = site.accounts.byEmail(email)?.id;
  const unsaid =
    user === undefined ? [] : [...site.comments.with('author', user)].filter((id) => site.commenters.get(id) === undefined);
  return [{ kind: 'ids', values: [...site.commenters.withEmail(email), ...unsaid] }];
}

/** Searches the text, name and URL, and private data for moderators. */
function searchClauses(call: Call): Clause[] {
  const { params, site } = call;
  const text = params.search as string | undefined;
  if (!text) return [];
  const find = (columns: readonly string[]): Clause => ({ kind: 'search', columns, words: [text], without: [] });
  const people = site.users.query({ where: [find(['name', 'url'])], sort: { by: 'id', direction: 'asc' }, offset: 0 });
  const of: Clause[][] = [
    [find(['content', 'author_name', 'author_url'])],
    [{ kind: 'ids', values: people.records.flatMap(({ id }) => followers(site, id)) }],
    ...(call.can('moderate_comments') ? [[{ kind: 'ids' as const, values: site.commenters.containing(text) }]] : []),
  ];
  return [{ kind: 'any', of }];
}

/** Comments with the name of a user's profile. */
function followers(site: Site, user: number): number[] {
  return [...site.comments.with('author', user)].filter((id) => site.comments.get(id)?.name === null);
}

/** Newest first; by date, ties use the id in the same direction, otherwise the later id first. */
function sortOf({ params }: Call): Sort {
  const direction = params.order as 'asc' | 'desc';
  const { orderby, include } = params;
  if (orderby === 'include') return isGiven(include) ? { by: include, direction: 'asc' } : { by: 'id', direction: 'desc' };
  if (orderby === 'post' || orderby === 'parent' || orderby === 'type')
    return { by: orderby, direction, then: [{ by: 'id', direction: 'desc' }] };
  return { by: orderby as string, direction };
}

/** A bound as site time. */
function boundOf(value: unknown, zone: string): string | undefined {
  const parsed = typeof value === 'string' ? parseDateTime(value) : null;
  // Extreme dates have no time zone.
  if (parsed && /^(?:-|0000|9999)/.test(parsed.local)) return parsed.local;
  return parsed ? resolveDates({ date: value, date_gmt: undefined }, zone)?.local : undefined;
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}
