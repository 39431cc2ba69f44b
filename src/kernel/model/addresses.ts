/** Validates URLs, and URLs of sites in settings. Results are ASCII without spaces, so they are safe in headers, redirects and attributes. */
import { withoutTrailing } from './text-ends.ts';

/** Characters that are not valid in URLs; URL parsers silently remove some of them, which hides where a URL leads. */
const unfit = /[\s\p{C}<>"'\\^`{|}]/u;

/** The URL in ASCII. Undefined if it is not http or https, or contains a user. */
export function readAddress(text: string): string | undefined {
  if (unfit.test(text) || !/^https?:\/\/[^/]/i.test(text) || !isUrl(text)) return undefined;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || !isPlainHost(text)) return undefined;
  return /^[\x21-\x7e]+$/.test(text) ? text : url.href;
}

/** The URL of a site, to which paths are appended: without query, fragment and trailing slash. */
export function readSiteAddress(text: string): string | undefined {
  const address = /[?#]/.test(text) ? undefined : readAddress(text);
  return address && withoutTrailing(address, '/');
}

/** Letter-like characters (`𝒳`, a full-width dot) are normalized by parsers, so such a host is not what it seems. */
function isPlainHost(text: string): boolean {
  const host = text
    .replace(/^https?:\/\//i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/:\d*$/, '');
  return /^[\x21-\x7e]+$/.test(host) || (host === host.normalize('NFKC') && !host.includes('\u3002'));
}

/**
 * Whether a text is a URL. Without `URL.canParse`, which in Node 20 rejects `https://bücher.example` once optimized.
 * @param base  absolute base of relative ones
 */
export function isUrl(text: string, base?: string): boolean {
  try {
    new URL(text, base);
    return true;
  } catch {
    return false;
  }
}

/** Whether a host is one of these: named in full, or below that of `*.example.com`. Case does not count. */
export function hostMatcher(hosts: readonly string[]): (host: string) => boolean {
  const names = new Set(hosts.map((host) => host.toLowerCase()));
  return (host) => {
    const name = host.toLowerCase();
    return names.has(name) || [...parentsOf(name)].some((parent) => names.has(`*.${parent}`));
  };
}

function* parentsOf(name: string): Iterable<string> {
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) yield name.slice(dot + 1);
}

/** Whether a host is this machine: what goes there needs no encryption. */
export function isThisMachine(host: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);
}

/** The website of a user in the API: `/` means the site itself. */
export function websiteOf(site: { readonly url: string }, stated: string): string {
  return stated === '/' ? site.url : stated;
}
