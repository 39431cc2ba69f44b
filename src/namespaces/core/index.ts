/**
 * The core namespace, `cms/v2`: its resources in the catalogue's order.
 */
import type { Site } from '../../domain/site.ts';
import { type PostType, standardTypes } from '../../model/types.ts';
import type { Namespace } from '../../rest/registry.ts';
import { namespaceIndex } from '../root.ts';
import { applicationPasswordRoutes } from './application-passwords.ts';
import { autosaveRoutes } from './autosaves.ts';
import { createBlockDirectory } from './block-directory.ts';
import { blockPatternRoutes } from './block-patterns.ts';
import { blockRendererRoutes } from './block-renderer.ts';
import { blockTypeRoutes } from './block-types.ts';
import { blockRoutes } from './blocks.ts';
import { commentRoutes } from './comments.ts';
import { fontCollectionRoutes } from './font-collections.ts';
import { fontRoutes } from './fonts.ts';
import { globalStyleRoutes } from './global-styles.ts';
import { menuItemRoutes } from './menu-items.ts';
import { menuLocationRoutes } from './menu-locations.ts';
import { menuRoutes } from './menus.ts';
import { navigationRoutes } from './navigation.ts';
import { mediaRoutes } from './media.ts';
import { createPatternDirectory } from './pattern-directory.ts';
import { pluginRoutes } from './plugins.ts';
import { createPostResource, postRoutes } from './posts.ts';
import { revisionRoutes } from './revisions.ts';
import { searchRoutes } from './search.ts';
import { createSettingRoutes } from './settings.ts';
import { sidebarRoutes } from './sidebars.ts';
import { statusRoutes } from './statuses.ts';
import { taxonomyRoutes } from './taxonomies.ts';
import { templateRoutes } from './templates.ts';
import { termRoutes } from './terms.ts';
import { themeRoutes } from './themes.ts';
import { typeRoutes } from './types.ts';
import { userRoutes } from './users.ts';
import { widgetTypeRoutes } from './widget-types.ts';
import { widgetRoutes } from './widgets.ts';

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
