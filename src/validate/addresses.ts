/**
 * What stands at an address of the site, told from its files alone: as the server finds it (`modules/permalinks/resolve-url.ts`), with the pages
 * that front ends make of terms, authors and dates.
 */
import { pathKey, queryKey } from '../kernel/model/aliases.ts';
import { encodedSlug } from '../kernel/model/slugs.ts';
import { belowPathAlias, withPathAlias } from '../modules/permalinks/address-book.ts';
import { pathBelow } from '../modules/permalinks/post-by-url.ts';
import { type AddressedItems, type AddressMatch, type AddressSetup, indexItems } from './addressed-items.ts';
import type { ParsedFile } from './parsed-file.ts';
import { isUrl } from '../kernel/model/addresses.ts';

export interface Addresses {
  /** The path (and the query) of an address of this site, below its home; null for addresses elsewhere. */
  own(address: string): { readonly path: string; readonly query: string } | null;
  /** @param path  with a leading slash, encoded or not */
  find(path: string, query: string): AddressMatch;
  /** The file of the page that has an address now; null: there is none that is sure. */
  pageAt(path: string): string | null;
  /** The item whose file stands at a place, and its address: null where files alone do not say it; and how that begins. */
  at(place: string): { readonly path: string; readonly address: string | null; readonly segment: string } | null;
  /** How addresses of the site begin: `//example.com`. */
  readonly hosts: readonly string[];
}

const maxAnswers = 100_000;
const there = { kind: 'there' } as const;
/** First segments that are not the content's: of the interface, of servers and of what they serve. */
const beyond = /^(?:[a-z]+-(?:json|admin|content|includes)|api|uploads|assets|static|_[\w-]*|index\.php|sitemap[\w-]*|search)$/;

export function createAddresses(setup: AddressSetup): Addresses {
  const items = indexItems(setup);
  const homes = items.homes.filter((home) => isUrl(home)).map((home) => new URL(home));
  /** Pages are linked to more than once. */
  const answers = new Map<string, AddressMatch>();

  return {
    own: (address) => ownPath(homes, address),
    find(path, query) {
      const key = `${path}?${query}`;
      const known = answers.get(key) ?? find(items, setup, path, query);
      if (answers.size < maxAnswers) answers.set(key, known);
      return known;
    },
    pageAt(path) {
      const asked = items.split(path);
      const key = pathKey(asked.path);
      const slug = key.slice(key.lastIndexOf('/') + 1);
      const isAt = (item: ParsedFile): boolean => pathKey(items.split(items.addressOf(item) ?? '').path) === key;
      const page = items
        .within(asked.segment)
        .named(slug)
        .find((item) => items.isReachable(item) && isAt(item));
      return page && key !== '' && !path.includes('?') ? page.entry.path : null;
    },
    at(place) {
      const item = items.byPlace.get(place);
      if (item?.kind !== 'post') return null;
      return { path: item.entry.path, address: items.addressOf(item), segment: items.segmentOf(item) };
    },
    hosts: homes.map((home) => `//${home.host}`),
  };
}

/** The part of an address below the home of the site; null for addresses elsewhere. */
function ownPath(homes: readonly URL[], address: string): ReturnType<Addresses['own']> {
  if (address.startsWith('/') && !address.startsWith('//')) return split(address);
  if (!/^(?:https?:)?\/\//i.test(address)) return null;
  const full = address.startsWith('//') ? `https:${address}` : address;
  if (!isUrl(full)) return null;
  const url = new URL(full);
  const path = pathBelow(homes, url);
  return path === null ? null : { path: path || '/', query: url.search.slice(1) };
}

function find(all: AddressedItems, { redirects }: AddressSetup, whole: string, query: string): AddressMatch {
  const { segment, path } = all.split(whole);
  const items = all.within(segment);
  const key = pathKey(path);
  const isRedirected = [key, pathKey(whole)].some((one) => redirects.has(one + queryKey(query)) || redirects.has(one));
  const id = /(?:^|&)(?:p|page_id|attachment_id)=(\d+)(?:&|$)/.exec(query)?.[1];
  if (id !== undefined && path === '/') {
    const item = items.byId.get(Number(id));
    return item ? (items.hidden(item) ?? there) : isRedirected ? there : { kind: 'unknown', near: undefined };
  }
  const segments = contentSegments(path);
  const last = segments.at(-1);
  if (last === undefined || beyond.test(segments[0] ?? '') || /\.(?!html?$)\w{1,8}$/.test(last) || isSuffix(['', last]))
    return there;
  return findBySlug(items, segments, last, isRedirected) ?? (isRedirected ? there : notFound(items, segments, last));
}

/** An item that has the address, or had it; of several the first that visitors meet. Null: there is none. */
function findBySlug(
  items: AddressedItems,
  segments: readonly string[],
  last: string,
  isRedirected: boolean,
): AddressMatch | null {
  const fitting = [...items.named(last), ...items.named(`~${last}`)].filter((item) => items.fits(item, segments));
  const item = fitting.find(items.isReachable);
  if (item) {
    const present = items.addressOf(item);
    const isMoved = present === null ? item.slug !== last : pathKey(items.split(present).path) !== pathKey(segments.join('/'));
    return !isMoved || isRedirected ? there : moved(items, withPathAlias(items, segments) ?? item);
  }
  if (isRedirected) return there;
  const once = withPathAlias(items, segments) ?? belowPathAlias(items, segments);
  if (once) return moved(items, once);
  return fitting[0] ? items.hidden(fitting[0]) : null;
}

/** Pages that front ends make of dates, types and terms are there; nothing else is. */
function notFound({ bases, named, nearest }: AddressedItems, segments: readonly string[], last: string): AddressMatch {
  const [first = '', ...rest] = segments;
  if (/^\d{4}$/.test(first) && rest.every((segment) => /^\d{1,2}$/.test(segment))) return there;
  if (bases.has(first) && rest.length === 0) return there;
  const inTaxonomy = named(`${first}:${last}`).length > 0 || named(`${first}:~${last}`).length > 0;
  if (rest.length > 0 && (inTaxonomy || first === 'type')) return there;
  return { kind: 'unknown', near: nearest(last) };
}

function moved(items: AddressedItems, item: ParsedFile): AddressMatch {
  return { kind: 'moved', to: items.addressOf(item), path: item.entry.path };
}

/** Segments of a path without those of lists, feeds and embeds at its end. */
function contentSegments(path: string): readonly string[] {
  const segments = path
    .split('/')
    .filter((segment) => segment !== '')
    .map(encodedSlug);
  while (segments.length > 1 && isSuffix(segments)) segments.splice(/^(?:page|feed)$/.test(segments.at(-2) as string) ? -2 : -1);
  return segments;
}

/** Pages of lists, feeds and embeds are there when what they are of is. */
function isSuffix(segments: readonly string[]): boolean {
  const [before, last] = [segments.at(-2) ?? '', segments.at(-1) ?? ''];
  return (
    /^(?:feed|embed|amp|trackback|comment-page-\d+)$/.test(last) ||
    (before === 'page' && /^\d+$/.test(last)) ||
    (before === 'feed' && /^(?:rss2?|atom|rdf)$/.test(last))
  );
}

function split(address: string): { readonly path: string; readonly query: string } {
  const [whole = ''] = address.split('#');
  const mark = whole.indexOf('?');
  return mark === -1 ? { path: whole || '/', query: '' } : { path: whole.slice(0, mark) || '/', query: whole.slice(mark + 1) };
}
