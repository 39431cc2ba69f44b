/** Menus as trees, `menus/v1`, as a module: everything a front end needs to render a menu, in one public request. */
import { mapOf } from '../../../kernel/model/maps.ts';
import { fileOnly } from '../../../kernel/model/settings.ts';
import type { Module } from '../../../kernel/module.ts';
import { treeErrors } from './errors.ts';
import { itemLanguage } from './language.ts';
import { menuTreeRoutes } from './routes.ts';

export { itemsIn, menuIn } from './language.ts';

export const menuTrees: Module = {
  name: 'menu-trees',
  errors: treeErrors,
  extend: { nav_menu_item: itemLanguage },
  namespaces: () => [{ name: 'menus/v1', routes: menuTreeRoutes }],
};

/** The same for sites whose settings make menus public. Its routes change with the next start. */
export const publicMenus: Module = {
  name: 'public-menus',
  settings: [
    {
      group: 'reading',
      key: 'menus',
      schema: {
        ...fileOnly('Menus as whole trees for everybody, at `menus/v1`: `{public: true}`', 'object'),
        properties: { public: { type: 'boolean' } },
        additionalProperties: false,
      },
      default: {},
    },
  ],
  errors: treeErrors,
  namespaces: ({ settings }) =>
    mapOf(settings.value('menus')).public === true ? [{ name: 'menus/v1', routes: menuTreeRoutes }] : [],
};
