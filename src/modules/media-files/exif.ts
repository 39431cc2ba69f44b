/**
 * What a camera or an editor wrote into a picture: a small reader of EXIF (TIFF directories) and IPTC, and the `image_meta`
 * the interface makes of it. Broken or hostile blocks give what could be read, never an error.
 *
 * Source: EXIF 2.32; IPTC-IIM 4.2; the reference's choice of values (6.9).
 */

/** As the interface prints it: every value a text, as the reference stores them. */
export interface ImageMeta {
  readonly aperture: string;
  readonly credit: string;
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

type Value = string | readonly number[];

/** Tag → value, of the main and the Exif directory. */
type Tags = ReadonlyMap<number, Value>;

const TAG = {
  description: 0x10e,
  model: 0x110,
  artist: 0x13b,
  orientation: 0x112,
  copyright: 0x8298,
  exif: 0x8769,
  gps: 0x8825,
  exposure: 0x829a,
  fNumber: 0x829d,
  iso: 0x8827,
  digitized: 0x9004,
  focalLength: 0x920a,
  comment: 0x9286,
} as const;

const maxEntries = 512;
const maxText = 64 * 1024;

/** @param exif  block as in the file, with or without `Exif\0\0`; @param iptc  Photoshop or bare records */
export function readImageMeta(exif: Uint8Array | undefined, iptc: Uint8Array | undefined): ImageMeta {
  const tags = exif ? readTags(exif) : new Map<number, Value>();
  const records = iptc ? readIptc(iptc) : new Map<number, string[]>();
  const record = (id: number): string => clean(records.get(id)?.[0] ?? '');
  let title = record(105) || record(5);
  let caption = record(120);
  if (title === '' && caption !== '' && caption.length < 80) title = caption;
  const description = text(tags.get(TAG.description));
  if (description !== '') {
    if (title === '' && description.length < 80) title = description;
    caption ||= comment(tags.get(TAG.comment)) || description;
  } else caption ||= comment(tags.get(TAG.comment));
  return {
    aperture: print(rational(tags.get(TAG.fNumber)), 2),
    credit: record(110) || record(80) || text(tags.get(TAG.artist)),
    camera: text(tags.get(TAG.model)),
    caption,
    created_timestamp: String(timestamp(text(tags.get(TAG.digitized))) ?? iptcTimestamp(record(55), record(60)) ?? 0),
    copyright: record(116) || text(tags.get(TAG.copyright)),
    focal_length: print(rational(tags.get(TAG.focalLength))),
    iso: String(numbers(tags.get(TAG.iso))[0] ?? 0),
    shutter_speed: print(rational(tags.get(TAG.exposure))),
    title,
    orientation: String(numbers(tags.get(TAG.orientation))[0] ?? 0),
    keywords: (records.get(25) ?? []).map(clean).filter((word) => word !== ''),
  };
}

/** Where a block keeps its position: byte ranges to blank so that nobody learns where the picture was taken. */
export function locationRanges(exif: Uint8Array): readonly { readonly start: number; readonly end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  walk(exif, (tag, _type, entry, view, base) => {
    if (tag !== TAG.gps) return;
    const directory = base + view.u32(entry + 8);
    const count = Math.min(view.u16(directory), maxEntries);
    for (let at = 0; at < count; at++) {
      const place = directory + 2 + at * 12;
      const size = (sizes[view.u16(place + 2)] ?? 1) * view.u32(place + 4);
      if (size > 4 && size < maxText) ranges.push({ start: base + view.u32(place + 8), end: base + view.u32(place + 8) + size });
    }
    // The count of entries goes with them: an empty directory is a valid one.
    ranges.push({ start: directory, end: directory + 2 + count * 12 });
  });
  return ranges.filter(({ start, end }) => start >= 0 && start < end && end <= exif.length);
}

const sizes: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8 };

interface View {
  u16(at: number): number;
  u32(at: number): number;
}

function readTags(exif: Uint8Array): Tags {
  const tags = new Map<number, Value>();
  walk(exif, (tag, type, entry, view, base) => {
    const count = view.u32(entry + 4);
    const length = (sizes[type] ?? 0) * count;
    if (length === 0 || length > maxText || tags.has(tag)) return;
    const at = length <= 4 ? entry + 8 : base + view.u32(entry + 8);
    if (at + length > exif.length) return;
    if (type === 2 || type === 7) tags.set(tag, decode(exif.subarray(at, at + length)));
    else if (type === 3)
      tags.set(
        tag,
        Array.from({ length: Math.min(count, 8) }, (_, i) => view.u16(at + i * 2)),
      );
    else if (type === 4)
      tags.set(
        tag,
        Array.from({ length: Math.min(count, 8) }, (_, i) => view.u32(at + i * 4)),
      );
    else if (type === 5 || type === 10) tags.set(tag, [view.u32(at), view.u32(at + 4)]);
    else tags.set(tag, [exif[at] ?? 0]);
  });
  return tags;
}

