/**
 * The index of what search engines are told, `seo/v1/indexing` and `seo/v1/link-indexing`, as a module.
 */
import type { Module } from '../../../kernel/module.ts';
import { indexingRoutes } from './routes.ts';
import { createSeoIndex, idSpace } from './seo-index.ts';

export const seoIndexing: Module = {
  name: 'seo-indexing',
  setup(site, kernel) {
    const index = createSeoIndex(site, (highest) => kernel.raiseIds(highest));
    // Only the process that writes keeps an index.
    const isOwn = !site.store.readOnly && !site.store.follows;
    let isLoaded = false;
    return {
      site: { seoIndex: index },
      afterLoad() {
        isLoaded = isOwn;
      },
      afterIngest(batch, writes) {
        if (isLoaded) index.notice(batch);
        return writes;
      },
      close: async () => {
        if (isOwn) await index.save();
      },
    };
  },
  // Records are derived, so the table is empty: it is the sequence of their ids.
  tables: () => [{ name: idSpace, unique: {}, equal: {}, order: { id: ({ id }) => id }, text: {}, views: [] }],
  namespaces: (site) => [{ name: 'seo/v1', routes: indexingRoutes(site) }],
};
