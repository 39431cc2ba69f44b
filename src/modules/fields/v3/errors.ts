import { row } from '../../../kernel/errors.ts';

export const fieldErrors = {
  cant_update_item: row(400, 'There are no values to write: send {"fields": {"name": "value"}}, of fields that the item has.'),
  rest_options_page_invalid: row(404, 'There is no such options page.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof fieldErrors, ErrorRow> {}
}
