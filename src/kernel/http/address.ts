/**
 * From a request's target to a neutral route: `{root}/<route>`, `/index.php?rest_route=/<route>`, `/?rest_route=/<route>`.
 */
import { type Dialect, dialects, neutral, original } from '../rest/dialect.ts';
import { parseQuery } from '../rest/params.ts';
import type { Params } from '../rest/types.ts';

export interface Address {
  readonly dialect: Dialect;
  /** Neutral, leading slash, no trailing one. */
  readonly route: string;
  readonly query: Params;
}

/** @returns null for a target that is no REST request */
export function readAddress(target: string): Address | null {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const search = mark < 0 ? '' : target.slice(mark + 1);
  for (const dialect of dialects) {
    if (path === dialect.root || path.startsWith(`${dialect.root}/`)) {
      return { dialect, route: readRoute(dialect, decoded(path.slice(dialect.root.length))), query: parseQuery(search) };
    }
  }
  if (!search.includes('rest_route') || !(path === '/' || path === '/index.php' || path === '')) return null;
  const { rest_route: asked, ...query } = parseQuery(search);
  if (typeof asked !== 'string' || asked === '') return null;
  const route = asked.startsWith('/') ? asked : `/${asked}`;
  // A namespace in the original spelling asks for answers in it.
  const dialect = original.readRoute(route) === route ? neutral : original;
  return { dialect, route: readRoute(dialect, route), query };
}

function readRoute(dialect: Dialect, path: string): string {
  return dialect.readRoute(path.replace(/\/+$/, '') || '/');
}

function decoded(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
