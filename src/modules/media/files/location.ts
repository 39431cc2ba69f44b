/**
 * Removes the location from an image without touching its pixels: positions in EXIF and XMP are overwritten in place. JPEG, PNG and WebP; cameras
 * write no position into other formats.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { tiffOf } from './exif.ts';
import { pointers, readDirectories } from './tiff-directories.ts';

interface Block {
  readonly kind: 'exif' | 'xmp';
  readonly start: number;
  readonly end: number;
  /** Of PNG chunks: the position of the checksum, and what it covers. */
  readonly check?: { readonly at: number; readonly from: number };
}

/** Rewrites a file that contains a position. @returns whether it did */
export async function withoutLocation(file: string): Promise<boolean> {
  const bytes = await readFile(file);
  let isChanged = false;
  for (const block of blocksOf(bytes)) {
    const changed = block.kind === 'exif' ? blankExif(bytes, block) : blankXmp(bytes, block);
    if (!changed) continue;
    isChanged = true;
    if (block.check) bytes.writeUInt32BE(crc32(bytes.subarray(block.check.from, block.check.at)), block.check.at);
  }
  if (isChanged) await writeFile(file, bytes);
  return isChanged;
}

/** Byte ranges of a block to blank. */
export function locationRanges(exif: Uint8Array): readonly { readonly start: number; readonly end: number }[] {
  const tiff = tiffOf(exif);
  const base = exif.length - tiff.length;
  return readDirectories(tiff)
    .filter(({ pointer }) => pointer === pointers.gps)
    .flatMap(({ start, end, entries }) => [
      ...entries.filter(({ size }) => size > 4 && size < maxValueBytes).map(({ at, size }) => ({ start: at, end: at + size })),
      // With the entry count: an empty directory is valid.
      { start, end },
    ])
    .map(({ start, end }) => ({ start: base + start, end: base + end }))
    .filter(({ end }) => end <= exif.length);
}

const maxValueBytes = 64 * 1024;

function blankExif(bytes: Buffer, { start, end }: Block): boolean {
  const ranges = locationRanges(bytes.subarray(start, end));
  for (const range of ranges) bytes.fill(0, start + range.start, start + range.end);
  return ranges.length > 0;
}

/** Positions are attributes or elements of the exif namespace. Cost: linear. */
function blankXmp(bytes: Buffer, { start, end }: Block): boolean {
  const text = bytes.toString('latin1', start, end);
  const begin = /exif:GPS\w+\s*=\s*(["'])|<exif:GPS\w+>/g;
  const without = new Set<string>();
  let isBlanked = false;
  for (let found = begin.exec(text); found; found = begin.exec(text)) {
    const ending = found[1] ?? '</exif:GPS';
    const [from, to] = [begin.lastIndex, without.has(ending) ? -1 : text.indexOf(ending, begin.lastIndex)];
    if (to === -1) {
      without.add(ending);
      continue;
    }
    isBlanked ||= /[^ ]/.test(text.slice(from, to));
    bytes.fill(' ', start + from, start + to);
    begin.lastIndex = to + ending.length;
  }
  return isBlanked;
}

function blocksOf(bytes: Buffer): readonly Block[] {
  if (bytes.readUInt16BE(0) === 0xffd8) return jpegBlocks(bytes);
  if (bytes.toString('latin1', 1, 4) === 'PNG') return pngBlocks(bytes);
  return bytes.toString('latin1', 8, 12) === 'WEBP' ? webpBlocks(bytes) : [];
}

function jpegBlocks(bytes: Buffer): readonly Block[] {
  const blocks: Block[] = [];
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] as number;
    if (marker === 0xda) break;
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (end > bytes.length) break;
    const name = bytes.toString('latin1', at + 4, Math.min(end, at + 32));
    if (marker === 0xe1 && name.startsWith('Exif\0\0')) blocks.push({ kind: 'exif', start: at + 4, end });
    else if (marker === 0xe1 && name.startsWith('http://ns.adobe.com/')) blocks.push({ kind: 'xmp', start: at + 4, end });
    at = end;
  }
  return blocks;
}

function pngBlocks(bytes: Buffer): readonly Block[] {
  const blocks: Block[] = [];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const end = at + 8 + size;
    if (end + 4 > bytes.length || type === 'IEND') break;
    const check = { at: end, from: at + 4 };
    if (type === 'eXIf') blocks.push({ kind: 'exif', start: at + 8, end, check });
    if (type === 'iTXt' && bytes.toString('latin1', at + 8, at + 25) === 'XML:com.adobe.xmp')
      blocks.push({ kind: 'xmp', start: at + 8, end, check });
    at = end + 4;
  }
  return blocks;
}

function webpBlocks(bytes: Buffer): readonly Block[] {
  const blocks: Block[] = [];
  for (let at = 12; at + 8 <= bytes.length; ) {
    const type = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    const end = at + 8 + size;
    if (end > bytes.length) break;
    if (type === 'EXIF') blocks.push({ kind: 'exif', start: at + 8, end });
    if (type === 'XMP ') blocks.push({ kind: 'xmp', start: at + 8, end });
    at = end + (size % 2);
  }
  return blocks;
}
