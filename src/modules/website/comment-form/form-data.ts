/** Template data of the comment form. */
import { dialects, neutral } from '../../../kernel/rest/dialect.ts';
import type { Visit } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { createCommentView } from '../../comments/index.ts';
import { plain } from '../feeds/index.ts';
import { prettyLink } from '../../content/permalinks/record.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import { type CommentState, pathBase } from '../theme/record.ts';
import type { Say } from '../words/index.ts';

/** Form targets below the site: next to the sign-in page, in each dialect. */
export const commentPaths = dialects.map(({ login }) => `/${login.replace('login', 'comments-post')}`);
/** The honeypot field. */
export const trapField = 'subject';

/** Fields in order: name, label, type, maximum length, autocomplete. */
const fields = [
  ['comment', 'Comment', 'textarea', 20_000, ''],
  ['author', 'Name', 'text', 245, 'name'],
  ['email', 'Email address (will not be published)', 'email', 100, 'email'],
  ['url', 'Website (optional)', 'url', 200, 'url'],
] as const;

/** Whether signed-in users may comment on a readable post. */
function isOpenForComments({ types }: Pick<Site, 'types'>, post: PostRecord): boolean {
  return post.comments === 'open' && types.get(post.type)?.supports.comments !== undefined;
}

/** Whether visitors may. */
export function takesComments(site: Site, post: PostRecord): boolean {
  return isOpenForComments(site, post) && site.settings.value('anonymous_comments') === true;
}

/** The form for a signed-in user; null for visitors. */
export async function commentsBy(site: Site, post: PostRecord, visit: Visit): Promise<CommentState['by'] | null> {
  if (visit.headers.cookie === undefined || !isOpenForComments(site, post)) return null;
  const open = await site.sessions.find(visit);
  if (!open) return null;
  return { name: site.users.get(open.account.id)?.name || open.account.login, proof: open.nonce('form') };
}

/** Null if the reader may not comment. */
export function commentForm(site: Site, say: Say, post: PostRecord, { by, waits, replyTo, sent }: CommentState) {
  if (!takesComments(site, post) && !(by && isOpenForComments(site, post))) return null;
  const base = pathBase(site);
  const page = base + prettyLink(site, post);
  const answered = site.comments.get(replyTo ?? 0);
  const shown = createCommentView(site, { postLink: () => page, word: (name) => name });
  return {
    action: base + commentPaths[dialects.indexOf(neutral)],
    post: post.id,
    page_url: page,
    reply_url: `${page}${page.includes('?') ? '&' : '?'}replytocom=`,
    reply: answered ? { id: answered.id, author: plain(shown.name(answered)) || say('Anonymous') } : null,
    waits: waits === true,
    error: sent ? say(sent.error) : '',
    trap: trapField,
    by: by?.name ?? '',
    proof: by?.proof ?? '',
    fields: (by ? fields.slice(0, 1) : fields).map(([name, label, type, most, autocomplete]) => ({
      name,
      label,
      type,
      most,
      autocomplete,
      is_required: name !== 'url',
      is_wrong: sent?.wrong === name,
      value: sent?.fields[name] ?? '',
    })),
  };
}
