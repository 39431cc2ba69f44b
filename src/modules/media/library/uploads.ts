/**
 * Checks uploads (a raw body with headers, or the part `file` of a form): the name is cleaned, the type determined by extension and content, images
 * decoded once.
 *
 * Errors   rest_upload_no_data, _no_content_disposition, _invalid_disposition, _hash_mismatch, _sideload_error (raw), _unknown_error (form),
 * _image_type_not_supported, _image_unreadable
 * Source   the reference's checks of names and types (6.9), and stricter ones of our own for broken files
 */
import { table } from '../../../kernel/model/maps.ts';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, writeFile } from 'node:fs/promises';
import type { NewFile } from './plan.ts';
import { type ErrorCode, fail } from '../../../kernel/errors.ts';
import type { Call } from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { cleanFileName, fileNameOfDisposition, stem, titleOfFile, withLowerExtension } from '../files/names.ts';
import { type Picture, PictureError, readPicture, verifyPicture } from '../files/image.ts';
import { withoutLocation } from '../files/location.ts';
import { sanitiseSvg } from '../files/svg.ts';
import { agrees, extensionFor, headBytes, mimeOf, pictures, sniff } from '../files/types.ts';

export interface UploadRules {
  readonly allowSvg: boolean;
  readonly stripLocation: boolean;
}

export function uploadRules({ operator, settings }: Pick<Site, 'operator' | 'settings'>): UploadRules {
  return { allowSvg: operator.allow_svg, stripLocation: settings.value('strip_location') === true };
}

/** Why a file is refused. `type`: not an allowed type; `broken`: an unreadable image. */
export class UploadRefusal extends Error {
  readonly kind: 'type' | 'broken';
  constructor(kind: 'type' | 'broken', message: string) {
    super(message);
    this.kind = kind;
  }
}

const maxSvgBytes = 2 * 1024 * 1024;

/** The uploaded file, checked and ready to be planned as an attachment. @throws RestError */
export async function receivedFile({ site, request, params }: Call): Promise<NewFile> {
  const { headers, files = [], upload, raw } = request;
  if (files.length > 0) {
    const part = files.find(({ name }) => name === 'file');
    if (!part) fail('rest_upload_unknown_error', {}, 'The file has to be the part of the form called "file".');
    const isPicture = part.type.startsWith('image/') && part.type !== 'image/svg+xml';
    // With client-side sizes, the server need not decode it.
    const isMadeHere = params.generate_sub_sizes !== false;
    if (isPicture && isMadeHere && !pictures.has(part.type)) fail('rest_upload_image_type_not_supported');
    await matchHash(headers['content-md5'], part.file);
    const file = await accept(site, part.file, part.filename, 'rest_upload_unknown_error');
    // The title of a form's file is its original name, as in the reference; that of a raw body is not.
    const given = part.filename.replace(/^.*[/\\]/s, '');
    const called = given.slice(0, Math.max(0, given.lastIndexOf('.')));
    return { ...file, ...(file.title === undefined && called !== '' && called !== '0' ? { title: called } : {}) };
  }
  if (!upload && (raw?.length ?? 0) === 0) fail('rest_upload_no_data');
  const disposition = headers['content-disposition'];
  if (!disposition) fail('rest_upload_no_content_disposition');
  const name = fileNameOfDisposition(disposition);
  if (name === null) fail('rest_upload_invalid_disposition');
  // JSON is read as parameters, not as media.
  if (!upload) fail('rest_upload_sideload_error');
  await matchHash(headers['content-md5'], upload.file);
  const file = await accept(site, upload.file, name, 'rest_upload_sideload_error');
  // The file name is ASCII; the title keeps the original letters.
  const title = titleOfFile(name);
  return file.title === undefined && title !== stem(cleanFileName(name)) ? { ...file, title } : file;
}

/**
 * Checks an uploaded file. It may be rewritten in place (location removed, SVG sanitized).
 * @param file  absolute path
 * @param wanted  name as the client sent it
 * @throws UploadRefusal
 */
