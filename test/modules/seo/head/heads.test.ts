/**
 * The head of every kind of page against what the reference's rules say of it. Each row says all items of the head but the graph, and of
 * the graph the pieces, in their order, with what tells them from those of a plain post; then every graph is checked as a whole.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestSite } from '../../../support/site.ts';
import { addresses, base, startHarbour } from './harbour.ts';

const home = `${base}/`;
const quay = `${base}/uploads/2026/quay.png`;
const published = '2026-03-01T08:00:00+00:00';
const shown = {
  index: 'index',
  follow: 'follow',
  'max-snippet': 'max-snippet:-1',
  'max-image-preview': 'max-image-preview:large',
  'max-video-preview': 'max-video-preview:-1',
};
const quayPicture = { width: 640, height: 480, url: quay, type: 'image/png' };
const elsewhere = (url: string) => ({ url, type: '', width: '', height: '' });

type Items = Readonly<Record<string, unknown>>;

/** What every page that is there has. Undefined takes an item out. */
function page(path: string, title: string, more: Items = {}): Items {
  const url = base + path;
  const items = {
    title,
    robots: shown,
    canonical: url,
    og_locale: 'en_US',
    og_type: 'article',
    og_title: title,
    og_url: url,
    og_site_name: 'Harbour Notes',
    twitter_card: 'summary_large_image',
    twitter_site: '@harbour',
    ...more,
  };
  return Object.fromEntries(Object.entries(items).filter(([, value]) => value !== undefined));
}

/** What a post of Ada's has beside. */
function post(slug: string, title: string, more: Items = {}): Items {
  return page(`/${slug}/`, `${title} - Harbour Notes`, {
    og_description: 'Boats leave early.',
    article_publisher: 'https://network-a.example/harbour',
    article_author: 'https://network-a.example/ada',
    article_published_time: published,
    author: 'Ada Pier',
    twitter_creator: '@adapier',
    twitter_misc: { 'Written by': 'Ada Pier' },
    ...more,
  });
}

/** Of a page or an item of a site's own type: only posts say who has written them. */
const ofPage = { og_description: 'Boats leave early.', article_publisher: 'https://network-a.example/harbour' };
const missing: Items = {
  title: 'Page not found - Harbour Notes',
  robots: { index: 'noindex', follow: 'follow' },
  og_locale: 'en_US',
  og_title: 'Page not found - Harbour Notes',
  og_site_name: 'Harbour Notes',
};
const noindex = { robots: { index: 'noindex', follow: 'follow' }, canonical: undefined };

const articleTypes = ['Article', 'WebPage', 'BreadcrumbList', 'WebSite', 'Organization', 'Person'];
const pictured = ['Article', 'WebPage', 'ImageObject', 'BreadcrumbList', 'WebSite', 'Organization', 'Person'];
const pageGraph = ['WebPage', 'BreadcrumbList', 'WebSite', 'Organization'];
const listGraph = ['CollectionPage', 'BreadcrumbList', 'WebSite', 'Organization'];
const missingGraph = ['WebSite', 'Organization'];

interface Row {
  readonly page: string;
  readonly at: string;
  readonly status?: number;
  readonly as?: string;
  readonly items: Items;
  readonly types: readonly unknown[];
  /** Names of the trail. */
  readonly trail?: readonly string[];
  /** Members of pieces, by their place. */
  readonly pieces?: Readonly<Record<number, Items>>;
}

