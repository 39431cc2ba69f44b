/**
 * Addresses that markup may point to. Source: observed behaviour of the reference (6.9).
 */

import { decodeEntities } from './text.ts';

const allowed = new Set(
  'http https ftp ftps mailto news irc irc6 ircs gopher nntp feed telnet mms rtsp sms svn tel fax xmpp webcal urn'.split(' '),
);

const colon = /:|&#0*58;?(?!\d)|&#x0*3a;?(?![\da-f])|&colon;/i;

/** Whether an address begins with an allowed protocol. */
export function isAllowedUrl(url: string): boolean {
  return allowed.has(/^([\w+.-]+):/.exec(url)?.[1]?.toLowerCase() ?? '');
}

/**
 * The value of an address attribute without protocols that are not allowed, however they are disguised: `javascript:x`
 * is `x`. Relative addresses stay; so does anything with a `/?` before its colon. '' when nothing can be trusted.
 */
export function cleanUrl(value: string): string {
  let url = value.replace(/[\x00-\x08\v\f\x0e-\x1f]|(?<!\\)\\+0+/g, '');
  if (/^https?:\/\//.test(url)) return url;
  for (let round = 0; round < 6; round++) {
    const next = withoutProtocol(url, 3);
    if (next === url) return url;
    url = next;
  }
  return '';
}

/** @param feeds  how many `feed:` in front of the address itself are put up with */
function withoutProtocol(url: string, feeds: number): string {
  const mark = colon.exec(url);
  if (!mark) return url;
  const head = url.slice(0, mark.index);
  if (head.includes('/?')) return url;
  const rest = url.slice(mark.index + mark[0].length).trim();
  const name = decodeEntities(head)
    .replace(/[\s\x00-\x1f]/g, '')
    .toLowerCase();
  if (!allowed.has(name)) return rest;
  if (name !== 'feed') return `${name}:${rest}`;
  const inner = feeds > 0 ? withoutProtocol(rest, feeds - 1) : '';
  return inner === '' ? '' : `feed:${inner}`;
}
