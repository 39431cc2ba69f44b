import type { Module } from '../../../kernel/module.ts';
import { createFeeds } from './feeds.ts';

export { feedFiles } from './catalogue.ts';
export { plain } from './entries.ts';
export { forms } from './print.ts';

export const feeds: Module = { name: 'feeds', setup: (site) => ({ page: createFeeds(site).page }) };
