import { choiceOf, fileOnly } from '../../kernel/model/settings.ts';
import type { Module } from '../../kernel/module.ts';
import { tableOf } from '../../kernel/site/tables.ts';
import { createCommenters } from './commenters.ts';
import { fieldsOfComments } from './fields.ts';
import { createCommentKind, commentPaths } from './file.ts';
import { releaseComment } from './plan.ts';
import { type CommentRecord, removeComments } from './record.ts';
import { commentRoutes } from './routes.ts';

export { createCommentView, statusOf } from './view.ts';

export const comments: Module = {
  name: 'comments',
  settings: [
    {
      group: 'discussion',
      key: 'moderation',
      schema: choiceOf(
        'Comments that wait for approval: all, those of people without an approved comment, none',
        'all',
        'known',
        'none',
      ),
      default: 'known',
    },
    {
      group: 'discussion',
      key: 'anonymous_comments',
      schema: fileOnly('Visitors may comment without an account', 'boolean'),
      default: false,
    },
  ],
  async setup(site) {
    const commenters = await createCommenters(site.store.private);
    return {
      site: { commenters },
      beforeLoad() {
        const release = (comment: CommentRecord) => [releaseComment(site, comment)];
        site.companions.push({ removed: (site, { id }) => removeComments(site, id) });
        site.departures.push({ written: { table: site.comments, release } });
      },
      replicated: { name: 'commenters', documents: { prefix: 'comments/', reread: (key) => commenters.reread(key) } },
      problems: () => commenters.problems(),
    };
  },
  tables: (site) => [tableOf('comments', [fieldsOfComments(site)], [{ by: ['status', 'type'], order: 'date_gmt' }])],
  kinds: (site) => [createCommentKind(site)],
  paths: commentPaths,
  namespaces: (site) => [{ name: 'cms/v2', routes: commentRoutes(site) }],
};
