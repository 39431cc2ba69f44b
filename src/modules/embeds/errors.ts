import { row } from '../../kernel/errors.ts';

export const oembedErrors = {
  oembed_invalid_url: row(404, 'Not Found'),
};

declare module '../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof oembedErrors, ErrorRow> {}
}
