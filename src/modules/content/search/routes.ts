/**
 * Search over the whole site: published posts, terms, and post formats in use.
 *
 * Shape    id, title, url, type, subtype (posts only); a term's `type` is its taxonomy (observed)
 * Access   everyone; unpublished items are never found, protected texts only by their editors
 * Errors   rest_invalid_param, rest_search_invalid_type, rest_search_invalid_page_number
 * Source   specification 2.1; conformance scenario search; behaviour of the reference 6.9
 */
import { table } from '../../../kernel/model/maps.ts';
import { spelled, termLink } from '../permalinks/record.ts';
import { createPostView } from '../posts/index.ts';
import { readSearch, relevance } from './record.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { fail } from '../../../kernel/errors.ts';
import { formats, type PostRecord } from '../posts/record.ts';
import { of, type Schema } from '../../../kernel/model/schema.ts';
import { slugify } from '../../../kernel/model/slugs.ts';
import type { TermRecord } from '../terms/record.ts';
import { scalarText } from '../../../kernel/model/scalars.ts';
import type { Clause } from '../../../kernel/records/types.ts';
import type { Arg, Args } from '../../../kernel/rest/args.ts';
import {
  contextArg,
  excludeArg,
  includeArg,
  listed,
  pageArg,
  pageLink,
  paging,
  perPageArg,
  searchArg,
} from '../../../kernel/rest/collection.ts';
import { createProjector, type Item, type Links } from '../../../kernel/rest/item.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import { type Answer, anyone, type Call, READ } from '../../../kernel/rest/types.ts';
import type { Params, RestRequest } from '../../../kernel/rest/request.ts';
import { validateValue } from '../../../kernel/rest/validate.ts';
import { draft } from '../../../kernel/rest/schema-helpers.ts';

const base = '/cms/v2/search';

interface Hit {
  readonly id: number | string;
  readonly type: string;
  readonly subtype?: string;
  title(): string;
  url(): string;
  readonly links: Links;
}

interface SearchResult {
  readonly hits: readonly Hit[];
  readonly total: number;
}

/** A search type: its subtypes, and how it searches. */
interface Searcher {
  subtypes(site: Site): readonly string[];
  search(call: Call): Promise<SearchResult>;
}

const searchers: Readonly<Record<string, Searcher>> = table({
  post: {
    subtypes: (site) =>
      [...site.types.values()]
        .filter((type) => type.public && type.showInRest && type.name !== 'attachment')
        .map(({ name }) => name),
    search: searchPosts,
  },
  term: {
    subtypes: (site) => [...site.taxonomies.values()].filter((one) => one.public && one.showInRest).map(({ name }) => name),
    search: searchTerms,
  },
  'post-format': { subtypes: () => [], search: searchFormats },
});

const types = Object.keys(searchers);
const shown = { context: ['view', 'embed'], readonly: true } as const;

export function searchRoutes(site: Site): Namespace['routes'] {
  const subtypes = types.flatMap((type) => (searchers[type] as Searcher).subtypes(site));
  const project = createProjector<Hit, null>({
    isWhole: true,
    fields: fieldsOf(subtypes),
    links: (hit, _view, call) => ({ ...hit.links, collection: [{ href: call.urls.rest(base) }] }),
  });
  const properties = Object.fromEntries(Object.entries(fieldsOf(subtypes)).map(([name, { schema }]) => [name, schema]));
  return [
    {
      path: base,
      schema: draft('search-result', properties),
      endpoints: [
        {
          methods: READ,
          args: searchArgs(site, subtypes),
          allow: anyone,
          handle: (call) => search(call, (hit) => project(hit, null, call)),
        },
      ],
    },
  ];
}

function fieldsOf(subtypes: readonly string[]) {
  return {
    id: {
      schema: { description: 'Unique identifier for the object.', type: ['integer', 'string'], ...shown },
      get: (hit: Hit) => hit.id,
    },
    title: { schema: { description: 'The title for the object.', type: 'string', ...shown }, get: (hit: Hit) => hit.title() },
    url: { schema: { description: 'URL to the object.', type: 'string', format: 'uri', ...shown }, get: (hit: Hit) => hit.url() },
    type: { schema: { description: 'Object type.', type: 'string', enum: types, ...shown }, get: (hit: Hit) => hit.type },
    subtype: {
      schema: { description: 'Object subtype.', type: 'string', enum: subtypes, ...shown },
      get: (hit: Hit) => hit.subtype,
    },
  } as const;
}

