/**
 * Client-side image sizes: each file is uploaded separately (`sideload`) without an effect; then all are registered at once (`finalize`). Browsers
 * allow this only on secure origins.
 *
 * Errors   rest_invalid_param, rest_post_invalid_id, rest_upload_invalid_image, rest_upload_dimension_mismatch, rest_invalid_sub_size_file, those of
 * uploads
 * Source   conformance recordings of version 7.1: media-sideload
 */
import type { BroughtFile, ClientSizes } from '../../content/attachments/record.ts';
import { stat } from 'node:fs/promises';
import { fail } from '../../../kernel/errors.ts';
import { of } from '../../../kernel/model/schema.ts';
import { type Args, bySchema } from '../../../kernel/rest/args.ts';
import type { RestRequest } from '../../../kernel/rest/request.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import { type Invalid, invalid } from '../../../kernel/rest/validate.ts';
import type { Site, WritePlan } from '../../../kernel/site/site.ts';
import { originalOf } from '../../../kernel/store/paths.ts';
import { type AttachmentRecord, isAttachment, uploadPath } from '../../content/attachments/record.ts';
import { besideSizes, broughtPath, broughtUpload, maxBrought } from '../files/client-sizes.ts';
import { registeredSizes, sizingOf } from '../files/image-sizes.ts';
import { readPicture, upright } from '../files/image.ts';
import { uniqueName } from '../files/names.ts';
import { bigImage, type Dimensions } from '../files/sizes.ts';
import { pictures } from '../files/types.ts';
import { writeAttachment } from './file.ts';
import { receivedFile } from './uploads.ts';

/** The attachment whose sidecar has the client-side sizes: any of those that share the file, else the attachment itself. */
function holderOf(site: Pick<Site, 'posts'>, media: AttachmentRecord): AttachmentRecord {
  if (media.clientSizes.files.length > 0) return media;
  for (const id of site.posts.with('place', originalOf(media.path))) {
    const other = site.posts.get(id);
    if (isAttachment(other) && other.clientSizes.files.length > 0) return other;
  }
  return media;
}

/** Replacements of the image itself. */
const whole = ['scaled', 'original'];
/** Tolerance for rounding. */
const grace = 1;

/** Whether a request comes from a secure context. */
export function isSecureContext({ usedOrigin = '' }: Pick<RestRequest, 'usedOrigin'>): boolean {
  return /^(?:https:\/\/|http:\/\/(?:[^/]+\.)?localhost(?::\d+)?$)/i.test(usedOrigin);
}

export function sideloadArgs(site: Site): Args {
  return {
    image_size: {
      description: 'Name of the size that the file is for, or several names.',
      type: ['string', 'array'],
      items: { type: 'string', minLength: 1 },
      minItems: 1,
      minLength: 1,
      required: true,
      validate: (value, request, param, arg) => bySchema(value, request, param, arg) ?? unknownSize(site, value, param),
    },
    convert_format: {
      ...of('boolean', 'Taken from clients that send it; what they bring keeps its format.', { default: true }),
      validate: bySchema,
    },
  };
}

export function finalizeArgs(site: Site): Args {
  return {
    sub_sizes: {
      description: 'Files that were brought, and the sizes they are for.',
      type: 'array',
      default: [],
      maxItems: 100,
      items: of('object', 'A file that was brought.', {
        properties: {
          image_size: {
            description: 'The size, or several.',
            type: ['string', 'array'],
            items: { type: 'string' },
            required: true,
          },
          width: { type: 'integer', minimum: 1 },
          height: { type: 'integer', minimum: 1 },
          file: { type: 'string' },
          mime_type: { type: 'string', pattern: '^image/' },
          filesize: { type: 'integer', minimum: 1 },
          original_image: { type: 'string' },
        },
      }),
      validate(value, request, param, arg) {
        const wrong = bySchema(value, request, param, arg);
        if (wrong || !Array.isArray(value)) return wrong;
        return value.reduce<Invalid | null>((found, one) => found ?? unknownSize(site, one.image_size, param), null);
      },
    },
  };
}

