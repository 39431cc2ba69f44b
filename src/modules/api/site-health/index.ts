/**
 * Health of the server, as a module.
 */
import type { Module } from '../../../kernel/module.ts';
import { createSiteHealth } from './routes.ts';

export const siteHealth: Module = { name: 'site-health', namespaces: (site) => [createSiteHealth(site)] };
