import type { Module } from '../../../kernel/module.ts';
import { siteIndexRoutes } from './routes.ts';

export const siteIndex: Module = { name: 'site-index', namespaces: () => [{ name: '', routes: siteIndexRoutes }] };
