import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { emptyMeta, readImageMeta } from '../../../../src/modules/media/files/exif.ts';
import { locationRanges } from '../../../../src/modules/media/files/location.ts';

async function exifOf(exif: Parameters<ReturnType<typeof sharp>['withExif']>[0]): Promise<Buffer> {
  const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .jpeg()
    .withExif(exif)
    .toBuffer();
  return (await sharp(bytes).metadata()).exif as Buffer;
}

/** A TIFF structure of one directory. */
function directory(entries: readonly (readonly number[])[], next: number): Buffer {
  const bytes = Buffer.alloc(8 + 2 + entries.length * 12 + 4);
  bytes.write('II*\0', 'latin1');
  bytes.writeUInt32LE(8, 4);
  bytes.writeUInt16LE(entries.length, 8);
  entries.forEach(([tag = 0, type = 0, count = 0, value = 0], index) => {
    const at = 10 + index * 12;
    bytes.writeUInt16LE(tag, at);
    bytes.writeUInt16LE(type, at + 2);
    bytes.writeUInt32LE(count, at + 4);
    bytes.writeUInt32LE(value, at + 8);
  });
  bytes.writeUInt32LE(next, bytes.length - 4);
  return bytes;
}

describe('readImageMeta', () => {
  it('reads what cameras write, every value as a string', async () => {
    const exif = await exifOf({
      IFD0: { Model: 'Camera X', Artist: 'Anna', Copyright: '(c) Anna', ImageDescription: 'At sea', Orientation: '6' },
      IFD2: {
        FNumber: '28/10',
        ExposureTime: '1/125',
        FocalLength: '50/1',
        ISOSpeedRatings: '200',
        DateTimeDigitized: '2024:05:06 07:08:09',
      },
    });
    expect(readImageMeta(exif, undefined)).toMatchObject({
      aperture: '2.8',
      camera: 'Camera X',
      credit: 'Anna',
      copyright: '(c) Anna',
      title: 'At sea',
      caption: 'At sea',
      shutter_speed: '0.008',
      focal_length: '50',
      iso: '200',
      created_timestamp: String(Date.UTC(2024, 4, 6, 7, 8, 9) / 1000),
    });
  });

  it('prefers IPTC', () => {
    const record = (id: number, text: string) =>
      Buffer.concat([Buffer.from([0x1c, 2, id, 0, Buffer.byteLength(text)]), Buffer.from(text)]);
    const iptc = Buffer.concat([record(105, 'Headline'), record(25, 'sea'), record(25, 'möwe'), record(116, 'Me')]);
    expect(readImageMeta(undefined, iptc)).toEqual({
      ...emptyMeta,
      title: 'Headline',
      copyright: 'Me',
      keywords: ['sea', 'möwe'],
    });
    // A caption is a title as well, as long as it is short.
    const [short, long] = ['x'.repeat(79), 'x'.repeat(80)];
    expect(readImageMeta(undefined, record(120, short))).toMatchObject({ title: short, caption: short });
    expect(readImageMeta(undefined, record(120, long))).toMatchObject({ title: '', caption: long });
  });

  it('prefers the XMP alternative text in the default language', () => {
    const packet = (texts: string) =>
      Buffer.from(`<x><Iptc4xmpCore:AltTextAccessibility><rdf:Alt>${texts}</rdf:Alt></Iptc4xmpCore:AltTextAccessibility></x>`);
    const german = '<rdf:li xml:lang="de">Ein Kai</rdf:li>';
    const own = '<rdf:li xml:lang="x-default">A quay &amp; boats</rdf:li>';
    const altOf = (xmp: Uint8Array) => readImageMeta(undefined, undefined, xmp).alt;
    expect(altOf(packet(german + own))).toBe('A quay & boats');
    expect(altOf(packet(german))).toBe('Ein Kai');
    expect(altOf(packet(''))).toBe('');
    expect(altOf(Buffer.from('<Iptc4xmpCore:AltTextAccessibility>'.repeat(1000)))).toBe('');
  });

  it('never throws, whatever the bytes', () => {
    const block = fc
      .uint8Array({ maxLength: 300 })
      .map((rest) => Buffer.concat([Buffer.from('II*\0\x08\0\0\0', 'latin1'), rest]));
    fc.assert(
      fc.property(block, fc.uint8Array({ maxLength: 100 }), fc.uint8Array({ maxLength: 100 }), (exif, iptc, xmp) => {
        expect(Object.keys(readImageMeta(exif, iptc, xmp))).toEqual(Object.keys(emptyMeta));
        for (const { start, end } of locationRanges(exif)) expect(start >= 0 && end <= exif.length).toBe(true);
      }),
    );
  });

  it('reads non-ASCII text, and ignores a broken thumbnail', () => {
    const name = Buffer.from('Kamera Möwe\0');
    const main = directory([[0x110, 2, name.length, 8 + 2 + 12 + 4]], 0x00ffffff);
    expect(readImageMeta(Buffer.concat([main, name]), undefined)).toEqual({ ...emptyMeta, camera: 'Kamera Möwe' });
    const behind = directory([[0x110, 2, name.length, 26]], 26);
    expect(readImageMeta(Buffer.concat([behind, name]), undefined).camera).toBe('Kamera Möwe');
  });

  it.each<[string, number[][]]>([
    ['entries that share their values', Array.from({ length: 500 }, (_, index) => [index, 3, 1 << 20, 0])],
    ['a pointer of another type', [[0x8769, 1, 1, 8]]],
    ['more than one pointer in an entry', [[0x8825, 4, 1 << 28, 8]]],
  ])('ignores a small block with excessive counts: %s', (_, entries) => {
    const block = Buffer.concat([directory([[0x112, 3, 1, 6], ...entries], 0), Buffer.alloc(1 << 20, 1)]);
    expect(readImageMeta(block, undefined)).toEqual(emptyMeta);
  });

  it('detects directories that point at themselves', () => {
    const loop = Buffer.from('II*\0\x08\0\0\0\x01\0\x69\x87\x04\0\x01\0\0\0\x08\0\0\0', 'latin1');
    expect(readImageMeta(loop, undefined)).toEqual(emptyMeta);
  });
});
