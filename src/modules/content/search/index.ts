import type { Module } from '../../../kernel/module.ts';
import { searchErrors } from './errors.ts';
import { searchRoutes } from './routes.ts';

export const search: Module = {
  name: 'search',
  errors: searchErrors,
  namespaces: (site) => [{ name: 'cms/v2', routes: searchRoutes(site) }],
};
