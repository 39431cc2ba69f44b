/**
 * From an uploaded file (the raw body with its headers, or the part `file` of a form) to one the library takes: the name cleaned, the
 * type decided by extension and bytes, pictures decoded once before they are kept.
 *
 * Errors   rest_upload_no_data, _no_content_disposition, _invalid_disposition, _hash_mismatch, _sideload_error (raw), _unknown_error
 *          (form), _image_type_not_supported, _image_unreadable
 * Source   the reference's checks of names and types (6.9), and stricter ones of our own where it would keep what is broken
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

/** Why a file is not taken. `type`: not of a kind that is allowed; `broken`: a picture that cannot be read. */
export class UploadRefusal extends Error {
  readonly kind: 'type' | 'broken';
  constructor(kind: 'type' | 'broken', message: string) {
    super(message);
    this.kind = kind;
  }
}

const maxSvgBytes = 2 * 1024 * 1024;

/** The file of a request, checked and ready to be planned as an attachment. @throws RestError */
export async function receivedFile({ site, request, params }: Call): Promise<NewFile> {
  const { headers, files = [], upload, raw } = request;
  if (files.length > 0) {
    const part = files.find(({ name }) => name === 'file');
    if (!part) fail('rest_upload_unknown_error', {}, 'The file has to be the part of the form called "file".');
    const isPicture = part.type.startsWith('image/') && part.type !== 'image/svg+xml';
    // Whose sizes the client makes need not be read here.
    const isMadeHere = params.generate_sub_sizes !== false;
    if (isPicture && isMadeHere && !pictures.has(part.type)) fail('rest_upload_image_type_not_supported');
    await matchHash(headers['content-md5'], part.file);
    const file = await accept(site, part.file, part.filename, 'rest_upload_unknown_error');
    // A form's file is called what it was called before its name was cleaned and made unique, as in the reference; a raw body is not.
    const given = part.filename.replace(/^.*[/\\]/s, '');
    const called = given.slice(0, Math.max(0, given.lastIndexOf('.')));
    return { ...file, ...(file.title === undefined && called !== '' && called !== '0' ? { title: called } : {}) };
  }
  if (!upload && (raw?.length ?? 0) === 0) fail('rest_upload_no_data');
  const disposition = headers['content-disposition'];
  if (!disposition) fail('rest_upload_no_content_disposition');
  const name = fileNameOfDisposition(disposition);
  if (name === null) fail('rest_upload_invalid_disposition');
  // JSON is read as parameters; it is no kind of media.
  if (!upload) fail('rest_upload_sideload_error');
  await matchHash(headers['content-md5'], upload.file);
  const file = await accept(site, upload.file, name, 'rest_upload_sideload_error');
  // The name of the file has plain letters; what people read keeps those it was written with.
  const title = titleOfFile(name);
  return file.title === undefined && title !== stem(cleanFileName(name)) ? { ...file, title } : file;
}

/**
 * Checks a file that was received. It may be rewritten where it is (location taken out, SVG sanitised).
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
    // A number is no title: cameras write such.
    ...(title !== '' && !/^[\d.-]+$/.test(title) ? { title } : {}),
    ...(caption === '' ? {} : { caption }),
  };
}

/**
 * Checks a file that keeps the name it has because pages name it: one from another site. Pictures are not decoded: one that is
 * broken was broken there. It may be rewritten as by `acceptFile`.
 * @param file  absolute path
 * @returns  the type its bytes show, where it is a picture of another kind than its name says; else null
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

/** What is usually sent in place of a file that is gone. */
const words: Readonly<Record<string, string>> = table({ 'text/html': 'a web page', 'text/plain': 'text' });

/** A picture under another picture's extension gets its own: a PNG called `x.jpg` is `x.png`. */
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

/** The sum in hexadecimal as the reference has it, or in base64 as RFC 1864 does. */
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
