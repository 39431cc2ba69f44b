import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../src/kernel/http/ip-ranges.ts';
import { createFetcher, createOperatorFetcher, FetchError, ownOrigins, textOf } from '../../src/http-client/fetch.ts';
import { type Page, startUpstream, type Upstream } from '../support/upstream.ts';
import { readOperator } from '../../src/kernel/model/operator.ts';

let upstream: Upstream;
let other: Upstream;

beforeAll(async () => {
  const told: Page = ({ headers }, response) => void response.end(JSON.stringify([headers.authorization, headers['x-plain']]));
  other = await startUpstream(() => ({ '/secret': 'secret', '/told': told }));
  upstream = await startUpstream((url) => ({
    '/': 'hello',
    '/long': 'x'.repeat(100_000),
    '/here': { status: 302, headers: { location: '/' } },
    '/loop': { status: 301, headers: { location: '/loop' } },
    '/inside': { status: 302, headers: { location: `${other.url}/secret` } },
    '/metadata': { status: 307, headers: { location: 'http://169.254.169.254/latest/' } },
    '/file': { status: 302, headers: { location: 'file:///etc/passwd' } },
    '/credentials': { status: 302, headers: { location: url.replace('//', '//me:secret@') } },
    '/told': told,
    '/echo': async (request, response) =>
      void response.writeHead(429).end(`${request.method} ${request.headers['x-plain']} ${await text(request)}`),
    '/elsewhere': { status: 302, headers: { location: `${other.url}/told` } },
    '/packed': (_request, response) =>
      void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('y'.repeat(50_000))),
    '/short': (_request, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('abc');
      setImmediate(() => response.destroy());
    },
    '/never': () => {},
    '/drip': (_request, response) => void response.writeHead(200).write('a'),
  }));
});

afterAll(async () => {
  await upstream.close();
  await other.close();
});

const refusedBy = (promise: Promise<unknown>) =>
  promise.then(
    () => 'answered',
    (error: unknown) => (error instanceof FetchError ? (error.refused ? 'refused' : 'failed') : error),
  );

describe('requests of the HTTP client', () => {
  const fetcher = createFetcher();
  const rows: readonly (readonly [address: string, open: boolean])[] = [
    ['https://example.com/page?x=1#y', true],
    ['http://example.com:8080/', true],
    ['http://8.8.8.8/', true],
    ['http://[2606:4700::1111]/', true],
    ['', false],
    ['/relative', false],
    ['ftp://example.com/', false],
    ['file:///etc/passwd', false],
    ['javascript:alert(1)', false],
    ['http://me@example.com/', false],
    ['http://me:secret@example.com/', false],
    ['http://example.com:22/', false],
    ['http://example.com:4180/', false],
    ['http://127.0.0.1/', false],
    ['http://127.1/', false],
    ['http://2130706433/', false],
    ['http://0x7f.0.0.1/', false],
    ['http://0177.0.0.1/', false],
    ['http://0.0.0.0/', false],
    ['http://10.1.2.3/', false],
    ['http://100.64.0.1/', false],
    ['http://169.254.169.254/latest/meta-data/', false],
    ['http://172.31.255.255/', false],
    ['http://172.32.0.1/', true],
    ['http://192.168.0.1/', false],
    ['http://224.0.0.1/', false],
    ['http://255.255.255.255/', false],
    ['http://[::1]/', false],
    ['http://[::]/', false],
    ['http://[::ffff:127.0.0.1]/', false],
    ['http://[::ffff:8.8.8.8]/', false],
    ['http://[64:ff9b::7f00:1]/', false],
    ['http://[2002:7f00:1::]/', false],
    ['http://[fe80::1]/', false],
    ['http://[fd00:ec2::254]/', false],
    ['http://[2001:db8::1]/', false],
  ];
  it.each(rows)('%s: %s', (address, open) => {
    expect(fetcher.refusal(address) === null).toBe(open);
  });

  it('distinguish public addresses from all others', () => {
    expect(isPublicAddress('1.1.1.1')).toBe(true);
    expect(isPublicAddress('no address')).toBe(false);
  });

  it('are not sent to a refused address', async () => {
    expect(await refusedBy(fetcher.get(upstream.url))).toBe('refused');
    expect(upstream.asked).toEqual([]);
  });
});

