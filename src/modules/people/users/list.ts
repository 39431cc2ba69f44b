/**
 * The list of users: its arguments, permissions and query.
 *
 * Source: the reference's route catalogue and its behaviour (6.9): `include` overrides `exclude`, `roles` and `capabilities` are alternatives, a
 * search without columns picks them from its text.
 */
import { table } from '../../../kernel/model/maps.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { of } from '../../../kernel/model/schema.ts';
import type { PostType } from '../../types/record.ts';
import { standardTypes } from '../../types/index.ts';
import type { UserRecord } from './record.ts';
import { scalarText } from '../../../kernel/model/scalars.ts';
import type { Clause, Sort } from '../../../kernel/records/types.ts';
import type { Args } from '../../../kernel/rest/args.ts';
import { cleanText, coerceValue } from '../../../kernel/rest/coerce.ts';
import { collectionArgs, slugsArg } from '../../../kernel/rest/collection.ts';
import { RecordPage } from '../../../kernel/rest/resource.ts';
import type { Call, Refusal } from '../../../kernel/rest/types.ts';
import { readList, validateValue } from '../../../kernel/rest/validate.ts';
import { fail } from '../../../kernel/errors.ts';

/** `orderby` → sort key; `include` and `include_slugs` use the order of the request. */
const orders: Readonly<Record<string, string>> = table({
  id: 'id',
  name: 'name',
  registered_date: 'registered_date',
  slug: 'slug',
  email: 'email',
  url: 'url',
});

const columns = ['email', 'name', 'id', 'username', 'slug'] as const;
type Column = (typeof columns)[number] | 'url';

const typeNames = standardTypes.filter(({ showInRest }) => showInRest).map(({ name }) => name);

export const userListArgs: Args = {
  ...collectionArgs({
    order: 'asc',
    orderby: 'name',
    keys: ['id', 'include', 'name', 'registered_date', 'slug', 'include_slugs', 'email', 'url'],
  }),
  slug: { ...slugsArg, description: 'Limit result set to users with one or more specific slugs.' },
  roles: of('array', 'Limit result set to users that have one of these roles.', { items: { type: 'string' } }),
  capabilities: of('array', 'Limit result set to users that have one of these capabilities.', { items: { type: 'string' } }),
  who: of('string', 'Limit result set to users who are considered authors.', { enum: ['authors'] }),
  has_published_posts: {
    ...of(['boolean', 'array'], 'Limit result set to users who have published posts.', {
      items: { type: 'string', enum: Object.fromEntries(typeNames.map((name) => [name, name])) },
    }),
    validate: false,
    coerce(value, { dialect }, param, arg) {
      const neutral = neutralTypes(value, dialect.readWord);
      const problem = validateValue(neutral, arg, param);
      if (problem) fail(problem.code as never, problem.data ?? {}, problem.message.replace(/\w+/g, dialect.wireName));
      return coerceValue(neutral, arg, param);
    },
  },
  search_columns: {
    description: 'Columns to be searched.',
    default: [],
    type: 'array',
    items: { enum: columns, type: 'string' },
  },
};

/** A list of types by neutral names; other values unchanged. */
function neutralTypes(value: unknown, readWord: (word: string) => string): unknown {
  const list = typeof value === 'boolean' ? null : readList(value);
  const read = list?.map((one) => (typeof one === 'string' ? readWord(one) : one));
  return read?.some((one, at) => one !== list?.[at]) ? read : value;
}

/** Without list_users only authors are listed, and neither sorted nor filtered by private data. */
export function mayListUsers(call: Call): Refusal | null {
  const { roles, capabilities, orderby, who } = call.params;
  if (!call.can('list_users')) {
    if (isGiven(roles) || isGiven(capabilities)) return 'rest_user_cannot_view';
    if (call.context === 'edit') return 'rest_forbidden_context';
    if (orderby === 'email' || orderby === 'registered_date') return 'rest_forbidden_orderby';
  }
  if (who !== 'authors') return null;
  return shownTypes(call.site).some((type) => type.supports.author && call.can(type.capabilities.edit_posts))
    ? null
    : 'rest_forbidden_who';
}

export async function listUsers(call: Call): Promise<RecordPage<UserRecord>> {
  const { params, site } = call;
  const perPage = params.per_page as number;
  const asked = (params.offset as number | undefined) || (params.page - 1) * perPage;
  const offset = Math.max(0, asked);
  const { records, total } = await site.users.find({ where: clausesOf(call), sort: sortOf(call), offset, limit: perPage });
  // (Observed: a negative offset lists nobody and counts all.)
  return new RecordPage(asked < 0 ? [] : records, total, { page: Math.ceil(offset / perPage + 1), perPage, offset });
}

export function shownTypes(site: Pick<Site, 'types'>): PostType[] {
  return [...site.types.values()].filter(({ showInRest }) => showInRest);
}

