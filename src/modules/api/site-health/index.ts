/**
 * Health of the server, as a module.
 */
import type { Module } from '../../../kernel/module.ts';
import { healthErrors } from './errors.ts';
import { createSiteHealth } from './routes.ts';

export const siteHealth: Module = { name: 'site-health', errors: healthErrors, namespaces: (site) => [createSiteHealth(site)] };
