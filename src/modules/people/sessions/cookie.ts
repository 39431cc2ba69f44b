/**
 * Sign-in cookies: HttpOnly, never sent by other sites, and over HTTPS with the `__Host-` prefix.
 *
 * Source: RFC 6265bis, 4.1.3 (prefixes).
 */
import { createHash } from 'node:crypto';
import type { Peer, Visit } from '../../../kernel/site/serving.ts';

type Connection = Pick<Peer, 'isHttps'>;

/** Cookies ignore ports, so each site of a machine has its own names. @param site  its URL */
export function cookieName(kind: 'session' | 'form' | 'device' | 'openid', site: string, { isHttps }: Connection): string {
  const mark = createHash('sha256').update(site).digest('hex').slice(0, 8);
  return `${isHttps ? '__Host-' : ''}cms_${kind}_${mark}`;
}

/** The value of a cookie. @param header  the whole Cookie header */
export function cookieIn(header: Visit['headers'][string], name: string): string | undefined {
  for (const pair of typeof header === 'string' ? header.split(';') : []) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** As in `Set-Cookie`. @param maxAge  seconds; null: until the browser closes, 0: removed at once */
export function printCookie(name: string, value: string, maxAge: number | null, { isHttps }: Connection): string {
  const life = maxAge === null ? '' : `; Max-Age=${maxAge}`;
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${life}${isHttps ? '; Secure' : ''}`;
}
