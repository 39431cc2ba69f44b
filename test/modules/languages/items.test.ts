/** Items in several languages: lists, groups, writes, files. */
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { languages } from '../../../src/modules/languages/index.ts';
import { startSite, type TestSite } from '../../support/site.ts';

const date = '2026-03-05T10:00:00';

function client(site: () => TestSite) {
  const ask = (method: string, path: string, body?: unknown) =>
    site().ask(method, `/cms/v2/${path}`, { as: 'admin', ...(body === undefined ? {} : { body }) });
  const make = async (path: string, body: object) => {
    const { status, body: item } = await ask('POST', path, path.startsWith('p') ? { status: 'publish', date, ...body } : body);
    expect(status, JSON.stringify(item)).toBe(201);
    return item;
  };
  const ids = async (path: string) => (await site().ask('GET', `/cms/v2/${path}`)).body.map(({ id }: { id: number }) => id);
  return { ask, make, ids };
}

describe('files written by hand', () => {
  let site: TestSite;
  const { ask, ids } = client(() => site);
  beforeAll(async () => {
    site = await startSite({
      modules: [languages],
      files: {
        'pages/about.md': '---\nid: 20\ntitle: About\ndate: 2026-03-05T10:00:00\n---\n',
        'pages/about.de.md': '---\nid: 21\ntitle: Über uns\ndate: 2026-03-05T10:00:00\n---\n',
        'pages/about/team.md': '---\nid: 22\ntitle: Team\ndate: 2026-03-05T10:00:00\n---\n',
        'pages/about/mannschaft.md':
          '---\nid: 23\ntitle: Mannschaft\ndate: 2026-03-05T10:00:00\nlang: de\ntranslation_of: about/team\n---\n',
        'posts/hello.md': '---\nid: 30\ntitle: Hello\ndate: 2026-03-05T10:00:00\n---\n',
        'posts/hallo.md': '---\nid: 31\ntitle: Hallo\ndate: 2026-03-05T10:00:00\nlang: de\ntranslation_of: 30\n---\n',
      },
    });
  });
  afterAll(() => site.close());

  it('are in the lists of their languages, with the slug of their name', async () => {
    expect(await ids('pages?orderby=id&order=asc')).toEqual([20, 22]);
    expect(await ids('pages?orderby=id&order=asc&lang_language=de')).toEqual([21, 23]);
    expect(await ids('pages?slug=about&lang_language=de')).toEqual([21]);
    expect(await ids('posts?lang_language=de')).toEqual([31]);
  });

  it('form groups, and link to each other', async () => {
    const { body } = await ask('GET', 'pages/21?context=edit');
    expect(body).toMatchObject({
      lang: 'de',
      locale: 'de_DE',
      slug: 'about',
      translations: { en: 20, de: 21 },
      lang_translations: [{ lang: 'en', locale: 'en_US', id: 20, title: 'About', status: 'publish' }],
      trid: 20,
      source_lang: 'en',
      translation_of: 20,
    });
    expect(body._links['lang:translation']).toEqual([{ href: `${site.url}/en/cms-json/cms/v2/pages/20`, hreflang: 'en' }]);
    const { body: child } = await ask('GET', 'pages/23?context=edit');
    expect(child).toMatchObject({ translations: { en: 22, de: 23 }, translation_of: 22 });
    const { body: post } = await ask('GET', 'posts/30?context=edit');
    expect(post).toMatchObject({ translations: { en: 30, de: 31 }, translation_of: 0, source_lang: null });
  });

  it('can replace one another in parameters', async () => {
    expect(await ids('pages?include=20,21')).toEqual([20]);
    expect(await ids('pages?include=20,22&lang_language=de&orderby=include')).toEqual([21, 23]);
    expect(await ids('posts?include=20')).toEqual([]);
    expect(await ids('posts?exclude=31&lang_language=de')).toEqual([]);
  });

  it('stay a group when one is renamed by hand or by a client', async () => {
    await rename(join(site.dir, 'pages/about/team.md'), join(site.dir, 'pages/about/crew.md'));
    await expect.poll(() => site.read('pages/about/mannschaft.md')).toContain('translation_of: about/crew');
    await ask('POST', 'pages/20', { slug: 'us' });
    expect(await site.read('pages/about.de.md')).toContain('translation_of: us');
    expect((await ask('GET', 'pages/23')).body.translations).toEqual({ en: 22, de: 23 });
    expect((await ask('GET', 'pages/21')).body.translations).toEqual({ en: 20, de: 21 });
  });

  it('are the same after the folder is read again', async () => {
    await site.site.reload();
    expect((await ask('GET', 'pages/23')).body.translations).toEqual({ en: 22, de: 23 });
  });
});

