/** Namespaces as plugins, as a module. */
import type { Module } from '../../../kernel/module.ts';
import { pluginErrors } from './errors.ts';
import { pluginRoutes } from './routes.ts';

export const plugins: Module = {
  name: 'plugins',
  errors: pluginErrors,
  namespaces: () => [{ name: 'cms/v2', routes: pluginRoutes }],
};
