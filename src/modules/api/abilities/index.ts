/**
 * Abilities as a module.
 */
import type { Module } from '../../../kernel/module.ts';
import type { RestRequest } from '../../../kernel/rest/request.ts';
import type { CheckContent } from './record.ts';
import { createAbilityRoutes } from './routes.ts';

export { allAbilities } from './all.ts';

/**
 * @param checkContent  what `cms/validate` runs
 * @param isServed  false: they have no routes of their own, and are there for MCP alone
 */
export function abilities(checkContent: CheckContent, { isServed = true } = {}): Module {
  return {
    name: 'abilities',
    setup: () => ({ site: { checkContent, addedAbilities: [] } }),
    namespaces(site) {
      const namespace = createAbilityRoutes(site);
      if (isServed) return [namespace];
      const isInner = ({ inner }: Pick<RestRequest, 'inner'>): boolean => inner === true;
      const routes = namespace.routes.map((route) => ({ ...route, isUnlisted: true, isOffered: isInner }) as const);
      return [{ ...namespace, routes, isUnlisted: true }];
    },
  };
}
