/**
 * Request bodies: bytes and a content type become JSON, form fields and files, within limits.
 *
 * JSON is read whatever the method; a body that is no JSON object gives no parameters. Names that could reach a
 * prototype are dropped at every depth. Files, and bodies that are neither JSON nor a form, go to disk as they come, so that
 * memory does not grow with them. What is kept in memory is claimed first, and large bodies are parsed one at a time.
 */
import { once } from 'node:events';
import { open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import busboy from 'busboy';
import { faultOf } from '../store/faults.ts';
import { BodyError } from './body-error.ts';
import { type BodyLimits, defaultLimits } from './body-limits.ts';
import { isJson, parseJson } from './json-body.ts';
import { createParamsBuilder, parseQuery } from './params.ts';
import type { Params, Upload } from './request.ts';

interface Body {
  /** Members of a JSON object. */
  readonly json?: Params;
  /** Fields of a form, url-encoded or multipart. */
  readonly form?: Params;
  readonly files?: readonly Upload[];
  /** The body as sent, when it is neither JSON nor a form. */
  readonly upload?: Upload;
  /** The bytes of JSON and url-encoded forms as sent; empty for what is in files. */
  readonly raw: Uint8Array;
}

/** JSON and forms larger than this are parsed one at a time. Bytes. */
export const largeBytes = 1024 * 1024;

/** The share of one body in the memory of all. */
export interface BodyClaim {
  /** Claims memory. @throws BodyError 503 when there is none */
  take(bytes: number): void;
  /** Resolves when a large body may be parsed. @throws BodyError 503 when too many wait */
  turn(): Promise<void>;
}

const unlimited: BodyClaim = { take: () => undefined, turn: async () => undefined };

/**
 * @param input  bytes, a Node or web stream, or null for no body. A Node stream stays open when it is refused.
 * @param contentType  of the request, null when it has none
 * @param spool  gives the path of a file to be written; null: files are read and thrown away
 * @throws RestError rest_invalid_json; BodyError 413 for too many bytes, fields or values, 400 for a broken multipart form, 503 for
 *   want of memory. No file is left then.
 */
export async function readBody(
  input: Uint8Array | AsyncIterable<Uint8Array> | null,
  contentType: string | null | undefined,
  limits: BodyLimits = defaultLimits,
  spool: (() => string) | null = null,
  claim: BodyClaim = unlimited,
): Promise<Body> {
  const type = typeOf(contentType);
  if (type === 'multipart/form-data')
    return { ...(await parseMultipart(chunksOf(input), contentType ?? '', limits, spool, claim)), raw: new Uint8Array() };
  if (isFile(contentType)) return readFile(chunksOf(input), contentType ?? '', limits, spool);
  const raw = await collect(input, limits.maxBytes, claim);
  if (raw.length === 0) return { raw };
  if (raw.length > largeBytes) await claim.turn();
  if (type === 'application/x-www-form-urlencoded') return { form: parseForm(raw, limits), raw };
  const json = parseJson(raw, limits);
  return json ? { json, raw } : { raw };
}

/** Counts and measures before anything is decoded. */
function parseForm(bytes: Uint8Array, { maxFields }: BodyLimits): Params {
  let equals = -1;
  let start = 0;
  for (let pairs = 1; start <= bytes.length; pairs++) {
    if (pairs > maxFields) throw tooMany(maxFields);
    const end = indexOf(bytes, AMPERSAND, start);
    if (equals < start) equals = indexOf(bytes, EQUALS, start);
    if (Math.min(equals, end) - start > maxNameBytes) throw tooLarge(maxNameBytes);
    start = end + 1;
  }
  return parseQuery(new TextDecoder().decode(bytes));
}

/** Where a byte is next; the end where it is not. */
function indexOf(bytes: Uint8Array, byte: number, from: number): number {
  const at = bytes.indexOf(byte, from);
  return at < 0 ? bytes.length : at;
}

const [AMPERSAND, EQUALS] = [0x26, 0x3d];
/** Of the name of a field. */
const maxNameBytes = 4096;

/** Whether a body of this type goes to disk; one without a type does. */
export function isFile(contentType: string | null | undefined): boolean {
  const type = typeOf(contentType);
  return !isJson(type) && type !== 'application/x-www-form-urlencoded' && type !== 'multipart/form-data';
}

/**
 * What to take a body for that comes with a file's name: programs that were told nothing of a file's type say it is a plain form
 * (curl does).
 */
export function typeOfNamed(contentType: string | undefined): string | undefined {
  return typeOf(contentType) === 'application/x-www-form-urlencoded' ? undefined : contentType;
}

/** The most bytes a body of this type may have. */
export function maxBodyBytes(contentType: string | null | undefined, limits: BodyLimits): number {
  if (typeOf(contentType) === 'multipart/form-data') return limits.maxUploadBytes + limits.maxBytes;
  return isFile(contentType) ? limits.maxUploadBytes : limits.maxBytes;
}

/** Removes what a request left on disk. */
export async function dropFiles({ files = [], upload }: Partial<Pick<Body, 'files' | 'upload'>>): Promise<void> {
  await Promise.all([...files, ...(upload ? [upload] : [])].map(({ file }) => rm(file, { force: true })));
}

const tooMany = (maxFields: number): BodyError => new BodyError(413, `The form has more than ${maxFields} fields.`);
const tooLarge = (maxBytes: number): BodyError => new BodyError(413, `The body is larger than ${maxBytes} bytes.`);

async function collect(
  input: Uint8Array | AsyncIterable<Uint8Array> | null,
  maxBytes: number,
  claim: BodyClaim,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksOf(input)) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    claim.take(chunk.length);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks, size);
}

