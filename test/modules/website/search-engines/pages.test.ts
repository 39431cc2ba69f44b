/** Heads of the pages that the server shows where there is no front end. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSite, type TestSite } from '../../../support/site.ts';

const post = (id: number, title: string, more = ''): string =>
  `---\nid: ${id}\ntitle: ${title}\ndate: 2026-03-05T10:00:00\n${more}---\nText.\n`;
const content = {
  'terms/category/news.yaml': 'id: 7\nname: News\nseo: { description: What is new }\n',
  'users/anna.yaml': 'id: 9\nname: Anna\n',
  'posts/hello.md': post(101, 'Hello & <b>you</b>', 'author: anna\ncategories: [news]\nseo: { description: Said of it }\n'),
  'posts/hello.de.md': post(102, 'Hallo', 'slug: hallo\n'),
  'posts/locked.md': post(103, 'Locked', 'password: x\nseo: { description: Not a secret }\n'),
  'redirects.yaml': '- { from: /gone/, status: 410 }\n',
};
const title = /<title>([^<]*)<\/title>/g;

describe('pages of the extended deployment', () => {
  let test: TestSite;
  beforeAll(async () => {
    test = await startSite({
      files: {
        'site.yaml':
          'name: Harbour\ntimezone: UTC\ndeployment: extended\nposts_per_page: 1\nlang:\n  url: { default_in_directory: false }\n',
        ...content,
      },
    });
  });
  afterAll(() => test.close());
  const show = (path: string) => test.ask('GET', path, { raw: true });

  it.each([
    ['/', '/feed/'],
    ['/de/', '/de/feed/'],
    ['/hello/', '/feed/'],
    ['/de/hallo/', '/de/feed/'],
    ['/locked/', '/feed/'],
    ['/2026/03/', '/feed/'],
    ['/de/2026/03/', '/de/feed/'],
    ['/category/news/', '/feed/'],
    ['/author/anna/', '/feed/'],
  ])('%s has the head that clients get, one title, and links to %s', async (path, feed) => {
    const { status, body } = await show(path);
    const { body: said } = await test.ask('GET', `/seo/v1/get_head?url=${encodeURIComponent(test.url + path)}`);
    expect([status, said.status]).toEqual([200, 200]);
    expect(body).toContain(said.html);
    expect([...body.matchAll(title)]).toHaveLength(1);
    expect(body).toMatch(
      new RegExp(`<link rel="alternate" type="application/rss\\+xml" title="[^"]+" href="${test.url}${feed}">`),
    );
  });

  it('describe later pages of a list as pages of their own', async () => {
    const { status, body } = await show('/page/2/');
    const { body: said } = await test.ask('GET', `/seo/v1/get_head?url=${encodeURIComponent(`${test.url}/`)}`);
    expect(status).toBe(200);
    expect(body).not.toContain(said.html);
    expect(body).toContain(`<link rel="canonical" href="${test.url}/page/2/">`);
  });

  it('mark missing pages as noindex', async () => {
    for (const [path, wanted] of [
      ['/nothing/', 404],
      ['/gone/', 410],
    ] as const) {
      const { status, body } = await show(path);
      expect([
        path,
        status,
        body.includes('<meta name="robots" content="noindex, follow"'),
        [...body.matchAll(title)].length,
      ]).toEqual([path, wanted, true, 1]);
      expect(body).not.toContain('application/rss+xml');
    }
  });

  it('follow a write at once', async () => {
    await test.ask('POST', '/cms/v2/posts/101', { as: 'admin', body: { title: 'Another' } });
    expect((await show('/hello/')).body).toContain('<title>Another');
  });
});

describe('pages of the basic deployment', () => {
  it('have a title, and link to the feed', async () => {
    const test = await startSite({ files: { 'site.yaml': 'name: Harbour\ntimezone: UTC\n', ...content } });
    try {
      const { body } = await test.ask('GET', '/hello/', { raw: true });
      expect([...body.matchAll(title)].map(([, text]) => text)).toEqual(['Hello &amp; you – Harbour']);
      expect(body).toMatch(
        new RegExp(`<link rel="alternate" type="application/rss\\+xml" title="[^"]+" href="${test.url}/feed/">`),
      );
      expect(body).not.toContain('Search metadata');
      expect((await test.ask('GET', '/', { raw: true })).body).toContain('<title>Harbour</title>');
    } finally {
      await test.close();
    }
  });
});
