/**
 * Request bodies: bytes and a content type become JSON, form fields and files, within limits.
 *
 * JSON is read whatever the method; a body that is no JSON object gives no parameters. Names that could reach a
 * prototype are dropped at every depth.
 */
import busboy from 'busboy';
import { fail } from '../errors.ts';
import { createParamsBuilder, isUnsafeKey, parseQuery } from './params.ts';
import type { Params, Upload } from './types.ts';

export interface Body {
  /** Members of a JSON object. */
  readonly json?: Params;
  /** Fields of a form, url-encoded or multipart. */
  readonly form?: Params;
  readonly files?: readonly Upload[];
  /** The bytes as sent; empty for multipart, whose parts are in `form` and `files`. */
  readonly raw: Uint8Array;
}

export interface BodyLimits {
  /** Of the whole body. */
  readonly maxBytes: number;
  /** Nesting levels of JSON. */
  readonly maxDepth: number;
  /** Files of a multipart form; further ones are left out. */
  readonly maxFiles: number;
}

export const defaultLimits: BodyLimits = { maxBytes: 32 * 1024 * 1024, maxDepth: 128, maxFiles: 20 };

/** A body the server cannot take in. The server answers with its status; it is no matter of any route. */
export class BodyError extends Error {
  readonly status: 400 | 413;
  constructor(status: 400 | 413, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * @param input  bytes, a Node or web stream, or null for no body
 * @param contentType  of the request, null when it has none
 * @throws RestError rest_invalid_json; BodyError 413 for too many bytes, 400 for a broken multipart form
 */
export async function readBody(
  input: Uint8Array | AsyncIterable<Uint8Array> | null,
  contentType: string | null | undefined,
  limits: BodyLimits = defaultLimits,
): Promise<Body> {
  const raw = await collect(input, limits.maxBytes);
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (raw.length === 0) return { raw };
  if (isJson(type)) {
    const json = parseJson(raw, limits.maxDepth);
    return json ? { json, raw } : { raw };
  }
  if (type === 'application/x-www-form-urlencoded') return { form: parseQuery(new TextDecoder().decode(raw)), raw };
  if (type === 'multipart/form-data') return { ...(await parseMultipart(raw, contentType ?? '', limits)), raw: new Uint8Array() };
  return { raw };
}

/** `application/json` and `application/*+json`. */
export function isJson(type: string): boolean {
  return /^application\/(?:[\w!#$&.+^-]+\+)?json$/i.test(type);
}

/**
 * Members of a JSON object, undefined for any other JSON value.
 *
 * @throws RestError rest_invalid_json with `json_error_code`, the number PHP gives the fault: 1 depth, 3 a control
 *         character or an open text, 4 syntax, 5 UTF-8, 10 half a surrogate pair
 */
export function parseJson(bytes: Uint8Array, maxDepth: number = defaultLimits.maxDepth): Params | undefined {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return failJson(5);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return failJson(/^(?:Bad control|Unterminated string)/.test((error as Error).message) ? 3 : 4);
  }
  // Text that is UTF-8 can hold half a pair only as an escape.
  const clean = cleanJson(value, maxDepth, text.includes('\\u'));
  return typeof clean === 'object' && clean !== null && !Array.isArray(clean) ? (clean as Params) : undefined;
}

const JSON_FAULTS = {
  1: 'Maximum stack depth exceeded',
  3: 'Control character error, possibly incorrectly encoded',
  4: 'Syntax error',
  5: 'Malformed UTF-8 characters, possibly incorrectly encoded',
  10: 'Single unpaired surrogate in Unicode escape',
} as const;

function failJson(code: keyof typeof JSON_FAULTS): never {
  fail('rest_invalid_json', { status: 400, json_error_code: code, json_error_message: JSON_FAULTS[code] });
}

/** In place: the value was just parsed and is nobody else's. */
function cleanJson(value: unknown, depth: number, escapes: boolean): unknown {
  if (typeof value === 'string') return escapes ? checkPairs(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) failJson(1);
  if (Array.isArray(value)) {
    for (const item of value) cleanJson(item, depth - 1, escapes);
    return value;
  }
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    if (escapes) checkPairs(name);
    if (isUnsafeKey(name)) delete members[name];
    else cleanJson(members[name], depth - 1, escapes);
  }
  return members;
}

function checkPairs(text: string): string {
  if (/\p{Surrogate}/u.test(text)) failJson(10);
  return text;
}

async function collect(input: Uint8Array | AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<Uint8Array> {
  const tooLarge = (size: number): void => {
    if (size > maxBytes) throw new BodyError(413, `The body is larger than ${maxBytes} bytes.`);
  };
  if (input === null) return new Uint8Array();
  if (input instanceof Uint8Array) {
    tooLarge(input.length);
    return input;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of input) {
    size += chunk.length;
    tooLarge(size);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks, size);
}

/** Sizes are bounded by the body's own; a name may nest (`meta[a]`) as in a query string. */
function parseMultipart(raw: Uint8Array, contentType: string, limits: BodyLimits): Promise<{ form: Params; files: Upload[] }> {
  const form = createParamsBuilder();
  const files: Upload[] = [];
  return new Promise((resolve, reject) => {
    const broken = (error: unknown): void => reject(new BodyError(400, `The form cannot be read: ${(error as Error).message}`));
    try {
      const sizes = { fieldSize: limits.maxBytes, fileSize: limits.maxBytes, files: limits.maxFiles, fields: 1000 };
      const parser = busboy({ headers: { 'content-type': contentType }, defParamCharset: 'utf8', limits: sizes });
      parser.on('field', (name, value, { mimeType }) => {
        // A file input left empty comes as a part of bytes with an empty file name.
        if (value !== '' || mimeType !== 'application/octet-stream') form.add(name, value);
      });
      parser.on('file', (name, stream, { filename, mimeType }) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('error', broken);
        stream.on('end', () => {
          if (filename) files.push({ name, filename, type: mimeType, bytes: Buffer.concat(chunks) });
        });
      });
      parser.on('error', broken);
      parser.on('close', () => resolve({ form: form.build(), files }));
      parser.end(raw);
    } catch (error) {
      broken(error);
    }
  });
}
