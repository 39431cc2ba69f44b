/**
 * The manager service and the way to the services for browsers, as a module.
 */
import type { Module } from '../../../kernel/module.ts';
import { createEngines } from './engines.ts';
import { managerRoutes } from './manager-routes.ts';
import { proxyRoutes } from './proxy-routes.ts';

export const translationManager: Module = {
  name: 'translation-manager',
  setup(site) {
    const engines = createEngines(site);
    return {
      site: { translationEngines: engines },
      afterIngest(batch, writes) {
        engines.take(batch);
        return writes;
      },
    };
  },
  namespaces: () => [
    { name: 'lang/tm/v1', routes: managerRoutes },
    { name: 'lang/ate/v1', routes: proxyRoutes },
  ],
};
