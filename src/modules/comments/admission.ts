/**
 * Admission of new comments: duplicates and floods are refused, those of strangers, with many links or with certain words are held or trashed.
 *
 * Source: conformance scenario comments; behaviour of the reference 6.9.
 */
import { fail } from '../../kernel/errors.ts';
import { networksOf } from '../people/accounts/record.ts';
import { type CommentRecord, type CommentStatus, commentsWith } from './record.ts';
import { printGmt } from '../../kernel/model/dates.ts';
import type { UserRecord } from '../people/users/record.ts';
import type { Actor } from '../../kernel/model/access.ts';
import { authorEmail, authorName } from './view.ts';
import { renderComment } from '../../render/markup.ts';
import { plainText } from '../../render/text.ts';
import type { Site } from '../../kernel/site/site.ts';

/** The author of a comment: a user, or a guest (0), with name and addresses in plain text. */
export interface Signature {
  readonly author: number;
  readonly name: string;
  readonly email: string;
  readonly url: string;
}

/** A new comment. */
export interface Attempt extends Signature {
  readonly ip: string;
  readonly agent: string;
  readonly content: string;
  /** The sanitized text. */
  readonly clean: string;
  readonly post: number;
  readonly parent: number;
  readonly dateGmt: string;
}

const FLOOD_MS = 15_000;
const HOUR_MS = 3_600_000;
/** Guest comments accepted from everywhere within the flood interval of one person. */
const MANY_GUESTS = 20;

/**
 * Whether a comment is published or held.
 * @throws RestError comment_duplicate, comment_flood
 */
export function admit(site: Site, actor: Actor | null, attempt: Attempt): CommentStatus {
  if (commentsWith(site, 'post', attempt.post).some((other) => isDuplicate(site, other, attempt))) fail('comment_duplicate');
  if (isFlood(site, actor, attempt)) fail('comment_flood');
  const user = site.users.get(attempt.author);
  if (user && (site.posts.get(attempt.post)?.author === user.id || site.access.can(actorOf(user), 'moderate_comments')))
    return 'approved';
  if (hasWordOf(site, 'disallowed_keys', attempt)) return 'trash';
  const moderation = site.settings.value('moderation');
  const manyLinks = Number(site.settings.value('comment_max_links'));
  const html = renderComment(attempt.clean, { smilies: false, typography: false, postId: attempt.post }, site.url);
  if (moderation === 'all' || (manyLinks > 0 && linksIn(html) >= manyLinks)) return 'hold';
  if (hasWordOf(site, 'moderation_keys', attempt)) return 'hold';
  return moderation === 'none' || isKnown(site, attempt) ? 'approved' : 'hold';
}

/** The same text by the same person. Raw input is compared with stored text, so filtered markup is never a duplicate (observed). */
function isDuplicate(site: Site, other: CommentRecord, { parent, name, email, content }: Attempt): boolean {
  if (other.parent !== parent || other.status === 'trash' || !sameText(other.content, content)) return false;
  return sameText(authorName(site, other), name) && (email === '' || sameText(authorEmail(site, other), email));
}

/** A flood: a comment of the same person or address within some seconds, or too many from the networks around it. Moderators are exempt. */
function isFlood(site: Site, actor: Actor | null, attempt: Attempt): boolean {
  if (site.access.can(actor, 'manage_options') || site.access.can(actor, 'moderate_comments')) return false;
  return actor ? isHasty(site, actor, attempt) : isFloodOfGuests(site, attempt);
}

/** By the stated dates of a user's comments, as in the reference (observed): they only affect that user. */
function isHasty(site: Site, { id }: Actor, { dateGmt }: Attempt): boolean {
  const since = printGmt(site.clock() - HOUR_MS);
  const [last] = site.comments.query({
    where: [
      { kind: 'in', index: 'author', values: [id] },
      { kind: 'range', order: 'date_gmt', after: since, inclusive: true },
    ],
    sort: { by: 'date_gmt', direction: 'desc' },
    offset: 0,
    limit: 1,
  }).records;
  return last !== undefined && Date.parse(`${dateGmt}Z`) - Date.parse(`${last.dateGmt}Z`) < FLOOD_MS;
}

/** By arrival: visitors may state any date. */
function isFloodOfGuests(site: Site, { email, ip }: Attempt): boolean {
  const recent = site.commenters.arrivedSince(site.clock() - FLOOD_MS).flatMap((id) => site.comments.get(id) ?? []);
  return recent.some((other) => sameText(authorEmail(site, other), email)) || (ip !== '' && isCrowd(site, ip, recent));
}

/** Whether a network of the address, or all together, has reached the limit of guest comments. */
function isCrowd(site: Site, ip: string, comments: readonly CommentRecord[]): boolean {
  const networks = comments.flatMap(({ id }) => {
    const from = site.commenters.get(id)?.ip;
    return from ? [networksOf(from)] : [];
  });
  if (networks.length >= MANY_GUESTS) return true;
  return networksOf(ip).some(({ name, room }) => networks.filter((all) => all.some((one) => one.name === name)).length >= room);
}

/** Whether the person has an approved comment. */
function isKnown(site: Site, { name, email }: Attempt): boolean {
  if (name === '' || email === '') return false;
  const user = site.accounts.byEmail(email);
  const theirs = user ? site.comments.with('author', user.id) : site.commenters.withEmail(email);
  return [...theirs].some((id) => {
    const other = site.comments.get(id);
    return other?.status === 'approved' && (user !== undefined || sameText(authorName(site, other), name));
  });
}

/** Anywhere in what was sent, also inside words, as in the reference. */
function hasWordOf(site: Site, key: 'moderation_keys' | 'disallowed_keys', attempt: Attempt): boolean {
  const words = String(site.settings.value(key))
    .split('\n')
    .map((line) => line.trim().toLowerCase())
    .filter((line) => line !== '');
  if (words.length === 0) return false;
  const { name, email, url, content, ip, agent } = attempt;
  const texts = [name, email, url, content, plainText(content), ip, agent].map((text) => text.toLowerCase());
  return words.some((word) => texts.some((text) => text.includes(word)));
}

export function actorOf({ id, account }: UserRecord): Actor {
  return { id, roles: account?.roles ?? [], capabilities: account?.capabilities ?? {} };
}

function linksIn(html: string): number {
  const tags = html.match(/<a [^>]*/gi) ?? [];
  return tags.filter((tag) => /href/i.test(tag)).length;
}

/** Ignores case, like the reference's database. */
function sameText(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}
