/** Groups of translations as folders hold them: what validate finds and mends, and what a merge of two branches leaves. */
import { mkdtemp, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../cli/run.ts';
import { createRepository } from '../../support/git.ts';
import { askInProcess } from '../../support/in-process.ts';
import { startSite, type TestSite } from '../../support/site.ts';

const settings = 'name: Quay\nurl: https://quay.example\ndeployment: extended\n';
const admin = { id: 1, roles: ['administrator'] };
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
  it.each(rows)('finds %s, and mends it', async (_name, files, found, fixed) => {
    const dir = await folder(files);
    expect(await findings(dir)).toEqual([found]);
    expect((await findings(dir, '--fix')).filter((line) => line.includes('fixed'))).toEqual(fixed === null ? [] : [fixed]);
    expect(await findings(dir)).toEqual(fixed === null ? [found] : []);
    await rm(dir, { recursive: true });
  });

  it('finds nothing in groups that are whole', async () => {
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
});

describe('two branches with 100 pages in two languages', () => {
  const sites: TestSite[] = [];
  let base = '';
  const ask = async (site: TestSite, method: string, path: string, body?: object) =>
    askInProcess(site, method, `/cms-json/cms/v2/${path}`, { user: admin, ...(body ? { body } : {}) });
  /** Two clients at once: one writes English pages, the other translates each. */
  const write = async (site: TestSite, name: string) => {
    const done = Array.from({ length: 25 }, async (_, n) => {
      const { body: en } = await ask(site, 'POST', 'pages', { title: `${name} ${n}`, status: 'publish' });
      const de = await ask(site, 'POST', 'pages?lang_language=de', {
        title: `${name} ${n} deutsch`,
        status: 'publish',
        translation_of: en.id,
      });
      expect(de.status, JSON.stringify(de.body)).toBe(201);
    });
    await Promise.all(done);
  };

  beforeAll(async () => {
    const files: Record<string, string> = {
      '.gitignore': '.cms\n',
      'terms/category/uncategorized.yaml': 'id: 1\nname: Uncategorized\n',
    };
    for (let n = 0; n < 50; n++) {
      files[`pages/hand-${n}.md`] = page(100 + n);
      // As people do it: by name, by path, by id.
      if (n % 3 === 0) files[`pages/hand-${n}.de.md`] = page(200 + n);
      else files[`pages/von-hand-${n}.md`] = page(200 + n, 'lang: de', `translation_of: ${n % 3 === 1 ? `hand-${n}` : 100 + n}`);
    }
    // What nobody has translated.
    for (const [at, name] of ['lonely', 'plain', 'gone'].entries()) files[`pages/${name}.md`] = page(300 + at);
    base = await folder(files);
    createRepository(base).commit('Pages');
    for (let n = 0; n < 2; n++) sites.push(await startSite({ from: base }));
  }, 60_000);
  afterAll(async () => {
    for (const site of sites) await site.close();
    await rm(base, { recursive: true, force: true });
  });

  it('are whole after the merge, or reported and mended', async () => {
    const [a, b] = sites as [TestSite, TestSite];
    await Promise.all([write(a, 'Left'), write(b, 'Right')]);
    // What no merge can see: both translate one page; one renames or deletes what the other names.
    await ask(a, 'POST', 'pages', { title: 'Einsam', lang: 'de', translation_of: 300 });
    await ask(b, 'POST', 'pages', { title: 'Allein', lang: 'de', translation_of: 300 });
    await ask(a, 'POST', 'pages/301', { slug: 'renamed' });
    await ask(b, 'POST', 'pages', { title: 'Spät', lang: 'de', translation_of: 301 });
    await ask(a, 'DELETE', 'pages/302?force=true');
    await ask(b, 'POST', 'pages', { title: 'Verwaist', lang: 'de', translation_of: 302 });
    await ask(a, 'DELETE', 'pages/104?force=true');
    const [left, right] = [a, b].map(({ dir }) => createRepository(dir)) as [
      ReturnType<typeof createRepository>,
      ReturnType<typeof createRepository>,
    ];
    for (const site of [a, b]) await site.site.close();
    for (const [repository, name] of [
      [left, 'left'],
      [right, 'right'],
    ] as const) {
      repository.run('checkout', '--quiet', '-b', name);
      repository.commit(name);
    }
    left.run('fetch', '--quiet', b.dir, 'right');
    let merge = '';
    try {
      left.run('merge', '--quiet', '--no-edit', 'FETCH_HEAD');
    } catch (error) {
      merge = String(error) + left.run('status', '--short');
    }
    expect(merge).toBe('');

    const before = await findings(a.dir);
    expect(before.length).toBeGreaterThan(0);
    for (const line of before) expect(line).toMatch(/^pages\/\S+:\d+:\d+ error /);
    await run(['validate', a.dir, '--fix']);
    expect(await findings(a.dir)).toEqual([]);

    const merged = await startSite({ from: a.dir });
    sites.push(merged);
    const groups = [...merged.site.posts.all()].map((post) => merged.site.translations.members(post as never));
    for (const group of groups) expect(new Set(group.map(({ lang }) => lang)).size).toBe(group.length);
    const paired = new Set(groups.filter(({ length }) => length === 2).map(([first]) => first?.id));
    // Written by hand but for the deleted one, those of each branch, the lonely and the renamed one.
    expect(paired.size).toBe(50 - 1 + 25 + 25 + 2);
    expect(
      (await ask(merged, 'GET', 'pages?per_page=100&lang_language=de&status=publish,draft')).headers.get('x-cms-total'),
    ).toBe('104');
  }, 120_000);
});
