import type { Module } from '../../../kernel/module.ts';
import { settingErrors } from './errors.ts';
import { settingsAfterMoves } from './record.ts';
import { createSettingRoutes } from './routes.ts';
import { contentSettings } from './standard.ts';

export const settings: Module = {
  name: 'settings',
  errors: settingErrors,
  settings: contentSettings,
  setup: (site) => ({ follow: (changes) => settingsAfterMoves(site, changes) }),
  namespaces: (site) => [{ name: 'cms/v2', routes: createSettingRoutes(site.settings.rows) }],
};
