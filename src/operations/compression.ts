/**
 * Answers sent compressed to those who take that. It stands around whatever answers, and looks at nothing but the answers that say
 * `Vary: Accept-Encoding`: texts of 1 KB and more (`varyOf` of `kernel/http/respond.ts`).
 *
 * A compressed answer is a representation of its own: its validator is the other one with the coding behind it, `"x"` and `"x:br"`, and
 * `If-None-Match` is read by either. What the front cache holds is compressed once, and what came of it kept as long as it is asked for.
 *
 * What a user gets from a page of another site is never compressed: that page could put text of its own beside secrets, and tell from
 * the length whether they are alike (BREACH). Browsers say so (`Sec-Fetch-Site`), and nobody else sends credentials that are not theirs.
 * Source: RFC 9110, 8.8.3.3 (validators of codings) and 12.5.3 (`Accept-Encoding`).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Around } from '../kernel/http/connections.ts';
import { headerOf } from '../kernel/http/respond.ts';
import { createAgingCache } from '../kernel/records/aging-cache.ts';
import { type Accepted, type Coding, readAccepted } from './codings.ts';

/** @param isKept  the bytes will be sent again and again: worth more work */
export type Encode = (bytes: Uint8Array, coding: Coding, isKept: boolean) => Promise<Uint8Array>;

interface CompressionOptions {
  readonly encode?: Encode;
  /** Of what is kept, with the answers it was made of. */
  readonly maxBytes?: number;
}

/** Longer answers go as they are. */
const longest = 8 * 1024 * 1024;
/** Answers that are being compressed; what comes meanwhile goes as it is. */
const maxAtOnce = 16;
/** Without a body, or a part of one. */
const bodiless: ReadonlySet<number> = new Set([204, 206, 304]);

export function createCompression({ encode = compressed, maxBytes = 32 * 1024 * 1024 }: CompressionOptions = {}): Around {
  const coder = createCoder(encode, maxBytes);
  return (handle) => (incoming, outgoing) => {
    const accepted = readAccepted(incoming.headers['accept-encoding']);
    const named = readValidators(incoming, accepted);
    if (accepted.best === null && named === null) return handle(incoming, outgoing);
    const sending = new Sending(incoming, outgoing, coder, accepted.best, named);
    handle(incoming, outgoing);
    sending.isAtOnce = false;
  };
}

/**
 * Reads validators of compressed answers as those of what was compressed, where whoever asks takes the coding.
 * @returns the header as it came; null where it names no such validator
 */
function readValidators({ headers, rawHeaders }: IncomingMessage, accepted: Accepted): string | null {
  const named = headers['if-none-match'];
  if (named === undefined || !/:(?:br|gzip)"/.test(named)) return null;
  const plain = named.replace(/"([^"]*):(br|gzip)"/g, (tag, own: string, coding: Coding) =>
    accepted.takes(coding) ? `"${own}"` : tag,
  );
  headers['if-none-match'] = plain;
  // These are what another worker is asked with.
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() === 'if-none-match') rawHeaders[at + 1] = plain;
  return named;
}

const codedTag = (tag: string, coding: Coding): string => `${tag.slice(0, -1)}:${coding}"`;

/** Names and values in turns. */
type Headers = readonly string[];

interface Head {
  readonly status: number;
  readonly text: string | undefined;
  readonly headers: Headers;
}

/** One answer on its way: held back until all of it is there. */
class Sending {
  /** Nothing was awaited since the request came: the answer is one that is kept. */
  isAtOnce = true;
  readonly #outgoing: ServerResponse;
  readonly #own: Pick<ServerResponse, 'writeHead' | 'write' | 'end'>;
  readonly #incoming: IncomingMessage;
  readonly #coder: Coder;
  readonly #coding: Coding | null;
  readonly #named: string | null;
  #head: Head | null = null;
  #parts: Uint8Array[] = [];
  #length = 0;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, coder: Coder, coding: Coding | null, named: string | null) {
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#coder = coder;
    this.#coding = coding;
    this.#named = named;
    const { writeHead, write, end } = outgoing;
    this.#own = { writeHead, write, end };
    outgoing.writeHead = ((...args: unknown[]) => this.#begin(args)) as never;
  }

