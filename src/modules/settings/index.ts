/**
 * Settings as a module.
 */
import type { Module } from '../../kernel/module.ts';
import { createSettingRoutes } from './routes.ts';

export const settings: Module = {
  name: 'settings',
  namespaces: (site) => [{ name: 'cms/v2', routes: createSettingRoutes(site.settings.rows) }],
};
