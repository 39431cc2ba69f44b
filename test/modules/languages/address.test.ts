/** The extended deployment by address: segments, the parameter, links, pages, and what the index says. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signUp, startSite, type TestSite } from '../../support/site.ts';

const date = '2026-03-05T10:00:00';
const files = {
  'site.yaml':
    'name: Harbour\ntimezone: Europe/Berlin\ndeployment: extended\nfront: page\nfront_page: start\ndefault_category: general\ntypes:\n  book: { label: Books }\n',
  'pages/start.md': `---\nid: 10\ntitle: Start\ndate: ${date}\n---\n`,
  'pages/start.de.md': `---\nid: 11\ntitle: Anfang\ndate: ${date}\n---\n`,
  'posts/hello.md': `---\nid: 12\ntitle: Hello\ndate: ${date}\nauthor: admin\n---\n`,
  'posts/hello.de.md': `---\nid: 13\ntitle: Hallo\ndate: ${date}\nauthor: admin\naliases: [servus]\n---\n`,
  'posts/only.md': `---\nid: 14\ntitle: Only\ndate: ${date}\n---\n`,
  'pages/news.md': `---\nid: 15\ntitle: News\ndate: ${date}\n---\n`,
  'pages/neues.md': `---\nid: 16\ntitle: Neues\ndate: ${date}\nlang: de\ntranslation_of: news\n---\n`,
  'book/dated.html': `---\nid: 17\ntitle: Dated\ndate: ${date}\n---\n<!-- wp:post-date {"format":"l j F Y"} /-->\n`,
  'book/dated.de.html': `---\nid: 18\ntitle: Datiert\ndate: ${date}\n---\n<!-- wp:post-date {"format":"l j F Y"} /-->\n`,
  'menus/main.yaml': 'id: 33\nname: Main\nitems:\n  - { archive: post, id: 91 }\n',
  'terms/category/general.yaml': 'id: 31\nname: General\n',
  'terms/category/allgemein.yaml': 'id: 32\nname: Allgemein\nlang: de\ntranslation_of: general\n',
};

describe('languages in URLs', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ files });
  });
  afterAll(() => site.close());

  const get = (path: string, as?: string) => site.ask('GET', path, { raw: true, ...(as ? { as } : {}) });

  it.each([
    ['/de/cms-json/cms/v2/posts', [13], '/de/cms-json'],
    ['/de/wp-json/wp/v2/posts', [13], '/de/wp-json'],
    ['/de/index.php?rest_route=/cms/v2/posts', [13], '/de/cms-json'],
    ['/de/?rest_route=/wp/v2/posts', [13], '/de/wp-json'],
    ['/en/cms-json/cms/v2/posts', [14, 12], '/en/cms-json'],
    ['/cms-json/cms/v2/posts', [14, 12], '/en/cms-json'],
    ['/wp-json/wp/v2/posts?wpml_language=de', [13], '/de/wp-json'],
    ['/de/cms-json/cms/v2/posts?lang_language=en', [14, 12], '/en/cms-json'],
    ['/index.php?rest_route=/cms/v2/posts&lang_language=de', [13], '/de/cms-json'],
  ])('%s', async (path, ids, root) => {
    // The third answer comes from memory.
    for (const _ of [1, 2, 3]) {
      const { status, body, headers } = await get(path);
      expect([status, body.map(({ id }: { id: number }) => id)]).toEqual([200, ids]);
      expect(body[0]._links.collection[0].href).toMatch(new RegExp(`^${site.url}${root}/`));
      expect(headers.get('content-language')).toBe(root.startsWith('/de') ? 'de-DE' : 'en-US');
    }
  });

  it.each(['/fr/cms-json/', '/EN/cms-json/', '/fr/wp-json/wp/v2/posts', '/fr/index.php?rest_route=/', '/all/cms-json/'])(
    '%s is not a route',
    async (path) => {
      const { status, body } = await get(path);
      expect([status, body.code]).toEqual([404, 'rest_no_route']);
    },
  );

  it('an unknown language is rejected before rights and items are checked, in query and body, in one spelling', async () => {
    const { as } = await signUp(site, 'sub', 'subscriber');
    for (const code of ['fr', 'all', '', 'DE'])
      for (const [path, who] of [
        ['/cms/v2/users/me', undefined],
        ['/cms/v2/posts/99999', 'admin'],
        ['/cms/v2/settings', as],
        ['/', undefined],
        ['/oembed/1.0', undefined],
        ['/cms/v2/types', undefined],
      ] as const) {
        const { status, body } = await site.ask('GET', `${path}?lang_language=${code}`, who ? { as: who } : {});
        expect([path, status, body.code]).toEqual([path, 400, 'rest_invalid_param']);
        expect(body.data.details.lang_language.code).toBe('rest_not_in_enum');
      }
    const body = { title: 'X', lang_language: 'fr' };
    const before = (await site.ask('GET', '/cms/v2/posts')).headers.get('x-cms-total');
    expect((await site.ask('POST', '/cms/v2/posts', { body })).status).toBe(400);
    expect((await site.ask('POST', '/cms/v2/posts', { as: 'admin', body })).status).toBe(400);
    expect((await site.ask('GET', '/cms/v2/posts?lang_language[]=de')).body.data.details.lang_language.code).toBe(
      'rest_invalid_type',
    );
    expect((await site.ask('GET', '/cms/v2/nothing?lang_language=fr')).status).toBe(404);
    expect((await site.ask('GET', '/cms/v2/posts')).headers.get('x-cms-total')).toBe(before);
  });

  it('items have the URL of their own language, links in the response that of the request', async () => {
    for (const root of ['/en/cms-json', '/de/cms-json']) {
      const { body, headers } = await get(`${root}/cms/v2/posts/13`);
      expect(body.link).toBe(`${site.url}/de/hello/`);
      expect(body._links.self[0].href).toBe(`${site.url}${root}/cms/v2/posts/13`);
      expect(headers.get('link')).toContain(`<${site.url}${root}/>; rel="https://api.cms.example/"`);
    }
    const one = await get('/de/cms-json/cms/v2/users/1?_fields=link,url', 'admin');
    expect(one.body.link).toBe(`${site.url}/de/author/admin/`);
    const { headers } = await get('/de/cms-json/cms/v2/posts?per_page=1&lang_language=en');
    expect(headers.get('link')).toContain(
      `<${site.url}/en/cms-json/cms/v2/posts?per_page=1&lang_language=en&page=2>; rel="next"`,
    );
  });

  it('embeds are in the language of the request', async () => {
    const { body } = await get('/en/cms-json/cms/v2/posts/13?lang_language=de&_embed=author');
    expect(body._embedded.author[0]).toMatchObject({ slug: 'admin', link: `${site.url}/de/author/admin/` });
  });

  it('each language has its own front page and default category', async () => {
    expect((await get('/en/cms-json/cms/v2/pages/10')).body.link).toBe(`${site.url}/en/`);
    expect((await get('/en/cms-json/cms/v2/pages/11')).body.link).toBe(`${site.url}/de/`);
    const settings = async (root: string) => (await get(`${root}/cms/v2/settings`, 'admin')).body;
    expect(await settings('/en/cms-json')).toMatchObject({ page_on_front: 10, default_category: 31 });
    expect(await settings('/de/cms-json')).toMatchObject({ page_on_front: 11, default_category: 32 });
    const { body } = await site.ask('GET', `/oembed/1.0/embed?url=${encodeURIComponent(`${site.url}/de/`)}`);
    expect(body).toMatchObject({ title: 'Anfang', provider_url: `${site.url}/de/` });
  });

  it('each language has its own posts page; both are visible only to users who manage options', async () => {
    await site.write('site.yaml', `${files['site.yaml']}posts_page: news\n`);
    await site.site.reload();
    const settings = async (root: string) => (await get(`${root}/cms/v2/settings`, 'admin')).body.page_for_posts;
    expect([await settings('/en/cms-json'), await settings('/de/cms-json')]).toEqual([15, 16]);
    const urls = async (root: string) =>
      (await get(`${root}/menus/v1/menus/main`)).body.items.map(({ url }: { url: string }) => url);
    expect(await urls('/en/cms-json')).toEqual([`${site.url}/en/news/`]);
    expect(await urls('/de/cms-json')).toEqual([`${site.url}/de/neues/`]);
    const { as } = await signUp(site, 'editor', 'editor');
    for (const id of [10, 11, 15, 16])
      expect((await get(`/cms-json/cms/v2/pages/${id}`, as)).body._links.self[0].targetHints.allow).not.toContain('DELETE');
    for (const id of [11, 16])
      expect((await site.ask('DELETE', `/cms/v2/pages/${id}`, { as })).body.code).toBe('rest_cannot_delete');
    await site.write('site.yaml', files['site.yaml']);
    await site.site.reload();
    expect(await urls('/de/cms-json')).toEqual([`${site.url}/de/`]);
  });

  it('dates are in the language of the text', async () => {
    const dated = async (id: number) => (await get(`/cms-json/cms/v2/book/${id}`)).body.content.rendered;
    expect(await dated(17)).toContain('>Thursday 5 March 2026</time>');
    expect(await dated(18)).toContain('>Donnerstag 5 März 2026</time>');
  });

  it.each([
    ['/de/hello/', 200, null],
    ['/en/hello/', 200, null],
    ['/hello/', 301, '/en/hello/'],
    ['/de/only/', 404, null],
    ['/de/servus/', 301, '/de/hello/'],
    ['/en/servus/', 404, null],
    ['/de/?p=12', 301, '/en/hello/'],
    ['/fr/hello/', 404, null],
  ])('%s returns %i', async (path, status, to) => {
    const response = await fetch(site.url + path, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([status, to && site.url + to]);
  });

  it('a draft is previewed at the URL of its language', async () => {
    const made = await site.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title: 'Entwurf', lang_language: 'de' } });
    expect(made.body.link).toBe(`${site.url}/de/?p=${made.body.id}`);
    const autosave = await site.ask('POST', `/cms/v2/posts/${made.body.id}/autosaves`, {
      as: 'admin',
      body: { content: 'Neuer Text' },
    });
    const page = await fetch(autosave.body.preview_link);
    expect([page.status, (await page.text()).includes('Neuer Text')]).toEqual([200, true]);
    expect(autosave.body.preview_link).toContain(`${site.url}/de/?p=`);
  });

  it('the index has the home of the language, the URL without it, namespaces in order, and no front page', async () => {
    const { body } = await get('/de/cms-json/');
    expect([body.url, body.home, body.gmt_offset, body.timezone_string]).toEqual([
      site.url,
      `${site.url}/de/`,
      expect.any(Number),
      'Europe/Berlin',
    ]);
    expect((await get('/cms-json/?_fields=home')).body.home).toBe(`${site.url}/en/`);
    expect((await get('/en/cms-json/?_fields=home&lang_language=de')).body.home).toBe(`${site.url}/de/`);
    for (const name of ['page_for_posts', 'page_on_front', 'show_on_front']) expect(body).not.toHaveProperty(name);
    expect(body.routes['/cms/v2/posts']._links.self[0].href).toBe(`${site.url}/de/cms-json/cms/v2/posts`);
  });

  it('a new post gets the default category of its language, a post that loses its last one gets none', async () => {
    const body = { title: 'Ohne', lang_language: 'de' };
    const made = await site.ask('POST', '/cms/v2/posts', { as: 'admin', body });
    expect(made.body.categories).toEqual([32]);
    const path = `/cms/v2/posts/${made.body.id}`;
    expect((await site.ask('POST', path, { as: 'admin', body: { categories: [] } })).body.categories).toEqual([]);
  });

  it('batches may call only pages, each in its own language', async () => {
    const requests = [
      { path: '/cms/v2/pages', body: { title: 'A' } },
      { path: '/cms/v2/pages?lang_language=en', body: { title: 'B' } },
      { path: '/cms/v2/pages', body: { title: 'C', lang_language: 'en' } },
      { path: '/cms/v2/pages', body: { title: 'D', lang_language: 'fr' } },
      { path: '/cms/v2/posts', body: { title: 'E' } },
      { path: '/cms/v2/pages', body: { title: 'F' } },
    ];
    const { body } = await site.ask('POST', '/batch/v1', { root: '/de/cms-json', as: 'admin', body: { requests } });
    const said = body.responses.map((one: { status: number; body: { lang?: string; code?: string } }) => [
      one.status,
      one.body.lang ?? one.body.code,
    ]);
    expect(said).toEqual([
      [201, 'de'],
      [201, 'en'],
      [201, 'en'],
      [400, 'rest_invalid_param'],
      [400, 'rest_batch_not_allowed'],
      [201, 'de'],
    ]);
  });

  it('languages follow site.yaml at once', async () => {
    const languages = 'lang:\n  languages: { en: {}, de: {}, fr: { locale: fr_FR } }\n';
    await site.write('site.yaml', files['site.yaml'] + languages);
    await site.site.reload();
    expect((await get('/fr/cms-json/?_fields=home')).body.home).toBe(`${site.url}/fr/`);
    const { body } = await get('/fr/cms-json/');
    expect(body.routes['/cms/v2/posts'].endpoints[0].args.lang_language.enum).toEqual(['en', 'de', 'fr']);
    await site.write('site.yaml', files['site.yaml']);
    await site.site.reload();
    expect((await get('/fr/cms-json/')).status).toBe(404);
  });

  it('the default language can have no URL segment', async () => {
    await site.write('site.yaml', `${files['site.yaml']}lang:\n  url: { default_in_directory: false }\n`);
    await site.site.reload();
    expect((await get('/cms-json/cms/v2/posts/12')).body.link).toBe(`${site.url}/hello/`);
    expect((await get('/cms-json/cms/v2/posts/13')).body.link).toBe(`${site.url}/de/hello/`);
    expect((await get('/cms-json/?_fields=home')).body.home).toBe(site.url);
    expect((await get('/de/cms-json/?_fields=home')).body.home).toBe(`${site.url}/de/`);
    const { status } = await fetch(`${site.url}/hello/`, { redirect: 'manual' });
    expect(status).toBe(200);
    await site.write('site.yaml', files['site.yaml']);
    await site.site.reload();
  });
});
