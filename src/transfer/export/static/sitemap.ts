/**
 * `sitemap.xml`: an index of parts, one list of addresses for each type, taxonomy and the authors.
 *
 * Source: sitemaps.org protocol 0.9 (at most 50,000 addresses in a part).
 */
import { homeOf } from '../../../modules/permalinks/record.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { createXml } from '../../../render/xml.ts';
import type { Folder } from './folder.ts';
import { archives, homeAddress, latest, moment, pagesOf, posts, publicView } from './listing.ts';

const most = 50_000;

interface Page {
  readonly url: string;
  /** GMT; '' when nothing says. */
  readonly changed: string;
}

const { element, text } = createXml();

export function writeSitemap(site: Site, folder: Folder): void {
  const parts: Page[] = [];
  for (const [name, pages] of lists(site)) {
    let number = 0;
    let part: Page[] = [];
    const close = (): void => {
      if (part.length === 0) return;
      const file = `sitemap-${name}-${++number}.xml`;
      folder.put(file, printSet('urlset', 'url', part));
      parts.push({ url: `${site.url}/${file}`, changed: latest(part.map(({ changed }) => changed)) });
      part = [];
    };
    for (const page of pages) if (part.push(page) === most) close();
    close();
  }
  folder.put('sitemap.xml', printSet('sitemapindex', 'sitemap', parts));
}

function* lists(site: Site): Generator<readonly [string, Iterable<Page>]> {
  // Media have addresses, but little that is worth finding.
  for (const type of site.types.values())
    if (type.viewable && type.name !== 'attachment') yield [type.name, itemsOf(site, type.name)];
  const all = [...archives(site)];
  for (const { name } of site.taxonomies.values())
    yield [
      name,
      all
        .filter(({ term }) => term?.taxonomy === name)
        .map(({ path, where }) => ({ url: site.url + path, changed: newest(site, where) })),
    ];
  yield [
    'author',
    all.filter(({ author }) => author).map(({ path, where }) => ({ url: site.url + path, changed: newest(site, where) })),
  ];
}

/** The front page stands before the posts, unless it is one of the pages. */
function* itemsOf(site: Site, type: string): Generator<Page> {
  const view = publicView(site);
  if (type === 'post' && site.settings.value('front') !== 'page') yield { url: homeAddress(site), changed: newest(site, []) };
  for (const post of pagesOf(site, type)) {
    const url = view.link(post);
    yield { url: url === `${site.url}/` ? `${homeOf(site)}/` : url, changed: post.modifiedGmt };
  }
}

function newest(site: Site, where: Parameters<typeof posts>[1]): string {
  return latest(posts(site, where, most).map(({ modifiedGmt }) => modifiedGmt));
}

function printSet(set: string, row: string, pages: readonly Page[]): string {
  const rows = pages.map(({ url, changed }) =>
    element(row, element('loc', text(encoded(url))) + (changed === '' ? '' : element('lastmod', moment(changed)))),
  );
  const body = element(set, `\n${rows.join('\n')}\n`, { xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9' });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${body}\n`;
}

/** Addresses are pure ASCII here; slugs of hand-written files may not be. */
function encoded(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}
