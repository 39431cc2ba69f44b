/** Namespaces as plugins, as a module. */
import type { Module } from '../../../kernel/module.ts';
import { pluginRoutes } from './routes.ts';

export const plugins: Module = {
  name: 'plugins',
  namespaces: () => [{ name: 'cms/v2', routes: pluginRoutes }],
};
