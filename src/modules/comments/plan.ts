/**
 * Making, changing and removing comments, and the ways between their states.
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
import { filterHtml } from '../../render/filter.ts';
import { markUserLinks } from '../../render/links.ts';
import type { Site } from '../../kernel/site/site.ts';

/** What can be said of a comment. Absent keys leave things as they are, or at their defaults. */
export interface CommentInput {
  readonly post?: number;
  readonly parent?: number;
  /** Id of a user, whose name and address it then has. */
  readonly author?: number;
  /** Plain text. */
  readonly name?: string;
  readonly email?: string;
  readonly url?: string;
  readonly ip?: string;
  readonly agent?: string;
  readonly content?: string;
  readonly date?: Moment;
  /** A state, or the way to one: approve(d), hold, spam, unspam, trash, untrash. Other words are passed over. */
  readonly status?: string;
  /** Registered meta, whole. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Properties of the record that fields of modules set. */
  readonly added?: Readonly<Record<string, unknown>>;
}

interface NewComment extends CommentInput {
  readonly type: string;
  readonly post: number;
}

/** Bytes. */
const limits = [
  ['name', 245, 'comment_author_column_length'],
  ['email', 100, 'comment_author_email_column_length'],
  ['url', 200, 'comment_author_url_column_length'],
  ['content', 65525, 'comment_content_column_length'],
] as const;

/** Words of clients for states. */
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
 * Makes a comment. One at a time: what is a duplicate, or too soon, depends on those before it.
 *
 * @returns its id
 * @throws RestError rest_comment_author_invalid, rest_comment_content_invalid, rest_comment_author_data_required, comment_duplicate,
 *   comment_flood, comment_…_column_length
 */
export function createComment(site: Site, actor: Actor | null, input: NewComment): Promise<number> {
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
      content,
      clean: cleanContent(site, actor, content),
      post,
      parent,
      dateGmt: date.gmt,
    };
    const status = type === 'note' ? 'approved' : admit(site, actor, attempt);
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
      status,
      was: null,
      type,
      meta,
    };
    const placed = { ...draft, path: commentPath(draft) };
    const made = (input.status === undefined ? undefined : moved(placed, input.status)) ?? placed;
    // What is private first: nobody sees the comment before it is there.
    await site.commenters.keep(id, { email, ip: attempt.ip, agent: (input.agent ?? '').slice(0, AGENT_LENGTH) });
    try {
      await site.write(() => ({ changes: writeComment(site, made), result: id }));
      site.commenters.arrived(id, site.clock());
      return id;
    } catch (error) {
      await site.commenters.forget([id]);
      throw error;
    }
  });
}

/**
 * Changes a comment. Where only the state is asked for, with nothing said of who asks, a word that leads nowhere is refused.
 *
 * @throws RestError rest_comment_invalid_id, rest_comment_author_invalid, rest_comment_invalid_post_id, rest_comment_content_invalid,
 *   rest_comment_failed_edit, comment_…_column_length
 */
export async function updateComment(site: Site, actor: Actor | null, id: number, input: CommentInput): Promise<void> {
  const { status, ...rest } = input;
  const commenter = await site.write(() => {
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
      result: { email, ip, agent: agent.slice(0, AGENT_LENGTH) } satisfies Commenter,
    };
  });
  if (!same(commenter, site.commenters.get(id))) await site.commenters.keep(id, commenter);
}

/** Puts a comment into the trash, a note with the notes that answer it. @throws RestError rest_comment_invalid_id, rest_already_trashed */
export function trashComment(site: Site, id: number): Promise<number> {
  return site.write(() => {
    const before = site.comments.get(id) ?? fail('rest_comment_invalid_id');
    if (before.status === 'trash') fail('rest_already_trashed', {}, 'The comment has already been trashed.');
    return { changes: [before, ...notesBelow(site, before)].flatMap((comment) => trash(site, comment)), result: id };
  });
}

/** Removes a comment; those that answer it move up to what it answered. @throws RestError rest_comment_invalid_id */
export function deleteComment(site: Site, id: number): Promise<number> {
  return site.write(() => {
    const { path, etag, parent } = site.comments.get(id) ?? fail('rest_comment_invalid_id');
    const moves = commentsWith(site, 'parent', id).flatMap((child) => writeComment(site, { ...child, parent }, child));
    return { changes: [...moves, { remove: path, expect: etag }], result: id };
  });
}

/** What becomes of a comment of a user who goes: it stays, with the name it had, and no profile behind it (observed). */
export function releaseComment(site: Site, comment: CommentRecord): FileChange {
  const url = authorUrl(site, comment);
  const data = { author: comment.author, name: authorName(site, comment), ...(url === '' ? {} : { url }) };
  return { path: comment.path, expect: comment.etag, data, order: ['author', 'name', 'url'] };
}

/** Comments below another, those in the spam or trash left out. */
export function hasReplies(site: Site, id: number): boolean {
  return commentsWith(site, 'parent', id).some(({ status }) => status === 'approved' || status === 'hold');
}

/** Who signs: the user named, what the request says of a guest, or whoever sends it. */
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

/** What a comment keeps of its author, whatever becomes of the profile; that there is no name needs to be said of users alone. */
function frozen(author: number, name: string, url: string): Pick<CommentRecord, 'name' | 'url'> {
  return { name: author === 0 ? name || null : name, url: url || null };
}

function merge(site: Site, actor: Actor | null, before: CommentRecord, input: CommentInput): CommentRecord {
  const { author = before.author, name = before.name, url = before.url, parent = before.parent } = input;
  const { post = before.post, date = { local: before.date, gmt: before.dateGmt }, meta = before.meta } = input;
  const owner = site.users.get(before.author);
  const isTrusted = owner !== undefined && site.access.can(actorOf(owner), 'unfiltered_html');
  // What is there is filtered with every change, as in the reference.
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

/** Markup as it is kept: filtered unless the writer may write anything, links marked as a visitor's. */
function cleanContent(site: Site, actor: Actor | null, content: string): string {
  const html = site.access.can(actor, 'unfiltered_html') ? content : filterHtml(content, 'comment');
  return markUserLinks(html, site.url);
}

/** The comment in the state a word leads to; undefined when it is there already, or the word is none. */
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

/** Notes that answer a note. */
function notesBelow(site: Site, { id, type, parent }: CommentRecord): CommentRecord[] {
  return type === 'note' && parent === 0 ? commentsWith(site, 'parent', id).filter((child) => child.type === 'note') : [];
}

function checkLengths(input: CommentInput): void {
  for (const [key, limit, code] of limits) if (Buffer.byteLength(input[key] ?? '') > limit) fail(code);
}
