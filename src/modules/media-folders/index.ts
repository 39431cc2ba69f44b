/**
 * Media folders as a module.
 */
import type { Module } from '../../kernel/module.ts';
import { folderChecks } from './checks.ts';
import { createFolderIndex } from './folder-index.ts';
import { filedFields, folderSpace } from './record.ts';

export const mediaFolders: Module = {
  name: 'media-folders',
  setup(site, kernel) {
    const index = createFolderIndex(site, kernel);
    return {
      site: { folderTrees: index },
      announce: (batch) => index.announce(batch),
      afterIngest: (batch, writes) => index.ingest(batch, writes),
      problems: () => index.problems(),
    };
  },
  tables: () => [{ name: folderSpace, unique: {}, equal: {}, order: { id: ({ id }) => id }, text: {}, views: [] }],
  extend: { attachment: { fields: filedFields } },
  checks: folderChecks,
};
