/** The same source again, before and after the site was served, changes nothing: every kind of source that a test can hold. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSite } from '../../../src/open-site.ts';
import { markdownImporter } from '../../../src/transfer/sources/markdown.ts';
import type { Importer } from '../../../src/transfer/sources/open.ts';
import { wxrImporter } from '../../../src/transfer/sources/wxr.ts';
import { filesIn } from '../../cli/run.ts';
import {
  astroSite,
  eleventySite,
  type Files,
  hugoSite,
  jekyllSite,
  plainSite,
  writeFiles,
} from '../../support/markdown-sites.ts';
import { wxrAuthor, wxrCategory, wxrComment, wxrFoot, wxrHead, wxrItem, wxrTerm } from '../../support/wxr.ts';
import { total } from './exports.ts';
import { bring, freshFolder } from './rows.ts';

const undated = { date: '0000-00-00 00:00:00', dateGmt: '0000-00-00 00:00:00' };
const linkTo = (id: number, target: string) =>
  wxrItem({
    id,
    type: 'nav_menu_item',
    title: '',
    order: id,
    terms: [['nav_menu', 'main', 'Main']],
    meta: [
      ['_menu_item_type', 'post_type'],
      ['_menu_item_object', 'page'],
      ['_menu_item_object_id', target],
    ],
  });
const wxr =
  wxrHead() +
  wxrAuthor(3, 'anna') +
  wxrCategory({ id: 3, slug: 'news', name: 'News' }) +
  wxrTerm('nav_menu', { id: 5, slug: 'main', name: 'Main' }) +
  wxrItem({ id: 7, type: 'page', ...undated }) +
  wxrItem({
    id: 8,
    creator: 'ghost',
    terms: [
      ['category', 'news'],
      ['language', 'de'],
      ['post_translations', 'pll_1'],
    ],
  }) +
  wxrItem({
    id: 9,
    creator: '',
    terms: [
      ['language', 'en'],
      ['post_translations', 'pll_1'],
    ],
    after: wxrComment({ id: 1 }),
  }) +
  wxrItem({
    id: 10,
    type: 'attachment',
    status: 'inherit',
    ...undated,
    attachmentUrl: 'https://old.example/wp-content/uploads/2020/a.png',
    meta: [
      ['_wp_attached_file', '2020/a.png'],
      ['_yoast_wpseo_meta-robots-noindex', '1'],
    ],
  }) +
  linkTo(20, '7') +
  linkTo(21, '99') +
  wxrFoot;

const sources: readonly (readonly [string, Importer, Files, string])[] = [
  ['an export', wxrImporter, { 'export.xml': wxr }, 'export.xml'],
  ['Jekyll', markdownImporter, jekyllSite(), ''],
  ['Hugo', markdownImporter, hugoSite(), ''],
  ['Astro', markdownImporter, astroSite(), ''],
  ['Eleventy', markdownImporter, eleventySite(), ''],
  ['notes', markdownImporter, plainSite(), ''],
  [
    'Hexo',
    markdownImporter,
    {
      '_config.yml': 'title: H\n',
      'source/_posts/a.md': 'title: A\n---\nText\n',
      'source/about/index.md': 'title: B\n---\nText\n',
    },
    '',
  ],
  ['Pelican', markdownImporter, { 'a.md': 'Title: A\nDate: 2020-01-02\n\nText\n', 'b.md': 'Title: B\nTags: x\n\nText\n' }, ''],
  [
    'Zola',
    markdownImporter,
    {
      'config.toml': 'base_url = "https://z.example"\n',
      'content/blog/a.md': '+++\ntitle = "A"\n[taxonomies]\ntags = ["x"]\n+++\nText\n',
    },
    '',
  ],
];

it.each(sources)('%s', async (_, importer, files, file) => {
  const from = await mkdtemp(join(tmpdir(), 'cms-twice-'));
  await writeFiles(from, files);
  const path = join(from, file);
  const dir = await freshFolder();
  const again = async () => bring(dir, await importer.open({ source: path, path, scratch: dir, keepGoing: true }));
  const first = await again();
  expect(total(first, 'new')).toBeGreaterThan(0);
  const before = await filesIn(dir);
  expect(total(await again(), 'new', 'updated', 'kept', 'failed')).toBe(0);
  expect(await filesIn(dir)).toEqual(before);
  await (await openSite(dir)).close();
  const served = await filesIn(dir);
  expect(total(await again(), 'new', 'updated', 'kept', 'failed')).toBe(0);
  expect(await filesIn(dir)).toEqual(served);
});
