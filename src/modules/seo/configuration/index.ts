/**
 * How a site has set up what search engines are told, `seo/v1/configuration`, as a module.
 */
import type { Module } from '../../../kernel/module.ts';
import { configurationRoutes } from './routes.ts';

export { changeOptions } from './options.ts';

export const seoConfiguration: Module = {
  name: 'seo-configuration',
  namespaces: () => [{ name: 'seo/v1', routes: configurationRoutes }],
};
