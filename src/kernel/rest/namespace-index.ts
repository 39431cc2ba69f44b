/**
 * The index that each namespace has at its own name: what it is called, and its routes. `compose` puts it before them.
 */
import { fail } from '../errors.ts';
import type { Args } from './args.ts';
import { describeRoutes, spellNamespace } from './describe.ts';
import { Item } from './item.ts';
import { anyone, type Call, isOffered, READ, type Route } from './types.ts';

export function namespaceIndex(name: string): Omit<Route, 'namespace'> {
  const args: Args = { namespace: { default: name }, context: { default: 'view' } };
  return {
    path: `/${name}`,
    endpoints: [{ methods: READ, args, allow: anyone, handle: (call) => describeNamespace(call, name) }],
  };
}

/** @param own  whose address it is: another namespace may be asked for there (observed) */
function describeNamespace(call: Call, own: string): Item {
  const { registry, urls, request, params } = call;
  const asked = request.dialect.readRoute(`/${params.namespace}`).slice(1);
  const name = params.namespace === own ? own : asked;
  if (!registry.routes.some((route) => route.namespace === name && route.path === `/${name}`)) fail('rest_invalid_namespace');
  const routes = registry.routes.filter((route) => route.namespace === name && isOffered(route, request));
  return new Item(
    { namespace: spellNamespace(name, request.dialect), routes: describeRoutes(routes, urls) },
    { up: [{ href: urls.rest('/') }] },
    { keepsLinks: true },
  );
}
