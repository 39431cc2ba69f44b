/** What search engines are told: rows of meta in WXR, one key in files; there and back. */
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { modulesOf } from '../../../src/deployments.ts';
import { openSite } from '../../../src/open-site.ts';
import { exportWxr } from '../../../src/transfer/export/wxr.ts';
import type { ImportReport } from '../../../src/transfer/import/report.ts';
import { wxrImporter } from '../../../src/transfer/sources/wxr.ts';
import { temporaryFolder } from '../../kernel/store/folder.ts';
import { picture } from '../../support/media.ts';
import { bring } from './rows.ts';

const opened = async (path: string) =>
  wxrImporter.open({ source: path, path, scratch: await mkdtemp(join(tmpdir(), 'cms-import-')), keepGoing: false });
const extended = 'name: New\ntimezone: UTC\ndeployment: extended\n';
const row = (kind: string, [name, value]: readonly [string, string]): string =>
  `<wp:${kind}meta><wp:meta_key>${name}</wp:meta_key><wp:meta_value><![CDATA[${value}]]></wp:meta_value></wp:${kind}meta>`;
const item = (id: number, type: string, more: string): string =>
  `<item><title>Item ${id}</title><wp:post_id>${id}</wp:post_id><wp:post_name>item-${id}</wp:post_name><wp:status>${type === 'attachment' ? 'inherit' : 'publish'}</wp:status>` +
  `<wp:post_type>${type}</wp:post_type><wp:post_date>2026-03-05 10:00:00</wp:post_date><wp:post_date_gmt>2026-03-05 10:00:00</wp:post_date_gmt>${more}</item>`;
const category = (id: number, slug: string, more = ''): string =>
  `<wp:category><wp:term_id>${id}</wp:term_id><wp:category_nicename>${slug}</wp:category_nicename><wp:cat_name>${slug}</wp:cat_name>${more}</wp:category>`;
const wxr = (body: string): string =>
  '<?xml version="1.0"?><rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/" xmlns:content="c"><channel><title>Old</title>' +
  `<link>https://old.example</link><wp:wxr_version>1.2</wp:wxr_version><wp:base_blog_url>https://old.example</wp:base_blog_url>${body}</channel></rss>`;
const quay = item(
  90,
  'attachment',
  '<wp:attachment_url>https://old.example/wp-content/uploads/2026/quay.png</wp:attachment_url>',
);

/** The front matter that rows of a post become, and what is said of it. */
async function become(
  rows: readonly (readonly [string, string])[],
  { files = {}, site = extended, head = category(40, 'ships') } = {},
) {
  const folder = temporaryFolder({ 'site.yaml': site, ...files });
  const post = item(
    7,
    'post',
    `<category domain="category" nicename="ships">ships</category>${rows.map((one) => row('post', one)).join('')}`,
  );
  const source = temporaryFolder({ 'old.xml': wxr(head + quay + post) });
  const report: ImportReport = await bring(folder.dir, await opened(source.at('old.xml')), { modules: modulesOf, media: false });
  const text = await readFile(join(folder.dir, 'posts/2026/03/item-7.html'), 'utf8');
  const keys = /^(?:seo|meta):[\s\S]*?(?=^(?!seo:|meta:| )|---)/m.exec(text)?.[0] ?? '';
  return { dir: folder.dir, keys, remarks: report.remarks.map(({ severity, message }) => `${severity}: ${message}`) };
}

