/**
 * Patterns of the directory that the operator names.
 *
 * Access   whoever edits items of some type
 * Errors   rest_pattern_directory_cannot_view, pattern_api_failed
 * Source   the reference's route catalogue and behaviour (6.9)
 */
import { fail } from '../../../kernel/errors.ts';
import { createOperatorFetcher } from '../../../http-client/fetch.ts';
import { type Context, everywhere, of, type Schema } from '../../../kernel/model/schema.ts';
import { contextArg, offsetArg, orderArg, orderbyArg, pageArg, perPageArg, searchArg } from '../../../kernel/rest/collection.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import { defineResource, item } from '../../../kernel/rest/resource.ts';
import { integer, list, text } from '../../../kernel/rest/resource-fields.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { filterHtml } from '../../../render/filter.ts';
import { searchPatternDirectory } from './access.ts';
import { askDirectory, type DirectoryPattern, readPatterns } from './directories.ts';

const context = everywhere;
const words = { uniqueItems: true, items: { type: 'string' } as Schema, context };
const view: readonly Context[] = ['view', 'embed'];
const sorts = 'author date id include modified parent relevance slug include_slugs title favorite_count'.split(' ');
const args = {
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
};

export function createPatternDirectory({ operator }: Site): Namespace['routes'] {
  const fetcher = createOperatorFetcher(operator);
  return defineResource<DirectoryPattern>({
    name: 'pattern-directory-item',
    base: '/cms/v2/pattern-directory',
    // biome-ignore format: a field a line, to be read against the catalogue
    fields: {
      id:             integer('ID of the pattern.', { minimum: 1, context }),
      title:          text('Title of the pattern.', { minLength: 1, context }),
      content:        text('Blocks of the pattern.', { minLength: 1, context, get: ({ content }) => filterHtml(content, 'post') }),
      categories:     list('Its categories.', words),
      keywords:       list('Words by which it is found.', words),
      description:    text('What the pattern is for.', { minLength: 1, context }),
      viewport_width: integer('Width of its preview in pixels.', { context }),
      block_types:    list('Blocks it is meant for.', { ...words, context: view }),
    },
    routes: [
      item('patterns', {
        args,
        allow: searchPatternDirectory,
        async handle({ params }) {
          const { page, per_page, search, category, keyword, slug, offset, order, orderby } = params;
          const narrowed = { search, 'pattern-categories': category, 'pattern-keywords': keyword, slug };
          const query = { page, per_page, ...narrowed, offset, order, orderby };
          return readPatterns(await askDirectory(fetcher, operator.pattern_directory, query)) ?? fail('pattern_api_failed');
        },
      }),
    ],
  });
}
