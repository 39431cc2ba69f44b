/** Sitemaps, robots.txt and who may learn what from them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type SitemapInventory,
  perPage,
  type Section,
  takeInventory,
} from '../../../../src/modules/website/sitemaps/inventory.ts';
import { rowsOf } from '../../../../src/modules/website/sitemaps/rows.ts';
import { startSite, type TestSite, until } from '../../../support/site.ts';
import { all, readXml, texts } from '../../../support/xml.ts';

const date = '2026-03-05T10:00:00';
const post = (id: number, title: string, more = ''): string =>
  `---\nid: ${id}\ntitle: ${title}\ndate: ${date}\n${more}---\nText.\n`;
const site = 'name: Harbour\ntimezone: UTC\n';
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
).toString('latin1');

const files = {
  'site.yaml': `${site}types:\n  book: { plural: Books, singular: Book, taxonomies: [genre] }\ntaxonomies:\n  genre: { plural: Genres, singular: Genre }\n`,
  'posts/hello.md': post(101, 'Hello', 'author: anna\ncategories: [notes]\ntags: [fog]\n'),
  'posts/слон.md': post(102, 'Слон', 'slug: слон\nmodified: 2026-03-08T09:00:00\n'),
  'posts/draft.md': post(103, 'Draft', 'status: draft\ncategories: [secret]\n'),
  'posts/private.md': post(104, 'Private', 'status: private\nauthor: ben\n'),
  'posts/locked.md': post(105, 'Locked', 'password: open\n'),
  'posts/later.md': `---\nid: 106\ntitle: Later\ndate: 2099-01-01T00:00:00\n---\n`,
  'posts/trashed.md': post(107, 'Trashed', 'status: trash\n'),
  'pages/about.md': post(110, 'About'),
  'pages/about/team.md': post(111, 'Team'),
  'book/dune.md': post(120, 'Dune', 'genre: [space]\n'),
  'terms/category/notes.yaml': 'id: 31\nname: Notes\n',
  'terms/category/secret.yaml': 'id: 32\nname: Secret\n',
  'users/anna.yaml': 'id: 41\nname: Anna\n',
  'users/ben.yaml': 'id: 42\nname: Ben\n',
};

describe('sitemaps', () => {
  let test: TestSite;
  beforeAll(async () => {
    test = await startSite({ files, clock: () => Date.parse('2026-03-10T10:00:00Z') });
  });
  afterAll(() => test.close());
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    test.ask(method, path, { raw: true, headers });
  const locations = async (path: string) => {
    const { status, body } = await get(path);
    expect([path, status]).toEqual([path, 200]);
    return texts(readXml(body), 'loc').map((loc) => loc.replace(test.url, ''));
  };

  it('list every URL once, even at the end of a page', async () => {
    const task = takeInventory(test.site);
    let step = task.next();
    while (!step.done) step = task.next();
    const section = step.value.sections.find(({ kind, name }) => kind === 'term' && name === 'category');
    const many = { ...section, ids: Array.from({ length: perPage }, () => 31), list: date } as Section;
    const rows = async (list: string | null, page: number) =>
      (await rowsOf(test.site, step.value as SitemapInventory, { ...many, list }, page)).length;
    expect([await rows(date, 0), await rows(date, 1), await rows(null, 0), await rows(null, 1)]).toEqual([
      perPage,
      1,
      perPage,
      0,
    ]);
  });

  it('are named by robots.txt and an index, with the last change of each', async () => {
    const robots = await get('/robots.txt');
    expect([robots.status, robots.headers.get('content-type')]).toEqual([200, 'text/plain; charset=UTF-8']);
    expect(robots.body).toBe(`User-agent: *\nDisallow:\n\nSitemap: ${test.url}/sitemap.xml\n`);
    const { status, headers, body } = await get('/sitemap.xml');
    expect([status, headers.get('content-type'), headers.get('x-robots-tag')]).toEqual([
      200,
      'application/xml; charset=UTF-8',
      'noindex, follow',
    ]);
    const index = readXml(body);
    expect(index).toMatchObject({ name: 'sitemapindex', attributes: { xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9' } });
    expect(all(index, 'sitemap').map((one) => [texts(one, 'loc')[0], texts(one, 'lastmod')[0]])).toEqual(
      [
        ['post', '2026-03-08T09:00:00Z'],
        ['page', '2026-03-08T09:00:00Z'],
        ['book', `${date}Z`],
        ['category', '2026-03-08T09:00:00Z'],
        ['post_tag', `${date}Z`],
        ['genre', `${date}Z`],
        ['author', `${date}Z`],
      ].map(([name, changed]) => [`${test.url}/sitemap-${name}-1.xml`, changed]),
    );
  });

  it.each([
    ['/sitemap-post-1.xml', ['/hello/', encodeURI('/слон/')]],
    ['/sitemap-page-1.xml', ['/', '/about/', '/about/team/']],
    ['/sitemap-book-1.xml', ['/book/dune/']],
    ['/sitemap-category-1.xml', ['/category/notes/', '/category/uncategorized/']],
    ['/sitemap-post_tag-1.xml', ['/tag/fog/']],
    ['/sitemap-genre-1.xml', ['/genre/space/']],
  ])('%s contains exactly the public URLs', async (path, wanted) => {
    expect((await locations(path)).map((one) => encodeURI(decodeURI(one))).sort()).toEqual([...wanted].sort());
  });

  it('contain only authors with published posts', async () => {
    const found = await locations('/sitemap-author-1.xml');
    expect(found).toContain('/author/anna/');
    expect(found).not.toContain('/author/ben/');
  });

  it.each(['/wp-sitemap.xml', '/sitemap_index.xml', '/de/wp-sitemap.xml'])('%s redirects to the index', async (path) => {
    const { status, headers } = await get(path);
    expect([status, headers.get('location')]).toEqual([301, `${test.url}/sitemap.xml`]);
  });

  it.each([
    '/sitemap-post-2.xml',
    '/sitemap-post-0.xml',
    '/sitemap-nothing-1.xml',
    '/de/sitemap-post-1.xml',
    '/sitemap-attachment-1.xml',
    '/sitemap-post-1.xml/x',
    '/sitemap-__proto__-1.xml',
  ])('%s is not found', async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  it('return 304 for a matching ETag', async () => {
    for (const path of ['/robots.txt', '/sitemap.xml', '/sitemap-post-1.xml']) {
      const { headers, body } = await get(path);
      const etag = headers.get('etag') as string;
      expect(etag).toMatch(/^"[^"]+"$/);
      const known = await get(path, { 'if-none-match': `"x", W/${etag}` });
      expect([known.status, known.body, known.headers.get('etag'), known.headers.get('content-type')]).toEqual([
        304,
        '',
        etag,
        null,
      ]);
      expect((await get(path, { 'if-none-match': '"x"' })).body).toBe(body);
      const head = await get(path, {}, 'HEAD');
      expect([head.status, head.body, head.headers.get('etag')]).toEqual([200, '', etag]);
      const changed = headers.get('last-modified');
      if (path === '/robots.txt') expect(changed).toBeNull();
      else expect((await get(path, { 'if-modified-since': changed as string })).status).toBe(304);
      expect((await get(path, { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' })).status).toBe(200);
    }
  });

  it('follow every write', async () => {
    const before = (await get('/sitemap-post-1.xml')).headers.get('etag');
    const made = await test.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title: 'New', status: 'publish' } });
    expect(await locations('/sitemap-post-1.xml')).toContain('/new/');
    expect((await get('/sitemap-post-1.xml', { 'if-none-match': before as string })).status).toBe(200);
    await test.ask('POST', `/cms/v2/posts/${made.body.id}`, { as: 'admin', body: { status: 'draft' } });
    expect(await locations('/sitemap-post-1.xml')).not.toContain('/new/');
    await test.write('posts/hand.md', post(150, 'Hand'));
    await until(async () => (await locations('/sitemap-post-1.xml')).includes('/hand/'));
    await test.write('posts/hand.md', post(150, 'Hand', 'password: x\n'));
    await until(async () => !(await locations('/sitemap-post-1.xml')).includes('/hand/'));
  });

  it('contain featured images and images in texts, with absolute URLs', async () => {
    const { site: open, dir } = test;
    const { mkdir, writeFile } = await import('node:fs/promises');
    await mkdir(`${dir}/media`, { recursive: true });
    await writeFile(`${dir}/media/cat & dog.png`, pixel, 'latin1');
    await until(() => [...open.posts.with('type', 'attachment')].length > 0);
    const [id] = open.posts.with('type', 'attachment');
    await test.write(
      'posts/pictures.md',
      `---\nid: 151\ntitle: Pictures\ndate: ${date}\nfeatured_media: ${id}\n---\n![a](/uploads/cat%20%26%20dog.png) ![b](/x.png?a=1&b=2) ![c](https://elsewhere.example/y.png)\n`,
    );
    await until(async () => (await locations('/sitemap-post-1.xml')).includes('/pictures/'));
    const set = readXml((await get('/sitemap-post-1.xml')).body);
    const row = all(set, 'url').find((url) => texts(url, 'loc')[0] === `${test.url}/pictures/`);
    expect(set.attributes['xmlns:image']).toBe('http://www.google.com/schemas/sitemap-image/1.1');
    expect(texts(row!, 'image:loc')).toEqual([`${test.url}/uploads/cat%20%26%20dog.png`, `${test.url}/x.png?a=1&b=2`]);
  });
});

describe('sitemaps of large sites', () => {
  it('contain a thousand URLs each', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 1001 }, (_, at) => [`posts/p${at}.md`, post(1000 + at, `P${at}`, at === 1000 ? 'author: zoe\n' : '')]),
    );
    const test = await startSite({ files: { 'site.yaml': site, ...many } });
    try {
      const of = async (path: string) => texts(readXml((await test.ask('GET', path, { raw: true })).body), 'loc');
      expect((await of('/sitemap.xml')).filter((loc) => loc.includes('-post-'))).toEqual([
        `${test.url}/sitemap-post-1.xml`,
        `${test.url}/sitemap-post-2.xml`,
      ]);
      const [first, second] = [await of('/sitemap-post-1.xml'), await of('/sitemap-post-2.xml')];
      expect([first.length, first[0], first[999]]).toEqual([1000, `${test.url}/p0/`, `${test.url}/p999/`]);
      expect(second).toEqual([`${test.url}/p1000/`]);
      expect((await test.ask('GET', '/sitemap-post-3.xml', { raw: true })).status).toBe(404);
    } finally {
      await test.close();
    }
  });
});
