/**
 * What is asked of languages, clause by clause, each shown on one running site. The site is new for each group of clauses.
 *
 * Source: reference on languages, 13.1 to 13.3; a clause that the corrections settle otherwise is called so. Shown elsewhere: media
 * (`media.test.ts`), `fallback` (`lists.test.ts`), menus with a file for a language (`menu-trees`), `translation_status`
 * (`translation-jobs`), parameters of services (`translation-service`).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateUser } from '../../../src/modules/people/users/plan.ts';
import { signUp, startSite, type TestSite, until } from '../../support/site.ts';

const page = (id: number, ...lines: string[]): string =>
  ['---', `id: ${id}`, `title: Page ${id}`, 'date: 2026-03-01T10:00:00', ...lines, '---', 'Text', ''].join('\n');
const three = `lang:
  default: en
  languages:
    en: { locale: en_US, name: English }
    de: { locale: de_DE }
    fr: { locale: fr_FR, name: French, native_name: Français }
`;
const settings = `name: Quay\ntimezone: UTC\ndeployment: extended\nrevisions: 0\n${three}`;

let site: TestSite;
const send = async (method: string, path: string, body?: object, as = 'admin'): Promise<any> => {
  const answer = await site.ask(method, path, { as, ...(body ? { body } : {}) });
  return { ...(Array.isArray(answer.body) ? { list: answer.body } : answer.body), status: answer.status, http: answer };
};
const get = (path: string) => send('GET', path);
const make = (body: object, base = 'pages') => send('POST', `/cms/v2/${base}`, { status: 'publish', ...body });
const ids = async (path: string) => (await get(path)).list.map(({ id }: { id: number }) => id);

type Clauses = readonly (readonly [section: string, says: string, shows: () => Promise<void>])[];

const refusedCodes: readonly string[] = ['all', 'EN', 'english', 'toolong1', 'e'];

const configuration: Clauses = [
  [
    '13.1',
    'the languages are those of the file, in its order, and the argument follows without a restart',
    async () => {
      const listed = async () => (await site.ask('OPTIONS', '/cms/v2/pages')).body.endpoints[0].args.lang_language.enum;
      expect(await listed()).toEqual(['en', 'de', 'fr']);
      await site.write('site.yaml', settings.replace('    fr:', '    it: { locale: it_IT }\n    fr:'));
      expect(await until(async () => ((await listed()).length === 4 ? await listed() : undefined))).toEqual([
        'en',
        'de',
        'it',
        'fr',
      ]);
      expect((await get('/cms/v2/pages?lang_language=it')).status).toBe(200);
      await site.write('site.yaml', settings);
      await until(async () => ((await listed()).length === 3 ? true : undefined));
      expect((await get('/cms/v2/pages?lang_language=it')).code).toBe('rest_invalid_param');
    },
  ],
  [
    '13.1',
    'codes that are none are left out and named, and the site is served',
    async () => {
      const wrong = refusedCodes.map((code) => `    ${code}: {}\n`).join('');
      await site.write('site.yaml', settings + wrong);
      const declared = () => Object.keys((site.site.settings.value('lang') as { readonly languages: object }).languages);
      await until(async () => declared().length > 3);
      expect(site.site.languages.codes).toEqual(['en', 'de', 'fr']);
      expect((await get('/cms/v2/pages')).status).toBe(200);
      await site.write('site.yaml', settings);
    },
  ],
  [
    '13.1',
    'the default language is one of them: the first, where it is none',
    async () => {
      await site.write('site.yaml', settings.replace('default: en', 'default: xx'));
      await until(async () => (site.site.settings.value('lang') as { default: string }).default === 'xx');
      expect(site.site.languages.default).toBe('en');
      await site.write('site.yaml', settings.replace('default: en', 'default: de'));
      await until(async () => site.site.languages.default === 'de');
      const { id, lang, link } = await make({ title: 'Ohne' });
      expect([lang, link]).toEqual(['de', `${site.url}/de/ohne/`]);
      await send('DELETE', `/cms/v2/pages/${id}?force=true`);
      await site.write('site.yaml', settings);
      await until(async () => site.site.languages.default === 'en');
    },
  ],
  [
    '13.1',
    'addresses have a segment for every language, but for the default one where the site says so',
    async () => {
      // The clause before this one had another default language.
      await until(async () => (await get('/cms/v2/pages/20')).lang === 'en');
      expect((await get('/cms/v2/pages/20')).link).toBe(`${site.url}/en/about/`);
      await site.write('site.yaml', `${settings}  url: { default_in_directory: false }\n`);
      const link = await until(async () => {
        const shown = (await get('/cms/v2/pages/20')).link;
        return shown.includes('/en/') ? undefined : shown;
      });
      expect(link).toBe(`${site.url}/about/`);
      expect((await get('/cms/v2/pages/21')).link).toBe(`${site.url}/de/about/`);
      await site.write('site.yaml', settings);
      await until(async () => (await get('/cms/v2/pages/20')).link.includes('/en/'));
    },
  ],
  [
    '13.1',
    'a translation whose writer names no status is a draft, or what its original is',
    async () => {
      expect(
        (await send('POST', '/cms/v2/pages', { title: 'Un', lang: 'fr', translation_of: 22 })).translations.fr,
      ).toBeDefined();
      const french = (await get('/cms/v2/pages/22')).translations.fr;
      expect((await get(`/cms/v2/pages/${french}`)).http.body.status).toBe('draft');
      await site.write('site.yaml', `${settings}  new_translation_status: same\n`);
      await until(async () => site.site.languages.settings.newTranslationStatus === 'same');
      const { http } = await send('POST', '/cms/v2/pages', { title: 'Zwei', lang: 'de', translation_of: 22 });
      expect(http.body.status).toBe('publish');
      await site.write('site.yaml', settings);
      await until(async () => site.site.languages.settings.newTranslationStatus === 'draft');
    },
  ],
  [
    '13.1',
    'what translations share is written into each, and what they do not share is not',
    async () => {
      await send('POST', '/cms/v2/pages/20', { menu_order: 4, comment_status: 'closed', date: '2026-02-01T10:00:00' });
      expect((await get('/cms/v2/pages/21')).http.body).toMatchObject({
        ...{ menu_order: 4, comment_status: 'closed', date: '2026-03-01T10:00:00' },
      });
      await site.write('site.yaml', `${settings}  sync: { menu_order: false, date: true }\n`);
      await until(async () => site.site.languages.settings.sync.has('date'));
      await send('POST', '/cms/v2/pages/20', { menu_order: 9, date: '2026-01-01T10:00:00' });
      expect((await get('/cms/v2/pages/21')).http.body).toMatchObject({ menu_order: 4, date: '2026-01-01T10:00:00' });
      await site.write('site.yaml', settings);
      await until(async () => !site.site.languages.settings.sync.has('date'));
    },
  ],
];

describe('the languages of a running site', () => {
  beforeAll(async () => {
    site = await startSite({
      files: { 'site.yaml': settings, 'pages/about.md': page(20), 'pages/about.de.md': page(21), 'pages/team.md': page(22) },
    });
  });
  afterAll(() => site.close());
  it.each(configuration)('%s %s', async (_section, _says, shows) => {
    await shows();
  });
});

const items: Clauses = [
  [
    '13.2',
    'one item for each language: a second one is refused with the one that is there',
    async () => {
      const { status, code, data } = await make({ title: 'X', lang: 'de', translation_of: 20 });
      expect([status, code, data.existing_id]).toEqual([409, 'lang_translation_exists', 21]);
    },
  ],
  [
    '13.2',
    'one member has no source language, and it is the original of all',
    async () => {
      const shown = await Promise.all([20, 21].map((id) => get(`/cms/v2/pages/${id}?context=edit`)));
      expect(shown.map(({ trid, source_lang, translation_of }) => [trid, source_lang, translation_of])).toEqual([
        [20, null, 0],
        [20, 'en', 20],
      ]);
    },
  ],
  [
    '13.2',
    'members are of one type',
    async () => {
      expect(await make({ title: 'X', lang: 'de', translation_of: 30 })).toMatchObject({
        status: 400,
        code: 'lang_translation_invalid',
      });
    },
  ],
  [
    '13.2',
    'without the original the member in the default language is one, else the lowest id; the trash keeps the place',
    async () => {
      const origin = (await make({ title: 'Ursprung', lang: 'de' })).id;
      const french = (await make({ title: 'Origine', lang: 'fr', translation_of: origin })).id;
      const english = (await make({ title: 'Origin', lang: 'en', translation_of: origin })).id;
      await send('DELETE', `/cms/v2/pages/${origin}`);
      expect((await make({ title: 'Y', lang: 'de', translation_of: french })).status).toBe(409);
      await send('DELETE', `/cms/v2/pages/${origin}?force=true`);
      expect((await get(`/cms/v2/pages/${french}?context=edit`)).trid).toBe(english);
      const third = (await make({ title: 'Dritte', lang: 'de', translation_of: french })).id;
      await send('DELETE', `/cms/v2/pages/${english}?force=true`);
      expect((await get(`/cms/v2/pages/${third}?context=edit`)).trid).toBe(french);
      for (const id of [french, third]) await send('DELETE', `/cms/v2/pages/${id}?force=true`);
    },
  ],
  [
    '13.2',
    'lists are in the language of the request, totals too, and in the default one without it',
    async () => {
      expect(await ids('/cms/v2/pages')).toEqual([20]);
      const { list, http } = await get('/cms/v2/pages?lang_language=de');
      expect([list[0].id, http.headers.get('x-cms-total')]).toEqual([21, '1']);
      expect(await ids('/cms/v2/pages?search=Page&lang_language=de')).toEqual([21]);
    },
  ],
  [
    'corrections',
    'ids in `include` are mapped to the language, and one without a translation gives nothing',
    async () => {
      expect(await ids('/cms/v2/pages?include=20,21&lang_language=de')).toEqual([21]);
      expect(await ids('/cms/v2/posts?include=30&lang_language=de')).toEqual([]);
    },
  ],
  [
    '13.2',
    'single items are found, written and deleted by id in every language, and keep theirs',
    async () => {
      const { id } = await make({ title: 'Stays' });
      expect((await get(`/cms/v2/pages/${id}?lang_language=de`)).lang).toBe('en');
      expect(await send('PUT', `/cms/v2/pages/${id}?lang_language=de`, { title: 'Still' })).toMatchObject({
        status: 200,
        lang: 'en',
      });
      expect((await send('DELETE', `/cms/v2/pages/${id}?force=true&lang_language=de`)).status).toBe(200);
    },
  ],
  [
    '13.2',
    'a new item is of the language of the request',
    async () => {
      const { id, lang } = await send('POST', '/cms/v2/pages?lang_language=fr', { title: 'Neuf' });
      expect(lang).toBe('fr');
      await send('DELETE', `/cms/v2/pages/${id}?force=true`);
    },
  ],
  [
    '13.2',
    'the language changes by the body alone, where its place is free',
    async () => {
      const { id } = await make({ title: 'Moves' });
      expect((await send('PUT', `/cms/v2/pages/${id}`, { lang: 'fr' })).lang).toBe('fr');
      expect(await send('PUT', '/cms/v2/pages/20', { lang: 'de' })).toMatchObject({
        status: 409,
        code: 'lang_translation_exists',
      });
      await send('DELETE', `/cms/v2/pages/${id}?force=true`);
    },
  ],
  [
    '13.2',
    'slugs are unique within a type and a language',
    async () => {
      const slugs: string[] = [];
      const made: number[] = [];
      for (const lang of ['en', 'de', 'de']) {
        const { id, slug } = await make({ title: 'Same', slug: 'same', lang });
        slugs.push(slug);
        made.push(id);
      }
      expect(slugs).toEqual(['same', 'same', 'same-2']);
      for (const id of made) await send('DELETE', `/cms/v2/pages/${id}?force=true`);
    },
  ],
  [
    'corrections',
    'slugs of terms are unique over all languages, names within one',
    async () => {
      const first = await make({ name: 'News' }, 'tags');
      expect((await make({ name: 'News' }, 'tags')).code).toBe('term_exists');
      const second = await make({ name: 'News', lang: 'de' }, 'tags');
      expect([first.slug, second.slug]).toEqual(['news', 'news-2']);
    },
  ],
  [
    '13.2',
    'filters by terms take ids of any language',
    async () => {
      expect(await ids('/cms/v2/posts?tags=41')).toEqual([30]);
      expect(await ids('/cms/v2/posts?tags=40')).toEqual([30]);
    },
  ],
  [
    '13.2',
    'a term of another language is stored as its translation; without one it is refused',
    async () => {
      const { id, http } = await make({ title: 'Hallo', lang: 'de', tags: [40] }, 'posts');
      expect(http.body.tags).toEqual([41]);
      await send('DELETE', `/cms/v2/posts/${id}?force=true`);
      expect(await make({ title: 'Salut', lang: 'fr', tags: [40] }, 'posts')).toMatchObject({
        status: 400,
        code: 'lang_term_untranslated',
      });
    },
  ],
  [
    '13.2',
    'users have the languages they translate between, which are no part of their profile',
    async () => {
      const { id } = await signUp(site, 'tina', 'translator');
      const pairs = { en: ['de'] };
      await updateUser(site.site, id, { privateMeta: { language_pairs: pairs } });
      expect((await get(`/cms/v2/users/${id}?context=edit`)).language_pairs).toEqual(pairs);
      expect((await site.ask('GET', `/cms/v2/users/${id}`, { as: 'admin' })).body).not.toHaveProperty('language_pairs');
    },
  ],
  [
    '13.2',
    'the front page and the items of menus are those of the language, else the original',
    async () => {
      await site.write('site.yaml', `${settings}front: page\nfront_page: about\n`);
      await until(async () => (await get('/cms/v2/getFrontpage')).http.body.id === 20);
      expect((await get('/cms/v2/getFrontpage?lang_language=de')).http.body.id).toBe(21);
      expect((await get('/cms/v2/getFrontpage?lang_language=fr')).http.body.id).toBe(20);
      const titles = async (lang: string) =>
        (await get(`/menus/v1/menus/main?lang_language=${lang}`)).items.map(({ title }: { title: string }) => title);
      expect([await titles('de'), await titles('fr')]).toEqual([['Page 21'], ['Page 20']]);
      await site.write('site.yaml', settings);
      await until(async () => Array.isArray((await get('/cms/v2/getFrontpage')).list));
    },
  ],
  [
    '13.2',
    'items have their language, locale, group and links in every context, the rest in the edit context',
    async () => {
      for (const context of ['view', 'embed', 'edit']) {
        const shown = (await get(`/cms/v2/pages/20?context=${context}`)).http.body;
        expect(shown).toMatchObject({
          lang: 'en',
          locale: 'en_US',
          translations: { en: 20, de: 21 },
          lang_translations: [
            { lang: 'de', locale: 'de_DE', id: 21, title: 'Page 21', link: `${site.url}/de/about/`, status: 'publish' },
          ],
        });
        expect(shown._links['lang:translation']).toMatchObject([
          { hreflang: 'de', href: expect.stringMatching(/\/cms\/v2\/pages\/21$/) },
        ]);
        expect('trid' in shown).toBe(context === 'edit');
      }
    },
  ],
  [
    '13.2',
    'groups are joined and merged by their members, each in its language and of its type',
    async () => {
      const [en, de, fr] = [
        await make({ title: 'A' }),
        await make({ title: 'B', lang: 'de' }),
        await make({ title: 'C', lang: 'fr' }),
      ].map(({ id }) => id);
      await send('PUT', `/cms/v2/pages/${de}`, { translations: { fr } });
      expect((await send('PUT', `/cms/v2/pages/${en}`, { translations: { de } })).translations).toEqual({ en, de, fr });
      expect(await send('PUT', `/cms/v2/pages/${en}`, { translations: { de: 20 } })).toMatchObject({
        code: 'lang_translation_invalid',
      });
      expect(await send('PUT', `/cms/v2/pages/${en}`, { translations: { de: 21 } })).toMatchObject({
        status: 409,
        code: 'lang_translation_exists',
      });
      for (const id of [en, de, fr]) await send('DELETE', `/cms/v2/pages/${id}?force=true`);
    },
  ],
];

const creation: Clauses = [
  [
    '13.3',
    '`translation_of` makes a member, and so do `trid` and `source_lang`',
    async () => {
      const one = await send('POST', '/cms/v2/pages?lang_language=fr', { title: 'Un', translation_of: 20, status: 'publish' });
      expect(one).toMatchObject({ status: 201, lang: 'fr', translations: { en: 20, de: 21 } });
      await send('DELETE', `/cms/v2/pages/${one.id}?force=true`);
      const two = await make({ title: 'Deux', lang: 'fr', trid: 20, source_lang: 'en' });
      expect(two.translations).toEqual({ en: 20, de: 21, fr: two.id });
      await send('DELETE', `/cms/v2/pages/${two.id}?force=true`);
    },
  ],
  [
    '13.3',
    'what is not sent is not copied, but for what translations share, parent, terms and picture',
    async () => {
      const parent = await make({ title: 'Above' });
      const above = await make({ title: 'Oben', lang: 'de', translation_of: parent.id });
      const source = await make({ title: 'Below', content: 'Long', excerpt: 'Short', parent: parent.id, menu_order: 3 });
      const { http } = await make({ title: 'Unten', lang: 'de', translation_of: source.id });
      expect(http.body).toMatchObject({ parent: above.id, menu_order: 3, content: { rendered: '' } });
      const { http: post } = await make({ title: 'Hallo', lang: 'de', translation_of: 30 }, 'posts');
      expect(post.body.tags).toEqual([41]);
      const { http: french } = await make({ title: 'Salut', lang: 'fr', translation_of: 30 }, 'posts');
      expect(french.body.tags).toEqual([]);
      for (const { id } of [http.body, source, above, parent]) await send('DELETE', `/cms/v2/pages/${id}?force=true`);
      for (const { id } of [post.body, french.body]) await send('DELETE', `/cms/v2/posts/${id}?force=true`);
    },
  ],
  [
    '13.3',
    'a source that is missing, of another type or in the same language is refused',
    async () => {
      for (const [translation_of, lang] of [
        [999, 'fr'],
        [30, 'fr'],
        [20, 'en'],
      ] as const)
        expect(await make({ title: 'X', lang, translation_of })).toMatchObject({ status: 400, code: 'lang_translation_invalid' });
    },
  ],
];

describe('items of a running site', () => {
  beforeAll(async () => {
    site = await startSite({
      files: {
        'site.yaml': settings,
        'pages/about.md': page(20),
        'pages/about.de.md': page(21),
        'posts/hello.md': page(30, 'tags: [sea]'),
        'terms/tag/sea.yaml': 'id: 40\nname: Sea\n',
        'terms/tag/meer.yaml': 'id: 41\nname: Meer\nlang: de\ntranslation_of: sea\n',
        'menus/main.yaml': 'id: 50\nname: Main\nitems:\n  - { page: about, id: 100 }\n',
      },
    });
  });
  afterAll(() => site.close());
  it.each([...items, ...creation])('%s %s', async (_section, _says, shows) => {
    await shows();
  });
});
