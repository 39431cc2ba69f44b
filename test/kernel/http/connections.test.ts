/** Limits of connections, hosts and origins. */
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Module } from '../../../src/kernel/module.ts';
import type { Operator } from '../../../src/kernel/model/operator.ts';
import { picture, sendFile } from '../../support/media.ts';
import { startSite, type TestSite, until } from '../../support/site.ts';
import { exchange, send } from './http.ts';

let site: TestSite | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

async function start(operator: Partial<Operator>): Promise<TestSite> {
  site = await startSite({ operator, files: { 'posts/2024/01/a.md': '---\nid: 101\ntitle: A\n---\nx\n' } });
  return site;
}

const list = '/cms-json/cms/v2/posts?_fields=id';

describe('allowed hosts', () => {
  it('are unlimited without a list', async () => {
    const { url } = await start({});
    expect((await send(url, { url: list, headers: { host: 'evil.example' } })).status).toBe(200);
  });

  it.each([
    ['example.com', 200],
    ['EXAMPLE.com:8080', 200],
    ['a.b.example.org', 200],
    ['localhost:1', 200],
    ['127.0.0.1', 200],
    ['example.org', 421],
    ['evil.example', 421],
    ['example.com.evil.example', 421],
    ['evilexample.com', 421],
    ['[', 421],
  ])('with a list: %s is answered with %i', async (host, status) => {
    const { url } = await start({ hosts: ['example.com', '*.example.org'] });
    for (const target of [list, list, list, '/', '/uploads/x.png', '/cms-json/cms/v2/posts/101']) {
      const answer = await send(url, { url: target, headers: { host } });
      if (status === 200) expect(answer.status).not.toBe(421);
      else
        expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
          421,
          { code: 'rest_misdirected', data: { status: 421 } },
        ]);
    }
  });

  it('apply to absolute targets, and to requests without a host', async () => {
    const { url } = await start({ hosts: ['example.com'] });
    const ask = (line: string, host: string) => exchange(url, `GET ${line}\r\n${host}Connection: close\r\n\r\n`);
    expect(await ask('http://evil.example/ HTTP/1.1', 'Host: example.com\r\n')).toContain(' 421 ');
    expect(await ask('http://example.com/ HTTP/1.1', 'Host: example.com\r\n')).not.toContain(' 421 ');
    expect(await ask('/ HTTP/1.0', '')).toContain(' 421 ');
  });
});