export async function acceptFile(file: string, wanted: string, rules: UploadRules): Promise<NewFile> {
  const clean = withLowerExtension(cleanFileName(wanted));
  const found = sniff(await headOf(file));
  const named = rightName(clean, found);
  const mime = mimeOf(named);
  if (mime === null || stem(named) === '' || !agrees(mime, found)) {
    throw new UploadRefusal('type', 'Sorry, you are not allowed to upload this file type.');
  }
  if (mime === 'image/svg+xml') return acceptSvg(file, named, rules);
  if (!pictures.has(mime)) return { name: named, mime, content: { fromFile: file } };
  const picture = await readable(file);
  if (`image/${picture.format}` !== mime) throw new UploadRefusal('type', 'The file is not of the kind that its name says.');
  if (rules.stripLocation) await withoutLocation(file);
  const { title, caption } = picture.meta;
  return {
    name: named,
    mime,
    content: { fromFile: file },
    // Cameras write numbers as titles.
    ...(title !== '' && !/^[\d.-]+$/.test(title) ? { title } : {}),
    ...(caption === '' ? {} : { caption }),
  };
}

/**
 * Checks an imported file, which keeps its name. Images are not decoded. It may be rewritten as by `acceptFile`.
 * @param file  absolute path
 * @returns  the type by content, if it is an image of another type than its name; else null
 * @throws UploadRefusal
 */
export async function checkFile(file: string, name: string, rules: UploadRules): Promise<string | null> {
  const mime = mimeOf(name);
  const found = sniff(await headOf(file));
  if (mime === null) throw new UploadRefusal('type', 'files of this kind are not taken');
  const isOtherPicture = found !== null && found !== mime && pictures.has(mime) && pictures.has(found);
  if (!isOtherPicture && !agrees(mime, found)) {
    throw new UploadRefusal('broken', `it holds ${found === null ? 'something else' : (words[found] ?? found)}, not ${mime}`);
  }
  if (mime === 'image/svg+xml') await acceptSvg(file, name, rules);
  if (rules.stripLocation && pictures.has(mime)) await withoutLocation(file);
  return isOtherPicture ? found : null;
}

/** What servers usually send in place of a missing file. */
const words: Readonly<Record<string, string>> = table({ 'text/html': 'a web page', 'text/plain': 'text' });

/** An image gets the extension of its type: a PNG called `x.jpg` becomes `x.png`. */
function rightName(name: string, found: string | null): string {
  const mime = mimeOf(name);
  if (!found || !mime?.startsWith('image/') || !pictures.has(found) || found === mime) return name;
  return `${stem(name)}.${extensionFor(found)}`;
}

async function acceptSvg(file: string, name: string, { allowSvg }: UploadRules): Promise<NewFile> {
  if (!allowSvg) throw new UploadRefusal('type', 'SVG files are not taken on this site.');
  const bytes = await readFile(file);
  if (bytes.length > maxSvgBytes) throw new UploadRefusal('broken', 'The SVG is too large.');
  const clean = sanitiseSvg(bytes.toString('utf8'));
  if (clean === null) throw new UploadRefusal('broken', 'The SVG cannot be read.');
  await writeFile(file, clean);
  return { name, mime: 'image/svg+xml', content: { fromFile: file } };
}

async function readable(file: string): Promise<Picture> {
  try {
    const picture = await readPicture(file);
    await verifyPicture(file);
    return picture;
  } catch (error) {
    if (error instanceof PictureError) throw new UploadRefusal('broken', error.message);
    throw error;
  }
}

async function headOf(file: string): Promise<Uint8Array> {
  const handle = await open(file, 'r');
  try {
    const buffer = Buffer.alloc(headBytes);
    const { bytesRead } = await handle.read(buffer, 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The checksum in hexadecimal as in the reference, or in base64 as in RFC 1864. */
async function matchHash(expected: string | undefined, path: string): Promise<void> {
  if (!expected) return;
  const hash = createHash('md5');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  const digest = hash.digest();
  if (![digest.toString('hex'), digest.toString('base64')].includes(expected.trim())) fail('rest_upload_hash_mismatch');
}

async function accept(site: Site, file: string, name: string, code: ErrorCode): Promise<NewFile> {
  try {
    return await acceptFile(file, name, uploadRules(site));
  } catch (error) {
    if (!(error instanceof UploadRefusal)) throw error;
    return fail(error.kind === 'type' ? code : 'rest_upload_image_unreadable', {}, error.message);
  }
}
