import type { Module } from '../../../kernel/module.ts';
import { themeErrors } from './errors.ts';
import { createDesignKind, designTable, designPaths } from './record.ts';
import { globalStyleRoutes } from './style-routes.ts';
import { templateRoutes } from './template-routes.ts';
import { themeRoutes } from './theme-routes.ts';
import { designSettings } from './settings.ts';

export { exportDesign } from './export.ts';
export { presetsOf, standardPresets } from './styles.ts';
export { templateAreas, themeOf } from './themes.ts';
export { areaOf, templateById, templateId } from './templates.ts';

export const design: Module = {
  name: 'design',
  errors: themeErrors,
  settings: designSettings,
  tables: () => [designTable],
  kinds: () => [createDesignKind()],
  paths: () => designPaths,
  typeRoutes: {
    cms_template: () => templateRoutes('cms_template', 'templates'),
    cms_template_part: () => templateRoutes('cms_template_part', 'template-parts'),
    cms_global_styles: () => globalStyleRoutes,
  },
  namespaces: () => [{ name: 'cms/v2', routes: themeRoutes }],
};