  #begin(args: readonly unknown[]): ServerResponse {
    this.#head = null;
    const [status, headers] = [args[0] as number, args.at(-1)];
    const text = typeof args[1] === 'string' ? args[1] : undefined;
    const outgoing = this.#outgoing;
    if (!Array.isArray(headers)) this.#passOn();
    else if (status === 304) {
      this.#passOn();
      return outgoing.writeHead(status, text, this.#namedAsAsked(headers));
    } else if (this.#coding === null || !isForCoding(this.#incoming, status, headers)) this.#passOn();
    else {
      this.#head = { status, text, headers };
      outgoing.write = ((part: unknown, ...more: unknown[]) => this.#take(part, more)) as never;
      outgoing.end = ((...parts: unknown[]) => this.#end(parts)) as never;
      return outgoing;
    }
    return outgoing.writeHead(...(args as Parameters<ServerResponse['writeHead']>));
  }

  /** From now on the connection gets what it is given. */
  #passOn(): void {
    Object.assign(this.#outgoing, this.#own);
  }

  /** The validator that was asked about is the one that is answered: a cache looks for it among what it has. */
  #namedAsAsked(headers: Headers): string[] {
    const etag = headerOf(headers, 'ETag') ?? headerOf(headers, 'etag');
    if (this.#named === null || etag === undefined) return [...headers];
    const tags = this.#named.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
    const order = [...(this.#coding ? [codedTag(etag, this.#coding)] : []), etag, codedTag(etag, 'br'), codedTag(etag, 'gzip')];
    const told = order.find((tag) => tags.includes(tag)) ?? etag;
    return headers.map((value, at) => (at % 2 === 1 && value === etag ? told : value));
  }

  #take(part: unknown, more: readonly unknown[]): boolean {
    const bytes = bytesOf(part, more[0]);
    this.#length += bytes.length;
    this.#parts.push(bytes);
    if (this.#length > longest) this.#flush();
    const done = more.at(-1);
    if (typeof done === 'function') process.nextTick(done as () => void);
    return true;
  }

  #end(parts: readonly unknown[]): ServerResponse {
    const done = parts.at(-1);
    const call = typeof done === 'function' ? (done as () => void) : undefined;
    const [last, encoding] = parts;
    const isWhole = this.#parts.length === 0;
    if (last !== undefined && last !== null && typeof last !== 'function') this.#parts.push(bytesOf(last, encoding));
    const body = this.#parts.length === 1 ? (this.#parts[0] as Uint8Array) : Buffer.concat(this.#parts);
    this.#parts = [body];
    if (this.#incoming.method === 'HEAD') return this.#sendCoded(null, call);
    const isKept = isWhole && this.isAtOnce;
    const coded = body.length > longest ? null : this.#coder.code(body, this.#coding as Coding, isKept);
    if (coded instanceof Uint8Array) return this.#sendCoded(coded, call);
    if (coded === null) return this.#sendPlain(call);
    void coded.then(
      (bytes) => this.#sendCoded(bytes, call),
      () => this.#sendPlain(call),
    );
    return this.#outgoing;
  }

  /** @param bytes  null: of an answer without a body */
  #sendCoded(bytes: Uint8Array | null, done?: () => void): ServerResponse {
    this.#passOn();
    const { status, text, headers } = this.#head as Head;
    const known = bytes ? this.#coder.heads.get(bytes) : undefined;
    const isRead = this.#incoming.method === 'GET' || this.#incoming.method === 'HEAD';
    const told =
      known?.of === headers ? known.told : codedHeaders(headers, this.#coding as Coding, bytes?.length, isRead && status === 200);
    if (bytes && known?.told !== told) this.#coder.heads.set(bytes, { of: headers, told });
    return this.#outgoing.writeHead(status, text, told).end(bytes ?? undefined, done);
  }

  #sendPlain(done?: () => void): ServerResponse {
    return this.#flush().end(done);
  }

  /** What there is of the answer, as it is. */
  #flush(): ServerResponse {
    this.#passOn();
    const { status, text, headers } = this.#head as Head;
    this.#outgoing.writeHead(status, text, headers as string[]);
    for (const part of this.#parts) this.#outgoing.write(part);
    this.#parts = [];
    return this.#outgoing;
  }
}

function isForCoding({ headers: asked }: IncomingMessage, status: number, headers: Headers): boolean {
  if (bodiless.has(status)) return false;
  let isText = false;
  for (let at = 0; at < headers.length; at += 2) {
    const [name, value] = [headers[at] as string, headers[at + 1] as string];
    // Longer names are none of these.
    if (name.length > 16) continue;
    const lower = name.toLowerCase();
    if (lower === 'content-encoding') return false;
    if (lower === 'vary') isText = /accept-encoding/i.test(value);
    else if (lower === 'cache-control' && value.includes('no-store') && isFromElsewhere(asked)) return false;
  }
  return isText;
}

/** Whether a page of another site asks. Without the header nobody's browser asks, or one whose connection anybody can read. */
function isFromElsewhere(asked: IncomingMessage['headers']): boolean {
  const site = asked['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

function codedHeaders(headers: Headers, coding: Coding, length: number | undefined, isRead: boolean): string[] {
  const told: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    const [name, value] = [headers[at] as string, headers[at + 1] as string];
    const lower = name.length > 14 ? '' : name.toLowerCase();
    if (lower === 'etag') told.push(name, isRead && value.endsWith('"') ? codedTag(value, coding) : value);
    else if (lower !== 'content-length') told.push(name, value);
  }
  told.push('Content-Encoding', coding);
  if (length !== undefined) told.push('Content-Length', String(length));
  return told;
}

function bytesOf(part: unknown, encoding: unknown): Uint8Array {
  if (part instanceof Uint8Array) return part;
  return Buffer.from(String(part), typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8');
}

interface Coder {
  /** Headers that compressed bytes went out with, and those of the answer they were made of: what is kept has the same each time. */
  readonly heads: WeakMap<Uint8Array, { readonly of: Headers; readonly told: string[] }>;
  /** At once where that is kept; null: there is too much to do. */
  code(bytes: Uint8Array, coding: Coding, isKept: boolean): Uint8Array | Promise<Uint8Array> | null;
}

function createCoder(encode: Encode, maxBytes: number): Coder {
  const kept = createAgingCache<{ readonly bytes: Uint8Array; readonly weight: number }>(maxBytes, ({ weight }) => weight);
  /** Of what will be kept: those who come meanwhile wait for the same. */
  const making = new Map<Coding, WeakMap<Uint8Array, Promise<Uint8Array>>>([
    ['br', new WeakMap()],
    ['gzip', new WeakMap()],
  ]);
  let atOnce = 0;
  return {
    heads: new WeakMap(),
    code(body, coding, isKept) {
      const known = isKept ? kept.get(coding, body) : undefined;
      if (known) return known.bytes;
      const begun = isKept ? making.get(coding)?.get(body) : undefined;
      if (begun !== undefined) return begun;
      if (atOnce >= maxAtOnce) return null;
      atOnce++;
      const task = encode(body, coding, isKept)
        .then((bytes) => {
          if (isKept) kept.set(coding, body, { bytes, weight: bytes.length + body.length });
          return bytes;
        })
        .finally(() => {
          atOnce--;
          making.get(coding)?.delete(body);
        });
      if (isKept) making.get(coding)?.set(body, task);
      return task;
    },
  };
}

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)];

/** In a thread. Work for one answer takes about as long as sending it does; what is kept gets a tenth smaller for ten times that. */
function compressed(bytes: Uint8Array, coding: Coding, isKept: boolean): Promise<Uint8Array> {
  if (coding === 'gzip') return zip(bytes, { level: isKept ? 9 : 5 });
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT, BROTLI_PARAM_LGWIN, BROTLI_PARAM_MODE, BROTLI_MODE_TEXT } = constants;
  const window = Math.min(22, Math.max(16, 32 - Math.clz32(bytes.length)));
  return brotli(bytes, {
    params: {
      [BROTLI_PARAM_QUALITY]: isKept ? 9 : 4,
      [BROTLI_PARAM_SIZE_HINT]: bytes.length,
      [BROTLI_PARAM_LGWIN]: window,
      [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT,
    },
  });
}
