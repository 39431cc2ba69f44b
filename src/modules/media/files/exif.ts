/**
 * Metadata of images: `image_meta` from EXIF (by exif-reader) and IPTC. A broken or hostile block yields nothing, never an error.
 *
 * Source: EXIF 2.32; IPTC-IIM 4.2; the reference's choice of values (6.9).
 */
import readExif from 'exif-reader';
import { decodeEntities } from '../../../render/text.ts';
import { isModest, readDirectories } from './tiff-directories.ts';

/** As in the API: every value is a string, as the reference stores them. */
export interface ImageMeta {
  readonly aperture: string;
  readonly credit: string;
  readonly alt: string;
  readonly camera: string;
  readonly caption: string;
  readonly created_timestamp: string;
  readonly copyright: string;
  readonly focal_length: string;
  readonly iso: string;
  readonly shutter_speed: string;
  readonly title: string;
  readonly orientation: string;
  readonly keywords: readonly string[];
}

export const emptyMeta: ImageMeta = {
  aperture: '0',
  credit: '',
  alt: '',
  camera: '',
  caption: '',
  created_timestamp: '0',
  copyright: '',
  focal_length: '0',
  iso: '0',
  shutter_speed: '0',
  title: '',
  orientation: '0',
  keywords: [],
};

const maxRecords = 512;
const maxText = 64 * 1024;

/**
 * @param exif  block as in the file, with or without `Exif\0\0`
 * @param iptc  Photoshop or bare records
 * @param xmp   an XMP packet
 */
export function readImageMeta(exif?: Uint8Array, iptc?: Uint8Array, xmp?: Uint8Array): ImageMeta {
  const tags: Tags = exif ? readTags(exif) : {};
  const records = iptc ? readIptc(iptc) : new Map<number, string[]>();
  const record = (id: number): string => clean(records.get(id)?.[0] ?? '');
  let title = record(105) || record(5);
  let caption = record(120);
  if (title === '' && caption !== '' && caption.length < 80) title = caption;
  const description = text(tags.ImageDescription);
  if (title === '' && description.length < 80) title = description;
  caption ||= comment(tags.UserComment) || description;
  return {
    aperture: print(tags.FNumber, 2),
    credit: record(110) || record(80) || text(tags.Artist),
    alt: xmp ? alternativeText(xmp) : '',
    camera: text(tags.Model),
    caption,
    created_timestamp: String(timestamp(tags.DateTimeDigitized) ?? iptcTimestamp(record(55), record(60)) ?? 0),
    copyright: record(116) || text(tags.Copyright),
    focal_length: print(tags.FocalLength),
    iso: print(tags.ISOSpeedRatings),
    shutter_speed: print(tags.ExposureTime),
    title,
    orientation: print(tags.Orientation),
    keywords: (records.get(25) ?? []).map(clean).filter((word) => word !== ''),
  };
}

/** The alternative text in the default language, else the first. (IPTC Photo Metadata 2021, `AltTextAccessibility`.) */
function alternativeText(xmp: Uint8Array): string {
  const packet = decode(xmp.subarray(0, maxText));
  const [, all = ''] = packet.split('Iptc4xmpCore:AltTextAccessibility>', 2);
  const texts = [...all.matchAll(/<rdf:li([^<>]*)>([^<>]*)</g)];
  const [, , found = ''] = texts.find(([, language = '']) => language.includes('x-default')) ?? texts[0] ?? [];
  return clean(decodeEntities(found));
}

type Tags = Readonly<Record<string, unknown>>;

/** Entries of the main and the Exif directory. */
function readTags(exif: Uint8Array): Tags {
  const tiff = Buffer.from(tiffOf(exif));
  const [main] = readDirectories(tiff);
  if (!main) return {};
  // Skips the thumbnail's directory, which editors often leave broken.
  tiff.subarray(main.end, main.end + 4).fill(0);
  if (!isModest(readDirectories(tiff))) return {};
  try {
    const { Image, Photo } = readExif(tiff);
    return { ...Photo, ...Image };
  } catch {
    return {};
  }
}

/** The block without the marker that some formats put before it. */
export function tiffOf(exif: Uint8Array): Uint8Array {
  return latin(exif, 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif;
}

/** Data set → values, of record 2. */
function readIptc(bytes: Uint8Array): Map<number, string[]> {
  const records = new Map<number, string[]>();
  for (let at = 0, count = 0; at + 5 <= bytes.length && count < maxRecords; ) {
    if (bytes[at] !== 0x1c || bytes[at + 1] !== 2) {
      at++;
      continue;
    }
    const id = bytes[at + 2] as number;
    const length = ((bytes[at + 3] as number) << 8) | (bytes[at + 4] as number);
    if (length > 0x7fff || at + 5 + length > bytes.length) break;
    const values = records.get(id) ?? [];
    values.push(decode(bytes.subarray(at + 5, at + 5 + length)));
    records.set(id, values);
    at += 5 + length;
    count++;
  }
  return records;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}

/** ASCII is a string, other values are bytes. */
function text(value: unknown): string {
  if (Buffer.isBuffer(value)) return value.length > maxText ? '' : clean(decode(value));
  return typeof value === 'string' && value.length <= maxText ? clean(value) : '';
}

/** UserComment starts with eight bytes for its character set. */
function comment(value: unknown): string {
  return Buffer.isBuffer(value) && latin(value, 0, 8) === 'ASCII\0\0\0' ? text(value.subarray(8)) : '';
}

function clean(value: string): string {
  return value
    .replace(/\0[\s\S]*$/, '')
    .replace(/[\u0001-\u0008\u000b\u000c\u000e-\u001f]/g, '')
    .trim();
}

/** The number, or the first of several. */
function print(value: unknown, digits?: number): string {
  const number: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return '0';
  return String(digits === undefined ? Number(number.toPrecision(14)) : Number(number.toFixed(digits)));
}

/** Seconds since the epoch, read as GMT. Cameras without a clock write zeros, which are read as 1899. */
function timestamp(value: unknown): number | null {
  return value instanceof Date && value.getUTCFullYear() > 1900 ? value.getTime() / 1000 : null;
}

function iptcTimestamp(date: string, time: string): number | null {
  const day = /^(\d{4})(\d\d)(\d\d)$/.exec(date);
  const clock = /^(\d\d)(\d\d)(\d\d)/.exec(time);
  return day && clock ? timestamp(new Date(`${day.slice(1).join('-')}T${clock.slice(1).join(':')}Z`)) : null;
}

function latin(bytes: Uint8Array, offset: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + length));
}
