/** What an import kept of search metadata on a site without any: items that were not for search engines. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSite, type TestSite } from '../../../support/site.ts';
import { readXml, texts } from '../../../support/xml.ts';

const post = (id: number, meta = '', more = ''): string =>
  `---\nid: ${id}\ntitle: Item ${id}\ndate: 2026-03-05T10:00:00\n${more}${meta === '' ? '' : `meta:\n  ${meta}\n`}---\nText.\n`;
const hidden = {
  yoast: "_seo_meta-robots-noindex: '1'",
  'rank-math': 'rank_math_robots: [noindex, nofollow]',
  aioseo: "_aioseop_noindex: 'on'",
  seopress: "_seopress_robots_index: 'yes'",
  framework: "_genesis_noindex: '1'",
};
const shown = { none: '', asked: "_seo_meta-robots-noindex: '2'", other: '_seo_metadesc: Text', own: "noindex: '1'" };

describe('a basic site with imported noindex items', () => {
  let site: TestSite;
  beforeAll(async () => {
    const items = Object.entries({ ...hidden, ...shown }).map(([slug, meta], at) => [`posts/${slug}.md`, post(101 + at, meta)]);
    site = await startSite({
      files: {
        'site.yaml': 'name: Harbour\ntimezone: UTC\n',
        ...Object.fromEntries(items),
        'pages/back.md': post(130, hidden.yoast),
        'posts/in.md': post(131, '', 'categories: [unseen, seen]\n'),
        'terms/category/unseen.yaml': "id: 31\nname: Unseen\nmeta:\n  _seo_meta-robots-noindex: '1'\n",
        'terms/category/seen.yaml': 'id: 32\nname: Seen\n',
      },
    });
  });
  afterAll(() => site.close());
  const get = async (path: string): Promise<string> => (await site.ask('GET', path, { raw: true })).body;
  const listed = async (kind: string): Promise<readonly string[]> =>
    texts(readXml(await get(`/sitemap-${kind}-1.xml`)), 'loc').map((loc) => loc.replace(site.url, ''));
  const robots = '<meta name="robots" content="noindex">';

  it('excludes them from sitemaps', async () => {
    const posts = await listed('post');
    for (const slug of Object.keys(hidden)) expect(posts).not.toContain(`/${slug}/`);
    for (const slug of Object.keys(shown)) expect(posts).toContain(`/${slug}/`);
    expect(await listed('category')).not.toContain('/category/unseen/');
    expect(await listed('category')).toContain('/category/seen/');
  });

  it('marks their pages as noindex', async () => {
    const pages = [...Object.keys(hidden).map((slug) => `/${slug}/`), '/back/', '/category/unseen/'];
    for (const path of pages) expect([path, await get(path)]).toEqual([path, expect.stringContaining(robots)]);
    for (const path of [...Object.keys(shown).map((slug) => `/${slug}/`), '/category/seen/', '/'])
      expect([path, await get(path)]).toEqual([path, expect.not.stringContaining(robots)]);
  });
});
