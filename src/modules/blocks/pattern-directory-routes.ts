/**
 * Patterns of the directory that the operator names.
 *
 * Access   whoever edits items of some type
 * Errors   rest_pattern_directory_cannot_view, pattern_api_failed
 * Source   the reference's route catalogue and behaviour (6.9)
 */
import { askDirectory, type DirectoryPattern, readPatterns } from './directories.ts';
import { createOperatorFetcher, type Fetcher } from '../../kernel/http-client/fetch.ts';
import { filterHtml } from '../../render/filter.ts';
import { fail } from '../../kernel/errors.ts';
import { type Fields, schemasOf } from '../../kernel/model/field.ts';
import { draft, forEditors } from '../../kernel/rest/schema-helpers.ts';
import { everywhere, of } from '../../kernel/model/schema.ts';
import { contextArg, offsetArg, orderArg, orderbyArg, pageArg, perPageArg, searchArg } from '../../kernel/rest/collection.ts';
import { createProjector, type Item } from '../../kernel/rest/item.ts';
import type { Namespace } from '../../kernel/rest/registry.ts';
import { type Call, READ } from '../../kernel/rest/types.ts';
import type { Site } from '../../kernel/site/site.ts';

const word = { type: 'string' as const };
const context = everywhere;

const fields: Fields<DirectoryPattern, null> = {
  id: { schema: of('integer', 'ID of the pattern.', { minimum: 1, context }), get: (pattern) => pattern.id },
  title: { schema: of('string', 'Title of the pattern.', { minLength: 1, context }), get: (pattern) => pattern.title },
  content: {
    schema: of('string', 'Blocks of the pattern.', { minLength: 1, context }),
    get: (pattern) => filterHtml(pattern.content, 'post'),
  },
  categories: {
    schema: of('array', 'Its categories.', { uniqueItems: true, items: word, context }),
    get: (pattern) => pattern.categories,
  },
  keywords: {
    schema: of('array', 'Words by which it is found.', { uniqueItems: true, items: word, context }),
    get: (pattern) => pattern.keywords,
  },
  description: {
    schema: of('string', 'What the pattern is for.', { minLength: 1, context }),
    get: (pattern) => pattern.description,
  },
  viewport_width: {
    schema: of('integer', 'Width of its preview in pixels.', { context }),
    get: (pattern) => pattern.viewportWidth,
  },
  block_types: {
    schema: of('array', 'Blocks it is meant for.', { uniqueItems: true, items: word, context: ['view', 'embed'] }),
    get: (pattern) => pattern.blockTypes,
  },
};

const project = createProjector<DirectoryPattern, null>({ fields });
const sorts = [
  'author',
  'date',
  'id',
  'include',
  'modified',
  'parent',
  'relevance',
  'slug',
  'include_slugs',
  'title',
  'favorite_count',
];

export function createPatternDirectory({ operator }: Site): Namespace['routes'] {
  const fetcher = createOperatorFetcher(operator);
  return [
    {
      path: '/cms/v2/pattern-directory/patterns',
      schema: draft('pattern-directory-item', schemasOf(fields)),
      endpoints: [
        {
          methods: READ,
          args: {
            context: contextArg(),
            page: pageArg,
            per_page: { ...perPageArg, default: 100 },
            search: { ...searchArg, minLength: 1 },
            category: of('integer', 'Limit results to this category.', { minimum: 1 }),
            keyword: of('integer', 'Limit results to this keyword.', { minimum: 1 }),
            slug: of('array', 'Limit results to patterns of these names.'),
            offset: offsetArg,
            order: orderArg('desc'),
            orderby: orderbyArg('date', sorts),
          },
          allow: forEditors('rest_pattern_directory_cannot_view'),
          handle: (call) => search(call, operator.pattern_directory, fetcher),
        },
      ],
    },
  ];
}

async function search(call: Call, address: string, fetcher: Fetcher): Promise<Item[]> {
  const { page, per_page, search: term, category, keyword, slug, offset, order, orderby } = call.params;
  const query = {
    page,
    per_page,
    search: term,
    'pattern-categories': category,
    'pattern-keywords': keyword,
    slug,
    offset,
    order,
    orderby,
  };
  const patterns = readPatterns(await askDirectory(fetcher, address, query)) ?? fail('pattern_api_failed');
  return patterns.map((pattern) => project(pattern, null, call));
}
