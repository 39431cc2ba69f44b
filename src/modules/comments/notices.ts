/**
 * Letters about comments: to moderators when one waits (`moderation_notify`), to the author of the post when one is published
 * (`comments_notify`). Nobody waits for them.
 */
import type { Site } from '../../kernel/site/site.ts';
import { readPrivate } from '../../kernel/site/settings.ts';
import { plainText } from '../../render/text.ts';
import { homeOf, prettyLink } from '../content/permalinks/record.ts';
import type { PostRecord } from '../content/posts/record.ts';
import { lettersOf } from '../mail/index.ts';
import { actorOf } from './admission.ts';
import { canEditComment } from './access.ts';
import { decisionLink } from './decision-links.ts';
import type { CommentRecord } from './record.ts';
import { authorEmail, authorName } from './view.ts';

/** Of a comment, in a letter. */
const longest = 2000;

/** @param before  null for a new comment */
export function tellOf(site: Site, before: CommentRecord | null, after: CommentRecord): void {
  if (!site.mail.isSetUp || after.type !== 'comment' || before?.status === after.status) return;
  const post = site.posts.get(after.post);
  if (!post) return;
  if (before === null && after.status === 'hold' && site.settings.value('moderation_notify'))
    void site.store.faults.background('mail', () => tellModerators(site, post, after));
  if (after.status === 'approved' && (before === null || before.status === 'hold') && site.settings.value('comments_notify'))
    tellAuthor(site, post, after);
}

/** The site's address, or else everybody who moderates; and the author of the post, who may decide as well. */
async function tellModerators(site: Site, post: PostRecord, comment: CommentRecord): Promise<void> {
  const { email = '' } = await readPrivate(site.store.private);
  const moderators = site.accounts.all().filter(({ id }) => {
    const user = site.users.get(id);
    return user && site.access.can(actorOf(user), 'moderate_comments');
  });
  const author = site.users.get(post.author);
  const mayDecide = author && canEditComment(site.access, actorOf(author), comment);
  const to = new Set([
    ...(email ? [String(email)] : moderators.map((one) => one.email)),
    ...(mayDecide ? [author.account?.email ?? ''] : []),
  ]);
  const decide = await decisionLink(site, comment);
  const said = lettersOf(site).waiting({ ...factsOf(site, post, comment), decide });
  for (const one of to) if (one !== '') site.mail.send({ kind: 'comment', to: one, ...said });
}

/** Unless they wrote it. */
function tellAuthor(site: Site, post: PostRecord, comment: CommentRecord): void {
  const to = site.users.get(post.author)?.account?.email ?? '';
  if (to === '' || comment.author === post.author) return;
  site.mail.send({ kind: 'comment', to, ...lettersOf(site).approved(factsOf(site, post, comment)) });
}

function factsOf(site: Site, post: PostRecord, comment: CommentRecord) {
  return {
    title: plainText(post.title) || String(post.id),
    name: authorName(site, comment),
    email: authorEmail(site, comment),
    text: plainText(comment.content).slice(0, longest),
    link: `${homeOf(site)}${prettyLink(site, post)}#comment-${comment.id}`,
  };
}
