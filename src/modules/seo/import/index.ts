/**
 * Taking over what another tool for search engines has left, `seo/v1/import`, as a module.
 */
import type { Module } from '../../../kernel/module.ts';
import { importRoutes } from './routes.ts';

export const seoImport: Module = { name: 'seo-import', namespaces: () => [{ name: 'seo/v1', routes: importRoutes }] };
