/** Sitemaps as XML. Source: sitemaps.org protocol 0.9, with the extensions for images and languages. */
import { paced } from '../../../kernel/scheduler.ts';
import { createXml } from '../../../render/xml.ts';
import type { Alternate } from './record.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';

export interface PageRow {
  readonly url: string;
  /** GMT; '' if unknown. */
  readonly changed: string;
  readonly alternates?: readonly Alternate[];
  readonly pictures?: readonly string[];
}

const { element, text } = createXml();

export function printIndex(parts: readonly PageRow[]): Promise<string> {
  return printList('sitemapindex', 'sitemap', parts, {});
}

export function printPages(pages: readonly PageRow[]): Promise<string> {
  const isAny = (of: (page: PageRow) => readonly unknown[] | undefined): boolean => pages.some((page) => of(page)?.length);
  return printList('urlset', 'url', pages, {
    'xmlns:image': isAny(({ pictures }) => pictures) ? 'http://www.google.com/schemas/sitemap-image/1.1' : undefined,
    'xmlns:xhtml': isAny(({ alternates }) => alternates) ? 'http://www.w3.org/1999/xhtml' : undefined,
  });
}

/** In slices: a thousand pages with images take a while. */
async function printList(
  list: string,
  row: string,
  pages: readonly PageRow[],
  namespaces: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const rows: string[] = [];
  for await (const { url, changed, alternates = [], pictures = [] } of paced(pages)) {
    const printed = element(
      row,
      [
        element('loc', text(encoded(url))),
        ...(changed === '' ? [] : [element('lastmod', `${changed}Z`)]),
        ...alternates.map(({ hreflang, url: href }) =>
          element('xhtml:link', undefined, { rel: 'alternate', hreflang, href: encoded(href) }),
        ),
        ...pictures.map((picture) => element('image:image', element('image:loc', text(encoded(picture))))),
      ].join(''),
    );
    rows.push(printed);
  }
  const body = element(list, ['', ...rows, ''].join('\n'), {
    xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9',
    ...namespaces,
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${body}\n`;
}

/** URLs are ASCII; hand-written slugs may not be. */
function encoded(url: string): string {
  return isUrl(url) ? new URL(url).href : url;
}
