import type { Module } from '../../../kernel/module.ts';
import { searchRoutes } from './routes.ts';

export const search: Module = {
  name: 'search',
  namespaces: (site) => [{ name: 'cms/v2', routes: searchRoutes(site) }],
};
