import { row } from '../../../kernel/errors.ts';

export const iconErrors = {
  rest_icon_collection_not_found: row(404, 'Icon collection not found.'),
  rest_icon_not_found: row(404, 'Icon not found.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof iconErrors, ErrorRow> {}
}
