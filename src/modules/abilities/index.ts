/**
 * Abilities as a module.
 */
import type { Module } from '../../kernel/module.ts';
import { createAbilityRoutes } from './routes.ts';

export const abilities: Module = { name: 'abilities', namespaces: () => [createAbilityRoutes()] };