describe('connections', () => {
  it('without complete headers are closed', async () => {
    const { url } = await start({ header_timeout: 1 });
    expect(await exchange(url, 'GET / HTTP/1.1\r\nHost: x\r\n')).toContain(' 408 ');
    expect(await exchange(url, '')).toContain(' 408 ');
  });

  it.each([
    ['of JSON', 'posts', 'application/json', '{"title":'],
    ['of a file', 'media', 'image/png', 'abc'],
    ['of a form', 'media', 'multipart/form-data; boundary=x', '--x\r\n'],
    ['that nobody reads', 'nowhere', 'text/plain', 'abc'],
  ])('whose body %s stalls are closed, and leave nothing behind', async (_, route, type, begun) => {
    const { url, password, dir } = await start({ body_timeout: 1 });
    const head = `POST /cms-json/cms/v2/${route} HTTP/1.1\r\nHost: x\r\nAuthorization: Basic ${btoa(`admin:${password}`)}`;
    const answer = await exchange(url, `${head}\r\nContent-Type: ${type}\r\nContent-Length: 1000\r\n\r\n${begun}`);
    // Where nothing of the body is wanted, the answer may be there before.
    expect(answer).toMatch(/^HTTP\/1\.1 (?:408|404) /);
    await until(async () => (await leftIn(dir)).length === 0);
  });

  it('whose body arrives while the server is blocked are answered', async () => {
    const { url, password } = await start({ body_timeout: 1 });
    const body = JSON.stringify({ title: 'Whole' });
    const head = `POST /cms-json/cms/v2/posts HTTP/1.1\r\nHost: x\r\nAuthorization: Basic ${btoa(`admin:${password}`)}`;
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(
      `${head}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    );
    await pause(300);
    // Afterwards timers come first, and what has been sent second.
    await new Promise((resolve) => setImmediate(resolve));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1800);
    socket.write(body.slice(5));
    let answer = '';
    for await (const text of socket.setEncoding('utf8')) answer += text;
    expect(answer).toMatch(/^HTTP\/1\.1 201 /);
  });

  it.each([
    ['of JSON', 'application/json', true],
    ['of a file', 'image/png', false],
  ])('whose body %s (%s) trickles in for more than five minutes are closed: %s', async (_, type, isClosed) => {
    const { url, password } = await start({ body_timeout: 600 });
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const head = `POST /cms-json/cms/v2/media HTTP/1.1\r\nHost: x\r\nAuthorization: Basic ${btoa(`admin:${password}`)}`;
    socket.write(
      `${head}\r\nContent-Type: ${type}\r\nContent-Disposition: attachment; filename="a.png"\r\nContent-Length: 100000\r\n\r\n`,
    );
    const trickle = setInterval(() => socket.write('x'), 50);
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    socket.on('error', () => undefined);
    const closed = once(socket, 'close').then(() => 'closed');
    const { now } = performance;
    try {
      await pause(600);
      performance.now = () => now.call(performance) + 301_000;
      expect(await Promise.race([closed, pause(2500, 'open')])).toBe(isClosed ? 'closed' : 'open');
      expect(answer.startsWith('HTTP/1.1 408')).toBe(isClosed);
    } finally {
      performance.now = now;
      clearInterval(trickle);
      socket.destroy();
    }
  });

  it('that are idle longest make room, each address has a limit, and active ones are not closed', async () => {
    const { url } = await start({ max_connections: 10 });
    const { hostname, port } = new URL(url);
    const from = async (localAddress: string): Promise<Socket> => {
      const socket = connect({ port: Number(port), host: hostname, localAddress }).on('error', () => undefined);
      socket.resume();
      await once(socket, 'connect');
      return socket;
    };
    const busy = await from('127.0.0.3');
    busy.write(
      'POST /cms-json/cms/v2/posts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    );
    const hogs: Socket[] = [];
    for (let count = 0; count < 30; count++) hogs.push(await from('127.0.0.1'));
    const open = (): number => hogs.filter((socket) => !socket.destroyed).length;
    // Its share is half.
    await until(() => open() === 5);
    expect(hogs.slice(-5).every((socket) => !socket.destroyed)).toBe(true);
    for (let count = 0; count < 4; count++) hogs.push(await from('127.0.0.2'));
    // There is no room left: the idlest goes.
    const late = await from('127.0.0.4');
    late.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    const [answer] = (await once(late, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 [234]/);
    expect(busy.destroyed).toBe(false);
    for (const socket of [busy, late, ...hogs]) socket.destroy();
  });

  it('beyond the maximum are closed, the others answered', async () => {
    const { url } = await start({ max_connections: 5 });
    const { hostname, port } = new URL(url);
    const sockets: Socket[] = [];
    let closed = 0;
    for (let count = 0; count < 20; count++) {
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      socket.resume().once('close', () => closed++);
      sockets.push(socket);
      await once(socket, 'connect');
    }
    // All are of one address, whose share is half.
    await until(() => closed === 18);
    sockets.find((socket) => !socket.destroyed)?.end('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await until(() => closed === 19);
    for (const socket of sockets) socket.destroy();
    await until(() => closed === 20);
    expect((await send(url, { url: list })).status).toBe(200);
  });
});

describe('a server that ends', () => {
  it('answers what comes on a kept connection, and says that it is the last', async () => {
    // A machine that stands still for as long as that is open makes another try.
    for (let left = 5; ; left--) {
      const { url } = await start({});
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      let said = '';
      socket.on('error', () => undefined).on('data', (part) => (said += part.toString()));
      const ask = () => socket.write(`GET ${list} HTTP/1.1\r\nHost: x\r\n\r\n`);
      ask();
      await until(() => said.endsWith(']'));
      expect(said).toContain('Connection: keep-alive');
      said = '';
      const closed = site?.server.close(10_000);
      ask();
      if (!socket.closed) await once(socket, 'close');
      await closed;
      if (said === '' && left > 0) continue;
      expect(said).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*Connection: close/);
      return;
    }
  });
});

describe('CORS origins', () => {
  const cors = (headers: Record<string, unknown>) => [
    headers['access-control-allow-origin'],
    headers['access-control-allow-credentials'],
  ];

  it('are reflected, and trusted with credentials only if the operator lists them', async () => {
    const { url } = await start({ cors_origins: ['https://app.example'] });
    for (const method of ['GET', 'GET', 'GET', 'OPTIONS', 'POST'])
      for (const origin of [
        'https://app.example',
        'https://evil.example',
        'https://app.example.evil.example',
        'null',
        'http://app.example',
      ])
        expect(cors((await send(url, { method, url: list, headers: { origin } })).headers)).toEqual([
          origin,
          origin === 'https://app.example' ? 'true' : undefined,
        ]);
  });

  it('are not trusted with credentials without a list', async () => {
    const { url } = await start({});
    const { headers } = await send(url, { url: list, headers: { origin: 'https://app.example' } });
    expect(cors(headers)).toEqual(['https://app.example', undefined]);
    expect(headers['access-control-allow-headers']).toMatch(/If-Match.*Cache-Control/);
    expect(headers['access-control-expose-headers']).toMatch(/ETag.*Location/);
  });
});

describe('security headers', () => {
  const files = {
    'posts/2024/01/a.md': '---\nid: 101\ntitle: A\n---\nx\n',
    'redirects.yaml': '/old/: /a/\n/lost/: 410\n',
    'theme/assets/a.txt': 'a',
  };
  /** One address of every kind of answer, by what is answered. */
  const kinds: Readonly<Record<string, number>> = {
    [list]: 200,
    '/cms-json/nowhere': 404,
    '/cms-json/cms/v2/settings': 401,
    '/cms-json/cms/v2/posts?page=x': 400,
    '/?rest_route=/cms/v2/types': 200,
    '/': 200,
    '/?s=x': 200,
    '/a/': 200,
    '/no/page/': 404,
    '/lost': 410,
    '/old': 301,
    '/?p=101': 301,
    '/cms-login.php': 200,
    '/cms-admin/profile.php': 303,
    '/cms-admin/admin-ajax.php?action=rest-nonce': 400,
    '/cms-admin/api-settings.json': 401,
    '/feed/': 200,
    '/comments/feed/': 200,
    '/sitemap.xml': 200,
    '/robots.txt': 200,
    '/theme/style.css': 200,
    '/theme/assets/a.txt': 200,
    '/theme/none.txt': 404,
    '/uploads/none.png': 404,
    '/uploads/%2e%2e/site.yaml': 404,
    '/%zz': 400,
  };
  const secure = { ...files, 'site.yaml': 'name: A\nurl: https://example.com\n' };
  /** A site with something of every kind. @returns addresses with what is answered */
  async function startAll(more: Parameters<typeof startSite>[0] = {}): Promise<[path: string, status: number][]> {
    site = await startSite({ files, ...more });
    const { source_url } = (await (await sendFile(site, 'a.jpg', await picture(4, 3))).json()) as { source_url: string };
    return [...Object.entries(kinds), [new URL(source_url).pathname, 200]];
  }
  const headersOf = async (path: string, more: Record<string, string> = {}) => {
    const { status, headers } = await (site as TestSite).ask('GET', path, { raw: true, headers: more });
    return { status, headers };
  };

  it('disable MIME sniffing, and keep API responses out of search engines', async () => {
    for (const [path, wanted] of await startAll()) {
      const { status, headers } = await headersOf(path);
      expect([path, status, headers.get('x-content-type-options')]).toEqual([path, wanted, 'nosniff']);
      if (path.startsWith('/cms-json/')) expect(headers.get('x-robots-tag')).toBe('noindex');
      expect(headers.get('strict-transport-security')).toBeNull();
    }
  });

  it.each([
    [{}, 'max-age=15552000'],
    [{ hsts: 60 }, 'max-age=60'],
    [{ hsts: 0 }, null],
  ])('include HSTS if the public URL uses HTTPS: %j', async (operator, wanted) => {
    for (const [path] of await startAll({ operator, files: secure })) {
      // The front cache answers the third.
      for (let turn = 0; turn < 3; turn++) {
        const { headers } = await headersOf(path);
        expect([path, headers.get('strict-transport-security')]).toEqual([path, wanted]);
      }
    }
    const tag = (await headersOf(list)).headers.get('etag') as string;
    const { status, headers } = await headersOf(list, { 'if-none-match': tag });
    expect([status, headers.get('strict-transport-security')]).toEqual([304, wanted]);
  });

  it('are part of unexpected responses too', async () => {
    const broken: Module = {
      name: 'broken',
      setup: () => ({ page: () => Promise.reject(new Error('nobody expected this')) }),
    };
    const settings = `${secure['site.yaml']}theme: none\n`;
    site = await startSite({ files: { 'site.yaml': settings }, modules: [broken] });
    const { status, headers } = await headersOf('/nowhere/');
    expect(status).toBe(500);
    expect([headers.get('x-content-type-options'), headers.get('strict-transport-security')]).toEqual([
      'nosniff',
      'max-age=15552000',
    ]);
  });
});

describe('JSONP', () => {
  it('is for visitors only', async () => {
    const { url, password } = await start({});
    const authorization = `Basic ${btoa(`admin:${password}`)}`;
    for (const query of ['_jsonp=cb', '_jsonp=cb&_envelope', '%5Fjsonp=cb', '_jsonp[]=cb']) {
      const visitor = await send(url, { url: `${list}&${query}` });
      expect(visitor.status).toBe(200);
      const own = await send(url, { url: `${list}&${query}`, headers: { authorization } });
      expect([own.status, JSON.parse(own.text).code ?? JSON.parse(own.text).body?.code]).toMatchObject([
        query.includes('_envelope') ? 200 : 400,
        'rest_callback_disabled',
      ]);
      expect(own.headers['content-type']).toContain('json');
    }
  });

  it.each(['alert(1)//', 'a;b', '</script>', 'a(', 'x'.repeat(200)])('ignores the callback name %s', async (name) => {
    const { url } = await start({});
    const answer = await send(url, { url: `${list}&_jsonp=${encodeURIComponent(name)}` });
    expect([answer.status, answer.headers['content-type'], JSON.parse(answer.text).code]).toEqual([
      400,
      'application/json; charset=UTF-8',
      'rest_callback_invalid',
    ]);
  });
});

async function leftIn(dir: string): Promise<string[]> {
  return readdir(`${dir}/.cms/tmp`).catch(() => []);
}

describe('wrong passwords', () => {
  it('are answered with 429 after too many, and logged', async () => {
    const { url, password, log } = await start({ sign_in_attempts: 3 });
    const ask = (secret: string, name = 'admin', target = list) =>
      send(url, { url: target, headers: { authorization: `Basic ${btoa(`${name}:${secret}`)}` } });
    for (let count = 0; count < 4; count++) expect((await ask(password)).status).toBe(200);
    for (let count = 0; count < 3; count++) expect((await ask(`wrong${count}`)).status).toBe(200);
    for (const target of [list, '/cms-json/cms/v2/users/me', '/cms-json/nowhere']) {
      const { status, headers, text } = await ask(password, 'admin', target);
      expect([status, JSON.parse(text).code]).toEqual([429, 'rest_too_many_attempts']);
      expect(Number(headers['retry-after'])).toBeGreaterThan(290);
    }
    expect((await send(url, { url: list })).status).toBe(200);
    expect((await ask('x', 'somebody-else')).status).toBe(200);
    expect(log.join('\n')).toMatch(/sign-in: too many wrong passwords for account 1 from \S*127\.0\.0\.1/);
    expect(log.join('\n')).not.toContain(password);
  });

  it('are unlimited if the operator says so', async () => {
    const { url, password } = await start({ sign_in_attempts: 0 });
    for (let count = 0; count < 30; count++)
      await send(url, { url: list, headers: { authorization: `Basic ${btoa(`admin:wrong${count}`)}` } });
    const headers = { authorization: `Basic ${btoa(`admin:${password}`)}` };
    expect((await send(url, { url: '/cms-json/cms/v2/users/me', headers })).status).toBe(200);
  });
});
