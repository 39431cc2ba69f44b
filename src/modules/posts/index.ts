/**
 * Posts, pages, and whatever is declared like them, as a module.
 */
import type { Module } from '../../kernel/module.ts';
import type { Namespace } from '../../kernel/rest/registry.ts';
import type { Site } from '../../kernel/site/site.ts';
import { historyRoutes } from '../revisions/index.ts';
import { createPostResource, type PostResource, postRoutes } from './routes.ts';

export const posts: Module = {
  name: 'posts',
  namespaces: (site) => [
    {
      name: 'cms/v2',
      routes: [...site.types.values()]
        .filter(({ showInRest }) => showInRest)
        .flatMap((type) => site.modules.routesOf(type.name, site) ?? routesOf(site, type)),
    },
  ],
};

function routesOf(site: Site, type: PostResource['type']): Namespace['routes'] {
  const resource = createPostResource(site, type);
  return [...postRoutes(site, resource), ...historyRoutes(resource)];
}
