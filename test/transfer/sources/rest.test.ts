import { existsSync } from 'node:fs';
import { appendFile, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createFetcher } from '../../../src/http-client/fetch.ts';
import { createRestImporter } from '../../../src/transfer/sources/rest.ts';
import type { SourceItem, LostItem, PostItem, SiteItem } from '../../../src/transfer/import/items.ts';
import { createClient } from '../../../src/transfer/sources/rest/client.ts';
import { until } from '../../support/site.ts';
import { type Page, startUpstream, type Upstream } from '../../support/upstream.ts';
import '../../support/seed.ts';

let folder: string;
let next = 0;
const open: Upstream[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-rest-'));
});
afterEach(async () => {
  for (const upstream of open.splice(0)) await upstream.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Fake {
  /** Ids of posts; may change while it is read. */
  posts: number[];
  /** Their ids answer 500, alone or in company. */
  readonly broken: ReadonlySet<number>;
  /** Called with each request for posts, before it is answered. */
  asked: (query: URLSearchParams, request: IncomingMessage) => unknown;
  readonly root: string;
  readonly page: (url: string) => Page;
  readonly offset: boolean;
  /** Most items of a page; `refuses`: more are not asked for with success. */
  readonly cap: number;
  readonly refuses: boolean;
  /** Text before and behind answers. */
  readonly notice: string;
  readonly total: (all: number) => number | null;
  readonly type: Readonly<Record<string, unknown>>;
}

const args = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, name === 'orderby' ? { enum: ['date', 'id'] } : {}]));

/** A site as the original has it, with posts alone. */
async function fake(options: Partial<Fake> = {}): Promise<{ upstream: Upstream; site: Fake }> {
  const site: Fake = {
    posts: [],
    broken: new Set(),
    asked: () => undefined,
    root: '/wp-json',
    page: () => ({ status: 404 }),
    offset: true,
    cap: 100,
    refuses: false,
    notice: '',
    total: (all) => all,
    type: { slug: 'post', rest_base: 'posts', rest_namespace: 'wp/v2', taxonomies: [] },
    ...options,
  };
  const json = (body: unknown, headers: Record<string, string> = {}): Page => ({
    headers: { 'content-type': 'application/json', ...headers },
    body: site.notice + JSON.stringify(body),
  });
  const list = ['context', 'page', 'per_page', 'orderby', 'order', 'status', ...(site.offset ? ['offset'] : [])];
  const index = (url: string) => ({
    name: 'Elsewhere',
    description: '',
    url,
    home: url,
    gmt_offset: 5.5,
    timezone_string: '',
    namespaces: ['wp/v2'],
    routes: {
      '/wp/v2': {},
      '/wp/v2/posts': {
        endpoints: [
          { methods: ['GET'], args: args(list) },
          {
            methods: ['POST'],
            args: { title: {}, content: {}, acf: {}, meta: { properties: { rating: { type: 'integer', default: 3 } } } },
          },
        ],
      },
    },
  });
  const posts = (request: IncomingMessage, response: ServerResponse) => {
    const query = new URL(request.url ?? '', 'http://x').searchParams;
    const wanted = Number(query.get('per_page') ?? 10);
    const size = Math.min(wanted, site.cap);
    const message = `per_page must be between 1 (inclusive) and ${site.cap} (inclusive)`;
    const refusal = { code: 'rest_invalid_param', message: 'Invalid', data: { status: 400, params: { per_page: message } } };
    const answer =
      site.asked(query, request) ?? (wanted > size && site.refuses ? { ...(json(refusal) as object), status: 400 } : undefined);
    const from = query.has('offset') ? Number(query.get('offset')) : (Number(query.get('page') ?? 1) - 1) * size;
    const ids = site.posts.toSorted((a, b) => a - b).slice(from, from + size);
    const total = site.total(site.posts.length);
    const page = (answer ??
      (ids.some((id) => site.broken.has(id))
        ? { status: 500, body: 'PHP Fatal error' }
        : json(ids.map(postOf), total === null ? {} : { 'x-wp-total': String(total) }))) as Exclude<Page, string>;
    if (typeof page === 'function') return page(request, response);
    response.writeHead(page.status ?? 200, page.headers).end(page.body);
  };
  const postOf = (id: number) => ({
    id,
    type: 'post',
    slug: `p${id}`,
    status: 'publish',
    date: '2026-03-05T10:00:00',
    date_gmt: '2026-03-05T04:30:00',
    modified: '2026-03-05T10:00:00',
    title: { rendered: `Don&#8217;t &amp; &lt;b&gt; ${id}` },
    content: { rendered: `<p>Text ${id}</p>`, protected: false },
    excerpt: { rendered: `<p>Text ${id}</p>` },
    link: `http://x/p${id}/`,
    meta: { rating: id === 1 ? 0 : 3, other: '' },
    acf: id === 1 ? { colour: 'red' } : [],
  });
  const upstream = await startUpstream((url) => ({
    '/': site.page(url),
    [`${site.root}/`]: json(index(url)),
    [`${site.root}/wp/v2/types`]: json({ post: site.type }),
    [`${site.root}/wp/v2/taxonomies`]: json({}),
    [`${site.root}/wp/v2/posts`]: posts,
    [`${site.root}/wp/v2/users/me`]: (request, response) =>
      void response.writeHead(request.headers.authorization ? 200 : 401, { 'content-type': 'application/json' }).end('{"id":1}'),
  }));
  open.push(upstream);
  return { upstream, site };
}