/** Whether a user has published items of one of the types; `hidden` includes private posts that the caller may read. */
export function hasPosts(
  { site, can }: Pick<Call, 'site' | 'can'>,
  id: number,
  types: readonly PostType[],
  { hidden = false } = {},
): boolean {
  if (site.posts.count('author', id) === 0) return false;
  const having = (status: string, some: readonly PostType[]): Clause[] => [
    { kind: 'in', index: 'type', values: some.map(({ name }) => name) },
    { kind: 'in', index: 'status', values: [status] },
  ];
  const secret = types.filter((type) => hidden && can(type.capabilities.read_private_posts));
  const where: Clause[] = [
    { kind: 'in', index: 'author', values: [id] },
    { kind: 'any', of: [having('publish', types), having('private', secret)] },
  ];
  return site.posts.query({ where, sort: { by: 'id', direction: 'asc' }, offset: 0, limit: 0 }).total > 0;
}

function clausesOf(call: Call): Clause[] {
  const { params, site } = call;
  const clauses: Clause[] = [];
  if (isGiven(params.include)) clauses.push({ kind: 'ids', values: params.include });
  else if (isGiven(params.exclude)) clauses.push({ kind: 'ids', values: params.exclude, not: true });
  if (isGiven(params.slug))
    clauses.push({ kind: 'in', index: 'slug', values: params.slug.map((slug: string) => slug.toLowerCase()) });
  const roles = [...(params.roles ?? []), ...rolesWith(site, params.capabilities ?? [])] as string[];
  const withRoles = (values: readonly string[]): Clause => ({ kind: 'in', index: 'roles', values });
  if (isGiven(params.roles) || isGiven(params.capabilities)) {
    const own = withRoles(roles.map((role) => role.toLowerCase()));
    clauses.push(params.capabilities?.includes('edit_posts') ? orNamed(site, own) : own);
  }
  if (params.who === 'authors') clauses.push(orNamed(site, withRoles(rolesWith(site, levels))));
  const types = publishedTypes(call);
  if (types)
    clauses.push({ kind: 'test', test: (({ id }: UserRecord) => hasPosts(call, id, types)) as (record: never) => boolean });
  return [...clauses, ...searchClauses(call), ...site.modules.extension(['user']).where(call)];
}

/** Includes profiles without an account that posts name: clients use these lists to select authors. */
function orNamed({ accounts, posts }: Site, clause: Clause): Clause {
  const test = ({ id }: UserRecord): boolean => posts.count('author', id) > 0 && !accounts.get(id);
  return { kind: 'any', of: [[clause], [{ kind: 'test', test: test as (record: never) => boolean }]] };
}

/** Types of which a listed user must have published items; null: not requested. */
function publishedTypes({ params, site, can }: Call): PostType[] | null {
  const asked = params.has_published_posts as boolean | readonly string[] | undefined;
  const shown = shownTypes(site);
  if (Array.isArray(asked) && asked.length > 0) return shown.filter(({ name }) => asked.includes(name));
  return asked === true || (params.who !== 'authors' && !can('list_users')) ? shown : null;
}

/** Levels above a subscriber's, which distinguish authors from readers. */
const levels = Array.from({ length: 10 }, (_, at) => `level_${at + 1}`);

/** The capabilities, which a user may have personally, and the roles with one of them. */
function rolesWith(site: Site, capabilities: readonly string[]): string[] {
  const roles = [...site.access.roles.values()].filter((role) => capabilities.some((name) => role.capabilities.includes(name)));
  return [...roles.map(({ name }) => name), ...capabilities];
}

function searchClauses(call: Call): Clause[] {
  const text = cleanText(scalarText(call.params.search)).replace(/^\*+|\*+$/g, '');
  if (text === '') return [];
  const searched = searchedColumns(call, text);
  const found: Clause[][] = [];
  const texts = searched.filter((column) => column !== 'id');
  if (texts.length > 0) found.push([{ kind: 'search', columns: texts, words: [text], without: [] }]);
  if (searched.includes('id')) found.push([{ kind: 'ids', values: [Number(/^\s*\d+/.exec(text)?.[0] ?? 0)] }]);
  return found.length === 1 ? (found[0] as Clause[]) : [{ kind: 'any', of: found }];
}

/** Email addresses are only searched for users with list_users. */
function searchedColumns({ params, can }: Call, text: string): readonly Column[] {
  const asked = params.search_columns as readonly Column[];
  const open = columns.filter((column) => can('list_users') || column !== 'email');
  const chosen = open.filter((column) => asked.includes(column));
  if (chosen.length > 0) return chosen;
  if (!can('list_users')) return open;
  if (text.includes('@')) return ['email'];
  if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text)) return ['username', 'id'];
  return /^https?:\/\//.test(text) ? ['url'] : ['username', 'url', 'email', 'slug', 'name'];
}

function sortOf({ params, site }: Call): Sort {
  const direction = params.order as 'asc' | 'desc';
  const { orderby, include, slug } = params;
  if (orderby === 'include' && isGiven(include)) {
    return { by: direction === 'asc' ? include : [...include].reverse(), direction: 'asc' };
  }
  if (orderby === 'include_slugs' && isGiven(slug)) {
    return { by: slug.flatMap((name: string) => [...site.users.with('slug', name.toLowerCase())]), direction: 'asc' };
  }
  // Sort keys of modules keep their names.
  const own = typeof orderby === 'string' && orderby.includes('.') ? orderby : 'username';
  return { by: orders[orderby as string] ?? own, direction };
}

function isGiven(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}
