/** Answers compressed: of the whole program, and of a handler that says what it likes. */
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createCompression, type Encode } from '../../src/operations/compression.ts';
import { askPlainly, type PlainAnswer } from '../support/plain-http.ts';
import { until } from '../support/site.ts';
import { type ServedSite, serveSite } from './served.ts';

const posts = '/cms-json/cms/v2/posts';
let site: ServedSite;
let item: string;
let large: string;

const ask = (path: string, headers: Record<string, string> = {}, more: Parameters<typeof askPlainly>[2] = {}) =>
  askPlainly(site.url + path, headers, more);
const coding = ({ headers }: PlainAnswer) => headers['content-encoding'];
const br = { 'accept-encoding': 'gzip, br' };

beforeAll(async () => {
  site = await serveSite();
  const made: { id: number }[] = [];
  for (const [title, content] of [
    ['Long', 'A long text about harbours. '.repeat(2000)],
    ['Short', 'x'],
  ]) {
    const body = JSON.stringify({ title, content, status: 'publish' });
    const headers = { authorization: site.admin, 'content-type': 'application/json' };
    made.push((await (await site.ask(posts, { method: 'POST', headers, body })).json()) as { id: number });
  }
  large = `${posts}/${made[0]?.id}`;
  item = `${posts}/${made[1]?.id}`;
});
afterAll(() => site.close());

