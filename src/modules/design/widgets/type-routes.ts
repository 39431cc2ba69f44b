/**
 * Types of widgets, their forms and previews.
 *
 * Shape    one row of the table of widget types
 * Access   whoever edits theme options
 * Errors   rest_cannot_manage_widgets, rest_widget_type_invalid, rest_invalid_widget
 * Source   the reference's route catalogue and behaviour (6.9)
 */
import { fail } from '../../../kernel/errors.ts';
import { everywhere, of } from '../../../kernel/model/schema.ts';
import { action, collection, defineResource, item } from '../../../kernel/rest/resource.ts';
import { bool, shown, shownFirst, text } from '../../../kernel/rest/resource-fields.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import { manageWidgets } from './access.ts';
import { renderForm, renderSettings, type WidgetType, widgetTypes } from './plan.ts';
import { instanceOf, readInstance } from './routes.ts';

const base = '/cms/v2/widget-types';
const id = of('string', 'Name of the type.');
const path = '(?P<id>[a-zA-Z0-9_-]+)';
const settings = { id: { ...id, required: true }, instance: of('object', 'Settings of the widget.') };

export const widgetTypeRoutes = defineResource<WidgetType>({
  name: 'widget-type',
  base,
  // biome-ignore format: columns show what the rows of the table have in common
  fields: {
    id:          text('Name of the type.', shownFirst),
    name:        text('Name for people.', { ...shownFirst, default: '' }),
    description: text('What the widget shows.', { default: '', context: everywhere }),
    is_multi:    bool('Whether there can be several of it.', { ...shown, get: () => true }),
    classname:   text('CSS class of the widget.', { ...shownFirst, default: '', get: (type) => type.className }),
  },
  links: (type) => ({ collection: base, self: `${base}/${type.id}` }),
  params: { id },
  routes: [
    collection({ allow: manageWidgets, handle: () => [...widgetTypes.values()] }),
    item(path, { allow: manageWidgets, handle: ({ params }) => widgetTypes.get(params.id) ?? fail('rest_widget_type_invalid') }),
    action(`${path}/encode`, {
      args: { ...settings, form_data: of('string', 'Settings as a form sends them.') },
      allow: manageWidgets,
      handle: encode,
    }),
    action(`${path}/render`, { args: settings, allow: manageWidgets, handle: render }),
  ],
});

/** The settings in every form, with the form and a preview. */
function encode(call: Call): Record<string, unknown> {
  const { site, params } = call;
  const type =
    widgetTypes.get(params.id) ??
    fail('rest_invalid_widget', { status: 400 }, 'Cannot preview a widget of a type that is not known.');
  const settings = readInstance(call, type) ?? {};
  const preview = renderSettings(site, type.id, settings);
  return {
    form: renderForm(type, `${type.id}-1`, settings),
    preview: preview.trim() === '' ? null : preview,
    instance: instanceOf(settings),
  };
}

/** A page with only the widget. */
function render(call: Call): Record<string, string> {
  const { site, params } = call;
  const type = widgetTypes.get(params.id) ?? fail('rest_widget_type_invalid');
  const body = renderSettings(site, type.id, readInstance(call, type) ?? {});
  return {
    preview: `<!doctype html><html><head><meta charset="utf-8"></head><body><div id="page" class="site"><div class="widget ${type.className}">${body}</div></div></body></html>`,
  };
}
