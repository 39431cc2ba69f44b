/**
 * Media folders from elsewhere, as a module: CSV.
 */
import type { Module } from '../../kernel/module.ts';
import { csvRoutes } from './csv-routes.ts';
import { importErrors } from './record.ts';

export const mediaFolderImports: Module = {
  name: 'media-folder-imports',
  errors: importErrors,
  namespaces: () => [{ name: 'folders/v1', routes: csvRoutes }],
};