function searchArgs(site: Site, subtypes: readonly string[]): Args {
  return {
    context: contextArg(['view', 'embed']),
    page: pageArg,
    per_page: perPageArg,
    search: searchArg,
    type: of('string', 'Limit results to items of an object type.', { default: 'post', enum: types }),
    subtype: {
      description: 'Limit results to items of one or more object subtypes.',
      type: 'array',
      items: { enum: [...subtypes, 'any'], type: 'string' },
      default: 'any',
      validate: false,
      coerce: (value, request, param, arg) => subtypesOf(site, value, request, param, arg),
    },
    exclude: excludeArg,
    include: includeArg,
  };
}

/** The requested subtypes that the type has; `any` means all, even with others. */
function subtypesOf(site: Site, value: unknown, request: RestRequest, param: string, arg: Arg): readonly string[] {
  const asked = (Array.isArray(value) ? value.map(scalarText) : scalarText(value).split(/[\s,]+/))
    .map((name) => slugify(request.dialect.readWord(name)))
    .filter((name) => name !== '');
  const problem = validateValue(asked, arg as Schema, param);
  if (problem) fail(problem.code as never, problem.data ?? {}, problem.message);
  if (asked.includes('any')) return ['any'];
  const searcher = searcherOf(request.query.type ?? 'post') ?? fail('rest_search_invalid_type', { status: 400 });
  const known = searcher.subtypes(site);
  return asked.filter((name) => known.includes(name));
}

function searcherOf(type: unknown): Searcher | undefined {
  return typeof type === 'string' && Object.hasOwn(searchers, type) ? searchers[type] : undefined;
}

async function search(call: Call, item: (hit: Hit) => Item): Promise<Answer> {
  const page = paging(call);
  const { hits, total } = await (searcherOf(call.params.type) as Searcher).search(call);
  if (total > 0 && page.page > Math.ceil(total / page.perPage)) fail('rest_search_invalid_page_number');
  const answer = listed(call, hits.map(item), total, page);
  if (total > 0 || page.page === 1) return answer;
  // A page past the end of an empty result still links to the previous one (observed).
  return { ...answer, headers: { ...answer.headers, Link: pageLink(call, page.page - 1, 'prev') } };
}

async function searchPosts(call: Call): Promise<SearchResult> {
  const { site, params, urls } = call;
  const { offset, perPage } = paging(call);
  const subtypes = chosen(call, 'post');
  const text = (params.search as string | undefined) ?? '';
  const words = text === '' ? null : readSearch(text, false);
  const where: Clause[] = [
    // Without subtypes the reference searches posts (observed).
    ...amongOf(call, 'type', subtypes.length > 0 ? subtypes : ['post']),
    { kind: 'in', index: 'status', values: ['publish'] },
    ...narrowed(params),
    ...(words ? textClauses(call, words) : []),
  ];
  const latest = [{ by: 'date', direction: 'desc' as const }];
  const sort = words
    ? ({ by: relevance(words), direction: 'desc', then: latest } as const)
    : ({ by: 'date', direction: 'desc' } as const);
  const { records, total } = await site.posts.find({ where, sort, offset, limit: perPage });
  const view = createPostView(site, {
    user: call.user,
    word: (name) => call.request.dialect.wireName(name),
    unlocked: () => false,
  });
  const hits = records.map((post): Hit => {
    const type = site.types.get(post.type);
    return {
      id: post.id,
      title: () => (type?.supports.title ? view.title(post) : ''),
      url: () => view.link(post),
      type: 'post',
      subtype: call.request.dialect.wireName(post.type),
      links: {
        self: [{ embeddable: true, href: urls.rest(`/${type?.restNamespace}/${type?.restBase}/${post.id}`) }],
        about: [{ href: urls.rest(`/cms/v2/types/${post.type}`) }],
      },
    };
  });
  // A page past the end reports no total (observed).
  return { hits, total: records.length === 0 && perPage > 0 ? 0 : total };
}

