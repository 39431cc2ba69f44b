/**
 * What stands at an address of the site, told from its files alone: by the functions that the server finds it with
 * (`modules/content/permalinks/resolve-url.ts`, `list-at.ts`), asked of the site that the files are (`file-site.ts`).
 */
import { pathKey } from '../modules/content/permalinks/aliases.ts';
import { isUrl } from '../kernel/model/addresses.ts';
import { encodedSlug } from '../kernel/model/slugs.ts';
import { splitPath } from '../kernel/rest/address-prefix.ts';
import { plainParams } from '../kernel/rest/args.ts';
import { parseQuery } from '../kernel/rest/params.ts';
import type { Site } from '../kernel/site/site.ts';
import { listAt } from '../modules/content/permalinks/list-at.ts';
import { pathBelow } from '../modules/content/permalinks/post-by-url.ts';
import { prettyLink, segmentsOf } from '../modules/content/permalinks/record.ts';
import { itemsAt, lookUp, wholeAt } from '../modules/content/permalinks/resolve-url.ts';
import { namedIn } from '../modules/content/posts/index.ts';
import type { PostRecord } from '../modules/content/posts/record.ts';
import { pagesAt } from '../modules/website/theme/serving.ts';
import { createFileSite, type FileSite, type FileSiteSetup } from './file-site.ts';
import type { Speller } from './finding.ts';
import type { ParsedFile } from './parsed-file.ts';
import { isPublic } from '../modules/types/record.ts';

type AddressMatch =
  /** Nothing to say: it is there, or it is not for the content to say. */
  | { readonly kind: 'there' }
  /** A former address; `to` is the present one, null where it is not known for certain. */
  | { readonly kind: 'moved'; readonly to: string | null; readonly path: string }
  | { readonly kind: 'hidden'; readonly path: string; readonly why: string }
  | { readonly kind: 'unknown'; readonly near: string | undefined };

interface AddressSetup extends FileSiteSetup {
  readonly spell: Speller;
}

