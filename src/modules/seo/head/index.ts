/**
 * Heads of pages, as a module: what they say, by address and as members of items.
 */
import type { Module } from '../../../kernel/module.ts';
import { itemHead, termHead, typeHead, userHead } from './fields.ts';
import { createHeads } from './heads.ts';
import { headRoutes } from './routes.ts';

export { homeIn, homeTarget } from './addresses.ts';

export const seoHead: Module = {
  name: 'seo-head',
  setup: (site) => ({ site: { heads: createHeads(site) } }),
  extend: { item: { fields: itemHead }, term: { fields: termHead }, user: { fields: userHead }, type: { fields: typeHead } },
  namespaces: () => [{ name: 'seo/v1', routes: headRoutes }],
};
