/**
 * Types of widgets, their forms and previews.
 *
 * Shape    one row of the table of widget types
 * Access   whoever edits theme options
 * Errors   rest_cannot_manage_widgets, rest_widget_type_invalid, rest_invalid_widget
 * Source   the reference's route catalogue and behaviour (6.9)
 */
import { renderForm, renderSettings, type WidgetType, widgetTypes } from './plan.ts';
import { fail } from '../../kernel/errors.ts';
import { type Fields, schemasOf } from '../../kernel/model/field.ts';
import { everywhere, of } from '../../kernel/model/schema.ts';
import { contextArg } from '../../kernel/rest/collection.ts';
import { createProjector } from '../../kernel/rest/item.ts';
import type { Namespace } from '../../kernel/rest/registry.ts';
import { type Call, CREATE, READ } from '../../kernel/rest/types.ts';
import { draft, forHolders, shown, shownFirst } from '../../kernel/rest/schema-helpers.ts';
import { instanceOf, readInstance } from './routes.ts';

const BASE = '/cms/v2/widget-types';

const fields: Fields<WidgetType, null> = {
  id: { schema: shownFirst('string', 'Name of the type.'), get: (type) => type.id },
  name: { schema: shownFirst('string', 'Name for people.', { default: '' }), get: (type) => type.name },
  description: {
    schema: of('string', 'What the widget shows.', { default: '', context: everywhere }),
    get: (type) => type.description,
  },
  is_multi: { schema: shown('boolean', 'Whether there can be several of it.'), get: () => true },
  classname: { schema: shownFirst('string', 'CSS class of the widget.', { default: '' }), get: (type) => type.className },
};

const project = createProjector<WidgetType, null>({
  fields,
  links: ({ id }, _view, { urls }) => ({ collection: [{ href: urls.rest(BASE) }], self: [{ href: urls.rest(`${BASE}/${id}`) }] }),
});

const schema = draft('widget-type', schemasOf(fields));
const allow = forHolders('edit_theme_options', 'rest_cannot_manage_widgets');
const id = of('string', 'Name of the type.');
const instance = of('object', 'Settings of the widget.');
const PATH = `${BASE}/(?P<id>[a-zA-Z0-9_-]+)`;

export const widgetTypeRoutes: Namespace['routes'] = [
  {
    path: BASE,
    schema,
    endpoints: [
      {
        methods: READ,
        args: { context: contextArg() },
        allow,
        handle: (call) => [...widgetTypes.values()].map((type) => project(type, null, call)),
      },
    ],
  },
  {
    path: PATH,
    schema,
    endpoints: [{ methods: READ, args: { id, context: contextArg() }, allow, handle: (call) => project(find(call), null, call) }],
  },
  {
    path: `${PATH}/encode`,
    endpoints: [
      {
        methods: CREATE,
        args: { id: { ...id, required: true }, instance, form_data: of('string', 'Settings as a form sends them.') },
        allow,
        handle: encode,
      },
    ],
  },
  {
    path: `${PATH}/render`,
    endpoints: [{ methods: CREATE, args: { id: { ...id, required: true }, instance }, allow, handle: render }],
  },
];

/** The settings in every form, with the form that asks for them and a preview. */
function encode({ site, params }: Call): Record<string, unknown> {
  const type =
    widgetTypes.get(params.id) ??
    fail('rest_invalid_widget', { status: 400 }, 'Cannot preview a widget of a type that is not known.');
  const settings = readInstance(type, params.instance, params.form_data) ?? {};
  const preview = renderSettings(site, type.id, settings);
  return {
    form: renderForm(type, `${type.id}-1`, settings),
    preview: preview.trim() === '' ? null : preview,
    instance: instanceOf(settings),
  };
}

/** A page that shows the widget alone. */
function render({ site, params }: Call): Record<string, string> {
  const type = widgetTypes.get(params.id) ?? fail('rest_widget_type_invalid');
  const body = renderSettings(site, type.id, readInstance(type, params.instance, undefined) ?? {});
  return {
    preview: `<!doctype html><html><head><meta charset="utf-8"></head><body><div id="page" class="site"><div class="widget ${type.className}">${body}</div></div></body></html>`,
  };
}

function find({ params }: Call): WidgetType {
  return widgetTypes.get(params.id) ?? fail('rest_widget_type_invalid');
}
