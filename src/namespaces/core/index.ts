/**
 * The core namespace, `cms/v2`: its resources in the catalogue's order.
 */
import type { Site } from '../../domain/site.ts';
import { standardTypes } from '../../model/types.ts';
import type { Namespace } from '../../rest/registry.ts';
import { namespaceIndex } from '../root.ts';
import { applicationPasswordRoutes } from './application-passwords.ts';
import { autosaveRoutes } from './autosaves.ts';
import { commentRoutes } from './comments.ts';
import { createPostResource, postRoutes } from './posts.ts';
import { revisionRoutes } from './revisions.ts';
import { searchRoutes } from './search.ts';
import { createSettingRoutes } from './settings.ts';
import { statusRoutes } from './statuses.ts';
import { taxonomyRoutes } from './taxonomies.ts';
import { termRoutes } from './terms.ts';
import { typeRoutes } from './types.ts';
import { userRoutes } from './users.ts';

/** Built-in types and taxonomies whose routes are other than those of posts and terms, or come with later namespaces. */
const special = new Set(standardTypes.map(({ name }) => name).filter((name) => name !== 'post' && name !== 'page'));
const specialTerms = new Set(['nav_menu', 'post_format', 'cms_pattern_category']);

export function createCore(site: Site): Namespace {
  const resources = [...site.types.values()].filter(({ name, showInRest }) => showInRest && !special.has(name)).map((type) => createPostResource(site, type));
  return {
    name: 'cms/v2',
    routes: [
      namespaceIndex('cms/v2'),
      ...resources.flatMap((resource) => [
        ...postRoutes(site, resource),
        ...(resource.type.supports.revisions ? revisionRoutes(resource) : []),
        ...(resource.type.supports.autosave ? autosaveRoutes(resource) : []),
      ]),
      ...typeRoutes,
      ...statusRoutes,
      ...taxonomyRoutes,
      ...[...site.taxonomies.values()]
        .filter(({ name, showInRest }) => showInRest && !specialTerms.has(name))
        .flatMap((taxonomy) => termRoutes(taxonomy, site.termFields.get(taxonomy.name) ?? {})),
      ...userRoutes,
      ...applicationPasswordRoutes,
      ...commentRoutes,
      ...searchRoutes(site),
      ...createSettingRoutes(site.settings.rows),
    ],
  };
}
