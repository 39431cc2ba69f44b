import { bare, row } from '../../../kernel/errors.ts';

export const termErrors = {
  duplicate_term_slug: bare('Another term of this taxonomy has the slug already.'),
  empty_term_name: bare('A term needs a name.'),
  term_exists: row(400, 'A term with the name provided already exists here.'),
  rest_term_invalid: row(404, 'Term does not exist.'),
  rest_taxonomy_not_hierarchical: row(400, 'Terms of this taxonomy have no parents.'),
  rest_cannot_update: row('auth', 'Sorry, you are not allowed to edit this item.'),
  rest_taxonomy_invalid: row(404, 'Invalid taxonomy.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof termErrors, ErrorRow> {}
}
