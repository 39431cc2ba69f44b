import { createServer } from 'node:http';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composeSite } from '../../../src/open-site.ts';
import { openFolder } from '../../../src/transfer/export/static/folder.ts';
import { createNames } from '../../../src/transfer/export/static/names.ts';
import { keepFresh } from '../../../src/transfer/export/static/watch.ts';
import { exportStatic, manifestFile, type StaticOptions, type StaticReport } from '../../../src/transfer/export/static.ts';
import { original } from '../../../src/kernel/rest/dialect.ts';
import { sample } from '../../support/sample-site.ts';
import { startSite, type TestSite, until } from '../../support/site.ts';
import '../../support/seed.ts';

interface Entry {
  readonly file: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

const cleanups: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

async function temporary(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'cms-static-'));
  cleanups.push(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

async function sampleSite(): Promise<TestSite> {
  const site = await startSite({ from: sample });
  cleanups.push(() => site.close());
  return site;
}

function write({ site }: TestSite, out: string, options: Partial<StaticOptions> = {}): Promise<StaticReport> {
  return exportStatic({ site, registry: composeSite(site), out, ...options });
}

async function requestsIn(out: string): Promise<Record<string, Entry>> {
  return JSON.parse(await readFile(join(out, manifestFile), 'utf8')).requests;
}

/** Every file of an export by path, as text. */
async function filesIn(out: string): Promise<Map<string, string>> {
  const entries = await readdir(out, { recursive: true, withFileTypes: true });
  const paths = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name).slice(out.length + 1));
  const kept = paths.filter((path) => !path.startsWith('.cms-export/')).sort();
  return new Map(await Promise.all(kept.map(async (path) => [path, await readFile(join(out, path), 'latin1')] as const)));
}

