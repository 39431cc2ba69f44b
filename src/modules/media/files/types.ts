/**
 * Media types as data: extensions, MIME types, and signatures.
 *
 * The set is that of the reference (6.9) without what runs in browsers or on servers: HTML and scripts are always refused, SVG unless the operator
 * allows it.
 */
import { table } from '../../../kernel/model/maps.ts';

/** Extensions of a MIME type, the usual one first. */
const mimeRows: readonly (readonly [mime: string, extensions: string])[] = [
  ['image/jpeg', 'jpg jpeg jpe'],
  ['image/gif', 'gif'],
  ['image/png', 'png'],
  ['image/bmp', 'bmp'],
  ['image/tiff', 'tiff tif'],
  ['image/webp', 'webp'],
  ['image/avif', 'avif'],
  ['image/x-icon', 'ico'],
  ['image/heic', 'heic'],
  ['image/heif', 'heif'],
  ['image/heic-sequence', 'heics'],
  ['image/heif-sequence', 'heifs'],
  ['image/svg+xml', 'svg'],
  ['video/x-ms-asf', 'asf asx'],
  ['video/x-ms-wmv', 'wmv'],
  ['video/x-ms-wmx', 'wmx'],
  ['video/x-ms-wm', 'wm'],
  ['video/avi', 'avi'],
  ['video/divx', 'divx'],
  ['video/x-flv', 'flv'],
  ['video/quicktime', 'mov qt'],
  ['video/mpeg', 'mpeg mpg mpe'],
  ['video/mp4', 'mp4 m4v'],
  ['video/ogg', 'ogv'],
  ['video/webm', 'webm'],
  ['video/x-matroska', 'mkv'],
  ['video/3gpp', '3gp 3gpp'],
  ['video/3gpp2', '3g2 3gp2'],
  ['text/plain', 'txt asc c cc h srt'],
  ['text/csv', 'csv'],
  ['text/tab-separated-values', 'tsv'],
  ['text/calendar', 'ics'],
  ['text/richtext', 'rtx'],
  ['text/css', 'css'],
  ['text/vtt', 'vtt'],
  ['application/ttaf+xml', 'dfxp'],
  ['audio/mpeg', 'mp3 m4a m4b'],
  ['audio/aac', 'aac'],
  ['audio/x-realaudio', 'ra ram'],
  ['audio/wav', 'wav x-wav'],
  ['audio/ogg', 'ogg oga'],
  ['audio/flac', 'flac'],
  ['audio/midi', 'mid midi'],
  ['audio/x-ms-wma', 'wma'],
  ['audio/x-ms-wax', 'wax'],
  ['audio/x-matroska', 'mka'],
  ['application/rtf', 'rtf'],
  ['application/pdf', 'pdf'],
  ['application/java', 'class'],
  ['application/x-tar', 'tar'],
  ['application/zip', 'zip'],
  ['application/x-gzip', 'gz gzip'],
  ['application/rar', 'rar'],
  ['application/x-7z-compressed', '7z'],
  ['application/octet-stream', 'psd xcf'],
  ['application/msword', 'doc'],
  ['application/vnd.ms-powerpoint', 'pot pps ppt'],
  ['application/vnd.ms-write', 'wri'],
  ['application/vnd.ms-excel', 'xla xls xlt xlw'],
  ['application/vnd.ms-access', 'mdb'],
  ['application/vnd.ms-project', 'mpp'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.ms-word.document.macroEnabled.12', 'docm'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.template', 'dotx'],
  ['application/vnd.ms-word.template.macroEnabled.12', 'dotm'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['application/vnd.ms-excel.sheet.macroEnabled.12', 'xlsm'],
  ['application/vnd.ms-excel.sheet.binary.macroEnabled.12', 'xlsb'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.template', 'xltx'],
  ['application/vnd.ms-excel.template.macroEnabled.12', 'xltm'],
  ['application/vnd.ms-excel.addin.macroEnabled.12', 'xlam'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'pptx'],
  ['application/vnd.ms-powerpoint.presentation.macroEnabled.12', 'pptm'],
  ['application/vnd.openxmlformats-officedocument.presentationml.slideshow', 'ppsx'],
  ['application/vnd.ms-powerpoint.slideshow.macroEnabled.12', 'ppsm'],
  ['application/vnd.openxmlformats-officedocument.presentationml.template', 'potx'],
  ['application/vnd.ms-powerpoint.template.macroEnabled.12', 'potm'],
  ['application/vnd.ms-powerpoint.addin.macroEnabled.12', 'ppam'],
  ['application/vnd.openxmlformats-officedocument.presentationml.slide', 'sldx'],
  ['application/vnd.ms-powerpoint.slide.macroEnabled.12', 'sldm'],
  ['application/onenote', 'onetoc onetoc2 onetmp onepkg'],
  ['application/oxps', 'oxps'],
  ['application/vnd.ms-xpsdocument', 'xps'],
  ['application/vnd.oasis.opendocument.text', 'odt'],
  ['application/vnd.oasis.opendocument.presentation', 'odp'],
  ['application/vnd.oasis.opendocument.spreadsheet', 'ods'],
  ['application/vnd.oasis.opendocument.graphics', 'odg'],
  ['application/vnd.oasis.opendocument.chart', 'odc'],
  ['application/vnd.oasis.opendocument.database', 'odb'],
  ['application/vnd.oasis.opendocument.formula', 'odf'],
  ['application/wordperfect', 'wp wpd'],
  ['application/vnd.apple.keynote', 'key'],
  ['application/vnd.apple.numbers', 'numbers'],
  ['application/vnd.apple.pages', 'pages'],
];

const byExtension = new Map(
  mimeRows.flatMap(([mime, extensions]) => extensions.split(' ').map((extension) => [extension, mime] as const)),
);

export const mimeTypes: readonly string[] = [...new Set(mimeRows.map(([mime]) => mime))];

/** The last extension of a name, in lower case; '' for none. */
export function extensionOf(name: string): string {
  return /[^/]\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** MIME type of a file by its name; null if it is not media. */
export function mimeOf(name: string): string | null {
  return byExtension.get(extensionOf(name)) ?? null;
}

/** Served from `media/` although they are not attachments. */
const fonts: Readonly<Record<string, string>> = table({
  woff2: 'font/woff2',
  woff: 'font/woff',
  ttf: 'font/ttf',
  otf: 'font/otf',
});

/** The Content-Type of a served file; null if it is not served. */
export function servedAs(name: string): string | null {
  return mimeOf(name) ?? fonts[extensionOf(name)] ?? null;
}

export function extensionFor(mime: string): string | null {
  return mimeRows.find(([type]) => type === mime)?.[1].split(' ')[0] ?? null;
}

/** Types with sizes, which are verified by decoding. */
export const pictures: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif']);

/** Bytes needed to detect the type. */
export const headBytes = 4096;

/**
 * The type by content.
 * @param head  the first `headBytes` of the file, or all of it
 * @returns  null if unknown; `text/plain` for any text
 */
export function sniff(head: Uint8Array): string | null {
  const at = (offset: number, text: string): boolean => latin(head, offset, text.length) === text;
  for (const [mime, offset, magic] of magics) if (at(offset, magic)) return mime;
  if (at(0, 'RIFF')) return riffs[latin(head, 8, 4)] ?? null;
  if (at(4, 'ftyp')) return brandType(latin(head, 8, Math.max(0, Math.min(head.length, 64) - 8)));
  if (at(0, '\x1a\x45\xdf\xa3')) return latin(head, 0, 64).includes('webm') ? 'video/webm' : 'video/x-matroska';
  if ((head[0] ?? 0) === 0xff && ((head[1] ?? 0) & 0xe0) === 0xe0)
    return ((head[1] ?? 0) & 0x06) === 0 ? 'audio/aac' : 'audio/mpeg';
  const text = asText(head);
  if (text === null) return null;
  const start = text
    .replace(/^\ufeff?\s*/, '')
    .slice(0, 1000)
    .toLowerCase();
  if (/^(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*-->\s*)?(?:<!doctype svg[^>]*>\s*)?<svg[\s>]/.test(start)) return 'image/svg+xml';
  if (/^(?:<!doctype html|<html|<head|<body|<script|<iframe)/.test(start)) return 'text/html';
  if (/^(?:<\?php|<\?=|#!)/.test(start) || text.includes('<?php')) return 'application/x-php';
  return 'text/plain';
}

/**
 * Whether the content fits the type of the name. Images must match (another image type is renamed by the caller); other families only refuse clear
 * mismatches.
 */
export function agrees(mime: string, found: string | null): boolean {
  if (mime === found) return true;
  if (found === 'application/x-php' || found === 'text/html') return false;
  const [family] = mime.split('/') as [string];
  if (family === 'image') return found === null ? !pictures.has(mime) && mime !== 'image/svg+xml' : similar(mime, found);
  if (family === 'text') return found === 'text/plain';
  if (found === null) return true;
  const [foundFamily] = found.split('/') as [string];
  if (family === 'audio' || family === 'video') return foundFamily === 'audio' || foundFamily === 'video';
  if (foundFamily === 'image' || found === 'application/pdf') return false;
  if (mime === 'application/pdf') return false;
  return true;
}

const magics: readonly (readonly [mime: string, offset: number, magic: string])[] = [
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/gif', 0, 'GIF87a'],
  ['image/gif', 0, 'GIF89a'],
  ['image/bmp', 0, 'BM'],
  ['image/tiff', 0, 'II*\0'],
  ['image/tiff', 0, 'MM\0*'],
  ['image/x-icon', 0, '\0\0\x01\0'],
  ['application/pdf', 0, '%PDF-'],
  ['application/zip', 0, 'PK\x03\x04'],
  ['application/x-gzip', 0, '\x1f\x8b'],
  ['application/rar', 0, 'Rar!'],
  ['application/x-7z-compressed', 0, '7z\xbc\xaf\x27\x1c'],
  ['application/msword', 0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
  ['application/rtf', 0, '{\\rtf'],
  ['audio/mpeg', 0, 'ID3'],
  ['audio/flac', 0, 'fLaC'],
  ['audio/ogg', 0, 'OggS'],
  ['audio/midi', 0, 'MThd'],
  ['video/x-ms-asf', 0, '\x30\x26\xb2\x75'],
  ['video/x-flv', 0, 'FLV\x01'],
  ['video/mpeg', 0, '\0\0\x01\xba'],
  ['video/mpeg', 0, '\0\0\x01\xb3'],
  ['application/x-elf', 0, '\x7fELF'],
  ['application/x-dosexec', 0, 'MZ'],
  ['application/java', 0, '\xca\xfe\xba\xbe'],
];

const riffs: Readonly<Record<string, string>> = table({ WEBP: 'image/webp', WAVE: 'audio/wav', 'AVI ': 'video/avi' });

/** By the brands of an ISO media file, the major one first. */
function brandType(brands: string): string {
  const major = brands.slice(0, 4);
  if (/avi[fs]/.test(brands)) return 'image/avif';
  if (/^(?:heic|heix|heim|heis)$/.test(major)) return 'image/heic';
  if (/^(?:hevc|hevx)$/.test(major)) return 'image/heic-sequence';
  if (major === 'mif1') return 'image/heif';
  if (major === 'msf1') return 'image/heif-sequence';
  if (major === 'qt  ') return 'video/quicktime';
  if (/^M4[AB] $/.test(major)) return 'audio/mpeg';
  if (major.startsWith('3g2')) return 'video/3gpp2';
  return major.startsWith('3gp') ? 'video/3gpp' : 'video/mp4';
}

function similar(mime: string, found: string): boolean {
  return /^image\/hei[cf]/.test(mime) && /^image\/hei[cf]/.test(found);
}

function latin(bytes: Uint8Array, offset: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + length));
}

/** The bytes as UTF-8 or Latin-1 text; null if they contain control characters. */
function asText(bytes: Uint8Array): string | null {
  for (const byte of bytes) if (byte < 9 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32) || byte === 127) return null;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}
