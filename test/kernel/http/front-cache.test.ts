/**
 * Whoever asks second gets what an answer made anew would say, whatever was asked before: requests are drawn in pairs, over
 * everything a request can differ in, and compared with a server that has kept nothing.
 */
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composeSite } from '../../../src/open-site.ts';
import { createFrontCache, type FrontCache } from '../../../src/kernel/http/front-cache.ts';
import { closeHttp, listenOn } from '../../../src/kernel/http/connections.ts';
import { createServer } from '../../../src/kernel/http/server.ts';
import { signUp, startSite, type TestSite } from '../../support/site.ts';
import { type Got, type Sent, send } from './http.ts';

const post = (id: number, title: string, more = ''): string =>
  `---\nid: ${id}\ntitle: ${title}\ncategories: [harbour]\n${more}---\nText of ${title}, long enough for an excerpt of it.\n`;

const routes = ['/cms/v2/posts', '/cms/v2/posts/101', '/cms/v2/posts/103', '/cms/v2/users', '/cms/v2/categories', '/'];
const targets = [
  ...routes.flatMap((route) => [`/cms-json${route}`, `/wp-json${route.replace('/cms/v2', '/wp/v2')}`]),
  ...['/cms-json/cms/v2/posts/', '/cms-json//cms/v2/posts', '/cms-json/cms%2Fv2/posts', '/CMS-JSON/cms/v2/posts'],
  ...[
    '/cms-json/CMS/v2/Posts',
    '/?rest_route=/cms/v2/posts',
    '/index.php?rest_route=/cms/v2/posts/103',
    '/?rest%5Froute=/cms/v2/posts',
  ],
];
const params = [
  ...[
    '',
    'include=999999',
    'include[]=101&include[]=102',
    'include%5B%5D=101',
    'per_page=1&per_page=2',
    'per_page=1',
    '_fields=id',
  ],
  ...[
    '_fields[]=id&_fields[]=title',
    '_fields=id|title',
    '_embed',
    '_embed=author|x',
    '_envelope',
    '_pretty',
    '_jsonp=cb',
    'context=edit',
  ],
  ...[
    'password=open',
    '%70assword=open',
    'password=wrong',
    'password[]=open',
    '_method=DELETE',
    '_method=HEAD',
    'excerpt_length=2',
  ],
  ...['excerpt_length=2|x', 'search=tide', 'preview_nonce=x&preview_id=101', '__proto__[x]=1', 'a=b', 'PASSWORD=open'],
];
const bodies = [
  ...[
    '{"include":[999999]}',
    '{"_fields":"id"}',
    '{"per_page":1}',
    '{"password":"open"}',
    '{"context":"embed"}',
    '{"excerpt_length":1}',
  ],
  ...[
    '{"search":"nothing"}',
    '{"order":"asc"}',
    '{"id":101}',
    '{}',
    '[]',
    '',
    '{',
    'include=999999&password=open',
    '{"_envelope":1}',
  ],
];
const headers: Readonly<Record<string, readonly string[]>> = {
  'content-type': [
    'application/json',
    'application/x-www-form-urlencoded',
    'application/vnd.x+json',
    'text/plain',
    'multipart/form-data',
  ],
  origin: ['https://a.example', 'https://b.example', 'null'],
  accept: ['text/html', 'application/xml'],
  'accept-encoding': ['gzip'],
  'accept-language': ['de'],
  'x-http-method-override': ['DELETE', 'HEAD', 'POST', 'GET'],
  range: ['bytes=0-3'],
  host: ['evil.example', 'localhost'],
  'x-forwarded-host': ['evil.example'],
  'x-forwarded-for': ['10.0.0.1'],
  'x-forwarded-proto': ['https'],
  cookie: ['session=1'],
  'x-cms-nonce': ['abc'],
  'x-wp-nonce': ['abc'],
  'if-none-match': ['*', '"x"', 'W/"x"'],
  'if-modified-since': ['Wed, 21 Oct 2099 07:28:00 GMT'],
  'x-worker-client': ['10.0.0.1'],
  authorization: ['Basic', 'Bearer x', `Basic ${btoa('admin:wrong')}`, '<admin>', '<author>'],
};

const header = fc
  .constantFrom(...Object.keys(headers))
  .chain((name) => fc.tuple(fc.constant(name), fc.constantFrom(...(headers[name] ?? []))));