describe('a response', () => {
  it('is compressed by the weights of the request, always the same', async () => {
    const plain = await ask(large);
    expect([coding(plain), plain.headers.vary, plain.headers['content-length']]).toEqual([
      undefined,
      'Origin, Accept-Encoding',
      String(plain.bytes.length),
    ]);
    for (const [accepted, wanted] of [
      ['br, gzip', 'br'],
      ['br;q=0.1, gzip', 'gzip'],
      ['gzip', 'gzip'],
      ['identity', undefined],
      ['br;q=0, gzip;q=0', undefined],
    ] as const)
      for (let asked = 0; asked < 4; asked++) {
        const answer = await ask(large, { 'accept-encoding': accepted });
        expect([answer.status, coding(answer), answer.headers.vary]).toEqual([200, wanted, 'Origin, Accept-Encoding']);
        expect(answer.text).toBe(plain.text);
        expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
        if (wanted) expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 5);
        // A representation of its own has a validator of its own.
        expect(answer.headers.etag).toBe(wanted ? plain.headers.etag?.replace(/"$/, `:${wanted}"`) : plain.headers.etag);
      }
  });

  it('of less than 1 KB is not compressed, for anybody', async () => {
    const answer = await ask(`${item}?_fields=id,slug`, br);
    expect([coding(answer), answer.headers.vary]).toEqual([undefined, 'Origin']);
  });

  it.each([
    `${posts}?per_page=1`,
    '/cms-json/',
    '/',
    '/long/',
    '/theme/style.css',
    '/nowhere/',
    '/feed/',
    '/wp-sitemap.xml',
    '/sitemap.xml',
    `${posts}%2F`.replace('%2F', '?slug=%6Cong'),
  ])('to %s follows the same rule', async (path) => {
    const plain = await ask(path);
    const answer = await ask(path, br);
    expect([answer.status, answer.text]).toEqual([plain.status, plain.text]);
    const isLong = plain.bytes.length >= 1024;
    expect(coding(answer)).toBe(isLong ? 'br' : undefined);
    expect(/accept-encoding/i.test(String(plain.headers.vary))).toBe(isLong);
  });

  it('to HEAD has the headers of GET, without the length', async () => {
    const { 'content-length': _, date: _date, ...got } = (await ask(large, br)).headers;
    const head = await ask(large, br, { method: 'HEAD' });
    expect(head.bytes.length).toBe(0);
    const { 'content-length': length, date: _headDate, ...told } = head.headers;
    expect([told, length]).toEqual([got, undefined]);
  });

  it('to a write is compressed, with the ETag of the item', async () => {
    const headers = { ...br, authorization: site.admin, 'content-type': 'application/json' };
    const answer = await ask(large, headers, { method: 'POST', body: JSON.stringify({ excerpt: 'A harbour' }) });
    expect([answer.status, coding(answer)]).toEqual([200, 'br']);
    expect(answer.headers.etag).not.toContain(':');
    expect(JSON.parse(answer.text)).toMatchObject({ excerpt: { raw: 'A harbour' } });
  });

  it('to a signed-in user is compressed, unless a page of another site asks', async () => {
    const who = { ...br, authorization: site.admin };
    const from = async (place?: string, more = {}) =>
      coding(await ask(large, { ...who, ...more, ...(place ? { 'sec-fetch-site': place } : {}) }));
    expect([await from(), await from('same-origin'), await from('none')]).toEqual(['br', 'br', 'br']);
    // Also when the same was compressed a moment ago, and is kept.
    for (let asked = 0; asked < 4; asked++)
      expect([await from('none'), await from('cross-site'), await from('same-site')]).toEqual(['br', undefined, undefined]);
    // A visitor's holds nothing that is secret.
    expect(coding(await ask(large, { ...br, 'sec-fetch-site': 'cross-site', origin: 'https://app.example' }))).toBe('br');
  });

  it('of a file is never compressed, so that ranges are those of the file', async () => {
    await mkdir(join(site.dir, 'media'), { recursive: true });
    await writeFile(join(site.dir, 'media', 'notes.txt'), 'All about harbours. '.repeat(500));
    const answer = await until(async () => {
      const answer = await ask('/uploads/notes.txt', br);
      return answer.bytes.length === 10_000 ? answer : null;
    });
    expect([answer.status, coding(answer)]).toEqual([200, undefined]);
    const part = await ask('/uploads/notes.txt', { ...br, range: 'bytes=0-2' });
    expect([part.status, part.text, coding(part)]).toEqual([206, 'All', undefined]);
  });
});

describe('an ETag', () => {
  it('is valid in either coding for clients that accept it, and returned as sent', async () => {
    const plain = String((await ask(large)).headers.etag);
    const [inBr, inGzip] = ['br', 'gzip'].map((one) => plain.replace(/"$/, `:${one}"`)) as [string, string];
    const rows: readonly (readonly [tags: string, accepted: string | undefined, told: string | null])[] = [
      [plain, undefined, plain],
      [plain, 'br', plain],
      [inBr, 'br', inBr],
      [inBr, 'gzip, br', inBr],
      [inGzip, 'gzip, br', inGzip],
      [`W/${inBr}`, 'br', inBr],
      [`"x", ${plain}, ${inBr}`, 'br', inBr],
      [`"x", ${plain}, ${inBr}`, 'gzip', plain],
      // Who says nothing takes what there is.
      [inBr, undefined, inBr],
      // What it has, it could not read: a cache would hand it on.
      [inBr, 'gzip', null],
      [inBr, 'identity', null],
      [inGzip, 'br', null],
      ['"x:br"', 'br', null],
    ];
    // Asked for the first time, kept, and answered from what is kept.
    for (let round = 0; round < 3; round++)
      for (const [tags, accepted, told] of rows) {
        const headers = { 'if-none-match': tags, ...(accepted ? { 'accept-encoding': accepted } : {}) };
        for (const method of ['GET', 'HEAD']) {
          const answer = await ask(large, headers, { method });
          const shown = answer.status === 304 ? answer.headers.etag : null;
          expect([tags, accepted, shown, answer.headers['content-encoding'] !== undefined && shown !== null]).toEqual([
            tags,
            accepted,
            told,
            false,
          ]);
          expect(answer.headers.vary).toBe('Origin, Accept-Encoding');
        }
      }
  });

  it('of a compressed response is valid for a write', async () => {
    const headers = { authorization: site.admin, 'content-type': 'application/json' };
    const { etag } = (await ask(large, br)).headers;
    const write = (title: string) =>
      ask(large, { ...br, ...headers, 'if-match': String(etag) }, { method: 'PUT', body: JSON.stringify({ title }) });
    expect((await write('Longer')).status).toBe(200);
    expect((await write('Longest')).status).toBe(412);
  });

  it('of a feed is valid in its coding', async () => {
    const { headers } = await ask('/feed/', br);
    expect(headers.etag).toMatch(/:br"$/);
    const again = await ask('/feed/', { ...br, 'if-none-match': String(headers.etag) });
    expect([again.status, again.headers.etag]).toEqual([304, headers.etag]);
  });
});

describe('compression', () => {
  const text = 'a'.repeat(2000);
  const told = ['Content-Type', 'text/plain', 'Vary', 'Accept-Encoding', 'ETag', '"x"'];

  async function listen(handle: RequestListener, options: Parameters<typeof createCompression>[0]): Promise<string> {
    const server = createServer(createCompression(options)(handle));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  /** Counts, and ends when it is told to. */
  function counting(): { encode: Encode; calls: boolean[]; release: () => void } {
    const calls: boolean[] = [];
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const encode: Encode = async (bytes, _, isKept) => {
      calls.push(isKept);
      await released;
      return brotliCompressSync(bytes);
    };
    return { encode, calls, release };
  }

  it('runs once for a cached response, for all concurrent requests', async () => {
    const { encode, calls, release } = counting();
    const kept = Buffer.from(text);
    const url = await listen((_, outgoing) => void outgoing.writeHead(200, told).end(kept), { encode });
    const asked = Array.from({ length: 40 }, () => askPlainly(url, { 'accept-encoding': 'br' }));
    await until(() => calls.length > 0);
    release();
    const answers = [...(await Promise.all(asked)), await askPlainly(url, { 'accept-encoding': 'br' })];
    expect(new Set(answers.map((answer) => `${coding(answer)} ${answer.text}`))).toEqual(new Set([`br ${text}`]));
    expect(calls).toEqual([true]);
  });

  it('is skipped under load', async () => {
    const { encode, calls, release } = counting();
    const later: RequestListener = (_, outgoing) => {
      setImmediate(() => outgoing.writeHead(200, told).end(text));
    };
    const url = await listen(later, { encode });
    const busy = Array.from({ length: 16 }, () => askPlainly(url, { 'accept-encoding': 'br' }));
    await until(() => calls.length === 16);
    const answer = await askPlainly(url, { 'accept-encoding': 'br' });
    expect([coding(answer), answer.text, answer.headers.etag]).toEqual([undefined, text, '"x"']);
    release();
    await Promise.all(busy);
    expect(calls).toEqual(Array.from({ length: 16 }, () => false));
  });

  it('that fails leaves the response uncompressed', async () => {
    const encode: Encode = () => Promise.reject(new Error('no memory'));
    const url = await listen((_, outgoing) => void outgoing.writeHead(200, told).end(text), { encode });
    const answer = await askPlainly(url, { 'accept-encoding': 'br' });
    expect([answer.status, coding(answer), answer.text]).toEqual([200, undefined, text]);
  });

  it('stays within its memory limit', async () => {
    const calls: string[] = [];
    const encode: Encode = async (bytes) => {
      calls.push(Buffer.from(bytes.subarray(0, 1)).toString());
      return brotliCompressSync(bytes);
    };
    const bodies = new Map(['a', 'b', 'c', 'd', 'e', 'f'].map((one) => [`/${one}`, Buffer.from(one.repeat(2000))]));
    const handle: RequestListener = ({ url }, outgoing) => void outgoing.writeHead(200, told).end(bodies.get(url as string));
    const url = await listen(handle, { encode, maxBytes: 10_000 });
    const visit = (path: string) => askPlainly(url + path, { 'accept-encoding': 'br' });
    for (const path of ['a', 'a', 'b', 'c', 'd', 'e', 'f', 'f', 'a']) await visit(path);
    expect(calls.join('')).toBe('abcdefa');
  });

  it('covers streamed responses up to a length', async () => {
    const parts = (many: number): RequestListener => {
      return (_, outgoing) => {
        outgoing.writeHead(200, told);
        for (let part = 0; part < many; part++) outgoing.write(text);
        outgoing.end('end');
      };
    };
    const short = await askPlainly(await listen(parts(3), {}), { 'accept-encoding': 'gzip' });
    expect([coding(short), short.text]).toEqual(['gzip', `${text.repeat(3)}end`]);
    const long = await askPlainly(await listen(parts(5000), {}), { 'accept-encoding': 'gzip' });
    expect([coding(long), long.text.length]).toEqual([undefined, 10_000_003]);
  });

  it('is not repeated', async () => {
    const headers = [...told, 'Content-Encoding', 'zstd'];
    const answer = await askPlainly(await listen((_, outgoing) => void outgoing.writeHead(200, headers).end(text), {}), {
      'accept-encoding': 'br',
    });
    expect([coding(answer), answer.text]).toEqual(['zstd', text]);
  });
});