interface ReadOptions {
  readonly credentials?: string;
  readonly scratch?: string;
  readonly pauses?: number[];
  readonly lines?: string[];
  readonly signal?: AbortSignal;
  readonly passes?: readonly ('scan' | 'write')[];
  readonly clock?: () => number;
}

async function read(address: string, options: ReadOptions = {}): Promise<SourceItem[]> {
  const { pauses = [], lines = [], scratch = join(folder, String(next++)), passes = ['scan'] } = options;
  const importer = createRestImporter({
    fetcher: createFetcher({ timeoutMs: 2000 }),
    sleep: async (ms) => void pauses.push(ms),
    ...(options.clock ? { clock: options.clock } : {}),
  });
  const source = await importer.open({
    source: address,
    path: null,
    scratch,
    keepGoing: false,
    credentials: options.credentials,
    signal: options.signal,
    say: (line) => lines.push(line),
  });
  let items: SourceItem[] = [];
  for (const pass of passes) {
    items = [];
    for await (const item of source.items(pass)) items.push(item);
  }
  await source.close();
  return items;
}

const ids = (items: readonly SourceItem[]): number[] => items.flatMap((item) => (item.kind === 'post' ? [item.id ?? 0] : []));
const lost = (items: readonly SourceItem[]): LostItem[] =>
  items.filter((item): item is LostItem => item.kind === 'lost' && item.what !== 'revisions');
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
const listed = (upstream: Upstream): string[] => upstream.asked.filter((target) => target.includes('/posts?'));

describe('API discovery', () => {
  const rows: readonly (readonly [what: string, page: (url: string) => Page, root: string, path: string])[] = [
    ['the usual place', () => ({ status: 404 }), '/wp-json', ''],
    ['the address itself', () => ({ status: 404 }), '/wp-json', '/wp-json'],
    ['a header', (url) => ({ headers: { link: `<${url}/api/>; rel="https://api.w.org/"` } }), '/api', ''],
    [
      'a header of a site that does not know its address',
      () => ({ headers: { link: '<https://behind.example/api/>; rel="https://api.w.org/"' } }),
      '/api',
      '',
    ],
    ['a link in the page', (url) => `<html><head><link rel="https://api.w.org/" href="${url}/api/"></head>`, '/api', '/'],
  ];
  it.each(rows)('%s', async (_, page, root, path) => {
    const { upstream } = await fake({ posts: [1], page, root });
    expect(ids(await read(upstream.url + path))).toEqual([1]);
  });

  it('uses a query', async () => {
    const { upstream } = await fake({ posts: [1, 2] });
    const byQuery: Page = async (request, response) => {
      const url = new URL(request.url ?? '', upstream.url);
      const route = url.searchParams.get('rest_route');
      if (route === null) return void response.writeHead(404).end();
      url.searchParams.delete('rest_route');
      const answer = await fetch(`${upstream.url}/wp-json${route}${url.search}`);
      response.writeHead(answer.status, { 'x-wp-total': answer.headers.get('x-wp-total') ?? '' }).end(await answer.text());
    };
    const plain = await startUpstream(() => ({ '/': byQuery, '/blog/': byQuery }));
    open.push(plain);
    expect(ids(await read(plain.url))).toEqual([1, 2]);
    expect(ids(await read(`${plain.url}/blog/?rest_route=/`))).toEqual([1, 2]);
  });

  it('fails with an error', async () => {
    const upstream = await startUpstream(() => ({ '/': 'hello', '/wp-json/': '{"routes":{}}' }));
    open.push(upstream);
    await expect(read(upstream.url)).rejects.toThrow(/no REST API found/);
    await expect(read('http://127.0.0.1:1')).rejects.toThrow(/no REST API found/);
  });
});