describe('host names', () => {
  const resolving = (...addresses: readonly string[]) =>
    createFetcher({ resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })) });

  it.each([
    ['to the server itself', ['127.0.0.1']],
    ['to a private network', ['192.168.1.1']],
    ['to a public and a private address', ['93.184.216.34', '10.0.0.1']],
    ['to a mapped address', ['::ffff:127.0.0.1']],
    ['nowhere', []],
  ])('that resolve %s are refused', async (_, addresses) => {
    expect(await refusedBy(resolving(...addresses).get('http://rebound.example/'))).toBe('refused');
  });

  it('are resolved once, and the connection uses that address', async () => {
    let times = 0;
    const fetcher = createFetcher({
      allow: ['127.0.0.0/8', `pinned.example:${new URL(upstream.url).port}`],
      resolve: async () => [{ address: times++ === 0 ? '127.0.0.1' : '192.0.2.1', family: 4 }],
    });
    const { status, body } = await fetcher.get(`http://pinned.example:${new URL(upstream.url).port}/`);
    expect([status, body.toString(), times]).toEqual([200, 'hello', 1]);
  });

  it('that do not exist are refused, a DNS timeout is not', async () => {
    const unknown = createFetcher({ resolve: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })) });
    expect(await refusedBy(unknown.get('http://nowhere.example/'))).toBe('refused');
    const silent = createFetcher({ timeoutMs: 30, resolve: () => new Promise(() => {}) });
    expect(await refusedBy(silent.get('http://slow.example/'))).toBe('failed');
  });
});

describe('hosts allowed by the operator', () => {
  it.each<[string, () => string, string, string]>([
    ['a host with its port', () => upstream.host, '/', 'answered'],
    ['a host', () => '127.0.0.1', '/', 'answered'],
    ['another port', () => '127.0.0.1:1', '/', 'refused'],
    ['another range', () => '10.0.0.0/8', '/', 'refused'],
    ['redirects within it', () => upstream.host, '/here', 'answered'],
    ['redirects out of it', () => upstream.host, '/inside', 'refused'],
    ['redirects to metadata', () => upstream.host, '/metadata', 'refused'],
    ['redirects to files', () => upstream.host, '/file', 'refused'],
    ['redirects with credentials', () => upstream.host, '/credentials', 'refused'],
    ['redirects without end', () => upstream.host, '/loop', 'failed'],
  ])('%s', async (_, allow, path, outcome) => {
    const fetcher = createOperatorFetcher(readOperator({ CMS_FETCH_ALLOW: ` nobody.example, ${allow()}` }));
    expect(await refusedBy(fetcher.get(upstream.url + path))).toBe(outcome);
    expect(other.asked).toEqual([]);
  });

  it('include the server itself', async () => {
    expect((await createFetcher().get(upstream.url, { own: [upstream.url] })).status).toBe(200);
    expect(await refusedBy(createFetcher().get(`${upstream.url}/inside`, { own: [upstream.url] }))).toBe('refused');
  });

  it('are not extended by site.yaml', () => {
    const settings = (url: string | undefined) => ({ stored: () => url }) as never;
    expect(ownOrigins({ settings: settings(undefined), url: 'http://127.0.0.1:4180' })).toEqual(['http://127.0.0.1:4180']);
    expect(ownOrigins({ settings: settings('http://10.0.0.1'), url: 'http://10.0.0.1' })).toEqual([]);
  });
});

/** Not for long: for what does not end. */
const impatient = () => createFetcher({ allow: [upstream.host], timeoutMs: 150 });

