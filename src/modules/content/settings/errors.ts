import { row } from '../../../kernel/errors.ts';

export const settingErrors = {
  rest_invalid_stored_value: row(500, 'The stored value is not valid and cannot be reset to null.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof settingErrors, ErrorRow> {}
}
