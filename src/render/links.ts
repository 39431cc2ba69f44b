/**
 * Links in comments: addresses written as text become links, and links that visitors wrote are marked as theirs.
 * Source: observed behaviour of the reference (6.9).
 */

import { changeText } from './html-tokenizer.ts';
import { isAllowedUrl } from './protocols.ts';
import { escapeOnce } from '../kernel/model/escape.ts';

const verbatim = /^(?:a|code|pre|script|style)$/;

/** Characters that may end an address, and those that belong to it only when more of it follows. */
const inner = '[\\w\\u0080-\\uffff#%~/@[\\]*(+=&$-]';
const address = new RegExp(
  [
    `(?<=^|[\\s(.,;:!?])\\w{1,20}://(?:${inner}|['.,;:!?)](?=${inner})){1,2000}\\)?`,
    '(?<=^|\\s)(?:www|ftp)\\.[\\w\\u0080-\\uffff#$%&~/.\\-;:=,?@[\\]+]{1,2000}',
    '(?<=^|\\s)[.0-9a-z_+-]{1,100}@(?:[0-9a-z-]{1,63}\\.){1,10}[0-9a-z]{2,63}',
  ]
    .map((part) => `(${part})`)
    .join('|'),
  'gi',
);

/**
 * Markup in which web and mail addresses are links, except in links, code and preformatted text.
 *
 * @param home  address of the site; links to it are not `nofollow`
 */
export function linkAddresses(markup: string, home = ''): string {
  return changeText(markup, verbatim, (text) => text.replace(address, (all, url, host) => linkOf(all, url, host, home)));
}

/** Every link of a visitor with `rel="nofollow ugc"`, links to the site itself with `ugc`; what `rel` had before stays. */
export function markUserLinks(markup: string, home = ''): string {
  return markup.replace(/<a\s[^<>]*>/gi, (tag) => {
    const href = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag);
    const given = /\srel\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
    const before = given.exec(tag);
    const words = (before?.[1] ?? before?.[2] ?? before?.[3] ?? '').split(/\s+/).filter((word) => word !== '');
    const rel = new Set([...words, ...relOf(href?.[1] ?? href?.[2] ?? '', home)]);
    const attributes = tag.replace(given, '').slice(3, -1).trim();
    return `<a ${attributes === '' ? '' : `${attributes} `}rel="${escapeOnce([...rel].join(' '))}">`;
  });
}

function linkOf(all: string, url: string | undefined, host: string | undefined, home: string): string {
  if (url === undefined && host === undefined) return `<a href="mailto:${all}">${all}</a>`;
  const [address, rest] = url === undefined ? cutPunctuation(`http://${host}`) : balanceParentheses(url);
  if (!isAllowedUrl(address)) return all;
  const escaped = escapeAddress(address);
  return `<a href="${escaped}" rel="${relOf(address, home).join(' ')}">${escaped}</a>${rest}`;
}

function relOf(url: string, home: string): string[] {
  const host = /^(?:https?:)?\/\/([^/?#]*)/i.exec(url)?.[1]?.toLowerCase();
  const isExternal = host !== undefined && host !== /^https?:\/\/([^/?#]*)/i.exec(home)?.[1]?.toLowerCase();
  return isExternal ? ['nofollow', 'ugc'] : ['ugc'];
}

/** Closing parentheses belong to an address as far as it has opening ones. */
function balanceParentheses(url: string): [string, string] {
  let spare = [...url].reduce((sum, char) => sum + (char === ')' ? 1 : char === '(' ? -1 : 0), 0);
  let end = url.length;
  while (spare-- > 0) end = url.lastIndexOf(')', end - 1);
  return [url.slice(0, end), url.slice(end)];
}

function cutPunctuation(url: string): [string, string] {
  return /[.,;:)]$/.test(url) ? [url.slice(0, -1), url.slice(-1)] : [url, ''];
}

function escapeAddress(url: string): string {
  return url
    .replace(/[[\]]/g, (bracket) => (bracket === '[' ? '%5B' : '%5D'))
    .replace(/&(?:amp;|#038;)?/g, '&#038;')
    .replace(/'/g, '&#039;');
}
