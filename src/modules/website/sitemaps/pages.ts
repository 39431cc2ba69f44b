/**
 * `/robots.txt`, `/sitemap.xml` and the sitemaps it names: `/sitemap-post-1.xml`, `/de/sitemap-category-1.xml`.
 *
 * Source: RFC 9309; sitemaps.org protocol 0.9.
 */
import { runTask } from '../../../kernel/scheduler.ts';
import type { Page } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { createPageCache, type Document } from '../page-cache/index.ts';
import { type SitemapInventory, latest, pagesOf, type Section, takeInventory } from './inventory.ts';
import { type PageRow, printIndex, printPages } from './print.ts';
import { rowsOf } from './rows.ts';

export interface Sitemaps {
  /** Null for other URLs. */
  page(url: string): Promise<Page | null>;
  /** All paths of `page`, below the site. */
  addresses(): Promise<readonly string[]>;
}

/**
 * Sitemap URLs of other products, which search engines still request: the index, `/post-sitemap2.xml`, `/wp-sitemap-posts-post-1.xml`,
 * `/sitemap-pt-post-2020-01.xml`.
 */
const former = new RegExp(
  '^(?:/[^/]+)*/(?:(?:wp-)?sitemap(?:[_-]?index)?(?:-index)?(?:-\\d{1,6})?|sitemaps|wp-sitemap-(?:posts|taxonomies|users)(?:-[\\w-]{1,100})?-\\d{1,6}' +
    '|[\\w-]{1,100}-sitemap(?:-?\\d{1,6})?|(?:image|video|news)-sitemap(?:-index)?-\\d{1,6}|sitemap-(?:misc|home|authors|archives|externals|(?:pt|tax)-[\\w-]{1,100}))' +
    '\\.xml(?:\\.gz)?$',
);
const part = /^((?:\/[^/]+)*)\/sitemap-([a-z0-9_-]+)-([1-9]\d{0,5})\.xml$/;
const type = 'application/xml; charset=UTF-8';
/** Sitemaps are not indexed. */
const headers = { 'X-Robots-Tag': 'noindex, follow' };

export function createSitemaps(site: Site): Sitemaps {
  const cache = createPageCache(site);
  let counted: { readonly generation: number; readonly inventory: Promise<SitemapInventory> } | null = null;

  return {
    async page(url) {
      const path = url.replace(/[?#].*$/s, '');
      const isXml = /\.xml(?:\.gz)?$/.test(path);
      // `redirects.yaml` comes first.
      if ((!isXml && path !== '/robots.txt') || site.redirects.find(path, '')) return null;
      if (!isXml) return cache.at(path, async () => robots(site));
      if (isHidden(site)) return null;
      if (path === '/sitemap.xml') return cache.at(path, async () => index(site, await inventory()));
      const [, prefix = '', name = '', number = ''] = part.exec(path) ?? [];
      const own = number === '' ? null : await cache.at(path, () => pages(prefix, name, Number(number) - 1));
      if (own !== null || !former.test(path)) return own;
      return { status: 301, headers: { Location: `${site.url}/sitemap.xml` }, body: null };
    },
    async addresses() {
      if (isHidden(site)) return ['/robots.txt'];
      const { sections } = await inventory();
      return ['/robots.txt', '/sitemap.xml', ...sections.flatMap(partsOf)];
    },
  };

  /** Of the current state; concurrent requests share one walk. */
  function inventory(): Promise<SitemapInventory> {
    const { generation } = site.records;
    if (counted?.generation === generation) return counted.inventory;
    const made = runTask(
      () => takeInventory(site),
      () => site.records.generation,
    );
    counted = { generation, inventory: made };
    return made;
  }

  async function pages(prefix: string, name: string, page: number): Promise<Document | null> {
    const present = await inventory();
    const section = present.sections.find((one) => one.prefix === prefix && one.name === name);
    if (!section || page >= pagesOf(section)) return null;
    return {
      type,
      headers,
      body: await printPages(await rowsOf(site, present, section, page)),
      changed: section.changed[page] ?? '',
    };
  }
}

function isHidden(site: Site): boolean {
  return site.discovery.some((source) => source.hidesSite?.());
}

/** Nothing is disallowed: pages with noindex must be fetched to be seen. */
function robots(site: Site): Document {
  const sitemap = isHidden(site) ? [] : ['', `Sitemap: ${site.url}/sitemap.xml`];
  const lines = ['User-agent: *', 'Disallow:', ...sitemap, ''];
  return { type: 'text/plain; charset=UTF-8', body: lines.join('\n'), changed: '' };
}

async function index(site: Site, { sections }: SitemapInventory): Promise<Document> {
  const parts = sections.flatMap((section): PageRow[] =>
    partsOf(section).map((path, at) => ({ url: site.url + path, changed: section.changed[at] ?? '' })),
  );
  return { type, headers, body: await printIndex(parts), changed: latest(parts.map(({ changed }) => changed)) };
}

function partsOf(section: Section): readonly string[] {
  return Array.from({ length: pagesOf(section) }, (_, at) => `${section.prefix}/sitemap-${section.name}-${at + 1}.xml`);
}