describe('SEO rows of a post', () => {
  it.each([
    ['a title', [['_yoast_wpseo_title', '%%title%% %%sep%% Own']], "seo:\n  title: '%%title%% %%sep%% Own'\n"],
    [
      'texts',
      [
        ['_yoast_wpseo_metadesc', 'What it is'],
        ['_yoast_wpseo_focuskw', 'quay'],
      ],
      'seo:\n  description: What it is\n  keyphrase: quay\n',
    ],
    ['a canonical', [['_yoast_wpseo_canonical', 'https://a.example/b']], 'seo:\n  canonical: https://a.example/b\n'],
    [
      'kept out',
      [
        ['_yoast_wpseo_meta-robots-noindex', '1'],
        ['_yoast_wpseo_meta-robots-nofollow', '1'],
      ],
      'seo:\n  noindex: true\n  nofollow: true\n',
    ],
    ['let in', [['_yoast_wpseo_meta-robots-noindex', '2']], 'seo:\n  noindex: false\n'],
    ['directives', [['_yoast_wpseo_meta-robots-adv', 'noarchive,nosnippet']], 'seo:\n  noarchive: true\n  nosnippet: true\n'],
    [
      'social texts',
      [
        ['_yoast_wpseo_opengraph-title', 'A'],
        ['_yoast_wpseo_twitter-description', 'B'],
      ],
      'seo:\n  social_title: A\n  card_description: B\n',
    ],
    [
      'a picture by its id',
      [
        ['_yoast_wpseo_opengraph-image', 'https://x.example/a.png'],
        ['_yoast_wpseo_opengraph-image-id', '90'],
      ],
      'seo:\n  image: 2026/quay.png\n',
    ],
    [
      'a picture by its old address',
      [['_yoast_wpseo_twitter-image', 'https://old.example/wp-content/uploads/2026/quay.png']],
      'seo:\n  card_image: 2026/quay.png\n',
    ],
    [
      'a picture elsewhere',
      [['_yoast_wpseo_opengraph-image', 'https://x.example/a.png']],
      'seo:\n  image: https://x.example/a.png\n',
    ],
    ['a primary term', [['_yoast_wpseo_primary_category', '40']], 'seo:\n  primary:\n    category: ships\n'],
    [
      'scores',
      [
        ['_yoast_wpseo_linkdex', '71'],
        ['_yoast_wpseo_estimated-reading-time-minutes', '3'],
      ],
      'seo:\n  score: 71\n  reading_minutes: 3\n',
    ],
    [
      'defaults',
      [
        ['_yoast_wpseo_title', ''],
        ['_yoast_wpseo_meta-robots-noindex', '0'],
        ['_yoast_wpseo_content_score', '0'],
        ['_yoast_wpseo_primary_category', ''],
      ],
      '',
    ],
    [
      'what no value takes',
      [
        ['_yoast_wpseo_linkdex', 'good'],
        ['_yoast_wpseo_wordproof', 'x'],
      ],
      'meta:\n  _seo_linkdex: good\n  _seo_wordproof: x\n',
    ],
  ] as const)('%s', async (_, rows, expected) => {
    expect(await become(rows)).toMatchObject({ keys: expected, remarks: [] });
  });

  it('report missing references: terms and media outside the export', async () => {
    const { keys, remarks } = await become([
      ['_yoast_wpseo_primary_category', '41'],
      ['_yoast_wpseo_opengraph-image-id', '7'],
      ['_yoast_wpseo_opengraph-image', 'https://x.example/a.png'],
    ]);
    expect(keys).toBe('seo:\n  image: https://x.example/a.png\n');
    expect(remarks).toEqual([
      'lost: its picture for social networks (7) is not in the source',
      'lost: its primary category (41) is not in the source',
    ]);
  });

  it('follow a term to its new id', async () => {
    const { dir, keys } = await become([['_yoast_wpseo_primary_category', '40']], {
      files: { 'terms/category/other.yaml': 'id: 40\nname: Other\n' },
    });
    expect(keys).toBe('seo:\n  primary:\n    category: ships\n');
    expect(await readFile(join(dir, 'terms/category/ships.yaml'), 'utf8')).not.toContain('id: 40\n');
  });

  it('are unchanged on a site that does not know them', async () => {
    const { keys } = await become([['_yoast_wpseo_title', 'Own']], { site: 'name: New\ntimezone: UTC\n' });
    expect(keys).toBe('meta:\n  _seo_title: Own\n');
  });
});

