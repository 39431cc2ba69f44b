/**
 * Media folders as a module.
 */
import type { Extension, Module } from '../../../kernel/module.ts';
import { scopeOf } from './access.ts';
import { folderChecks } from './checks.ts';
import { folderErrors } from './errors.ts';
import { createFolderIndex } from './folder-index.ts';
import { folderRoutes } from './folder-routes.ts';
import { filedFields, folderSpace, memberKey } from './record.ts';
import { handOver, placeUpload } from './plan.ts';
import { settingsRoutes } from './settings-routes.ts';
import { of } from '../../../kernel/model/schema.ts';

export { mayManage, mayUse, scopeOf } from './access.ts';
export { countAll, countsOf, countUnfiled, filesOf, limitsOf } from './counts.ts';
export { idList, refused, sentWith, succeeded, textOf, unkept, wholeNumber } from './exchange.ts';
export { nodesOf } from './nodes.ts';
export {
  attachment,
  type FiledAttachment,
  membersOf,
  planAssign,
  planNewFolder,
  siblingNamed,
  treeLock,
  writeFiled,
} from './plan.ts';
export { newRow, type FolderRow, type Tree, writeTree } from './tree.ts';

const attachments: Extension = {
  fields: filedFields,
  prepareWrite: placeUpload,
  params: {
    folder: {
      ...of('integer', 'Limit result set to attachments in a media folder; 0: in none, -1: all.', { minimum: -1 }),
      where(value, call) {
        const { scope, byId } = call.site.folderTrees.of(scopeOf(call));
        if (value === -1) return [];
        if (value !== 0)
          return [{ kind: 'in', index: 'folder', values: byId.has(value as number) ? [memberKey(scope, value as number)] : [] }];
        const values = [...byId.keys()].map((id) => memberKey(scope, id));
        return values.length === 0 ? [] : [{ kind: 'in', index: 'folder', values, not: true }];
      },
    },
  },
};

export const mediaFolders: Module = {
  name: 'media-folders',
  errors: folderErrors,
  setup(site, kernel) {
    const index = createFolderIndex(kernel.planning, kernel);
    return {
      site: { folderTrees: index },
      beforeLoad: () => void site.departures.push({ before: ({ user, heir }) => handOver(site, user, heir ?? 0) }),
      announce: (batch) => index.announce(batch),
      afterIngest: (batch, writes) => index.ingest(batch, writes),
      problems: () => index.problems(),
    };
  },
  tables: () => [{ name: folderSpace, unique: {}, equal: {}, order: { id: ({ id }) => id }, text: {}, views: [] }],
  extend: { attachment: attachments },
  namespaces: () => [{ name: 'folders/v1', routes: [...folderRoutes, ...settingsRoutes] }],
  checks: folderChecks,
};
