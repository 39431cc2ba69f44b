/** Heads of the pages that list others, and of a site whose front page is a page, in each language; the archives of its own types. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dedent } from '../../../support/dedent.ts';
import { picture } from '../../../support/media.ts';
import { startSite, type TestSite, until } from '../../../support/site.ts';
import { all, readXml, texts } from '../../../support/xml.ts';

const base = 'https://harbour.example';
const settings = dedent`
  name: Harbour Notes
  description: Words by the sea
  url: https://harbour.example
  timezone: UTC
  deployment: extended
  front: page
  front_page: welcome
  posts_page: news
  types:
    boat: { plural: Boats, singular: Boat, rest_base: boats, has_archive: fleet }
    crew: { plural: Crews, singular: Crew, rest_base: crews, has_archive: true }
    buoy: { plural: Buoys, singular: Buoy, rest_base: buoys }
  lang:
    default: en
    languages: { en: { locale: en_US }, de: { locale: de_DE } }
    url: { mode: directory, default_in_directory: false }
`;
const seo =
  'seo:\n  attachment: { disabled: false }\n  types: { crew: { archive_noindex: true, archive_title: "%%pt_plural%%!" } }\n';
const item = (title: string, more = ''): string =>
  `---\ntitle: ${title}\ndate: 2026-03-01T08:00:00\nauthor: ada\n${more}---\nBoats leave early.\n`;
const files = {
  'site.yaml': `${settings}\n${seo}`,
  'users/ada.yaml': 'id: 20\nname: Ada\n',
  'posts/plain.md': item('Plain'),
  'posts/schlicht.md': item('Schlicht', 'lang: de\ntranslation_of: plain\n'),
  'pages/welcome.md': item('Welcome'),
  'pages/willkommen.md': item('Willkommen', 'lang: de\ntranslation_of: welcome\n'),
  'pages/news.md': item('News'),
  'pages/neues.md': item('Neues', 'lang: de\ntranslation_of: news\n'),
  'boats/ada.md': item('Ada'),
  'boats/berta.md': item('Berta', 'lang: de\n'),
  'crews/night.md': item('Night'),
  'buoys/red.md': item('Red'),
  'terms/category/boats.yaml': 'name: Boats\nseo: { image: 2026/list.png }\n',
  'media/2026/list.txt': 'a list',
  'media/2026/list.txt.yaml': 'title: The list\nauthor: ada\n',
};

interface Row {
  readonly page: string;
  readonly at: string;
  /** Of the head: `type` is that of the page's piece, `trail` names and addresses. */
  readonly gives: Readonly<Record<string, unknown>> | 404;
}

const home = ['Home', `${base}/`];
const heim = ['Home', `${base}/de/`];
const rows: readonly Row[] = [
  {
    page: 'the front page',
    at: '/',
    gives: { title: 'Welcome - Harbour Notes', og_type: 'website', canonical: `${base}/`, type: 'WebPage', trail: [['Home']] },
  },
  { page: 'the own address of the front page', at: '/welcome/', gives: 404 },
  {
    page: 'the front page in another language',
    at: '/de/',
    gives: {
      ...{ title: 'Willkommen - Harbour Notes', og_type: 'website', og_locale: 'de_DE' },
      ...{ canonical: `${base}/de/`, type: 'WebPage', trail: [['Home']] },
    },
  },
  {
    page: 'the posts page',
    at: '/news/',
    gives: {
      ...{ title: 'News - Harbour Notes', og_type: 'article', canonical: `${base}/news/` },
      ...{ type: ['WebPage', 'CollectionPage'], trail: [home, ['News']] },
    },
  },
  {
    page: 'the posts page in another language',
    at: '/de/neues/',
    gives: { title: 'Neues - Harbour Notes', type: ['WebPage', 'CollectionPage'], trail: [heim, ['Neues']] },
  },
  { page: 'a post below the posts page', at: '/plain/', gives: { trail: [home, ['News', `${base}/news/`], ['Plain']] } },
  {
    page: 'a post below the posts page in another language',
    at: '/de/schlicht/',
    gives: { og_locale: 'de_DE', trail: [heim, ['Neues', `${base}/de/neues/`], ['Schlicht']] },
  },
  {
    page: 'the archive of a type',
    at: '/fleet/',
    gives: {
      ...{ title: 'Boats Archive - Harbour Notes', og_type: 'website', canonical: `${base}/fleet/`, og_url: `${base}/fleet/` },
      ...{ og_title: 'Boats Archive - Harbour Notes', og_locale: 'en_US', type: 'CollectionPage', trail: [home, ['Boats']] },
    },
  },
  {
    page: 'the archive of a type in another language, without its slash',
    at: '/de/fleet',
    gives: { canonical: `${base}/de/fleet/`, og_locale: 'de_DE', type: 'CollectionPage', trail: [heim, ['Boats']] },
  },
  { page: 'an item below its archive', at: '/boat/ada/', gives: { trail: [home, ['Boats', `${base}/fleet/`], ['Ada']] } },
  {
    page: 'the archive of a type that is not to be found',
    at: '/crew/',
    gives: { title: 'Crews!', canonical: undefined, robots: { index: 'noindex', follow: 'follow' } },
  },
  { page: 'the archive of a type that has none', at: '/buoy/', gives: 404 },
  { page: 'below an archive', at: '/fleet/more/', gives: 404 },
  { page: 'a medium', at: '/list/', gives: { title: 'The list - Harbour Notes', canonical: `${base}/list/`, type: 'WebPage' } },
  {
    page: 'a year in another language',
    at: '/de/2026/',
    gives: { title: '2026 - Harbour Notes', og_locale: 'de_DE', type: 'CollectionPage', trail: [heim, ['Archives for 2026']] },
  },
  { page: 'a day', at: '/2026/3/1/', gives: { title: 'March 1, 2026 - Harbour Notes', og_url: `${base}/2026/03/01/` } },
  {
    page: 'an author in another language',
    at: '/de/author/ada/',
    gives: { canonical: `${base}/de/author/ada/`, og_type: 'profile', og_locale: 'de_DE', type: 'ProfilePage' },
  },
];

