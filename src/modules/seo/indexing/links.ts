/**
 * Links within the site: those that a text has, and how many lead to each object. They are told by addresses as they are now, so a
 * renamed page takes none of them along, and one that comes to an address finds those that waited for it.
 *
 * Source: reference of seo/v1, 3.11
 */
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';
import { paced } from '../../../kernel/scheduler.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { piecesOf, tagName } from '../../../render/html-tokenizer.ts';
import { decodeEntities } from '../../../render/text.ts';
import { createPostView } from '../../content/posts/index.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import { homeIn } from '../head/index.ts';
import type { TermRecord } from '../../content/terms/record.ts';
import type { IndexKey, ReadLinks } from './record.ts';
import type { IndexRows } from './rows.ts';
import { keyOf, objectOf } from './targets.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';

export interface LinkCounts {
  /** Links from an object to others of the site; null: its text has not been read. */
  from(key: IndexKey): number | null;
  to(key: IndexKey): number;
}

type Source = PostRecord | TermRecord;

/** Links of an object that were never read: its etag is nobody's. */
export const unread: ReadLinks = { etag: '', internal: [] };

/** What was counted in one state of the records, where every address leads to what it leads to. */
interface Count {
  readonly generation: number;
  readonly drops: number;
  readonly counted: Map<IndexKey, ReadLinks>;
  readonly to: Map<IndexKey, number>;
}

/**
 * Reads the texts that were not read as they are now, and counts.
 * Cost: a look at each row, and a look-up for each of its links that was not counted since the records changed.
 */
export function createLinkCounts(site: Site, rows: IndexRows): () => Promise<LinkCounts> {
  let count: Count | null = null;
  return async () => {
    const { generation } = site.records;
    const { drops } = rows;
    if (count?.generation !== generation || count.drops !== drops)
      count = { generation, drops, counted: new Map(), to: new Map() };
    const { counted, to } = count;
    for await (const [key, row] of paced([...rows.all()])) {
      if (!row.links || counted.get(key) === row.links) continue;
      const source = objectOf(site, key);
      if (!source) continue;
      const links = row.links.etag === source.etag ? row.links : await readLinks(site, source);
      if (counted.has(key)) continue;
      if (links !== row.links) rows.set(key, { ...row, links });
      counted.set(key, links);
      for (const address of links.internal) {
        const target = keyAt(site, source, address);
        if (target !== null) to.set(target, (to.get(target) ?? 0) + 1);
      }
    }
    return { from: (key) => counted.get(key)?.internal.length ?? null, to: (key) => to.get(key) ?? 0 };
  };
}

async function readLinks(site: Site, source: Source): Promise<ReadLinks> {
  const html = 'taxonomy' in source ? source.description : await contentOf(site, source);
  const address = addressOf(site, source);
  // A site that is not served may have no URL yet.
  if (!isUrl(address)) return { etag: '', internal: [] };
  const own = new URL(address);
  const internal = hrefsIn(html).filter((href) => isInternal(site, source, href) && !isOwn(href, own));
  return { etag: source.etag, internal };
}

async function contentOf(site: Site, post: PostRecord): Promise<string> {
  const view = createPostView(site, { user: null, word: (name) => name, unlocked: () => true });
  await view.prepare(post);
  return view.content(post);
}

/** Where the links of markup lead, as written. */
function hrefsIn(html: string): readonly string[] {
  if (!/<a\s/i.test(html)) return [];
  return piecesOf(html).flatMap(({ kind, raw }) => {
    if (kind !== 'tag' || tagName(raw) !== 'a') return [];
    const [, quoted, single, bare] = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(raw) ?? [];
    const href = decodeEntities(quoted ?? single ?? bare ?? '').trim();
    return href === '' ? [] : [href];
  });
}

/** Without a host, or with that of the site and below its home in the language of the text. */
function isInternal(site: Site, source: Source, href: string): boolean {
  if (!/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(href)) return true;
  const home = new URL(homeOf(site, source));
  if (!isUrl(href, home.href)) return false;
  const url = new URL(href, home);
  const isOfWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return isOfWeb && plainHost(url) === plainHost(home) && `${url.pathname}/`.startsWith(home.pathname);
}

/** Nothing but a place on a page, or the page itself. */
function isOwn(href: string, own: URL): boolean {
  if (/^[#?]/.test(href) || !isUrl(href, own.href)) return true;
  return trimmed(new URL(href, own).pathname) === trimmed(own.pathname);
}

/** The object at an address that a text names; null for none. */
function keyAt(site: Site, source: Source, href: string): IndexKey | null {
  const home = new URL(homeOf(site, source));
  const target = site.heads.targetAt(home.origin + new URL(href, home).pathname);
  return target && keyOf(target);
}

function homeOf(site: Site, source: Source): string {
  return homeIn(site, (source as { readonly lang?: string }).lang || undefined);
}

function addressOf(site: Site, source: Source): string {
  return site.heads.addressOf('taxonomy' in source ? { kind: 'term', term: source } : { kind: 'post', post: source });
}

const plainHost = ({ host }: URL): string => host.replace(/^www\./, '');
const trimmed = (path: string): string => withoutTrailing(path, '/');
