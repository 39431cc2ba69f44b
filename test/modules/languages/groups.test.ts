/** Groups of translations as folders hold them: what validate finds and mends. */
import { mkdtemp, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../cli/run.ts';

const settings = 'name: Quay\nurl: https://quay.example\ndeployment: extended\n';
const page = (id: number, ...lines: string[]): string =>
  ['---', `id: ${id}`, `title: Page ${id}`, 'date: 2026-03-05T10:00:00', ...lines, '---', 'Text', ''].join('\n');

async function folder(files: Readonly<Record<string, string>>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'cms-groups-'));
  for (const [path, text] of Object.entries({ 'site.yaml': settings, ...files })) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
  return dir;
}

/** Findings of groups, with their places. */
async function findings(dir: string, ...flags: string[]): Promise<readonly string[]> {
  const { out } = await run(['validate', dir, ...flags]);
  return out
    .split('\n')
    .filter((line) => /^\S+:\d+:\d+ .*(?:translat|language)/.test(line) || / fixed translation_of/.test(line));
}

describe('cms validate', () => {
  const about = page(20);
  const rows: readonly (readonly [string, Readonly<Record<string, string>>, string, string | null])[] = [
    [
      'two in one language',
      {
        'pages/about.md': about,
        'pages/uber.md': page(21, 'lang: de', 'translation_of: about'),
        'pages/wir.md': page(22, 'lang: de', 'translation_of: about'),
      },
      'pages/wir.md:6:17 error pages/uber.md is the translation into "de" already',
      'pages/wir.md fixed translation_of taken out',
    ],
    [
      'two in one language by their names',
      { 'pages/about.md': about, 'pages/about.de.md': page(21), 'pages/wir.md': page(9, 'lang: de', 'translation_of: about') },
      'pages/about.de.md:1:1 error pages/wir.md is the translation into "de" already',
      'pages/about.de.md fixed translation_of: false',
    ],
    [
      'a language that the site does not have',
      { 'pages/about.md': page(20, 'lang: xx') },
      'pages/about.md:5:7 error "xx" is not a language of the site, so no list has this',
      null,
    ],
    [
      'a target that is not there',
      { 'pages/uber.md': page(21, 'lang: de', 'translation_of: about') },
      'pages/uber.md:6:17 error there is nothing called "about" to be translated',
      'pages/uber.md fixed translation_of taken out',
    ],
    [
      'a target that was renamed',
      { 'pages/info.md': page(20, 'aliases: [about]'), 'pages/uber.md': page(21, 'lang: de', 'translation_of: about') },
      'pages/uber.md:6:17 error there is nothing called "about" to be translated',
      'pages/uber.md fixed translation_of: info',
    ],
    [
      'a target that was renamed, for a file that names it by its own name',
      { 'pages/info.md': page(20, 'aliases: [about]'), 'pages/about.de.md': page(21) },
      'pages/about.de.md:1:1 error there is nothing called "about" to be translated',
      'pages/about.de.md fixed translation_of: info',
    ],
    [
      'a target below a page that was renamed',
      {
        'pages/info.md': page(20, 'aliases: [about]'),
        'pages/info/team.md': page(22),
        'pages/gruppe.md': page(21, 'lang: de', 'translation_of: about/team'),
      },
      'pages/gruppe.md:6:17 error there is nothing called "about/team" to be translated',
      'pages/gruppe.md fixed translation_of: info/team',
    ],
    [
      'a target that was moved to another page',
      {
        'pages/firm.md': page(19),
        'pages/firm/team.md': page(20, 'aliases: [/about/team]'),
        'pages/gruppe.md': page(21, 'lang: de', 'translation_of: about/team'),
      },
      'pages/gruppe.md:6:17 error there is nothing called "about/team" to be translated',
      'pages/gruppe.md fixed translation_of: firm/team',
    ],
    [
      'a target of another type',
      { 'posts/about.md': about, 'pages/uber.md': page(21, 'lang: de', 'translation_of: 20') },
      'pages/uber.md:6:17 error 20 is of another kind, so this is no translation of it',
      'pages/uber.md fixed translation_of taken out',
    ],
    [
      'a term that is translated twice',
      {
        'terms/tag/sea.yaml': 'id: 30\nname: Sea\n',
        'terms/tag/meer.yaml': 'id: 31\nname: Meer\nlang: de\ntranslation_of: sea\n',
        'terms/tag/see.yaml': 'id: 32\nname: See\nlang: de\ntranslation_of: sea\n',
      },
      'terms/tag/see.yaml:4:17 error terms/tag/meer.yaml is the translation into "de" already',
      'terms/tag/see.yaml fixed translation_of taken out',
    ],
  ];
  it.each(rows)('finds %s, and fixes it', async (_name, files, found, fixed) => {
    const dir = await folder(files);
    expect(await findings(dir)).toEqual([found]);
    expect((await findings(dir, '--fix')).filter((line) => line.includes('fixed'))).toEqual(fixed === null ? [] : [fixed]);
    expect(await findings(dir)).toEqual(fixed === null ? [found] : []);
    await rm(dir, { recursive: true });
  });

  it('finds nothing in complete groups', async () => {
    const dir = await folder({
      'pages/about.md': about,
      'pages/about.de.md': page(21),
      'pages/team.en.md': page(22),
      'pages/team.de.md': page(23, 'translation_of: team'),
      'pages/apart.de.md': page(24, 'translation_of: false'),
    });
    expect(await findings(dir)).toEqual([]);
    await rm(dir, { recursive: true });
  });

  it('checks only translatable kinds', async () => {
    const kinds =
      '<custom-types><custom-type translate="0">page</custom-type><custom-type translate="0">book</custom-type></custom-types><taxonomies><taxonomy translate="0">post_tag</taxonomy></taxonomies>';
    const slips = (name: string) => ({
      [`${name}/lost.md`]: page(21, 'lang: de', 'translation_of: nothing'),
      [`${name}/odd.md`]: page(22, 'lang: xx'),
      [`${name}/one.md`]: page(23),
      [`${name}/two.md`]: page(24, 'translation_of: one'),
    });
    const term = (...lines: string[]): string => ['name: T', ...lines, ''].join('\n');
    const dir = await folder({
      'site.yaml': `${settings}types: { book: { label: Books, rest_base: books } }\ntranslation_config: '<lang-config>${kinds}</lang-config>'\n`,
      ...slips('pages'),
      ...slips('books'),
      'terms/tag/sea.yaml': term('lang: de', 'translation_of: nothing'),
      'terms/category/sea.yaml': term('lang: de', 'translation_of: nothing'),
      'posts/two.md': page(31, 'lang: xx'),
    });
    expect((await findings(dir)).map((line) => line.split(':')[0])).toEqual(['posts/two.md', 'terms/category/sea.yaml']);
    await rm(dir, { recursive: true });
  });
});

