/**
 * Widgets of the sidebars.
 *
 * Shape    type, place, settings (`instance`, in the edit context) and markup
 * Access   whoever edits theme options; everyone reads those of a sidebar that is public
 * Errors   rest_cannot_manage_widgets, rest_widget_not_found, rest_invalid_widget, rest_sidebar_not_found
 * Source   the reference's route catalogue and behaviour (6.9)
 */
import {
  decodeInstance,
  encodeInstance,
  INACTIVE,
  nextWidgetId,
  planWidget,
  planWidgetRemoval,
  renderForm,
  renderWidget,
  type Sidebar,
  settingsOf,
  sidebarById,
  type Widget,
  widgetById,
  type WidgetType,
  widgetTypes,
} from './plan.ts';
import { filterHtml } from '../../../render/filter.ts';
import { fail } from '../../../kernel/errors.ts';
import type { Fields } from '../../../kernel/model/field.ts';
import { editOnly, everywhere, of, type Schema } from '../../../kernel/model/schema.ts';
import type { Args } from '../../../kernel/rest/args.ts';
import { contextArg } from '../../../kernel/rest/collection.ts';
import { parseQuery } from '../../../kernel/rest/params.ts';
import { collection, defineResource, gone, item, made } from '../../../kernel/rest/resource.ts';
import type { Call, Namespace, AccessRule } from '../../../kernel/rest/types.ts';
import { forHolders } from '../../../kernel/rest/schema-helpers.ts';
import { visibleSidebars } from './access.ts';

/** Widget settings: plain, or encoded with a checksum. */
interface Instance {
  readonly encoded?: string;
  readonly hash?: string;
  readonly raw?: Record<string, unknown>;
}

const instance: Schema = of('object', 'Settings of the widget.', {
  context: editOnly,
  default: null,
  properties: {
    encoded: of('string', 'Settings as an opaque text.', { context: editOnly }),
    hash: of('string', 'Checksum of the opaque text.', { context: editOnly }),
    raw: of('object', 'Settings by name.', { context: editOnly }),
  },
});

const fields: Fields<Widget, Call> = {
  id: { schema: of('string', 'ID of the widget.', { context: everywhere }), get: (widget) => widget.id },
  id_base: { schema: of('string', 'Type of the widget.', { context: everywhere }), get: (widget) => widget.base },
  sidebar: {
    schema: of('string', 'Sidebar of the widget.', { default: INACTIVE, required: true, context: everywhere }),
    get: (widget) => widget.sidebar,
  },
  rendered: {
    schema: of('string', 'Markup of the widget.', { context: everywhere, readonly: true }),
    get: (widget, { site }) => renderWidget(site, widget, sidebarById(site, widget.sidebar) as Sidebar),
  },
  rendered_form: {
    schema: of('string', 'Form that asks for its settings.', { context: editOnly, readonly: true }),
    get: (widget) => {
      const type = widgetTypes.get(widget.base);
      return type ? renderForm(type, widget.id, widget.settings) : '';
    },
  },
  instance: { schema: instance, get: (widget) => instanceOf(widget.settings) },
  form_data: { schema: of('string', 'Settings as a form sends them.', { context: [] }) },
};

const mayManage = forHolders('edit_theme_options', 'rest_cannot_manage_widgets');
const forceArg: Args = { force: of('boolean', 'Whether to delete the widget, or make it inactive.') };

export const widgetRoutes: Namespace['routes'] = defineResource<Widget>({
  name: 'widget',
  base: '/cms/v2/widgets',
  batch: true,
  fields,
  links: ({ id, base, sidebar }) => ({
    self: `/cms/v2/widgets/${id}`,
    collection: '/cms/v2/widgets',
    about: { embeddable: true, href: `/cms/v2/widget-types/${base}` },
    'cms:sidebar': `/cms/v2/sidebars/${sidebar}`,
  }),
  routes: [
    collection({
      read: {
        args: { context: contextArg(), sidebar: of('string', 'Sidebar whose widgets are wanted.') },
        allow: mayList,
        handle: list,
      },
      create: { args: 'writable', allow: mayManage, handle: create },
    }),
    item('(?P<id>[\\w\\-]+)', {
      read: { allow: mayRead, handle: find },
      update: { args: 'writable', allow: mayManage, handle: update },
      remove: { args: forceArg, allow: mayManage, handle: remove },
    }),
  ],
});

