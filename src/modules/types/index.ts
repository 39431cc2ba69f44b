/**
 * Post types and statuses as a module.
 */
import type { Module } from '../../kernel/module.ts';
import { statusRoutes } from './status-routes.ts';
import { typeRoutes } from './type-routes.ts';

export const types: Module = {
  name: 'types',
  namespaces: () => [{ name: 'cms/v2', routes: [...typeRoutes, ...statusRoutes] }],
};
