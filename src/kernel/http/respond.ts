/**
 * From an answer of the dispatcher to status, headers and bytes: envelope, JSONP, validators, the headers every answer has.
 */
import type { Dialect } from '../rest/dialect.ts';
import { EventStream, eventStreamType } from '../rest/event-stream.ts';
import { digestOf, SerializedJson } from '../rest/serialized-json.ts';
import type { RestRequest, RestResponse } from '../rest/request.ts';

export interface Written {
  readonly status: number;
  /** Names and values in turns, as `node:http` takes them without copying. */
  readonly headers: string[];
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  /** In place of a body. */
  readonly stream?: EventStream;
}

const nobody: ReadonlySet<string> = new Set();
const JSON_TYPE = 'application/json; charset=UTF-8';
const longText = 256 * 1024;
/** Shorter ones are sent with the head of the answer, as one string. */
const shortText = 4096;
const METHODS = 'OPTIONS, GET, POST, PUT, PATCH, DELETE';

interface WriteOptions {
  /** Site URL, for the link to the API. */
  readonly home: string;
  /** Origins whose pages may send credentials along. */
  readonly trusted?: ReadonlySet<string>;
  /** Headers of modules that pages of other origins may send. */
  readonly requestHeaders?: readonly string[] | undefined;
  /** Seconds for `Strict-Transport-Security`, if `home` is HTTPS. */
  readonly hsts?: number;
  /** Memory for a body. */
  readonly allocate?: (length: number) => Buffer<ArrayBuffer>;
}

export function writeResponse(
  request: RestRequest,
  response: RestResponse,
  { home, trusted = nobody, requestHeaders, hsts = 0, allocate = Buffer.allocUnsafe }: WriteOptions,
): Written {
  const { dialect, query, headers: asked } = request;
  const { link: plain, others } = commonHeaders(dialect, home, requestHeaders, hsts);
  const link = request.address ? linkTo(dialect, home + request.address.prefix) : plain;
  const headers = others.slice();
  let { status, data } = response;
  const printed = data instanceof SerializedJson ? data : null;
  const bytes = data instanceof Uint8Array ? (data as Uint8Array<ArrayBuffer>) : null;
  const own = response.headers;
  const stream = data instanceof EventStream ? data : null;
  const isEnvelope = query._envelope !== undefined && !bytes && !stream;
  if (isEnvelope) {
    data = { body: data ?? '', status, headers: Object.keys(own).length > 0 ? own : [] };
    status = 200;
  } else for (const name in own) if (name !== 'Link') put(headers, name, headerValue(String(own[name])));
  for (const name in response.outer) put(headers, name, headerValue(String(response.outer[name])));
  headers.push('Link', isEnvelope || own.Link === undefined ? link : headerValue(`${link}, ${own.Link}`));
  if (asked.origin !== undefined) {
    headers.push('Access-Control-Allow-Origin', asked.origin, 'Access-Control-Allow-Methods', METHODS);
    if (trusted.has(asked.origin)) headers.push('Access-Control-Allow-Credentials', 'true');
  }
  if (status === 204) return { status, headers, body: null };
  for (const name in request.told) put(headers, dialect.header(name), request.told[name] as string);
  if (request.user) {
    put(headers, 'Cache-Control', 'no-cache, must-revalidate, max-age=0, no-store, private');
    put(headers, 'Expires', 'Wed, 11 Jan 1984 05:00:00 GMT');
  }
  if (stream) {
    put(headers, 'Content-Type', eventStreamType);
    return request.method === 'HEAD' ? { status, headers, body: null } : { status, headers, body: null, stream };
  }
  const { state } = response;
  const form = query._envelope === undefined ? response.form : undefined;
  const text =
    data === undefined || bytes || printed
      ? ''
      : form
        ? form.print(data)
        : JSON.stringify(data, null, query._pretty === undefined ? undefined : 4);
  const callback = query._jsonp;
  const isScript = !bytes && !form && !request.user && callback !== '' && typeof callback === 'string' && isCallback(callback);
  if (!bytes) put(headers, 'Content-Type', isScript ? 'application/javascript; charset=UTF-8' : (form?.type ?? JSON_TYPE));
  const body = bytes ?? printed ?? sent(isScript ? `/**/${callback}(${text})` : text);
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  put(headers, 'Vary', varyOf(length, headerOf(headers, 'Content-Type'), headerOf(headers, 'Vary')));
  if (status === 200 && (request.method === 'GET' || request.method === 'HEAD')) {
    const etag = `"${state ? `${state}.` : ''}${body instanceof SerializedJson ? body.digest : digestOf(body)}"`;
    put(headers, 'ETag', etag);
    if (matches(asked['if-none-match'], etag)) return { status: 304, headers: notModified(headers), body: null };
  } else if (state) put(headers, 'ETag', `"${state}"`);
  put(headers, 'Content-Length', String(length));
  if (request.method === 'HEAD') return { status, headers, body: null };
  if (body instanceof SerializedJson) return { status, headers, body: body.join(allocate) };
  if (typeof body !== 'string' || length < shortText) return { status, headers, body };
  // As a string it would be joined with the head of the answer, which copies it twice.
  const encoded = allocate(length);
  encoded.write(body, length === body.length ? 'latin1' : 'utf8');
  return { status, headers, body: encoded };
}

