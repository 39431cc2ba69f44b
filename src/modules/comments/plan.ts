/**
 * Creating, changing and deleting comments, and their status transitions.
 *
 * Source: conformance scenario comments; behaviour of the reference 6.9.
 */
import { fail } from '../../kernel/errors.ts';
import { type CommentRecord, type CommentStatus, commentsWith } from './record.ts';
import { same } from '../../kernel/model/field.ts';
import type { Moment } from '../../kernel/model/dates.ts';
import type { UserRecord } from '../people/users/record.ts';
import type { FileChange } from '../../kernel/store/types.ts';
import type { Actor } from '../../kernel/model/access.ts';
import { type Attempt, actorOf, admit, type Signature } from './admission.ts';
import { commentPath, writeComment } from './file.ts';
import { authorEmail, authorName, authorUrl, urlOfUser } from './view.ts';
import type { Commenter } from './commenters.ts';
import { tellOf } from './notices.ts';
import { filterHtml } from '../../render/filter.ts';
import { markUserLinks } from '../../render/links.ts';
import type { Site } from '../../kernel/site/site.ts';

/** The input of a write. Absent keys keep their values, or have defaults. */
export interface CommentInput {
  readonly post?: number;
  readonly parent?: number;
  /** Id of a user, whose name and URL it then has. */
  readonly author?: number;
  /** Plain text. */
  readonly name?: string;
  readonly email?: string;
  readonly url?: string;
  readonly ip?: string;
  readonly agent?: string;
  /** Where the browser was; not stored. */
  readonly referrer?: string;
  readonly content?: string;
  readonly date?: Moment;
  /** A status or transition: approve(d), hold, spam, unspam, trash, untrash. Others are ignored. */
  readonly status?: string;
  /** Registered meta, complete. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Properties set by fields of modules. */
  readonly added?: Readonly<Record<string, unknown>>;
}

interface NewComment extends CommentInput {
  readonly type: string;
  readonly post: number;
}

/** In bytes. */
const limits = [
  ['name', 245, 'comment_author_column_length'],
  ['email', 100, 'comment_author_email_column_length'],
  ['url', 200, 'comment_author_url_column_length'],
  ['content', 65525, 'comment_content_column_length'],
] as const;

/** Client words for statuses. */
const states: ReadonlyMap<string, CommentStatus> = new Map([
  ['approve', 'approved'],
  ['approved', 'approved'],
  ['1', 'approved'],
  ['hold', 'hold'],
  ['0', 'hold'],
  ['spam', 'spam'],
  ['trash', 'trash'],
]);

const AGENT_LENGTH = 254;

/**
 * Creates a comment. One at a time, because duplicates and floods depend on those before it. That of a visitor waits for the operator's
 * service against spam, if there is one: held, so that it is safe and counts until then.
 *
 * @returns its id
 * @throws RestError rest_comment_author_invalid, rest_comment_content_invalid, rest_comment_author_data_required, comment_duplicate, comment_flood,
 * comment_…_column_length
 */
export async function createComment(site: Site, actor: Actor | null, input: NewComment): Promise<number> {
  const { id, ruled } = await addComment(site, actor, input);
  if (ruled) await judge(site, id, ruled, input.referrer ?? '');
  const made = site.comments.get(id);
  if (made) tellOf(site, null, made);
  return id;
}

