/** Feeds: what is asked, what is kept, and what is said when there is nothing. */
import { afterEach, describe, expect, it } from 'vitest';
import { environment } from '../../../../src/kernel/environment.ts';
import { openSite } from '../../../../src/open-site.ts';
import { readFeeds } from '../../../../src/modules/api/site-routes/feed-settings.ts';
import { startSite, type TestSite } from '../../../support/site.ts';
import { type Page, startUpstream, type Upstream } from '../../../support/upstream.ts';

const post = {
  id: '17',
  caption: 'On the <quay>',
  media_type: 'CAROUSEL_ALBUM',
  media_url: 'https://cdn.example/a.jpg',
  permalink: 'javascript:alert(1)',
  timestamp: '2026-03-05T10:00:00+0000',
  username: 'harbour',
  secret: 'x',
  children: {
    data: [{ id: '18', media_type: 'VIDEO', media_url: 'https://cdn.example/b.mp4', thumbnail_url: 'https://cdn.example/b.jpg' }],
  },
};
const shown = {
  id: '17',
  caption: 'On the <quay>',
  media_type: 'CAROUSEL_ALBUM',
  media_url: 'https://cdn.example/a.jpg',
  thumbnail_url: null,
  permalink: null,
  timestamp: '2026-03-05T10:00:00+0000',
  username: 'harbour',
  children: [
    { id: '18', media_type: 'VIDEO', media_url: 'https://cdn.example/b.mp4', thumbnail_url: 'https://cdn.example/b.jpg' },
  ],
};
const facebookPost = {
  id: 5,
  message: 'Hello',
  attachments: {
    data: [{ type: 'photo', title: 'T', url: 'https://fb.example/1', media: { image: { src: 'https://fb.example/1.jpg' } } }],
  },
  likes: { data: [], summary: { total_count: 7 } },
  comments: { summary: { total_count: 2 } },
  shares: { count: 3 },
  from: { id: '9', name: 'Harbour' },
};

let site: TestSite | undefined;
let upstream: Upstream | undefined;
let page: Page = '';
let clock = 0;
const settings = 'name: Harbour\ntimezone: UTC\ndeployment: extended\n';

async function start(feeds: (url: string) => Record<string, unknown>, files: Record<string, string> = {}): Promise<TestSite> {
  clock = Date.parse('2026-03-05T10:00:00Z');
  environment.TEST_FEED_TOKEN = 'secret-token';
  upstream = await startUpstream(() => {
    const served: Page = (request, response) => {
      if (typeof page === 'function') return page(request, response);
      const { status = 200, body = '', headers = {} } = typeof page === 'string' ? { body: page } : page;
      response.writeHead(status, headers).end(body);
    };
    return { '/1784/media': served, '/1122/posts': served };
  });
  site = await startSite({
    clock: () => clock,
    operator: { feeds: feeds(upstream.url) },
    files: { 'site.yaml': settings, ...files },
  });
  return site;
}

const remote = (url: string, more: object = {}) => ({
  insta: { 1: { source: 'remote', account: '1784', token_env: 'TEST_FEED_TOKEN', url, ttl: 60, limit: 2, ...more } },
  facebook: { 3: { source: 'remote', page: '1122', token_env: 'TEST_FEED_TOKEN', url } },
});
const get = async (path: string) => (site as TestSite).ask('GET', path);

afterEach(async () => {
  await site?.close();
  await upstream?.close();
  [site, upstream] = [undefined, undefined];
  delete environment.TEST_FEED_TOKEN;
});

