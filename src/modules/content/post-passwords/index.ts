/** Post passwords: whether one is given, and how often one may be tried. */
import type { Call } from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { isProtected, type PostRecord } from '../posts/record.ts';

type Asked = Pick<Call, 'site' | 'request'>;
type Locked = Pick<PostRecord, 'password'>;

export function isPassword(post: Locked, given: unknown): boolean {
  return isProtected(post) && given === post.password;
}

const waits = new WeakMap<object, number>();

/** Tries the password of a request, once per request. @returns as `tryPassword` */
export function passwordWait({ site, request }: Asked, post: Locked, given: unknown = request.query.password): number {
  const known = waits.get(request);
  const seconds = known ?? tryPassword(site, request.ip ?? '', post, typeof given === 'string' ? given : '');
  waits.set(request, seconds);
  return seconds;
}

/** Whether a request has the password of a post. Everything that a password opens must use this, so that every guess is counted. */
export function isUnlocked(asked: Asked, post: Locked, given: unknown = asked.request.query.password): boolean {
  return given !== undefined && isProtected(post) && passwordWait(asked, post, given) === 0 && isPassword(post, given);
}

/** The request of a reader who has already given the password: not a guess. */
export function unlocked<T extends object>(request: T): T {
  waits.set(request, 0);
  return request;
}

/**
 * Tries a password. One that fits no post is wrong, and too many of them block the address like wrong login passwords.
 * @param post  the requested one
 * @returns seconds to wait; 0 if it was tried
 */
export function tryPassword(site: Site, address: string, post: Locked, given: string): number {
  const isRight = post.password === given || isOfAnother(site, given);
  // Readers who gave it before are not blocked by strangers.
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

/** Used in place of an account. */
const guessed = 'posts with passwords';
