/** The list of posts: its parameters and queries (specification 4.1, 4.4, 4.5). */
import { table } from '../../../kernel/model/maps.ts';
import { fail } from '../../../kernel/errors.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { beforeAll, parseDateTime, shownLocal, toLocal, printGmt } from '../../../kernel/model/dates.ts';
import { itemsNamed } from '../named-ids/record.ts';
import { readSearch, relevance, type SearchTerms } from '../search/record.ts';
import { formats, type PostResource } from './record.ts';
import { slugify } from '../../../kernel/model/slugs.ts';
import { termArgs, termClauses, termQuery } from './terms.ts';
import { filterStatuses, type PostType, statusesOf } from '../../types/record.ts';
import type { Clause, ResultPage, Query, Sort } from '../../../kernel/records/types.ts';
import type { Arg, Args } from '../../../kernel/rest/args.ts';
import { coerceValue } from '../../../kernel/rest/coerce.ts';
import {
  contextArg,
  dateArg,
  excludeArg,
  idList,
  includeArg,
  offsetArg,
  orderArg,
  orderbyArg,
  pageArg,
  paging,
  perPageArg,
  searchArg,
  slugsArg,
} from '../../../kernel/rest/collection.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import { validateValue } from '../../../kernel/rest/validate.ts';

export const orders = ['author', 'date', 'id', 'include', 'modified', 'parent', 'relevance', 'slug', 'include_slugs', 'title'];
/** Column in the API → text index. */
const columns: Readonly<Record<string, string>> = table({
  post_title: 'title',
  post_content: 'content',
  post_excerpt: 'excerpt',
});

export function postListArgs(site: Site, { type, taxonomies }: PostResource): Args {
  const has = (feature: string): boolean => feature in type.supports;
  const paged = type.hierarchical || has('page-attributes');
  const parents = type.hierarchical ? { named: itemsNamed(type.name) } : {};
  return {
    context: contextArg(),
    page: pageArg,
    per_page: perPageArg,
    search: searchArg,
    after: dateArg('Limit response to posts published after a given ISO8601 compliant date.'),
    modified_after: dateArg('Limit response to posts modified after a given ISO8601 compliant date.'),
    ...(has('author')
      ? {
          author: idList('Limit result set to posts assigned to specific authors.'),
          author_exclude: idList('Ensure result set excludes posts assigned to specific authors.'),
        }
      : {}),
    before: dateArg('Limit response to posts published before a given ISO8601 compliant date.'),
    modified_before: dateArg('Limit response to posts modified before a given ISO8601 compliant date.'),
    exclude: excludeArg,
    include: includeArg,
    ...(paged
      ? { menu_order: { description: 'Limit result set to posts with a specific menu_order value.', type: 'integer' } }
      : {}),
    search_semantics: { description: 'How to interpret the search input.', type: 'string', enum: ['exact'] },
    offset: offsetArg,
    order: orderArg('desc'),
    orderby: orderbyArg('date', paged ? [...orders, 'menu_order'] : orders),
    ...(type.hierarchical || type.name === 'attachment'
      ? {
          parent: { ...idList('Limit result set to items with particular parent IDs.'), ...parents },
          parent_exclude: { ...idList('Limit result set to all items except those of a particular parent ID.'), ...parents },
        }
      : {}),
    search_columns: {
      description: 'Array of column names to be searched.',
      default: [],
      type: 'array',
      items: { enum: Object.keys(columns), type: 'string' },
    },
    slug: slugsArg,
    status: statusArg(site, type),
    ...termArgs(taxonomies),
    ...(type.name === 'post'
      ? {
          sticky: { description: 'Limit result set to items that are sticky.', type: 'boolean' },
          ignore_sticky: { description: 'Whether to ignore sticky posts or not.', type: 'boolean', default: true },
        }
      : {}),
    ...(has('post-formats')
      ? {
          format: {
            description: 'Limit result set to items assigned one or more given formats.',
            type: 'array',
            uniqueItems: true,
            items: { enum: formats, type: 'string' },
          },
        }
      : {}),
  };
}

/** Filters that some types lack, which then ignore them. */
const someFilters = ['author', 'author_exclude', 'format', 'menu_order', 'parent', 'parent_exclude', 'sticky', 'tax_relation'];

/** The call without filters that its route does not declare, because they are unchecked. */
export function withKnown(call: Call, args: Args): Call {
  const unknown = someFilters.filter((name) => !(name in args) && name in call.params);
  if (unknown.length === 0) return call;
  return { ...call, params: Object.fromEntries(Object.entries(call.params).filter(([name]) => !unknown.includes(name))) };
}

