import { row } from '../../../kernel/errors.ts';

export const batchErrors = {
  rest_batch_not_allowed: row(400, 'The requested route does not support batch requests.'),
  parse_path_failed: row(400, 'Could not parse the path.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof batchErrors, ErrorRow> {}
}
