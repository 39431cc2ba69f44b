/**
 * Descriptions of routes: the catalogue of the index, namespace indexes and the answer to OPTIONS, all read from the routes.
 */
import { describeArgs } from './args.ts';
import type { Dialect } from './dialect.ts';
import type { Call, Route } from './types.ts';
import type { Urls } from './urls.ts';

export interface RouteDescription {
  readonly namespace: string;
  readonly methods: readonly string[];
  readonly endpoints: readonly Record<string, unknown>[];
  readonly schema?: unknown;
  readonly _links?: { readonly self: readonly { readonly href: string }[] };
}

/** One route; a path without parameters links to itself. */
function describeRoute(route: Route, { dialect, rest }: Urls): RouteDescription {
  const endpoints = route.endpoints.map(({ methods, batch, args }) => {
    const described = spelled(describeArgs(args), dialect);
    return {
      methods,
      ...(batch === undefined ? {} : { allow_batch: { v1: batch } }),
      args: Object.keys(described).length > 0 ? described : [],
    };
  });
  return {
    namespace: spellNamespace(route.namespace, dialect),
    methods: [...new Set(route.endpoints.flatMap(({ methods }) => methods))],
    endpoints,
    ...(route.path.includes('(') ? {} : { _links: { self: [{ href: rest(route.path) }] } }),
  };
}

/** Path → description, in order of declaration. */
export function describeRoutes(routes: readonly Route[], urls: Urls): Record<string, RouteDescription> {
  return Object.fromEntries(routes.map((route) => [urls.dialect.spellRoute(route.path), describeRoute(route, urls)]));
}

/** The answer to OPTIONS: the route with its schema. */
export function describeOptions(route: Route, call: Call): RouteDescription {
  const { _links, ...rest } = describeRoute(route, call.urls);
  const schema = route.schema ? { schema: spellSchema(route.schema(call), call.urls.dialect) } : {};
  return { ...rest, ...schema, ...(_links ? { _links } : {}) };
}

/** A title may be a name with more behind it: `cms_block-revision`. */
function spellSchema(given: ReturnType<NonNullable<Route['schema']>>, dialect: Dialect): typeof given {
  const schema = spelled(given, dialect);
  const title = schema.title && { title: schema.title.replace(/^\w+/, dialect.wireName) };
  const members = Object.entries(schema.properties ?? {}).map(([name, property]) => [dialect.memberName(name), property]);
  return { ...schema, ...title, ...(schema.properties && { properties: Object.fromEntries(members) }) };
}

export const spellNamespace = (name: string, dialect: Dialect): string => dialect.spellRoute(`/${name}`).slice(1);

/** Names by the dialect wherever they stand in the description of arguments: as keys, as values that are allowed, as defaults. */
function spelled<T>(value: T, dialect: Dialect): T {
  if (typeof value === 'string') return dialect.wireName(value) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => spelled(one, dialect)) as T;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [dialect.wireName(name), spelled(one, dialect)])) as T;
}
