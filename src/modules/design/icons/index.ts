import type { Module } from '../../../kernel/module.ts';
import { allIconRoutes } from './routes.ts';

export const iconSets: Module = { name: 'icons', namespaces: () => [{ name: 'cms/v2', routes: allIconRoutes }] };

export { icons } from './icons.ts';