describe('a feed of a platform', () => {
  it('is requested with the token, parsed, and cached', async () => {
    page = JSON.stringify({ data: [post, { id: '2' }, { id: '3' }] });
    await start(remote);
    const { status, headers, body } = await get('/cms/v2/insta/1');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('public, max-age=60');
    expect(body).toMatchObject({ id: 1, type: 'insta', updated: '2026-03-05T10:00:00Z', stale: false });
    expect(body.data[0]).toEqual(shown);
    expect(body.data).toHaveLength(2);
    expect(upstream?.asked).toHaveLength(1);
    const asked = new URL(upstream?.asked[0] ?? '', upstream?.url);
    expect([asked.pathname, asked.searchParams.get('access_token'), asked.searchParams.get('limit')]).toEqual([
      '/1784/media',
      'secret-token',
      '2',
    ]);
    clock += 59_000;
    await get('/cms/v2/insta/01?again');
    expect(upstream?.asked).toHaveLength(1);
    page = JSON.stringify({ data: [{ id: '4' }] });
    clock += 2000;
    expect((await get('/cms/v2/insta/1?later')).body).toMatchObject({
      updated: '2026-03-05T10:01:01Z',
      data: [{ id: '4', caption: '' }],
    });
  });

  it('of the other platform has its own fields', async () => {
    page = JSON.stringify({ data: [facebookPost] });
    await start(remote);
    expect((await get('/cms/v2/facebook/3')).body.data).toEqual([
      {
        id: '5',
        message: 'Hello',
        created_time: '',
        permalink_url: null,
        full_picture: null,
        attachments: [{ type: 'photo', title: 'T', url: 'https://fb.example/1', image: 'https://fb.example/1.jpg' }],
        likes: 7,
        comments: 2,
        shares: 3,
        from: { id: '9', name: 'Harbour' },
      },
    ]);
  });

  it('is the last good copy while the platform fails, also after a restart, and is retried after half a minute', async () => {
    page = JSON.stringify([post]);
    await start(remote);
    await get('/cms/v2/insta/1');
    clock += 61_000;
    page = { status: 500, body: 'no' };
    const old = await get('/cms/v2/insta/1');
    expect(old.body).toMatchObject({ stale: true, updated: '2026-03-05T10:00:00Z', data: [{ id: '17' }] });
    expect(old.headers.get('cache-control')).toBe('no-store');
    await get('/cms/v2/insta/1');
    expect(upstream?.asked).toHaveLength(2);
    const { dir, operator } = { dir: (site as TestSite).dir, operator: (site as TestSite).site.operator };
    const again = await openSite(dir, { operator, readOnly: true, clock: () => clock });
    expect(await again.feeds.read('insta', '1')).toMatchObject({ stale: true, data: [{ id: '17' }] });
    await again.close();
    page = JSON.stringify([{ id: 'new' }]);
    clock += 31_000;
    expect((await get('/cms/v2/insta/1')).body).toMatchObject({ stale: false, data: [{ id: 'new' }] });
  });

  it.each<[name: string, page: Page, said: string]>([
    ['an error', { status: 403, body: '{}' }, 'it answered 403'],
    ['no JSON', 'hello', 'no list of items'],
    ['no list', '{"data": {}}', 'no list of items'],
    ['no text', { headers: { 'content-type': 'application/json' }, body: '\ufffe[' }, 'no list of items'],
    ['far too much', `[${'1,'.repeat(600_000)}1]`, 'too large'],
    ['a page elsewhere', { status: 302, headers: { location: 'http://127.0.0.1:9/' } }, 'refused'],
    ['nothing', (request) => void request.socket.destroy(), 'could not be reached'],
  ])('with %s is a 502 without a copy, and the log says why without the token', async (_name, given, said) => {
    page = given;
    await start(remote);
    const { status, body, headers } = await get('/cms/v2/insta/1');
    expect([status, body.code, headers.get('retry-after')]).toEqual([502, 'rest_feed_unavailable', '30']);
    const log = (site as TestSite).log.join('\n');
    expect(log).toContain(said);
    expect(log + JSON.stringify(body)).not.toContain('secret-token');
  });

  it('is requested once for concurrent requests', async () => {
    page = JSON.stringify([post]);
    await start(remote);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => get(`/cms/v2/insta/1?n=${at}`)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(upstream?.asked).toHaveLength(1);
  });

  it('is not requested without a token', async () => {
    await start(remote);
    delete environment.TEST_FEED_TOKEN;
    expect((await get('/cms/v2/insta/1')).status).toBe(502);
    expect([upstream?.asked.length, (site as TestSite).log.join()]).toEqual([0, expect.stringContaining('TEST_FEED_TOKEN')]);
  });

  it('of another account does not return the copy of the previous one', async () => {
    page = JSON.stringify([post]);
    await start(remote);
    await get('/cms/v2/insta/1');
    const operator = { ...(site as TestSite).site.operator, feeds: remote('http://127.0.0.1:9', { account: 'other' }) };
    const again = await openSite((site as TestSite).dir, { operator, readOnly: true, clock: () => clock });
    await expect(again.feeds.read('insta', '1')).rejects.toMatchObject({ code: 'rest_feed_unavailable' });
    await again.close();
  });
});

