/**
 * What is a URL, and addresses of sites as settings hold them. What comes out of these is ASCII without blanks, so that it can stand in
 * a header, a redirect and an attribute.
 */
import { withoutTrailing } from './text-ends.ts';

/** Characters that are not valid in URLs; URL parsers silently remove some of them, which hides where a URL leads. */
const unfit = /[\s\p{C}<>"'\\^`{|}]/u;

/** The address as it may be used: spelled in ASCII. Undefined when it is none over http or https, or names a user. */
export function readAddress(text: string): string | undefined {
  if (unfit.test(text) || !/^https?:\/\/[^/]/i.test(text) || !isUrl(text)) return undefined;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || !isPlainHost(text)) return undefined;
  return /^[\x21-\x7e]+$/.test(text) ? text : url.href;
}

/** The address of a site, to which paths are added: without a query, a fragment and a slash at its end. */
export function readSiteAddress(text: string): string | undefined {
  const address = /[?#]/.test(text) ? undefined : readAddress(text);
  return address && withoutTrailing(address, '/');
}

/** Characters that only look like letters (`𝒳`, a full-width dot) are read as letters: such a name leads elsewhere than it seems to. */
function isPlainHost(text: string): boolean {
  const host = text
    .replace(/^https?:\/\//i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/:\d*$/, '');
  return /^[\x21-\x7e]+$/.test(host) || (host === host.normalize('NFKC') && !host.includes('\u3002'));
}

/**
 * Whether a text is a URL. Not by `URL.canParse`: once it is hot, that of Node 20 takes `https://bücher.example` for none.
 * @param base  absolute; what relative ones are relative to
 */
export function isUrl(text: string, base?: string): boolean {
  try {
    new URL(text, base);
    return true;
  } catch {
    return false;
  }
}

/** The website of a user, as the API shows it: `/` means the site itself, wherever it is served. */
export function websiteOf(site: { readonly url: string }, stated: string): string {
  return stated === '/' ? site.url : stated;
}
