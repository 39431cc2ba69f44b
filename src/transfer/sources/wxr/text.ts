/**
 * The bytes of an export as text: gunzipped, decoded, in pieces, in bounded memory.
 *
 * What a parser would choke on is marked by a noncharacter instead, so that whoever holds the text knows where it was: the
 * reader takes the marks out and reports them.
 */
import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { constants, createGunzip, gunzipSync } from 'node:zlib';
import { isZip, memberBytes, ZipFault, type ZipMember, zipMembers } from './zip.ts';

/** Stands where a control character was that XML does not allow. */
export const controlMark = '\ufdd0';
/** Stands before a character that was a single byte in a text said to be UTF-8. */
export const byteMark = '\ufdd1';

/** The text cannot be read on from here. The reader knows the line. */
export class TextFault extends Error {
  readonly hint: string;
  constructor(message: string, hint: string, cause?: unknown) {
    super(message, { cause });
    this.hint = hint;
  }
}

interface TextOptions {
  /** Bytes that are not UTF-8 are taken for Windows-1252, a broken archive for a short one. */
  readonly keepGoing: boolean;
  /** Called with bytes read and all bytes. */
  readonly progress?: ((done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const pieceBytes = 256 * 1024;

/** A file of an export: on its own, or in an archive. */
export interface ExportPart {
  /** What reports call it. */
  readonly name: string;
  readonly path: string;
  readonly member?: ZipMember;
  /** Bytes that are read of it. */
  readonly size: number;
}

/** The files of an export: the one at a path, or those of an archive that may be exports. @throws TextFault, and what the file system says */
export async function partsAt(path: string, name: string): Promise<readonly ExportPart[]> {
  const { size } = await stat(path);
  if (!isZip(await head(path, 4))) return [{ name, path, size }];
  try {
    const members = (await zipMembers(path)).filter((member) => isExportName(member.name));
    if (members.length === 0) throw new TextFault('the ZIP archive holds no XML file', 'export the site again');
    const sorted = [...members].sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
    return sorted.map((member) => ({ name: member.name, path, member, size: member.size }));
  } catch (error) {
    throw error instanceof ZipFault ? new TextFault(error.message, 'download it again', error) : error;
  }
}

/** Not what an operating system adds to archives. */
function isExportName(name: string): boolean {
  return /\.(?:xml|wxr)(?:\.gz)?$/i.test(name) && !/(?:^|\/)(?:__MACOSX\/|\.)/.test(name);
}

/** The text in pieces of some 100 KB, in order. @throws TextFault, and what the file system says */
export async function* readText({ path, member, size }: ExportPart, options: TextOptions): AsyncGenerator<string> {
  let done = 0;
  if (member?.fault !== undefined) throw new TextFault(member.fault, 'unpack the archive and import its files');
  const file = member ? memberBytes(path, member) : createReadStream(path, { highWaterMark: pieceBytes });
  const pieces = async function* counted(): AsyncGenerator<Buffer> {
    for await (const piece of file as AsyncIterable<Buffer>) {
      done += piece.length;
      yield piece;
    }
  };
  const isPacked = member ? /\.gz$/i.test(member.name) : isGzip(await head(path, 2));
  const plain = isPacked ? gunzipped(Readable.from(pieces()), options.keepGoing) : pieces();
  try {
    for await (const text of decoded(plain, options.keepGoing)) {
      options.signal?.throwIfAborted();
      yield controls.test(text) ? text.replace(allControls, controlMark) : text;
      options.progress?.(Math.min(done, size), size);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isDamaged = error instanceof ZipFault || (member !== undefined && code !== undefined && /^Z_|^ERR_/.test(code));
    throw isDamaged ? new TextFault('the archive is damaged', 'download it again', error) : error;
  } finally {
    if ('destroy' in file) file.destroy();
  }
}

/** The beginning of a file as Latin-1 text, gunzipped; for looking at what it is. */
export async function sniff(path: string, length = 4096): Promise<string> {
  const bytes = await head(path, length);
  if (!isGzip(bytes)) return bytes.toString('latin1');
  try {
    return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 4 * 1024 * 1024 }).toString(
      'latin1',
      0,
      length,
    );
  } catch {
    return '';
  }
}

const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;
const allControls = new RegExp(controls.source, 'g');

async function head(path: string, length: number): Promise<Buffer> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

async function* gunzipped(file: Readable, keepGoing: boolean): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: pieceBytes });
  file.on('error', (error) => gunzip.destroy(error));
  try {
    yield* file.pipe(gunzip) as AsyncIterable<Buffer>;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || !/^Z_|^ERR_/.test(code)) throw error;
    if (!keepGoing) throw new TextFault('the compressed file is damaged or cut off', 'download it again', error);
  }
}

