/**
 * Addresses of one site in one dialect.
 */
import type { Dialect } from './dialect.ts';

export interface Urls {
  readonly dialect: Dialect;
  /** Site address without a trailing slash. */
  readonly base: string;
  /** Segments before the REST root: `/de`. */
  readonly prefix: string;
  /** Address of the REST root without a trailing slash. */
  readonly root: string;
  /** Absolute address of a neutral route, query included: `/cms/v2/posts?author=1`. */
  rest(route: string): string;
  /** Neutral route and query of an address below the REST root, or null. */
  route(href: string): { readonly route: string; readonly query: string } | null;
}

/** @param prefix  segments before the REST root, which the answers to a request keep */
export function createUrls(base: string, dialect: Dialect, prefix = ''): Urls {
  const root = base + prefix + dialect.root;
  return {
    dialect,
    base,
    prefix,
    root,
    rest: (route) => root + dialect.spellRoute(route),
    route(href) {
      if (!href.startsWith(root)) return null;
      const rest = href.slice(root.length) || '/';
      const mark = rest.indexOf('?');
      return { route: dialect.readRoute(mark < 0 ? rest : rest.slice(0, mark)), query: mark < 0 ? '' : rest.slice(mark + 1) };
    },
  };
}