/** Settings for clients. */
export function instanceOf(settings: Widget['settings']): Record<string, unknown> {
  return { ...encodeInstance(settings), raw: Object.keys(settings).length > 0 ? settings : { none: undefined } };
}

/**
 * The settings in a request, in one of three forms, with sanitized markup; null if there are none.
 * @throws RestError rest_invalid_widget
 */
export function readInstance(call: Call, type: WidgetType): Record<string, unknown> | null {
  const { instance, form_data: form } = call.params;
  const settings = sentSettings(type, instance as Instance | null | undefined, form);
  const html = settings === null || type.markup === null ? undefined : settings[type.markup];
  if (typeof html !== 'string' || type.markup === null || call.can('unfiltered_html')) return settings;
  return { ...settings, [type.markup]: filterHtml(html, 'post') };
}

function sentSettings(type: WidgetType, given: Instance | null | undefined, form: unknown): Record<string, unknown> | null {
  if (typeof form === 'string' && form !== '') {
    const sent = Object.values(parseQuery(form)[`widget-${type.id}`] ?? {})[0];
    return settingsOf(type, typeof sent === 'object' && sent !== null ? (sent as Record<string, unknown>) : {});
  }
  if (given === undefined || given === null || Object.keys(given).length === 0) return null;
  if (given.raw !== undefined) return settingsOf(type, given.raw);
  if (given.encoded === undefined || given.hash === undefined)
    fail('rest_invalid_widget', {}, 'The provided instance is invalid. Must contain raw OR encoded and hash.');
  return decodeInstance(given.encoded, given.hash) ?? fail('rest_invalid_widget', {}, 'The provided instance is malformed.');
}

function list(call: Call): Widget[] {
  const wanted = call.params.sidebar as string | undefined;
  return visibleSidebars(call)
    .filter(({ id }) => wanted === undefined || id === wanted)
    .flatMap(({ widgets }) => widgets);
}

async function create(call: Call) {
  const { site, params } = call;
  const base = params.id_base as string | undefined;
  if (!base) fail('rest_invalid_widget', {}, 'Widget type (id_base) is required.');
  const type = widgetTypes.get(base) ?? fail('rest_invalid_widget', {}, 'The provided widget type (id_base) cannot be found.');
  const settings = readInstance(call, type) ?? {};
  const id = await site.write((site) => {
    const sidebar = sidebarById(site, params.sidebar) ?? fail('rest_sidebar_not_found', { status: 400 });
    const free = nextWidgetId(site, base);
    return { changes: planWidget(site, { id: free, base, sidebar: sidebar.id, settings }), result: free };
  });
  return made(widgetById(site, id) as Widget);
}

async function update(call: Call): Promise<Widget> {
  const { site, params } = call;
  const known = find(call);
  if (params.id_base !== undefined && params.id_base !== known.base)
    fail('rest_invalid_widget', {}, 'The provided widget type (id_base) cannot be updated.');
  const type = widgetTypes.get(known.base) ?? fail('rest_invalid_widget');
  const sidebar = params.sidebar ?? known.sidebar;
  if (!sidebarById(site, sidebar)) fail('rest_sidebar_not_found', { status: 400 });
  const settings = readInstance(call, type);
  await site.write((site) => {
    const before = find(call);
    return { changes: planWidget(site, { ...before, sidebar, settings: settings ?? before.settings }), result: null };
  });
  return find(call);
}

async function remove(call: Call) {
  const { site, params } = call;
  const before = find(call);
  if (!params.force) {
    await site.write((site) => ({ changes: planWidget(site, { ...find(call), sidebar: INACTIVE }), result: null }));
    return find(call);
  }
  return gone(before, () => site.write((site) => ({ changes: planWidgetRemoval(site, before.id), result: null })));
}

function mayList(call: Call): ReturnType<AccessRule> {
  const sidebar = call.params.sidebar as string | undefined;
  const isPublic = visibleSidebars(call).some((one) => one.isPublic && (sidebar === undefined || one.id === sidebar));
  // Settings require permission.
  return isPublic && call.context !== 'edit' ? null : mayManage(call);
}

function mayRead(call: Call): ReturnType<AccessRule> {
  const widget = widgetById(call.site, call.params.id);
  const isPublic = widget && sidebarById(call.site, widget.sidebar)?.isPublic;
  return isPublic && call.context !== 'edit' ? null : mayManage(call);
}

function find({ site, params }: Call): Widget {
  return widgetById(site, params.id) ?? fail('rest_widget_not_found');
}