async function* decoded(pieces: AsyncIterable<Buffer>, keepGoing: boolean): AsyncGenerator<string> {
  let decode: Decode | null = null;
  let held: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    if (!decode) {
      held = held.length === 0 ? piece : Buffer.concat([held, piece]);
      if (held.length < 256) continue;
      decode = decoderFor(held, keepGoing);
    } else held = piece;
    yield* decode(held, false);
  }
  if (!decode && held.length === 0) throw new TextFault('the file is empty', 'export it again');
  if (decode) yield* decode(Buffer.alloc(0), true);
  else yield* decoderFor(held, keepGoing)(held, true);
}

type Decode = (bytes: Buffer, last: boolean) => Iterable<string>;

/** How to decode, from the first bytes: their byte order mark, else the XML declaration, else UTF-8. */
function decoderFor(first: Buffer, keepGoing: boolean): Decode {
  if (isZip(first)) throw new TextFault('this is a ZIP archive', 'unpack it and import the XML files in it');
  if ((first[0] === 0xff && first[1] === 0xfe) || (first[0] === 0x3c && first[1] === 0)) return labelled('utf-16le');
  if ((first[0] === 0xfe && first[1] === 0xff) || (first[0] === 0 && first[1] === 0x3c)) return labelled('utf-16be');
  const declared = /<\?xml[^>]{0,200}?encoding\s{0,20}=\s{0,20}["']([^"']*)/.exec(first.toString('latin1', 0, 8192))?.[1] ?? '';
  if (/^(?:utf-?8|us-ascii|ascii)?$/i.test(declared)) return utf8(keepGoing);
  // Its declaration could not be read like this if that were true.
  if (/^(?:utf-?16|ucs-?2)/i.test(declared))
    throw new TextFault(`the file claims to be in ${declared} but is not`, 'correct its first line');
  return labelled(declared);
}

function labelled(label: string): Decode {
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(label, { fatal: true });
  } catch (error) {
    throw new TextFault(`unknown encoding "${label}"`, 'convert it to UTF-8', error);
  }
  // Node 20 takes it for Latin-1 (nodejs/node#56542); this may go with it.
  if (decoder.encoding === 'windows-1252') return (bytes) => [western(bytes)];
  return function* decode(bytes, last) {
    try {
      yield decoder.decode(bytes, { stream: !last });
    } catch (error) {
      throw new TextFault(
        `the file claims to be in ${label} but is not`,
        'correct its first line, or convert it to UTF-8',
        error,
      );
    }
  };
}

function utf8(keepGoing: boolean): Decode {
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = true;
  return function* decode(bytes, last) {
    const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    const end = last ? all.length : all.length - unfinished(all);
    const whole = all.subarray(0, end);
    // A copy: a view would keep the whole piece.
    rest = Buffer.from(all.subarray(end));
    const start = isFirst && whole[0] === 0xef && whole[1] === 0xbb && whole[2] === 0xbf ? 3 : 0;
    isFirst = false;
    if (isUtf8(whole)) return yield whole.toString('utf8', start);
    const { good, text } = repaired(whole.subarray(start));
    if (keepGoing) return yield text;
    yield whole.toString('utf8', start, start + good);
    throw new TextFault(
      'invalid UTF-8',
      'the file may use another encoding: declare it in the first line, or convert the file; --keep-going reads such bytes as Windows-1252',
    );
  };
}

/** Number of bytes at the end that begin a character and do not end it. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number;
    if ((byte & 0xc0) === 0x80) continue;
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needs > back ? back : 0;
  }
  return 0;
}

/** The text with single bytes in place of what is no UTF-8, each marked, and how many bytes before the first one are good. */
function repaired(bytes: Buffer): { readonly good: number; readonly text: string } {
  const parts: string[] = [];
  let good = -1;
  let from = 0;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] as number;
    const length = byte < 0x80 ? 1 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 0;
    if (length === 1 || (length > 1 && at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)))) {
      at += length;
      continue;
    }
    if (good < 0) good = at;
    parts.push(bytes.toString('utf8', from, at), byteMark, western(bytes.subarray(at, at + 1)));
    from = ++at;
  }
  parts.push(bytes.toString('utf8', from));
  return { good: good < 0 ? bytes.length : good, text: parts.join('') };
}

/** Windows-1252: Latin-1 with characters where that has further controls. */
function western(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/[\x80-\x9f]/g, (char) => windows[char.charCodeAt(0) - 0x80] as string);
}

const windows = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
