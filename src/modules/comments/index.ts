import { choiceOf, fileOnly } from '../../kernel/model/settings.ts';
import type { Module } from '../../kernel/module.ts';
import { tableOf } from '../../kernel/site/tables.ts';
import { createCommenters } from './commenters.ts';
import { isDecision } from './decision-links.ts';
import { decisionForm, decisionPage } from './decisions.ts';
import { commentErrors } from './errors.ts';
import { fieldsOfComments } from './fields.ts';
import { createCommentKind, commentPaths } from './file.ts';
import { releaseComment } from './plan.ts';
import { type CommentRecord, removeComments } from './record.ts';
import { commentRoutes } from './routes.ts';

export { createCommentView } from './view.ts';

export const comments: Module = {
  name: 'comments',
  errors: commentErrors,
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
    {
      group: 'discussion',
      key: 'comment_max_links',
      schema: fileOnly('Comments with this many links wait for approval; 0: links do not count', 'integer'),
      bounds: { minimum: 0 },
      default: 2,
    },
    {
      group: 'discussion',
      key: 'moderation_keys',
      schema: fileOnly('Words, addresses and IP addresses, one a line; comments that have one wait for approval', 'string'),
      default: '',
    },
    {
      group: 'discussion',
      key: 'disallowed_keys',
      schema: fileOnly('The same; comments that have one go to the trash', 'string'),
      default: '',
    },
    {
      group: 'discussion',
      key: 'moderation_notify',
      schema: fileOnly('Moderators get an email when a comment waits', 'boolean'),
      default: true,
    },
    {
      group: 'discussion',
      key: 'comments_notify',
      schema: fileOnly('Authors get an email when a comment on their post is published', 'boolean'),
      default: true,
    },
  ],
  async setup(site) {
    const commenters = await createCommenters(site.store.private);
    return {
      site: { commenters },
      page: async (url) => (isDecision(url) ? decisionPage(site, url) : null),
      form: (url) => (isDecision(url) ? decisionForm(site, url) : null),
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
