import { row } from '../../../kernel/errors.ts';

export const importErrors = {
  rest_no_import_source: row(404, 'There is no such import source.'),
  rest_import_not_prepared: row(400, 'The folders of this source have to be read first.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof importErrors, ErrorRow> {}
}