/**
 * The query of a list request. What the user may not see is a clause, so totals and pages reveal nothing.
 * @param isCounted  explicitly requested statuses count in full, as in the reference, and the list then omits what the user may not see; not for
 * searches, which would reveal content
 * @throws RestError rest_no_search_term_defined, rest_orderby_include_missing_include
 */
export function postQuery(call: Call, resource: PostResource, { isCounted = false } = {}): Query {
  const { params, site } = call;
  const { type } = resource;
  const orderby = params.orderby as string;
  const search = typeof params.search === 'string' ? params.search : '';
  const include = params.include as readonly number[];
  if (orderby === 'relevance' && search === '') fail('rest_no_search_term_defined');
  if (orderby === 'include' && include.length === 0) fail('rest_orderby_include_missing_include');
  const isWhole = isCounted && search === '';
  const where: Clause[] = [{ kind: 'in', index: 'type', values: [type.name] }, ...visible(call, resource, isWhole)];
  const isIn = (index: string, values: readonly (string | number)[] | undefined, not = false): void => {
    if (values && values.length > 0) where.push({ kind: 'in', index, values, ...(not ? { not } : {}) });
  };
  // Of two contradicting parameters one wins: excluded authors, parents and included ids (observed).
  if (params.author_exclude?.length > 0) isIn('author', absolute(params.author_exclude), true);
  else isIn('author', absolute(params.author));
  if (params.parent?.length > 0) isIn('parent', absolute(params.parent));
  else isIn('parent', absolute(params.parent_exclude), true);
  isIn('slug', slugsOf(call));
  where.push(...site.addresses.postsAsked(params));
  if (params.menu_order !== undefined) isIn('menu_order', [params.menu_order]);
  if (include.length > 0) where.push({ kind: 'ids', values: absolute(include) });
  where.push(
    ...between('date', params.after, params.before, site.zone),
    ...between('modified', params.modified_after, params.modified_before, site.zone),
  );
  where.push(...termClauses(call, resource), ...resource.extension.where(call));
  if (params.sticky) isIn('sticky', [1]);
  else if (include.length === 0) {
    if (params.exclude.length > 0) where.push({ kind: 'ids', values: absolute(params.exclude), not: true });
    if (params.sticky === false) isIn('sticky', [0]);
  }
  const words = search === '' ? null : readSearch(search, params.search_semantics === 'exact');
  if (words) {
    const chosen = (params.search_columns as readonly string[]).map((column) => columns[column] as string);
    where.push(
      { kind: 'search', columns: chosen.length > 0 ? chosen : Object.values(columns), ...words },
      ...searchable(call, type),
    );
  }
  const { offset, perPage } = paging(call);
  return { where, sort: sortOf(call, words), offset, limit: perPage };
}

/** The total of a list: the reference does not count if nothing is behind the offset. */
export function countedOf({ params }: Call, { records, total }: ResultPage<unknown>): number {
  return records.length === 0 && params.offset ? 0 : total;
}

/** Whether sticky posts come first on this page: requested, and the list is not an archive or a search. */
export function leadsWithSticky({ params }: Call, { type, taxonomies }: PostResource): boolean {
  const isNarrowed =
    params.include.length > 0 ||
    params.sticky ||
    (params.search ?? '') !== '' ||
    params.format?.length > 0 ||
    taxonomies.some(({ restBase }) => (termQuery(params[restBase])?.terms.length ?? 0) > 0);
  return type.name === 'post' && params.ignore_sticky === false && params.page === 1 && !isNarrowed;
}

const absolute = (ids: readonly number[] | undefined): readonly number[] => (ids ?? []).map(Math.abs);

/** The requested statuses that the user may see. */
function visible(call: Call, { type }: PostResource, isWhole: boolean): Clause[] {
  const { site, user, params } = call;
  if (type.capabilities.read !== 'read' && !call.can(type.capabilities.read)) return [{ kind: 'ids', values: [] }];
  const asked = statusesAsked(call, type);
  const statuses = asked.includes('any') ? anyStatus(site, asked) : asked;
  if (isWhole && (params.status as readonly string[] | undefined)?.length)
    return [{ kind: 'in', index: 'status', values: statuses }];
  const { edit_others_posts: others, read_private_posts: secret } = type.capabilities;
  const open = statuses.filter((status) => {
    // Public items count for everyone, even if only some are listed.
    if (status === 'publish') return true;
    if (status === 'inherit') return call.context !== 'edit' || call.can(others);
    return status === 'private' ? call.can(secret) && (call.context !== 'edit' || call.can(others)) : call.can(others);
  });
  const own = user === null ? [] : statuses.filter((status) => !open.includes(status));
  const branches: Clause[][] = [
    [{ kind: 'in', index: 'status', values: open }],
    ...(own.length > 0 && user
      ? [
          [
            { kind: 'in', index: 'status', values: own },
            { kind: 'in', index: 'author', values: [user.id] },
          ] as Clause[],
        ]
      : []),
  ];
  return branches.length === 1 ? (branches[0] as Clause[]) : [{ kind: 'any', of: branches }];
}

