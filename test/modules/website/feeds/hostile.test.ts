/** Addresses and contents that nobody meant well with. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSite, type TestSite } from '../../../support/site.ts';
import { readXml } from '../../../support/xml.ts';
import '../../../support/seed.ts';

const files = {
  'posts/active.html':
    '---\nid: 101\ntitle: "Active <script>alert(1)</script>"\ndate: 2026-03-05T10:00:00\n---\n<p onclick="x()">Text</p><script>alert(2)</script><a href="javascript:x()">y</a>\n',
  'terms/category/notes.yaml': 'id: 31\nname: Notes\n',
};

describe('documents of the site', () => {
  let test: TestSite;
  beforeAll(async () => {
    test = await startSite({
      files: { 'site.yaml': 'name: Harbour\ntimezone: UTC\ndeployment: extended\n', ...files },
      operator: { filter_content: true },
    });
  });
  afterAll(() => test.close());

  it('exist or are a 404, whatever is requested', async () => {
    const word = fc.constantFrom(
      'feed',
      'atom',
      'rss2',
      'json',
      'feed.xml',
      'comments',
      'category',
      'notes',
      'author',
      'admin',
      'de',
      'en',
      'active',
      '..',
      '.',
      '%',
      '%ff',
      '%2f',
      'constructor',
      '__proto__',
      'sitemap.xml',
      'sitemap-post-1.xml',
      'sitemap-__proto__-9.xml',
      'robots.txt',
      'favicon.ico',
    );
    const path = fc.tuple(
      fc.array(fc.oneof({ weight: 4, arbitrary: word }, fc.string({ maxLength: 8 })), { maxLength: 5 }),
      fc.constantFrom('', '/', '?feed=atom', '?feed[]=rss2', '?p=101&feed=rss2', '?feed=comments-atom&p[]=1', '?p=1e9&feed=x'),
    );
    await fc.assert(
      fc.asyncProperty(path, async ([segments, end]) => {
        const page = await test.site.page(`/${segments.join('/')}${end}`);
        expect([200, 204, 301, 302, 404, 410]).toContain(page?.status);
        const type = page?.headers['Content-Type'] ?? '';
        if (page?.status === 200 && type.includes('xml')) readXml(String(page.body));
        // Nobody is led round in a circle.
        const to = page?.status === 301 ? page.headers.Location : undefined;
        if (to?.startsWith(test.url)) expect((await test.site.page(to.slice(test.url.length)))?.headers.Location).not.toBe(to);
      }),
      { numRuns: 400 },
    );
  });

  it('contain no active content with CMS_FILTER_CONTENT', async () => {
    for (const path of ['/en/feed/', '/en/feed/atom/', '/en/feed/json/']) {
      const page = await test.site.page(path);
      const said = path.endsWith('json/') ? String(page?.body) : readXml(String(page?.body)).text;
      expect([path, page?.status, said.includes('Text'), /<script|onclick|javascript:/.test(said)]).toEqual([
        path,
        200,
        true,
        false,
      ]);
    }
  });
});