describe('a password', () => {
  const secret = 'admin:abcd EFGH 1234';

  it('is sent only to the named origin', async () => {
    const seen: (string | undefined)[] = [];
    const { upstream: other } = await fake({ posts: [1], asked: (_, { headers }) => void seen.push(headers.authorization) });
    const elsewhere: readonly Page[] = [
      { headers: { link: `<${other.url}/wp-json/>; rel="https://api.w.org/"` } },
      { status: 302, headers: { location: `${other.url}/` } },
    ];
    for (const page of elsewhere) {
      const upstream = await startUpstream(() => ({
        '/': page,
        '/wp-json/': { status: 302, headers: { location: `${other.url}/wp-json/` } },
      }));
      open.push(upstream);
      await expect(read(upstream.url, { credentials: secret })).rejects.toThrow(/refused|not sent|cannot be read/);
    }
    expect(seen).toEqual([]);
    await read(other.url, { credentials: secret });
    expect(seen[0]).toBe(`Basic ${Buffer.from(secret).toString('base64')}`);
  });

  it('is in no message and no file', async () => {
    const scratch = join(folder, 'secret');
    const { upstream } = await fake({ posts: [1], asked: () => ({ status: 503, headers: { 'retry-after': '1' } }) });
    const lines: string[] = [];
    const error = await read(upstream.url, { credentials: secret, scratch, lines }).then(() => null, String);
    const files = await readdir(scratch, { recursive: true, withFileTypes: true });
    const texts = await Promise.all(
      files.filter((one) => one.isFile()).map((one) => readFile(join(one.parentPath, one.name), 'utf8')),
    );
    const all = [error, ...lines, ...texts, ...files.map(({ name }) => name)].join('\n');
    expect(texts.length).toBeGreaterThan(1);
    for (const part of ['abcd', Buffer.from(secret).toString('base64')]) expect(all).not.toContain(part);
    for (const one of files.filter((file) => file.isFile()))
      expect((await stat(join(one.parentPath, one.name))).mode & 0o077).toBe(0);
  });
});

describe('a list', () => {
  it('is read page by page, in order', async () => {
    const { upstream } = await fake({ posts: upTo(250) });
    const items = await read(upstream.url);
    expect(ids(items)).toEqual(upTo(250));
    expect(listed(upstream)).toHaveLength(3);
    expect(listed(upstream)[0]).toMatch(/orderby=id&order=asc/);
    expect(items.filter(({ kind }) => kind === 'site')).toHaveLength(1);
  });

  it('loses nothing when items come and go meanwhile, and returns nothing twice', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(fc.record({ at: fc.nat(6), drop: fc.array(fc.nat(320), { maxLength: 4 }), add: fc.nat(3) }), { maxLength: 4 }),
        async (offset, changes) => {
          let request = 0;
          const { upstream, site } = await fake({
            posts: upTo(320),
            offset,
            asked() {
              for (const { at, drop, add } of changes.filter(({ at }) => at === request)) {
                site.posts = site.posts.filter((id) => !drop.includes(id));
                for (let i = 0; i < add; i++) site.posts.push(1000 + at * 10 + i);
              }
              request++;
            },
          });
          const found = ids(await read(upstream.url));
          expect(new Set(found).size).toBe(found.length);
          const stayed = upTo(320).filter((id) => site.posts.includes(id));
          // Without an offset what goes and what comes at the same moment cannot be told apart.
          if (offset) expect(stayed.filter((id) => !found.includes(id))).toEqual([]);
          await upstream.close();
          open.length = 0;
        },
      ),
      { numRuns: 15 },
    );
  });

  it.each([true, false])('returns all but the broken items (offset: %s)', async (offset) => {
    const { upstream } = await fake({ posts: upTo(230), broken: new Set([1, 57, 58, 230]), offset });
    const items = await read(upstream.url);
    expect(ids(items)).toEqual(upTo(230).filter((id) => ![1, 57, 58, 230].includes(id)));
    expect(lost(items).map(({ remarks }) => remarks?.[0]?.rule)).toEqual(['broken', 'broken', 'broken', 'broken']);
    expect(lost(items)[0]?.place.source).toMatch(/per_page=1&/);
    expect(listed(upstream).length).toBeLessThan(120);
  });

  const caps = [1, 7, 10, 37].flatMap((cap) => [true, false].map((offset) => [cap, offset] as const));
  it.each(caps)('returns what was received, although it returns at most %s items (offset: %s)', async (cap, offset) => {
    for (const refuses of [false, true])
      for (const total of [(all: number) => all, () => null]) {
        const { upstream } = await fake({ posts: upTo(95), cap, offset, refuses, total });
        const items = await read(upstream.url);
        expect(ids(items)).toEqual(upTo(95));
        expect(lost(items)).toEqual([]);
      }
  });

  it('reports how many items are missing', async () => {
    const { upstream } = await fake({ posts: upTo(120), total: () => 150 });
    const items = await read(upstream.url);
    expect(ids(items)).toEqual(upTo(120));
    expect(lost(items)).toMatchObject([
      { what: 'post', count: 30, remarks: [{ rule: 'broken', unreadable: true, message: '30 of 150 were not handed over' }] },
    ]);
  });

  it('is read behind PHP notices, which are reported', async () => {
    const notice = '<br />\n<b>Notice</b>: x[0] {y} in <b>/p.php</b><br />\n';
    const { upstream } = await fake({ posts: upTo(3), notice });
    const items = await read(upstream.url);
    expect(ids(items)).toEqual(upTo(3));
    const site = items.find((item): item is SiteItem => item.kind === 'site');
    expect(site?.remarks?.map(({ rule }) => rule)).toContain('skipped-text');
  });

  it('that fails completely is given up', async () => {
    const { upstream } = await fake({ posts: upTo(500), broken: new Set(upTo(500)) });
    await expect(read(upstream.url)).rejects.toThrow(/responds with errors/);
    expect(listed(upstream).length).toBeLessThan(100);
  });

  it('that is not a list, or not JSON, counts as failed', async () => {
    for (const body of ['<html>', '{"a":1}', '[1,2]', '"x"']) {
      const { upstream } = await fake({ posts: [1], asked: () => ({ body }) });
      await expect(read(upstream.url)).rejects.toThrow(/responds with errors/);
    }
  });

  it('that is forbidden is reported', async () => {
    const { upstream } = await fake({ posts: [1], asked: () => ({ status: 403, body: '{}' }) });
    const items = await read(upstream.url);
    expect(lost(items)).toMatchObject([{ what: 'post', remarks: [{ rule: 'refused' }] }]);
  });

  it('is requested in smaller pages if larger ones are refused', async () => {
    const { upstream } = await fake({
      posts: [1],
      asked: (query) => (query.get('context') === 'edit' ? { status: 403, body: '{}' } : undefined),
    });
    const items = await read(upstream.url, { credentials: 'a:b' });
    expect(ids(items)).toEqual([1]);
    const site = items.find((item): item is SiteItem => item.kind === 'site');
    expect(site?.remarks).toMatchObject([{ rule: 'added-field' }, { rule: 'as-visitor', severity: 'changed' }]);
  });
});

