import { later, row } from '../../../kernel/errors.ts';

export const siteErrors = {
  rest_feed_not_found: row(404, 'Feed not found.'),
  rest_feed_unavailable: later(502, 30, 'The feed is not available at the moment.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof siteErrors, ErrorRow> {}
}