describe('URLs of a site in two languages', () => {
  /** Findings of links and aliases in the folder of a German page, an English one, and a page below each. */
  const said = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const dir = await folder({
      'pages/about.md': page(20),
      'pages/about.de.md': page(21, 'slug: ueber', 'aliases: [wir, /firma]'),
      'pages/about/team.md': page(22),
      'pages/about/team.de.md': page(23),
      'pages/kontakt.md': page(24, 'lang: de'),
      ...files,
    });
    const { out } = await run(['validate', dir, '--notes']);
    await rm(dir, { recursive: true });
    return out.split('\n').filter((line) => /^\S+:\d+:\d+ .*(?:nothing is at|former address|leads to)/.test(line));
  };
  const links = (...targets: string[]): string => `${page(30)}${targets.map((target) => `[x](${target})\n`).join('')}`;
  const rows: readonly (readonly [string, Readonly<Record<string, string>>, readonly string[]])[] = [
    [
      'nothing is wrong with addresses as the site has them',
      { 'pages/x.md': links('/en/about/team/', '/de/ueber/team/', '/de/', '/de/kontakt/') },
      [],
    ],
    ['nor with those without a language, which lead on', { 'pages/x.md': links('/about/', '/kontakt/', '/') }, []],
    [
      'an address in another language leads nowhere',
      { 'pages/x.md': links('/en/kontakt/', '/de/about/nobody/') },
      ['pages/x.md:7:5 warning nothing is at /en/kontakt/', 'pages/x.md:8:5 warning nothing is at /de/about/nobody/'],
    ],
    [
      'a former address is named with the present one',
      { 'pages/x.md': links('/de/wir/', '/de/firma/') },
      [
        'pages/x.md:7:5 note /de/wir/ is a former address of pages/about.de.md',
        'pages/x.md:8:5 note /de/firma/ is a former address of pages/about.de.md',
      ],
    ],
    ['an alias may be an address of another language', { 'pages/wir.md': page(31), 'pages/firma.md': page(32) }, []],
    [
      'but not one of its own',
      { 'pages/wir.de.md': page(31) },
      ['pages/about.de.md:6:11 warning wir leads to pages/wir.de.md, which has that address now'],
    ],
  ];
  it.each(rows)('%s', async (_name, files, findings) => {
    expect(await said(files)).toEqual(findings);
  });
});
