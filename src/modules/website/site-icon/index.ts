import type { Module } from '../../../kernel/module.ts';
import { createFavicon } from './icon.ts';

export { siteIcon } from './icon.ts';

export const siteIcons: Module = { name: 'site-icon', setup: (site) => ({ page: createFavicon(site) }) };
