/** Normalized paths, and former URLs of items: an alias is a slug, or, with a slash, a whole path. */
import { encodedSlug } from '../../../kernel/model/slugs.ts';

/** A normalized path: percent-encoded in lower case, without a trailing slash. '' is the front page. */
export function pathKey(path: string): string {
  const [plain = ''] = path.split(/[?#]/, 1);
  return plain
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => `/${encodedSlug(segment)}`)
    .join('');
}

/** A normalized query: sorted by name, with its `?`, '' for none. */
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

export function aliasKey(alias: string): string {
  return isPathAlias(alias) ? pathKey(aliasPath(alias)) : alias;
}

/** The path of an alias, as written, with a leading slash. For an absolute URL its path. */
export function aliasPath(alias: string): string {
  const [path = ''] = alias.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1);
  return path.replace(/^\/*/, '/');
}
