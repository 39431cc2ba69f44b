/**
 * Patterns of the design and their categories.
 *
 * Shape    one file of `patterns/`; fields that a pattern has nothing for are left out
 * Access   whoever edits items of some type
 * Errors   rest_cannot_view
 * Source   the reference's route catalogue and schemas
 */
import { defineResource, item } from '../../../kernel/rest/resource.ts';
import { bool, list, number, shown, text } from '../../../kernel/rest/resource-fields.ts';
import { readPatterns } from './access.ts';
import { categoriesOf, type Pattern, type PatternCategory, patternsOf } from './patterns.ts';

const base = '/cms/v2/block-patterns';
const sources = ['core', 'plugin', 'theme', 'pattern-directory/core', 'pattern-directory/theme', 'pattern-directory/featured'];

const patterns = defineResource<Pattern>({
  name: 'block-pattern',
  base,
  // biome-ignore format: a field a line, to be read against the catalogue
  fields: {
    name:           text('Name of the pattern.', shown),
    title:          text('Title of the pattern.', shown),
    content:        text('Blocks of the pattern.', shown),
    description:    text('What the pattern is for.', { ...shown, get: (pattern) => pattern.description || undefined }),
    viewport_width: number('Width of its preview in pixels.', { ...shown, get: (pattern) => pattern.viewportWidth ?? undefined }),
    inserter:       bool('Whether it is offered to users.', shown),
    categories:     list('Its categories.', shown),
    keywords:       list('Words by which it is found.', { ...shown, get: (pattern) => some(pattern.keywords) }),
    block_types:    list('Blocks it is meant for.', { ...shown, get: (pattern) => some(pattern.blockTypes) }),
    post_types:     list('Types of items it is meant for.', { ...shown, get: (pattern) => some(pattern.postTypes) }),
    template_types: list('Templates it is meant for.', { ...shown, get: (pattern) => some(pattern.templateTypes) }),
    source:         text('Where it comes from.', { ...shown, enum: sources, get: () => 'theme' }),
  },
  routes: [item('patterns', { args: {}, allow: readPatterns, handle: ({ site }) => patternsOf(site) })],
});

const categories = defineResource<PatternCategory>({
  name: 'block-pattern-category',
  base,
  // biome-ignore format: a field a line, to be read against the catalogue
  fields: {
    name:        text('Name of the category.', shown),
    label:       text('Title of the category.', shown),
    description: text('What its patterns are for.', shown),
  },
  routes: [item('categories', { args: {}, allow: readPatterns, handle: ({ site }) => categoriesOf(site) })],
});

export const blockPatternRoutes = [...patterns, ...categories];

/** A list, or undefined if empty. */
function some(values: readonly string[]): readonly string[] | undefined {
  return values.length > 0 ? values : undefined;
}