/** @returns its id, and the status by the rules if it is held for the service against spam */
function addComment(site: Site, actor: Actor | null, input: NewComment): Promise<{ id: number; ruled: CommentStatus | null }> {
  return site.commenters.alone(async () => {
    const { content = '', meta = {}, type, post, parent = 0 } = input;
    const signature = signatureOf(site, actor, input);
    const hasState = type === 'note' && ['resolved', 'reopen'].includes(String(meta._cms_note_status));
    if (content === '' && !hasState) fail('rest_comment_content_invalid');
    if (signature.author === 0 && (signature.name === '' || signature.email === '')) fail('rest_comment_author_data_required');
    const { author, name, email, url } = signature;
    checkLengths({ name, email, url, content });
    const date = input.date ?? site.now();
    const attempt: Attempt = {
      ...signature,
      ip: input.ip ?? '',
      agent: input.agent ?? '',
      content,
      clean: cleanContent(site, actor, content),
      post,
      parent,
      dateGmt: date.gmt,
    };
    const status = type === 'note' ? 'approved' : admit(site, actor, attempt);
    const isOfVisitor = type !== 'note' && author === 0 && !site.access.can(actor, 'moderate_comments');
    const ruled = site.spam.isSetUp && isOfVisitor && status !== 'trash' ? status : null;
    const id = await site.ownId('comments');
    const draft: CommentRecord = {
      ...input.added,
      id,
      path: '',
      etag: '',
      post,
      parent,
      author,
      ...frozen(author, name, url),
      date: date.local,
      dateGmt: date.gmt,
      content: attempt.clean,
      status: ruled ? 'hold' : status,
      was: null,
      type,
      meta,
    };
    const placed = { ...draft, path: commentPath(draft) };
    const made = (input.status === undefined ? undefined : moved(placed, input.status)) ?? placed;
    // Private data first: the comment is not visible before it exists.
    await site.commenters.keep(id, { email, ip: attempt.ip, agent: (input.agent ?? '').slice(0, AGENT_LENGTH) });
    try {
      await site.write(() => ({ changes: writeComment(site, made), result: id }));
      site.commenters.arrived(id, site.clock());
      return { id, ruled };
    } catch (error) {
      await site.commenters.forget([id]);
      throw error;
    }
  });
}

/** A comment held for the service against spam becomes what it says, unless a moderator was faster; without an answer it stays held. */
async function judge(site: Site, id: number, ruled: CommentStatus, referrer: string): Promise<void> {
  const comment = site.comments.get(id);
  const isSpam = comment ? await site.spam.check(comment, referrer) : null;
  if (isSpam === null) return;
  const settle = () => {
    const held = site.comments.get(id);
    const after = held?.status === 'hold' ? moved(held, isSpam ? 'spam' : ruled) : undefined;
    return { changes: after ? writeComment(site, after, held) : [], result: id };
  };
  // It is stored: a fault of the disk now leaves it held.
  await site.store.faults.background('spam', () => site.write(settle));
}

/**
 * Changes a comment. A change of only the status is refused if the status is unknown.
 *
 * @throws RestError rest_comment_invalid_id, rest_comment_author_invalid, rest_comment_invalid_post_id, rest_comment_content_invalid,
 * rest_comment_failed_edit, comment_…_column_length
 */
export async function updateComment(site: Site, actor: Actor | null, id: number, input: CommentInput): Promise<void> {
  const { status, ...rest } = input;
  const { commenter, former } = await site.write(() => {
    const before = site.comments.get(id) ?? fail('rest_comment_invalid_id');
    if (rest.post && !site.posts.get(rest.post)) fail('rest_comment_invalid_post_id');
    if (rest.content === '') fail('rest_comment_content_invalid');
    const named = rest.author === undefined ? {} : profileOf(site, rest.author);
    checkLengths({ ...named, ...rest });
    const merged = merge(site, actor, before, { ...named, ...rest });
    const after = status === undefined ? merged : moved(merged, status);
    if (!after && Object.keys(rest).length === 0) fail('rest_comment_failed_edit');
    const changed = after ?? merged;
    const known = site.commenters.get(id) ?? { email: authorEmail(site, before), ip: '', agent: '' };
    const { email = known.email, ip = known.ip, agent = known.agent } = { ...named, ...rest };
    const notes = status === 'trash' && after ? notesBelow(site, before).flatMap((note) => trash(site, note)) : [];
    return {
      changes: [...writeComment(site, changed, before), ...notes],
      result: { commenter: { email, ip, agent: agent.slice(0, AGENT_LENGTH) } satisfies Commenter, former: before },
    };
  });
  if (!same(commenter, site.commenters.get(id))) await site.commenters.keep(id, commenter);
  const after = site.comments.get(id);
  if (!after) return;
  tellOf(site, former, after);
  site.spam.learn(former, after);
}

/** Trashes a comment, and a note with its replies. @throws RestError rest_comment_invalid_id, rest_already_trashed */
export function trashComment(site: Site, id: number): Promise<number> {
  return site.write(() => {
    const before = site.comments.get(id) ?? fail('rest_comment_invalid_id');
    if (before.status === 'trash') fail('rest_already_trashed', {}, 'The comment has already been trashed.');
    return { changes: [before, ...notesBelow(site, before)].flatMap((comment) => trash(site, comment)), result: id };
  });
}