const rows: readonly Row[] = [
  {
    page: 'the front page with the posts',
    at: '/',
    items: page('/', 'Harbour Notes - Words by the sea', {
      description: 'Words by the sea',
      og_type: 'website',
      og_title: 'Harbour Notes',
      og_description: 'Words by the sea',
      google_site_verification: 'g-123',
    }),
    types: listGraph,
    trail: ['Home'],
    pieces: { 0: { about: { '@id': `${home}#organization` }, description: 'Words by the sea' } },
  },
  {
    page: 'a post',
    at: '/plain/',
    items: post('plain', 'Fog & foghorns'),
    types: articleTypes,
    trail: ['Home', 'Fog &#038; foghorns'],
    pieces: {
      0: {
        '@id': `${base}/plain/#article`,
        headline: 'Fog &#038; foghorns',
        wordCount: 5,
        commentCount: 0,
        articleSection: undefined,
      },
      1: { '@id': `${base}/plain/`, url: `${base}/plain/`, author: undefined, datePublished: published, dateModified: undefined },
      5: {
        name: 'Ada Pier',
        description: 'Writes about tides &amp; boats.',
        url: `${base}/author/ada/`,
        sameAs: ['https://ada.example/', 'https://network-a.example/ada', 'https://x.com/adapier'],
      },
    },
  },
  {
    page: 'a post with everything',
    at: '/full/',
    items: post('full', 'Tide tables', { og_description: 'When the water turns.', og_image: [quayPicture] }),
    types: pictured,
    pieces: {
      0: {
        keywords: ['Tide'],
        articleSection: ['Harbour', 'Ships &amp; boats'],
        thumbnailUrl: quay,
        image: { '@id': `${base}/full/#primaryimage` },
      },
      2: { '@id': `${base}/full/#primaryimage`, url: quay, contentUrl: quay, width: 640, height: 480, caption: 'The quay' },
    },
  },
  {
    page: 'a post that has changed',
    at: '/changed/',
    items: post('changed', 'Changed', { article_modified_time: '2026-03-02T08:00:00+00:00' }),
    types: articleTypes,
    pieces: { 0: { dateModified: '2026-03-02T08:00:00+00:00' }, 1: { dateModified: '2026-03-02T08:00:00+00:00' } },
  },
  {
    page: 'values of its own',
    at: '/own/',
    items: post('own', 'Own', {
      title: 'Own - Own',
      description: 'Own words',
      og_title: 'OG Own',
      og_description: 'Own words',
      og_image: [elsewhere('https://cdn.example/a.png')],
      twitter_title: 'Card',
    }),
    types: articleTypes,
    pieces: { 1: { name: 'Own - Own', description: 'Own words', primaryImageOfPage: undefined } },
  },
  {
    page: 'a picture in the text',
    at: '/picture/',
    items: post('picture', 'Picture', { og_description: 'seen', og_image: [elsewhere(quay)] }),
    types: pictured,
    pieces: { 2: { url: quay, width: 640, height: 480 } },
  },
  {
    page: 'a picture elsewhere',
    at: '/elsewhere/',
    items: post('elsewhere', 'Elsewhere', { og_description: undefined, og_image: [elsewhere('https://pictures.example/a.jpg')] }),
    types: pictured,
    pieces: { 2: { url: 'https://pictures.example/a.jpg', width: undefined, caption: undefined } },
  },
  {
    page: 'pictures of the library by their paths',
    at: '/medium/',
    items: post('medium', 'Medium', { og_image: [quayPicture], twitter_image: quay }),
    types: articleTypes,
  },
  {
    page: 'a page that search engines pass over',
    at: '/hidden/',
    items: post('hidden', 'Hidden', { robots: { index: 'noindex', follow: 'nofollow' }, canonical: undefined }),
    types: articleTypes,
    pieces: { 1: { url: `${base}/hidden/` } },
  },
  {
    page: 'further directives',
    at: '/strict/',
    items: post('strict', 'Strict', {
      robots: {
        index: 'index',
        follow: 'follow',
        'max-video-preview': 'max-video-preview:-1',
        imageindex: 'noimageindex',
        archive: 'noarchive',
        snippet: 'nosnippet',
      },
    }),
    types: articleTypes,
  },
  {
    page: 'a canonical elsewhere',
    at: '/canonical/',
    items: post('canonical', 'Canonical', { canonical: 'https://other.example/x?y=1', og_url: 'https://other.example/x?y=1' }),
    types: articleTypes,
    pieces: {
      0: { '@id': 'https://other.example/x?y=1#article', isPartOf: { '@id': `${base}/canonical/` } },
      1: { '@id': `${base}/canonical/`, url: 'https://other.example/x?y=1' },
      2: { '@id': 'https://other.example/x?y=1#breadcrumb' },
    },
  },
  {
    page: 'a canonical that is a path',
    at: '/canonical-path/',
    items: post('canonical-path', 'Canonical path', { canonical: `${base}/full/`, og_url: `${base}/full/` }),
    types: articleTypes,
  },
  { page: 'a canonical that is none', at: '/canonical-bad/', items: post('canonical-bad', 'Canonical bad'), types: articleTypes },
  {
    page: 'types of its own',
    at: '/report/',
    items: post('report', 'Report'),
    types: [['Article', 'Report'], ['WebPage', 'FAQPage'], ...articleTypes.slice(2)],
  },
  {
    page: 'a type of article by one name',
    at: '/news/',
    items: post('news', 'News'),
    types: ['NewsArticle', ...articleTypes.slice(1)],
  },
  { page: 'no article', at: '/none/', items: post('none', 'None'), types: pageGraph, pieces: { 0: { author: undefined } } },
  {
    page: 'a reading time that is given',
    at: '/long/',
    items: post('long', 'Long', { twitter_misc: { 'Written by': 'Ada Pier', 'Est. reading time': '7 minutes' } }),
    types: articleTypes,
  },
  {
    page: 'one that is counted, and an excerpt that is made',
    at: '/words/',
    items: post('words', 'Words', {
      og_description: `${'word '.repeat(55)}[&hellip;]`,
      twitter_misc: { 'Written by': 'Ada Pier', 'Est. reading time': '3 minutes' },
    }),
    types: articleTypes,
    pieces: { 0: { wordCount: 501 } },
  },
  {
    page: 'a text in several pages',
    at: '/parts/',
    items: post('parts', 'Parts', { next: `${base}/parts/2/`, og_description: 'one' }),
    types: articleTypes.filter((type) => type !== 'BreadcrumbList'),
    pieces: { 1: { breadcrumb: undefined } },
  },
  {
    page: 'a text behind a password',
    at: '/locked/',
    items: post('locked', 'Locked', { og_description: undefined }),
    types: ['WebPage', 'WebSite', 'Organization'],
    pieces: {
      0: { breadcrumb: { '@id': `${base}/locked/#breadcrumb` }, potentialAction: undefined, primaryImageOfPage: undefined },
    },
  },
  { page: 'a private post, to visitors', at: '/private/', status: 404, items: missing, types: missingGraph },
  {
    page: 'a private post, to who may read it',
    at: '/private/',
    as: 'admin',
    items: post('private', 'Sealed', noindex),
    types: articleTypes,
    trail: ['Home', 'Private: Sealed'],
  },
  { page: 'a draft, to visitors', at: '/draft/', status: 404, items: missing, types: missingGraph },
  { page: 'a post of later, to visitors', at: '/later/', status: 404, items: missing, types: missingGraph },
  {
    page: 'somebody without profiles',
    at: '/by-bo/',
    items: post('by-bo', 'By Bo', {
      article_author: undefined,
      author: 'Bo',
      twitter_creator: '@harbour',
      twitter_misc: { 'Written by': 'Bo' },
    }),
    types: articleTypes,
    pieces: { 5: { name: 'Bo', sameAs: undefined, description: undefined } },
  },
  {
    page: 'markup in a title',
    at: '/quotes/',
    items: post('quotes', '"Quotes" bold alert(1)'),
    types: articleTypes,
    trail: ['Home', '&#8220;Quotes&#8221; bold alert(1)'],
  },
  {
    page: 'no comments',
    at: '/closed/',
    items: post('closed', 'Closed'),
    types: articleTypes,
    pieces: { 0: { commentCount: undefined, potentialAction: undefined } },
  },
  {
    page: 'a text in Markdown',
    at: '/markdown/',
    items: post('markdown', 'Markdown', { og_description: 'A bold word &amp; more.', og_image: [elsewhere(quay)] }),
    types: pictured,
    pieces: { 0: { wordCount: 5 } },
  },
  {
    page: 'templates that give nothing',
    at: '/empty/',
    items: post('empty', 'Empty', { title: 'Harbour Notes', og_title: undefined, og_description: undefined }),
    types: articleTypes,
  },
  {
    page: 'another language',
    at: '/de/hallo/',
    items: post('de/hallo', 'Hallo', { og_locale: 'de_DE', twitter_misc: { 'Verfasst von': 'Ada Pier' } }),
    types: articleTypes,
    pieces: {
      1: { inLanguage: 'de-DE', isPartOf: { '@id': `${base}/de/#website` } },
      3: { '@id': `${base}/de/#website`, url: `${base}/de/` },
    },
  },
  {
    page: 'the front page of another language',
    at: '/de/',
    items: page('/de/', 'Harbour Notes - Words by the sea', {
      description: 'Words by the sea',
      og_locale: 'de_DE',
      og_type: 'website',
      og_title: 'Harbour Notes',
      og_description: 'Words by the sea',
      google_site_verification: 'g-123',
    }),
    types: listGraph,
    trail: ['Home'],
  },
  {
    page: 'a page',
    at: '/dock/',
    items: page('/dock/', 'Dock - Harbour Notes', ofPage),
    types: pageGraph,
    trail: ['Home', 'Dock'],
  },
  {
    page: 'a page below it, with a name of its own in the trail',
    at: '/dock/berth/',
    items: page('/dock/berth/', 'Berth - Harbour Notes', ofPage),
    types: [['WebPage', 'AboutPage'], ...pageGraph.slice(1)],
    trail: ['Home', 'Dock', 'Moorings & more'],
  },
  {
    page: 'the title of the page above',
    at: '/dock/berth/cleat/',
    items: page('/dock/berth/cleat/', 'Cleat - Berth', ofPage),
    types: pageGraph,
    trail: ['Home', 'Dock', 'Moorings & more', 'Cleat'],
  },
  {
    page: 'below what visitors may not see',
    at: '/attic/box/',
    items: page('/attic/box/', 'Box - Harbour Notes', ofPage),
    types: pageGraph,
    trail: ['Home', 'Box'],
  },
  {
    page: 'an item of a type of the site',
    at: '/boat/ada/',
    items: page('/boat/ada/', 'Ada, Boat - Harbour Notes', { ...ofPage, ...noindex }),
    types: pageGraph,
    trail: ['Home', 'Ada'],
  },
  {
    page: 'a category',
    at: '/category/harbour/',
    items: page('/category/harbour/', 'Harbour Archives - Harbour Notes', { og_description: 'All of Harbour.' }),
    types: listGraph,
    trail: ['Home', 'Harbour'],
    pieces: { 0: { potentialAction: undefined } },
  },
  {
    page: 'a category below it',
    at: '/category/harbour/ships/',
    items: page('/category/harbour/ships/', 'Ships &amp; boats Archives - Harbour Notes'),
    types: listGraph,
    trail: ['Home', 'Harbour', 'Ships'],
  },
  {
    page: 'a category with values of its own',
    at: '/category/secret/',
    items: page('/category/secret/', 'Nothing Secret', noindex),
    types: listGraph,
  },
  { page: 'a tag', at: '/tag/tide/', items: page('/tag/tide/', 'Tide Archives - Harbour Notes', noindex), types: listGraph },
  {
    page: 'an author',
    at: '/author/ada/',
    items: page('/author/ada/', 'Ada Pier, Author at Harbour Notes', { og_type: 'profile' }),
    types: ['ProfilePage', 'BreadcrumbList', 'WebSite', 'Organization', 'Person'],
    trail: ['Home', 'Archives for Ada Pier'],
    pieces: {
      0: { potentialAction: [{ '@type': 'ReadAction', target: [`${base}/author/ada/`] }] },
      4: { mainEntityOfPage: { '@id': `${base}/author/ada/` } },
    },
  },
  { page: 'an author of nothing', at: '/author/idle/', status: 404, items: missing, types: missingGraph },
  {
    page: 'a month',
    at: '/2026/03/',
    items: page('/2026/03/', 'March 2026 - Harbour Notes', { ...noindex, og_type: 'website' }),
    types: listGraph,
    trail: ['Home', 'Archives for March 2026'],
  },
  { page: 'no month', at: '/2026/13/', status: 404, items: missing, types: missingGraph },
  { page: 'nothing', at: '/no-such-thing/', status: 404, items: missing, types: missingGraph },
  { page: 'a medium, whose page is switched off', at: '/quay/', status: 404, items: missing, types: missingGraph },
];

