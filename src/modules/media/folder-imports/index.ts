/** Imports of media folders, as a module: CSV, other products, old versions. */
import type { Module } from '../../../kernel/module.ts';
import { csvRoutes } from './csv-routes.ts';
import { importErrors } from './errors.ts';
import { importRoutes } from './import-routes.ts';
import { legacyRoutes } from './legacy-routes.ts';

export const mediaFolderImports: Module = {
  name: 'media-folder-imports',
  errors: importErrors,
  namespaces: () => [{ name: 'folders/v1', routes: [...legacyRoutes, ...csvRoutes, ...importRoutes] }],
};
