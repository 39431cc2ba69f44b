import { row } from '../../../kernel/errors.ts';

export const revisionErrors = {
  rest_post_invalid_parent: row(404, 'Invalid post parent ID.'),
  rest_revision_invalid_offset_number: row(
    400,
    'The offset number requested is larger than or equal to the number of available revisions.',
  ),
  rest_revision_invalid_page_number: row(400, 'The page number requested is larger than the number of pages available.'),
  rest_post_no_autosave: row(404, 'There is no autosave revision for this post.'),
  rest_revision_parent_id_mismatch: row(404, 'The revision does not belong to the specified parent.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof revisionErrors, ErrorRow> {}
}