/** Visitors never find protected items; signed-in users find them by title, their editors by text too. */
function textClauses(call: Call, words: { readonly words: readonly string[]; readonly without: readonly string[] }): Clause[] {
  const found: Clause = { kind: 'search', columns: ['title', 'content', 'excerpt'], ...words };
  const open: Clause = { kind: 'in', index: 'password', values: [0] };
  if (!call.user) return [found, open];
  const titled: Clause = { kind: 'search', columns: ['title'], ...words };
  const own: Clause = { kind: 'test', test: ((post: PostRecord) => call.can('edit_post', post)) as (record: never) => boolean };
  return [{ kind: 'any', of: [[found, open], [titled], [found, own]] }];
}

async function searchTerms(call: Call): Promise<SearchResult> {
  const { site, params, urls } = call;
  const { offset, perPage } = paging(call);
  const subtypes = chosen(call, 'term');
  const all = (searchers.term as Searcher).subtypes(site);
  const text = (params.search as string | undefined) ?? '';
  const where: Clause[] = [
    ...amongOf(call, 'taxonomy', subtypes.length > 0 ? subtypes : all),
    ...narrowed(params),
    ...(text === '' ? [] : [{ kind: 'search' as const, columns: ['name', 'slug'], words: [text], without: [] }]),
  ];
  const { records, total } = await site.terms.find({ where, sort: { by: 'name', direction: 'asc' }, offset, limit: perPage });
  const hits = records.map((term: TermRecord): Hit => {
    const taxonomy = site.taxonomies.get(term.taxonomy);
    return {
      id: term.id,
      title: () => term.name,
      url: () => site.url + spelled(termLink(site, term), call.request.dialect.wireName),
      type: call.request.dialect.wireName(term.taxonomy),
      links: {
        self: [{ embeddable: true, href: urls.rest(`/${taxonomy?.restNamespace}/${taxonomy?.restBase}/${term.id}`) }],
        about: [{ href: urls.rest(`/cms/v2/taxonomies/${term.taxonomy}`) }],
      },
    };
  });
  return { hits, total };
}

/** Formats in API order, each with a page once a published post has it. */
async function searchFormats(call: Call): Promise<SearchResult> {
  const { site, params } = call;
  const { offset, perPage } = paging(call);
  const text = ((params.search as string | undefined) ?? '').toLowerCase();
  const found = formats.filter((format) => format !== 'standard' && format.includes(text) && isUsed(site, format));
  const hits = found.slice(offset, offset + perPage).map(
    (format): Hit => ({
      id: format,
      title: () => format.replace(/^./, (first) => first.toUpperCase()),
      url: () => `${site.url}/${site.taxonomies.get('post_format')?.base ?? 'type'}/${format}/`,
      type: 'post-format',
      links: {},
    }),
  );
  return { hits, total: found.length };
}

function isUsed(site: Site, format: string): boolean {
  const where: Clause[] = [
    { kind: 'in', index: 'format', values: [format] },
    { kind: 'in', index: 'status', values: ['publish'] },
  ];
  return site.posts.query({ where, sort: { by: 'id', direction: 'asc' }, offset: 0, limit: 0 }).total > 0;
}

function chosen({ params, site }: Call, type: 'post' | 'term'): readonly string[] {
  const subtypes = params.subtype as readonly string[];
  return subtypes.includes('any') ? (searchers[type] as Searcher).subtypes(site) : subtypes;
}

/** Items of some types or taxonomies, within the scopes of modules. */
function amongOf(call: Call, index: 'type' | 'taxonomy', names: readonly string[]): Clause[] {
  const scopes = names.map((name) => call.site.modules.extension(namesOf(call.site, index, name)).scope(call));
  if (scopes.every((scope) => scope.length === 0)) return [{ kind: 'in', index, values: names }];
  return [{ kind: 'any', of: names.map((name, at) => [{ kind: 'in', index, values: [name] }, ...(scopes[at] ?? [])]) }];
}

function namesOf({ types }: Site, index: 'type' | 'taxonomy', name: string): readonly string[] {
  const type = types.get(name);
  return index === 'taxonomy' || !type ? [name, 'term'] : type.extensionNames;
}

/** `include` wins over `exclude` (observed). */
function narrowed({ include, exclude }: Params): Clause[] {
  if ((include as readonly number[]).length > 0) return [{ kind: 'ids', values: include as readonly number[] }];
  return (exclude as readonly number[]).length > 0 ? [{ kind: 'ids', values: exclude as readonly number[], not: true }] : [];
}
