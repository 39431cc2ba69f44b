/** Languages of live sites: of our own extended deployment, of Polylang, and of lists that show one language at a time. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { modulesOf } from '../../../src/deployments.ts';
import { createFetcher } from '../../../src/http-client/fetch.ts';
import type { Site } from '../../../src/kernel/site/site.ts';
import { openSite } from '../../../src/open-site.ts';
import type { ImportReport } from '../../../src/transfer/import/report.ts';
import { createRestImporter } from '../../../src/transfer/sources/rest.ts';
import { temporaryFolder } from '../../kernel/store/folder.ts';
import { startSite, type TestSite } from '../../support/site.ts';
import { startUpstream, type Upstream } from '../../support/upstream.ts';
import { total } from '../import/exports.ts';
import { bring } from '../import/rows.ts';

const languages =
  'deployment: extended\nlang:\n  default: en\n  languages:\n    en: { locale: en_US }\n    de: { locale: de_DE }\n    fr: { locale: fr_FR }\n';
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const dated = 'date: 2024-01-02T10:00:00\n';
const files = {
  'site.yaml': `name: Quay\ntimezone: UTC\n${languages}`,
  'terms/category/uncategorized.yaml': 'id: 1\nname: Uncategorized\n',
  'terms/category/news.yaml': 'id: 30\nname: News\n',
  'terms/category/neues.yaml': 'id: 31\nname: Neues\nlang: de\ntranslation_of: news\n',
  'posts/hello.md': `---\nid: 10\ntitle: Hello\n${dated}categories: [news]\n---\nHi.\n`,
  'posts/hallo.md': `---\nid: 11\ntitle: Hallo\n${dated}lang: de\ntranslation_of: hello\ncategories: [neues]\n---\nDa.\n`,
  'posts/salut.md': `---\nid: 12\ntitle: Salut\n${dated}lang: fr\n---\nLa.\n`,
  'posts/greeting.md': `---\nid: 13\ntitle: Greeting\n${dated}translation_of: salut\n---\nIt was French first.\n`,
  'pages/about.md': '---\nid: 20\ntitle: About\n---\nA\n',
  'pages/about.de.md': '---\nid: 21\ntitle: Info\n---\nB\n',
  'media/2024/01/t.png': Buffer.from(dot, 'base64'),
  'media/2024/01/t.png.yaml': 'id: 40\ntitle: Picture\n',
  'media/2024/01/t.png@de.yaml': 'id: 41\ntitle: Bild\n',
  'menus/main.yaml': 'id: 50\nname: Main\nitems:\n  - { id: 51, title: About, page: about }\n',
  'menus/main.de.yaml': 'id: 52\nname: Haupt\nitems:\n  - { id: 53, title: Info, page: about }\n',
};

let folder: string;
const opened: Site[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cms-rest-languages-'));
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const target = (siteYaml: string): string =>
  temporaryFolder({ 'site.yaml': siteYaml, 'terms/category/uncategorized.yaml': 'id: 1\nname: Uncategorized\n' }).dir;

let scratches = 0;
async function take(address: string, dir: string, credentials?: string): Promise<ImportReport> {
  const importer = createRestImporter({ fetcher: createFetcher() });
  const scratch = join(folder, `scratch-${scratches++}`);
  const source = await importer.open({ source: address, path: null, scratch, keepGoing: true, credentials });
  return bring(dir, source, { modules: modulesOf });
}

/** Id of each translation of an item. */
async function membersOf(dir: string, table: 'posts' | 'terms', id: number): Promise<Record<string, number>> {
  const site = await openSite(dir, { readOnly: true });
  opened.push(site);
  expect(site.problems()).toEqual([]);
  const group = site.translations.group(site[table].get(id) as never);
  return Object.fromEntries([...group].map(([code, { id: member }]) => [code, member]));
}

const lost = ({ remarks }: ImportReport) =>
  remarks.filter(({ severity, rule }) => ['lost', 'error'].includes(severity) && rule !== 'revisions');

