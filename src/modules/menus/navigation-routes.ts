/**
 * Menus made of blocks: posts whose text is shown in full wherever they are embedded.
 *
 * Shape    as posts without author and meta
 * Access   published ones for everyone; writing takes edit_theme_options
 * Errors   those of posts
 * Source   behaviour of the reference (6.9), the schema in the route catalogue
 */
import type { Site } from '../../kernel/site/site.ts';
import type { Namespace } from '../../kernel/rest/registry.ts';
import { createPostResource, postRoutes } from '../posts/routes.ts';
import { historyRoutes } from '../revisions/index.ts';

export function navigationRoutes(site: Site): Namespace['routes'] {
  const type = site.types.get('cms_navigation');
  if (!type) return [];
  const resource = createPostResource(site, type);
  return [...postRoutes(site, resource), ...historyRoutes(site, resource)];
}
