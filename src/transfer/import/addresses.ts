/**
 * Addresses in text of any kind: block markup, classic HTML, Markdown, JSON inside of either. Nothing is parsed as a whole; an
 * address is seen by how it begins and ends, in the spelling of the place it stands in (`\/` and `\u0026` in JSON, `&amp;` in
 * HTML, percent-encoding everywhere).
 */
import { withoutTrailing } from '../../kernel/model/text-ends.ts';
import { decodedPath } from '../../kernel/model/slugs.ts';

/** An address in a text. */
export interface FoundAddress {
  /** Where it stands; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Lower case, without `www.` and usual ports; null for a root-relative one. */
  readonly host: string | null;
  /** As written, from its first `/`; '' for none. */
  readonly path: string;
  /** As written: query and fragment. */
  readonly rest: string;
  /** Whether `/` is written `\/`. */
  readonly isEscaped: boolean;
  readonly role: Role;
  /** It was written as the address of a server that hands out pictures of others, which is told the size in the query. */
  readonly isProxied: boolean;
  /** The same up to the end of its quotes, where it goes on behind a blank: names of files may have some. */
  readonly longer?: Pick<FoundAddress, 'end' | 'path' | 'rest'>;
}

/**
 * `value`: of an attribute, of JSON, the target of a link, or the whole text. `autolink`: an address in angle brackets, which is
 * a link of Markdown. `text`: what people read.
 */
type Role = 'value' | 'autolink' | 'text';

interface FinderOptions {
  /** Hosts that addresses are looked for of, as in `Found.host`. */
  readonly hosts: Iterable<string>;
  /** Root-relative paths below which addresses are recognised wherever they plannedSite: `/files`. */
  readonly folders: Iterable<string>;
}

