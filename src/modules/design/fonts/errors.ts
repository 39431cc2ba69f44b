import { row } from '../../../kernel/errors.ts';

export const fontErrors = {
  rest_duplicate_font_face: row(400, 'A font face matching those settings already exists.'),
  rest_duplicate_font_family: row(400, 'A font family with this slug already exists.'),
  rest_font_collection_not_found: row(404, 'Font collection not found.'),
  rest_font_face_parent_id_mismatch: row(404, 'The font face does not belong to the specified font family.'),
  rest_font_upload_invalid_file_type: row(400, 'Sorry, you are not allowed to upload this file type.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof fontErrors, ErrorRow> {}
}
