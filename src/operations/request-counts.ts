/**
 * Requests by route and status, with how long they took. A route is found once for each form of address: what differs in numbers alone
 * has the same one.
 */
import { readAddress } from '../kernel/http/address.ts';
import type { Server } from '../kernel/http/server.ts';
import type { Site } from '../kernel/site/site.ts';
import { Histogram, seriesOf } from './metrics.ts';

/** What routes there are, as far as the process has got. */
export interface RouteSource {
  site: Site | null;
  server: Server | null;
}

interface RequestCounts {
  /** @param path  of the address, without the query */
  count(method: string, url: string, path: string, status: number, ms: number): void;
  /** Forgets which address has which route. */
  forget(): void;
  into(report: Record<string, number>): void;
}

interface RouteCounts {
  readonly route: string;
  /** By `METHOD status`. */
  readonly answers: Map<string, number>;
  readonly latency: Histogram;
}

const knownMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']);
/** Addresses whose route is remembered. */
const maxRemembered = 4096;

export function createRequestCounts(source: RouteSource): RequestCounts {
  /** By route. */
  const counts = new Map<string, RouteCounts>();
  /** By address without its numbers. */
  const remembered = new Map<string, RouteCounts>();
  return {
    count(method, url, path, status, ms) {
      const { answers, latency } = countsFor(path, url);
      const key = `${knownMethods.has(method) ? method : 'other'} ${status}`;
      answers.set(key, (answers.get(key) ?? 0) + 1);
      latency.observe(ms / 1000);
    },
    forget: () => remembered.clear(),
    into(report) {
      for (const { route, answers, latency } of counts.values()) {
        for (const [key, count] of answers) {
          const [method = '', status = ''] = key.split(' ');
          report[seriesOf('cms_http_requests_total', { method, route, status })] = count;
        }
        latency.into(report, 'cms_http_request_duration_seconds', { route });
      }
    },
  };

  function countsFor(path: string, url: string): RouteCounts {
    const known = path.replace(/\d+/g, '0');
    const found = remembered.get(known);
    if (found) return found;
    const route = routeOf(path, url);
    const made = counts.get(route) ?? { route, answers: new Map(), latency: new Histogram() };
    counts.set(route, made);
    // Routes that a parameter of the query names share one path.
    if (path === '/' || path.endsWith('.php')) return made;
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(known, made);
    return made;
  }

  /** `/cms/v2/posts/{id}`, `/uploads/`, `page`; `none` below the root where no route is. */
  function routeOf(path: string, url: string): string {
    const { site, server } = source;
    const files = site?.files.find(({ root }) => path.startsWith(`${root}/`));
    if (files) return `${files.root}/`;
    const address = readAddress(url, site ?? undefined);
    if (!address) return 'page';
    const route = server?.dispatcher.registry.find(address.route)?.route.path;
    return route === undefined ? 'none' : plainRoute(route);
  }
}

/** `/cms/v2/posts/(?P<id>[\d]+)` → `/cms/v2/posts/{id}`; groups may hold groups. */
function plainRoute(pattern: string): string {
  let [out, depth] = ['', 0];
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] as string;
    if (character === '(') {
      if (depth === 0) out += `{${/^\(\?P<(\w+)>/.exec(pattern.slice(at))?.[1] ?? ''}}`;
      depth++;
    } else if (character === ')') depth--;
    else if (depth === 0) out += character;
  }
  return out;
}
