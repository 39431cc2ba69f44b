/**
 * Calls of a service that speaks as Akismet does.
 *
 * Source: Akismet API, comment-check, submit-spam, submit-ham.
 */
import type { Fetcher } from '../../../http-client/fetch.ts';
import type { Refused } from '../../deliveries/index.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { homeOf, prettyLink } from '../../content/permalinks/record.ts';
import type { CommentRecord } from '../record.ts';
import { authorEmail, authorName, authorUrl } from '../view.ts';
import type { SpamReport, SpamSettings } from './record.ts';

type Facts = Readonly<Record<string, string>>;

/** Of an answer, which is a word or a sentence. */
const maxBytes = 1024;

/** What is always sent of a comment: docs/operations.md lists it. Not the user agent, which may be that of who changed the comment since. */
export function factsOf(site: Site, comment: CommentRecord, { blog }: Pick<SpamSettings, 'blog'>): Facts {
  const post = site.posts.get(comment.post);
  return {
    blog,
    blog_lang: String(site.settings.value('language')).toLowerCase().replaceAll('-', '_'),
    blog_charset: 'UTF-8',
    user_ip: site.commenters.get(comment.id)?.ip ?? '',
    permalink: post ? homeOf(site) + prettyLink(site, post) : '',
    comment_type: 'comment',
    comment_author: authorName(site, comment),
    comment_author_email: authorEmail(site, comment),
    comment_author_url: authorUrl(site, comment),
    comment_content: comment.content,
    comment_date_gmt: `${comment.dateGmt}Z`,
  };
}

/** Whether the service takes a comment for spam, or why that is not known. Never throws. */
export async function checkComment(fetcher: Fetcher, settings: SpamSettings, facts: Facts): Promise<boolean | Refused> {
  const { word, error } = await ask(fetcher, settings, 'comment-check', facts);
  if (error !== '') return { error };
  // Also `true` with the advice to discard it (X-akismet-pro-tip) is only spam: nothing is lost.
  return word === 'true' || (word === 'false' ? false : { error: 'answered neither true nor false' });
}

/** Null when accepted. Never throws. */
export async function report(
  fetcher: Fetcher,
  settings: SpamSettings,
  call: SpamReport['call'],
  facts: Facts,
  signal: AbortSignal,
): Promise<Refused | null> {
  const { error } = await ask(fetcher, settings, call, facts, signal);
  return error === '' ? null : { error };
}

async function ask(
  fetcher: Fetcher,
  { endpoint, key }: SpamSettings,
  call: string,
  facts: Facts,
  signal?: AbortSignal,
): Promise<{ readonly word: string; readonly error: string }> {
  const given = Object.entries({ api_key: key, ...facts }).filter(([, value]) => value !== '');
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8' };
  try {
    const sent = { method: 'POST', body: String(new URLSearchParams(given)) };
    const { status, body } = await fetcher.send(`${endpoint}/${call}`, sent, { headers, maxBytes, signal });
    const word = body.toString('utf8').trim();
    if (status !== 200) return { word, error: `answered ${status}` };
    return { word, error: word === 'invalid' ? 'does not accept the key' : '' };
  } catch (error) {
    return { word: '', error: (error as Error).message };
  }
}
