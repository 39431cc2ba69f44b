import type { Module } from '../../../kernel/module.ts';
import { iconErrors } from './errors.ts';
import { allIconRoutes } from './routes.ts';

export const iconSets: Module = {
  name: 'icons',
  errors: iconErrors,
  namespaces: () => [{ name: 'cms/v2', routes: allIconRoutes }],
};

export { icons } from './icons.ts';