describe('a busy site', () => {
  it('gets the time it asks for', async () => {
    let times = 0;
    const { upstream } = await fake({
      posts: [1],
      asked: () => (times++ < 2 ? { status: times === 1 ? 429 : 503, headers: { 'retry-after': '7' } } : undefined),
    });
    const [pauses, lines]: [number[], string[]] = [[], []];
    expect(ids(await read(upstream.url, { pauses, lines }))).toEqual([1]);
    expect(pauses).toEqual([7000, 7000]);
    expect(lines[0]).toMatch(/responded with 429; trying again in 7 s/);
  });

  it('gets no other requests meanwhile, such as for files', async () => {
    let times = 0;
    const upstream = await startUpstream(() => ({
      '/a.png': (_, response) => void (times++ === 0 ? response.writeHead(429, { 'retry-after': '7' }).end() : response.end('a')),
      '/b.png': 'b',
    }));
    open.push(upstream);
    const waits: { readonly ms: number; readonly end: () => void }[] = [];
    const sleep = (ms: number) => new Promise<void>((end) => void waits.push({ ms, end }));
    const client = createClient({ fetcher: createFetcher(), root: `${upstream.url}/wp-json/`, origins: [upstream.url], sleep });
    const into = (name: string): string => join(folder, `${next++}-${name}`);
    const file = (name: string) => ({ path: name, url: `${upstream.url}/${name}` });
    const first = client.download(file('a.png'), into('a'));
    await until(() => waits.length === 1);
    const others = [client.download(file('b.png'), into('b')), client.get('/wp/v2/posts')];
    expect([waits[0]?.ms, upstream.asked]).toEqual([7000, ['/a.png']]);
    waits[0]?.end();
    await Promise.all([first, ...others]);
    expect(upstream.asked.toSorted()).toEqual(['/a.png', '/a.png', '/b.png', '/wp-json/wp/v2/posts']);
  });

  it('is retried with growing delays, but not forever', async () => {
    const { upstream } = await fake({ posts: [1], asked: () => ({ status: 502 }) });
    const pauses: number[] = [];
    await read(upstream.url, { pauses }).catch(() => undefined);
    const first = pauses.slice(0, 5);
    expect(first.every((ms, i) => ms >= 500 * 2 ** i && ms < 1500 * 2 ** i)).toBe(true);
    expect(pauses.length).toBeLessThan(250);
  });

  it('that asks for hours is given up', async () => {
    const { upstream } = await fake({ posts: [1], asked: () => ({ status: 429, headers: { 'retry-after': '7200' } }) });
    await expect(read(upstream.url)).rejects.toThrow(/retry in 120 minutes/);
  });
});

