/** What docs/feeds-and-sitemaps.md shows is what the server answers. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { startSite, type TestSite, until } from '../../../support/site.ts';

const page = await readFile(resolve(import.meta.dirname, '../../../../docs/feeds-and-sitemaps.md'), 'utf8');
const samples = [...page.matchAll(/`GET ([^`]+)`\n\n```\w+\n(.*?)```/gs)].map(
  ([, path, text]) => [path as string, text as string] as const,
);
const [, table = ''] = page.split('| :--- | :--- |\n');
const addresses = [...(table.split('\n\n')[0] as string).matchAll(/^\| `([^`]+)`/gm)].map(([, path]) => path as string);
const [, redirects = ''] = /Other spellings redirect: (.*?), former slugs/s.exec(page) ?? [];

const front = (id: number, more: string): string => `---\nid: ${id}\ndate: 2026-03-05T10:00:00\n${more}---\n`;

const ofBooks = '/books/feed/';

async function isFeed(get: (path: string) => ReturnType<TestSite['ask']>, address: string): Promise<void> {
  for (const [form, type] of [
    ['', 'rss+xml'],
    ['atom/', 'atom+xml'],
    ['json/', 'feed+json'],
  ] as const) {
    const { status, headers, body } = await get(address + form);
    expect([status, headers.get('content-type')]).toEqual([200, `application/${type}; charset=UTF-8`]);
    expect(JSON.stringify(body)).toContain('Hello');
  }
}

describe('docs/feeds-and-sitemaps.md', () => {
  let test: TestSite;
  beforeAll(async () => {
    const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#036' } })
      .png()
      .toBuffer();
    test = await startSite({
      files: {
        'site.yaml': 'name: Harbour\ntimezone: UTC\nurl: https://example.com\n',
        'media/harbour.png': picture.toString('latin1'),
        'posts/hello.md': `${front(7, 'title: Hello\nauthor: anna\ncategories: [notes]\n')}![](/uploads/harbour.png)\n\nWords.\n`,
        'terms/category/notes.yaml': 'id: 3\nname: Notes\n',
        'users/anna.yaml': 'id: 41\nname: Anna\n',
        'comments/7/1.md': `${front(1, 'name: Guest\n')}Hello.\n`,
      },
    });
    // No page of a new site, which is of another day.
    for (const id of test.site.posts.with('type', 'page')) await test.ask('DELETE', `/cms/v2/pages/${id}`, { as: 'admin' });
    await until(() => test.site.posts.size > 0);
  });
  afterAll(() => test.close());
  const get = (path: string) => test.ask('GET', path, { raw: true });

  it('shows valid samples and URLs', () => {
    expect([samples.length, addresses.length, redirects.split(', ').length]).toEqual([3, 7, 8]);
  });

  it.each(samples)('%s', async (path, text) => {
    expect((await get(path)).body).toBe(text);
  });

  it.each(addresses.filter((path) => path !== ofBooks))('%s is a feed in three formats', (path) => isFeed(get, path));

  it(`${ofBooks} is a feed as well, of a type with an archive`, async () => {
    expect(addresses).toContain(ofBooks);
    const books = await startSite({
      files: {
        'site.yaml': 'name: Harbour\ntypes:\n  book: { plural: Books, singular: Book, has_archive: books }\n',
        'book/hello.md': `${front(47, 'title: Hello\n')}Words.\n`,
      },
    });
    await isFeed((path) => books.ask('GET', path, { raw: true }), ofBooks);
    await books.close();
  });

  it.each([...redirects.matchAll(/`([^`]+)`/g)].map(([, path]) => path as string))('%s redirects', async (path) => {
    const { status, headers } = await get(path);
    expect(status).toBe(301);
    expect((await get(headers.get('location')?.replace('https://example.com', '') as string)).status).toBe(200);
  });

  it('shows a module that hides pages', async () => {
    const [, name = '', plugin = ''] = /`(plugins\/\S+)`:\n\n```js\n(.*?)```/s.exec(page) ?? [];
    const campaign = await startSite({
      files: {
        'posts/sale.md': front(7, 'title: Sale\ntemplate: campaign\n'),
        'posts/hello.md': front(8, 'title: Hello\n'),
        [name]: plugin,
      },
      operator: { plugins: true },
    });
    try {
      const { body } = await campaign.ask('GET', '/sitemap-post-1.xml', { raw: true });
      expect([body.includes('/hello/'), body.includes('/sale/')]).toEqual([true, false]);
      expect((await campaign.ask('GET', '/feed/', { raw: true })).body).toContain('/sale/');
    } finally {
      await campaign.close();
    }
  });
});
