/** A folder that was basic becomes extended and back with nothing lost. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { askInProcess } from '../../support/in-process.ts';
import { startSite, type TestSite } from '../../support/site.ts';

const user = { id: 1, roles: ['administrator'] };
let dir = '';

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cms-lang-'));
  const site = await startSite({ files: { 'pages/about.md': '---\ntitle: About\ndate: 2026-03-05T10:00:00\n---\nText\n' } });

  await copy(site.dir);
  await site.close();
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** Without the lock of the server that still runs: the next one would wait until it has run out. */
const copy = (from: string) => cp(from, dir, { recursive: true, filter: (path) => !path.endsWith('.cms/lock') });

/** Opens the folder in a deployment, asks, and leaves the folder as it is then. */
async function as<T>(deployment: string, run: (site: TestSite) => Promise<T>): Promise<T> {
  const settings = await readFile(join(dir, 'site.yaml'), 'utf8');
  await writeFile(join(dir, 'site.yaml'), `${settings.replace(/^deployment:.*\n/m, '')}deployment: ${deployment}\n`);
  const site = await startSite({ from: dir });
  try {
    return await run(site);
  } finally {
    await rm(dir, { recursive: true });
    await copy(site.dir);
    await site.close();
  }
}

const pages = async (site: TestSite, query = '') =>
  (await askInProcess(site, 'GET', `/cms-json/cms/v2/pages?orderby=id&order=asc${query}`)).body as {
    id: number;
    slug: string;
    translations?: object;
  }[];

it('the basic deployment keeps languages and groups in its files', async () => {
  const made = await as('extended', async (site) => {
    const [about] = await pages(site);
    expect(about).toMatchObject({ slug: 'about', translations: { en: about?.id } });
    const body = { title: 'Über uns', status: 'publish', translation_of: about?.id, lang: 'de', slug: 'about' };
    const { body: de } = await askInProcess(site, 'POST', '/cms-json/cms/v2/pages', { user, body });
    expect(de.translations).toEqual({ en: about?.id, de: de.id });
    return de.id as number;
  });
  await as('basic', async (site) => {
    expect((await pages(site)).map(({ id }) => id)).toContain(made);
    const { body } = await askInProcess(site, 'POST', `/cms-json/cms/v2/pages/${made}`, { user, body: { content: 'Neu' } });
    expect(body).not.toHaveProperty('lang');
    expect(await site.read('pages/about.de.md')).toContain('Neu');
  });
  await as('extended', async (site) => {
    const [about] = await pages(site);
    expect(await pages(site, '&lang_language=de')).toMatchObject([
      { id: made, slug: 'about', translations: { en: about?.id, de: made } },
    ]);
  });
});
