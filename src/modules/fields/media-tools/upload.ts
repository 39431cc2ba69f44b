/**
 * An image for a field: the part `image` of a form, within the limits of the field `key`.
 *
 * Errors   image_field_missing, key_field_missing, invalid_mime_type, file_too_large, file_too_small, failed_to_parse_image, image_too_small; in this
 * order
 */
import { open } from 'node:fs/promises';
import { fail } from '../../../kernel/errors.ts';
import { scalarText } from '../../../kernel/model/scalars.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import type { Upload } from '../../../kernel/rest/request.ts';
import type { Actor } from '../../../kernel/model/access.ts';
import { acceptFile, UploadRefusal } from '../../media/library/index.ts';
import { PictureError, readPicture, upright } from '../../media/files/image.ts';
import { stem } from '../../media/files/names.ts';
import { headBytes, sniff } from '../../media/files/types.ts';
import { type Limits, limitsOf } from './limits.ts';
import { planPicture } from './plan.ts';

/** @returns id of the new attachment */
export async function upload(call: Call, sender: Actor): Promise<number> {
  const { site, request, params } = call;
  const image = request.files?.find(({ name }) => name === 'image') ?? fail('image_field_missing');
  const key = scalarText(params.key ?? '');
  if (key === '') fail('key_field_missing');
  await check(image, limitsOf(site, key));
  const rules = { allowSvg: false, stripLocation: site.settings.value('strip_location') === true };
  const file = await acceptFile(image.file, image.filename, rules).catch((error: unknown) => {
    if (!(error instanceof UploadRefusal)) throw error;
    return fail(error.kind === 'type' ? 'invalid_mime_type' : 'failed_to_parse_image', {}, error.message);
  });
  const title = stem(image.filename.replace(/^.*[/\\]/s, ''));
  return site.write((site) => planPicture(site, call, sender, file, { title }));
}

/** @throws RestError */
async function check({ file, size }: Upload, limits: Limits): Promise<void> {
  const { types, minBytes = 0, maxBytes = Number.POSITIVE_INFINITY, minWidth, minHeight } = limits;
  if (!types.has(sniff(await headOf(file)) ?? '')) fail('invalid_mime_type');
  if (size > maxBytes) fail('file_too_large');
  if (size < minBytes) fail('file_too_small');
  const { width, height } = await readPicture(file).then(upright, (error: unknown) => {
    if (error instanceof PictureError) return fail('failed_to_parse_image', {}, error.message);
    throw error;
  });
  // Either alone bounds nothing (observed).
  if (minWidth && minHeight && (width < minWidth || height < minHeight)) fail('image_too_small');
}

async function headOf(file: string): Promise<Uint8Array> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
