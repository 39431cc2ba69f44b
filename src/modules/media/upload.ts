/**
 * The file of an upload: the raw body with its headers, or the part `file` of a form.
 *
 * Errors   rest_upload_no_data, _no_content_disposition, _invalid_disposition, _hash_mismatch, _sideload_error (raw), _unknown_error
 *          (form), _image_type_not_supported, _image_unreadable
 * Source   observed behaviour of the reference; conformance scenario media-library
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { NewFile } from './plan.ts';
import { fileNameOfDisposition, stem } from '../../media-files/names.ts';
import { pictures } from '../../media-files/types.ts';
import { acceptFile, UploadRefusal } from './uploads.ts';
import type { Site } from '../../kernel/site/site.ts';
import { type ErrorCode, fail } from '../../kernel/errors.ts';
import type { Call } from '../../kernel/rest/types.ts';

/** The file of a request, checked and ready to be planned as an attachment. @throws RestError */
export async function receivedFile({ site, request }: Call): Promise<NewFile> {
  const { headers, files = [], upload, raw } = request;
  if (files.length > 0) {
    const part = files.find(({ name }) => name === 'file');
    if (!part) fail('rest_upload_unknown_error', {}, 'The file has to be the part of the form called "file".');
    const isPicture = part.type.startsWith('image/') && part.type !== 'image/svg+xml';
    if (isPicture && !pictures.has(part.type)) fail('rest_upload_image_type_not_supported');
    await matchHash(headers['content-md5'], part.file);
    const file = await accept(site, part.file, part.filename, 'rest_upload_unknown_error');
    // A form's file is called what it was called before its name was cleaned and made unique, as in the reference; a raw body is not.
    return { ...file, title: file.title ?? stem(part.filename.replace(/^.*[/\\]/s, '')) };
  }
  if (!upload && (raw?.length ?? 0) === 0) fail('rest_upload_no_data');
  const disposition = headers['content-disposition'];
  if (!disposition) fail('rest_upload_no_content_disposition');
  const name = fileNameOfDisposition(disposition);
  if (name === null) fail('rest_upload_invalid_disposition');
  // JSON is read as parameters; it is no kind of media.
  if (!upload) fail('rest_upload_sideload_error');
  await matchHash(headers['content-md5'], upload.file);
  return accept(site, upload.file, name, 'rest_upload_sideload_error');
}

/** The sum in hexadecimal as the reference has it, or in base64 as RFC 1864 does. */
async function matchHash(expected: string | undefined, path: string): Promise<void> {
  if (!expected) return;
  const hash = createHash('md5');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  const digest = hash.digest();
  if (![digest.toString('hex'), digest.toString('base64')].includes(expected.trim())) fail('rest_upload_hash_mismatch');
}

async function accept(site: Site, file: string, name: string, code: ErrorCode): Promise<NewFile> {
  const rules = {
    allowSvg: site.operator.allow_svg,
    stripLocation: site.settings.value('strip_location') === true,
  };
  try {
    return await acceptFile(file, name, rules);
  } catch (error) {
    if (!(error instanceof UploadRefusal)) throw error;
    return fail(error.kind === 'type' ? code : 'rest_upload_image_unreadable', {}, error.message);
  }
}
