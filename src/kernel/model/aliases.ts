/**
 * Paths of the site as they are compared, and former addresses of items: an alias is a slug, or, with a slash in it, a whole path.
 */
import { encodedSlug } from './slugs.ts';

/** How paths are compared: percent-encoded in small letters, without a slash at the end. '' is the front page. */
export function pathKey(path: string): string {
  const [plain = ''] = path.split(/[?#]/, 1);
  return plain
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => `/${encodedSlug(segment)}`)
    .join('');
}

/** How queries are compared: by name, whatever their order; with its `?`, '' for none. */
export function queryKey(query: string): string {
  if (query === '') return '';
  const pairs = [...new URLSearchParams(query)].map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return pairs.length === 0 ? '' : `?${pairs.sort().join('&')}`;
}

export function isPathAlias(alias: string): boolean {
  return alias.includes('/');
}

/** How an alias is found. */
export function aliasKey(alias: string): string {
  return isPathAlias(alias) ? pathKey(aliasPath(alias)) : alias;
}

/** The path that an alias is, as written, with a slash before it. Of an absolute address its path counts. */
export function aliasPath(alias: string): string {
  const [path = ''] = alias.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1);
  return path.replace(/^\/*/, '/');
}
