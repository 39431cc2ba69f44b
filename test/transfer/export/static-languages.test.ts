/** The static export of a site in two languages: a tree for each, and the way from one to the other. */
import { createServer } from 'node:http';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composeSite } from '../../../src/open-site.ts';
import { exportStatic, manifestFile } from '../../../src/transfer/export/static.ts';
import { startSite, type TestSite } from '../../support/site.ts';

const settings = 'name: Quay\nurl: https://quay.example\ndeployment: extended\nfront: page\nfront_page: home\nposts_page: blog\n';
const item = (title: string, ...lines: string[]): string =>
  ['---', `title: ${title}`, 'date: 2026-03-05T10:00:00', ...lines, '---', 'Text', ''].join('\n');

const files = {
  'site.yaml': settings,
  'terms/category/uncategorized.yaml': 'id: 1\nname: Uncategorized\n',
  'terms/category/neues.yaml': 'id: 2\nname: Neues\nlang: de\ntranslation_of: uncategorized\n',
  'pages/home.md': item('Home', 'id: 20'),
  'pages/home.de.md': item('Start', 'id: 21'),
  'pages/blog.md': item('Blog', 'id: 22'),
  'pages/blog.de.md': item('Blog', 'id: 23'),
  'pages/alone.md': item('Alone', 'id: 24', 'aliases: [/old/place, lonely]'),
  'posts/hello.md': item('Hello', 'id: 30'),
  'posts/hallo.md': item('Hallo', 'id: 31', 'lang: de', 'translation_of: hello', 'aliases: [moin]'),
  'posts/secret.de.md': item('Geheim', 'id: 32', 'status: draft', 'translation_of: alone'),
};

describe('a static export of a site in two languages', () => {
  let site: TestSite;
  let out = '';
  let closeFiles = async (): Promise<void> => {};
  let address = '';
  const text = (path: string): Promise<string> => readFile(join(out, path), 'utf8');
  const json = async (path: string) => JSON.parse(await text(path));
  beforeAll(async () => {
    site = await startSite({ files });
    // Else the index names the address that the client used.
    site.site.setAddress('https://quay.example', 'operator');
    out = await mkdtemp(join(tmpdir(), 'cms-static-'));
    await exportStatic({ site: site.site, registry: composeSite(site.site), out });
    const server = createServer((request, response) => {
      readFile(join(out, normalize(decodeURIComponent(request.url ?? '/')))).then(
        (bytes) => response.writeHead(200).end(bytes),
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    closeFiles = async () => {
      server.closeAllConnections();
      server.close();
    };
  });
  afterAll(async () => {
    await closeFiles();
    await site.close();
    await rm(out, { recursive: true, force: true });
  });

  it('has a tree per language, each file as the server returns it', async () => {
    const { requests } = (await json(manifestFile)) as {
      requests: Record<string, { file: string; headers: Record<string, string> }>;
    };
    const names = Object.keys(requests);
    for (const prefix of ['/en/', '/de/'])
      expect(names.filter((name) => name.startsWith(`${prefix}cms-json/`)).length).toBeGreaterThan(40);
    expect(names.every((name) => /^\/(?:en|de)\//.test(name))).toBe(true);
    for (const [request, { file, headers }] of Object.entries(requests)) {
      const [live, kept] = await Promise.all([
        fetch(site.url + request),
        fetch(address + file.split('/').map(encodeURIComponent).join('/')),
      ]);
      expect([request, live.status, kept.status]).toEqual([request, 200, 200]);
      expect(await kept.text(), request).toBe(await live.text());
      for (const [name, value] of Object.entries(headers)) expect([request, live.headers.get(name)]).toEqual([request, value]);
    }
  });

  it('contains in a tree only items of its language, with links that stay in it', async () => {
    const slugs = async (prefix: string) =>
      (await json(`${prefix}/cms-json/cms/v2/posts/index.json`)).map(({ slug }: { slug: string }) => slug);
    expect(await slugs('en')).toEqual(['hello']);
    expect(await slugs('de')).toEqual(['hallo']);
    const [post] = await json('de/cms-json/cms/v2/posts/index.json');
    expect(post.link).toMatch(/^https:\/\/quay\.example\/de\/(?:.*\/)?hallo\/$/);
    expect(post._links.self[0].href).toMatch(/^https:\/\/quay\.example\/de\/cms-json\//);
    expect(post._links['lang:translation']).toEqual([
      { href: 'https://quay.example/de/cms-json/cms/v2/posts/30', hreflang: 'en' },
    ]);
    // Where that link leads to.
    expect((await json('de/cms-json/cms/v2/posts/30/index.json')).link).toMatch(/^https:\/\/quay\.example\/en\//);
  });

  it('lists other languages in its sitemaps, without private ones', async () => {
    const parts = [...(await text('sitemap.xml')).matchAll(/<loc>https:\/\/quay\.example\/([^<]+)</g)].map(
      ([, path = '']) => path,
    );
    const all = (await Promise.all(parts.map(text))).join('');
    const alternates = (url: string): string[] => {
      const row = all.split('<url>').find((one) => one.includes(`<loc>${url}</loc>`)) ?? '';
      return [...row.matchAll(/hreflang="([^"]+)" href="([^"]+)"/g)].map(([, lang, href]) => `${lang} ${href}`);
    };
    expect(alternates('https://quay.example/de/').map((row) => row.replace(/^(\w+)-[A-Z]+/, '$1'))).toEqual([
      'en https://quay.example/en/',
      'de https://quay.example/de/',
      'x-default https://quay.example/en/',
    ]);
    expect(all).toContain('<loc>https://quay.example/en/alone/</loc>');
    expect(alternates('https://quay.example/en/alone/')).toEqual([]);
    expect(all).toContain('https://quay.example/de/category/neues/');
    for (const file of ['sitemap.xml', ...parts]) new SaxesParser().write(await text(file)).close();
  });

  it('has feeds in each language', async () => {
    const [en, de] = [await text('en/feed.xml'), await text('de/feed.xml')];
    expect([en, de].map((feed) => /<language>(.*)<\/language>/.exec(feed)?.[1])).toEqual(['en-US', 'de-DE']);
    expect(en).toContain('<title>Hello</title>');
    expect(en).not.toContain('Hallo');
    expect(await text('de/category/neues/atom.xml')).toContain('xml:lang="de-DE"');
    expect((await json('de/feed.json')).language).toBe('de-DE');
  });

  it('redirects from URLs without a language, and from former ones', async () => {
    const lines = (await text('_redirects')).split('\n');
    expect(lines).toContain('/cms-json/* /en/cms-json/:splat 200');
    expect(lines).toContain('/feed.xml /en/feed.xml 301');
    for (const from of ['/old/place/', '/en/old/place/', '/en/lonely/'])
      expect(
        lines.filter((line) => line.startsWith(`${from.replace(/\/$/, '')} `) || line.startsWith(`${from} `)),
        from,
      ).toHaveLength(1);
    expect(lines.some((line) => / \/de\/.*hallo\/ 301$/.test(line) && line.includes('moin'))).toBe(true);
    expect(await text('_headers')).toContain('/de/cms-json/*\n  Access-Control-Allow-Origin: *');
  });
});
