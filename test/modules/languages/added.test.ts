/** A language that `site.yaml` gets later: its default category and its media, from the running server and after a restart. */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startSite, type TestSite, until } from '../../support/site.ts';

const settings = (...codes: string[]): string =>
  `name: Quay\ntimezone: UTC\ndeployment: extended\nlang:\n  languages:\n${codes.map((code) => `    ${code}: {}\n`).join('')}`;
const files = {
  'site.yaml': settings('en', 'de'),
  'terms/category/uncategorized.yaml': 'id: 1\nname: This & that\n',
  'terms/category/allgemein.yaml': 'id: 2\nname: Allgemein\nlang: de\ntranslation_of: uncategorized\n',
  'media/2026/03/cat.txt': 'a file',
  'media/2026/03/ours.txt': 'another',
  'media/2026/03/cat.txt.yaml': 'id: 40\ntitle: Cat\nalt: A cat\ndate: 2026-03-05T10:00:00\n',
  'media/2026/03/cat.txt@de.yaml': 'id: 41\ntitle: Katze\nslug: katze\ndate: 2026-03-05T10:00:00\n',
  'media/2026/03/ours.txt.yaml': 'id: 42\ntitle: Ours\ndate: 2026-03-05T10:00:00\n',
  'media/2026/03/ours.txt@fr.yaml': 'id: 43\ntitle: À nous\nslug: a-nous\ndate: 2026-03-05T10:00:00\n',
};

const sites: TestSite[] = [];
afterEach(async () => {
  for (const site of sites.splice(0)) await site.close();
});

async function start(from?: string): Promise<TestSite> {
  const site = await startSite(from === undefined ? { files } : { from });
  sites.push(site);
  return site;
}

const list = async (site: TestSite, path: string) => (await site.ask('GET', `/cms/v2/${path}&orderby=id&order=asc`)).body;
const cached = (site: TestSite) => site.site.store.cache.get('languages.json');

async function expectFrench(site: TestSite): Promise<void> {
  await until(async () => (await list(site, 'media?lang_language=fr&_fields=id')).length === 2);
  const [own, made] = await list(site, 'media?lang_language=fr&_fields=slug,alt_text,source_url,translations');
  expect(own.slug).toBe('a-nous');
  expect(made).toMatchObject({ slug: 'cat-2', alt_text: 'A cat', translations: { en: 40, de: 41 } });
  expect(await site.read('media/2026/03/cat.txt@fr.yaml')).not.toContain('translation_of');
  expect(await list(site, 'categories?lang_language=fr&_fields=name,slug,lang')).toEqual([
    { name: 'This &amp; that', slug: 'uncategorized-fr', lang: 'fr' },
  ]);
  expect(await site.read('terms/category/uncategorized-fr.yaml')).toMatch(
    /^id: \d+\nname: This & that\nlang: fr\ntranslation_of: uncategorized\n$/,
  );
  expect(site.log).toEqual([]);
}

describe('a language that is added', () => {
  it('is set up once while the server runs', async () => {
    const site = await start();
    await until(() => cached(site));
    await site.write('site.yaml', settings('en', 'de', 'fr'));
    await expectFrench(site);
    // What somebody deletes stays deleted.
    await rm(join(site.dir, 'terms/category/uncategorized-fr.yaml'));
    await until(async () => (await list(site, 'categories?lang_language=fr&_fields=id')).length === 0);
    await site.write('site.yaml', `${settings('en', 'de', 'fr')}description: More\n`);
    await until(async () => (await site.ask('GET', '/')).body.description === 'More');
    expect(await list(site, 'categories?lang_language=fr&_fields=id')).toEqual([]);
  });

  it('is set up at the next start', async () => {
    const before = await start();
    await until(() => cached(before));
    const copy = await mkdtemp(join(tmpdir(), 'cms-added-'));
    await cp(before.dir, copy, { recursive: true });
    await writeFile(join(copy, 'site.yaml'), settings('en', 'de', 'fr'));
    const site = await start(copy);
    await rm(copy, { recursive: true });
    await expectFrench(site);
  });

  it('differs from the first ones, which a folder may have always had', async () => {
    const site = await start();
    await until(() => cached(site));
    expect(await list(site, 'media?lang_language=de&_fields=id')).toEqual([{ id: 41 }]);
  });
});
