/** The front page, the search and the constants of a site. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openSite } from '../../../../src/open-site.ts';
import { dedent } from '../../../support/dedent.ts';
import { describeApi } from '../../../support/describe-api.ts';
import { picture, sendFile } from '../../../support/media.ts';
import { startSite, type TestSite, until } from '../../../support/site.ts';

const settings = 'name: Harbour\ntimezone: UTC\ndeployment: extended\nlanguage: en_GB\n';
const item = (id: number, more: string, body = 'Text') => `---\nid: ${id}\n${more}\n---\n${body}\n`;

const posts = {
  'posts/one.md': item(
    10,
    'title: Paris by night\ndate: 2026-03-01',
    'A walk through **Paris**, the [city](https://x.example/paris) of light & love.',
  ),
  'posts/two.md': item(11, 'title: Walks\ndate: 2026-03-02\nexcerpt: From Paris to Rome', 'Nothing else. strong'),
  'posts/three.md': item(
    12,
    'title: Parisian\nslug: other\ndate: 2026-03-03\nsticky: true',
    `${'word '.repeat(60)}<strong>Façade</strong> ${'tail '.repeat(60)}`,
  ),
  'posts/draft.md': item(13, 'title: Paris draft\nstatus: draft\ndate: 2026-03-01'),
  'posts/locked.md': item(14, 'title: Paris locked\npassword: x\ndate: 2026-03-01'),
  'posts/hidden.md': item(15, 'title: Paris hidden\nstatus: private\ndate: 2026-03-01'),
  'pages/paris.md': item(20, 'title: Paris\ndate: 2026-02-01', 'The page.'),
  'pages/soon.md': item(21, 'title: Soon Paris\nstatus: future\ndate: 2030-02-01', 'The page.'),
  'terms/category/paris.yaml': 'id: 40\nname: Paris & around\ndescription: All of Paris\n',
};
const all = (...ids: number[]) => ids.map((id) => ({ id }));

describeApi(
  'the search',
  { files: { 'site.yaml': `${settings}search: { exclude: [77], per_page: 2 }\n`, ...posts }, users: ['subscriber'] },
  [
    {
      name: 'finds published items, best match first',
      does: 'GET /cms/v2/custom/search?s=paris&per_page=10',
      gets: [
        200,
        {
          query: 'paris',
          total: 4,
          pages: 1,
          page: 1,
          per_page: 10,
          counts: { page: 1, post: 3 },
          items: [
            {
              id: 20,
              type: 'page',
              subtype: 'page',
              title: 'Paris',
              slug: 'paris',
              url: '{url}/en/paris/',
              path: '/en/paris/',
              image: null,
              date: '2026-02-01T00:00:00',
              lang: 'en',
              score: 16,
            },
            { id: 10, excerpt: 'A walk through <mark>Paris</mark>, the city of light &amp; love.', score: 12 },
            { id: 12, score: 5 },
            { id: 11, excerpt: 'From <mark>Paris</mark> to Rome', score: 4 },
          ],
        },
      ],
      headers: { 'Cache-Control': 'public, max-age=60' },
    },
    {
      name: 'shows of the text what is found there, though another excerpt is given',
      does: 'GET /cms/v2/custom/search?s=nothing',
      gets: [200, { items: [{ id: 11, excerpt: '<mark>Nothing</mark> else. strong' }] }],
    },
    {
      name: 'never shows drafts',
      who: 'admin',
      does: 'GET /cms/v2/custom/search?s=paris&per_page=10',
      gets: [200, { total: 4 }],
    },
    {
      name: "is paged with the site's page size",
      does: 'GET /cms/v2/custom/search?q=PARIS&page=2',
      gets: [200, { pages: 2, page: 2, per_page: 2, items: all(12, 11) }],
    },
    {
      name: 'clamps numbers that are too large or zero',
      does: 'GET /cms/v2/custom/search?s=paris&page=99&per_page=1000',
      gets: [200, { page: 1, per_page: 100 }],
    },
    {
      name: 'ignores words in place of numbers',
      does: 'GET /cms/v2/custom/search?s=paris&page=x&per_page=-4',
      gets: [200, { page: 1, per_page: 1 }],
    },
    {
      name: 'requires every word',
      does: 'GET /cms/v2/custom/search?search=paris+walk',
      gets: [200, { total: 2, items: all(10, 11) }],
    },
    { name: 'supports phrases', does: 'GET /cms/v2/custom/search?s=%22paris%20by%22', gets: [200, { total: 1, items: all(10) }] },
    {
      name: 'ignores accents and case',
      does: 'GET /cms/v2/custom/search?s=FACADE',
      gets: [200, { total: 1, items: [{ id: 12 }] }],
    },
    { name: 'does not find markup', does: 'GET /cms/v2/custom/search?s=strong', gets: [200, { total: 1, items: all(11) }] },
    {
      name: 'does not find link targets',
      does: 'GET /cms/v2/custom/search?s=example',
      gets: [200, { total: 0, pages: 0, page: 1, items: [] }],
    },
    { name: 'finds slugs', does: 'GET /cms/v2/custom/search?s=other', gets: [200, { items: [{ id: 12, score: 6 }] }] },
    {
      name: 'finds terms on request',
      does: 'GET /cms/v2/custom/search?s=paris&type=term,post',
      gets: [
        200,
        {
          counts: { term: 1, post: 3 },
          items: [
            {
              id: 40,
              type: 'term',
              subtype: 'category',
              title: 'Paris & around',
              url: '{url}/en/category/paris/',
              date: null,
              score: 16,
            },
            { id: 10 },
          ],
        },
      ],
    },
    {
      name: 'supports no other types',
      does: 'GET /cms/v2/custom/search?s=paris&type=nav_menu_item,attachment,user',
      gets: [200, { total: 0 }],
    },
    {
      name: 'finds nothing for an empty query',
      does: 'GET /cms/v2/custom/search',
      gets: [200, { query: '', total: 0, pages: 0, items: [] }],
    },
    { name: 'treats a list as an empty query', does: 'GET /cms/v2/custom/search?s[]=paris', gets: [200, { total: 0 }] },
    { name: 'allows only GET', who: 'admin', does: 'POST /cms/v2/custom/search', body: {}, gets: [404, 'rest_no_route'] },
  ],
);

const constants = dedent`
  contact: { phone: "+49 30 000000", mail: info@example.com }
  flags: [true, 2, two]
  logo: { media: 2026/03/quay.jpg }
  about: { page: paris }
  secret_page: { page: 13 }
  draft_page: { page: soon }
  gone: { media: 999 }
  both: { media: 1, page: 2 }
  _private: { crm: 1 }
  deep: { _hidden: 1, shown: 1 }
`;

describeApi('constants', { files: { 'site.yaml': settings, ...posts, 'constants.yaml': constants } }, [
  {
    name: 'are public, except private ones, with the items they refer to',
    does: 'GET /cms/v2/custom/constants',
    gets: [
      200,
      {
        contact: { phone: '+49 30 000000', mail: 'info@example.com' },
        flags: [true, 2, 'two'],
        logo: null,
        about: { id: 20, url: '{url}/en/paris/', title: 'Paris' },
        secret_page: null,
        draft_page: null,
        gone: null,
        both: { media: 1, page: 2 },
        deep: { shown: 1 },
      },
    ],
    headers: { 'Cache-Control': 'public, max-age=60' },
  },
  {
    name: 'can be limited to fields',
    does: 'GET /cms/v2/custom/constants?_fields=contact.phone',
    gets: [200, { contact: { phone: '+49 30 000000' } }],
  },
  { name: 'allow only GET', who: 'admin', does: 'POST /cms/v2/custom/constants', body: {}, gets: [404, 'rest_no_route'] },
]);

describeApi('the front page of posts', { files: { 'site.yaml': `${settings}posts_per_page: 2\n`, ...posts } }, [
  {
    name: 'is the list of posts, sticky ones first',
    does: 'GET /cms/v2/getFrontpage',
    gets: [200, [{ id: 12, title: { rendered: 'Parisian' } }, { id: 11 }]],
    headers: { 'X-CMS-Total': '4', 'X-CMS-TotalPages': '2', Allow: 'GET', 'Cache-Control': 'public, max-age=60' },
  },
  {
    name: 'accepts no parameters',
    does: 'GET /cms/v2/getFrontpage?per_page=1&context=edit&status=draft',
    gets: [200, [{ id: 12 }, { id: 11 }]],
  },
  { name: 'can be limited to fields', does: 'GET /cms/v2/getFrontpage?_fields=id', gets: [200, [{ id: 12 }, { id: 11 }]] },
]);

describeApi('a front page that is a page', { files: { 'site.yaml': `${settings}front: page\nfront_page: paris\n`, ...posts } }, [
  {
    name: 'is returned like any page',
    does: 'GET /cms/v2/getFrontpage',
    gets: [200, { id: 20, link: '{url}/en/' }],
  },
  { name: 'can embed linked items', does: 'GET /cms/v2/getFrontpage?_embed=author', gets: [200, { id: 20 }] },
  { name: 'allows only GET', who: 'admin', does: 'DELETE /cms/v2/getFrontpage', gets: [404, 'rest_no_route'] },
]);

describeApi(
  'a front page that does not exist yet',
  { files: { 'site.yaml': `${settings}front: page\nfront_page: soon\nposts_per_page: 1\n`, ...posts } },
  [{ name: 'is the list of posts', does: 'GET /cms/v2/getFrontpage', gets: [200, [{ id: 12 }]] }],
);

describe('a site', () => {
  let site: TestSite | undefined;
  afterEach(async () => {
    await site?.close();
    site = undefined;
  });
  const get = async (path: string) => (await (site as TestSite).ask('GET', path)).body;
  const at = async (path: string) => (await (site as TestSite).ask('GET', path, { raw: true })).body;

  it('without constants returns none, follows the file, keeps the last good one, also after a restart', async () => {
    site = await startSite({ files: { 'site.yaml': settings } });
    const { dir } = site;
    expect(JSON.stringify(await get('/cms/v2/custom/constants'))).toBe('{}');
    await site.write('constants.yaml', 'a: { b: 1, c: [1] }\n');
    await until(async () => (await get('/cms/v2/custom/constants')).a);
    await site.write('constants.yaml', 'a: { b: [ \n');
    await until(() => site?.site.problems().some(({ path }) => path === 'constants.yaml'));
    expect(await get('/cms/v2/custom/constants')).toEqual({ a: { b: 1, c: [1] } });
    expect(await at('/de/cms-json/cms/v2/custom/constants')).toEqual({ a: { b: 1, c: [1] } });
    // One of a language as well, which stays laid over the others.
    await site.write('constants.de.yaml', 'a: { c: [2, 3] }\n');
    await until(async () => (await at('/de/cms-json/cms/v2/custom/constants')).a.c.length === 2);
    await site.write('constants.de.yaml', 'a: { c: [ \n');
    await until(() => site?.site.problems().some(({ path }) => path === 'constants.de.yaml'));
    expect(await at('/de/cms-json/cms/v2/custom/constants')).toEqual({ a: { b: 1, c: [2, 3] } });
    await rm(join(dir, 'constants.de.yaml'));
    await until(async () => (await at('/de/cms-json/cms/v2/custom/constants')).a.c.length === 1);
    await site.write('constants.yaml', 'a: { b: 2 }\n_c: 1\nd: { _e: 1 }\n');
    await until(async () => (await get('/cms/v2/custom/constants')).a?.b === 2);
    expect(await get('/cms/v2/custom/constants')).toEqual({ a: { b: 2 }, d: {} });
    const again = await openSite(dir, { readOnly: true });
    expect(again.constants.values(null)).toMatchObject({ a: { b: 2 } });
    await again.close();
  });

  it('merges the constants of a language over the others', async () => {
    site = await startSite({
      files: {
        'site.yaml': settings,
        'constants.yaml': 'a: { b: one, c: two }\nlist: [1, 2]\nsame: x\n',
        'constants.de.yaml': 'a: { b: eins }\nlist: [3]\nmore: { d: 1 }\n',
      },
    });
    const { constants } = site.site;
    expect(constants.values('de')).toEqual({ a: { b: 'eins', c: 'two' }, list: [3], same: 'x', more: { d: 1 } });
    expect(constants.values('en')).toEqual(constants.values(null));
  });

  it('shows images in constants and search results', async () => {
    site = await startSite({ files: { 'site.yaml': settings, 'constants.yaml': 'logo: { media: 2 }\n' } });
    const { id } = (await (await sendFile(site, 'quay.jpg', await picture(3000, 20))).json()) as { id: number };
    await site.ask('POST', `/cms/v2/media/${id}`, { as: 'admin', body: { alt_text: 'A quay' } });
    const url = `${site.url}/uploads/${new Date().toISOString().slice(0, 7).replace('-', '/')}/quay-scaled.jpg`;
    await site.write('constants.yaml', `logo: { media: ${id} }\n`);
    expect(await until(async () => (await get('/cms/v2/custom/constants')).logo)).toEqual({ id, url, alt: 'A quay' });
    await site.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title: 'Quay', status: 'publish', featured_media: id } });
    const found = await get('/cms/v2/custom/search?s=quay&type=post,media');
    expect(found.items.map(({ type, image }: { type: string; image: object }) => [type, image])).toEqual([
      ['post', { id, url, alt: 'A quay' }],
      ['media', { id, url, alt: 'A quay' }],
    ]);
  });

  it('has the front page, constants and search results in each language', async () => {
    const de = (id: number, more: string) => item(id, `lang: de\n${more}`);
    site = await startSite({
      files: {
        'site.yaml': `${settings}front: page\nfront_page: paris\n`,
        ...posts,
        'pages/paris-de.md': de(30, 'title: Paris auf Deutsch\ntranslation_of: 20\ndate: 2026-02-01'),
        'constants.yaml': 'page: { page: paris }\nby_id: { page: 20 }\nword: yes it is\n',
        'constants.de.yaml': 'word: ja\n',
      },
    });
    const at = async (path: string) => (await (site as TestSite).ask('GET', path, { root: '/de/cms-json' })).body;
    expect((await get('/cms/v2/getFrontpage')).id).toBe(20);
    expect((await at('/cms/v2/getFrontpage')).id).toBe(30);
    expect(await at('/cms/v2/getFrontpage')).toEqual(await at('/cms/v2/pages/30'));
    expect((await get('/cms/v2/getFrontpage?lang_language=de')).id).toBe(30);
    expect(await at('/cms/v2/custom/constants')).toMatchObject({ word: 'ja', page: { id: 30 }, by_id: { id: 30 } });
    expect(await get('/cms/v2/custom/constants')).toMatchObject({ word: 'yes it is', page: { id: 20 } });
    expect(await at('/cms/v2/custom/search?s=paris')).toMatchObject({ total: 1, items: [{ id: 30, lang: 'de' }] });
    await site.ask('POST', '/cms/v2/pages/30', { as: 'admin', body: { status: 'draft' } });
    expect((await at('/cms/v2/getFrontpage')).id).toBe(20);
  });

  it('finds new content at once, and excludes what its settings exclude', async () => {
    site = await startSite({ files: { 'site.yaml': `${settings}search: { exclude: [20] }\n`, ...posts } });
    expect((await get('/cms/v2/custom/search?s=paris')).total).toBe(3);
    await site.ask('POST', '/cms/v2/posts/13', { as: 'admin', body: { status: 'publish' } });
    expect((await get('/cms/v2/custom/search?s=paris')).total).toBe(4);
  });
});