describe.each(['', '/wp-json/'])('our own extended site at %j', (path) => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({ files });
  });
  afterAll(() => site.close());

  it('has all languages and translations, which arrive in an extended site', async () => {
    const dir = target(`name: New\ntimezone: UTC\n${languages}`);
    const report = await take(site.url + path, dir, `admin:${site.password}`);
    expect(lost(report)).toEqual([]);
    expect([report.rules.languages, report.rules['added-field']]).toEqual([undefined, undefined]);
    expect(await membersOf(dir, 'posts', 11)).toEqual({ en: 10, de: 11 });
    // The original stays the original, whatever the default language is.
    expect(await membersOf(dir, 'posts', 13)).toEqual({ en: 13, fr: 12 });
    expect(await readFile(join(dir, 'posts/2024/01/greeting.md'), 'utf8')).toContain('translation_of: 2024/01/salut');
    expect(await membersOf(dir, 'posts', 20)).toEqual({ en: 20, de: 21 });
    expect(await membersOf(dir, 'terms', 31)).toEqual({ en: 30, de: 31 });
    expect(await membersOf(dir, 'terms', 52)).toEqual({ en: 50, de: 52 });
    expect(await membersOf(dir, 'posts', 41)).toMatchObject({ en: 40, de: 41 });
    expect(await readFile(join(dir, 'media/2024/01/t.png@de.yaml'), 'utf8')).toContain('title: Bild');
    expect(await readFile(join(dir, 'menus/main.de.yaml'), 'utf8')).toContain('title: Info');
    const second = await take(site.url + path, dir, `admin:${site.password}`);
    expect(total(second, 'new', 'updated', 'kept')).toBe(0);
  });

  it('has the public ones for a visitor', async () => {
    const dir = target(`name: New\ntimezone: UTC\n${languages}`);
    expect(lost(await take(site.url + path, dir)).map(({ what }) => what)).toEqual(['nav_menu']);
    expect(await membersOf(dir, 'posts', 11)).toEqual({ en: 10, de: 11 });
    expect(await membersOf(dir, 'terms', 31)).toEqual({ en: 30, de: 31 });
  });

  it('keeps them in a basic site, until that is extended', async () => {
    const dir = target('name: New\ntimezone: UTC\n');
    const report = await take(site.url + path, dir, `admin:${site.password}`);
    expect(lost(report)).toEqual([]);
    const [remark] = report.remarks.filter(({ rule }) => rule === 'languages');
    expect(remark?.message).toContain('3 languages (en, de, fr)');
    expect(remark?.hint).toContain('fr: { locale: fr_FR, name: "French", native_name: "Français" }');
    const second = await take(site.url + path, dir, `admin:${site.password}`);
    expect(total(second, 'new', 'updated')).toBe(0);
    await writeFile(join(dir, 'site.yaml'), (await readFile(join(dir, 'site.yaml'), 'utf8')) + languages);
    expect(await membersOf(dir, 'posts', 11)).toEqual({ en: 10, de: 11 });
    expect(await membersOf(dir, 'posts', 12)).toEqual({ en: 13, fr: 12 });
    expect(await membersOf(dir, 'terms', 31)).toEqual({ en: 30, de: 31 });
  });
});

