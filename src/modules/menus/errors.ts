import { bare, row } from '../../kernel/errors.ts';

export const menuErrors = {
  invalid_menu_id: row(400, 'Invalid menu ID.'),
  menu_exists: bare('Another menu has this name.'),
  rest_invalid_menu_location: row(400, 'Invalid menu location.'),
  rest_menu_location_invalid: row(404, 'Invalid menu location.'),
  rest_post_invalid_type: row(400, 'Invalid post type.'),
  rest_term_invalid_id: row(400, 'Invalid term ID.'),
  rest_title_required: row(400, 'The title is required when using a custom menu item type.'),
  rest_url_required: row(400, 'The url is required when using a custom menu item type.'),
};

declare module '../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof menuErrors, ErrorRow> {}
}