const slash = '\\\\?/';
/** Not within a word, another address or an email address; or the unquoted value of an attribute, or behind an escape of JSON. */
const boundary = '(?:(?<![\\w/=&?%#.:+@\\\\-])|(?<=\\s[\\w-]{1,40}=)|(?<=\\\\u00[\\da-f]{2}|\\\\[nrt]))';
/** Where a value of an attribute, of JSON or a target of Markdown begins. */
const value = '(?<=[=:]\\s?\\\\?["\']|\\]\\(<?|\\]:[ \\t]<?|\\s(?:href|src|action|poster)=)';
/** Characters that end an address, as entities and as escapes of JSON. */
const entity = '(?:quot|apos|lt|gt|nbsp|hellip|[lr][sd]quo|#0?3[49]|#0?6[02]|#x2[27]|#x3[ce]|#160|#8\\d{3});';
const unicode = 'u00(?:2[27]|3[ce]|0[9ad])';
/** What stands behind an address. */
const hardEnd = `$|[\\s"'<>()[\\]{}|^\`]|&${entity}|\\\\(?:["'nrt]|${unicode})|[^\\x00-\\x7f]`;
const inner = `[^\\s"'<>()[\\]{}|\\\\^\`&,]|&(?!${entity})`;
/** Servers through which a well-known plugin hands out pictures. */
const pictureProxy = 'i[0-3]\\.wp\\.com';
/** How a text goes on before and behind an address that is a value. */
const beforeValue = /(?:(?:[=:]\s?|[[,({])\\?(?:["']|&quot;|&#0?3[49];|\\u002[27])\s{0,20}|=|\]\(<?|\]:[ \t]{0,8}<?|url\(\s?)$/i;
const afterCandidate = /^\s{1,20}\d{1,5}(?:\.\d{1,3})?[wx](?!\w)/;
/** Longer ones are no addresses; the bound keeps the search linear. */
const maxTail = 4096;
const tail = new RegExp(
  `(?:${slash}|[?#])(?:${inner}|,(?!https?:)|\\\\/|\\\\(?!${unicode})u[\\da-f]{4}|\\((?:${inner}|,){0,1000}\\)){0,${maxTail}}`,
  'iy',
);
const ending = new RegExp(`[.,;:!?*_~]{0,20}(?:${hardEnd})`, 'iy');

/** Finds the addresses of some places. The search of a text costs time linear in its length. */
export function createFinder({ hosts, folders }: FinderOptions): (text: string) => Generator<FoundAddress> {
  const host = either(hosts);
  const folder = either([...folders].map((path) => withoutTrailing(path, '/')).filter((path) => path !== ''));
  // With `u`, a letter of any script behind a host is part of another host.
  const start = new RegExp(
    [
      `${boundary}(?:https?:)?${slash}${slash}(?:www\\.)?(?<proxy>${pictureProxy}${slash}(?:www\\.)?)?(?<host>${host})(?::(?:80|443))?(?=${slash}|[?#]|[.,;:!?*_~]{0,20}(?:${hardEnd}))(?![\\p{L}\\p{N}])`,
      `${boundary}(?=${folder}${slash})`,
      `${value}(?=${slash}(?![/\\\\]))`,
    ].join('|'),
    'giu',
  );
  return function* find(text) {
    start.lastIndex = 0;
    for (let match = start.exec(text); match; match = start.exec(text)) {
      const { index } = match;
      const at = index + match[0].length;
      tail.lastIndex = at;
      const raw = tail.exec(text)?.[0] ?? '';
      const end = at + raw.length;
      const cut = /\?|(?<!&)#/.exec(raw)?.index ?? raw.length;
      ending.lastIndex = end;
      start.lastIndex = Math.max(end, index + 1);
      // What goes on in another way is read by browsers as they like: hands off.
      if (!ending.test(text)) continue;
      const next = start.lastIndex;
      const role = roleOf(text, index, end);
      const longer = longerOf(text, index, at, end);
      yield {
        start: index,
        end,
        host: match.groups?.host?.toLowerCase() ?? null,
        path: raw.slice(0, cut),
        rest: raw.slice(cut),
        isEscaped: /\\\//.test(match[0]) || raw.startsWith('\\/'),
        role: longer?.end === text.length ? 'value' : role,
        isProxied: match.groups?.proxy !== undefined,
        ...(longer ? { longer } : {}),
      };
      start.lastIndex = next;
    }
  };
}

/** Longer names of files are none. */
const maxName = 300;

/** How an address goes on behind a blank, up to the quote or bracket that it began with, or to the end of a text that is nothing else. */
function longerOf(text: string, start: number, at: number, end: number): FoundAddress['longer'] {
  if (text[end] !== ' ') return undefined;
  const after = text.slice(end, end + maxName);
  const opening = text[start - 1];
  const length = start === 0 ? after.length : opening === '<' ? after.indexOf('>') : after.indexOf(opening ?? '');
  if (length < 0 || !(start === 0 ? end + length === text.length : /["'<]/.test(opening ?? ''))) return undefined;
  const until = end + length - (after[length - 1] === '\\' ? 1 : 0);
  const raw = text.slice(at, until);
  if (/["'<>\n]|:\/\//.test(raw)) return undefined;
  const cut = /\?|(?<!&)#/.exec(raw)?.index ?? raw.length;
  return { end: until, path: raw.slice(0, cut), rest: raw.slice(cut) };
}

function roleOf(text: string, start: number, end: number): Role {
  if (start === 0 && end === text.length) return 'value';
  const before = text.slice(Math.max(0, start - 40), start);
  if (beforeValue.test(before) || afterCandidate.test(text.slice(end, end + 40))) return 'value';
  return before.endsWith('<') && text[end] === '>' ? 'autolink' : 'text';
}

/** A path as it is meant: escapes of JSON, entities and percent-encoding undone. */
export function plainPath(raw: string): string {
  const text = raw
    .replace(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('\\/', '/')
    .replace(/&(?:amp|#0?38);/g, '&');
  return decodedPath(text) ?? text.normalize('NFC');
}

/** Host and path of an address on the web; null for another one. The host as in `Found.host`. */
export function partsOf(address: string): { readonly host: string; readonly path: string; readonly rest: string } | null {
  const match = /^(?:https?:)?\/\/(?:www\.)?([^/?#\s@]+)([^?#]*)(.*)$/is.exec(address.trim());
  if (!match) return null;
  const [, host = '', path = '', rest = ''] = match;
  return { host: host.toLowerCase().replace(/:(?:80|443)$/, ''), path: plainPath(path), rest };
}

/** Punctuation of the sentence at the end of an address written in it. */
export function withoutPunctuation(path: string): string {
  let end = path.length;
  while (end > 0 && '.,;:!?*_~'.includes(path[end - 1] as string)) end--;
  return path.slice(0, end);
}

/** A pattern for any of the texts; one that nothing matches when there are none. `/` may be escaped. */
function either(texts: Iterable<string>): string {
  const all = [...new Set(texts)].sort((a, b) => b.length - a.length);
  return all.length === 0
    ? '(?!)'
    : `(?:${all.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('/', slash)).join('|')})`;
}