it('SEO rows of terms are imported as well', async () => {
  const head = category(40, 'ships', row('term', ['_yoast_wpseo_title', 'All ships']));
  const { dir } = await become([], { head });
  expect(await readFile(join(dir, 'terms/category/ships.yaml'), 'utf8')).toContain('seo:\n  title: All ships\n');
});

it('SEO rows round-trip through an export', async () => {
  const seo = [
    'seo:',
    "  title: '%%title%% %%sep%% Own'",
    '  description: What it is',
    '  noindex: false',
    '  noarchive: true',
    '  canonical: https://a.example/b',
    '  image: 2026/quay.png',
    '  card_image: https://x.example/a.png',
    '  primary:',
    '    category: ships',
    '  mine: 1',
    '',
  ].join('\n');
  const folder = temporaryFolder({
    'site.yaml': `${extended}url: https://old.example\n`,
    'posts/2026/03/a.html': `---\nid: 20\ntitle: A\ndate: 2026-03-05T10:00:00\ncategories: [ships]\n${seo}---\nText\n`,
    'media/2026/quay.png': (await picture(8, 8)) as unknown as string,
    'media/2026/quay.png.yaml': 'id: 23\n',
    'terms/category/ships.yaml':
      'id: 40\nname: Ships\nseo: { title: All ships, noindex: false, image: 2026/quay.png, mine: 1 }\n',
  });
  const site = await openSite(folder.dir, { readOnly: true });
  const chunks: string[] = [];
  await exportWxr(site, { out: new Writable({ write: (chunk, _, done) => done(void chunks.push(String(chunk)) as undefined) }) });
  await site.close();
  const text = chunks.join('');
  const terms = text.slice(0, text.indexOf('<item>'));
  const rowsIn = (part: string) => [
    ...part.matchAll(/<wp:meta_key><!\[CDATA\[(_yoast_wpseo_[^\]]*)\]\]><\/wp:meta_key><wp:meta_value><!\[CDATA\[(.*?)\]\]>/g),
  ];
  const named = (part: string) => Object.fromEntries(rowsIn(part).map(([, name, value]) => [name, value]));
  expect(named(terms)).toEqual({
    _yoast_wpseo_title: 'All ships',
    '_yoast_wpseo_meta-robots-noindex': '2',
    '_yoast_wpseo_opengraph-image': 'https://old.example/uploads/2026/quay.png',
    '_yoast_wpseo_opengraph-image-id': '23',
  });
  expect(named(text.slice(terms.length))).toEqual({
    _yoast_wpseo_title: '%%title%% %%sep%% Own',
    _yoast_wpseo_metadesc: 'What it is',
    '_yoast_wpseo_meta-robots-noindex': '2',
    '_yoast_wpseo_meta-robots-adv': 'noarchive',
    _yoast_wpseo_canonical: 'https://a.example/b',
    '_yoast_wpseo_opengraph-image': 'https://old.example/uploads/2026/quay.png',
    '_yoast_wpseo_opengraph-image-id': '23',
    '_yoast_wpseo_twitter-image': 'https://x.example/a.png',
    _yoast_wpseo_primary_category: '40',
  });
  const back = temporaryFolder({ 'site.yaml': extended, 'export.xml': text });
  await bring(back.dir, await opened(back.at('export.xml')), { modules: modulesOf, media: false });
  const written = await readFile(join(back.dir, 'posts/2026/03/a.html'), 'utf8');
  for (const line of seo.trim().split('\n')) expect(written).toContain(`${line}\n`);
  expect(written).not.toContain('meta:');
  const term = await readFile(join(back.dir, 'terms/category/ships.yaml'), 'utf8');
  for (const line of ['seo:', '  title: All ships', '  noindex: false', '  image: 2026/quay.png', '  mine: 1'])
    expect(term).toContain(`${line}\n`);
});
