/**
 * Pages of the site without a front end, as a module.
 */
import type { Module } from '../../kernel/module.ts';
import { pageAt } from './pages.ts';

export const plainPages: Module = { name: 'plain-pages', setup: (site) => ({ page: (url) => pageAt(site, url) }) };
