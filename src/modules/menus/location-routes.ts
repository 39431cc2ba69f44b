/**
 * The places of the design that show a menu, as `site.yaml` declares them.
 *
 * Shape    a map by name; name, description, menu (its id, 0 for none)
 * Access   edit_theme_options
 * Errors   rest_cannot_view, rest_menu_location_invalid
 * Source   behaviour of the reference (6.9); conformance scenario menus
 */
import { declaredLocations, heldLocations } from './view.ts';
import { fail } from '../../kernel/errors.ts';
import { type Fields, schemasOf } from '../../kernel/model/field.ts';
import { of } from '../../kernel/model/schema.ts';
import { contextArg } from '../../kernel/rest/collection.ts';
import { createProjector, type Item, type Links } from '../../kernel/rest/item.ts';
import type { Namespace } from '../../kernel/rest/registry.ts';
import { type Call, READ, type Rule } from '../../kernel/rest/types.ts';
import { mapOf } from '../../kernel/rest/map-response.ts';
import { draft, shownFirst } from '../../kernel/rest/schema-helpers.ts';

interface Location {
  readonly name: string;
  readonly description: string;
  /** Id of the menu it shows; 0 for none. */
  readonly menu: number;
}

const base = '/cms/v2/menu-locations';

const fields: Fields<Location, null> = {
  name: { schema: shownFirst('string', 'The name of the menu location.'), get: ({ name }) => name },
  description: { schema: shownFirst('string', 'The description of the menu location.'), get: ({ description }) => description },
  menu: { schema: shownFirst('integer', 'The ID of the assigned menu.'), get: ({ menu }) => menu },
};

const project = createProjector<Location, null>({ fields, links: (location, _view, call) => linksOf(call, location) });

const schema = draft('menu-location', schemasOf(fields));

const allow: Rule = (call) =>
  call.can('edit_theme_options')
    ? null
    : { code: 'rest_cannot_view', message: 'Sorry, you are not allowed to view menu locations.' };

export const menuLocationRoutes: Namespace['routes'] = [
  { path: base, schema, endpoints: [{ methods: READ, args: { context: contextArg() }, allow, handle: list }] },
  {
    path: `${base}/(?P<location>[\\w-]+)`,
    schema,
    endpoints: [
      {
        methods: READ,
        args: { location: of('string', 'An alphanumeric identifier for the menu location.'), context: contextArg() },
        allow,
        handle: read,
      },
    ],
  },
];

function list(call: Call): unknown {
  const items = [...declaredLocations(call.site).keys()].map(
    (name) => [name, project(locationOf(call, name), null, call)] as const,
  );
  return items.length === 0 ? [] : mapOf(call, items);
}

function read(call: Call): Item {
  return project(locationOf(call, call.params.location), null, call);
}

/** @throws RestError rest_menu_location_invalid */
function locationOf({ site }: Call, name: string): Location {
  const description = declaredLocations(site).get(name) ?? fail('rest_menu_location_invalid');
  return { name, description, menu: heldLocations(site).get(name) ?? 0 };
}

function linksOf({ urls }: Call, { name, menu }: Location): Links {
  return {
    self: [{ href: urls.rest(`${base}/${name}`) }],
    collection: [{ href: urls.rest(base) }],
    ...(menu === 0 ? {} : { 'cms:menu': [{ embeddable: true as const, href: urls.rest(`/cms/v2/menus/${menu}`) }] }),
  };
}