/** Calls `visit` for every entry of the main directory and of the Exif directory it points to. */
function walk(exif: Uint8Array, visit: (tag: number, type: number, entry: number, view: View, base: number) => void): void {
  const base = latin(exif, 0, 6) === 'Exif\0\0' ? 6 : 0;
  const order = latin(exif, base, 2);
  if (order !== 'II' && order !== 'MM') return;
  const data = new DataView(exif.buffer, exif.byteOffset, exif.byteLength);
  const little = order === 'II';
  const within = (at: number, length: number): boolean => at >= 0 && at + length <= data.byteLength;
  const view: View = {
    u16: (at) => (within(at, 2) ? data.getUint16(at, little) : 0),
    u32: (at) => (within(at, 4) ? data.getUint32(at, little) : 0),
  };
  const seen = new Set<number>();
  const directory = (at: number): void => {
    if (seen.has(at) || !within(at, 2)) return;
    seen.add(at);
    const count = Math.min(view.u16(at), maxEntries);
    for (let index = 0; index < count; index++) {
      const entry = at + 2 + index * 12;
      if (!within(entry, 12)) return;
      const tag = view.u16(entry);
      visit(tag, view.u16(entry + 2), entry, view, base);
      if (tag === TAG.exif) directory(base + view.u32(entry + 8));
    }
  };
  directory(base + view.u32(base + 4));
}

/** Data set → values, of record 2. */
function readIptc(bytes: Uint8Array): Map<number, string[]> {
  const records = new Map<number, string[]>();
  for (let at = 0; at + 5 <= bytes.length && records.size < maxEntries; ) {
    if (bytes[at] !== 0x1c || bytes[at + 1] !== 2) {
      at++;
      continue;
    }
    const id = bytes[at + 2] as number;
    const length = ((bytes[at + 3] as number) << 8) | (bytes[at + 4] as number);
    if (length > 0x7fff || at + 5 + length > bytes.length) break;
    records.set(id, [...(records.get(id) ?? []), decode(bytes.subarray(at + 5, at + 5 + length))]);
    at += 5 + length;
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

function text(value: Value | undefined): string {
  return typeof value === 'string' ? clean(value) : '';
}

/** UserComment begins with eight bytes that name its character set. */
function comment(value: Value | undefined): string {
  return typeof value === 'string' && value.startsWith('ASCII\0\0\0') ? clean(value.slice(8)) : '';
}

function clean(value: string): string {
  return value
    .replace(/\0[\s\S]*$/, '')
    .replace(/[\u0001-\u0008\u000b\u000c\u000e-\u001f]/g, '')
    .trim();
}

function numbers(value: Value | undefined): readonly number[] {
  return typeof value === 'object' ? value : [];
}

function rational(value: Value | undefined): number {
  const [numerator = 0, denominator = 0] = numbers(value);
  return denominator === 0 ? 0 : numerator / denominator;
}

function print(value: number, digits?: number): string {
  if (!Number.isFinite(value)) return '0';
  return String(digits === undefined ? Number(value.toPrecision(14)) : Number(value.toFixed(digits)));
}

/** `2024:05:06 07:08:09`, read as GMT, in seconds since the epoch. */
function timestamp(value: string): number | null {
  const match = /^(\d{4}):(\d\d):(\d\d) (\d\d):(\d\d):(\d\d)/.exec(value);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number) as [number, number, number, number, number, number];
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  return year === 0 || Number.isNaN(time) ? null : time / 1000;
}

function iptcTimestamp(date: string, time: string): number | null {
  const day = /^(\d{4})(\d\d)(\d\d)$/.exec(date);
  const clock = /^(\d\d)(\d\d)(\d\d)/.exec(time);
  return day && clock ? timestamp(`${day[1]}:${day[2]}:${day[3]} ${clock[1]}:${clock[2]}:${clock[3]}`) : null;
}

function latin(bytes: Uint8Array, offset: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + length));
}
