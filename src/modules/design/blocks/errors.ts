import { row } from '../../../kernel/errors.ts';

export const blockErrors = {
  block_cannot_read: row('auth', 'Sorry, you are not allowed to read blocks as this user.'),
  block_invalid: row(404, 'Invalid block.'),
  rest_block_type_cannot_view: row('auth', 'Sorry, you are not allowed to view block types.'),
  rest_block_type_invalid: row(404, 'Invalid block type.'),
};

export const directoryErrors = {
  pattern_api_failed: row(500, 'The pattern directory could not be asked.'),
  plugins_api_failed: row(500, 'The directory could not be asked.'),
  rest_block_directory_cannot_view: row('auth', 'Sorry, you are not allowed to browse the block directory.'),
  rest_pattern_directory_cannot_view: row('auth', 'Sorry, you are not allowed to browse the local block pattern directory.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof blockErrors, ErrorRow>, Record<keyof typeof directoryErrors, ErrorRow> {}
}
