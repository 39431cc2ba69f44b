/**
 * Accepts a comment from a form, without a script: like `POST /cms/v2/comments` from a visitor, with the same checks; as a signed-in user only with a
 * form token. Forms of other sites are refused.
 */
import { table } from '../../../kernel/model/maps.ts';
import { neutral } from '../../../kernel/rest/dialect.ts';
import { createDispatcher } from '../../../kernel/rest/dispatch.ts';
import { compose } from '../../../kernel/rest/registry.ts';
import type { RestResponse } from '../../../kernel/rest/request.ts';
import type { Dispatcher } from '../../../kernel/rest/types.ts';
import type { FormTaker, Page, SentForm } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { actorOf } from '../../people/accounts/index.ts';
import type { Actor } from '../../../kernel/model/access.ts';
import { isPublic, prettyLink } from '../../content/permalinks/record.ts';
import { unlocked } from '../../content/post-passwords/index.ts';
import { type PostRecord, isProtected } from '../../content/posts/record.ts';
import { pathBase } from '../theme/record.ts';
import { commentsBy, takesComments, trapField } from './form-data.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';

const text = { 'Content-Type': 'text/plain; charset=UTF-8', 'Cache-Control': 'no-store' };

/** Why a comment is refused, and the invalid field; '' for none. */
type Reason = readonly [error: string, wrong: string];

/** By error code, or the name of the invalid parameter. */
const reasons: Readonly<Record<string, Reason>> = table({
  rest_comment_author_data_required: ['Please enter your name and email address.', 'author'],
  rest_comment_content_invalid: ['Please write something.', 'comment'],
  author_email: ['Please enter a valid email address.', 'email'],
  author_url: ['Please enter a valid URL.', 'url'],
  comment_duplicate: ['You have already said that.', 'comment'],
  comment_flood: ['Please wait a moment before you comment again.', ''],
  comment_author_column_length: ['This is too long.', 'author'],
  comment_author_email_column_length: ['This is too long.', 'email'],
  comment_author_url_column_length: ['This is too long.', 'url'],
  comment_content_column_length: ['This is too long.', 'comment'],
  rest_comment_closed: ['Comments are closed here.', ''],
  rest_comment_login_required: ['You must be signed in to comment.', ''],
});
const expired: Reason = ['Please sign in again and resend the comment.', ''];
const refused: Reason = ['The comment could not be saved.', ''];

export function createCommentTaker(site: Site, log: (line: string) => void): FormTaker {
  let dispatcher: Dispatcher | null = null;
  const take = async (form: SentForm): Promise<Page> => {
    const { fields } = form;
    const post = site.posts.get(Number(fields.comment_post_ID));
    if (!post || !isPublic(site, post)) return { status: 404, headers: text, body: 'There is nothing to comment on.\n' };
    if (!isOwn(site, form)) return notTaken(post, form, refused, 403);
    if (fields[trapField]) return notTaken(post, form, refused, 400);
    const open = fields.proof ? await site.sessions.find(form) : null;
    if (fields.proof && !open?.isNonce(fields.proof, 'form')) return notTaken(post, form, expired, 403);
    dispatcher ??= dispatcherOf(site, log);
    // A password from the cookie is not a guess.
    const { status, data } = await dispatcher.dispatch(unlocked(requestOf(site, post, form, open && actorOf(open.account))));
    if (status !== 201) return notTaken(post, form, reasonOf(data), status);
    return taken(post, (data as { id: number }).id);
  };
  return Object.assign(take, { writes: true } as const);

  function taken(post: PostRecord, id: number): Page {
    const page = base() + prettyLink(site, post);
    const waits = `${page}${page.includes('?') ? '&' : '?'}commented=waits#respond`;
    const isShown = site.comments.get(id)?.status === 'approved';
    return {
      status: 303,
      headers: { Location: isShown ? `${page}#comment-${id}` : waits, 'Cache-Control': 'no-store' },
      body: null,
    };
  }

  async function notTaken(post: PostRecord, form: SentForm, [error, wrong]: Reason, status: number): Promise<Page> {
    const { fields } = form;
    const replyTo = Number(fields.comment_parent) || 0;
    const isKnown = site.comments.get(replyTo)?.post === post.id && site.comments.get(replyTo)?.status === 'approved';
    const by = await commentsBy(site, post, form);
    const state = { ...(by ? { by } : {}), ...(isKnown ? { replyTo } : {}), sent: { fields, error, wrong } };
    const isShown = (takesComments(site, post) || by !== null) && (!isProtected(post) || site.theme.isUnlocked(post, form));
    return (
      (isShown && (await site.theme.showComment(post, form, state, status))) || { status, headers: text, body: `${error}\n` }
    );
  }

  /** Prefix of site paths: the URL of a front end, if pages are there. */
  function base(): string {
    const at = site.theme.pagesAt();
    return typeof at === 'object' ? at.frontEnd : pathBase(site);
  }
}

/** Only the routes of comments. */
function dispatcherOf(site: Site, log: (line: string) => void): Dispatcher {
  const { modules } = site;
  const namespaces = modules.list.find(({ name }) => name === 'comments')?.namespaces?.(site) ?? [];
  const { extension, reshape } = modules;
  const registry = compose(namespaces, { args: modules.argsOf(site), extension, reshape });
  return createDispatcher(site, registry, (error) =>
    log(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  );
}

function requestOf(site: Site, post: PostRecord, { fields, headers, client }: SentForm, user: Actor | null) {
  const said = { author_name: fields.author, author_email: fields.email, author_url: fields.url?.trim() || undefined };
  const given = user ? [] : Object.entries(said).filter(([, value]) => value !== undefined);
  const isUnlocked = isProtected(post) && site.theme.isUnlocked(post, { headers, client });
  return {
    method: 'POST',
    route: '/cms/v2/comments',
    query: {},
    json: {
      ...Object.fromEntries(given),
      post: post.id,
      parent: Number(fields.comment_parent) || 0,
      content: (fields.comment ?? '').replaceAll('\r\n', '\n'),
      ...(isUnlocked ? { password: post.password } : {}),
    },
    headers: { 'user-agent': String(headers['user-agent'] ?? ''), referer: String(headers.referer ?? '') },
    dialect: neutral,
    user,
    ip: client.ip,
  } as const;
}

/** Whether a page of this site sent a form, by the browser's headers. Other clients can use the API. */
function isOwn(site: Site, { headers }: SentForm): boolean {
  if (headers['sec-fetch-site'] === 'cross-site' && typeof site.theme.pagesAt() !== 'object') return false;
  const { origin, host } = headers;
  if (origin === undefined) return true;
  if (typeof origin !== 'string' || !isUrl(origin)) return false;
  const at = site.theme.pagesAt();
  const own = [site.url, ...(typeof at === 'object' ? [at.frontEnd] : [])].map((url) => new URL(url).origin);
  return own.includes(origin) || new URL(origin).host === host;
}

function reasonOf(data: RestResponse['data']): Reason {
  const { code, data: { params = {} } = {} } = data as { code: string; data?: { params?: Record<string, unknown> } };
  const wrong = Object.keys(params).find((name) => Object.hasOwn(reasons, name));
  return reasons[wrong ?? code] ?? refused;
}
