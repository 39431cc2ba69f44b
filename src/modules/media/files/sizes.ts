/**
 * Image sizes, and the dimensions of each for an image. Nothing is enlarged.
 * Source: the reference's default set and rules (6.9); conformance scenario media-sizes-and-editing.
 */

import type { BroughtFile } from '../../content/attachments/record.ts';

/** A size of the site. 0 leaves that side free. */
export interface Size {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** Cropped to exactly this shape, centered. */
  readonly crop: boolean;
}

export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

export interface Rendition extends Dimensions {
  readonly name: string;
  /** File name, without a folder. */
  readonly file: string;
  readonly crop: boolean;
  /** A client-side file in place of a derived one. */
  readonly brought?: BroughtFile;
}

/** In the reference's order. */
export const standardSizes: readonly Size[] = [
  { name: 'medium', width: 300, height: 300, crop: false },
  { name: 'large', width: 1024, height: 1024, crop: false },
  { name: 'thumbnail', width: 150, height: 150, crop: true },
  { name: 'medium_large', width: 768, height: 0, crop: false },
  { name: '1536x1536', width: 1536, height: 1536, crop: false },
  { name: '2048x2048', width: 2048, height: 2048, crop: false },
];

/** Larger images are shown scaled down, as `name-scaled.jpg`. */
export const bigImage = 2560;

/** The dimensions of a size for an image; null if it would not be smaller than the image. */
export function shrink(size: Pick<Size, 'width' | 'height' | 'crop'>, picture: Dimensions): Dimensions | null {
  const { width, height } = size.crop ? cropped(size, picture) : constrain(picture, size);
  const isWhole = Math.abs(width - picture.width) <= 1 && Math.abs(height - picture.height) <= 1;
  return isWhole || width <= 0 || height <= 0 ? null : { width, height };
}

/** The dimensions within a box, with the same aspect ratio; 0 is unlimited. */
export function constrain(picture: Dimensions, box: Dimensions): Dimensions {
  if (box.width <= 0 && box.height <= 0) return { width: picture.width, height: picture.height };
  const byWidth = box.width > 0 && picture.width > box.width ? box.width / picture.width : 1;
  const byHeight = box.height > 0 && picture.height > box.height ? box.height / picture.height : 1;
  const [smaller, larger] = byWidth < byHeight ? [byWidth, byHeight] : [byHeight, byWidth];
  const overflows = Math.round(picture.width * larger) > box.width || Math.round(picture.height * larger) > box.height;
  const ratio = overflows ? smaller : larger;
  const width = Math.max(1, Math.round(picture.width * ratio));
  const height = Math.max(1, Math.round(picture.height * ratio));
  // Rounding may leave one spare pixel.
  return {
    width: byWidth < 1 && width === box.width - 1 ? box.width : width,
    height: byHeight < 1 && height === box.height - 1 ? box.height : height,
  };
}

/**
 * Every size of an image, in order.
 * @param base  name without extension
 * @param extension  with its dot
 */
export function renditions(sizes: readonly Size[], picture: Dimensions, base: string, extension: string): readonly Rendition[] {
  return sizes.flatMap((size) => {
    const dimensions = shrink(size, picture);
    if (!dimensions) return [];
    const file = `${base}-${dimensions.width}x${dimensions.height}${extension}`;
    return [{ name: size.name, ...dimensions, file, crop: size.crop }];
  });
}

/** Whether two images have the same aspect ratio, within rounding. */
export function hasSameShape(a: Dimensions, b: Dimensions): boolean {
  const [larger, smaller] = a.width > b.width ? [a, b] : [b, a];
  const expected = constrain(larger, { width: smaller.width, height: 0 });
  return Math.abs(expected.width - smaller.width) <= 1 && Math.abs(expected.height - smaller.height) <= 1;
}

function cropped(size: Pick<Size, 'width' | 'height'>, picture: Dimensions): Dimensions {
  const shape = picture.width / picture.height;
  const width = Math.min(size.width, picture.width) || Math.round(Math.min(size.height, picture.height) * shape);
  const height = Math.min(size.height, picture.height) || Math.round(width / shape);
  return { width, height };
}
