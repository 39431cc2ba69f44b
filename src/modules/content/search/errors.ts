import { row } from '../../../kernel/errors.ts';

export const searchErrors = {
  rest_search_invalid_page_number: row(400, 'The page number requested is larger than the number of pages available.'),
  rest_search_invalid_type: row(400, 'Invalid type parameter.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof searchErrors, ErrorRow> {}
}
