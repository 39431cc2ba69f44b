/**
 * Browsers in which a user has signed in before: they are not affected by guessing elsewhere. Each has an unforgeable cookie, valid until the login
 * password changes. It does not sign in.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Visit } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { cookieIn, cookieName, printCookie } from '../sessions/index.ts';
import type { Account } from '../users/record.ts';

const lifetimeSeconds = 365 * 24 * 60 * 60;

export function isDeviceOf(site: Site, account: Account, { headers, client }: Visit): boolean {
  const sent = Buffer.from(cookieIn(headers.cookie, cookieName('device', site.url, client)) ?? '');
  const right = Buffer.from(markOf(site, account));
  return sent.length === right.length && timingSafeEqual(sent, right);
}

/** Headers for a page shown to a signed-in user. */
export function deviceHeaders(site: Site, account: Account, visit: Visit): Readonly<Record<string, string>> {
  if (isDeviceOf(site, account, visit)) return {};
  const name = cookieName('device', site.url, visit.client);
  return { 'Set-Cookie': printCookie(name, markOf(site, account), lifetimeSeconds, visit.client) };
}

function markOf({ previews }: Site, { id, passwordHash }: Account): string {
  return previews.seal(`device of ${id}: ${passwordHash}`);
}
