/**
 * The only place that decodes and encodes images, with sharp.
 *
 * Every file is hostile until decoded: pixels and time are limited before allocation, only the first frame of an animation is read, and only the five
 * web formats are accepted.
 */
import { table } from '../../../kernel/model/maps.ts';
import type { Metadata, Sharp, SharpOptions } from 'sharp';
import type sharpModule from 'sharp';
import { type ImageMeta, readImageMeta } from './exif.ts';
import type { Dimensions } from './sizes.ts';

/** A path on disk, or bytes if the engine has no files. */
export type ImageSource = string | Uint8Array;

export type Format = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif';

export interface Picture {
  readonly format: Format;
  /** As stored. */
  readonly width: number;
  readonly height: number;
  /** EXIF, 1 to 8; 1 is upright. */
  readonly orientation: number;
  readonly frames: number;
  readonly meta: ImageMeta;
}

export type Modifier =
  | { readonly type: 'flip'; readonly horizontal: boolean; readonly vertical: boolean }
  /** Degrees, clockwise. */
  | { readonly type: 'rotate'; readonly angle: number }
  /** Percent of the current image. */
  | { readonly type: 'crop'; readonly left: number; readonly top: number; readonly width: number; readonly height: number };

/** A requested derived image. */
interface Wanted extends Dimensions {
  readonly file: string;
  readonly crop: boolean;
}

/** An unreadable image: broken, too large, or of another type. The message is for users. */
export class PictureError extends Error {}

/** 100 megapixels: more than cameras have, 300 MB when decoded. */
const maxPixels = 100_000_000;
const timeoutSeconds = 30;
const formats: Readonly<Record<string, Format>> = table({
  jpeg: 'jpeg',
  png: 'png',
  gif: 'gif',
  webp: 'webp',
  heif: 'avif',
  avif: 'avif',
});
/** Default quality by format; 0: lossless. */
export const qualities: Readonly<Record<Format, number>> = table({ jpeg: 82, webp: 86, avif: 50, png: 0, gif: 0 });

let loaded: Promise<typeof sharpModule> | undefined;

/** Loaded with the first image, so that other commands start faster. */
function load(): Promise<typeof sharpModule> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    // Two images at a time (see queue.ts) with one thread each leave a processor to the event loop.
    sharp.concurrency(1);
    sharp.cache({ memory: 32, files: 0, items: 50 });
    return sharp;
  });
  return loaded;
}

/** Formats that can be encoded here, tested with one pixel each. @throws if there is no image library */
export async function availableFormats(): Promise<readonly Format[]> {
  const sharp = await load();
  const made: readonly Format[] = ['jpeg', 'png', 'gif', 'webp', 'avif'];
  const pixel = { create: { width: 1, height: 1, channels: 3, background: '#000' } } as const;
  const results = await Promise.all(
    made.map((format) =>
      sharp(pixel)
        .toFormat(format)
        .toBuffer()
        .then(
          () => [format],
          () => [],
        ),
    ),
  );
  return results.flat();
}

async function open(source: ImageSource, options: SharpOptions = {}): Promise<Sharp> {
  const sharp = await load();
  return sharp(source, { limitInputPixels: maxPixels, failOn: 'error', pages: 1, sequentialRead: true, ...options }).timeout({
    seconds: timeoutSeconds,
  });
}

/**
 * The header of an image. Reads no pixels.
 * @throws PictureError
 */
export async function readPicture(source: ImageSource): Promise<Picture> {
  const found = await guarded(async () => (await open(source, { limitInputPixels: false })).metadata());
  const format = formats[found.format ?? ''];
  if (!format || (found.format === 'heif' && found.compression !== 'av1'))
    throw new PictureError('It is no picture of a known kind.');
  const { width = 0, height = 0 } = found;
  const pageHeight = found.pageHeight ?? height;
  if (width < 1 || pageHeight < 1) throw new PictureError('The picture has no size.');
  if (width * pageHeight > maxPixels) {
    throw new PictureError(
      `The picture has ${width} × ${pageHeight} pixels; at most ${maxPixels / 1_000_000} megapixels are read.`,
    );
  }
  const orientation = found.orientation !== undefined && found.orientation >= 1 && found.orientation <= 8 ? found.orientation : 1;
  return {
    format,
    width,
    height: pageHeight,
    orientation,
    frames: framesOf(found),
    meta: readImageMeta(found.exif, found.iptc, found.xmp),
  };
}

/** Decodes the whole image once, as small as its format allows. @throws PictureError when it is broken */
export async function verifyPicture(source: ImageSource): Promise<void> {
  await guarded(async () => (await open(source)).resize(64, 64, { fit: 'inside' }).raw().toBuffer());
}

/** Dimensions of the upright image. */
export function upright({ width, height, orientation }: Pick<Picture, 'width' | 'height' | 'orientation'>): Dimensions {
  return orientation > 4 ? { width: height, height: width } : { width, height };
}

/**
 * Makes upright sizes of an image, with its color profile and no other metadata. The image is decoded once, no larger than the largest size; the
 * others are made from that.
 * @param done  receives each size when it is ready
 * @throws PictureError
 */
