import { row } from '../../../kernel/errors.ts';

export const healthErrors = {
  not_available: row(500, 'Directory sizes could not be returned.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof healthErrors, ErrorRow> {}
}
