/**
 * The page of a link in a letter, on which a moderator decides about a comment that waits, without signing in. Looking at it changes nothing, as mail
 * programs look at links themselves. The link works until the comment has been decided on or changed, for a week at most.
 */
import { escapeHtml } from '../../kernel/model/escape.ts';
import type { FormTaker, Page } from '../../kernel/site/serving.ts';
import type { Site } from '../../kernel/site/site.ts';
import { plainText } from '../../render/text.ts';
import { commentOf } from './decision-links.ts';
import { htmlPage, nameOf, notePage } from '../people/sign-in/index.ts';
import { updateComment } from './plan.ts';
import { authorName, authorUrl } from './view.ts';

const decisions = new Map([
  ['approve', 'The comment is published.'],
  ['spam', 'The comment is marked as spam.'],
  ['trash', 'The comment is in the trash.'],
]);

export async function decisionPage(site: Site, url: string): Promise<Page> {
  const comment = await commentOf(site, url);
  if (!comment) return over(site);
  const post = site.posts.get(comment.post);
  const website = authorUrl(site, comment);
  const button = (name: string, label: string, kind = ''): string =>
    `<button${kind} name="decision" value="${name}">${label}</button>`;
  const body =
    `<p><strong>${escapeHtml(authorName(site, comment))}</strong>${website === '' ? '' : ` (${escapeHtml(website)})`} ` +
    `on <strong>${escapeHtml(plainText(post?.title ?? ''))}</strong>:</p><p>${escapeHtml(plainText(comment.content))}</p>` +
    `<form method="post">${button('approve', 'Approve', ' class="main"')}${button('spam', 'Spam')}${button('trash', 'Trash')}</form>`;
  return htmlPage(nameOf(site), 'A comment waits', body);
}

export function decisionForm(site: Site, url: string): FormTaker {
  const take = async ({ fields, client }: Parameters<FormTaker>[0]): Promise<Page> => {
    const comment = await commentOf(site, url);
    if (!comment) return over(site);
    const { decision = '' } = fields;
    const sentence = decisions.get(decision);
    if (sentence === undefined) return decisionPage(site, url);
    if (site.store.readOnly)
      return notePage(nameOf(site), 'Site is read-only', 'This site is read-only at the moment. Try again later.', 503);
    await updateComment(site, null, comment.id, { status: decision });
    site.audit.note({ event: `comment.${decision}`, on: comment.id, ip: client.ip, with: 'link' });
    return notePage(nameOf(site), 'Done', sentence, 200);
  };
  return Object.assign(take, { writes: true } as const);
}

function over(site: Site): Page {
  return notePage(
    nameOf(site),
    'This link has expired',
    'The comment was already decided on or changed, or the link is more than a week old.',
    410,
  );
}
