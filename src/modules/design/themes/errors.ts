import { row } from '../../../kernel/errors.ts';

export const themeErrors = {
  rest_cannot_manage_templates: row('auth', 'Sorry, you are not allowed to access the templates on this site.'),
  rest_cannot_read_global_styles: row('auth', 'Sorry, you are not allowed to access the global styles on this site.'),
  rest_cannot_view_active_theme: row('auth', 'Sorry, you are not allowed to view the active theme.'),
  rest_cannot_view_themes: row('auth', 'Sorry, you are not allowed to view themes.'),
  rest_custom_css_illegal_markup: row(400, 'Markup is not allowed in CSS.'),
  rest_global_styles_not_found: row(404, 'No global styles config exist with that id.'),
  rest_template_already_trashed: row(410, 'The template has already been deleted.'),
  rest_template_not_found: row(404, 'No templates exist with that id.'),
  rest_theme_not_found: row(404, 'Theme not found.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof themeErrors, ErrorRow> {}
}
