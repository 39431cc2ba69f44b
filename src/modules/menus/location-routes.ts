/**
 * Menu locations declared in `site.yaml`.
 *
 * Shape    a map by name; name, description, menu (its id, 0 for none)
 * Access   edit_theme_options
 * Errors   rest_cannot_view, rest_menu_location_invalid
 * Source   behaviour of the reference (6.9); conformance scenario menus
 */
import { fail } from '../../kernel/errors.ts';
import { of } from '../../kernel/model/schema.ts';
import { collection, defineResource, item } from '../../kernel/rest/resource.ts';
import { integer, shownFirst, text } from '../../kernel/rest/resource-fields.ts';
import { forHolders } from '../../kernel/rest/schema-helpers.ts';
import type { Call } from '../../kernel/rest/types.ts';
import { declaredLocations, heldLocations } from './view.ts';

interface Location {
  readonly name: string;
  readonly description: string;
  /** 0 for none. */
  readonly menu: number;
}

const base = '/cms/v2/menu-locations';
const allow = forHolders('edit_theme_options', {
  code: 'rest_cannot_view',
  message: 'Sorry, you are not allowed to view menu locations.',
});

export const menuLocationRoutes = defineResource<Location>({
  name: 'menu-location',
  base,
  // biome-ignore format: columns show what the rows of the table have in common
  fields: {
    name:        text('The name of the menu location.', shownFirst),
    description: text('The description of the menu location.', shownFirst),
    menu:        integer('The ID of the assigned menu.', shownFirst),
  },
  links: ({ name, menu }) => ({
    self: `${base}/${name}`,
    collection: base,
    ...(menu === 0 ? {} : { 'cms:menu': { embeddable: true, href: `/cms/v2/menus/${menu}` } }),
  }),
  params: { location: of('string', 'An alphanumeric identifier for the menu location.') },
  routes: [
    // Without locations, an empty list (observed).
    collection({ allow, handle: (call) => (locations(call).size === 0 ? [] : locations(call)) }),
    item('(?P<location>[\\w-]+)', {
      allow,
      handle: (call) => locations(call).get(call.params.location) ?? fail('rest_menu_location_invalid'),
    }),
  ],
});

function locations({ site }: Call): ReadonlyMap<string, Location> {
  const menus = heldLocations(site);
  const declared = [...declaredLocations(site)];
  return new Map(declared.map(([name, description]) => [name, { name, description, menu: menus.get(name) ?? 0 }]));
}