describe('head tags', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startHarbour();
  });
  afterAll(() => site.close());

  const headAt = (path: string, as?: string) =>
    site.ask('GET', `/seo/v1/get_head?url=${encodeURIComponent(base + path)}`, as === undefined ? {} : { as });

  it.each(rows.map((row) => [row.page, row] as const))('%s', async (_, { at, status = 200, as, items, types, trail, pieces }) => {
    const answer = await headAt(at, as);
    expect([answer.status, answer.body.status]).toEqual([status, status]);
    const { schema, ...rest } = answer.body.json;
    expect(rest).toEqual(items);
    const graph = schema['@graph'] as Record<string, any>[];
    expect(graph.map((piece) => piece['@type'])).toEqual(types);
    const list = graph.find((piece) => piece['@type'] === 'BreadcrumbList')?.itemListElement;
    if (trail) expect(list.map(({ name }: { name: string }) => name)).toEqual(trail);
    for (const [place, members] of Object.entries(pieces ?? {}))
      for (const [name, value] of Object.entries(members))
        expect(graph[Number(place)]?.[name], `${place}.${name}`).toEqual(value);
    expect(faultsOf(graph)).toEqual([]);
  });

  it('are valid for independent readers, on more than forty pages', () => {
    expect(rows.filter(({ at }) => !addresses.includes(at))).toEqual([]);
    expect(new Set(rows.map(({ at }) => at)).size).toBeGreaterThan(40);
  });

  it('are also available as lines for a page head', async () => {
    const { body } = await headAt('/full/');
    const {
      schema,
      robots,
      og_image: [image],
      twitter_misc: misc,
      ...items
    } = body.json;
    const lines: string[] = body.html.split('\n').map((line: string) => line.trim());
    expect([lines[0], lines.at(-1)]).toEqual(['<!-- Search metadata -->', '<!-- / Search metadata -->']);
    expect(lines).toContain(`<title>${items.title}</title>`);
    expect(lines).toContain(`<meta name="robots" content="${Object.values(robots).join(', ')}" />`);
    expect(lines).toContain(`<link rel="canonical" href="${items.canonical}" />`);
    for (const name of ['locale', 'type', 'title', 'description', 'url', 'site_name'])
      expect(lines).toContain(`<meta property="og:${name}" content="${items[`og_${name}`]}" />`);
    for (const name of ['width', 'height', 'type'])
      expect(lines).toContain(`<meta property="og:image:${name}" content="${image[name]}" />`);
    expect(lines).toContain(`<meta name="twitter:data1" content="${misc['Written by']}" />`);
    const script = lines.find((line) => line.startsWith('<script')) as string;
    expect(JSON.parse(script.slice(script.indexOf('>') + 1, script.lastIndexOf('<')))).toEqual(schema);
    expect(lines).toHaveLength(2 + 3 + 6 + 3 + 4 + 1 + 3 + 2 + 1);
  });

  it('keep texts within their elements', async () => {
    const { body } = await headAt('/quotes/');
    expect(body.html.match(/<script/g)).toHaveLength(1);
    expect(body.html).toContain('&quot;Quotes&quot;');
  });

  it('escape texts and URLs', async () => {
    const { body } = await headAt('/escaped/');
    const address = "https://other.example/?a=1&b='2'";
    expect(body.json).toMatchObject({ canonical: address, og_url: address, og_description: `Tom & Jerry's "boat"` });
    expect(body.html).toContain('<link rel="canonical" href="https://other.example/?a=1&#038;b=&#039;2&#039;" />');
    expect(body.html).toContain('<meta property="og:url" content="https://other.example/?a=1&amp;b=&#039;2&#039;" />');
    expect(body.html).toContain('<meta property="og:description" content="Tom &amp; Jerry&#039;s &quot;boat&quot;" />');
    expect(body.html).toContain('<meta property="og:image" content="https://cdn.example/?a=1&#038;b=2" />');
  });

  it('never show protected content', async () => {
    const item = await site.ask('GET', '/cms/v2/posts?slug=locked&_fields=seo_head,seo_head_json');
    expect(JSON.stringify([(await headAt('/locked/')).body, item.body])).not.toMatch(/secret-knot|quay/);
  });

  it('are found whatever the slashes, protocol and query of the URL', async () => {
    for (const address of ['/full', '//full//', '/full/?utm=1#x', '/full?x'])
      expect((await headAt(address)).body.json.canonical, address).toBe(`${base}/full/`);
    for (const address of ['http://harbour.example/full/', 'https://harbour.example/full/'])
      expect((await site.ask('GET', `/seo/v1/get_head?url=${encodeURIComponent(address)}`)).status, address).toBe(200);
    for (const address of ['https://www.harbour.example/full/', 'https://harbour.example:444/full/', `${base}/FULL/`])
      expect((await site.ask('GET', `/seo/v1/get_head?url=${encodeURIComponent(address)}`)).status, address).toBe(404);
  });
});

/** References of a graph that lead nowhere in it, and pieces without a name of their own. */
function faultsOf(graph: readonly Record<string, unknown>[]): readonly string[] {
  const known = new Set<unknown>();
  const named: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const inner of Object.values(value)) visit(inner);
    const { '@id': id, ...rest } = value as Record<string, unknown>;
    if (typeof id !== 'string') return;
    const isReference = Object.keys(rest).every((name) => name === 'name');
    if (isReference) named.push(id);
    else known.add(id);
  };
  visit(graph);
  // A locked page keeps the name of its trail, which is not in the graph (recorded).
  const isLocked = named.some((id) => id.endsWith('/locked/#breadcrumb'));
  return named.filter((id) => !known.has(id) && !(isLocked && id.endsWith('#breadcrumb')));
}
