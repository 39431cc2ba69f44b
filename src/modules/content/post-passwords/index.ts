/**
 * Passwords of posts: whether one is given, and how often somebody may guess.
 */
import type { Call } from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { isBlank, type PostRecord } from '../posts/record.ts';

type Asked = Pick<Call, 'site' | 'request'>;
type Locked = Pick<PostRecord, 'password'>;

export function isPassword(post: Locked, given: unknown): boolean {
  return !isBlank(post.password) && given === post.password;
}

const waits = new WeakMap<object, number>();

/** Tries the password that a request names, once however many posts it shows. @returns as `tryPassword` */
export function passwordWait({ site, request }: Asked, post: Locked, given: unknown = request.query.password): number {
  const known = waits.get(request);
  const seconds = known ?? tryPassword(site, request.ip ?? '', post, typeof given === 'string' ? given : '');
  waits.set(request, seconds);
  return seconds;
}

/** Whether a request names the password of a post. Whatever a password opens asks here: a guess that nobody counts may be made without end. */
export function isUnlocked(asked: Asked, post: Locked, given: unknown = asked.request.query.password): boolean {
  return given !== undefined && !isBlank(post.password) && passwordWait(asked, post, given) === 0 && isPassword(post, given);
}

/** The request of a reader who has shown already that they know the password: it is no try. */
export function unlocked<T extends object>(request: T): T {
  waits.set(request, 0);
  return request;
}

/**
 * Tries a password of posts. What is that of no post is a wrong one, and too many of those hold an address up as wrong login passwords do.
 * @param post  the one that is asked for: mostly it is its own
 * @returns seconds to wait instead; 0: it has been tried
 */
export function tryPassword(site: Site, address: string, post: Locked, given: string): number {
  const isRight = post.password === given || isOfAnother(site, given);
  // Who has given it before goes on, whatever strangers try.
  const isReader = isRight && site.signIns.remembers(given, address);
  const attempt = site.signIns.begin(guessed, address, isReader ? 'address' : 'everywhere');
  if (attempt.wait > 0) return attempt.wait;
  attempt.end(isRight);
  if (isRight) site.signIns.remember(given, address);
  return 0;
}

function isOfAnother(site: Site, given: string): boolean {
  for (const id of site.posts.with('password', 1)) if (site.posts.get(id)?.password === given) return true;
  return false;
}

/** In place of an account. */
const guessed = 'posts with passwords';
