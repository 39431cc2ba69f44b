import { row } from '../../../kernel/errors.ts';

export const widgetErrors = {
  rest_cannot_manage_widgets: row('auth', 'Sorry, you are not allowed to manage widgets on this site.'),
  rest_invalid_widget: row(400, 'The widget is not valid.'),
  rest_sidebar_not_found: row(404, 'No sidebar exists with that id.'),
  rest_widget_not_found: row(404, 'No widget was found with that id.'),
  rest_widget_type_invalid: row(404, 'Invalid widget type.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof widgetErrors, ErrorRow> {}
}
