/** What `cms validate` says of search metadata: each rule with what it must find, and with what it must pass over. */
import { describe, expect, it } from 'vitest';
import { seoChecks } from '../../../../src/modules/seo/metadata/checks.ts';
import type { Entry } from '../../../../src/kernel/store/types.ts';

const entry = (path: string, data: Record<string, unknown>): Entry =>
  ({ path, data, kind: 'md', body: '', etag: '', size: 0, mtimeMs: 0 }) as unknown as Entry;

function findings(rule: string, files: Readonly<Record<string, Record<string, unknown>>>, sizes: Record<string, number> = {}) {
  const check = seoChecks.find((one) => one.rule === rule);
  const entries = Object.entries(files).map(([path, data]) => entry(path, data));
  const blobs = Object.entries(sizes).map(([path, size]) => ({ path, size, mtimeMs: 0 }));
  return [...(check?.run({ entries, blobs }) ?? [])].map(({ path, keys }) => [path, keys?.join('.') ?? ''].join(' ').trim());
}

const site = { name: 'Harbour', url: 'https://harbour.example' };

describe('checks of search metadata', () => {
  it.each([
    [
      'keys that nothing reads',
      'seo-key',
      {
        'site.yaml': {
          seo: { seperator: '|', home: { titel: 'x' }, types: { post: { titel: 'x', title: 'y' } }, workouts: { any: {} } },
        },
        'posts/a.md': { seo: { titel: 'x', title: 'y', primary: { category: 'x' } } },
        'users/ada.yaml': { seo: { network_a: 'x', image: 'x' } },
      },
      [
        'site.yaml seo.seperator',
        'site.yaml seo.home.titel',
        'site.yaml seo.types.post.titel',
        'posts/a.md seo.titel',
        'users/ada.yaml seo.image',
      ],
    ],
    [
      'a title that two pages have',
      'seo-title',
      { 'posts/a.md': { title: 'Tide' }, 'pages/b.md': { title: 'tide ' } },
      ['pages/b.md title'],
    ],
    [
      'one that is given and one that is not',
      'seo-title',
      { 'posts/a.md': { title: 'Tide' }, 'posts/b.md': { title: 'Ebb', seo: { title: 'Tide' } } },
      ['posts/b.md seo.title'],
    ],
    ['no title at all', 'seo-title', { 'posts/a.md': { seo: { title: '' } } }, ['posts/a.md']],
    [
      'neither drafts, nor other languages, nor templates',
      'seo-title',
      {
        'posts/a.md': { title: 'Tide' },
        'posts/b.md': { title: 'Tide', status: 'draft' },
        'posts/f.md': { title: 'Tide', isDraft: true },
        'posts/g.md': { title: 'Tide', hidden: 'yes' },
        'posts/a.de.md': { title: 'Tide' },
        'posts/c.md': { title: 'Tide', lang: 'fr' },
        'posts/d.md': { title: 'One', seo: { title: '%%title%%' } },
        'posts/e.md': { title: 'Two', seo: { title: '%%title%%' } },
      },
      [],
    ],
    [
      'a description that is cut',
      'seo-description',
      { 'posts/a.md': { seo: { description: 'ä'.repeat(161) } }, 'posts/b.md': { seo: { description: 'ä'.repeat(160) } } },
      ['posts/a.md seo.description'],
    ],
    [
      'a canonical that leads nowhere',
      'seo-canonical',
      {
        'site.yaml': site,
        'posts/a.md': { seo: { canonical: '/gone/' } },
        'posts/b.md': { seo: { canonical: 'https://harbour.example/lost/' } },
        'posts/c.md': { seo: { canonical: 'tide' } },
        'posts/d.md': { seo: { canonical: 'javascript:alert(1)' } },
      },
      ['posts/a.md seo.canonical', 'posts/b.md seo.canonical', 'posts/c.md seo.canonical', 'posts/d.md seo.canonical'],
    ],
    [
      'neither what is there, nor other sites',
      'seo-canonical',
      {
        'site.yaml': site,
        'posts/a.md': { seo: { canonical: '/about/team/' } },
        'pages/about/team.md': { seo: { canonical: 'https://other.example/gone/' } },
        'posts/c.md': { seo: { canonical: '/' } },
        'posts/d.md': { slug: 'ebb-2', seo: { canonical: 'https://harbour.example/ebb-2/' } },
      },
      [],
    ],
    [
      'pictures that are missing or too large',
      'seo-picture',
      {
        'site.yaml': { seo: { organization: { logo: '2026/logo.png' }, image: 'big.jpg' } },
        'posts/a.md': { seo: { image: '2026/gone.jpg', card_image: 'https://cdn.example/x.png' } },
        'posts/b.md': { seo: { image: 7, card_image: 'big.jpg' } },
      },
      ['site.yaml seo.image', 'posts/a.md seo.image', 'posts/b.md seo.card_image'],
    ],
    [
      'what a menu leads to and nobody can find',
      'seo-noindex',
      {
        'pages/about/team.md': { seo: { noindex: true } },
        'pages/hidden.md': { seo: { noindex: true } },
        'pages/shown.md': { seo: { noindex: false } },
        'menus/main.yaml': { items: [{ page: 'shown', items: [{ page: 'about/team' }] }, { url: 'https://x.example' }] },
      },
      ['pages/about/team.md seo.noindex'],
    ],
  ] as const)('find %s', (_, rule, files, wanted) => {
    expect(findings(rule, files as never, { 'media/2026/logo.png': 100, 'media/big.jpg': 3 * 1024 * 1024 })).toEqual(wanted);
  });

  it('accept any file', () => {
    const odd = [null, 7, 'text', [], ['a'], { title: [], description: {}, canonical: 3, image: [], noindex: 'yes' }];
    const files = Object.fromEntries(odd.map((seo, at) => [`posts/p${at}.md`, { title: `T${at}`, seo }]));
    const all = { ...files, 'menus/a.yaml': { items: [null, 'x', { items: 7 }] }, 'site.yaml': { seo: 'x', url: 9 } };
    for (const { rule } of seoChecks) expect(findings(rule, all as never)).toEqual([]);
  });
});
