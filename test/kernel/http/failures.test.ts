/** Whatever is thrown on the way of a request is the failure of that request: the next one is answered. */
import { connect } from 'node:net';
import { once } from 'node:events';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { headerValue } from '../../../src/kernel/http/respond.ts';
import { startSite, type TestSite } from '../../support/site.ts';
import { exchange, send } from './http.ts';

describe('a request that causes an exception', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({
      files: { 'posts/2024/01/a.md': '---\nid: 101\ntitle: A\naliases: [/former/]\n---\nx\n', 'media/2024/01/a.txt': 'text' },
    });
  });
  afterAll(() => site.close());
  afterEach(() => void vi.restoreAllMocks());

  const broken = (): never => {
    throw new Error('broken', { cause: new Error('the reason') });
  };
  const rows: readonly (readonly [string, string, string, () => unknown])[] = [
    [
      'the front cache',
      'GET',
      '/cms-json/cms/v2/posts',
      () => vi.spyOn(site.site.accounts, 'refresh').mockImplementation(broken),
    ],
    ['a list', 'GET', '/cms-json/cms/v2/posts?x=1', () => vi.spyOn(site.site.posts, 'find').mockImplementation(broken)],
    ['an item', 'GET', '/cms-json/cms/v2/posts/101?x=1', () => vi.spyOn(site.site.posts, 'get').mockImplementation(broken)],
    ['rights', 'POST', '/cms-json/cms/v2/posts', () => vi.spyOn(site.site.access, 'can').mockImplementation(broken)],
    ['a setting', 'GET', '/cms-json/', () => vi.spyOn(site.site.settings, 'value').mockImplementation(broken)],
    ['a plain page', 'GET', '/', () => vi.spyOn(site.site.settings, 'value').mockImplementation(broken)],
    ['an odd address', 'GET', '/cms-json/cms/v2/posts%2F101', () => vi.spyOn(site.site.posts, 'get').mockImplementation(broken)],
    ['an upload', 'GET', '/uploads/2024/01/a.txt', () => vi.spyOn(site.site.media, 'serve').mockImplementation(broken)],
  ];

  it.each(rows)('fails alone: %s', async (_, method, url, harm) => {
    const authorization = `Basic ${btoa(`admin:${site.password}`)}`;
    const sent = {
      method,
      url,
      headers: { authorization, 'content-type': 'application/json' },
      ...(method === 'POST' ? { body: '{}' } : {}),
    };
    // Known to the front cache, so that all of its ways are gone.
    for (let count = 0; count < 3; count++) await send(site.url, sent);
    const spy = harm() as { mockRestore(): void };
    for (let count = 0; count < 4; count++) expect((await send(site.url, sent)).status).toBeOneOf([200, 500]);
    expect((await send(site.url, { ...sent, url: `${url}${url.includes('?') ? '&' : '?'}y=2` })).status).toBe(500);
    spy.mockRestore();
    expect((await send(site.url, sent)).status).toBeLessThan(500);
    expect(site.log.join('\n')).toContain('broken');
    expect(site.log.join('\n')).toContain('the reason');
  });

  it.each(['http://𝒳.example', 'https://ä.example/пу ть', 'http://x.example/\r\nSet-Cookie: a=b', 'http://\ud800.example'])(
    'does not exist for a site at %s',
    async (address) => {
      const before = site.site.url;
      site.site.setAddress(address, 'operator');
      for (const url of [
        '/cms-json/cms/v2/posts',
        '/cms-json/',
        '/',
        '/former/',
        '/cms-json/cms/v2/posts/101',
        '/nowhere',
        '/uploads/x',
      ])
        for (let count = 0; count < 4; count++) {
          const { status, headers } = await send(site.url, { url });
          expect(status, url).toBeLessThan(500);
          expect(headers['set-cookie']).toBeUndefined();
        }
      site.site.setAddress(before, 'operator');
    },
  );

  it('does not exist for malformed HTTP', async () => {
    const lines = fc.record({
      method: fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'TRACE', 'PROPFIND', 'CONNECT', 'QUERY'),
      target: fc.oneof(
        fc.constantFrom(
          '/',
          '*',
          '//',
          '///x',
          '/%',
          '/%zz',
          '/%00',
          '/..',
          '/../..//',
          '/cms-json',
          '/cms-json/%zz',
          '/cms-json/%2e%2e',
        ),
        fc.constantFrom(
          'http://x/',
          'http://[',
          'http://[::1]:99999/',
          'https:///',
          'x:',
          '?',
          '/?rest_route=',
          '/?rest_route[]=/',
          '/?%zz=%',
        ),
        fc.constantFrom(
          '/index.php?rest_route=//',
          '/?preview_id=101&preview_nonce[a]=b',
          '/?p[toString]=1',
          '/uploads/%zz',
          '/uploads/%00',
        ),
        fc.constantFrom('/uploads/..%2f..%2fsite.yaml', '/uploads//', '/cms-json/cms/v2/posts?context[toString]=1', '/?p=1e400'),
        fc.stringMatching(/^\/[!-~\u0080-\u00ff]{0,30}$/),
      ),
      headers: fc.array(
        fc.constantFrom(
          ...[
            'Host: [',
            'Host: a b',
            'Host: \u00ff',
            'Host:',
            'Origin: \u00fc',
            'Authorization: Basic %',
            'Authorization: Basic \u00ff',
          ],
          ...[
            'Content-Length: 0',
            'Transfer-Encoding: chunked',
            'Content-Type: multipart/form-data',
            'Content-Type: \u00ff/json',
          ],
          ...[
            'Content-Disposition: attachment; filename="%zz"',
            "Content-Disposition: attachment; filename*=utf-8''%zz",
            'If-None-Match: "\u00ff',
          ],
          ...[
            'Range: bytes=-',
            'Range: bytes=9-1',
            'If-Modified-Since: x',
            'Expect: 100-continue',
            'Upgrade: h2c',
            'Connection: upgrade',
          ],
          ...[
            'X-HTTP-Method-Override: \u00ff',
            '__proto__: 1',
            'constructor: 1',
            'X-CMS-Nonce: \u00ff',
            'Cookie: \u00ff',
            'X-Forwarded-Host: [',
          ],
        ),
        { maxLength: 4 },
      ),
    });
    await fc.assert(
      fc.asyncProperty(lines, async ({ method, target, headers }) => {
        const text = [`${method} ${target} HTTP/1.1`, 'Host: localhost', ...headers, 'Connection: close', '', '0', '', ''].join(
          '\r\n',
        );
        const answer = await exchange(site.url, Buffer.from(text, 'latin1'));
        expect(answer, text).not.toMatch(/^HTTP\/1\.1 5/);
        expect((await send(site.url, { url: '/cms-json/cms/v2/posts?_fields=id' })).status).toBe(200);
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 300), seed: Number(process.env.FC_SEED ?? 5) },
    );
  }, 60_000);

  it('does not exist for clients that disconnect', async () => {
    const { hostname, port } = new URL(site.url);
    const authorization = `Authorization: Basic ${btoa(`admin:${site.password}`)}`;
    const begun = [
      'GET /cms-json/cms/v2/posts HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET /cms-json/cms/v2/posts HTTP/1.1\r\nHost: x\r\n',
      'GET /uploads/2024/01/a.txt HTTP/1.1\r\nHost: x\r\n\r\n',
      `POST /cms-json/cms/v2/media HTTP/1.1\r\nHost: x\r\n${authorization}\r\nContent-Type: image/png\r\nContent-Length: 1000\r\n\r\nabc`,
      `POST /cms-json/cms/v2/posts HTTP/1.1\r\nHost: x\r\n${authorization}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"a"`,
      `POST /cms-json/cms/v2/media HTTP/1.1\r\nHost: x\r\n${authorization}\r\nContent-Type: multipart/form-data; boundary=x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n--x\r\n`,
    ];
    for (const text of [...begun, ...begun]) {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      socket.write(text);
      await new Promise((resolve) => setImmediate(resolve));
      socket.resetAndDestroy();
      expect((await send(site.url, { url: '/cms-json/cms/v2/posts?_fields=id' })).status).toBe(200);
    }
  });
});

it.each([
  ['<https://x.example/>; rel="a"', '<https://x.example/>; rel="a"'],
  ['http://𝒳.example/', 'http://%F0%9D%92%B3.example/'],
  ['a\r\nSet-Cookie: b\0', 'aSet-Cookie: b'],
  ['\ud800', '%EF%BF%BD'],
])('the header %j is written as %j', (text, expected) => {
  expect(headerValue(text)).toBe(expected);
});
