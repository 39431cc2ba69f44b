/** Translations in folders of a site's own: named by files as in any other folder, by the server and by `cms validate` alike. */
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite } from '../../../src/open-site.ts';
import { run } from '../../cli/run.ts';
import { describeApi } from '../../support/describe-api.ts';
import { startSite, type TestSite, until } from '../../support/site.ts';
import { writeFiles } from '../../support/markdown-sites.ts';

const page = (id: number, ...lines: string[]): string =>
  ['---', `id: ${id}`, `title: Page ${id}`, 'date: 2026-03-01T10:00:00', ...lines, '---', 'Text', ''].join('\n');

const files = {
  'site.yaml': `name: Quay
timezone: UTC
revisions: 0
deployment: extended
types:
  post: { folder: [src/content/blog, src/content/_drafts] }
  page: { folder: src/pages }
  boat: { folder: src/content/boats }
`,
  'src/pages/about.md': page(20),
  'src/pages/about/team.md': page(21),
  'src/pages/ueber.md': page(22, 'lang: de', 'translation_of: about'),
  'src/pages/ueber/leute.md': page(23, 'lang: de', 'translation_of: about/team'),
  'src/pages/contact.md': page(24),
  'src/pages/contact.de.md': page(25),
  'src/content/blog/hello.md': page(30),
  'src/content/blog/hallo.md': page(31, 'lang: de', 'translation_of: hello'),
  'src/content/_drafts/moin.md': page(32, 'lang: de', 'translation_of: /src/content/blog/tide'),
  'src/content/blog/tide.md': page(33),
  'src/content/boats/anna.md': page(40),
  'src/content/boats/anna-de.md': page(41, 'lang: de', 'translation_of: anna'),
};

describeApi('translations in custom folders', { files, users: ['editor'] }, [
  { name: 'are named below the folder', does: 'GET /cms/v2/pages/20', gets: [200, { translations: { en: 20, de: 22 } }] },
  { name: 'may be nested', does: 'GET /cms/v2/pages/21', gets: [200, { translations: { en: 21, de: 23 } }] },
  {
    name: 'may have a language code in their name',
    does: 'GET /cms/v2/pages/24',
    gets: [200, { translations: { en: 24, de: 25 } }],
  },
  { name: 'can be posts', does: 'GET /cms/v2/posts/30', gets: [200, { translations: { en: 30, de: 31 } }] },
  {
    name: 'are named in another folder of the type by the whole path',
    who: 'editor',
    does: 'GET /cms/v2/posts/33',
    gets: [200, { translations: { en: 33, de: 32 } }],
  },
  { name: 'can be custom types', does: 'GET /cms/v2/boat/40', gets: [200, { translations: { en: 40, de: 41 } }] },
  {
    name: 'differ in language from their original',
    who: 'editor',
    does: 'POST /cms/v2/boat',
    body: { title: 'Berta', lang: 'de', translation_of: 41 },
    gets: [400, 'lang_translation_invalid'],
  },
  {
    name: 'can leave their group',
    who: 'editor',
    does: 'POST /cms/v2/boat/41',
    body: { translation_of: 0 },
    gets: [200, { translations: { de: 41 } }],
    writes: ['src/content/boats/anna-de.md'],
  },
  {
    name: 'can join it again',
    who: 'editor',
    does: 'POST /cms/v2/boat/41',
    body: { translation_of: 40 },
    gets: [200, { translations: { en: 40, de: 41 } }],
    writes: ['lang/status/src/content/boats/anna.de.yaml', 'src/content/boats/anna-de.md'],
  },
]);

