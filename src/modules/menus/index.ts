/** Menus as a module, classic ones and those made of blocks. */
import type { Namespace } from '../../kernel/rest/types.ts';
import type { Site } from '../../kernel/site/site.ts';
import { type Bounds, fileOnly, line, mapNames } from '../../kernel/model/settings.ts';
import type { Module } from '../../kernel/module.ts';
import { menuChanges } from './changes.ts';
import { menuErrors } from './errors.ts';
import { menuFields } from './fields.ts';
import { createMenuKind, menuPaths } from './file.ts';
import { createMenuIndex } from './menu-index.ts';
import { menuItemRoutes } from './item-routes.ts';
import { menuLocationRoutes } from './location-routes.ts';
import { createPostResource, postRoutes } from '../content/posts/index.ts';
import { historyRoutes } from '../content/revisions/index.ts';
import { menuRoutes } from './routes.ts';

export { menusOf } from './file.ts';
export { fallbackNavigation } from './navigation.ts';
export { createMenuItemView, declaredLocations, heldLocations, isReachable, targetId, targetPost, targetTerm } from './view.ts';

export const menus: Module = {
  name: 'menus',
  errors: menuErrors,
  extend: { nav_menu: { reshapeFields: menuFields } },
  settings: [
    {
      group: 'reading',
      key: 'menu_locations',
      schema: {
        ...fileOnly('Menu locations: name and description', 'object'),
        additionalProperties: { type: 'string' },
      },
      bounds: { names: mapNames, additionalProperties: { type: 'string', ...line } as Bounds, maxProperties: 100 },
      default: {},
    },
  ],
  setup(_, kernel) {
    const menus = createMenuIndex(kernel.planning, kernel);
    return {
      site: { menus },
      inner: menus,
      announce: (batch) => menus.announce(batch),
      afterIngest: (batch, writes) => menus.ingest(batch, writes),
      follow: (changes) => menuChanges(kernel.planning, changes),
      problems: () => menus.problems(),
    };
  },
  kinds: (site) => [createMenuKind(site)],
  paths: ({ termFields }) => menuPaths(termFields),
  typeRoutes: { nav_menu: menuRoutes, nav_menu_item: menuItemRoutes, cms_navigation: navigationRoutes },
  namespaces: () => [{ name: 'cms/v2', routes: menuLocationRoutes }],
};

/** Navigation menus: posts that are shown in full in embeds and require `edit_theme_options`. */
function navigationRoutes(site: Site): Namespace['routes'] {
  const type = site.types.get('cms_navigation');
  if (!type) return [];
  const resource = createPostResource(site, type);
  return [...postRoutes(site, resource), ...historyRoutes(site, resource)];
}
