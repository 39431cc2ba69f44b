/**
 * Comments as a module.
 */
import type { Module } from '../../kernel/module.ts';
import { tableOf } from '../../kernel/site/tables.ts';
import { createCommenters } from './commenters.ts';
import { fieldsOfComments } from './fields.ts';
import { createCommentKind } from './file.ts';
import { commentRoutes } from './routes.ts';

export { createCommentView, statusOf } from './view.ts';

export const comments: Module = {
  name: 'comments',
  async setup(site) {
    const commenters = await createCommenters(site.store.private);
    return {
      site: { commenters },
      replicated: { name: 'commenters', documents: { prefix: 'comments/', reread: (key) => commenters.reread(key) } },
      problems: () => commenters.problems(),
    };
  },
  tables: (site) => [tableOf('comments', [fieldsOfComments(site)], [{ by: ['status', 'type'], order: 'date_gmt' }])],
  kinds: (site) => [createCommentKind(site)],
  namespaces: (site) => [{ name: 'cms/v2', routes: commentRoutes(site) }],
};
