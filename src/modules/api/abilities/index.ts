/**
 * Abilities as a module.
 */
import type { Module } from '../../../kernel/module.ts';
import type { RestRequest } from '../../../kernel/rest/request.ts';
import { abilityErrors } from './errors.ts';
import { findingsRoutes } from './findings.ts';
import type { CheckContent, CheckFile } from './record.ts';
import { createAbilityRoutes } from './routes.ts';

export { allAbilities } from './all.ts';

/**
 * @param checks  what `cms/validate` and `cms/check` run
 * @param isServed  false: they have no routes of their own, and are there for MCP alone
 */
export function abilities(
  checks: { readonly checkContent: CheckContent; readonly checkFile: CheckFile },
  { isServed = true } = {},
): Module {
  return {
    name: 'abilities',
    errors: abilityErrors,
    setup: () => ({ site: { ...checks, addedAbilities: [] } }),
    namespaces(site) {
      const namespace = createAbilityRoutes(site);
      if (isServed) return [namespace, findingsRoutes];
      const isInner = ({ inner }: Pick<RestRequest, 'inner'>): boolean => inner === true;
      const routes = namespace.routes.map((route) => ({ ...route, isUnlisted: true, isOffered: isInner }) as const);
      return [{ ...namespace, routes, isUnlisted: true }, findingsRoutes];
    },
  };
}
