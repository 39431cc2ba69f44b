/**
 * Which addresses may be asked: documents only of origins that the operator names, calls of the proxy only below the addresses of the
 * services. The text of an address is looked at as it was sent, because parsers repair what ought to be refused.
 *
 * Source: reference on languages, 8, 13.9.
 */
import { isUrl } from '../../../kernel/model/addresses.ts';
const maxLength = 8192;

/** The parsed address; null when it may not be asked. */
export function allowedFile(address: string, origins: readonly string[]): URL | null {
  const url = plainAddress(address);
  return url !== null && origins.includes(url.origin) ? url : null;
}

/** The parsed address below one of the bases, null when it is not. @param bases  without a slash at the end */
export function allowedCall(address: string, bases: readonly string[]): { readonly url: URL; readonly base: string } | null {
  const url = plainAddress(address);
  if (url === null) return null;
  const base = bases.find((one) => {
    const { origin, pathname } = new URL(one);
    const above = pathname === '/' ? '' : pathname;
    return url.origin === origin && (url.pathname === above || url.pathname.startsWith(`${above}/`));
  });
  return base === undefined ? null : { url, base };
}

/** Absolute, http or https, without credentials, odd characters, and steps out of a folder. */
function plainAddress(address: string): URL | null {
  if (address.length > maxLength || /[^\x21-\x7e]|\\|#/.test(address)) return null;
  const [, authority = '', path = ''] = /^https?:\/\/([^/?#]+)([^?#]*)/i.exec(address) ?? [];
  // The host as written: parsers would normalize other scripts, notations of numbers and user names.
  if (!/^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.test(authority)) return null;
  const steps = path
    .replace(/%2e/gi, '.')
    .replace(/%(?:2f|5c)/gi, '/')
    .split('/');
  if (steps.includes('.') || steps.includes('..')) return null;
  if (!isUrl(address)) return null;
  const url = new URL(address);
  return url.host.toLowerCase() === authority.toLowerCase().replace(/:(?:80|443)$/, url.port === '' ? '' : '$&') ? url : null;
}
