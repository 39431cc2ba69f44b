/** A site in two languages goes out as WXR and as an archive, and comes in as the same site. */
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { filesIn, run, temporary } from '../../cli/run.ts';
import { pixel, writeFiles } from '../../support/markdown-sites.ts';

const settings =
  'name: Quay\nurl: https://quay.example\ntimezone: Europe/Berlin\ndeployment: extended\nfront: page\nfront_page: home\n';
const item = (id: number, title: string, ...lines: string[]): string =>
  [
    ...['---', `id: ${id}`, `title: ${title}`, 'date: 2026-03-05T10:00:00', 'modified: 2026-03-06T10:00:00', ...lines, '---'],
    ...['<p>Text, and <a href="/de/about/team/">das Team</a>.</p>', ''],
  ].join('\n');

/** Every way in which files say a language and a group. */
const files = {
  'site.yaml': settings,
  'terms/category/uncategorized.yaml': 'id: 1\nname: Uncategorized\n',
  'terms/category/allgemein.yaml': 'id: 2\nname: Allgemein\nlang: de\ntranslation_of: uncategorized\n',
  'terms/tag/sea.yaml': 'id: 3\nname: Sea\n',
  'terms/tag/meer.yaml': 'id: 4\nname: Meer\nlang: de\ntranslation_of: sea\n',
  'menus/main.yaml':
    'id: 5\nname: Main\nitems:\n  - page: about\n    id: 90\n  - url: https://example.com\n    title: Nur deutsch\n    lang: de\n    id: 91\n',
  'menus/foot.yaml': 'id: 6\nname: Foot\nitems:\n  - page: about\n    id: 92\n',
  'menus/foot.de.yaml': 'id: 7\nname: Fuß\nitems:\n  - page: deutsch\n    id: 93\n',
  'pages/home.html': item(20, 'Home'),
  'pages/start.html': item(21, 'Start', 'lang: de', 'translation_of: home'),
  'pages/about/index.html': item(22, 'About'),
  'pages/about.de.html': item(23, 'Über uns'),
  'pages/about/team.html': item(24, 'Team'),
  'pages/about/team.de.html': item(25, 'Das Team'),
  'pages/apart.html': item(26, 'Apart'),
  'pages/apart.de.html': item(27, 'Anders', 'translation_of: false'),
  'pages/original.html': item(29, 'Translated', 'translation_of: deutsch'),
  'pages/deutsch.html': item(28, 'Das deutsche Original', 'lang: de', 'aliases: [alt]'),
  'posts/2026/03/hello.html': item(30, 'Hello', 'categories: [uncategorized]', 'tags: [sea]'),
  'posts/2026/03/hallo.html': item(
    31,
    'Hallo',
    'categories: [allgemein]',
    'tags: [meer]',
    'lang: de',
    'translation_of: 30',
    'featured_media: 2026/03/cat.png@de',
  ),
  'media/2026/03/cat.png.yaml': 'id: 40\ntitle: Cat\ndate: 2026-03-05T10:00:00\n',
  'media/2026/03/cat.png@de.yaml': 'id: 41\ntitle: Katze\nslug: cat-2\ndate: 2026-03-05T10:00:00\n',
};

const cms = async (cwd: string, ...args: string[]) => {
  const result = await run(args, { cwd });
  expect({ status: result.status, err: result.status === 0 ? '' : result.err }).toEqual({ status: 0, err: '' });
  return result.out;
};

