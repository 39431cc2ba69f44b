import { expect, it, onTestFinished } from 'vitest';
import { openSite } from '../../../src/open-site.ts';
import { prepareDynamic, renderDynamic } from '../../../src/modules/blocks/render.ts';
import { temporaryFolder } from '../../kernel/store/folder.ts';

const dates = ['2024-02-29T23:59:59', '2025-01-01T00:00:00', '2025-01-31T23:59:59', '2025-12-05T08:00:00', '2025-01-31T08:00:00'];

async function open() {
  const folder = temporaryFolder({
    'site.yaml': 'name: Site\ntimezone: UTC\n',
    'posts/draft.md': '---\nid: 90\ntitle: D\nstatus: draft\ndate: 2023-01-01\n---\nText\n',
    'terms/category/a.yaml': 'id: 1\nname: A\n',
    'terms/category/b.yaml': 'id: 2\nname: B\nparent: a\n',
    'terms/category/c.yaml': 'id: 3\nname: C\nparent: b\n',
    'pages/x.md': '---\nid: 50\ntitle: X\n---\n',
    'pages/x/y.md': '---\nid: 51\ntitle: Y\n---\n',
    'pages/x/y/z.md': '---\nid: 52\ntitle: Z\n---\n',
    'pages/w.md': '---\nid: 53\ntitle: W\norder: 3\n---\n',
  });
  for (const [at, date] of dates.entries())
    folder.write(`posts/p${at}.md`, `---\nid: ${10 + at}\ntitle: P ${at}\ndate: ${date}\ncategories: [a, c]\n---\nText\n`);
  const site = await openSite(folder.dir, { readOnly: true });
  onTestFinished(() => site.close());
  return async (name: string, attributes: Record<string, unknown> = {}) => {
    await prepareDynamic(name, { site, attributes });
    return (renderDynamic(name, { site, attributes }) ?? '').replaceAll(site.url, '').replace(/ class="[^"]*"/g, '');
  };
}

it('archives tell of each month and year how much there is, the newest first', async () => {
  const render = await open();
  expect(await render('core/archives', { showPostCounts: true })).toBe(
    '<ul><li><a href="/2025/12/">December 2025</a>&nbsp;(1)</li><li><a href="/2025/01/">January 2025</a>&nbsp;(3)</li>' +
      '<li><a href="/2024/02/">February 2024</a>&nbsp;(1)</li></ul>',
  );
  expect(await render('core/archives', { showPostCounts: true, type: 'yearly' })).toBe(
    '<ul><li><a href="/2025/">2025</a>&nbsp;(4)</li><li><a href="/2024/">2024</a>&nbsp;(1)</li></ul>',
  );
});

it('a calendar has the days of its month, from the first moment to the last', async () => {
  const render = await open();
  const days = async (year: number, month: number) =>
    [...(await render('core/calendar', { year, month })).matchAll(/href="([^"]+)"/g)].map(([, href]) => href);
  expect(await days(2025, 1)).toEqual(['/2025/01/01/', '/2025/01/31/']);
  expect(await days(2024, 2)).toEqual(['/2024/02/29/']);
  expect(await days(2023, 1)).toEqual([]);
});

it('trees of pages and categories are nested as they are', async () => {
  const render = await open();
  const plain = (markup: string) => markup.replace(/<\/?(?:ul|a)\b[^>]*>/g, (tag) => (tag.includes('ul') ? tag : ''));
  expect(plain(await render('core/page-list'))).toBe('<ul><li>X<ul><li>Y<ul><li>Z</li></ul></li></ul></li><li>W</li></ul>');
  expect(plain(await render('core/page-list', { parentPageID: 50 }))).toBe('<ul><li>Y<ul><li>Z</li></ul></li></ul>');
  const categories = { taxonomy: 'category', showPostCounts: true };
  // B is empty, so C is below nothing that is shown.
  expect(plain(await render('core/categories', { ...categories, showHierarchy: true }))).toBe(
    '<ul><li>A (5)</li><li>C (5)</li></ul>',
  );
  expect(plain(await render('core/categories', { ...categories, showHierarchy: true, showEmpty: true }))).toBe(
    '<ul><li>A (5)<ul><li>B (0)<ul><li>C (5)</li></ul></li></ul></li></ul>',
  );
  expect(plain(await render('core/categories', { ...categories, showEmpty: true }))).toBe(
    '<ul><li>A (5)</li><li>B (0)</li><li>C (5)</li></ul>',
  );
});
