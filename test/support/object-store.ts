/**
 * A small S3-compatible store in memory, for tests: it checks the signature of each request by the documented algorithm, digest and length
 * of each body, and answers as the service is documented to. Faults are put in by the test.
 *
 * Source: Amazon S3 API reference; "Signature Calculations for the Authorization Header: Transferring Payload in a Single Chunk".
 */
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { vi } from 'vitest';

export const keyId = 'AKIDEXAMPLE';
export const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const region = 'eu-test-1';
const bucket = 'harbour-media';

export interface HeldObject {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly mtimeMs: number;
}

/** Takes part in a request before it is carried out; true: it has answered. */
export type Meddler = (request: IncomingMessage, response: ServerResponse, key: string) => boolean | Promise<boolean>;

export interface ObjectStore {
  readonly url: string;
  /** As the operator names it. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly objects: Map<string, HeldObject>;
  /** `PUT 2026/03/cat.jpg` */
  readonly asked: string[];
  meddle: Meddler | null;
  pageSize: number;
  /** Nobody listens until it is back. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

export async function startObjectStore(): Promise<ObjectStore> {
  const objects = new Map<string, HeldObject>();
  const server = createServer((request, response) => {
    answer(store, request, response).catch((error: unknown) => {
      if (!response.headersSent) refuse(response, 500, 'InternalError', String(error));
      else response.destroy();
    });
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const url = `http://127.0.0.1:${port}`;
  const store: ObjectStore = {
    url,
    settings: {
      endpoint: url,
      bucket,
      region,
      prefix: 'site',
      access_key_env: 'TEST_S3_KEY',
      secret_key_env: 'TEST_S3_SECRET',
      timeout_ms: 1500,
    },
    objects,
    asked: [],
    meddle: null,
    pageSize: 1000,
    goAway: stop,
    comeBack: () => listen(port),
    async close() {
      vi.unstubAllEnvs();
      if (server.listening) await stop();
    },
  };
  vi.stubEnv('TEST_S3_KEY', keyId);
  vi.stubEnv('TEST_S3_SECRET', secret);
  return store;
}

async function answer(store: ObjectStore, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', headers } = request;
  const [path = '', search = ''] = (request.url ?? '').split('?');
  const segments = path.split('/').slice(1).map(decodeURIComponent);
  const key = segments.slice(1).join('/');
  store.asked.push(`${method} ${key}${search === '' ? '' : `?${search}`}`);
  if (store.meddle && (await store.meddle(request, response, key))) return;
  const body = await buffer(request);
  const fault = signatureFault(request, path, search);
  if (fault !== null) return refuse(response, 403, fault);
  if (segments[0] !== bucket) return refuse(response, 404, 'NoSuchBucket');
  const sha256 = createHash('sha256').update(body).digest('hex');
  if (headers['x-amz-content-sha256'] !== sha256) return refuse(response, 400, 'XAmzContentSHA256Mismatch');
  if (method === 'PUT' && headers['content-length'] === undefined) return refuse(response, 411, 'MissingContentLength');
  const own = { 'x-amz-request-id': 'test', date: new Date().toUTCString() };
  if (method === 'PUT') {
    const kept = Object.entries(headers).filter(([name]) =>
      /^(?:content-type|cache-control|content-disposition|x-amz-meta-.*)$/.test(name),
    );
    store.objects.set(key, { bytes: body, headers: Object.fromEntries(kept) as Record<string, string>, mtimeMs: Date.now() });
    return void response.writeHead(200, { ...own, etag: etagOf(body) }).end();
  }
  if (method === 'DELETE') {
    store.objects.delete(key);
    return void response.writeHead(204, own).end();
  }
  if (key === '') return list(store, new URLSearchParams(search), response, own);
  const found = store.objects.get(key);
  if (!found) return refuse(response, 404, 'NoSuchKey');
  const said = {
    ...own,
    ...found.headers,
    'content-length': found.bytes.length,
    'last-modified': new Date(found.mtimeMs).toUTCString(),
    etag: etagOf(found.bytes),
  };
  response.writeHead(200, said).end(method === 'HEAD' ? undefined : found.bytes);
}

function list(store: ObjectStore, query: URLSearchParams, response: ServerResponse, own: Record<string, string>): void {
  if (query.get('list-type') !== '2') {
    refuse(response, 400, 'InvalidArgument');
    return;
  }
  const prefix = query.get('prefix') ?? '';
  const after = Buffer.from(query.get('continuation-token') ?? '', 'base64').toString('utf8');
  const keys = [...store.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const page = keys.slice(0, Math.min(store.pageSize, Number(query.get('max-keys') ?? 1000)));
  const isUrl = query.get('encoding-type') === 'url';
  const shown = (key: string) => (isUrl ? encodeURIComponent(key).replace(/%2F/g, '/').replace(/%20/g, '+') : escaped(key));
  const rows = page.map((key) => {
    const { bytes, mtimeMs } = store.objects.get(key) as HeldObject;
    const at = new Date(mtimeMs).toISOString();
    return `<Contents><Key>${shown(key)}</Key><LastModified>${at}</LastModified><ETag>&quot;x&quot;</ETag><Size>${bytes.length}</Size></Contents>`;
  });
  const more = page.length < keys.length;
  const token = Buffer.from(page.at(-1) ?? '').toString('base64');
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${bucket}</Name><IsTruncated>${more}</IsTruncated>${
    isUrl ? '<EncodingType>url</EncodingType>' : ''
  }${rows.join('')}${more ? `<NextContinuationToken>${token}</NextContinuationToken>` : ''}</ListBucketResult>`;
  response.writeHead(200, { ...own, 'content-type': 'application/xml' }).end(xml);
}

/** The code of what is wrong with the signature of a request; null: it is right. Nothing of what signed it is used. */
function signatureFault({ method, headers }: IncomingMessage, path: string, search: string): string | null {
  const said =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    );
  if (!said) return 'AccessDenied';
  const [, id, day, place, names = '', signature] = said;
  if (id !== keyId) return 'InvalidAccessKeyId';
  if (place !== region) return 'AuthorizationHeaderMalformed';
  const time = String(headers['x-amz-date']);
  const at = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!time.startsWith(day as string) || Math.abs(at - Date.now()) > 15 * 60_000) return 'RequestTimeTooSkewed';
  const signed = names.split(';');
  const needed = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))];
  if (needed.some((name) => !signed.includes(name))) return 'AccessDenied';
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const query = [...new URLSearchParams(search)].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort();
  const canonical = [
    method,
    path
      .split('/')
      .map((part) => encode(decodeURIComponent(part)))
      .join('/'),
    query.join('&'),
    ...signed.map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(canonical).digest('hex')].join('\n');
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const signing = hmac(hmac(hmac(hmac(`AWS4${secret}`, day as string), region), 's3'), 'aws4_request');
  return createHmac('sha256', signing).update(toSign).digest('hex') === signature ? null : 'SignatureDoesNotMatch';
}

export function refuse(response: ServerResponse, status: number, code: string, message = ''): void {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${escaped(message)}</Message></Error>`;
  response.writeHead(status, { 'content-type': 'application/xml', date: new Date().toUTCString() });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

function etagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`;
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
