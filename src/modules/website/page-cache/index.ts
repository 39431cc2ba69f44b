/** The cache of documents of the whole site, such as pages, sitemaps and feeds: computed once per state of memory, also for concurrent requests. */
import { digestOf } from '../../../kernel/rest/serialized-json.ts';
import type { Page } from '../../../kernel/site/serving.ts';
import type { Site } from '../../../kernel/site/site.ts';

export interface Document {
  /** Media type. */
  readonly type: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** GMT of the last change; '' if unknown. */
  readonly changed: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface PageCache {
  /**
   * The page at a URL.
   * @param make  null: not found
   */
  at(address: string, make: () => Promise<Document | null>): Promise<Page | null>;
}

/** Maximum characters of cached bodies. */
const maxKept = 8 * 1024 * 1024;

export function createPageCache(site: Site): PageCache {
  const kept = new Map<string, Promise<Page | null>>();
  let state = '';
  let size = 0;
  return {
    at(address, make) {
      const present = stateOf(site);
      if (present !== state) {
        kept.clear();
        [state, size] = [present, 0];
      }
      const known = kept.get(address);
      if (known !== undefined) return known;
      const page = make().then((document) => document && pageOf(document));
      kept.set(address, page);
      page.then(
        (made) => {
          size += kept.get(address) === page ? (made?.body?.length ?? 0) + address.length : 0;
          if (made === null) forget(address, page);
          if (size > maxKept) kept.clear();
          if (kept.size === 0) size = 0;
        },
        () => forget(address, page),
      );
      return page;
    },
  };

  function forget(address: string, page: Promise<Page | null>): void {
    if (kept.get(address) === page) kept.delete(address);
  }
}

/** What documents depend on: records and settings, the site's URL, and the day, for calendars. */
function stateOf(site: Site): string {
  return `${site.records.generation} ${site.url} ${site.now().local.slice(0, 10)}`;
}

function pageOf({ type, body, changed, headers }: Document): Page {
  return {
    status: 200,
    headers: {
      'Content-Type': type,
      ETag: `"${digestOf(body)}"`,
      ...(changed === '' ? {} : { 'Last-Modified': new Date(`${changed}Z`).toUTCString() }),
      // Clients revalidate: a write is visible at once.
      'Cache-Control': 'no-cache',
      ...headers,
    },
    body,
  };
}
