import type { Module } from '../../../kernel/module.ts';
import { wikiKey } from './record.ts';

export const relativeLinks: Module = {
  name: 'relative-links',
  settings: [
    {
      key: wikiKey,
      group: 'writing',
      schema: { type: 'boolean', description: '`[[Name]]` in Markdown links the item whose file has the name' },
      default: false,
    },
  ],
};