/** A long text becomes bytes once, and not for its length, its digest and the connection each. */
function sent(text: string): string | Buffer<ArrayBuffer> {
  return text.length > longText ? Buffer.from(text) : text;
}

/** A header's value without what no header can hold: other characters than those of addresses are encoded, line ends gone. */
export function headerValue(text: string): string {
  if (!/[^\t\x20-\x7e\x80-\xff]/.test(text)) return text;
  const encode = (character: string): string => (character < ' ' || character === '\x7f' ? '' : encodeURIComponent(character));
  // Half a surrogate pair has no encoding.
  return text.replace(/\p{Cs}/gu, '\uFFFD').replace(/[^\t\x20-\x7e]/gu, encode);
}

/** Sets a header in place of the one of that name. */
function put(headers: string[], name: string, value: string): void {
  for (let at = 0; at < headers.length; at += 2) {
    if (headers[at] === name) {
      headers[at + 1] = value;
      return;
    }
  }
  headers.push(name, value);
}

/** The value of a header, in the spelling it is written in. */
export function headerOf(headers: readonly string[], name: string): string | undefined {
  for (let at = 0; at < headers.length; at += 2) if (headers[at] === name) return headers[at + 1];
  return undefined;
}

/** Whether a JSONP callback is a name and nothing else. */
export function isCallback(name: unknown): boolean {
  return typeof name !== 'string' || name === '' || /^[\w.]{1,128}$/.test(name);
}

interface Common extends Pick<WriteOptions, 'home' | 'requestHeaders' | 'hsts'> {
  readonly link: string;
  /** Names and values in turns. */
  readonly others: readonly string[];
}

const common = new Map<Dialect, Common>();

/** What every answer of a site in a dialect has. */
function commonHeaders(dialect: Dialect, home: string, requestHeaders: Common['requestHeaders'], hsts: number): Common {
  const known = common.get(dialect);
  if (known?.home === home && known.requestHeaders === requestHeaders && known.hsts === hsts) return known;
  const others = {
    'X-Robots-Tag': 'noindex',
    'Access-Control-Expose-Headers': `${dialect.header('Total')}, ${dialect.header('TotalPages')}, ${dialect.header('Seq')}, Link, ETag, Location, Retry-After`,
    'Access-Control-Allow-Headers': `Authorization, ${dialect.header('Nonce')}, Content-Disposition, Content-MD5, Content-Type, If-Match, If-None-Match, Cache-Control, X-HTTP-Method-Override, X-Request-Id${requestHeaders?.map((name) => `, ${name.replace(/^X-CMS-(.*)/, (_, own: string) => dialect.header(own))}`).join('') ?? ''}`,
    Vary: 'Origin',
    ...guardHeaders(home, hsts),
  };
  const made = { home, requestHeaders, hsts, link: linkTo(dialect, home), others: Object.entries(others).flat() };
  common.set(dialect, made);
  return made;
}

/** What every answer has: its type is what it says, and browsers keep to HTTPS where the public address has it. Source: RFC 6797, 6.1. */
export function guardHeaders(home: string, hsts: number): Readonly<Record<string, string>> {
  const typed = { 'X-Content-Type-Options': 'nosniff' };
  return hsts > 0 && home.startsWith('https:') ? { ...typed, 'Strict-Transport-Security': `max-age=${hsts}` } : typed;
}

/** The link to the API. */
function linkTo({ root, relationUri }: Dialect, home: string): string {
  return headerValue(`<${home}${root}/>; rel="${relationUri('')}"`);
}

/** Whether an `If-None-Match` names the validator of an answer. Source: RFC 9110, 13.1.2. */
export function matches(wanted: string | undefined, etag: string | undefined): boolean {
  if (wanted === undefined) return false;
  return wanted === etag || wanted.trim() === '*' || wanted.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** `Vary` of a response, which says whether it is worth compressing: the layer around the server reads that. */
export function varyOf(bytes: number, type = '', vary = ''): string {
  const isText = /^(?:text\/|image\/svg|application\/(?:[\w.+-]+\+)?(?:json|xml|javascript))/.test(type);
  return bytes < 1024 || !isText ? vary : `${vary}${vary && ', '}Accept-Encoding`;
}

/** The headers of an answer without those of its body. */
export function notModified(headers: readonly string[]): string[] {
  return headers.filter((_, at) => !ofBody.has(headers[at - (at % 2)] as string));
}

const ofBody: ReadonlySet<string> = new Set(['Content-Type', 'Content-Length']);
