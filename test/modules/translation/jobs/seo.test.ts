/** What search engines are told of an item, as units of its jobs and in its translation. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSite, type TestSite } from '../../../support/site.ts';
import { answered, ordered } from './site.ts';

const page = (id: number, seo: string): string =>
  `---\nid: ${id}\ntitle: About\ndate: 2026-03-05T10:00:00\nauthor: admin\nseo:\n${seo}---\nText\n`;

let at: TestSite;
beforeAll(async () => {
  at = await startSite({
    files: {
      'site.yaml':
        'name: Harbour\ntimezone: UTC\ndeployment: extended\ntranslation:\n  fields: { _seo_bctitle: ignore, _seo_canonical: copy }\n',
      'pages/about.md': page(
        10,
        '  title: "%%title%% by the sea"\n  description: All of it\n  keyphrase: sea\n  breadcrumb: About\n  score: 70\n  noindex: true\n  image: https://example.org/a.png\n  canonical: https://example.org/a\n',
      ),
      'pages/bare.md': '---\nid: 11\ntitle: Bare\ndate: 2026-03-05T10:00:00\nauthor: admin\n---\nText\n',
      'terms/category/sea.yaml': 'id: 30\nname: Sea\nseo: { description: Of the sea, primary: {} }\n',
    },
  });
});
afterAll(() => at.close());

const jobs = () => at.site.translationJobs;
const german = (text: string) => text.replace(/[A-Za-z]+/g, (word) => `${word}de`);
const seoOf = (id: number) => (at.site.posts.get(id) as unknown as { readonly seo: unknown }).seo;

it('search metadata has units for texts, with variables as codes', async () => {
  const id = await ordered(at.site, 10, 'page');
  const parts = jobs().job(id)?.parts ?? [];
  expect(parts.map((part) => part.id)).toEqual(['title', 'content', 'seo/title', 'seo/description', 'seo/keyphrase']);
  expect(jobs().xliff(id)).toMatch(/<ph id="1"[^>]*>%%title%%<\/ph> by the sea/);
  const { item } = await jobs().applyResult(id, answered(at.site, id, { change: german }), null);
  expect(seoOf(item)).toEqual({
    title: '%%title%% byde thede seade',
    description: 'Allde ofde itde',
    keyphrase: 'seade',
    noindex: true,
    image: 'https://example.org/a.png',
    canonical: 'https://example.org/a',
  });
  expect(await at.read('pages/about.de.md')).toContain('  description: Allde ofde itde\n');
});

it('search metadata is outdated when a text changes, and copies copy-once values once', async () => {
  const statusOf = () => jobs().statusOf('post_page', 10, 'de');
  const translation = at.site.translations.idIn('posts', 10, 'de');
  await at.write('pages/about.de.md', (await at.read('pages/about.de.md')).replace('noindex: true', 'noindex: false'));
  await at.write('pages/about.md', page(10, '  description: None of it\n  noindex: true\n  score: 90\n'));
  await expect.poll(() => [statusOf()?.needsUpdate, seoOf(translation)]).toMatchObject([true, { noindex: false }]);
  const id = await ordered(at.site, 10, 'page');
  await jobs().applyResult(id, answered(at.site, id, { change: german }), null);
  expect(seoOf(translation)).toMatchObject({ description: 'Nonede ofde itde', noindex: false });
  expect(seoOf(translation)).not.toHaveProperty('score');
});

it('empty search metadata has no units, for terms too', async () => {
  const bare = await ordered(at.site, 11, 'page');
  const { item } = await jobs().applyResult(bare, answered(at.site, bare, { change: german }), null);
  expect(await at.read(at.site.posts.get(item)?.path ?? '')).not.toContain('seo');
  const term = await ordered(at.site, 30, 'category');
  const { item: other } = await jobs().applyResult(term, answered(at.site, term, { change: german }), null);
  expect(await at.read(at.site.terms.get(other)?.path ?? '')).toContain('description: Ofde thede seade');
});