export interface FolderAddresses {
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

export function createAddresses(setup: AddressSetup): FolderAddresses {
  return addressesOn(createFileSite(setup), setup.spell);
}

/** The same of a site whose items are known by their files. */
export function addressesOn(files: FileSite, spell: Speller): FolderAddresses {
  const { site } = files;
  const homes = ['home', 'url']
    .map((key) => site.settings.value(key))
    .flatMap((home) => (typeof home === 'string' && isUrl(home) ? [new URL(home)] : []));
  const finder = createFinder(files, spell);
  /** Pages are linked to more than once. */
  const answers = new Map<string, AddressMatch>();

  return {
    own: (address) => ownPath(homes, address),
    find(path, query) {
      const key = `${path}?${query}`;
      const known = answers.get(key) ?? finder.find(path, query);
      if (answers.size < maxAnswers) answers.set(key, known);
      return known;
    },
    pageAt(path) {
      if (path.includes('?')) return null;
      const items = itemsAt(site, splitPath(site, path)).map(files.fileOf);
      return items.find((item) => finder.addressOf(item) !== null && !hidden(files, item))?.entry.path ?? null;
    },
    at(place) {
      const item = files.byPlace.get(place);
      if (item?.kind !== 'post') return null;
      return { path: item.entry.path, address: finder.addressOf(item), segment: segmentsOf(site, files.recordOf(item)) };
    },
    hosts: homes.map((home) => `//${home.host}`),
  };
}

/** The part of an address below the home of the site; null for addresses elsewhere. */
function ownPath(homes: readonly URL[], address: string): ReturnType<FolderAddresses['own']> {
  if (address.startsWith('/') && !address.startsWith('//')) return split(address);
  if (!/^(?:https?:)?\/\//i.test(address)) return null;
  const full = address.startsWith('//') ? `https:${address}` : address;
  if (!isUrl(full)) return null;
  const url = new URL(full);
  const path = pathBelow(homes, url);
  return path === null ? null : { path: path || '/', query: url.search.slice(1) };
}

function createFinder(files: FileSite, spell: Speller) {
  const { site, recordOf, fileOf } = files;
  const pattern = site.settings.value('permalink') as string;
  /** As if all of it were public. */
  const whole: Site = { ...site, statuses: site.statuses.map((status) => ({ ...status, public: true })) };
  const bySlug = new Map([...files.byPlace.values()].map((item) => [item.slug, item]));
  const slugs = new Set(bySlug.keys());

  return { find, addressOf };

  function find(path: string, query: string): AddressMatch {
    const { prefix, path: below } = splitPath(site, path);
    const segments = contentSegments(below);
    const last = segments.at(-1);
    const params = plainParams(parseQuery(query), {});
    const isById = namedIn(params).length > 0;
    if (
      last === undefined ? !isById : beyond.test(segments[0] ?? '') || /\.(?!html?$)\w{1,8}$/.test(last) || isSuffix(['', last])
    )
      return there;
    const content = `${prefix}/${segments.map((segment) => `${segment}/`).join('')}`;
    const found = lookUp(site, path, params, query) ?? lookUp(site, content, params);
    if (found) return 'redirect' in found && found.of && !isById ? moved(found.of, content) : there;
    const place = splitPath(site, content);
    if (!isById && (listAt(site, place) || wholeAt(site, place) !== null || isElsewhere(segments))) return there;
    const once = lookUp(whole, content, params);
    const item = once && ('post' in once ? once.post : 'redirect' in once ? once.of : undefined);
    const why = item && hidden(files, fileOf(item));
    return why || { kind: 'unknown', near: isById ? undefined : nearest(last as string) };
  }

  /** A front end of its own may list more than the server does. */
  function isElsewhere([first, second]: readonly string[]): boolean {
    const lists = ['author', ...[...site.taxonomies.values()].map(({ base }) => base), ...site.types.keys()];
    return second === undefined && lists.includes(first as string) && pagesAt(site) !== 'theme';
  }

  function moved(item: PostRecord, content: string): AddressMatch {
    const file = fileOf(item);
    const to = addressOf(file);
    // What stands before the addresses of items need not be written.
    const isThere =
      to === null
        ? pathKey(content).endsWith(`/${item.slug}`)
        : pathKey(splitPath(site, to).path) === pathKey(splitPath(site, content).path);
    return isThere ? there : { kind: 'moved', to, path: file.entry.path };
  }

  /** Null where files alone do not say it. */
  function addressOf(item: ParsedFile): string | null {
    const record = recordOf(item);
    const above = item.of === 'attachment' ? site.posts.get(record.parent) : undefined;
    if (above && addressOf(fileOf(above)) === null) return null;
    const needsOthers =
      item.of === 'post' && (/\{(?:category|author)\}/.test(pattern) || (record.id < 0 && pattern.includes('{id}')));
    return needsOthers ? null : prettyLink(site, record);
  }

  /** Address of the item with the slug most like this one. */
  function nearest(slug: string): string | undefined {
    const item = bySlug.get(spell(slug, slugs) ?? '');
    return item && (addressOf(item) ?? undefined);
  }
}

/** Why visitors do not meet an item; null: they do. */
function hidden(files: FileSite, item: ParsedFile): AddressMatch | null {
  const { site, recordOf, fileOf } = files;
  const record = recordOf(item);
  const { path } = item.entry;
  if (item.kind === 'media') {
    const above = record.status === 'inherit' ? site.posts.get(record.parent) : undefined;
    return above ? hidden(files, fileOf(above)) : null;
  }
  if (record.status === 'future') return { kind: 'hidden', path, why: `is scheduled for ${record.date}` };
  if (isPublic(site.statuses, record.status)) return null;
  return { kind: 'hidden', path, why: `has the status ${record.status}` };
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
