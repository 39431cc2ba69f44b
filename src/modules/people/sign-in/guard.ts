/**
 * Proof that this site showed a form to the browser that sends it: the nonce of a session, or for visitors one tied to a cookie. Other sites know
 * neither.
 */
import { randomBytes } from 'node:crypto';
import type { SentForm, Visit } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { cookieIn, cookieName, isNonceOf, nonceOf, printCookie } from '../sessions/index.ts';
import type { OpenSession } from '../sessions/record.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';

/** Shown to a user whose form was rejected. */
export const expired = 'Your session has expired, or cookies are disabled. Please try again.';

/** The proof in a form. */
interface Proof {
  /** A hidden field. */
  readonly field: string;
  /** For the response that shows the form. */
  readonly headers: Readonly<Record<string, string>>;
}

export function proofFor(site: Site, { headers, client }: Visit, open: OpenSession | null): Proof {
  if (open) return { field: fieldOf(open.nonce('form')), headers: {} };
  const name = cookieName('form', site.url, client);
  const known = cookieIn(headers.cookie, name);
  const value = known ?? randomBytes(24).toString('base64url');
  const told: Proof['headers'] = known === undefined ? { 'Set-Cookie': printCookie(name, value, null, client) } : {};
  return { field: fieldOf(nonceOf(value, 'form', site.clock())), headers: told };
}

/** Whether a form was shown by this site, as far as can be known. */
export function isMeant(site: Site, { fields, headers, client }: SentForm, open: OpenSession | null): boolean {
  // Browsers report forms of other sites.
  if (headers['sec-fetch-site'] === 'cross-site') return false;
  const proof = fields.proof ?? '';
  if (open) return open.isNonce(proof, 'form');
  const value = cookieIn(headers.cookie, cookieName('form', site.url, client));
  return value !== undefined && isNonceOf(proof, value, 'form', site.clock());
}

/** The path of a URL of this site; null for other sites. */
export function ownPath(target: string, site: string): string | null {
  if (target === '' || !isUrl(target, site)) return null;
  const { origin, pathname, search, hash } = new URL(target, site);
  // A path that starts with two slashes would be another host.
  return origin !== new URL(site).origin || pathname.startsWith('//') ? null : pathname + search + hash;
}

function fieldOf(proof: string): string {
  return `<input type="hidden" name="proof" value="${proof}">`;
}
