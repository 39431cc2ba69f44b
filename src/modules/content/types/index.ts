import type { Module } from '../../../kernel/module.ts';
import { declaredBy, pendingDeclarations, standardTaxonomies, standardTypes } from '../../types/index.ts';
import { declareTypes } from './declare.ts';
import { typeErrors } from './errors.ts';
import { statusRoutes } from './status-routes.ts';
import { typeRoutes } from './type-routes.ts';

export const types: Module = {
  name: 'types',
  errors: typeErrors,
  declares: ['types', 'taxonomies'],
  setup(site, { entry }) {
    const own = declaredBy(entry, standardTypes, standardTaxonomies);
    const { types, taxonomies, statuses, postFields, termFields, meta } = declareTypes(own, site.modules);
    return {
      site: {
        types: new Map(types.map((type) => [type.name, type])),
        taxonomies: new Map(taxonomies.map((taxonomy) => [taxonomy.name, taxonomy])),
        statuses,
        postFields,
        termFields,
        meta,
      },
      basis: () => [own, statuses, meta],
      problems: () => {
        const pending = pendingDeclarations(entry, site.settings.entry);
        // Errors in the current file, although it is not in use yet.
        const present =
          pending.length === 0 ? own : declaredBy(site.settings.entry ?? undefined, standardTypes, standardTaxonomies);
        return [...present.problems, ...pending];
      },
    };
  },
  namespaces: (site) => [{ name: 'cms/v2', routes: [...typeRoutes(site), ...statusRoutes] }],
};
