import { row } from '../../../kernel/errors.ts';

export const treeErrors = {
  not_found: row(404, 'No menu was found.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof treeErrors, ErrorRow> {}
}
