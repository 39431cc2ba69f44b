/** Posts, pages and declared types, as a module. */
import { type Bounds, choiceOf, fileOnly, line } from '../../../kernel/model/settings.ts';
import type { Module } from '../../../kernel/module.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { tableOf } from '../../../kernel/site/tables.ts';
import { type TagValues, tagValues, tagValuesKey } from '../front-matter/record.ts';
import { postErrors } from './errors.ts';
import { createPostKind, postPaths } from './file.ts';
import { departureOf } from './plan.ts';
import { hasOwnFiles, isDraft } from '../../types/record.ts';
import { createPreviews } from './preview.ts';
import { firstPosts, type PostRecord, type PostResource } from './record.ts';
import { createPostReferences } from './references.ts';
import { createSchedule, untimely } from './schedule.ts';
import { isTaken } from './slugs.ts';
import { createPostResource, postRoutes } from './routes.ts';
import { createRenderings } from './view.ts';

export { isUndatedPost, writePost } from './file.ts';
export { postLinks, postSchemaLinks } from './links.ts';
export { saysFuture, statusFacet, statusStated } from './stated-status.ts';
export { createPostResource, forceArg, postRoutes, routeOf, viewOf } from './routes.ts';
export { canRead, isOther, mayAssign } from './access.ts';
export { countedOf, orders, postListArgs, postQuery, withKnown } from './list.ts';
export { planCreate, planDelete, planTrash, planUpdate } from './plan.ts';
export { namedIn, previewAt, previewLink } from './preview.ts';
export { createPostView, createStateView, showsAddress } from './view.ts';

export const posts: Module = {
  name: 'posts',
  errors: postErrors,
  requestHeaders: ['X-CMS-Content-Type'],
  settings: [
    {
      group: 'writing',
      key: 'writing',
      schema: choiceOf('Format of files that clients create; auto decides by the body', 'auto', 'markdown', 'markup'),
      default: 'auto',
    },
    {
      group: 'writing',
      key: tagValuesKey,
      schema: choiceOf(
        'What tags and categories are in files: numbers are ids, or names as every text; words: a text without commas is divided at blanks',
        ...(tagValues as [TagValues, ...TagValues[]]),
      ),
      default: 'ids',
      rereads: true,
    },
    {
      group: 'reading',
      key: 'templates',
      schema: {
        ...fileOnly('Templates for posts: name and title', 'object'),
        additionalProperties: { type: 'string' },
      },
      bounds: {
        names: '^[A-Za-z0-9_./-]{1,200}$',
        additionalProperties: { type: 'string', ...line } as Bounds,
        maxProperties: 200,
      },
      default: {},
    },
    {
      group: 'reading',
      key: 'preview_lifetime',
      schema: { ...fileOnly('Seconds a preview link works', 'integer'), minimum: 60, maximum: 2_592_000 },
      default: 86400,
    },
  ],
  async setup(site, kernel) {
    const renderings = createRenderings();
    return {
      site: { previews: await createPreviews(site.store.private, site.store.readOnly), renderings, companions: [] },
      refs: createPostReferences(site, kernel),
      close: async () => renderings.worker.close(),
      beforeLoad() {
        kernel.raiseIds({ posts: firstPosts });
        site.departures.push(departureOf(site));
      },
      afterLoad({ restored }) {
        // Cached records may be out of date.
        if (restored > 0) site.refresh('posts', untimely(site));
      },
    };
  },
  tables(site) {
    const views = ['date', 'modified', 'title'].map((order) => ({ by: ['type', 'status'], order }));
    return [{ ...tableOf('posts', site.postFields.values(), views), isSearched: true }];
  },
  kinds(site) {
    const isSlugTaken = (post: PostRecord): boolean => !isDraft(site.statuses, post.status) && isTaken(site, post);
    return [...site.types.values()].filter(hasOwnFiles).map((type) => createPostKind(site, type, isSlugTaken));
  },
  paths: ({ types, postFields }) => postPaths(types, postFields),
  jobs: [{ name: 'schedule', start: createSchedule }],
  namespaces: (site) => [
    {
      name: 'cms/v2',
      routes: [...site.types.values()]
        .filter(({ showInRest }) => showInRest)
        .flatMap((type) => site.modules.routesOf(type.name, site) ?? routesOf(site, type)),
    },
  ],
};

function routesOf(site: Site, type: PostResource['type']): Namespace['routes'] {
  const resource = createPostResource(site, type);
  return [...postRoutes(site, resource), ...site.companions.flatMap((companion) => companion.routes?.(site, resource) ?? [])];
}
