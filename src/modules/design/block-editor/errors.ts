import { row } from '../../../kernel/errors.ts';

export const blockEditorErrors = {
  no_content: row(404, 'Unable to retrieve the body of the response at this URL.'),
  no_fallback_menu: row(404, 'No fallback menu found.'),
  no_response: row(404, 'URL not found. Response returned a non-200 status code for this URL.'),
  rest_cannot_export_templates: row('auth', 'Sorry, you are not allowed to export templates and template parts.'),
  rest_cannot_view_url_details: row('auth', 'Sorry, you are not allowed to process remote URLs.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof blockEditorErrors, ErrorRow> {}
}