describe('the spool', () => {
  it('gives every pass the same, with one request each', async () => {
    const { upstream } = await fake({ posts: upTo(150) });
    const items = await read(upstream.url, { passes: ['scan', 'write', 'write'] });
    expect(ids(items)).toEqual(upTo(150));
    expect(listed(upstream)).toHaveLength(2);
  });

  it('resumes an interrupted run, also after a partial line', async () => {
    const scratch = join(folder, 'resume');
    let stopAt = 3;
    const { upstream } = await fake({
      posts: upTo(450),
      asked: () => (--stopAt === 0 ? { status: 429, headers: { 'retry-after': '9999' } } : undefined),
    });
    await expect(read(upstream.url, { scratch })).rejects.toThrow(/retry in/);
    const before = listed(upstream).length;
    for (const file of await readdir(scratch, { recursive: true }))
      if (file.endsWith('.jsonl')) await appendFile(join(scratch, file), '{"rows":[{"id":999');
    expect(ids(await read(upstream.url, { scratch, passes: ['scan', 'write'] }))).toEqual(upTo(450));
    expect(listed(upstream).length - before).toBe(3);
  });

  it('is not used if it is old, of a finished run, or of another user', async () => {
    const scratch = join(folder, 'fresh');
    const { upstream } = await fake({ posts: upTo(20) });
    let now = 1_000_000;
    const clock = () => now;
    const asks = async (options: ReadOptions): Promise<number> => {
      const before = listed(upstream).length;
      await read(upstream.url, { scratch, clock, ...options });
      return listed(upstream).length - before;
    };
    expect(await asks({})).toBe(1);
    expect(await asks({})).toBe(0);
    expect(await asks({ credentials: 'a:b' })).toBe(1);
    now += 25 * 60 * 60_000;
    expect(await asks({ passes: ['scan', 'write'] })).toBe(1);
    expect((await readdir(scratch)).length).toBe(1);
    expect(await asks({})).toBe(1);
  });

  it('can be cancelled', async () => {
    const stop = new AbortController();
    const { upstream } = await fake({ posts: upTo(450), asked: (query) => void (query.get('offset') !== '0' && stop.abort()) });
    await expect(read(upstream.url, { signal: stop.signal })).rejects.toThrow();
    expect(listed(upstream)).toHaveLength(2);
  });
});

describe('an item', () => {
  const item = async (options: Partial<Fake> = {}): Promise<PostItem> => {
    const { upstream } = await fake({ posts: [1], ...options });
    return (await read(upstream.url)).find((one): one is PostItem => one.kind === 'post') as PostItem;
  };

  it('has its raw title, rendered text, no generated excerpt, and fields of plugins', async () => {
    expect(await item()).toMatchObject({
      title: 'Don’t & &lt;b&gt; 1',
      content: '<p>Text 1</p>',
      markup: 'html',
      date: '2026-03-05T10:00:00',
      dateGmt: '2026-03-05T04:30:00',
      meta: { rating: 0, acf: { colour: 'red' } },
    });
    expect(await item()).not.toHaveProperty('excerpt');
  });

  it('of a custom type is declared', async () => {
    const type = {
      slug: 'book',
      name: 'Books',
      rest_base: 'posts',
      rest_namespace: 'wp/v2',
      hierarchical: true,
      labels: { name: 'Books', singular_name: 'Book' },
      supports: { title: true, editor: true, comments: false },
      taxonomies: ['genre'],
    };
    const { upstream } = await fake({ posts: [1], type });
    const items = await read(upstream.url);
    expect(items.find(({ kind }) => kind === 'type')).toMatchObject({
      name: 'book',
      declaration: {
        plural: 'Books',
        singular: 'Book',
        rest_base: 'posts',
        hierarchical: true,
        supports: ['title', 'editor'],
        taxonomies: ['genre'],
        fields: { rating: 'integer' },
      },
    });
    expect(items.find(({ kind }) => kind === 'site')).toMatchObject({ settings: { name: 'Elsewhere', timezone: '+05:30' } });
    expect(existsSync(folder)).toBe(true);
  });
});
