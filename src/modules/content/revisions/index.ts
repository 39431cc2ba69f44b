/** Revisions and autosaves as a module. Their routes are below items with a history. */
import { fileOnly } from '../../../kernel/model/settings.ts';
import type { Module } from '../../../kernel/module.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { PostResource } from '../posts/record.ts';
import { autosaveRoutes } from './autosaves.ts';
import { revisionErrors } from './errors.ts';
import { createRevisionKind, revisionPaths } from './file.ts';
import { giveRevision, planRevision, removeRevisions, replacedBy } from './plan.ts';
import { revisionTable } from './record.ts';
import { revisionRoutes } from './routes.ts';

export { autosaveRoutes } from './autosaves.ts';
export { autosaveOf, planAutosave, planOther } from './plan.ts';
export { findRevision, listRevisions, removeRevision, revisionListArgs } from './routes.ts';

export const revisions: Module = {
  name: 'revisions',
  errors: revisionErrors,
  settings: [
    {
      group: 'writing',
      key: 'revisions',
      schema: {
        ...fileOnly('Revisions to keep of an item; -1: all; git: the commits of its file', 'integer'),
        minimum: -1,
        maximum: 100_000,
      },
      bounds: { type: ['integer', 'string'], pattern: '^(?:-?\\d+|git)$' },
      default: -1,
    },
  ],
  setup: (site, { planning }) => ({
    beforeExternal: (batch) => replacedBy(planning, batch),
    beforeLoad() {
      site.companions.push({ changed: planRevision, removed: removeRevisions, routes: historyRoutes });
      site.departures.push({ written: { table: site.revisions, release: giveRevision } });
    },
  }),
  tables: () => [revisionTable],
  kinds(site) {
    site.modules.extension(['revision'], ['fields']);
    return [createRevisionKind(site)];
  },
  paths: () => revisionPaths,
};

export function historyRoutes(site: Site, resource: PostResource): Namespace['routes'] {
  const { supports } = resource.type;
  return [
    ...(supports.revisions ? revisionRoutes(site, resource) : []),
    ...(supports.autosave ? autosaveRoutes(site, resource) : []),
  ];
}
