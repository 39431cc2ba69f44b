/**
 * Menus with all items, and their locations, `menus/v1`.
 *
 * Shape    a menu as a term; single ones with `items`, each with its children in `child_items`; locations as a map by name
 * Access   everyone; items with an unreadable target are omitted with their children
 * Errors   not_found
 * Source   specification 4.12; recorded behaviour of the reference. Deviations: drafts and private posts are hidden from users who may not read them,
 * a location with a deleted menu is not listed, `_fields` and `_envelope` work
 */
import { fail } from '../../../kernel/errors.ts';
import type { Namespace } from '../../../kernel/rest/types.ts';
import { anyone, type Call, READ } from '../../../kernel/rest/types.ts';
import { declaredLocations, heldLocations, menusOf } from '../index.ts';
import type { MenuRecord } from '../record.ts';
import { menuIn, menusIn } from './language.ts';
import { createMenuTrees, type MenuTerm } from './view.ts';

const base = '/menus/v1';
const id = '(?P<id>[a-zA-Z0-9_-]+)';

export const menuTreeRoutes: Namespace['routes'] = [
  route('/menus', listed),
  route(`/menus/${id}`, (call) => createMenuTrees(call).tree(named(call) ?? unknown('menu', call))),
  route(`/locations/${id}`, (call) => createMenuTrees(call).tree(located(call, call.params.id) ?? unknown('location', call))),
  route('/locations', locations),
];

function route(path: string, handle: (call: Call) => unknown): Namespace['routes'][number] {
  return { path: base + path, endpoints: [{ methods: READ, args: {}, allow: anyone, handle }] };
}

/** Non-empty menus, by name. */
function listed(call: Call): readonly MenuTerm[] {
  const trees = createMenuTrees(call);
  return menusIn(call, menusOf(call.site))
    .map((menu) => trees.term(menu))
    .filter(({ count }) => count > 0)
    .sort((a, b) => compare(a.name.toLowerCase(), b.name.toLowerCase()) || a.term_id - b.term_id);
}

/** Locations that show a menu, those of `site.yaml` first. A member without a value keeps an empty map a map. */
function locations(call: Call): Readonly<Record<string, unknown>> {
  const trees = createMenuTrees(call);
  const held = heldLocations(call.site);
  const names = new Set([...declaredLocations(call.site).keys(), ...held.keys()]);
  const found = [...names].flatMap((slug) => {
    const menu = located(call, slug);
    return menu ? [[slug, { slug, menu: trees.term(menu) }] as const] : [];
  });
  return found.length === 0 ? { none: undefined } : Object.fromEntries(found);
}

function located(call: Call, location: string): MenuRecord | undefined {
  const held = heldLocations(call.site).get(location);
  const menu = held === undefined ? undefined : menusOf(call.site).find(({ id }) => id === held);
  return menu && menuIn(call, menu);
}

/** `/menus/<id>`: a location, else the id, slug or name of a menu. Only locations are case-sensitive. */
function named(call: Call): MenuRecord | undefined {
  const wanted: string = call.params.id;
  const lower = wanted.toLowerCase();
  const menus = menusOf(call.site);
  const isId = /^\d+$/.test(wanted);
  const exact = located(call, wanted) ?? menus.find((menu) => isId && menu.id === Number(wanted));
  const called = menus.find(({ slug }) => slug === lower) ?? menus.find(({ name }) => name.toLowerCase() === lower);
  return exact ?? (called && menuIn(call, called));
}

function unknown(what: 'menu' | 'location', { params }: Call): never {
  return fail('not_found', {}, `No ${what} has been found with this id or slug: \`${params.id}\`.`);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
