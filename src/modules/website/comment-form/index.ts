/** The comment form of the theme, as a module. */
import type { Module } from '../../../kernel/module.ts';
import { createCommentTaker } from './comment-taker.ts';
import { commentPaths } from './form-data.ts';

export { commentForm, commentsBy } from './form-data.ts';

export const commentForms: Module = {
  name: 'comment-form',
  setup(site, { log }) {
    const take = createCommentTaker(site, log);
    const isThere = (url: string): boolean => commentPaths.includes(url.split('?', 1)[0] as string);
    return {
      form: (url) => (isThere(url) ? take : null),
      page: async (url) =>
        isThere(url) ? { status: 405, headers: { Allow: 'POST', 'Content-Type': 'text/plain' }, body: 'Send a form.\n' } : null,
    };
  },
};
