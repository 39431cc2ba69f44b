/**
 * Taxonomies and their terms as a module.
 */
import type { Module } from '../../kernel/module.ts';
import { termRoutes } from './routes.ts';
import { taxonomyRoutes } from './taxonomy-routes.ts';

export const terms: Module = {
  name: 'terms',
  namespaces: (site) => [
    {
      name: 'cms/v2',
      routes: [
        ...taxonomyRoutes,
        ...[...site.taxonomies.values()]
          .filter(({ showInRest }) => showInRest)
          .flatMap(
            (taxonomy) =>
              site.modules.routesOf(taxonomy.name, site) ??
              termRoutes(taxonomy, site.termFields.get(taxonomy.name) ?? {}, {
                extension: site.modules.extension([taxonomy.name, 'term'], ['fields']),
              }),
          ),
      ],
    },
  ],
};
