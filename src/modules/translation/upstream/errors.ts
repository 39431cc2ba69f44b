import { row } from '../../../kernel/errors.ts';

export const upstreamErrors = {
  lang_editor_not_configured: row(503, 'The site has no external editor.'),
  lang_tp_not_configured: row(503, 'The site has no translation agency.'),
  lang_upstream_unreachable: row(502, 'The service could not be reached.'),
  lang_upstream_timeout: row(504, 'The service did not answer in time.'),
  lang_upstream_error: row(502, 'The service answered with an error.'),
  lang_destination_denied: row(400, 'This address may not be asked.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof upstreamErrors, ErrorRow> {}
}
