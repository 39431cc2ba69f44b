/**
 * Published sites, imported as they are: everything in them is shown. Each folder of `../shared/corpus` is a site of its own; the files are
 * one each in the extended deployment, and one together in the basic one. Every address that the interface and the site name is asked, and
 * the site is exported as pages. Nothing ends in an error of the server, and nothing takes the processor for longer than three seconds.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { newSite, run, temporary } from '../cli/run.ts';
import { cpuMs } from '../support/long-texts.ts';
import { type ServedSite, serveFolder } from '../operations/served.ts';

const corpus = join(import.meta.dirname, '../../../shared/corpus');
const isThere = existsSync(corpus);
if (!isThere) console.warn('no published sites at ../shared/corpus: not crawled');

const files = isThere ? readdirSync(corpus).filter((name) => name.endsWith('.xml')) : [];
const folders = isThere
  ? readdirSync(corpus).filter((name) => name !== 'found' && statSync(join(corpus, name)).isDirectory())
  : [];
/** By deployment what is imported one after the other, by the name of the site. */
const alone = (names: readonly string[]): (readonly [string, readonly string[]])[] => names.map((name) => [name, [name]]);
const sites = { basic: [['all files', files] as const, ...alone(folders)], extended: alone([...files, ...folders]) } as const;
/** What one answer may take of the processor. */
const mostMs = 3000;
const api = '/cms-json';

interface Item {
  readonly link?: string;
  readonly _links?: { readonly self?: readonly { readonly href: string }[] };
}

describe.skipIf(!isThere).each(['basic', 'extended'] as const)('in the %s deployment', (deployment) => {
  let site: ServedSite | undefined;
  afterAll(() => site?.close());

  it.each(sites[deployment])('%s', async (_, sources) => {
    const made = await newSite();
    const { dir } = made;
    await appendFile(join(dir, 'site.yaml'), `deployment: ${deployment}\n`);
    for (const source of sources) {
      const { status, err } = await run(['import', join(corpus, source), '--into', dir, '--no-media']);
      // 1: something to look at, which the report says.
      expect(status, err).toBeLessThan(2);
    }
    site = await serveFolder(made);
    const found = new Crawl(site);
    await found.all();
    expect(found.faults).toEqual([]);
    expect(found.items).toBeGreaterThan(3);
    expect(found.pages).toBeGreaterThan(3);
    await site.close();
    site = undefined;
    const out = join(await temporary(), 'pages');
    const exported = await run(['export', dir, '--format', 'static', '--out', out, '--url', 'https://site.example']);
    expect(exported.status, exported.err).toBe(0);
  });
});

/** Asks every address once, and keeps those that end in an error or take too long. */
class Crawl {
  readonly faults: string[] = [];
  items = 0;
  pages = 0;
  readonly #asked = new Set<string>();
  readonly site: ServedSite;

  constructor(site: ServedSite) {
    this.site = site;
  }

  async all(): Promise<void> {
    const index = (await this.#json(`${api}/`)) as { readonly routes: Readonly<Record<string, { readonly methods: string[] }>> };
    const lists = Object.entries(index.routes)
      // A directory of patterns or blocks is a service elsewhere, which is not configured here.
      .filter(([path, { methods }]) => !/\(|-directory/.test(path) && methods.includes('GET'))
      .map(([path]) => path);
    expect(lists).toEqual(expect.arrayContaining(['/cms/v2/posts', '/cms/v2/pages', '/cms/v2/search']));
    for (const path of lists) {
      await this.#list(path, 'embed');
      await this.#list(path, 'edit');
      for (const item of await this.#list(path, 'view')) await this.#item(item);
    }
    for (const address of [
      '/',
      '/feed/',
      '/feed/atom/',
      '/comments/feed/',
      '/sitemap.xml',
      '/?s=the',
      '/nothing-here/',
      '/404.html',
    ])
      await this.#page(address);
    await this.#sitemaps();
  }

  /** Every item of a list, page by page. */
  async #list(path: string, context: string): Promise<readonly Item[]> {
    const items: Item[] = [];
    for (let page = 1; page < 100; page += 1) {
      const got = await this.#json(`${api}${path}?context=${context}&_embed=1&per_page=50&page=${page}`);
      const some = Array.isArray(got) ? (got as Item[]) : [];
      items.push(...some);
      if (some.length < 50) break;
    }
    return items;
  }

  async #item(item: Item): Promise<void> {
    const self = item._links?.self?.[0]?.href;
    if (self === undefined) return;
    const { pathname, search } = new URL(self);
    // In the spelling that is asked here.
    const path = pathname + search;
    if (this.#asked.has(path)) return;
    this.items += 1;
    this.#asked.add(path);
    // Its list has shown it in the other contexts.
    await this.#json(`${path}${search === '' ? '?' : '&'}context=edit&_embed=1`);
    if (item.link === undefined || !item.link.startsWith(this.site.url)) return;
    const address = item.link.slice(this.site.url.length);
    await this.#page(address);
    if (address.endsWith('/')) for (const part of ['feed/', 'embed/']) await this.#page(address + part);
    await this.#json(`${api}/oembed/1.0/embed?url=${encodeURIComponent(item.link)}`);
  }

  async #sitemaps(): Promise<void> {
    const waiting = ['/sitemap.xml', '/sitemap_index.xml', '/wp-sitemap.xml'];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop())
      for (const [, address] of (await this.#page(path)).matchAll(/<loc>([^<]*)<\/loc>/g)) {
        const { pathname, origin } = new URL((address as string).replaceAll('&amp;', '&'));
        if (origin === this.site.url && !this.#asked.has(pathname)) waiting.push(pathname);
      }
  }

  async #page(path: string): Promise<string> {
    if (this.#asked.has(path)) return '';
    this.#asked.add(path);
    this.pages += 1;
    return (await this.#ask(path)).text;
  }

  async #json(path: string): Promise<unknown> {
    if (this.#asked.has(path)) return undefined;
    this.#asked.add(path);
    const { text, type } = await this.#ask(path, { headers: { authorization: this.site.admin } });
    return type.startsWith('application/json') && text !== '' ? JSON.parse(text) : undefined;
  }

  async #ask(path: string, init?: RequestInit): Promise<{ readonly text: string; readonly type: string }> {
    let [text, type] = ['', ''];
    const ms = await cpuMs(async () => {
      const answer = await this.site.ask(path, { redirect: 'manual', ...init });
      text = await answer.text();
      type = answer.headers.get('content-type') ?? '';
      // 503: a service elsewhere that is not configured.
      if (answer.status >= 500 && answer.status !== 503) this.faults.push(`${answer.status} ${path}`);
    });
    if (ms > mostMs) this.faults.push(`${Math.round(ms)} ms ${path}`);
    return { text, type };
  }
}