describe('a site elsewhere', () => {
  const open: Upstream[] = [];
  afterEach(async () => {
    for (const upstream of open.splice(0)) await upstream.close();
  });

  interface Elsewhere {
    readonly posts: readonly Readonly<Record<string, unknown>>[];
    readonly categories?: readonly Readonly<Record<string, unknown>>[];
    /** Arguments of lists, and of new items, besides the usual ones. */
    readonly list?: Readonly<Record<string, unknown>>;
    readonly item?: Readonly<Record<string, unknown>>;
    readonly more?: Readonly<Record<string, unknown>>;
    readonly languageOf?: string;
  }

  /** Its lists show everything, or with `languageOf` what is in the language that the request names. */
  async function elsewhere({ posts, categories = [], list = {}, item, more = {}, languageOf }: Elsewhere): Promise<Upstream> {
    const json = (body: unknown, count?: number) => ({
      headers: { 'content-type': 'application/json', ...(count === undefined ? {} : { 'x-wp-total': String(count) }) },
      body: JSON.stringify(body),
    });
    const endpoints = [
      { methods: ['GET'], args: { page: {}, per_page: {}, ...list } },
      { methods: ['POST'], args: { title: {}, content: {}, ...item } },
    ];
    const usual = { content: { rendered: '<p>x</p>' }, status: 'publish', date: '2024-01-02T10:00:00', type: 'post' };
    const asked =
      (rows: readonly Readonly<Record<string, unknown>>[]) => (request: IncomingMessage, response: ServerResponse) => {
        const query = new URL(request.url ?? '', 'http://x').searchParams;
        const code = languageOf === undefined ? null : (query.get(languageOf) ?? 'en');
        const shown = rows.filter(({ _in }) => code === null || _in === undefined || _in === code);
        const { headers, body } = json(
          shown.map(({ _in, ...row }) => ({ ...usual, ...row })),
          shown.length,
        );
        response.writeHead(200, headers).end(body);
      };
    const upstream = await startUpstream((url) => ({
      '/wp-json/': json({
        ...{ name: 'Elsewhere', url, home: url, gmt_offset: 0 },
        routes: Object.fromEntries([
          ...['/wp/v2', ...Object.keys(more)].map((route) => [route, {}]),
          ...['posts', 'categories'].map((base) => [`/wp/v2/${base}`, { endpoints }]),
        ]),
      }),
      '/wp-json/wp/v2/types': json({ post: { slug: 'post', rest_base: 'posts', taxonomies: ['category'] } }),
      '/wp-json/wp/v2/taxonomies': json({ category: { slug: 'category', rest_base: 'categories', types: ['post'] } }),
      '/wp-json/wp/v2/posts': asked(posts),
      '/wp-json/wp/v2/categories': asked(categories),
      ...Object.fromEntries(Object.entries(more).map(([route, body]) => [`/wp-json${route}`, json(body)])),
    }));
    open.push(upstream);
    return upstream;
  }

  const post = (id: number, slug: string, rest: Readonly<Record<string, unknown>> = {}) => ({
    ...{ id, slug, title: { rendered: slug } },
    ...rest,
  });

  it.each([
    ['declared', { lang: {}, translations: {} }, { en: 7, 'pt-br': 8 }],
    ['added to its answers alone', undefined, { en: { id: 7, slug: 'hello' }, 'pt-br': { id: 8, slug: 'ola' } }],
  ])('with Polylang has languages and translations, its fields %s', async (_, item, translations) => {
    const { url } = await elsewhere({
      posts: [
        post(7, 'hello', { lang: 'en', translations, categories: [3] }),
        post(8, 'ola', { lang: 'pt-br', translations, categories: [4] }),
        post(9, 'alone', { lang: 'en', translations: { en: 9 } }),
        post(10, 'none', { lang: false, translations: [] }),
      ],
      categories: [
        { id: 3, slug: 'news', name: 'News', lang: 'en', translations: { en: 3, 'pt-br': 4 } },
        { id: 4, slug: 'novas', name: 'Novas', lang: 'pt-br', translations: { en: 3, 'pt-br': 4 } },
      ],
      ...(item ? { item } : {}),
      more: {
        '/pll/v1/languages': [
          { slug: 'en', locale: 'en_GB', name: 'English' },
          { slug: 'pt-br', locale: 'pt_BR', name: 'Português do Brasil' },
        ],
      },
    });
    const dir = target(`name: New\ntimezone: UTC\n${languages.replace('fr: { locale: fr_FR }', 'pt: { locale: pt_BR }')}`);
    const report = await take(url, dir);
    expect(lost(report)).toEqual([]);
    expect(report.rules['added-field']).toBeUndefined();
    // The site has another code for the locale.
    expect(await membersOf(dir, 'posts', 8)).toEqual({ en: 7, pt: 8 });
    expect(await membersOf(dir, 'posts', 9)).toEqual({ en: 9 });
    expect(await membersOf(dir, 'terms', 4)).toEqual({ en: 3, pt: 4 });
    expect(await readFile(join(dir, 'posts/2024/01/alone.html'), 'utf8')).not.toContain('translations');
    const second = await take(url, dir);
    expect(total(second, 'new', 'updated', 'kept')).toBe(0);

    const plain = target('name: New\ntimezone: UTC\n');
    const [remark] = (await take(url, plain)).remarks.filter(({ rule }) => rule === 'languages');
    expect(remark?.hint).toContain('pt-br: { locale: pt_BR,');
    expect(remark?.hint).toContain('native_name: "Português do Brasil"');
  });

  it('with lists of one language at a time, as WPML has them, is read in all of them', async () => {
    const { url, asked } = await elsewhere({
      languageOf: 'wpml_language',
      list: { wpml_language: { enum: ['de', 'en', 'all'] } },
      posts: [post(7, 'hello', { _in: 'en' }), post(8, 'hallo', { _in: 'de' }), post(9, 'both')],
    });
    const dir = target(`name: New\ntimezone: UTC\n${languages}`);
    const report = await take(url, dir);
    expect(lost(report)).toEqual([]);
    expect(await readFile(join(dir, 'posts/2024/01/hallo.html'), 'utf8')).toContain('lang: de');
    expect(await readFile(join(dir, 'posts/2024/01/both.html'), 'utf8')).not.toContain('lang:');
    expect(await membersOf(dir, 'posts', 7)).toEqual({ en: 7 });
    expect(asked.filter((target_) => target_.includes('wpml_language=all'))).toEqual([]);
  });

  it('keeps a field lang that is something else', async () => {
    const { url } = await elsewhere({ posts: [post(7, 'hello', { lang: 'PHP' })], item: { lang: {} } });
    const dir = target('name: New\ntimezone: UTC\n');
    await take(url, dir);
    expect(await readFile(join(dir, 'posts/2024/01/hello.html'), 'utf8')).toContain('lang: PHP');
  });
});
