/**
 * Abilities as a module.
 */
import type { Module } from '../../../kernel/module.ts';
import type { CheckContent } from './abilities.ts';
import { createAbilityRoutes } from './routes.ts';

/** @param checkContent  what `cms/validate` runs */
export function abilities(checkContent: CheckContent): Module {
  return {
    name: 'abilities',
    setup: () => ({ site: { checkContent } }),
    namespaces: () => [createAbilityRoutes()],
  };
}
