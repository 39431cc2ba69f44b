import { row } from '../../../kernel/errors.ts';

export const postErrors = {
  empty_content: row(400, 'Content, title, and excerpt are empty.'),
  rest_already_trashed: row(410, 'The post has already been deleted.'),
  rest_cannot_publish: row('auth', 'Sorry, you are not allowed to publish posts in this post type.'),
  rest_invalid_author: row(400, 'Invalid author ID.'),
  rest_invalid_field: row(400, 'A field has a value that does not fit the others.'),
  rest_post_invalid_id: row(404, 'Invalid post ID.'),
  rest_post_exists: row(400, 'Cannot create existing post.'),
  rest_cannot_create: row('auth', 'Sorry, you are not allowed to create posts as this user.'),
  rest_cannot_edit_others: row('auth', 'Sorry, you are not allowed to update posts as this user.'),
  rest_cannot_assign_sticky: row('auth', 'Sorry, you are not allowed to make posts sticky.'),
  rest_cannot_assign_term: row('auth', 'Sorry, you are not allowed to assign the provided terms.'),
  rest_cannot_delete: row('auth', 'Sorry, you are not allowed to delete this post.'),
  rest_cannot_read: row('auth', 'Sorry, you are not allowed to view this item.'),
  rest_post_incorrect_password: row(403, 'Incorrect post password.'),
  rest_no_search_term_defined: row(400, 'You need to define a search term to order by relevance.'),
  rest_orderby_include_missing_include: row(400, 'You need to define an include parameter to order by include.'),
  rest_forbidden_status: row('auth', 'Status is forbidden.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof postErrors, ErrorRow> {}
}