/** A file server that knows nothing: a path is a file, or it is not there. */
async function serveFiles(dir: string): Promise<string> {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent((request.url ?? '/').replace(/\?.*$/, '')));
    readFile(join(dir, path)).then(
      (bytes) => response.writeHead(200).end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  cleanups.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function bytesAt(url: string): Promise<{ readonly status: number; readonly headers: Headers; readonly bytes: Buffer }> {
  const response = await fetch(url, { redirect: 'manual' });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

const addressOf = (file: string): string => file.split('/').map(encodeURIComponent).join('/');

describe('a static export of the sample site', () => {
  let test: TestSite;
  let out: string;
  let first: StaticReport;

  beforeAll(async () => {
    test = await sampleSite();
    out = await temporary();
    first = await write(test, out);
  });

  it('served by a plain file server, answers every request in its manifest like the live server', async () => {
    const files = await serveFiles(out);
    const requests = Object.entries(await requestsIn(out));
    expect(requests.length).toBe(first.requests);
    expect(requests.length).toBeGreaterThan(300);
    for (const [request, { file, status, headers }] of requests) {
      const [live, kept] = await Promise.all([bytesAt(test.url + request), bytesAt(files + addressOf(file))]);
      expect([request, live.status, kept.status]).toEqual([request, status, 200]);
      if (!live.bytes.equals(kept.bytes)) expect(kept.bytes.toString()).toBe(live.bytes.toString());
      for (const [name, value] of Object.entries(headers)) expect([request, live.headers.get(name)]).toEqual([request, value]);
    }
  });

  it.each([
    '/cms-json/',
    '/cms-json/cms/v2',
    '/cms-json/oembed/1.0',
    '/cms-json/cms/v2/posts',
    '/cms-json/cms/v2/posts?page=2',
    '/cms-json/cms/v2/posts?_embed&page=2',
    '/cms-json/cms/v2/posts?per_page=100',
    '/cms-json/cms/v2/posts?page=2&per_page=8',
    '/cms-json/cms/v2/posts/11',
    '/cms-json/cms/v2/posts/11?_embed',
    '/cms-json/cms/v2/posts?_embed&slug=hello-harbour',
    '/cms-json/cms/v2/pages?slug=team',
    '/cms-json/cms/v2/types/page',
    '/cms-json/cms/v2/statuses',
    '/cms-json/cms/v2/taxonomies/category',
    '/cms-json/cms/v2/users?slug=anna',
    '/cms-json/cms/v2/comments?post=11',
    '/cms-json/cms/v2/search?page=2',
  ])('contains %s', async (request) => {
    expect(Object.keys(await requestsIn(out))).toContain(request);
  });

  it('contains lists for every category, tag and author', async () => {
    const requests = new Set(Object.keys(await requestsIn(out)));
    const { body: categories } = await test.ask('GET', '/cms/v2/categories?per_page=100');
    const { body: tags } = await test.ask('GET', '/cms/v2/tags?per_page=100');
    const { body: users } = await test.ask('GET', '/cms/v2/users');
    const wanted = [
      ...categories.map(({ id }: { id: number }) => `categories=${id}`),
      ...tags.map(({ id }: { id: number }) => `tags=${id}`),
      ...users.map(({ id }: { id: number }) => `author=${id}`),
    ];
    expect(wanted.length).toBeGreaterThan(15);
    for (const query of wanted) expect(requests).toContain(`/cms-json/cms/v2/posts?${query}`);
  });

  it('contains the target of every public link', async () => {
    const requests = new Set(Object.keys(await requestsIn(out)));
    const { body } = await test.ask('GET', '/cms/v2/posts/11');
    const hrefs = Object.values(body._links as Record<string, { href: string; templated?: boolean }[]>)
      .flat()
      .filter(({ templated }) => !templated)
      .map(({ href }) => href);
    for (const href of hrefs) {
      const { status } = await bytesAt(href);
      expect([href, requests.has(href.slice(test.url.length))]).toEqual([href, status === 200]);
    }
  });

  it('contains the media with all sizes, byte for byte', async () => {
    const files = [...(await filesIn(out)).keys()].filter((file) => file.startsWith('uploads/'));
    expect(files).toContain('uploads/2026/03/harbour.png');
    const { body } = await test.ask('GET', '/cms/v2/media?per_page=100');
    for (const { source_url, media_details } of body) {
      const urls = [source_url, ...Object.values(media_details.sizes as Record<string, any>).map((size) => size.source_url)];
      for (const url of urls) expect(files).toContain(decodeURI(url.slice(test.url.length + 1)));
    }
    for (const file of files) {
      const [live, kept] = await Promise.all([bytesAt(`${test.url}/${addressOf(file)}`), readFile(join(out, file))]);
      expect([file, live.bytes.equals(kept)]).toEqual([file, true]);
    }
  });

  it('contains nothing that visitors cannot see', async () => {
    const hidden = [...test.site.posts.all()].filter(({ status }) => !['publish', 'inherit'].includes(status));
    expect(hidden.length).toBeGreaterThan(2);
    const all = [...(await filesIn(out)).values()].join('\n');
    for (const { slug } of hidden) expect([slug, all.includes(`/${slug}/`)]).toEqual([slug, false]);
    const locked = [...test.site.posts.all()].find(({ password }) => password !== '');
    expect(locked?.content.length).toBeGreaterThan(20);
    expect(all).not.toContain(locked?.content.slice(0, 40));
    expect(first.left.map(({ what, count }) => `${what} ${count}`)).toContain('post: draft 1');
  });

  it('contains feeds and a sitemap that are XML and list the posts', async () => {
    const files = await filesIn(out);
    const xml = [...files].filter(([file]) => file.endsWith('.xml'));
    expect(xml.length).toBeGreaterThan(30);
    for (const [file, text] of xml) {
      const parser = new SaxesParser({ xmlns: true });
      parser.on('error', (error) => {
        throw new Error(`${file}: ${error.message}`);
      });
      parser.write(Buffer.from(text, 'latin1').toString('utf8')).close();
    }
    const { body } = await test.ask('GET', '/cms/v2/posts?per_page=100');
    const sitemap = files.get('sitemap-post-1.xml');
    for (const { link, content } of body) {
      expect([link, sitemap?.includes(`<loc>${link}</loc>`)]).toEqual([link, !content.protected]);
      for (const feed of ['feed.xml', 'atom.xml', 'feed.json'])
        expect([link, feed, files.get(feed)?.includes(link)]).toEqual([link, feed, !content.protected]);
    }
    const feed = JSON.parse(await readFile(join(out, 'category/notes/feed.json'), 'utf8'));
    expect(feed).toMatchObject({
      version: 'https://jsonfeed.org/version/1.1',
      feed_url: `${test.url}/category/notes/feed/json/`,
    });
    expect(files.get('sitemap.xml')).toContain('sitemap-category-1.xml');
    expect(files.get('robots.txt')).toContain(`Sitemap: ${test.url}/sitemap.xml`);
  });

  it('contains feeds, sitemaps and robots.txt as the server returns them', async () => {
    const documents = [...(await filesIn(out)).keys()].filter((file) =>
      /^(?!cms-json).*(?:\.xml|feed\.json|robots\.txt)$/.test(file),
    );
    expect(documents.length).toBeGreaterThan(20);
    const suffixes: Readonly<Record<string, string>> = {
      'feed.xml': 'feed/',
      'atom.xml': 'feed/atom/',
      'feed.json': 'feed/json/',
    };
    for (const file of documents) {
      const address = file.replace(/(feed\.xml|atom\.xml|feed\.json)$/, (name) => suffixes[name] as string);
      const [live, kept] = await Promise.all([bytesAt(`${test.url}/${addressOf(address)}`), readFile(join(out, file))]);
      expect([file, live.status, live.bytes.equals(kept)]).toEqual([file, 200, true]);
    }
    const rules = (await readFile(join(out, '_redirects'), 'utf8')).split('\n');
    expect(rules).toContain('/feed/ /feed.xml 200');
    expect(rules).toContain('/:a/:b/feed/atom/ /:a/:b/atom.xml 200');
    expect(rules).toContain('/wp-sitemap.xml /sitemap.xml 301');
  });

  it('is not written again if nothing has changed', async () => {
    const times = async () =>
      Promise.all([...(await filesIn(out)).keys()].map(async (file) => (await stat(join(out, file))).mtimeMs));
    const before = await times();
    const again = await write(test, out);
    expect(again).toMatchObject({ written: [], removed: [], kept: [], unchanged: first.written.length });
    expect(await times()).toEqual(before);
  });

  it('is the same in an empty folder', async () => {
    const other = await temporary();
    await write(test, other);
    expect(await filesIn(other)).toEqual(await filesIn(out));
  });

  it('omits what is excluded', async () => {
    const lean = await temporary();
    const { requests } = await write(test, lean, { without: ['embeds', 'slugs', 'filters', 'sizes', 'links', 'oembed'] });
    expect(requests).toBeLessThan(first.requests / 3);
    const names = Object.keys(await requestsIn(lean)).filter((request) => request.includes('?'));
    expect(names.every((request) => /\?page=\d+$/.test(request))).toBe(true);
  });

  it('supports the other dialect', async () => {
    const other = await temporary();
    await write(test, other, { dialect: original });
    const requests = Object.entries(await requestsIn(other));
    expect(requests.length).toBe(first.requests);
    const [request, { file }] = requests.find(([name]) => name.endsWith('/v2/posts?page=2')) as [string, Entry];
    expect(request.startsWith(`${original.root}/`)).toBe(true);
    expect((await bytesAt(test.url + request)).bytes.equals(await readFile(join(other, file)))).toBe(true);
  });
});

describe('a static export after a change', () => {
  let test: TestSite;
  let out: string;

  beforeAll(async () => {
    test = await sampleSite();
    out = await temporary();
    await write(test, out);
  });

  /** Changes a file and lets the site see it. */
  async function change(path: string, edit: (text: string) => string): Promise<void> {
    const { generation } = test.site.records;
    await test.write(path, edit(await test.read(path)));
    await until(() => test.site.records.generation > generation);
  }

  it('writes only files that mention the changed post', async () => {
    await change('posts/2026/06/gull.md', (text) =>
      text.replace('title:', 'subtitle: x\ntitle:').replace(/\n---\n/, '\n---\nQuite another gull. '),
    );
    const { written, removed } = await write(test, out);
    expect(removed).toEqual([]);
    expect(written).toContain('cms-json/cms/v2/posts/slug/gull/index.json');
    expect(written.length).toBeLessThan(40);
    for (const file of written)
      expect([file, (await readFile(join(out, file), 'utf8')).includes('uite another gull')]).toEqual([file, true]);
  });

  it('redirects from a former URL to the current one', async () => {
    await change('pages/about/index.md', (text) => text.replace(/^---\n/, '---\naliases: [who-we-are]\n'));
    await write(test, out);
    const rules = (await readFile(join(out, '_redirects'), 'utf8')).split('\n').filter((line) => line.endsWith(' 301'));
    expect(rules).toEqual(
      expect.arrayContaining([
        '/who-we-are/ /about/ 301',
        '/who-we-are/team/ /about/team/ 301',
        '/who-we-are/history/ /about/history/ 301',
      ]),
    );
    for (const rule of rules) {
      const [from = '', to = ''] = rule.split(' ');
      const { status, headers } = await bytesAt(test.url + from);
      expect([rule, status, headers.get('location')]).toEqual([rule, 301, test.url + to]);
    }
  });

  it('removes the files of removed items, and no others', async () => {
    await writeFile(join(out, 'front.html'), 'of the front end');
    const gone = [...(await filesIn(out)).keys()].filter((file) => file.includes('fish-soup'));
    expect(gone.length).toBeGreaterThan(3);
    const edited = gone[0] as string;
    await writeFile(join(out, edited), 'edited by hand');
    const { generation } = test.site.records;
    await rm(join(test.dir, 'posts/2026/09/fish-soup.md'));
    await until(() => test.site.records.generation > generation);
    const { removed, kept } = await write(test, out);
    expect(removed).toEqual(expect.arrayContaining(gone.slice(1)));
    expect(kept).toEqual([edited]);
    const files = await filesIn(out);
    expect([...files.keys()].filter((file) => file.includes('fish-soup'))).toEqual([edited]);
    expect(files.get('front.html')).toBe('of the front end');
    expect([...files.values()].join('').includes('/fish-soup/')).toBe(false);
  });

  it('is kept up to date by --watch', async () => {
    const told: { readonly changed: readonly string[]; readonly written: readonly string[] }[] = [];
    const stop = await keepFresh({
      site: test.site,
      refresh: async (changed) => void told.push({ changed, written: (await write(test, out)).written }),
      failed: (error) => expect.unreachable(String(error)),
    });
    try {
      await test.write('posts/low-water.md', (await test.read('posts/low-water.md')).replace('boots', 'high boots'));
      const { written } = await until(() => told.find(({ changed }) => changed.includes('posts/low-water.md')));
      expect(written).toContain('cms-json/cms/v2/posts/slug/low-water/index.json');
      const file = join(out, 'cms-json/cms/v2/posts/slug/low-water/index.json');
      expect(await readFile(file, 'utf8')).toContain('high boots');
    } finally {
      await stop();
    }
  });
});

describe('the export folder', () => {
  it('is reused after an interrupted run', async () => {
    const dir = await temporary();
    openFolder(dir).put('a/one.json', '1');
    const next = openFolder(dir);
    next.put('a/two.json', '2');
    expect(next.finish()).toMatchObject({ written: ['a/two.json'], removed: ['a/one.json'] });
    expect([...(await filesIn(dir)).keys()]).toEqual(['a/two.json']);
  });

  it('keeps other files unless told to overwrite them', async () => {
    const dir = await temporary();
    await writeFile(join(dir, 'robots.txt'), 'mine');
    const put = (force: boolean) => {
      const folder = openFolder(dir, { force });
      folder.put('robots.txt', 'theirs');
      return folder.finish();
    };
    expect(put(false)).toMatchObject({ written: [], kept: ['robots.txt'] });
    expect(put(false)).toMatchObject({ removed: [], kept: ['robots.txt'] });
    expect(await readFile(join(dir, 'robots.txt'), 'utf8')).toBe('mine');
    expect(put(true)).toMatchObject({ written: ['robots.txt'] });
    expect(put(false)).toMatchObject({ unchanged: 1 });
  });

  it('never deletes files outside, whatever its list says', async () => {
    const dir = await temporary();
    await writeFile(join(dir, 'outside'), '');
    const inside = join(dir, 'inside');
    openFolder(inside).finish();
    const digest = '47DEQpj8HBSa-_TImW-5JC';
    await writeFile(
      join(inside, '.cms-export/state.jsonl'),
      `{"file":"../outside","digest":"${digest}","size":0}\nnull\n{"file"`,
    );
    expect(openFolder(inside).finish()).toMatchObject({ removed: [], kept: [] });
    expect(await readFile(join(dir, 'outside'), 'utf8')).toBe('');
  });
});

describe('file names', () => {
  it('are safe, and unique per request', () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('a', 'A', '..', '.', 'a/b', 'é', 'é', '%2e', 'https://x.test/a/../b'),
    );
    const request = fc.record({
      prefix: fc.constant(''),
      route: fc.constantFrom('/', '/cms/v2/posts', '/cms/v2/posts/7'),
      query: fc.dictionary(fc.constantFrom('slug', 'url', 'page', '_embed'), value),
    });
    fc.assert(
      fc.property(fc.uniqueArray(request, { selector: (one) => JSON.stringify(one), maxLength: 8 }), (requests) => {
        const names = createNames((route) => `/cms-json${route}`, 'https://x.test');
        const files = requests.map((one) => names.of(one));
        expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(files.length);
        for (const file of files) {
          expect(normalize(`/${file}`)).toBe(`/${file}`);
          expect(file).toMatch(/^cms-json\/([^/\\:*?"<>|]+\/)*index\.json$/u);
          expect(file.split('/').every((part) => Buffer.byteLength(part) <= 255 && !part.startsWith('.'))).toBe(true);
        }
      }),
    );
  });
});