describe('items written by clients', () => {
  let site: TestSite;
  const { ask, make, ids } = client(() => site);
  beforeAll(async () => {
    site = await startSite({
      modules: [languages],
      files: {
        'site.yaml': [
          'name: Example',
          'lang: {languages: {en: {}, de: {}, fr: {locale: fr_FR}}}',
          'types: {book: {plural: Books}}',
          '',
        ].join('\n'),
        'terms/category/uncategorized.yaml': 'id: 1\nname: Uncategorized\n',
        'terms/category/allgemein.yaml': 'id: 2\nname: Allgemein\nlang: de\ntranslation_of: uncategorized\n',
        'terms/category/news.yaml': 'id: 3\nname: News\n',
        'terms/category/neues.yaml': 'id: 4\nname: Neues\nlang: de\ntranslation_of: news\n',
        'terms/category/solo.yaml': 'id: 5\nname: Solo\n',
      },
    });
  });
  afterAll(() => site.close());

  it('have the language of the request, and slugs per language', async () => {
    const en = await make('posts', { title: 'Hello' });
    const de = await make('posts?lang_language=de', { title: 'Hello' });
    const again = await make('posts', { title: 'Hello', lang_language: 'de' });
    expect([en, de, again].map(({ lang, slug, categories }) => [lang, slug, categories])).toEqual([
      ['en', 'hello', [1]],
      ['de', 'hello', [2]],
      ['de', 'hello-2', [2]],
    ]);
    expect(de.translations).toEqual({ de: de.id });
    expect(await site.read('posts/2026/03/hello.de.md')).toMatch(/translation_of: false/);
    expect(await site.read('posts/2026/03/hello-2.md')).toMatch(/lang: de/);
    expect(await site.read('posts/2026/03/hello.md')).not.toMatch(/lang|translation/);
    expect(await ids(`posts?categories=1&lang_language=de&orderby=id&order=asc`)).toEqual([de.id, again.id]);
    expect(await ids('posts?categories=5&lang_language=de')).toEqual([]);
  });

  it.each(['pages', 'posts', 'book'])('become translations of %s: file, group, and shared fields', async (base) => {
    const en = await make(base, {
      title: `Of ${base}`,
      ...(base === 'posts' ? { categories: [3, 5], sticky: true } : {}),
      comment_status: 'open',
    });
    const de = await make(`${base}?lang_language=de`, { title: 'Von', translation_of: en.id });
    expect(de).toMatchObject({ lang: 'de', translations: { en: en.id, de: de.id }, trid: en.id });
    if (base === 'posts') expect(de).toMatchObject({ categories: [4], sticky: true });
    if (base !== 'book') expect(de).toMatchObject({ comment_status: 'open' });
    const fr = await make(base, { title: 'De', lang: 'fr', trid: de.id, source_lang: 'de' });
    expect(fr.translations).toEqual({ en: en.id, de: de.id, fr: fr.id });
    const path = site.site.posts.get(de.id)?.path as string;
    expect(await site.read(path)).toMatch(new RegExp(`lang: de\\ntranslation_of: (?:\\S*/)?of-${base}`));
    for (const [status, body] of [
      [409, { translation_of: en.id, lang: 'fr' }],
      [400, { translation_of: en.id, lang: 'en' }],
      [400, { translation_of: 999_999, lang: 'de' }],
      [400, { translation_of: en.id, lang: 'xx' }],
    ] as const)
      expect((await ask('POST', base, { title: 'x', ...body })).status, JSON.stringify(body)).toBe(status);
    const { body } = await ask('POST', base, { title: 'x', translation_of: en.id, lang: 'de' });
    expect(body).toMatchObject({ code: 'lang_translation_exists', data: { existing_id: de.id } });
  });

  it('of another type are not translations', async () => {
    const page = await make('pages', { title: 'A page' });
    expect((await ask('POST', 'posts?lang_language=de', { title: 'x', translation_of: page.id })).body.code).toBe(
      'lang_translation_invalid',
    );
  });

  it('created at the same time get one place in a group', async () => {
    const en = await make('pages', { title: 'Raced' });
    const tries = await Promise.all(
      [1, 2, 3, 4].map((n) => ask('POST', 'pages', { title: `Rennen ${n}`, lang: 'de', translation_of: en.id })),
    );
    expect(tries.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  it('join, merge and leave groups', async () => {
    const [en, de, fr, other] = [
      await make('pages', { title: 'One' }),
      await make('pages', { title: 'Eins', lang: 'de' }),
      await make('pages', { title: 'Un', lang: 'fr' }),
      await make('pages', { title: 'Deux', lang: 'fr' }),
    ];
    const update = async (id: number, body: object) => {
      const { status, body: item } = await ask('POST', `pages/${id}`, body);
      return status === 200 ? item.translations : [status, item.code];
    };
    const group = async (id: number) => (await ask('GET', `pages/${id}`)).body.translations;
    expect(await update(en.id, { translations: { de: de.id } })).toEqual({ en: en.id, de: de.id });
    expect(await update(fr.id, { translations: { en: en.id } })).toEqual({ en: en.id, de: de.id, fr: fr.id });
    expect(await update(other.id, { translations: { en: en.id } })).toEqual([409, 'lang_translation_exists']);
    expect(await update(other.id, { translations: { de: en.id } })).toEqual([400, 'lang_translation_invalid']);
    expect(await update(other.id, { translations: { xx: en.id } })).toEqual([400, 'lang_translation_invalid']);
    expect(await update(fr.id, { lang: 'de' })).toEqual([409, 'lang_translation_exists']);
    expect(await group(en.id)).toEqual({ en: en.id, de: de.id, fr: fr.id });
    expect(await update(en.id, { translations: { fr: 0 } })).toEqual({ en: en.id, de: de.id });
    expect(await group(fr.id)).toEqual({ fr: fr.id });
    // The original goes, the others stay together.
    expect(await update(fr.id, { translation_of: en.id })).toEqual({ en: en.id, de: de.id, fr: fr.id });
    expect(await update(en.id, { translation_of: 0 })).toEqual({ en: en.id });
    expect(await group(de.id)).toEqual({ de: de.id, fr: fr.id });
    expect(await update(en.id, { translations: { fr: fr.id } })).toEqual({ en: en.id, de: de.id, fr: fr.id });
    await site.site.reload();
    expect(await group(de.id)).toEqual({ en: en.id, de: de.id, fr: fr.id });
  });

  it('change their language if the place is free', async () => {
    const page = await make('pages', { title: 'Moves' });
    expect((await ask('POST', `pages/${page.id}`, { lang: 'fr' })).body.lang).toBe('fr');
    expect((await ask('POST', `pages/${page.id}`, { lang: 'xx' })).body.code).toBe('lang_unknown');
    expect((await ask('POST', `pages/${page.id}?lang_language=de`, { title: 'Still' })).body.lang).toBe('fr');
  });

  it('share the fields that the site shares', async () => {
    const en = await make('pages', { title: 'Shared' });
    const de = await make('pages', { title: 'Geteilt', lang: 'de', translation_of: en.id });
    const above = await make('pages', { title: 'Above' });
    const oben = await make('pages', { title: 'Oben', lang: 'de', translation_of: above.id });
    await ask('POST', `pages/${en.id}`, { menu_order: 7, parent: above.id });
    expect((await ask('GET', `pages/${de.id}`)).body).toMatchObject({ menu_order: 7, parent: oben.id });
    expect(site.site.posts.get(de.id)?.path).toBe('pages/oben/geteilt.md');
    expect((await ask('GET', `pages/${de.id}`)).body.translations).toEqual({ en: en.id, de: de.id });
  });

  it('keep their group in the trash; when the original is deleted, another takes its place', async () => {
    const en = await make('pages', { title: 'Gone' });
    const de = await make('pages', { title: 'Weg', lang: 'de', translation_of: en.id });
    const fr = await make('pages', { title: 'Parti', lang: 'fr', translation_of: en.id });
    await ask('DELETE', `pages/${en.id}`);
    expect((await ask('GET', `pages/${de.id}?context=edit`)).body).toMatchObject({ trid: en.id });
    expect((await ask('POST', 'pages', { title: 'x', translation_of: de.id })).status).toBe(409);
    await ask('DELETE', `pages/${en.id}?force=true`);
    expect((await ask('GET', `pages/${fr.id}?context=edit`)).body).toMatchObject({
      trid: de.id,
      translations: { de: de.id, fr: fr.id },
    });
    expect(await site.read(site.site.posts.get(de.id)?.path as string)).not.toContain('translation_of');
  });

  it('accept terms of their language, and translations of others', async () => {
    const { status, body } = await ask('POST', 'posts?lang_language=de', { title: 'x', categories: [3] });
    expect([status, body.categories]).toEqual([201, [4]]);
    expect((await ask('POST', 'posts?lang_language=de', { title: 'x', categories: [5] })).body).toMatchObject({
      code: 'lang_term_untranslated',
      data: { status: 400, term_id: 5 },
    });
  });

  it('are found by searches in their language, with their comments', async () => {
    const de = await make('posts?lang_language=de', { title: 'Suchwort' });
    const found = async (lang: string) =>
      (await site.ask('GET', `/cms/v2/search?search=Suchwort&lang_language=${lang}`)).body.map(({ id }: { id: number }) => id);
    expect([await found('de'), await found('en')]).toEqual([[de.id], []]);
    const comment = await make('comments', { post: de.id, content: 'Gut' });
    expect(await ids('comments?lang_language=de')).toEqual([comment.id]);
    expect(await ids('comments')).toEqual([]);
  });
});
