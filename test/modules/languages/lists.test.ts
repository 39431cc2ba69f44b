/** What lists show of what is not translated, or not to be seen; and terms in several languages. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { languages } from '../../../src/modules/languages/index.ts';
import { startSite, type TestSite } from '../../support/site.ts';

const page = (id: number, ...lines: string[]): string =>
  ['---', `id: ${id}`, `title: Page ${id}`, 'date: 2026-03-05T10:00:00', ...lines, '---', 'Text', ''].join('\n');

const files = {
  'pages/a.md': page(20),
  'pages/a.de.md': page(21),
  'pages/b.md': page(22),
  'pages/c.md': page(23, 'lang: de'),
  'pages/d.md': page(24),
  'pages/d.de.md': page(25, 'status: draft'),
  'terms/tag/sea.yaml': 'id: 30\nname: Sea\n',
};

describe('with fallback', () => {
  let site: TestSite;
  const ids = async (path: string) => (await site.ask('GET', `/cms/v2/${path}`)).body.map(({ id }: { id: number }) => id);
  const start = async (fallback: string) => {
    site = await startSite({
      modules: [languages],
      files: { ...files, 'site.yaml': `name: Quay\nlang: {fallback: ${fallback}}\n` },
    });
  };
  const de = 'pages?orderby=id&order=asc&lang_language=de';

  describe('none', () => {
    beforeAll(() => start('none'));
    afterAll(() => site.close());
    it('lists show only items in their language', async () => {
      expect(await ids('pages?orderby=id&order=asc')).toEqual([20, 22, 24]);
      expect(await ids(de)).toEqual([21, 23]);
      expect(await ids(`${de}&include=20,22`)).toEqual([21]);
      expect((await site.ask('GET', '/cms/v2/pages/22?lang_language=de')).body).not.toHaveProperty('lang_fallback');
    });
  });

  describe('default', () => {
    beforeAll(() => start('default'));
    afterAll(() => site.close());
    it('lists show untranslated items in the default language', async () => {
      expect(await ids('pages?orderby=id&order=asc')).toEqual([20, 22, 24]);
      expect(await ids(de)).toEqual([21, 22, 23]);
      expect(await ids(`${de}&include=20,22`)).toEqual([21, 22]);
      expect((await site.ask('GET', '/cms/v2/pages/22?lang_language=de')).body).toHaveProperty('lang_fallback', true);
      const { headers } = await site.ask('GET', '/cms/v2/pages?lang_language=de&per_page=1');
      expect(headers.get('x-cms-total')).toBe('3');
    });
    it('lists show a translation as soon as it exists', async () => {
      await site.write('pages/b.de.md', page(26));
      await expect.poll(() => ids(de)).toEqual([21, 23, 26]);
    });
  });
});

describe('translation groups', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ modules: [languages], files });
  });
  afterAll(() => site.close());

  it('reveal nothing about drafts to visitors', async () => {
    const seen = (await site.ask('GET', '/cms/v2/pages/24')).body;
    expect(seen).toMatchObject({ translations: { en: 24 }, lang_translations: [] });
    expect(seen._links).not.toHaveProperty('lang:translation');
    expect(seen).not.toHaveProperty('trid');
    const edited = (await site.ask('GET', '/cms/v2/pages/24?context=edit', { as: 'admin' })).body;
    expect(edited).toMatchObject({
      translations: { en: 24, de: 25 },
      lang_translations: [{ id: 25, status: 'draft' }],
      trid: 24,
    });
  });

  it('of terms are created, joined and promoted like those of items', async () => {
    const make = (body: object) => site.ask('POST', '/cms/v2/tags', { as: 'admin', body });
    const { status, body: meer } = await make({ name: 'Meer', lang: 'de', translation_of: 30 });
    expect([status, meer.translations]).toEqual([201, { en: 30, de: meer.id }]);
    expect(await site.read('terms/tag/meer.yaml')).toMatch(/lang: de\ntranslation_of: sea\n/);
    expect((await make({ name: 'See', lang: 'de', translation_of: 30 })).body).toMatchObject({
      code: 'lang_translation_exists',
      data: { status: 409, existing_id: meer.id },
    });
    await site.ask('POST', '/cms/v2/tags/30', { as: 'admin', body: { slug: 'ocean' } });
    expect(await site.read('terms/tag/meer.yaml')).toContain('translation_of: ocean');
    expect((await site.ask('GET', '/cms/v2/tags?hide_empty=false&lang_language=de')).body).toMatchObject([{ id: meer.id }]);
    await site.ask('DELETE', '/cms/v2/tags/30?force=true', { as: 'admin' });
    expect((await site.ask('GET', `/cms/v2/tags/${meer.id}?context=edit`, { as: 'admin' })).body).toMatchObject({
      translations: { de: meer.id },
      trid: meer.id,
      source_lang: null,
    });
    expect(await site.read('terms/tag/meer.yaml')).not.toContain('translation_of');
  });

  it('cannot be changed without the right to edit', async () => {
    const before = await site.read('pages/a.md');
    for (const body of [{ translations: { de: 23 } }, { lang: 'de' }, { translation_of: 23 }])
      expect((await site.ask('POST', '/cms/v2/pages/22', { body })).status).toBe(401);
    expect(await site.read('pages/a.md')).toBe(before);
  });
});
