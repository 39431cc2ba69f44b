import { row } from '../../../kernel/errors.ts';

export const mediaToolErrors = {
  image_field_missing: row(400, 'The form has no file called "image".'),
  key_field_missing: row(400, 'The form has no field called "key".'),
  invalid_mime_type: row(400, 'The field does not take images of this type.'),
  file_too_large: row(413, 'The file is too large.'),
  file_too_small: row(400, 'The file is too small.'),
  failed_to_parse_image: row(400, 'The image cannot be read.'),
  image_too_small: row(400, 'The image has too few pixels.'),
  attachment_not_found: row(404, 'Attachment not found.'),
  crop_failed: row(500, 'The image could not be cropped.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof mediaToolErrors, ErrorRow> {}
}