export async function makeSizes(
  source: ImageSource,
  wanted: readonly Wanted[],
  output: Output,
  done: (file: string, bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  if (wanted.length === 0) return;
  const picture = await readPicture(source);
  const base = wanted.length === 1 ? null : await guarded(() => reduce(source, picture, wanted));
  for (const one of wanted) {
    const bytes = await guarded(async () => {
      const start = base === null ? (await open(source)).autoOrient() : await open(base);
      const fit = one.crop ? 'cover' : 'fill';
      return encode(start.resize(one.width, one.height, { fit }), output).toBuffer();
    });
    await done(one.file, bytes);
  }
}

/**
 * Applies modifiers in order to the upright image.
 * @returns  the bytes of the new image, in the same format
 * @throws PictureError
 */
export async function edit(source: ImageSource, modifiers: readonly Modifier[]): Promise<Uint8Array> {
  const { format, orientation } = await readPicture(source);
  return guarded(async () => {
    let current = orientation === 1 ? source : await lossless((await open(source)).autoOrient());
    for (const modifier of modifiers) current = await lossless(await apply(current, modifier));
    return encode(await open(current), { format }).toBuffer();
  });
}

/**
 * Crops the upright image, and scales it to a size if given, filled and centered.
 * @param part  pixels within the upright image
 * @returns  the bytes of the new image, in the same format
 * @throws PictureError
 */
export async function cut(
  source: ImageSource,
  part: Dimensions & { readonly left: number; readonly top: number },
  size: Dimensions | null,
  quality?: number,
): Promise<Uint8Array> {
  const { format, orientation } = await readPicture(source);
  return guarded(async () => {
    const current = orientation === 1 ? source : await lossless((await open(source)).autoOrient());
    const kept = (await open(current)).extract(part);
    return encode(size ? kept.resize(size.width, size.height, { fit: 'cover' }) : kept, { format, quality }).toBuffer();
  });
}

/** How an image fits a box: scaled to fit, cropped to fill, or with a margin. */
export type Fit = 'inside' | 'cover' | 'contain';

/**
 * The upright image in a box, never enlarged, with its color profile and no other metadata. 0: derived from the other side; two zeros keep the size.
 * @throws PictureError
 */
export async function fitInto(source: ImageSource, { width, height }: Dimensions, fit: Fit, output: Output): Promise<Uint8Array> {
  await readPicture(source);
  return guarded(async () => {
    const whole = (await open(source)).autoOrient();
    const box = { ...(width > 0 ? { width } : {}), ...(height > 0 ? { height } : {}) };
    const margin = { background: { r: 255, g: 255, b: 255, alpha: 0 }, withoutEnlargement: true };
    return encode(width + height > 0 ? whole.resize({ ...box, fit, ...margin }) : whole, output).toBuffer();
  });
}

interface Output {
  readonly format: Format;
  /** 1 to 100; default: that of the format. */
  readonly quality?: number | undefined;
}

/** The image just large enough for every size, lossless. */
async function reduce(source: ImageSource, picture: Picture, wanted: readonly Wanted[]): Promise<Uint8Array> {
  const { width, height } = upright(picture);
  const scale = Math.min(1, Math.max(...wanted.map((one) => Math.max(one.width / width, one.height / height))));
  const start = (await open(source)).autoOrient();
  return lossless(start.resize(Math.ceil(width * scale), Math.ceil(height * scale), { fit: 'fill' }));
}

async function apply(source: ImageSource, modifier: Modifier): Promise<Sharp> {
  const picture = await open(source);
  if (modifier.type === 'flip') return picture.flop(modifier.horizontal).flip(modifier.vertical);
  if (modifier.type === 'rotate') {
    return modifier.angle % 360 === 0
      ? picture
      : picture.rotate(modifier.angle % 360, { background: { r: 0, g: 0, b: 0, alpha: 0 } });
  }
  const { width = 0, height = 0 } = await picture.metadata();
  const box = cropBox(modifier, { width, height });
  if (box.width === width && box.height === height) return picture;
  return picture.extract(box);
}

/** The pixels that a crop keeps; within the image, at least one. @throws PictureError if it is outside */
function cropBox(crop: Modifier & { type: 'crop' }, { width, height }: Dimensions) {
  const left = Math.round((width * crop.left) / 100);
  const top = Math.round((height * crop.top) / 100);
  const box = { left, top, width: Math.round((width * crop.width) / 100), height: Math.round((height * crop.height) / 100) };
  if (left < 0 || top < 0 || left >= width || top >= height || box.width < 1 || box.height < 1) {
    throw new PictureError('The part to keep lies outside the picture.');
  }
  return { left, top, width: Math.min(box.width, width - left), height: Math.min(box.height, height - top) };
}

/** Between two steps: lossless, with the color profile. */
function lossless(picture: Sharp): Promise<Buffer> {
  return picture.keepIccProfile().tiff({ compression: 'none' }).toBuffer();
}

function encode(picture: Sharp, { format, quality = qualities[format] }: Output): Sharp {
  const kept = picture.keepIccProfile();
  switch (format) {
    case 'jpeg':
      return kept.flatten({ background: '#ffffff' }).jpeg({ quality });
    case 'png':
      return kept.png({ compressionLevel: 7 });
    case 'gif':
      return kept.gif({ effort: 3 });
    case 'webp':
      return kept.webp({ quality });
    case 'avif':
      return kept.avif({ quality, effort: 3 });
  }
}

function framesOf({ pages = 1 }: Metadata): number {
  return pages;
}

/** Messages of libvips are not for users. */
async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PictureError) throw error;
    const reason = (error as Error).message.split('\n')[0]?.slice(0, 120) ?? '';
    throw new PictureError(`The picture cannot be read: ${reason}`, { cause: error });
  }
}
