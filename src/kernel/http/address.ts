/**
 * From a request's target to a neutral route: `{root}/<route>`, `/index.php?rest_route=/<route>`, `/?rest_route=/<route>`, each below
 * the segments that modules read (`/de{root}/<route>`).
 */
import type { AddressPart } from '../module.ts';
import { type Dialect, dialects, neutral, original } from '../rest/dialect.ts';
import { parseQuery } from '../rest/params.ts';
import type { AddressPrefix, Params } from '../rest/types.ts';

export interface Address {
  readonly dialect: Dialect;
  /** Neutral, leading slash, no trailing one. */
  readonly route: string;
  readonly query: Params;
  /** Undefined where there is nothing before the root. */
  readonly address?: AddressPrefix | undefined;
}

/**
 * @param parts  of modules, which may read segments before the root, one each
 * @returns null for a target that is no REST request
 */
export function readAddress(target: string, parts: readonly AddressPart[] = []): Address | null {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const search = mark < 0 ? '' : target.slice(mark + 1);
  const plain = readPlain(path, search);
  if (plain || parts.length === 0) return plain;
  const found = readPrefix(path, parts);
  const below = found && readPlain(path.slice(found.prefix.length), search);
  return below && { ...below, address: found };
}

function readPlain(path: string, search: string): Address | null {
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

/** As many leading segments as modules read, each module one; null for none. */
function readPrefix(path: string, parts: readonly AddressPart[]): AddressPrefix | null {
  const left = new Set(parts);
  const params: Record<string, unknown> = {};
  let prefix = '';
  for (const segment of path.split('/').slice(1)) {
    const part = [...left].find((one) => {
      const read = one.read(decoded(segment));
      if (read) Object.assign(params, read);
      return read !== null;
    });
    if (!part) break;
    left.delete(part);
    prefix += `/${segment}`;
  }
  return prefix === '' ? null : { prefix, params };
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
