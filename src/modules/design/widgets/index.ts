import type { Module } from '../../../kernel/module.ts';
import { widgetErrors } from './errors.ts';
import { widgetRoutes } from './routes.ts';
import { sidebarRoutes } from './sidebar-routes.ts';
import { widgetTypeRoutes } from './type-routes.ts';

export const widgets: Module = {
  name: 'widgets',
  errors: widgetErrors,
  namespaces: () => [{ name: 'cms/v2', routes: [...sidebarRoutes, ...widgetTypeRoutes, ...widgetRoutes] }],
};