/** Leaving a Node stream early must not close it: the refusal is still to be sent. */
function chunksOf(input: Uint8Array | AsyncIterable<Uint8Array> | null): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  if (input === null || input instanceof Uint8Array) return input ? [input] : [];
  return input instanceof Readable ? input.iterator({ destroyOnReturn: false }) : input;
}

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

async function readFile(chunks: Chunks, type: string, limits: BodyLimits, spool: (() => string) | null): Promise<Body> {
  const { file, size } = await save(chunks, limits.maxUploadBytes, spool);
  if (size === 0 || file === '') await rm(file, { force: true });
  const raw = new Uint8Array();
  return size === 0 || file === '' ? { raw } : { raw, upload: { name: '', filename: '', type, file, size } };
}

/** Writes chunks to a new file of the spool, each when the one before is written. @throws BodyError 413, leaving nothing */
async function save(chunks: Chunks, maxBytes: number, spool: (() => string) | null): Promise<{ file: string; size: number }> {
  let size = 0;
  const file = spool?.() ?? '';
  const handle = spool && (await open(file, 'wx'));
  try {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      if (handle) await handle.write(chunk);
    }
  } catch (error) {
    await handle?.close();
    if (handle) await rm(file, { force: true });
    throw error;
  }
  await handle?.close();
  return { file, size };
}

interface Multipart {
  readonly form: Params;
  readonly files: Upload[];
}

/** Parts as they come: fields to memory, files to disk. A name may nest (`meta[a]`) as in a query string. */
async function parseMultipart(
  chunks: Chunks,
  contentType: string,
  limits: BodyLimits,
  spool: (() => string) | null,
  claim: BodyClaim,
): Promise<Multipart> {
  const form = createParamsBuilder();
  const files: Upload[] = [];
  const saving: Promise<void>[] = [];
  let failure: Error | null = null;
  let fieldBytes = 0;
  const refuse = (error: Error): void => {
    failure ??=
      error instanceof BodyError || faultOf(error) !== null
        ? error
        : new BodyError(400, `The form cannot be read: ${error.message}`);
  };
  let parser: busboy.Busboy | undefined;
  try {
    parser = createParser(contentType, limits);
    parser.on('field', (name, value, { mimeType, valueTruncated }) => {
      fieldBytes += name.length + value.length;
      if (fieldBytes > limits.maxBytes || valueTruncated) return refuse(tooLarge(limits.maxBytes));
      try {
        claim.take(name.length + value.length);
      } catch (error) {
        return refuse(error as Error);
      }
      // A file input left empty comes as a part of bytes with an empty file name.
      if (value !== '' || mimeType !== 'application/octet-stream') form.add(name, value);
    });
    for (const limit of ['fieldsLimit', 'partsLimit'] as const) parser.on(limit, () => refuse(tooMany(limits.maxFields)));
    parser.on('file', (name: string | undefined, stream, { filename, mimeType }) => {
      // It may fail before it is read; the reader then gets the error.
      stream.on('error', () => {});
      const taken = save(chunksOf(stream), limits.maxUploadBytes, filename ? spool : null).then(({ file, size }) => {
        if (file !== '') files.push({ name: name ?? '', filename: filename ?? '', type: mimeType, file, size });
      });
      // Read to the end all the same: the parser waits for it.
      const failed = (error: Error): void => {
        refuse(error);
        stream.resume();
      };
      saving.push(taken.catch(failed));
    });
    parser.on('error', (error) => refuse(error as Error));
    const reading = parser;
    const closed = new Promise<void>((resolve) => reading.once('close', resolve));
    for await (const chunk of chunks) {
      if (failure !== null) break;
      if (!parser.write(chunk)) await Promise.race([once(parser, 'drain'), closed]);
    }
    if (failure === null) parser.end();
    else parser.destroy();
    await closed;
  } catch (error) {
    refuse(error as Error);
    // The client has gone: the files that wait for the rest of theirs end, too.
    parser?.destroy();
  }
  await Promise.all(saving);
  if (failure === null) return { form: form.build(), files };
  await dropFiles({ files });
  throw failure;
}

function createParser(contentType: string, limits: BodyLimits): busboy.Busboy {
  const { maxBytes: fieldSize, maxFiles: files, maxFields: fields } = limits;
  const sizes = { fieldNameSize: maxNameBytes, fieldSize, files, fields, parts: fields + 10 * files, headerPairs: 50 };
  return busboy({ headers: { 'content-type': contentType }, defParamCharset: 'utf8', limits: sizes });
}

function typeOf(contentType: string | null | undefined): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