/** Deletes a comment; replies move up. @throws RestError rest_comment_invalid_id */
export function deleteComment(site: Site, id: number): Promise<number> {
  return site.write(() => {
    const { path, etag, parent } = site.comments.get(id) ?? fail('rest_comment_invalid_id');
    const moves = commentsWith(site, 'parent', id).flatMap((child) => writeComment(site, { ...child, parent }, child));
    return { changes: [...moves, { remove: path, expect: etag }], result: id };
  });
}

/** A comment of a deleted user stays, with the name it had (observed). */
export function releaseComment(site: Site, comment: CommentRecord): FileChange {
  const url = authorUrl(site, comment);
  const data = { author: comment.author, name: authorName(site, comment), ...(url === '' ? {} : { url }) };
  return { path: comment.path, expect: comment.etag, data, order: ['author', 'name', 'url'] };
}

/** Replies, except spam and trashed ones. */
export function hasReplies(site: Site, id: number): boolean {
  return commentsWith(site, 'parent', id).some(({ status }) => status === 'approved' || status === 'hold');
}

/** The author: the named user, the guest data of the request, or the sender. */
function signatureOf(site: Site, actor: Actor | null, { author, name = '', email = '', url = '' }: CommentInput): Signature {
  const isUnsigned = author === undefined && name === '' && email === '' && url === '';
  const user = author !== undefined ? author : isUnsigned ? actor?.id : undefined;
  const profile = user === undefined ? { author: 0, name: '', email: '', url: '' } : profileOf(site, user);
  return { author: profile.author, name: name || profile.name, email: email || profile.email, url: url || profile.url };
}

/** @throws RestError rest_comment_author_invalid */
function profileOf(site: Site, id: number): Signature {
  const user: UserRecord = site.users.get(id) ?? fail('rest_comment_author_invalid');
  return { author: id, name: user.name, email: user.account?.email ?? '', url: urlOfUser(site, user) };
}

/** The author data stored with a comment, independent of the profile; an empty name is only stored for users. */
function frozen(author: number, name: string, url: string): Pick<CommentRecord, 'name' | 'url'> {
  return { name: author === 0 ? name || null : name, url: url || null };
}

function merge(site: Site, actor: Actor | null, before: CommentRecord, input: CommentInput): CommentRecord {
  const { author = before.author, name = before.name, url = before.url, parent = before.parent } = input;
  const { post = before.post, date = { local: before.date, gmt: before.dateGmt }, meta = before.meta } = input;
  const owner = site.users.get(before.author);
  const isTrusted = owner !== undefined && site.access.can(actorOf(owner), 'unfiltered_html');
  // Stored text is filtered with every change, as in the reference.
  const isFiltered = input.content !== undefined || before.path.endsWith('.html');
  const text = input.content ?? before.content;
  const content = isFiltered ? cleanContent(site, isTrusted ? actor : null, text) : text;
  const after = {
    ...before,
    ...input.added,
    post,
    parent,
    author,
    ...(name === null && url === null ? { name, url } : frozen(author, name ?? authorName(site, before), url ?? '')),
    date: date.local,
    dateGmt: date.gmt,
    content,
    meta,
  };
  return post === before.post ? after : { ...after, path: commentPath(after) };
}

/** Sanitized markup: filtered by the writer's permissions, links marked as user content. */
function cleanContent(site: Site, actor: Actor | null, content: string): string {
  const html = site.access.can(actor, 'unfiltered_html') ? content : filterHtml(content, 'comment');
  return markUserLinks(html, site.url);
}

/** The comment after a transition; undefined if nothing changes or the word is unknown. */
function moved(comment: CommentRecord, word: string): CommentRecord | undefined {
  const isWayBack = word === 'unspam' || word === 'untrash';
  const status = isWayBack ? (comment.was ?? 'hold') : states.get(word);
  if (status === undefined || status === comment.status) return undefined;
  return { ...comment, status, was: !isWayBack && (status === 'spam' || status === 'trash') ? comment.status : null };
}

function trash(site: Site, comment: CommentRecord): FileChange[] {
  const after = moved(comment, 'trash');
  return after ? writeComment(site, after, comment) : [];
}

/** Replies to a note. */
function notesBelow(site: Site, { id, type, parent }: CommentRecord): CommentRecord[] {
  return type === 'note' && parent === 0 ? commentsWith(site, 'parent', id).filter((child) => child.type === 'note') : [];
}

function checkLengths(input: CommentInput): void {
  for (const [key, limit, code] of limits) if (Buffer.byteLength(input[key] ?? '') > limit) fail(code);
}
