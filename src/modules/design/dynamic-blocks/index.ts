import type { Module } from '../../../kernel/module.ts';
import { createDynamicBlocks } from './showing.ts';

export { pageNumber } from './asked-address.ts';

export const dynamicBlocks: Module = {
  name: 'dynamic-blocks',
  setup: (site) => ({ site: { dynamicBlocks: createDynamicBlocks(site) } }),
};
