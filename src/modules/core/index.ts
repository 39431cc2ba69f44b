/**
 * The core namespace, `cms/v2`: its resources in the catalogue's order.
 */
import type { Site } from '../../kernel/site/site.ts';
import { type PostType, standardTypes } from '../types/types.ts';
import type { Namespace } from '../../kernel/rest/registry.ts';
import { namespaceIndex } from '../site-index/routes.ts';
import { applicationPasswordRoutes } from '../accounts/routes.ts';
import { autosaveRoutes } from '../revisions/autosaves.ts';
import { createBlockDirectory } from '../blocks/directory-routes.ts';
import { blockPatternRoutes } from '../blocks/pattern-routes.ts';
import { blockRendererRoutes } from '../blocks/render-routes.ts';
import { blockTypeRoutes } from '../blocks/type-routes.ts';
import { blockRoutes } from '../blocks/routes.ts';
import { commentRoutes } from '../comments/routes.ts';
import { fontCollectionRoutes } from '../fonts/collection-routes.ts';
import { fontRoutes } from '../fonts/routes.ts';
import { globalStyleRoutes } from '../design/style-routes.ts';
import { menuItemRoutes } from '../menus/item-routes.ts';
import { menuLocationRoutes } from '../menus/location-routes.ts';
import { menuRoutes } from '../menus/routes.ts';
import { navigationRoutes } from '../menus/navigation-routes.ts';
import { mediaRoutes } from '../media/routes.ts';
import { createPatternDirectory } from '../blocks/pattern-directory-routes.ts';
import { pluginRoutes } from '../plugins/routes.ts';
import { createPostResource, postRoutes } from '../posts/routes.ts';
import { revisionRoutes } from '../revisions/routes.ts';
import { searchRoutes } from '../search/routes.ts';
import { createSettingRoutes } from '../settings/routes.ts';
import { sidebarRoutes } from '../widgets/sidebar-routes.ts';
import { statusRoutes } from '../types/status-routes.ts';
import { taxonomyRoutes } from '../terms/taxonomy-routes.ts';
import { templateRoutes } from '../design/template-routes.ts';
import { termRoutes } from '../terms/routes.ts';
import { themeRoutes } from '../design/theme-routes.ts';
import { typeRoutes } from '../types/type-routes.ts';
import { userRoutes } from '../users/routes.ts';
import { widgetTypeRoutes } from '../widgets/type-routes.ts';
import { widgetRoutes } from '../widgets/routes.ts';

/** Built-in types and taxonomies whose routes are other than those of posts and terms, or come with later namespaces. */
const special = new Set(standardTypes.map(({ name }) => name).filter((name) => name !== 'post' && name !== 'page'));
const own: Readonly<Record<string, (site: Site) => Namespace['routes']>> = {
  attachment: mediaRoutes,
  nav_menu_item: menuItemRoutes,
  cms_block: blockRoutes,
  cms_template: () => templateRoutes('cms_template', 'templates'),
  cms_template_part: () => templateRoutes('cms_template_part', 'template-parts'),
  cms_global_styles: () => globalStyleRoutes,
  cms_navigation: navigationRoutes,
  cms_font_family: () => fontRoutes,
  nav_menu: menuRoutes,
};

export function createCore(site: Site): Namespace {
  const ofType = (type: PostType): Namespace['routes'] => {
    const routes = own[type.name];
    if (routes) return routes(site);
    if (special.has(type.name)) return [];
    const resource = createPostResource(site, type);
    return [
      ...postRoutes(site, resource),
      ...(type.supports.revisions ? revisionRoutes(resource) : []),
      ...(type.supports.autosave ? autosaveRoutes(resource) : []),
    ];
  };
  return {
    name: 'cms/v2',
    routes: [
      namespaceIndex('cms/v2'),
      ...[...site.types.values()].filter(({ showInRest }) => showInRest).flatMap(ofType),
      ...typeRoutes,
      ...statusRoutes,
      ...taxonomyRoutes,
      ...[...site.taxonomies.values()]
        .filter(({ showInRest }) => showInRest)
        .flatMap((taxonomy) => own[taxonomy.name]?.(site) ?? termRoutes(taxonomy, site.termFields.get(taxonomy.name) ?? {})),
      ...userRoutes,
      ...applicationPasswordRoutes,
      ...commentRoutes,
      ...searchRoutes(site),
      ...blockRendererRoutes,
      ...blockTypeRoutes,
      ...createSettingRoutes(site.settings.rows),
      ...themeRoutes,
      ...pluginRoutes,
      ...sidebarRoutes,
      ...widgetTypeRoutes,
      ...widgetRoutes,
      ...createBlockDirectory(site),
      ...createPatternDirectory(site),
      ...blockPatternRoutes,
      ...menuLocationRoutes,
      ...fontCollectionRoutes,
    ],
  };
}