const drawn = fc.record({
  method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS'),
  target: fc.constantFrom(...targets),
  params: fc.array(fc.constantFrom(...params), { maxLength: 2 }),
  headers: fc.array(header, { maxLength: 2 }),
  body: fc.option(fc.constantFrom(...bodies), { nil: undefined }),
  sized: fc.boolean(),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

const plain: Drawn = { method: 'GET', target: '', params: [], headers: [], body: undefined, sized: false };

/** Two requests that differ in little, as those must that could be taken for one another. */
const pair = fc
  .tuple(drawn, fc.subarray(['method', 'params', 'headers', 'body', 'sized'] as const, { minLength: 1 }), drawn)
  .map(([first, different, other]): [Drawn, Drawn] => [
    first,
    { ...first, ...Object.fromEntries(different.map((name) => [name, other[name]])) } as Drawn,
  ]);

describe('a second visitor', () => {
  let site: TestSite;
  let anew: HttpServer;
  let anewUrl: string;
  const credentials: Record<string, string> = {};

  beforeAll(async () => {
    site = await startSite({
      // Wrong passwords are drawn, too.
      operator: { sign_in_attempts: 0 },
      files: {
        'terms/category/harbour.yaml': 'id: 50\nname: Harbour\n',
        'posts/2024/01/a.md': post(101, 'Tide'),
        'posts/2024/01/b.md': post(102, 'Fog'),
        'posts/2024/01/c.md': post(103, 'Secret', 'password: open\n'),
      },
    });
    credentials['<admin>'] = `Basic ${btoa(`admin:${site.password}`)}`;
    credentials['<author>'] = `Basic ${btoa((await signUp(site, 'writer', 'author')).as)}`;
    const registry = composeSite(site.site);
    // Each request has a server of its own, which has kept nothing.
    anew = createHttpServer((incoming, outgoing) =>
      createServer({ site: site.site, registry, log: () => undefined }).handle(incoming, outgoing),
    );
    anewUrl = await listenOn(anew, 0, '127.0.0.1');
  });
  afterAll(async () => {
    await closeHttp(anew);
    await site.close();
  });

  it('gets the same response as an uncached one, for random pairs of requests', async () => {
    let reads = 0;
    await fc.assert(
      fc.asyncProperty(pair, async ([first, second]) => {
        const [one, other] = [sentOf(first), sentOf(second)];
        // Kept are answers that were asked for again; the order counts, so all is done both ways.
        for (const sent of [one, one, one, other, other, other, one]) {
          const got = await ask(site.url, sent);
          expect(got, JSON.stringify({ after: [one, other], sent })).toEqual(await ask(anewUrl, sent));
          if (got.status === 200) reads++;
        }
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 120), seed: Number(process.env.FC_SEED ?? 23) },
    );
    expect(reads).toBeGreaterThan(150);
    expect(site.log).toEqual([]);
  }, 120_000);

  it.each([
    ...Object.entries(headers).flatMap(([name, values]) =>
      values.map((value): Drawn => ({ ...plain, headers: [[name, value]] })),
    ),
    ...params.map((one): Drawn => ({ ...plain, params: [one] })),
  ])('gets the same response as an uncached one, after requests that differ in: $headers $params', async (drawn) => {
    for (const target of ['/cms-json/cms/v2/posts', '/cms-json/cms/v2/posts/103?context=view']) {
      const other = sentOf({ ...drawn, target });
      const one = sentOf({ ...plain, target });
      for (const sent of [one, one, one, other, other, other, one])
        expect(await ask(site.url, sent), JSON.stringify(sent)).toEqual(await ask(anewUrl, sent));
    }
  });

  it.each(['{"include":[999999]}', '{"_fields":"id"}', '{"password":"open"}', '{"per_page":1}', '{"context":"embed"}'])(
    'is not served from the cache for a GET with the body %s',
    async (body) => {
      const headers = { 'content-type': 'application/json' };
      for (const url of ['/cms-json/cms/v2/posts?x=1', '/cms-json/cms/v2/posts/103?x=1']) {
        const before = await ask(anewUrl, { url });
        for (const sized of [false, true])
          for (let count = 0; count < 3; count++) await ask(site.url, { url, body, sized, headers });
        expect(await ask(site.url, { url })).toEqual(before);
        // And the other way round: what is kept does not answer those who send a body.
        for (let count = 0; count < 3; count++) await ask(site.url, { url });
        expect(await ask(site.url, { url, body, headers })).toEqual(await ask(anewUrl, { url, body, headers }));
      }
    },
  );

  function sentOf({ method, target, params: chosen, headers: named, body, sized }: Drawn): Sent {
    const query = chosen.filter((one) => one !== '').join('&');
    const url = query === '' ? target : `${target}${target.includes('?') ? '&' : '?'}${query}`;
    const given = Object.fromEntries(named.map(([name, value]) => [name, credentials[value] ?? value]));
    return { method, url, headers: given, sized, ...(body === undefined ? {} : { body }) };
  }

  async function ask(origin: string, sent: Sent): Promise<Got> {
    const { status, headers: all, text } = await send(origin, sent);
    const { date: _date, connection: _connection, 'keep-alive': _alive, ...rest } = all;
    return { status, headers: rest, text };
  }
});

it.each([
  ['records', (site: { generation: number }) => void site.generation++],
  ['accounts', (_: unknown, cache: FrontCache) => cache.clear()],
])('a response computed before %s changed is not cached afterwards', (_, change) => {
  const site = { generation: 1 };
  const cache = createFrontCache({ generation: () => site.generation, clock: () => 0, personal: [], own: (bytes) => bytes });
  const ask = () => cache.serve('/x', { headers: {} }, { writeHead: () => ({ end: () => undefined }) } as never);
  const written = { status: 200, headers: [], body: 'x' };
  const before = cache.state();
  cache.set('/x', written, before);
  cache.set('/x', written, before);
  expect(ask()).toBe(true);
  change(site, cache);
  for (let count = 0; count < 3; count++) cache.set('/x', written, before);
  expect(ask()).toBe(false);
  for (let count = 0; count < 3; count++) cache.set('/x', written, cache.state());
  expect(ask()).toBe(true);
});
