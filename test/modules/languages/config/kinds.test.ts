/** Types and taxonomies that the document says to be without translations, or to be shown as they are where there are none. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { translationOverview } from '../../../../src/modules/translation/items/index.ts';
import { openSite } from '../../../../src/open-site.ts';
import { startSite, type TestSite } from '../../../support/site.ts';

const item = (id: number, ...lines: string[]): string =>
  ['---', `id: ${id}`, `title: Item ${id}`, `date: 2026-03-05T10:00:${id}`, ...lines, '---', 'Text', ''].join('\n');
const rules = [
  '<custom-types><custom-type translate="0">book</custom-type>',
  '<custom-type translate="1" display-as-translated="1">page</custom-type>',
  '<custom-type translate="0" display-as-translated="1">attachment</custom-type></custom-types>',
  '<taxonomies><taxonomy translate="0">post_tag</taxonomy>',
  '<taxonomy translate="1" display-as-translated="1">category</taxonomy></taxonomies>',
].join('');
const settings = (said: string): string =>
  [
    ...['name: Harbour', 'deployment: extended', 'types:', '  book: { label: Books, rest_base: books }'],
    `translation_config: '<lang-config>${said}</lang-config>'`,
    '',
  ].join('\n');

const files = {
  'site.yaml': settings(rules),
  'books/a.md': item(10),
  'books/b.md': item(11, 'lang: de', 'translation_of: a'),
  'pages/a.md': item(20),
  'pages/a.de.md': item(21),
  'pages/b.md': item(22),
  'pages/c.md': item(23, 'lang: de'),
  'posts/x.md': item(30, 'tags: [sea]', 'categories: [news]'),
  'posts/y.md': item(31),
  'terms/tag/sea.yaml': 'id: 40\nname: Sea\n',
  'terms/category/news.yaml': 'id: 41\nname: News\n',
  'comments/10/1.html': '---\nid: 1\ndate: 2026-03-05T10:00:00\nstatus: approved\nname: Ada\n---\nGood\n',
};

describe('kinds of items', () => {
  let on: TestSite;
  beforeAll(async () => {
    on = await startSite({ files });
  });
  afterAll(() => on.close());
  const ask = async (path: string) => (await on.ask('GET', `/cms/v2/${path}`)).body;
  const ids = async (path: string) => (await ask(path)).map(({ id }: { id: number }) => id);
  const write = (path: string, body: object) => on.ask('POST', path, { as: 'admin', body });
  const inOrder = 'orderby=id&order=asc';

  describe('without translations', () => {
    it('are in the lists of every language, with totals', async () => {
      for (const code of ['en', 'de']) {
        expect(await ids(`books?${inOrder}&lang_language=${code}`)).toEqual([10, 11]);
        expect(await ids(`books?${inOrder}&include=10,11&lang_language=${code}`)).toEqual([10, 11]);
        const { headers } = await on.ask('GET', `/cms/v2/books?per_page=1&lang_language=${code}`);
        expect(headers.get('x-cms-total')).toBe('2');
        expect(await ids(`tags?lang_language=${code}&hide_empty=false`)).toEqual([40]);
        expect(await ids(`search?subtype=book&lang_language=${code}`)).toEqual(expect.arrayContaining([10, 11]));
      }
    });

    it('have no group, whatever their files say', async () => {
      expect(await ask('books/11')).toMatchObject({ translations: { de: 11 }, lang_translations: [] });
      const { body } = await on.ask('GET', '/cms/v2/books/11?context=edit', { as: 'admin' });
      expect(body).toMatchObject({ translation_of: 0, trid: 11, source_lang: null });
      expect(body).not.toHaveProperty('lang_fallback');
    });

    it('cannot be translated', async () => {
      const before = await on.read('books/b.md');
      for (const body of [{ translation_of: 10 }, { translations: { en: 10 } }])
        expect((await write('/cms/v2/books/11', body)).body).toMatchObject({
          code: 'lang_translation_invalid',
          data: { status: 400, params: { [Object.keys(body)[0] as string]: expect.any(String) } },
        });
      expect((await write('/cms/v2/books', { title: 'No', lang: 'de', translation_of: 10 })).status).toBe(400);
      expect(await on.read('books/b.md')).toBe(before);
    });

    it('are created in the default language, whatever the request', async () => {
      const { body } = await write('/cms/v2/books?lang_language=de', { title: 'Third', status: 'publish' });
      expect(body).toMatchObject({ lang: 'en', link: `${on.url}/en/book/third/` });
      expect(await on.read('books/third.md')).not.toContain('lang:');
    });

    it('can be assigned to items of every language', async () => {
      const { status, body } = await write('/cms/v2/posts', { title: 'Neu', lang: 'de', status: 'publish', tags: [40] });
      expect([status, body.tags]).toEqual([201, [40]]);
      expect(await ids('posts?tags=40&lang_language=de')).toEqual([body.id]);
      expect(await ids('posts?tags=40')).toEqual([30]);
    });

    it('have their comments in every language', async () => {
      for (const code of ['en', 'de']) expect(await ids(`comments?lang_language=${code}`)).toEqual([1]);
    });

    it('have one media item per file', async () => {
      const { body } = await on.ask('POST', '/cms/v2/media', {
        as: 'admin',
        body: 'plain',
        headers: { 'content-type': 'text/plain', 'content-disposition': 'attachment; filename="note.txt"' },
      });
      for (const code of ['en', 'de']) expect(await ids(`media?lang_language=${code}`)).toEqual([body.id]);
    });

    it('are absent from jobs and from the overview', async () => {
      const order = { elements: [10, 20].map((id) => ({ id, type: id === 10 ? 'book' : 'page', targets: ['de'] })) };
      expect((await write('/lang/tm/v1/ate/jobs', order)).body).toMatchObject({
        created: [{ original_element_id: 20 }],
        skipped: [{ id: 10, target: 'de', reason: 'untranslatable_type' }],
      });
      const kinds = new Set(translationOverview(on.site).map(({ type }) => type));
      expect([kinds.has('book'), kinds.has('post_tag'), kinds.has('page')]).toEqual([false, false, true]);
    });
  });

  describe('shown untranslated', () => {
    it('stand in for missing translations in lists, and say so', async () => {
      const shown = await ask(`pages?${inOrder}&lang_language=de&_fields=id,lang,lang_fallback`);
      expect(shown).toEqual([
        { id: 21, lang: 'de' },
        { id: 22, lang: 'en', lang_fallback: true },
        { id: 23, lang: 'de' },
      ]);
      expect(await ids(`pages?${inOrder}`)).toEqual([20, 22]);
      expect(await ids(`pages?${inOrder}&include=20,22&lang_language=de`)).toEqual([21, 22]);
      expect(await ask(`pages?${inOrder}&_fields=lang_fallback`)).toEqual([{}, {}]);
    });

    it('say so by themselves, and no longer once translated', async () => {
      expect(await ask('pages/22?lang_language=de')).toMatchObject({ lang_fallback: true });
      await on.write('pages/b.de.md', item(24));
      await expect.poll(() => ids(`pages?${inOrder}&lang_language=de`)).toEqual([21, 23, 24]);
      expect(await ask('pages/22?lang_language=de')).not.toHaveProperty('lang_fallback');
    });

    it('stand in for nothing else', async () => {
      expect(await ids('posts?lang_language=de&search=Item')).toEqual([]);
    });

    it('filter by the term that stands in', async () => {
      expect(await ids('categories?include=41&lang_language=de&hide_empty=false')).toEqual([41]);
    });
  });

  it('are the same after a restart', async () => {
    const again = await openSite(on.dir, { readOnly: true });
    expect(again.translations.isTranslated('posts', 'book')).toBe(false);
    expect(again.translations.members(again.posts.get(11) as never).map(({ id }) => id)).toEqual([11]);
    await again.close();
  });

  it('follow hand edits of the document', async () => {
    await on.write('site.yaml', settings(''));
    await expect.poll(() => ids(`books?${inOrder}`)).toEqual([10, expect.any(Number)]);
    expect(await ids('books?lang_language=de')).toEqual([11]);
    expect(await ask('books/11')).toMatchObject({ translations: { en: 10, de: 11 } });
    expect(await ids(`pages?${inOrder}&lang_language=de`)).toEqual([21, 23, 24]);
  });
});
