/** Sitemaps as a module. */
import type { Module } from '../../../kernel/module.ts';
import { createSitemaps, type Sitemaps } from './pages.ts';

export { changedAt, hides, isListed, latest } from './inventory.ts';
export { publicView } from './rows.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly sitemaps: Sitemaps;
  }
}

export const sitemaps: Module = {
  name: 'sitemaps',
  setup(site) {
    const sitemaps = createSitemaps(site);
    return { site: { discovery: [], sitemaps }, page: sitemaps.page };
  },
};
