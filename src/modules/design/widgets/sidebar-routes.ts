/**
 * Sidebars: places of the design that hold widgets, one file each.
 *
 * Shape    what the design says of the place, and the ids of its widgets
 * Access   whoever edits theme options; everyone, where the file says `show_in_rest`
 * Errors   rest_cannot_manage_widgets, rest_sidebar_not_found
 * Source   the reference's route catalogue and behaviour (6.9)
 */
import { fail } from '../../../kernel/errors.ts';
import { scalarText } from '../../../kernel/model/scalars.ts';
import { embedFirst, of } from '../../../kernel/model/schema.ts';
import { contextArg } from '../../../kernel/rest/collection.ts';
import { collection, defineResource, item } from '../../../kernel/rest/resource.ts';
import { list, shownFirst, text } from '../../../kernel/rest/resource-fields.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import { manageWidgets, readSidebar, readSidebars, visibleSidebars } from './access.ts';
import { INACTIVE, planOrder, type Sidebar, sidebarById } from './plan.ts';

const base = '/cms/v2/sidebars';
const markup = { ...shownFirst, default: '' };
const widgets = { items: { type: ['object', 'string'] as const }, default: [], context: embedFirst };

export const sidebarRoutes = defineResource<Sidebar>({
  name: 'sidebar',
  base,
  // biome-ignore format: columns show what the rows of the table have in common
  fields: {
    id:            text('ID of the sidebar.', shownFirst),
    name:          text('Name for people.', shownFirst),
    description:   text('What the place is for.', shownFirst),
    class:         text('CSS class of the place.', { ...shownFirst, get: (sidebar) => sidebar.className }),
    before_widget: text('Markup before each widget.', markup),
    after_widget:  text('Markup after each widget.', markup),
    before_title:  text('Markup before the title of a widget.', markup),
    after_title:   text('Markup after the title of a widget.', markup),
    status:        text('Whether the design shows it.', { ...shownFirst, enum: ['active', 'inactive'], get: status }),
    widgets:       list('Widgets of the sidebar.', { ...widgets, get: (sidebar) => sidebar.widgets.map(({ id }) => id) }),
  },
  links: ({ id }) => ({
    collection: base,
    self: `${base}/${id}`,
    'cms:widget': { embeddable: true, href: `/cms/v2/widgets?sidebar=${id}` },
  }),
  routes: [
    collection({ allow: readSidebars, handle: visibleSidebars }),
    item('(?P<id>[\\w-]+)', {
      read: { args: { id: of('string', 'ID of the sidebar.'), context: contextArg() }, allow: readSidebar, handle: find },
      update: { args: 'writable', allow: manageWidgets, handle: update },
    }),
  ],
});

async function update(call: Call): Promise<Sidebar> {
  const { site, params } = call;
  find(call);
  if (Array.isArray(params.widgets)) {
    const ids = params.widgets.map((one: unknown) =>
      scalarText(typeof one === 'object' && one !== null ? (one as { id?: unknown }).id : one),
    );
    await site.write((site) => ({ changes: planOrder(site, params.id, ids), result: null }));
  }
  return find(call);
}

function find({ site, params }: Call): Sidebar {
  return sidebarById(site, params.id) ?? fail('rest_sidebar_not_found');
}

function status({ id }: Sidebar): string {
  return id === INACTIVE ? 'inactive' : 'active';
}
