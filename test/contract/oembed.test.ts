import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oembedLinks } from '../../src/modules/embeds/oembed.ts';
import { signUp, startSite, type TestSite, until } from '../support/site.ts';
import { startUpstream, type Upstream } from '../support/upstream.ts';

let site: TestSite;
let upstream: Upstream;
let closed: Upstream;
let sub = '';
const post = (front: string, body = '') => `---\n${front}\n---\n${body}\n`;

beforeAll(async () => {
  closed = await startUpstream(() => ({ '/': 'secret' }));
  upstream = await startUpstream((url) => ({
    '/page': `<head><link rel="alternate" type="application/json+oembed" href="${url}/service"></head>`,
    '/service': JSON.stringify({ type: 'rich', title: 'There', html: '<blockquote>Hello</blockquote><script>e()</script>' }),
    '/plain': '<head></head>',
    '/away': { status: 302, headers: { location: `${closed.url}/` } },
  }));
  site = await startSite({
    operator: { fetch_allow: [upstream.host] },
    files: {
      'posts/2022/01/shown.md': post("id: 10\ntitle: Tom & Jerry's\ndate: 2022-01-01 10:00\nauthor: admin", 'Look <b>here</b>.'),
      'posts/2022/02/draft.md': post('id: 11\ntitle: Canary draft\nstatus: draft'),
      'posts/2022/03/private.md': post('id: 12\ntitle: Canary private\nstatus: private\ndate: 2022-01-01 10:00'),
      'posts/2022/04/locked.md': post('id: 13\ntitle: Locked\npassword: open\ndate: 2022-01-01 10:00', 'Canary text.'),
      'pages/about.md': post('id: 14\ntitle: About\ndate: 2022-01-01 10:00'),
      'pages/about/team.md': post('id: 15\ntitle: Team\ndate: 2022-01-01 10:00'),
    },
  });
  sub = (await signUp(site, 'sub', 'subscriber')).as;
});

afterAll(async () => {
  await site.close();
  await upstream.close();
  await closed.close();
});

const embed = (path: string, more = '') =>
  site.ask('GET', `/oembed/1.0/embed?url=${encodeURIComponent(path.startsWith('/') ? site.url + path : path)}${more}`);
const proxy = (url: string, as: string | undefined = 'admin') =>
  site.ask('GET', `/oembed/1.0/proxy?url=${encodeURIComponent(url)}`, as ? { as } : {});

describe('an embed', () => {
  it.each<[string, string | null]>([
    ['/shown/', 'Tom &#038; Jerry&#8217;s'],
    ['/shown', 'Tom &#038; Jerry&#8217;s'],
    ['/shown/?utm=1#part', 'Tom &#038; Jerry&#8217;s'],
    ['/?p=10', 'Tom &#038; Jerry&#8217;s'],
    ['/index.php?p=10', 'Tom &#038; Jerry&#8217;s'],
    ['/about/', 'About'],
    ['/about/team/', 'Team'],
    ['/?page_id=15', 'Team'],
    ['/locked/', 'Protected: Locked'],
    ['/team/', null],
    ['/', null],
    ['/?p=11', null],
    ['/draft/', null],
    ['/private/', null],
    ['/?p=12', null],
    ['/?p=999', null],
    ['https://other.example/shown/', null],
    ['http://127.0.0.1/shown/', null],
  ])('%s', async (path, title) => {
    const { status, body } = await embed(path);
    if (title === null) expect([status, body.code, body.data]).toEqual([404, 'oembed_invalid_url', { status: 404 }]);
    else expect([status, body.title, body.type, body.version]).toEqual([200, title, 'rich', '1.0']);
    expect(JSON.stringify(body)).not.toContain('Canary');
  });

  it.each([
    ['', 600, 338],
    ['&maxwidth=250', 250, 200],
    ['&maxwidth=-400', 400, 225],
    ['&maxwidth=wide', 200, 200],
    ['&maxwidth=9999', 600, 338],
  ])('is as wide as requested: %s', async (more, width, height) => {
    expect((await embed('/shown/', more)).body).toMatchObject({ width, height });
  });

  it('is XML on request, including errors', async () => {
    const shown = await embed('/shown/', '&format=xml');
    expect(shown.headers.get('content-type')).toBe('text/xml; charset=utf-8');
    expect(shown.body).toContain('<title>Tom &amp; Jerry&#x2019;s</title>');
    expect((await embed('/?p=11', '&format=xml')).body).toContain('<code>oembed_invalid_url</code>');
    expect((await embed('/shown/', '&format=yaml')).headers.get('content-type')).toContain('json');
  });

  it('has the author name as markup, and as text in XML', async () => {
    await site.ask('POST', '/cms/v2/users/1', { as: 'admin', body: { name: 'Tom & <Jerry>' } });
    expect((await embed('/shown/')).body.author_name).toBe((await site.ask('GET', '/cms/v2/users/1')).body.name);
    await site.ask('POST', '/cms/v2/users/1', { as: 'admin', body: { name: 'Tom & Jerry' } });
    expect((await embed('/shown/')).body.author_name).toBe('Tom &amp; Jerry');
    expect((await embed('/shown/', '&format=xml')).body).toContain('<author_name>Tom &amp; Jerry</author_name>');
  });

  it('is announced for public items', () => {
    const links = (id: number) => oembedLinks(site.site, site.site.posts.get(id) as never, `${site.url}/cms-json`);
    expect(links(10).map(({ type, href }) => [type, href.replace(site.url, '')])).toEqual([
      ['application/json+oembed', `/cms-json/oembed/1.0/embed?url=${encodeURIComponent(`${site.url}/shown/`)}`],
      ['text/xml+oembed', `/cms-json/oembed/1.0/embed?url=${encodeURIComponent(`${site.url}/shown/`)}&format=xml`],
    ]);
    expect([11, 12].flatMap(links)).toEqual([]);
  });
});