describe('head tags of a site with a static front page', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ files, clock: () => Date.parse('2026-03-05T10:00:00Z') });
  });
  afterAll(() => site.close());
  const page = async (path: string) => (await site.ask('GET', path, { raw: true })) as { status: number; body: string };

  it.each(rows.map((row) => [row.page, row] as const))('%s', async (_, { at, gives }) => {
    const { status, body } = await site.ask('GET', `/seo/v1/get_head?url=${encodeURIComponent(base + at)}`);
    if (gives === 404) return expect([status, body.status, body.json.canonical]).toEqual([404, 404, undefined]);
    expect(status).toBe(200);
    const { schema, ...items } = body.json;
    const graph = schema['@graph'] as readonly Record<string, any>[];
    const trail = graph.find((piece) => piece['@type'] === 'BreadcrumbList')?.itemListElement as readonly Record<
      string,
      unknown
    >[];
    const shown: Record<string, unknown> = {
      ...items,
      type: graph.find((piece) => piece['@type'] !== 'Article')?.['@type'],
      trail: trail?.map(({ name, item: url }) => (url === undefined ? [name] : [name, url])),
    };
    expect(Object.fromEntries(Object.keys(gives).map((key) => [key, shown[key]]))).toEqual(gives);
  });

  it('exist for searches', () => {
    const { json } = site.site.heads.of({ kind: 'search', phrase: 'fog & <b>' });
    const [first] = (json.schema as { '@graph': readonly object[] })['@graph'];
    expect([json.title, json.robots, json.og_type, json.canonical, first]).toMatchObject([
      'You searched for fog &amp; &lt;b&gt; - Harbour Notes',
      { index: 'noindex', follow: 'follow' },
      'article',
      undefined,
      { '@type': ['CollectionPage', 'SearchResultsPage'] },
    ]);
  });

  it('link a type to its archive, which has its own head', async () => {
    const { body } = await site.ask('GET', '/cms/v2/types/boat?context=edit', { as: 'admin' });
    expect([body.has_archive, body.seo_head_json.canonical]).toEqual(['fleet', `${base}/fleet/`]);
    expect((await site.ask('GET', '/cms/v2/types/crew?context=edit', { as: 'admin' })).body.has_archive).toBe(true);
    expect((await site.ask('GET', '/cms/v2/types/buoy')).body.seo_head_json).toBeNull();
  });

  it('include archives in sitemaps, before their items, unless hidden', async () => {
    const rowsIn = async (path: string) =>
      all(readXml((await page(path)).body), 'url').map((url) => [texts(url, 'loc')[0], texts(url, 'lastmod')[0]]);
    expect((await rowsIn('/sitemap-boat-1.xml')).map(([loc]) => loc)).toEqual([`${base}/fleet/`, `${base}/boat/ada/`]);
    expect((await rowsIn('/de/sitemap-boat-1.xml')).map(([loc]) => loc)).toEqual([`${base}/de/fleet/`, `${base}/de/boat/berta/`]);
    expect((await rowsIn('/sitemap-crew-1.xml')).map(([loc]) => loc)).toEqual([`${base}/crew/night/`]);
    expect((await rowsIn('/sitemap-buoy-1.xml')).map(([loc]) => loc)).toEqual([`${base}/buoy/red/`]);
    expect((await rowsIn('/sitemap-boat-1.xml'))[0]?.[1]).toMatch(/^2026-03-\d\dT/);
  });

  it('include feeds of archives, and archive pages', async () => {
    const links = async (path: string) => texts(all(readXml((await page(path)).body), 'channel')[0]!, 'link');
    expect(texts(all(readXml((await page('/fleet/feed/')).body), 'item')[0]!, 'link')).toEqual([`${base}/boat/ada/`]);
    expect((await links('/de/fleet/feed/'))[0]).toBe(`${base}/de/fleet/`);
    expect((await page('/buoy/feed/')).status).toBe(404);
    const shown = await page('/fleet/');
    expect(shown.status).toBe(200);
    expect(shown.body).toContain('<title>Boats Archive - Harbour Notes</title>');
    expect(shown.body).toContain(`<a href="${base}/boat/ada/">Ada</a>`);
    expect(shown.body).not.toContain('Berta');
    expect((await page('/buoy/')).status).toBe(404);
  });

  it('show the image of a term, whichever file was read first', async () => {
    const imagesOf = async (path: string) =>
      (await site.ask('GET', `/seo/v1/get_head?url=${encodeURIComponent(base + path)}`)).body.json.og_image;
    expect(await imagesOf('/category/boats/')).toBeUndefined();
    await site.write('media/2026/list.png', (await picture(40, 30)) as unknown as string);
    await until(async () => (await imagesOf('/category/boats/'))?.[0].url === `${base}/uploads/2026/list.png`);
    expect((await imagesOf('/category/boats/'))[0]).toMatchObject({ width: 40, height: 30, type: 'image/png' });
  });

  it('use the page with the URL of an archive', async () => {
    await site.write('pages/fleet.md', item('The fleet'));
    const headAt = async () =>
      (await site.ask('GET', `/seo/v1/get_head?url=${encodeURIComponent(`${base}/fleet/`)}`)).body.json.title;
    await until(async () => (await headAt()) === 'The fleet - Harbour Notes');
    expect((await page('/fleet/')).body).toContain('Boats leave early.');
  });
});