describe('a feed from a file', () => {
  const feeds = () => ({ insta: { 2: { source: 'file', path: 'feeds/two.json', limit: 1 } } });

  it('follows the file, and keeps the last good state while it cannot be read', async () => {
    await start(feeds, { 'feeds/two.json': JSON.stringify({ data: [post, post] }) });
    expect((await get('/cms/v2/insta/2')).body).toMatchObject({ id: 2, stale: false, data: [shown] });
    await (site as TestSite).write('feeds/two.json', '[{"id": "b"}]');
    clock += 1000;
    expect((await get('/cms/v2/insta/2?b')).body).toMatchObject({
      stale: false,
      updated: '2026-03-05T10:00:01Z',
      data: [{ id: 'b' }],
    });
    await (site as TestSite).write('feeds/two.json', '[{"id": ');
    expect((await get('/cms/v2/insta/2?c')).body).toMatchObject({ stale: true, data: [{ id: 'b' }] });
    await (site as TestSite).write('feeds/two.json', '[]');
    expect((await get('/cms/v2/insta/2?d')).body).toMatchObject({ stale: false, data: [] });
  });

  it('is a 502 if the file never existed', async () => {
    await start(feeds);
    expect((await get('/cms/v2/insta/2')).body.code).toBe('rest_feed_unavailable');
  });
});

describe('an invalid feed', () => {
  it.each(['/cms/v2/insta/9', '/cms/v2/facebook/1', '/cms/v2/insta/0'])('has the URL %s', async (path) => {
    await start(remote);
    expect((await get(path)).body).toMatchObject({ code: 'rest_feed_not_found', data: { status: 404 } });
  });

  it('has a name that is not a number', async () => {
    await start(() => ({}));
    expect((await get('/cms/v2/insta/abc')).body.code).toBe('rest_no_route');
  });

  it.each<[string, Record<string, unknown>]>([
    ['feeds.twitter is not one of insta, facebook', { twitter: {} }],
    ['feeds.insta is not a map', { insta: [] }],
    ['feeds.insta.x is not called by a number', { insta: { x: {} } }],
    ['feeds.insta.1.source', { insta: { 1: { source: 'http' } } }],
    ['feeds.insta.1.account', { insta: { 1: { source: 'remote', token_env: 'A' } } }],
    ['feeds.insta.1.account', { insta: { 1: { source: 'remote', account: '../x', token_env: 'A' } } }],
    ['feeds.facebook.1.page', { facebook: { 1: { source: 'remote', account: 'a', token_env: 'A' } } }],
    ['feeds.insta.1.token_env', { insta: { 1: { source: 'remote', account: '1' } } }],
    ['feeds.insta.1.url', { insta: { 1: { source: 'remote', account: '1', token_env: 'A', url: 'file:///etc' } } }],
    ['feeds.insta.1.ttl', { insta: { 1: { source: 'remote', account: '1', token_env: 'A', ttl: 0 } } }],
    ['feeds.insta.1.limit', { insta: { 1: { source: 'file', path: 'a.json', limit: 1000 } } }],
    ['feeds.insta.1.path', { insta: { 1: { source: 'file', path: '../a.json' } } }],
    ['feeds.insta.1.path', { insta: { 1: { source: 'file', path: '/etc/a.json' } } }],
    ['feeds.insta.1.path', { insta: { 1: { source: 'file', path: '.cms/private/a.json' } } }],
    ['feeds.insta.1.path', { insta: { 1: { source: 'file', path: 'users/a.yaml' } } }],
  ])('is reported: %s', (message, feeds) => {
    expect(() => readFeeds(feeds)).toThrow(message);
  });
});
