import { row } from '../../../kernel/errors.ts';

export const viewConfigErrors = {
  rest_view_config_invalid_entity: row(404, 'There is no such type or taxonomy.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof viewConfigErrors, ErrorRow> {}
}
