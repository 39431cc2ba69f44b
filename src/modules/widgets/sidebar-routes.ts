/**
 * Sidebars: places of the design that hold widgets, one file each.
 *
 * Shape    what the design says of the place, and the ids of its widgets
 * Access   whoever edits theme options; everyone, where the file says `show_in_rest`
 * Errors   rest_cannot_manage_widgets, rest_sidebar_not_found
 * Source   the reference's route catalogue and behaviour (6.9)
 */
import { planOrder, type Sidebar, sidebarById, sidebarsOf, INACTIVE } from './plan.ts';
import { fail } from '../../kernel/errors.ts';
import { type Fields, schemasOf } from '../../kernel/model/field.ts';
import { embedFirst, of } from '../../kernel/model/schema.ts';
import { scalarText } from '../../kernel/model/scalars.ts';
import { argsForUpdate } from '../../kernel/rest/args.ts';
import { contextArg } from '../../kernel/rest/collection.ts';
import { createProjector, type Item } from '../../kernel/rest/item.ts';
import type { Namespace } from '../../kernel/rest/registry.ts';
import { type Call, READ, type Rule, UPDATE } from '../../kernel/rest/types.ts';
import { draft, forHolders, shownFirst } from '../../kernel/rest/schema-helpers.ts';

const BASE = '/cms/v2/sidebars';
const markup = (description: string) => shownFirst('string', description, { default: '' });

const fields: Fields<Sidebar, null> = {
  id: { schema: shownFirst('string', 'ID of the sidebar.'), get: (sidebar) => sidebar.id },
  name: { schema: shownFirst('string', 'Name for people.'), get: (sidebar) => sidebar.name },
  description: { schema: shownFirst('string', 'What the place is for.'), get: (sidebar) => sidebar.description },
  class: { schema: shownFirst('string', 'CSS class of the place.'), get: (sidebar) => sidebar.className },
  before_widget: { schema: markup('Markup before each widget.'), get: (sidebar) => sidebar.beforeWidget },
  after_widget: { schema: markup('Markup after each widget.'), get: (sidebar) => sidebar.afterWidget },
  before_title: { schema: markup('Markup before the title of a widget.'), get: (sidebar) => sidebar.beforeTitle },
  after_title: { schema: markup('Markup after the title of a widget.'), get: (sidebar) => sidebar.afterTitle },
  status: {
    schema: shownFirst('string', 'Whether the design shows it.', { enum: ['active', 'inactive'] }),
    get: ({ id }) => (id === INACTIVE ? 'inactive' : 'active'),
  },
  widgets: {
    schema: of('array', 'Widgets of the sidebar.', { items: { type: ['object', 'string'] }, default: [], context: embedFirst }),
    get: (sidebar) => sidebar.widgets.map(({ id }) => id),
  },
};

const project = createProjector<Sidebar, null>({
  fields,
  links: ({ id }, _view, { urls }) => ({
    collection: [{ href: urls.rest(BASE) }],
    self: [{ href: urls.rest(`${BASE}/${id}`) }],
    'cms:widget': [{ embeddable: true, href: urls.rest(`/cms/v2/widgets?sidebar=${id}`) }],
  }),
});

const schema = draft('sidebar', schemasOf(fields));
const mayManage = forHolders('edit_theme_options', 'rest_cannot_manage_widgets');

export const sidebarRoutes: Namespace['routes'] = [
  { path: BASE, schema, endpoints: [{ methods: READ, args: { context: contextArg() }, allow: mayList, handle: list }] },
  {
    path: `${BASE}/(?P<id>[\\w-]+)`,
    schema,
    endpoints: [
      {
        methods: READ,
        args: { id: of('string', 'ID of the sidebar.'), context: contextArg() },
        allow: (call) => (sidebarById(call.site, call.params.id)?.isPublic ? null : mayManage(call)),
        handle: (call) => project(find(call), null, call),
      },
      { methods: UPDATE, args: argsForUpdate(schemasOf(fields)), allow: mayManage, handle: update },
    ],
  },
];

/** Sidebars that the request's user may see. */
export function visibleSidebars(call: Call): readonly Sidebar[] {
  return sidebarsOf(call.site).filter(({ isPublic }) => isPublic || call.can('edit_theme_options'));
}

function list(call: Call): Item[] {
  return visibleSidebars(call).map((sidebar) => project(sidebar, null, call));
}

async function update(call: Call): Promise<Item> {
  const { site, params } = call;
  find(call);
  if (Array.isArray(params.widgets)) {
    const ids = params.widgets.map((one: unknown) =>
      scalarText(typeof one === 'object' && one !== null ? (one as { id?: unknown }).id : one),
    );
    await site.write(() => ({ changes: planOrder(site, params.id, ids), result: null }));
  }
  return project(find(call), null, { ...call, context: 'edit' });
}

function mayList(call: Call): ReturnType<Rule> {
  return sidebarsOf(call.site).some(({ isPublic }) => isPublic) ? null : mayManage(call);
}

function find({ site, params }: Call): Sidebar {
  return sidebarById(site, params.id) ?? fail('rest_sidebar_not_found');
}
