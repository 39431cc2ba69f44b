/**
 * Menus, classic ones and those made of blocks, as a module.
 */
import type { Module } from '../../kernel/module.ts';
import { menuItemRoutes } from './item-routes.ts';
import { menuLocationRoutes } from './location-routes.ts';
import { navigationRoutes } from './navigation-routes.ts';
import { menuRoutes } from './routes.ts';

export const menus: Module = {
  name: 'menus',
  typeRoutes: { nav_menu: menuRoutes, nav_menu_item: menuItemRoutes, cms_navigation: navigationRoutes },
  namespaces: () => [{ name: 'cms/v2', routes: menuLocationRoutes }],
};
