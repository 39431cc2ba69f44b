/** Whatever the pattern of addresses is: what a client reads as a `link` is where the item is found. */
import { expect, it } from 'vitest';
import { postAt } from '../../../../src/modules/content/permalinks/index.ts';
import { readPattern } from '../../../../src/modules/content/permalinks/record.ts';
import { startSite } from '../../../support/site.ts';

const file = (...lines: string[]): string => `---\n${lines.map((line) => `${line}\n`).join('')}---\nText\n`;

const files = {
  'posts/hello.md': file('id: 1', 'title: Hello', 'date: 2026-03-05', 'author: anna', 'categories: [news]', 'aliases: [old]'),
  'posts/grün.md': file('id: 2', 'title: Grün', 'date: 2026-03-06', 'author: anna', 'categories: [news]'),
  'pages/news/hello.md': file('id: 3', 'title: Page'),
  'pages/news/index.md': file('id: 4', 'title: News'),
  'notes/hello.md': file('id: 5', 'title: Note'),
  'users/anna.yaml': 'id: 41\nname: Anna\n',
  'terms/category/news.yaml': 'id: 31\nname: News\n',
};
const types = 'types:\n  note: {label: Notes, folder: notes, public: true}\n';

it.each([
  ['/{slug}/', '/old/'],
  ['/{year}/{month}/{day}/{slug}/', '/2026/03/05/old/'],
  ['/{year}/{slug}.html', '/2026/old.html'],
  ['/blog/{slug}', '/blog/old'],
  ['/Über/{slug}', '/%C3%BCber/old'],
  ['/archive/{id}/', '/archive/old/'],
  ['/{id}-{slug}/', '/1-old/'],
  ['/{slug}/{id}', '/old/1'],
  ['/{author}/{slug}/', '/anna/old/'],
  ['/{category}/x-{slug}/', '/news/x-old/'],
  ['/p.{id}', null],
])('items are found at their links with %s', async (pattern, former) => {
  const site = await startSite({ files: { ...files, 'site.yaml': `permalink: ${pattern}\n${types}` } });
  try {
    const { body } = await site.ask('GET', '/cms/v2/posts?_fields=id,link');
    const notes = await site.ask('GET', '/cms/v2/note?_fields=id,link');
    expect([body.length, notes.body.length]).toEqual([2, 1]);
    for (const { id, link } of [...body, ...notes.body] as { id: number; link: string }[]) {
      const path = link.slice(site.url.length);
      expect(postAt(site.site, link)?.id, path).toBe(id);
      for (const address of [path, path.replace(/\/?$/, '/'), path.replace(/\/$/, '')])
        expect((await site.ask('GET', address, { raw: true })).status, address).toBe(200);
      const { body: found } = await site.ask('GET', `/cms/v2/${id === 5 ? 'note' : 'posts'}?path=${path}&_fields=id`);
      expect(found).toEqual([{ id }]);
    }
    if (former !== null) {
      const { status, headers } = await site.ask('GET', former, { raw: true });
      const { link } = (body as { id: number; link: string }[]).find(({ id }) => id === 1) ?? {};
      expect([status, headers.get('location')]).toEqual([301, link]);
    }
  } finally {
    await site.close();
  }
});

it.each(['/archive/{id}/', '/{year}/{slug}.html'])('head tags match the item at each link with %s', async (pattern) => {
  const settings = `deployment: extended\npermalink: ${pattern}\n${types}`;
  const site = await startSite({ files: { ...files, 'site.yaml': settings } });
  try {
    const { body } = await site.ask('GET', '/cms/v2/posts?_fields=id,link');
    for (const { id, link } of body as { id: number; link: string }[])
      expect(site.site.heads.targetAt(link), link).toMatchObject({ kind: 'post', post: { id } });
  } finally {
    await site.close();
  }
});

it('a pattern is matched in linear time', () => {
  expect(readPattern('/{slug}-{category}-{author}/', `/${'a-'.repeat(100_000)}`)).toBeNull();
  expect(readPattern('/{year}/{slug}.html', '/2026/hello.html')).toMatchObject({ year: '2026', slug: 'hello' });
  expect(readPattern('/{year}/{slug}.html', '/2026/hello')).toBeNull();
});
