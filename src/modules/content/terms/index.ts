import { writeParts } from '../../../kernel/compose-modules.ts';
import type { Module } from '../../../kernel/module.ts';
import { tableOf } from '../../../kernel/site/tables.ts';
import { termErrors } from './errors.ts';
import { createTermKind, termPaths } from './file.ts';
import { createTermReferences } from './references.ts';
import { termRoutes } from './routes.ts';
import { taxonomyRoutes } from './taxonomy-routes.ts';

export { writeTerm } from './file.ts';
export { termLinks, termRoutes, type TermWriter } from './routes.ts';
export { countOf, createTermView, termIndex } from './view.ts';
export { planTermCreate, planTermUpdate, type TermInput } from './plan.ts';

export const terms: Module = {
  name: 'terms',
  errors: termErrors,
  setup: (_, kernel) => ({
    site: { announcedTerms: new Map() },
    refs: createTermReferences(kernel.planning, kernel),
  }),
  tables: (site) => [tableOf('terms', site.termFields.values(), [{ by: ['taxonomy'], order: 'name' }])],
  kinds: (site) => [createTermKind(site)],
  paths: ({ taxonomies, termFields }) => termPaths(taxonomies, termFields),
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
                extension: site.modules.extension([taxonomy.name, 'term'], writeParts),
              }),
          ),
      ],
    },
  ],
};