describe('an embedded image', () => {
  // Ids well above those that a file without one is given meanwhile.
  it('comes with its post, as wide as requested', async () => {
    await site.write('media/2022/01/boat.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4"></svg>');
    await writeFile(join(site.dir, 'media/2022/01/dot.png'), dot);
    await site.write('media/2022/01/dot.png.yaml', 'id: 1050\ntitle: Dot\n');
    await site.write(
      'posts/2022/05/pictured.md',
      post('id: 1016\ntitle: Pictured\ndate: 2022-05-01 10:00\nfeatured_media: 1050'),
    );
    await until(async () => (await embed('/pictured/')).body.thumbnail_url !== undefined);
    const { body } = await embed('/pictured/');
    expect(body).toMatchObject({ thumbnail_url: `${site.url}/uploads/2022/01/dot.png`, thumbnail_width: 1, thumbnail_height: 1 });
    expect((await embed('/shown/')).body).not.toHaveProperty('thumbnail_url');
  });

  it('that is animated is a video', async () => {
    await writeFile(join(site.dir, 'media/2022/01/clip.mp4'), Buffer.from('0000001866747970', 'hex'));
    await site.write('media/2022/01/clip.mp4.yaml', 'id: 1060\ntitle: Clip\n');
    await until(async () => (await embed('/?attachment_id=1060')).status === 200);
    expect((await embed('/?attachment_id=1060')).body).toMatchObject({ type: 'video', title: 'Clip' });
    expect((await embed('/?attachment_id=1050')).body).toMatchObject({ type: 'rich', title: 'Dot' });
  });
});

/** One pixel. */
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('the oEmbed proxy', () => {
  it('is for users who edit posts', async () => {
    expect(await proxy(`${upstream.url}/page`, '')).toMatchObject({ status: 401, body: { code: 'rest_forbidden' } });
    expect(await proxy(`${upstream.url}/page`, sub)).toMatchObject({ status: 403, body: { code: 'rest_forbidden' } });
    expect(upstream.asked).toEqual([]);
  });

  it('answers for posts of this site without a request', async () => {
    expect(await proxy(`${site.url}/shown/`)).toMatchObject({ status: 200, body: { title: 'Tom &#038; Jerry&#8217;s' } });
    expect(upstream.asked).toEqual([]);
  });

  it('asks the service of a page once', async () => {
    expect(await proxy(`${upstream.url}/page`)).toMatchObject({
      status: 200,
      body: { title: 'There', html: '<blockquote>Hello</blockquote>' },
    });
    const times = upstream.asked.length;
    expect((await proxy(`${upstream.url}/page`)).body.title).toBe('There');
    expect(upstream.asked.length).toBe(times);
  });

  it.each([
    ['a page without a service', () => `${upstream.url}/plain`],
    ['a way out of what is allowed', () => `${upstream.url}/away`],
    ['a neighbour', () => `${closed.url}/`],
    ['metadata', () => 'http://169.254.169.254/latest/meta-data/'],
    ['a file', () => 'http://me:x@127.0.0.1/'],
  ])('returns nothing for %s', async (_, url) => {
    expect(await proxy(url())).toMatchObject({ status: 404, body: { code: 'oembed_invalid_url' } });
    expect(closed.asked).toEqual([]);
  });
});