describe('a site with custom folders', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ files });
  });
  afterAll(() => site.close());
  const groupOf = async (path: string): Promise<unknown> =>
    (await site.ask('GET', `/cms/v2/${path}`, { as: 'admin' })).body.translations;

  it('writes names as people do', async () => {
    const german = { title: 'Berta', lang: 'de', status: 'publish' };
    for (const translation_of of [0, 40]) await site.ask('POST', '/cms/v2/boat/41', { as: 'admin', body: { translation_of } });
    expect(await site.read('src/content/boats/anna-de.md')).toContain('translation_of: anna\n');
    const berta = await site.ask('POST', '/cms/v2/boat', { as: 'admin', body: { title: 'Berta', status: 'publish' } });
    await site.ask('POST', '/cms/v2/boat', { as: 'admin', body: { ...german, translation_of: berta.body.id } });
    expect(await site.read('src/content/boats/berta.de.md')).not.toContain('translation_of');
    expect(await groupOf(`boat/${berta.body.id}`)).toEqual({ en: berta.body.id, de: expect.any(Number) });
  });

  it('follows renamed files, and references to them', async () => {
    await rename(join(site.dir, 'src/content/blog/hello.md'), join(site.dir, 'src/content/blog/ahoy.md'));
    await until(async () => ((await site.read('src/content/blog/hallo.md')).includes('translation_of: ahoy') ? true : undefined));
    expect(await groupOf('posts/30')).toEqual({ en: 30, de: 31 });
    await site.ask('POST', '/cms/v2/pages/20', { as: 'admin', body: { slug: 'info' } });
    expect(await site.read('src/pages/ueber.md')).toContain('translation_of: info\n');
    expect(await site.read('src/pages/ueber/leute.md')).toContain('translation_of: info/team\n');
    expect([await groupOf('pages/20'), await groupOf('pages/21')]).toEqual([
      { en: 20, de: 22 },
      { en: 21, de: 23 },
    ]);
  });

  it('is the same after a restart, and valid', async () => {
    const again = await openSite(site.dir, { readOnly: true });
    const group = (id: number) => again.translations.members(again.posts.get(id) as never).map((one) => one.id);
    expect([20, 21, 24, 30, 40].map(group)).toEqual([
      [20, 22],
      [21, 23],
      [24, 25],
      [30, 31],
      [40, 41],
    ]);
    await again.close();
    expect(await findings(site.dir)).toEqual([]);
  });
});

async function findings(dir: string, ...flags: string[]): Promise<readonly string[]> {
  const { out } = await run(['validate', dir, ...flags]);
  return out
    .split('\n')
    .filter((line) => /^\S+:\d+:\d+ .*(?:translat|language)/.test(line) || / fixed translation_of/.test(line));
}

describe('cms validate, in custom folders,', () => {
  it.each<[string, Readonly<Record<string, string>>, string, string | null]>([
    [
      'a target that is not there',
      { 'src/pages/wir.md': page(50, 'lang: de', 'translation_of: we') },
      'src/pages/wir.md:6:17 error there is nothing called "we" to be translated',
      'src/pages/wir.md fixed translation_of taken out',
    ],
    [
      'a target that was renamed',
      {
        'src/content/boats/clara.md': page(50, 'aliases: [klara]'),
        'src/content/boats/c.md': page(51, 'lang: de', 'translation_of: klara'),
      },
      'src/content/boats/c.md:6:17 error there is nothing called "klara" to be translated',
      'src/content/boats/c.md fixed translation_of: clara',
    ],
    [
      'two in one language',
      { 'src/content/blog/zwei.md': page(50, 'lang: de', 'translation_of: hello') },
      'src/content/blog/zwei.md:6:17 error src/content/blog/hallo.md is the translation into "de" already',
      'src/content/blog/zwei.md fixed translation_of taken out',
    ],
    [
      'a language that the site does not have',
      { 'src/content/boats/x.md': page(50, 'lang: xx') },
      'src/content/boats/x.md:5:7 error "xx" is not a language of the site, so no list has this',
      null,
    ],
    [
      'a target of another type',
      { 'src/content/boats/x.md': page(50, 'lang: de', 'translation_of: 24') },
      'src/content/boats/x.md:6:17 error 24 is of another kind, so this is no translation of it',
      'src/content/boats/x.md fixed translation_of taken out',
    ],
  ])('finds %s, and fixes it', async (_name, more, found, fixed) => {
    const dir = await mkdtemp(join(tmpdir(), 'cms-folders-'));
    await writeFiles(dir, { ...files, ...more });
    expect(await findings(dir)).toEqual([found]);
    expect((await findings(dir, '--fix')).filter((line) => line.includes('fixed'))).toEqual(fixed === null ? [] : [fixed]);
    expect(await findings(dir)).toEqual(fixed === null ? [found] : []);
    await rm(dir, { recursive: true });
  });
});
