/**
 * Menus as trees, `menus/v1`, as a module: what a front end needs to print a menu, in one request and for everybody.
 */
import type { Module } from '../../kernel/module.ts';
import { itemLanguage } from './language.ts';
import { menuTreeRoutes } from './routes.ts';

export { itemsIn, menuIn } from './language.ts';

declare module '../../kernel/errors.ts' {
  interface ModuleErrors {
    not_found: ErrorRow;
  }
}

export const menuTrees: Module = {
  name: 'menu-trees',
  errors: { not_found: { status: 404, message: 'No menu was found.' } },
  extend: { nav_menu_item: itemLanguage },
  namespaces: () => [{ name: 'menus/v1', routes: menuTreeRoutes }],
};
