import { row } from '../../../kernel/errors.ts';

export const mediaErrors = {
  rest_invalid_featured_media: row(400, 'Invalid featured media ID.'),
  rest_invalid_url: row(400, 'A URL is not valid.'),
  rest_cannot_edit_file_type: row(400, 'Files of this type cannot be edited.'),
  rest_cannot_edit_image: row('auth', 'Sorry, you are not allowed to upload media, so you may not edit pictures.'),
  rest_image_crop_failed: row(500, 'The picture could not be cropped.'),
  rest_image_flip_failed: row(500, 'The picture could not be flipped.'),
  rest_image_not_edited: row(400, 'The picture was not edited: tell what is to be done to it.'),
  rest_image_rotation_failed: row(500, 'The picture could not be turned.'),
  rest_no_featured_media: row(400, 'Files of this kind have no picture that stands for them.'),
  rest_unknown_attachment: row(404, 'The address does not name a file of this attachment.'),
  rest_upload_hash_mismatch: row(412, 'The content does not have the MD5 checksum sent with it.'),
  rest_upload_image_type_not_supported: row(
    400,
    'No sizes can be made of this kind of picture. Convert it to JPEG or PNG first.',
  ),
  rest_upload_image_unreadable: row(400, 'The picture cannot be read.'),
  rest_upload_invalid_disposition: row(400, 'Content-Disposition must name the file: attachment; filename="picture.png".'),
  rest_upload_no_content_disposition: row(400, 'A Content-Disposition header has to name the file.'),
  rest_upload_no_data: row(400, 'No data was sent.'),
  rest_upload_sideload_error: row(500, 'Sorry, you are not allowed to upload this file type.'),
  rest_upload_unknown_error: row(500, 'Sorry, you are not allowed to upload this file type.'),
  http_request_failed: row(500, 'The file at this address could not be fetched.'),
  rest_invalid_sub_size_file: row(400, 'No such file was brought for this picture.'),
  rest_upload_dimension_mismatch: row(400, 'The picture does not have the measures of this size.'),
  rest_upload_invalid_image: row(400, 'The file is not a picture.'),
};

declare module '../../../kernel/errors.ts' {
  interface ModuleErrors extends Record<keyof typeof mediaErrors, ErrorRow> {}
}
