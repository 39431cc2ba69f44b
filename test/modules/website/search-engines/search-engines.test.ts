/** Sitemaps and feeds of sites in several languages. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExportFolder } from '../../../../src/transfer/export/static/folder.ts';
import { writeDocuments } from '../../../../src/transfer/export/static/documents.ts';
import { startSite, type TestSite, until } from '../../../support/site.ts';
import { all, readXml, texts } from '../../../support/xml.ts';

const post = (id: number, title: string, more = ''): string =>
  `---\nid: ${id}\ntitle: ${title}\ndate: 2026-03-05T10:00:00\n${more}---\nText.\n`;

describe('sitemaps in several languages', () => {
  const files = {
    'site.yaml':
      'name: Harbour\ntimezone: UTC\ndeployment: extended\nlang:\n  default: en\n  url: { default_in_directory: false }\n  languages:\n    en: { locale: en_US }\n    de: { locale: de_DE }\n    fr: { locale: fr_FR }\n',
    'posts/hello.md': post(101, 'Hello', 'author: anna\ncategories: [notes]\n'),
    'posts/hello.de.md': post(102, 'Hallo', 'author: anna\nslug: hallo\ncategories: [notizen]\n'),
    'posts/hello.fr.md': post(103, 'Salut', 'slug: salut\nstatus: draft\n'),
    'posts/only.md': post(104, 'Only'),
    'users/anna.yaml': 'id: 41\nname: Anna\n',
    'terms/category/notes.yaml': 'id: 31\nname: Notes\n',
    'terms/category/notizen.yaml': 'id: 32\nname: Notizen\nlang: de\ntranslation_of: notes\n',
  };
  let test: TestSite;
  beforeAll(async () => {
    test = await startSite({ files });
  });
  afterAll(() => test.close());
  const rows = async (path: string) => {
    const { status, body } = await test.ask('GET', path, { raw: true });
    expect([path, status]).toEqual([path, 200]);
    return all(readXml(body), 'url').map((url) => [
      texts(url, 'loc')[0]?.replace(test.url, ''),
      ...all(url, 'xhtml:link').map(
        ({ attributes }) => `${attributes.rel} ${attributes.hreflang} ${attributes.href?.replace(test.url, '')}`,
      ),
    ]);
  };

  it('are below the segment of the language, and link to public translations', async () => {
    const links = ['alternate en /hello/', 'alternate de /de/hallo/', 'alternate x-default /hello/'];
    expect(await rows('/sitemap-post-1.xml')).toEqual([['/hello/', ...links], ['/only/']]);
    expect(await rows('/de/sitemap-post-1.xml')).toEqual([['/de/hallo/', ...links]]);
    const homes = ['alternate en /', 'alternate de /de/', 'alternate x-default /'];
    expect(await rows('/sitemap-page-1.xml')).toEqual([['/', ...homes]]);
    expect(await rows('/de/sitemap-page-1.xml')).toEqual([['/de/', ...homes]]);
    const terms = ['alternate en /category/notes/', 'alternate de /de/category/notizen/', 'alternate x-default /category/notes/'];
    expect(await rows('/de/sitemap-category-1.xml')).toEqual([['/de/category/notizen/', ...terms]]);
    const index = texts(readXml((await test.ask('GET', '/sitemap.xml', { raw: true })).body), 'loc');
    expect(index.filter((loc) => loc.includes('/de/')).length).toBeGreaterThan(3);
    expect(index.filter((loc) => loc.includes('/fr/'))).toEqual([]);
  });
});

describe('feeds in several languages', () => {
  const languages = (inDirectory: boolean) =>
    `name: Harbour\ntimezone: UTC\ndeployment: extended\nlang:\n  default: en\n  url: { default_in_directory: ${inDirectory} }\n  languages:\n    en: { locale: en_US }\n    de: { locale: de_DE }\n`;
  const content = {
    'posts/hello.md': post(101, 'Hello', 'author: anna\ncategories: [notes]\n'),
    'posts/hello.de.md': post(102, 'Hallo', 'slug: hallo\nauthor: anna\ncategories: [notizen]\n'),
    'terms/category/notes.yaml': 'id: 31\nname: Notes\n',
    'terms/category/notizen.yaml': 'id: 32\nname: Notizen\nlang: de\ntranslation_of: notes\n',
    'users/anna.yaml': 'id: 41\nname: Anna\n',
    'comments/102/1.md': '---\nid: 1\nname: Guest\ndate: 2026-03-06T10:00:00\n---\nSaid.\n',
  };

  it.each([
    [false, ''],
    [true, '/en'],
  ])('contain one language (its segment for the default: %s)', async (inDirectory, segment) => {
    const test = await startSite({ files: { 'site.yaml': languages(inDirectory), ...content } });
    try {
      const feed = async (path: string) => {
        const { status, body, headers } = await test.ask('GET', path, { raw: true });
        if (status !== 200) return [status, headers.get('location')?.replace(test.url, '')];
        const channel = readXml(body).children[0]!;
        return [
          texts(channel, 'language')[0],
          ...all(channel, 'item').map((item) => texts(item, 'link')[0]?.replace(test.url, '')),
        ];
      };
      expect(await feed(`${segment}/feed/`)).toEqual(['en-US', `${segment}/hello/`]);
      expect(await feed('/de/feed/')).toEqual(['de-DE', '/de/hallo/']);
      expect(await feed('/de/category/notizen/feed/')).toEqual(['de-DE', '/de/hallo/']);
      expect(await feed('/de/author/anna/feed/')).toEqual(['de-DE', '/de/hallo/']);
      expect(await feed('/de/comments/feed/')).toEqual(['de-DE', '/de/hallo/#comment-1']);
      expect(await feed(`${segment}/comments/feed/`)).toEqual(['en-US']);
      expect(await feed('/de/hallo/feed/')).toEqual(['de-DE', '/de/hallo/#comment-1']);
      expect(await feed('/de/category/notes/feed/')).toEqual([301, `${segment}/category/notes/feed/`]);
      if (inDirectory) expect(await feed('/feed/')).toEqual([301, '/en/feed/']);
      else expect(await feed('/en/feed/')).toEqual([301, '/feed/']);
    } finally {
      await test.close();
    }
  });
});

describe('a static export in several languages', () => {
  it('contains what the server returns, below the language segments', async () => {
    const test = await startSite({
      files: {
        'site.yaml':
          'name: Harbour\ntimezone: UTC\nurl: https://example.com\ndeployment: extended\nlang:\n  url: { default_in_directory: false }\n',
        'posts/hello.md': post(101, 'Hello', 'author: anna\ncategories: [notes]\n'),
        'posts/hello.de.md': post(102, 'Hallo', 'slug: hallo\nauthor: anna\n'),
        'terms/category/notes.yaml': 'id: 31\nname: Notes\n',
        'users/anna.yaml': 'id: 41\nname: Anna\n',
        'comments/102/1.md': '---\nid: 1\nname: Guest\ndate: 2026-03-06T10:00:00\n---\nSaid.\n',
      },
    });
    const put = new Map<string, string>();
    const folder = { put: (file: string, content: string | Uint8Array) => void put.set(file, String(content)) };
    try {
      await writeDocuments(test.site, folder as unknown as ExportFolder, async () => undefined);
      for (const [file, address] of [
        ['robots.txt', '/robots.txt'],
        ['sitemap.xml', '/sitemap.xml'],
        ['de/sitemap-post-1.xml', '/de/sitemap-post-1.xml'],
        ['feed.xml', '/feed/'],
        ['de/feed.xml', '/de/feed/'],
        ['de/atom.xml', '/de/feed/atom/'],
        ['category/notes/feed.json', '/category/notes/feed/json/'],
        ['author/anna/feed.xml', '/author/anna/feed/'],
        ['de/author/anna/feed.xml', '/de/author/anna/feed/'],
        ['comments/feed.xml', '/comments/feed/'],
        ['de/comments/feed.xml', '/de/comments/feed/'],
        ['de/hallo/feed.xml', '/de/hallo/feed/'],
      ] as const) {
        expect([file, put.get(file)]).toEqual([file, (await test.site.page(address))?.body]);
      }
      expect([...put.keys()]).not.toContain('hello/feed.xml');
    } finally {
      await test.close();
    }
  });
});

describe('sitemaps of sites with search metadata', () => {
  const settings = (seo: string): string =>
    `name: Harbour\ntimezone: UTC\nurl: https://example.com\ndeployment: extended\nlang:\n  url: { default_in_directory: false }\n${seo}`;
  const files = {
    'posts/plain.md': post(101, 'Plain', 'author: anna\ncategories: [seen]\n'),
    'posts/hidden.md': post(102, 'Hidden', 'author: ben\ncategories: [unseen]\nseo: { noindex: true }\n'),
    'posts/elsewhere.md': post(103, 'Elsewhere', 'seo: { canonical: "https://example.org/x/" }\n'),
    'posts/itself.md': post(104, 'Itself', 'seo: { canonical: "/itself" }\n'),
    'posts/itself.de.md': post(105, 'Selbst', 'slug: selbst\nseo: { noindex: true }\n'),
    'pages/about.md': post(110, 'About'),
    'pages/shown.md': post(111, 'Shown', 'seo: { noindex: false }\n'),
    'terms/category/seen.yaml': 'id: 31\nname: Seen\n',
    'terms/category/unseen.yaml': 'id: 32\nname: Unseen\nseo: { noindex: true }\n',
    'users/anna.yaml': 'id: 41\nname: Anna\n',
    'users/ben.yaml': 'id: 42\nname: Ben\nseo: { noindex: true }\n',
  };
  const open = (seo: string) => startSite({ files: { 'site.yaml': settings(seo), ...files } });
  const namedIn = async (test: TestSite, path: string): Promise<readonly string[] | number> => {
    const { status, body } = await test.ask('GET', path, { raw: true });
    return status === 200 ? texts(readXml(body), 'loc').map((loc) => loc.replace('https://example.com', '')) : status;
  };

  it('exclude hidden pages, and those with another canonical URL', async () => {
    const test = await open('seo:\n  types: { page: { noindex: true } }\n');
    try {
      expect(await namedIn(test, '/sitemap-post-1.xml')).toEqual(['/plain/', '/itself/']);
      expect(await namedIn(test, '/sitemap-page-1.xml')).toEqual(['/', '/shown/']);
      const terms = await namedIn(test, '/sitemap-category-1.xml');
      expect([terms].flat()).toContain('/category/seen/');
      expect([terms].flat()).not.toContain('/category/unseen/');
      expect([await namedIn(test, '/sitemap-author-1.xml')].flat()).toContain('/author/anna/');
      expect([await namedIn(test, '/sitemap-author-1.xml')].flat()).not.toContain('/author/ben/');
      expect((await test.ask('GET', '/sitemap-post-1.xml', { raw: true })).body).not.toContain('hreflang');
      expect((await test.ask('GET', '/feed/', { raw: true })).body).toContain('<title>Hidden</title>');
      await test.write('posts/hidden.md', post(102, 'Hidden', 'seo: { noindex: false }\n'));
      await until(async () => [await namedIn(test, '/sitemap-post-1.xml')].flat().includes('/hidden/'));
    } finally {
      await test.close();
    }
  });

  it('are absent when the whole site is hidden, and robots.txt names none', async () => {
    const test = await open('seo: { noindex: true }\n');
    try {
      expect(await namedIn(test, '/sitemap.xml')).toBe(404);
      expect(await namedIn(test, '/sitemap-post-1.xml')).toBe(404);
      expect((await test.ask('GET', '/robots.txt', { raw: true })).body).toBe('User-agent: *\nDisallow:\n');
    } finally {
      await test.close();
    }
  });

  it('exclude authors when these have no pages', async () => {
    const test = await open('seo:\n  author: { disabled: true }\n');
    try {
      expect(await namedIn(test, '/sitemap-author-1.xml')).toBe(404);
      expect((await test.ask('GET', '/sitemap.xml', { raw: true })).body).not.toContain('author');
    } finally {
      await test.close();
    }
  });
});
