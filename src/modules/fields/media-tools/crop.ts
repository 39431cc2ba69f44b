/**
 * Crops an image into a new attachment.
 *
 * Errors   rest_missing_callback_param, attachment_not_found, rest_invalid_param, file_too_large, crop_failed
 * Source   reference on media tools, A.3 and A.5
 */
import { fail } from '../../../kernel/errors.ts';
import { scalarText } from '../../../kernel/model/scalars.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import type { Params } from '../../../kernel/rest/request.ts';
import type { Actor } from '../../../kernel/model/access.ts';
import { canReadPost } from '../../people/accounts/record.ts';
import { originalOf } from '../../../kernel/store/paths.ts';
import { type AttachmentRecord, isAttachment } from '../../content/attachments/record.ts';
import { sizingOf } from '../../media/files/image-sizes.ts';
import { cut, PictureError, upright } from '../../media/files/image.ts';
import { stem } from '../../media/files/names.ts';
import { extensionOf } from '../../media/files/types.ts';
import { type Limits, limitsOf } from './limits.ts';
import { planPicture } from './plan.ts';
import { type Area, type Crop, type CropType, cropTypes } from './record.ts';

interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/** The requested crop. */
interface Wish {
  readonly type: CropType;
  /** Aspect ratio or pixels; null for any shape. */
  readonly ratio: Dimensions | null;
  readonly area: Area;
  readonly field: string;
  readonly tempKey: string;
}

/** Maximum bytes of an original. */
const maxOriginalBytes = 50 * 1024 * 1024;
const maxSide = 16_383;
const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
/** A smaller share is not worth a separate file. */
const negligible = 0.005;

/** @returns id of the crop; of the original if almost nothing is cut off */
export async function crop(call: Call, sender: Actor): Promise<number> {
  const { site, params } = call;
  const media = await originalIn(call, sender);
  const full = site.media.layout(media)?.full ?? fail('attachment_not_found');
  const wish = wishOf(params, full);
  const { area, type } = wish;
  const isWhole = full.height - area.height < full.height * negligible && full.width - area.width < full.width * negligible;
  if (isWhole && type !== 'pixel_size') return media.id;

  const path = originalOf(media.path);
  if ((site.media.fileOf(media)?.size ?? 0) > maxOriginalBytes) fail('file_too_large');
  const part = partOf(area, full, upright(site.media.facts(media)?.picture ?? { ...full, orientation: 1 }));
  const size = sizeOf(wish, part, limitsOf(site, wish.field));
  const { quality } = sizingOf(site.settings);
  const bytes = await site.mediaTools.queue
    .run(() => site.media.readSource(path, (source) => cut(source, part, size, quality)), 'urgent')
    .catch((error: unknown) => {
      if (error instanceof PictureError) return fail('crop_failed', {}, error.message);
      throw error;
    });
  if (bytes === null) fail('attachment_not_found');
  const name = `${stem(path.replace(/^.*\//, ''))}-aspect-ratio-${shapeOf(wish)}.${extensionOf(path)}`;
  const file = { name, mime: media.mime, content: { bytes } };
  const input = { title: '', crop: recordOf(media, wish, site.clock()) };
  return site.write((site) => planPicture(site, call, sender, file, input));
}

/** @throws RestError rest_missing_callback_param, attachment_not_found */
async function originalIn({ site, params }: Call, sender: Actor): Promise<AttachmentRecord> {
  if (params.id === undefined) fail('rest_missing_callback_param', { params: ['id'] }, 'Missing parameter(s): id');
  const media = site.posts.get(Number(params.id));
  if (!isAttachment(media) || !canReadPost(site.access, sender, media)) fail('attachment_not_found');
  await site.media.prepare([media]);
  return media;
}

/** @throws RestError rest_invalid_param */
function wishOf(params: Params, full: Dimensions): Wish {
  const type = cropTypes.find((one) => one === params.cropType) ?? refuse('cropType', `is not one of ${cropTypes.join(', ')}`);
  const [x, y] = [numberIn(params, 'x'), numberIn(params, 'y')];
  const [width, height] = [positiveIn(params, 'width'), positiveIn(params, 'height')];
  // Browsers may round by one pixel.
  if (x < -1 || x + width > full.width + 1) refuse('width', 'lies outside the image');
  if (y < -1 || y + height > full.height + 1) refuse('height', 'lies outside the image');
  const ratio =
    type === 'free_crop'
      ? null
      : { width: positiveIn(params, 'aspectRatioWidth'), height: positiveIn(params, 'aspectRatioHeight') };
  if (type === 'pixel_size' && ratio)
    for (const [side, name] of [[ratio.width, 'aspectRatioWidth'] as const, [ratio.height, 'aspectRatioHeight'] as const])
      if (!Number.isInteger(side) || side > maxSide) refuse(name, `is not a whole number up to ${maxSide}`);
  const tempKey = scalarText(params.temp_post_id ?? '');
  if (tempKey !== '' && !uuid.test(tempKey)) refuse('temp_post_id', 'is not a valid UUID');
  return { type, ratio, area: { x, y, width, height }, field: scalarText(params.key ?? ''), tempKey: tempKey.toLowerCase() };
}

function positiveIn(params: Params, name: string): number {
  const number = numberIn(params, name);
  return number > 0 && number <= 1_000_000 ? number : refuse(name, 'is not positive, or too large');
}

function numberIn(params: Params, name: string): number {
  const value = params[name];
  const number = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : refuse(name, 'is not a number');
}

function refuse(name: string, why: string): never {
  return fail('rest_invalid_param', { params: { [name]: `${name} ${why}.` } }, `Invalid parameter(s): ${name}`);
}

/** The area in pixels of the original, which may be larger than the displayed image; at least one pixel. */
function partOf({ x, y, width, height }: Area, full: Dimensions, original: Dimensions) {
  const [across, down] = [original.width / full.width, original.height / full.height];
  const left = within(Math.floor(x * across), 0, original.width - 1);
  const top = within(Math.floor(y * down), 0, original.height - 1);
  return {
    left,
    top,
    width: within(Math.floor(width * across), 1, original.width - left),
    height: within(Math.floor(height * down), 1, original.height - top),
  };
}

/** The target size; null to keep it. */
function sizeOf({ type, ratio }: Wish, part: Dimensions, { maxWidth, maxHeight }: Limits): Dimensions | null {
  if (type === 'pixel_size') return ratio;
  if (type !== 'aspect_ratio' || maxWidth === undefined || maxHeight === undefined) return null;
  if (part.width <= maxWidth || part.height <= maxHeight) return null;
  return { width: Math.max(1, Math.round(maxWidth)), height: Math.max(1, Math.round(maxHeight)) };
}

/** The shape in a file name. */
function shapeOf({ ratio, area }: Wish): string {
  const { width, height } = ratio ?? { width: Math.floor(area.width), height: Math.floor(area.height) };
  return `${width}-${height}`;
}

function recordOf({ id }: AttachmentRecord, { type, ratio, area, field, tempKey }: Wish, nowMs: number): Crop {
  return {
    original: id,
    type,
    ratio: ratio && [ratio.width, ratio.height],
    coordinates: area,
    field,
    parent: 0,
    tempKey,
    created: tempKey === '' ? 0 : nowMs,
  };
}

function within(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
