/**
 * From an answer of the dispatcher to status, headers and bytes: envelope, JSONP, validators, the headers every answer has.
 */
import type { Dialect } from '../rest/dialect.ts';
import { digestOf, Printed } from '../rest/printed.ts';
import type { RestRequest, RestResponse } from '../rest/types.ts';

export interface Written {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

const JSON_TYPE = 'application/json; charset=UTF-8';
const METHODS = 'OPTIONS, GET, POST, PUT, PATCH, DELETE';

/** @param home  site address, for the link that tells clients where the interface is */
export function writeResponse(request: RestRequest, response: RestResponse, home: string): Written {
  const { dialect, query, headers: asked } = request;
  const headers: Record<string, string> = commonHeaders(dialect, home, asked.origin);
  let { status, data } = response;
  const printed = data instanceof Printed ? data : null;
  const bytes = data instanceof Uint8Array ? (data as Uint8Array<ArrayBuffer>) : null;
  if (query._envelope !== undefined && !bytes) {
    data = { body: data ?? '', status, headers: Object.keys(response.headers).length > 0 ? response.headers : [] };
    status = 200;
  } else {
    for (const [name, value] of Object.entries(response.headers))
      headers[name] = name === 'Link' ? `${headers.Link}, ${value}` : String(value);
  }
  if (request.user) {
    headers['Cache-Control'] = 'no-cache, must-revalidate, max-age=0, no-store, private';
    headers.Expires = 'Wed, 11 Jan 1984 05:00:00 GMT';
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
  const isScript = !bytes && !form && typeof callback === 'string' && callback !== '';
  if (!bytes) headers['Content-Type'] = isScript ? 'application/javascript; charset=UTF-8' : (form?.type ?? JSON_TYPE);
  const body = bytes ?? printed?.bytes ?? (isScript ? `/**/${callback}(${text})` : text);
  if (status === 200 && (request.method === 'GET' || request.method === 'HEAD')) {
    headers.ETag = `"${state ? `${state}.` : ''}${printed?.digest ?? digestOf(body)}"`;
    if (matches(asked['if-none-match'], headers.ETag)) return { status: 304, headers: notModified(headers), body: null };
  } else if (state) headers.ETag = `"${state}"`;
  headers['Content-Length'] = String(Buffer.byteLength(body));
  return { status, headers, body: request.method === 'HEAD' ? null : body };
}

/** Whether a JSONP callback is a name and nothing else. */
export function isCallback(name: unknown): boolean {
  return typeof name !== 'string' || name === '' || /^[\w.]{1,128}$/.test(name);
}

function commonHeaders(dialect: Dialect, home: string, origin: string | undefined): Record<string, string> {
  return {
    'X-Robots-Tag': 'noindex',
    'X-Content-Type-Options': 'nosniff',
    Link: `<${home}${dialect.root}/>; rel="${dialect.relationUri('')}"`,
    'Access-Control-Expose-Headers': `${dialect.header('Total')}, ${dialect.header('TotalPages')}, Link`,
    'Access-Control-Allow-Headers': `Authorization, ${dialect.header('Nonce')}, Content-Disposition, Content-MD5, Content-Type`,
    ...(origin === undefined
      ? {}
      : {
          'Access-Control-Allow-Origin': origin,
          'Access-Control-Allow-Methods': METHODS,
          'Access-Control-Allow-Credentials': 'true',
        }),
    Vary: 'Origin',
  };
}

/** Whether an `If-None-Match` names the validator of an answer. Source: RFC 9110, 13.1.2. */
export function matches(wanted: string | undefined, etag: string | undefined): boolean {
  if (wanted === undefined) return false;
  return wanted === etag || wanted.trim() === '*' || wanted.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** The headers of an answer without those of its body. */
export function notModified({ 'Content-Type': _type, 'Content-Length': _length, ...rest }: Record<string, string>) {
  return rest;
}