/** Without a status, a list contains public items, and private ones for users who may see them. */
function statusesAsked({ params }: Call, { publicStatuses }: PostType): readonly string[] {
  const asked = params.status as readonly string[] | undefined;
  if (asked?.length !== 0) return asked ?? publicStatuses;
  return publicStatuses.includes('publish') ? [...publicStatuses, 'private'] : publicStatuses;
}

function anyStatus({ statuses }: Site, asked: readonly string[]): readonly string[] {
  const usual = statuses.filter(({ internal }) => !internal).map(({ name }) => name);
  return [...new Set([...usual, ...asked])].filter((name) => name !== 'any');
}

/** A search must not reveal protected texts: only their editors find them. */
function searchable({ user, can }: Call, type: PostType): Clause[] {
  if (can(type.capabilities.edit_others_posts)) return [];
  const open: Clause = { kind: 'in', index: 'password', values: [0] };
  return user ? [{ kind: 'any', of: [[open], [{ kind: 'in', index: 'author', values: [user.id] }]] }] : [open];
}

/** Exclusive bounds, in site time; a zone in the value is honored. */
function between(order: string, after: unknown, before: unknown, zone: string): Clause[] {
  if (after === undefined && before === undefined) return [];
  const bounds = { ...bound('after', after, zone), ...bound('before', before, zone) };
  return Object.keys(bounds).length > 0 ? [{ kind: 'range', order, ...bounds }] : [];
}

function bound(name: 'after' | 'before', value: unknown, zone: string): Record<string, string> {
  const parsed = typeof value === 'string' ? parseDateTime(value) : null;
  if (!parsed) return {};
  if (parsed.offsetMinutes === null) return { [name]: parsed.local === beforeAll ? beforeAll : shownLocal(parsed.local, zone) };
  const gmt = printGmt(Date.parse(`${parsed.local}Z`) - parsed.offsetMinutes * 60_000);
  const local = toLocal(gmt, zone);
  return { [name]: local.startsWith('+') ? '9999-12-31T23:59:59' : local };
}

function sortOf(call: Call, words: SearchTerms | null): Sort {
  const { params } = call;
  const direction = params.order as 'asc' | 'desc';
  switch (params.orderby) {
    case 'include':
      return { by: absolute(params.include), direction: 'asc' };
    case 'include_slugs':
      return { by: slugsOf(call).length > 0 ? slugOrder(call) : 'date', direction: 'asc' };
    case 'relevance':
      return { by: relevance(words), direction, then: [{ by: 'date', direction }] };
    default:
      return { by: params.orderby as string, direction };
  }
}

function slugOrder(call: Call): readonly number[] {
  return slugsOf(call).flatMap((slug) => [...call.site.posts.with('slug', slug)]);
}

function slugsOf({ params }: Call): readonly string[] {
  return ((params.slug ?? []) as readonly string[]).map((slug) => slugify(slug));
}

/** A status other than publish requires permission; each is checked separately (observed). */
function statusArg(site: Site, type: PostType): Arg {
  const names = type.filterStatuses ?? filterStatuses(statusesOf(site.statuses, type.name));
  const open = type.publicStatuses[0] ?? 'publish';
  return {
    description: 'Limit result set to posts assigned one or more statuses.',
    default: open,
    type: 'array',
    items: { enum: names, type: 'string' },
    validate: false,
    coerce(value, request, param, arg) {
      const words = coerceValue(value, { type: 'array', items: { type: 'string' } }, param) as readonly string[];
      const asked = [...new Set(words.map((word) => slugify(word)))];
      for (const status of asked) {
        if (status === open) continue;
        const may = (capability: string): boolean => site.access.can(request.user, capability);
        const allowed = may(type.capabilities.edit_posts) || (status === 'private' && may(type.capabilities.read_private_posts));
        if (!allowed) fail('rest_forbidden_status', { status: request.user ? 403 : 401 });
        const problem = validateValue(status, arg, param);
        if (problem) fail(problem.code as never, problem.data ?? {}, problem.message);
      }
      return asked;
    },
  };
}
