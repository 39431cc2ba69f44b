import { row } from '../../../kernel/errors.ts';

export const typeErrors = {
  rest_cannot_view: row('auth', 'Sorry, you are not allowed to view this resource.'),
  rest_type_invalid: row(404, 'Invalid post type.'),
  rest_cannot_read_type: row('auth', 'Sorry, you are not allowed to view this post type.'),
  rest_status_invalid: row(404, 'Invalid status.'),
  rest_cannot_read_status: row('auth', 'Sorry, you are not allowed to view this status.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof typeErrors, ErrorRow> {}
}
