/**
 * From a request's target to a neutral route: `{root}/<route>`, `/index.php?rest_route=/<route>`, `/?rest_route=/<route>`, each below
 * the segments that modules read (`/de{root}/<route>`); and the addresses that modules have for routes (`/mcp`).
 */
import { RestError } from '../errors.ts';
import { withoutTrailing } from '../model/text-ends.ts';
import { prefixOf } from '../rest/address-prefix.ts';
import { type Dialect, dialects, neutral, original } from '../rest/dialect.ts';
import { parseQuery } from '../rest/params.ts';
import type { AddressPrefix, Params } from '../rest/request.ts';
import type { Site } from '../site/site.ts';

export interface Address {
  readonly dialect: Dialect;
  /** Neutral, leading slash, no trailing one. */
  readonly route: string;
  readonly query: Params;
  /** Undefined where there is nothing before the root. */
  readonly address?: AddressPrefix | undefined;
  /** Why it has no route, whatever the rest says. */
  readonly refusal?: RestError;
}

/**
 * @param site  whose modules may read segments before the root, one each
 * @returns null for a target that is not a REST request
 */
export function readAddress(target: string, site?: Site): Address | null {
  const parts = site?.modules.address ?? [];
  const mark = target.indexOf('?');
  // A base address with a slash at its end, and `/cms-json/…` behind it: half of what clients report.
  const path = (mark < 0 ? target : target.slice(0, mark)).replace(/^\/{2,}/, '/');
  const search = mark < 0 ? '' : target.slice(mark + 1);
  const own = site?.modules.routeAt(site, path);
  if (own !== undefined) return { dialect: neutral, route: own, query: parseQuery(search) };
  const plain = readPlain(path, search);
  if (site === undefined || parts.length === 0) return plain;
  const { length, ...address } = readPrefix(path, site);
  if (plain) return { ...plain, address };
  if (length > 0) {
    const below = readPlain(path.slice(length), search);
    return below && { ...below, address };
  }
  // A front page has no address like this; a segment that means nothing is not for pages to answer.
  const below = readPlain(path.replace(/^\/[^/]+/, ''), search);
  return below && { ...below, refusal: new RestError('rest_no_route') };
}

function readPlain(path: string, search: string): Address | null {
  const spelling = dialects.find(({ root }) => path === root || path.startsWith(`${root}/`));
  if (!spelling && !(['/', '/index.php', ''].includes(path) && search.includes('rest_route'))) return null;
  const query = parseQuery(search);
  // (Observed: the parameter wins over the path.)
  const named = typeof query.rest_route === 'string' ? query.rest_route : '';
  if (named === '' && !spelling) return null;
  const route = named === '' ? decoded(path.slice(spelling?.root.length)) : named.replace(/^\/?/, '/');
  // A namespace in the original spelling asks for answers in it.
  const dialect = spelling ?? (original.readRoute(route) === route ? neutral : original);
  // (Observed: a route has its slash, there too.)
  const refusal = named === '' || named.startsWith('/') ? {} : { refusal: new RestError('rest_no_route') };
  return { dialect, route: readRoute(dialect, route), query, ...refusal };
}

/** As many leading segments as modules read, each module one. `length` is that of their text. */
function readPrefix(path: string, site: Site): AddressPrefix & { readonly length: number } {
  const left = new Set(site.modules.address);
  const [params, defaults]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
  let [kept, length] = ['', 0];
  for (const segment of path.split('/').slice(1)) {
    const part = [...left].find((one) => {
      const read = one.read(decoded(segment), site);
      if (read) Object.assign(one.write ? defaults : params, read);
      return read !== null;
    });
    if (!part) break;
    left.delete(part);
    length += 1 + segment.length;
    if (!part.write) kept += `/${segment}`;
  }
  return { prefix: prefixOf(site, kept, defaults), kept, params, defaults, length };
}

function readRoute(dialect: Dialect, path: string): string {
  return dialect.readRoute(withoutTrailing(path, '/') || '/');
}

/** A name written with escapes that it does not need is another one (observed). */
function decoded(path: string): string {
  if (!path.includes('%') || /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/i.test(path)) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
