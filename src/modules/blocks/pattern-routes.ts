/**
 * Patterns of the design and their categories.
 *
 * Shape    one file of `patterns/`; fields that a pattern has nothing for are left out
 * Access   whoever edits items of some type
 * Errors   rest_cannot_view
 * Source   the reference's route catalogue and schemas
 */
import { categoriesOf, type Pattern, type PatternCategory, patternsOf } from './patterns.ts';
import { type Fields, schemasOf } from '../../kernel/model/field.ts';
import { createProjector } from '../../kernel/rest/item.ts';
import type { Namespace } from '../../kernel/rest/registry.ts';
import { type Call, READ } from '../../kernel/rest/types.ts';
import { draft, forEditors, shown } from '../../kernel/rest/schema-helpers.ts';

const list = (description: string) => shown('array', description);

const patternFields: Fields<Pattern, null> = {
  name: { schema: shown('string', 'Name of the pattern.'), get: (pattern) => pattern.name },
  title: { schema: shown('string', 'Title of the pattern.'), get: (pattern) => pattern.title },
  content: { schema: shown('string', 'Blocks of the pattern.'), get: (pattern) => pattern.content },
  description: { schema: shown('string', 'What the pattern is for.'), get: (pattern) => pattern.description || undefined },
  viewport_width: {
    schema: shown('number', 'Width of its preview in pixels.'),
    get: (pattern) => pattern.viewportWidth ?? undefined,
  },
  inserter: { schema: shown('boolean', 'Whether it is offered to users.'), get: (pattern) => pattern.inserter },
  categories: { schema: list('Its categories.'), get: (pattern) => pattern.categories },
  keywords: { schema: list('Words by which it is found.'), get: (pattern) => some(pattern.keywords) },
  block_types: { schema: list('Blocks it is meant for.'), get: (pattern) => some(pattern.blockTypes) },
  post_types: { schema: list('Types of items it is meant for.'), get: (pattern) => some(pattern.postTypes) },
  template_types: { schema: list('Templates it is meant for.'), get: (pattern) => some(pattern.templateTypes) },
  source: {
    schema: shown('string', 'Where it comes from.', {
      enum: ['core', 'plugin', 'theme', 'pattern-directory/core', 'pattern-directory/theme', 'pattern-directory/featured'],
    }),
    get: () => 'theme',
  },
};

const categoryFields: Fields<PatternCategory, null> = {
  name: { schema: shown('string', 'Name of the category.'), get: (category) => category.name },
  label: { schema: shown('string', 'Title of the category.'), get: (category) => category.label },
  description: { schema: shown('string', 'What its patterns are for.'), get: (category) => category.description },
};

const projectPattern = createProjector<Pattern, null>({ fields: patternFields });
const projectCategory = createProjector<PatternCategory, null>({ fields: categoryFields });

export const blockPatternRoutes: Namespace['routes'] = [
  {
    path: '/cms/v2/block-patterns/patterns',
    schema: draft('block-pattern', schemasOf(patternFields)),
    endpoints: [
      {
        methods: READ,
        args: {},
        allow: forEditors('rest_cannot_view'),
        handle: (call: Call) => patternsOf(call.site).map((one) => projectPattern(one, null, call)),
      },
    ],
  },
  {
    path: '/cms/v2/block-patterns/categories',
    schema: draft('block-pattern-category', schemasOf(categoryFields)),
    endpoints: [
      {
        methods: READ,
        args: {},
        allow: forEditors('rest_cannot_view'),
        handle: (call: Call) => categoriesOf(call.site).map((one) => projectCategory(one, null, call)),
      },
    ],
  },
];

/** A list, or nothing where it is empty. */
function some(values: readonly string[]): readonly string[] | undefined {
  return values.length > 0 ? values : undefined;
}