/** Stores the file of a request for an image. @returns its description, for `finalize` */
export async function sideload(call: Call, find: () => AttachmentRecord): Promise<Record<string, unknown>> {
  const { site, params } = call;
  if (site.store.readOnly) fail('rest_read_only');
  await site.media.prepare([find()]);
  const { picture } = site.media.facts(find()) ?? {};
  if (!picture) return fail('rest_post_invalid_id', { status: 400 });
  const wanted = params.image_size as string | readonly string[];
  const names = typeof wanted === 'string' ? [wanted] : wanted;
  const received = await receivedFile(call);
  // A film that stands for an animation has its measures.
  const isFilm = names[0] === 'animated_video';
  const isKind = isFilm ? received.mime.startsWith('video/') : pictures.has(received.mime);
  if (!('fromFile' in received.content) || !isKind) return fail('rest_upload_invalid_image');
  const { fromFile } = received.content;
  const measures = isFilm ? picture : upright(await readPicture(fromFile));
  for (const name of names) if (!fits(site, name, measures, picture)) fail('rest_upload_dimension_mismatch');
  const { size: filesize } = await stat(fromFile);
  const isWhole = whole.includes(names[0] as string);
  const { file, former } = await site.write<{ file: BroughtFile; former: string }>((site) => {
    const before = holderOf(site, find());
    const { clientSizes: own } = before;
    if (own.files.length >= maxBrought) fail('rest_invalid_param', {}, `A picture has at most ${maxBrought} files.`);
    const folder = originalOf(before.path).replace(/\/[^/]*$/, '');
    const file: BroughtFile = {
      file: uniqueName(received.name, site.media.namesIn(folder)),
      width: measures.width,
      height: measures.height,
      filesize,
      mime: received.mime,
    };
    const after: ClientSizes = {
      ...own,
      files: [...own.files, file],
      ...(isWhole ? { attached: file.file, scaled: false } : {}),
    };
    const change = { path: broughtPath(uploadPath(before), file.file), expect: null, fromFile };
    return {
      changes: [change, writeAttachment(site, { ...before, clientSizes: after }, before)],
      result: { file, former: own.attached || uploadPath(before).replace(/^.*\//, '') },
    };
  });
  const { width, height, mime } = file;
  if (!isWhole) return { image_size: wanted, width, height, file: file.file, mime_type: mime, filesize };
  return {
    image_size: wanted,
    original_image: former,
    width,
    height,
    filesize,
    file: broughtUpload(uploadPath(find()), file.file),
  };
}

/** Plans that uploaded files become the sizes of an image. The description is that of the upload, whatever the request says now. */
export function planFinalize(
  site: Site,
  media: AttachmentRecord,
  rows: readonly Readonly<Record<string, unknown>>[],
): WritePlan<number> {
  const before = holderOf(site, media);
  const { clientSizes: own } = before;
  const sizes: Record<string, string> = Object.assign(Object.create(null), own.sizes);
  let { scaled } = own;
  for (const { image_size: wanted, file: name } of rows) {
    // The name from `sideload`, with or without its folder.
    const file = own.files.find((one) => name === one.file || name === broughtUpload(uploadPath(before), one.file));
    if (!file) return fail('rest_invalid_sub_size_file');
    for (const size of (Array.isArray(wanted) ? wanted : [wanted]) as string[]) {
      if (size === 'full') continue;
      if (!whole.includes(size)) sizes[size] = file.file;
      else if (file.file !== own.attached) return fail('rest_invalid_sub_size_file');
      else scaled = true;
    }
  }
  const after = { ...before, clientSizes: { ...own, sizes, scaled } };
  return { changes: rows.length === 0 ? [] : [writeAttachment(site, after, before)], result: media.id };
}

/** With several names, all are sizes of the site; a single one may replace the image itself. */
function unknownSize(site: Site, value: unknown, param: string): Invalid | null {
  const sizes = registeredSizes(sizingOf(site.settings)).map(({ name }) => name);
  const known = Array.isArray(value) ? sizes : [...sizes, ...whole, ...besideSizes];
  const wanted: readonly unknown[] = Array.isArray(value) ? value : [value];
  return wanted.every((name) => known.includes(name as string))
    ? null
    : invalid('rest_not_in_enum', `${param} is not one of ${known.join(', ')}.`);
}

function fits(site: Site, name: string, { width, height }: Dimensions, picture: Dimensions): boolean {
  if (besideSizes.includes(name)) return true;
  if (name === 'original') {
    const sides = [picture.width, picture.height];
    return sides.includes(width) && sides.includes(height) && width * height === picture.width * picture.height;
  }
  const size = sizingOf(site.settings).sizes.find((one) => one.name === name) ?? { width: bigImage, height: bigImage };
  const isWithin = (side: number, most: number): boolean => most === 0 || side <= most + grace;
  return isWithin(width, size.width) && isWithin(height, size.height);
}