describe('a site in two languages', () => {
  let cwd = '';
  beforeAll(async () => {
    cwd = await temporary();
    await writeFiles(join(cwd, 'a'), files);
    await writeFile(join(cwd, 'a/media/2026/03/cat.png'), pixel);
    await settleTimes('a');
    await cms(cwd, 'export', 'a', '--format', 'wxr', '--out', 'a.xml');
  });
  /** Menu items have the date of their file. */
  const settleTimes = async (name: string): Promise<void> => {
    for (const path of Object.keys(await filesIn(join(cwd, name))))
      await utimes(join(cwd, name, path), 1_700_000_000, 1_700_000_000);
  };

  it('exports language and original of each item to WXR', async () => {
    const { 'a.xml': xml = '' } = await filesIn(cwd);
    const rows = (id: number, element: string): string[] => {
      const part = xml.split(/<(?:item|wp:category|wp:tag|wp:term)>/).find((one) => one.includes(`<wp:${element}>${id}<`)) ?? '';
      return [...part.matchAll(/meta_key><!\[CDATA\[(\w+)\]\]><\/wp:meta_key><wp:meta_value><!\[CDATA\[(.*?)\]\]>/g)]
        .map(([, key, value]) => `${key} ${value}`)
        .filter((row) => /^(?:lang|translation_of) /.test(row));
    };
    expect(rows(20, 'post_id')).toEqual(['lang en']);
    expect(rows(23, 'post_id')).toEqual(['lang de', 'translation_of 22']);
    expect(rows(29, 'post_id')).toEqual(['lang en', 'translation_of 28']);
    expect(rows(27, 'post_id')).toEqual(['lang de']);
    expect(rows(41, 'post_id')).toEqual(['lang de', 'translation_of 40']);
    expect(rows(4, 'term_id')).toEqual(['lang de', 'translation_of post_tag:sea']);
  });

  it('round-trips through WXR with groups, files, URLs and links', async () => {
    await writeFiles(join(cwd, 'b'), { 'site.yaml': settings });
    const report = JSON.parse(await cms(cwd, 'import', 'a.xml', '--into', 'b', '--media', 'a/media', '--json'));
    expect(report.rules).toEqual({});
    const [a, b] = await Promise.all(['a', 'b'].map((name) => filesIn(join(cwd, name))));
    expect(
      Object.keys(b ?? {})
        .filter((path) => !path.startsWith('users/') && path !== '.gitignore')
        .sort(),
    ).toEqual(
      Object.keys(a ?? {})
        .filter((path) => path !== '.gitignore')
        .sort(),
    );
    // WXR has a guid for everything.
    for (const path of [
      'pages/about.de.html',
      'pages/about/team.de.html',
      'pages/apart.de.html',
      'pages/original.html',
      'media/2026/03/cat.png@de.yaml',
      'menus/main.yaml',
      'menus/foot.de.yaml',
    ])
      expect(b?.[path]?.replace(/^guid: .*\n/m, ''), path).toBe(a?.[path]);
    await settleTimes('b');
    await cms(cwd, 'export', 'b', '--format', 'wxr', '--out', 'b.xml');
    const { 'a.xml': first, 'b.xml': second } = await filesIn(cwd);
    expect(second).toBe(first);
    expect(await cms(cwd, 'validate', 'b')).not.toMatch(/translat|language/);
    expect(
      await cms(cwd, 'import', 'a.xml', '--into', 'b', '--media', 'a/media', '--json').then((out) =>
        JSON.parse(out).rows.every((row: { new: number }) => row.new === 0),
      ),
    ).toBe(true);
  });

  it('redirects old URLs to the items in their language', async () => {
    const { 'a.xml': xml = '' } = await filesIn(cwd);
    const addresses = [
      'https://quay.example/?page_id=25',
      'https://quay.example/de/about/team/',
      'https://quay.example/en/about/team/',
    ];
    const links = addresses.map((address) => `<a href="${address}">x</a>`).join('');
    await writeFile(
      join(cwd, 'old.xml'),
      xml.replace(/(?<=<title><!\[CDATA\[Apart\]\]>[\s\S]*?)<p>Text, and .*<\/p>/, `<p>${links}</p>`),
    );
    await writeFiles(join(cwd, 'e'), { 'site.yaml': settings });
    await cms(cwd, 'import', 'old.xml', '--into', 'e', '--media', 'a/media');
    const { 'pages/apart.html': text = '' } = await filesIn(join(cwd, 'e'));
    expect([...text.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      '/de/about/team/',
      '/de/about/team/',
      '/en/about/team/',
    ]);
    expect(text).not.toContain('aliases');
  });

  it('round-trips through an archive byte for byte', async () => {
    await cms(cwd, 'export', 'a', '--format', 'archive', '--out', 'a.tar.gz');
    await cms(cwd, 'import', 'a.tar.gz', '--into', 'c');
    const [a, c] = await Promise.all(['a', 'c'].map((name) => filesIn(join(cwd, name))));
    expect(c).toEqual(a);
  });

  it('keeps WXR languages if the target site has none', async () => {
    await writeFiles(join(cwd, 'd'), { 'site.yaml': settings.replace('deployment: extended\n', '') });
    await cms(cwd, 'import', 'a.xml', '--into', 'd', '--media', 'a/media');
    const { 'posts/2026/03/hallo.html': text } = await filesIn(join(cwd, 'd'));
    expect(text).toMatch(/^lang: de\ntranslation_of: 30\n/m);
  });
});
