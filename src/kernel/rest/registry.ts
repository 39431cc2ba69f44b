/**
 * `compose(namespaces)` → the route table: matcher and catalogue of one deployment. Pure; run once at start.
 */
import { extendArgs, type Modules } from '../compose-modules.ts';
import { namespaceIndex } from './namespace-index.ts';
import type { Args } from './args.ts';
import type { Params } from './request.ts';
import type { Namespace, Call, Endpoint, Registry, Route } from './types.ts';

interface Matcher {
  readonly route: Route;
  fits(path: string): Params | null;
}

/** What modules add to endpoints. */
interface Additions extends Pick<Modules, 'extension'> {
  /** Of every route. */
  readonly args: Args;
  readonly reshape: Modules['reshape'];
}

export function compose(namespaces: readonly Namespace[], additions?: Additions): Registry {
  const routes = merge(namespaces).map((route) => (additions ? extended(route, additions) : route));
  const plain = new Map<string, Matcher>();
  const patterns = new Map<string, Matcher[]>();
  for (const route of routes) {
    const matcher = createMatcher(route);
    if (!route.path.includes('(')) plain.set(route.path.toLowerCase(), matcher);
    else patterns.set(route.namespace, [...(patterns.get(route.namespace) ?? []), matcher]);
  }
  const names = [...patterns.keys()];

  /** The first route that fits and of which `pick` gives something. */
  function first<T>(path: string, pick: (route: Route, url: Params) => T | null): T | null {
    const lower = path.toLowerCase();
    const exact = plain.get(lower);
    const found = exact && isServed(exact.route) ? pick(exact.route, noParams) : null;
    if (found !== null) return found;
    for (const name of names) {
      if (!lower.startsWith(`/${name}/`)) continue;
      for (const matcher of patterns.get(name) as Matcher[]) {
        const url = isServed(matcher.route) ? matcher.fits(path) : null;
        const made = url && pick(matcher.route, url);
        if (made) return made;
      }
    }
    return null;
  }

  return {
    namespaces: namespaces
      .filter(({ isUnlisted }) => !isUnlisted)
      .map(({ name }) => name)
      .filter((name, at, all) => name !== '' && all.indexOf(name) === at),
    get routes() {
      return routes.filter((route) => !route.isUnlisted && isServed(route));
    },
    unlisted: routes.filter(({ isUnlisted }) => isUnlisted),
    find: (path) => first(path, (route, url) => ({ route, url })),
    match(method, path) {
      const wanted = method === 'HEAD' ? 'GET' : method;
      return first(path, (route, url) => {
        const endpoint = route.endpoints.find(({ methods }) => methods.includes(wanted));
        return endpoint ? { route, endpoint, url } : null;
      });
    },
  };
}

const isServed = (route: Route): boolean => route.isServed?.() ?? true;

const noParams: Params = Object.freeze({});

/**
 * Routes in order of declaration, those of a namespace behind its index; a path declared twice (another module adds a method) is one
 * route.
 */
function merge(namespaces: readonly Namespace[]): Route[] {
  const byPath = new Map<string, Route>();
  const indexed = new Set(['']);
  for (const { name, routes, isUnlisted } of namespaces) {
    const index = isUnlisted || indexed.has(name) ? [] : [namespaceIndex(name)];
    indexed.add(name);
    for (const route of [...index, ...routes]) {
      const known = byPath.get(route.path);
      byPath.set(
        route.path,
        known ? { ...route, ...known, endpoints: [...known.endpoints, ...route.endpoints] } : { ...route, namespace: name },
      );
    }
  }
  return [...byPath.values()];
}

/** The same route where modules add nothing to it. */
function extended(route: Route, { args: everywhere, extension, reshape }: Additions): Route {
  const endpoints = route.endpoints.map((endpoint) => {
    if (!endpoint.lists) return withArgs(endpoint, extendArgs(route.path, endpoint.args, everywhere));
    const { args: more, listParams } = extension(endpoint.lists, ['params', 'scope', 'links', 'listParams']);
    const list = withArgs(endpoint, extendArgs(route.path, endpoint.args, more, everywhere));
    return listParams ? { ...list, handle: (call: Call) => list.handle(listParams(call)) } : list;
  });
  return reshape.reduce<Route>((reshaped, one) => one(reshaped), { ...route, endpoints });
}

function withArgs(endpoint: Endpoint, args: Endpoint['args']): Endpoint {
  return args === endpoint.args ? endpoint : { ...endpoint, args };
}

/** Behind a repetition that takes all of it but slashes, where it would be looked through from each sign: the same paths fit both. */
const reference = { spelling: '[\\/\\w%-]+', linear: '(?:[\\w%-]|\\/[\\/\\w%-]*)' };

function createMatcher(route: Route): Matcher {
  const source = route.path.replaceAll('(?P<', '(?<').replaceAll(reference.spelling, reference.linear);
  const pattern = new RegExp(`^${source}$`, 'i');
  const names = [...route.path.matchAll(/\(\?P<(\w+)>/g)].map(([, name]) => name as string);
  return {
    route,
    fits(path) {
      const found = pattern.exec(path);
      if (!found) return null;
      const url: Record<string, unknown> = {};
      for (const name of names) url[name] = found.groups?.[name];
      return url;
    },
  };
}
