import { row } from '../../../kernel/errors.ts';

/** Errors of routes with bare values. The reference sends them as 500; they are client errors. */
export const folderErrors = {
  validation_failed: row(400, 'Validation failed.'),
  folder_name_exist: row(400, 'A folder with this name already exists. Please choose another one.'),
  invalid_params: row(400, 'Invalid parameters.'),
  delete_failed: row(400, 'No folder was named, so none was deleted.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof folderErrors, ErrorRow> {}
}