describe('a response', () => {
  const fetcher = () => createFetcher({ allow: [upstream.host] });

  it('is cut at the limit', async () => {
    const { body, isCut } = await fetcher().get(`${upstream.url}/long`, { maxBytes: 1000 });
    expect([body.length, isCut]).toEqual([1000, true]);
    expect((await fetcher().get(`${upstream.url}/long`)).isCut).toBe(false);
  });

  it('knows its final URL', async () => {
    expect((await fetcher().get(`${upstream.url}/here`)).url).toBe(`${upstream.url}/`);
  });

  it.each(['/never', '/drip'])('that does not end is given up: %s', async (path) => {
    expect(await refusedBy(impatient().get(upstream.url + path))).toBe('failed');
  });

  it.each([
    ['text/html; charset=iso-8859-1', Buffer.from('caf\xe9', 'latin1'), 'café'],
    ['text/html', Buffer.from('<meta charset="windows-1252">caf\xe9', 'latin1'), '<meta charset="windows-1252">café'],
    ['text/html; charset=nonsense', Buffer.from('café'), 'café'],
  ])('is decoded as %s', (type, body, text) => {
    expect(textOf({ headers: { 'content-type': type }, body })).toBe(text);
  });
});

describe('credentials', () => {
  it('are only sent to their origin', async () => {
    const fetcher = createFetcher({ allow: [upstream.host, other.host] });
    const headers = { Authorization: 'Basic c2VjcmV0', 'X-Plain': 'yes' };
    const told = async (path: string) => JSON.parse((await fetcher.get(upstream.url + path, { headers })).body.toString());
    expect(await told('/told')).toEqual(['Basic c2VjcmV0', 'yes']);
    expect(await told('/elsewhere')).toEqual([null, 'yes']);
  });
});

describe('a request', () => {
  const fetcher = () => createFetcher({ allow: [upstream.host] });
  const headers = { 'x-plain': 'yes', authorization: 'Bearer secret' };

  it('is sent with its method, and returns every status', async () => {
    const { status, body } = await fetcher().send(`${upstream.url}/echo`, { method: 'DELETE', body: 'a=1' }, { headers });
    expect([status, body.toString()]).toEqual([429, 'DELETE yes a=1']);
  });

  it('is not redirected, and cannot be sent to a private address', async () => {
    const before = [...other.asked];
    const { status } = await fetcher().send(`${upstream.url}/elsewhere`, { method: 'POST', body: 'secret' }, { headers });
    expect([status, other.asked]).toEqual([302, before]);
    expect(await refusedBy(createFetcher().send(`${upstream.url}/echo`, { method: 'POST' }))).toBe('refused');
  });
});

describe('a download', () => {
  const fetcher = () => createFetcher({ allow: [upstream.host] });
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cms-fetch-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('is written to a file', async () => {
    const path = join(folder, 'long');
    expect(await fetcher().download(`${upstream.url}/long`, path)).toEqual({
      size: 100_000,
      type: 'text/html',
      url: `${upstream.url}/long`,
    });
    expect(await readFile(path, 'utf8')).toBe('x'.repeat(100_000));
    await expect(fetcher().download(`${upstream.url}/long`, path)).rejects.toMatchObject({ code: 'EEXIST' });
    expect(existsSync(path)).toBe(true);
  });

  it('is decompressed like a response', async () => {
    const packed = `${upstream.url}/packed`;
    expect((await fetcher().download(packed, join(folder, 'packed'))).size).toBe(50_000);
    expect((await fetcher().get(packed)).body.toString()).toBe('y'.repeat(50_000));
    expect((await fetcher().get(packed, { maxBytes: 10 })).isCut).toBe(true);
  });

  it.each([
    ['/gone', {}, 'failed'],
    ['/long', { maxBytes: 99_999 }, 'failed'],
    ['/packed', { maxBytes: 49_999 }, 'failed'],
    ['/inside', {}, 'refused'],
    ['/short', {}, 'failed'],
    ['/drip', { signal: AbortSignal.abort() }, 'failed'],
  ])('leaves no file when it fails: %s', async (path, options, outcome) => {
    const file = join(folder, 'failed');
    expect(await refusedBy(fetcher().download(upstream.url + path, file, options))).toBe(outcome);
    expect(existsSync(file)).toBe(false);
  });

  it.each(['/never', '/drip'])('leaves no file when it does not end: %s', async (path) => {
    const file = join(folder, 'failed');
    expect(await refusedBy(impatient().download(upstream.url + path, file))).toBe('failed');
    expect(existsSync(file)).toBe(false);
  });

  it('reports the status of a failed response', async () => {
    await expect(fetcher().download(`${upstream.url}/gone`, join(folder, 'gone'))).rejects.toMatchObject({ status: 404 });
  });
});
