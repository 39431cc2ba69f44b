/**
 * Links inside content that comes from elsewhere: what led to the old site leads to the new one. Addresses become
 * root-relative, `/uploads/2026/03/cat.jpg` and `/about/`, which read well in a file and hold wherever the site is served.
 *
 * An address of a page that is read as text, not followed as a link, stays: `/about/` would tell a reader less.
 *
 * A rewritten text is not changed by a second run, unless the new address of one thing was the former one of another.
 */
import { domainToUnicode } from 'node:url';
import { derivedName, type Sizing } from '../../modules/media/files/image-sizes.ts';
import { stem } from '../../modules/media/files/names.ts';
import { standardSizes } from '../../modules/media/files/sizes.ts';
import { uploadsRoot } from '../../kernel/store/paths.ts';
import { createFinder, type FoundAddress, partsOf, plainPath, withoutPunctuation } from './addresses.ts';

interface LinksOptions {
  /** Which sizes the site makes of pictures: a link to another one leads to the whole picture. The standard ones, if not said. */
  readonly sizing?: Sizing;
}

interface Rewritten {
  /** The same string when nothing was found. */
  readonly text: string;
  /** Addresses of files and of pages that were changed. */
  readonly files: number;
  readonly pages: number;
  /** Addresses of the old site that nothing is known of, the first ones. */
  readonly unknown: readonly string[];
}

export interface LinkRewriter {
  /** An address the site had. `http` and `https`, with and without `www.` are the same. */
  address(url: string): void;
  /** An address below which its files were. */
  uploads(url: string): void;
  /** @param from  absolute or root-relative; with a query where that says which page it is (`https://example.com/?p=7`) */
  page(from: string, to: string): void;
  /**
   * @param from  path below the source's uploads, or an absolute address
   * @param to  path below the uploads here: `2026/03/cat.jpg`
   */
  file(from: string, to: string): void;
  rewrite(text: string): Rewritten;
  /** Whether it is known where an address of the old site leads now. */
  knows(address: string): boolean;
  /** Addresses under the old site that nothing is known of: all in all, and the first ones as they were written. */
  unknown(): { readonly count: number; readonly first: readonly string[] };
}

const usualSizing: Sizing = { sizes: standardSizes, format: 'original', quality: undefined };
const shownUnknown = 10;
const notedUnknown = 50;
/** A source that names more hosts as its own is none to follow. */
const maxHosts = 500;

/** A place on the web by host and path, without a slash at its end. */
interface Base {
  readonly host: string;
  readonly path: string;
}

/** What is known of the old site, and of the new one. */
interface LinkMap {
  readonly sizing: Sizing;
  readonly sites: Base[];
  readonly folders: Base[];
  /** Host and path with what of the query matters → new URL; and the same without the host. */
  readonly pages: Map<string, string>;
  readonly localPages: Map<string, string>;
  /** Path below the uploads, or host and path → path below our uploads; and for names before files were resized, rotated or edited. */
  readonly files: Map<string, string>;
  readonly formerFiles: Map<string, string>;
  readonly hosts: Set<string>;
  readonly unknown: { count: number; readonly first: string[] };
  /** Made of the hosts and folders; undefined when these have changed. */
  find: ((text: string) => Generator<FoundAddress>) | undefined;
}

export function createLinks({ sizing = usualSizing }: LinksOptions = {}): LinkRewriter {
  const map: LinkMap = {
    sizing,
    sites: [],
    folders: [],
    pages: new Map(),
    localPages: new Map(),
    files: new Map(),
    formerFiles: new Map(),
    hosts: new Set(),
    unknown: { count: 0, first: [] },
    find: undefined,
  };
  return {
    address: (url) => addBase(map, url, map.sites),
    uploads: (url) => addBase(map, url, map.folders),
    page: (from, to) => addPage(map, from, to),
    file: (from, to) => addFile(map, from, to),
    rewrite: (text) => rewrite(map, text),
    knows: (address) => [...finderOf(map)(address)].some((found) => typeof targetOf(map, withBlanks(map, found)) === 'object'),
    unknown: () => ({ count: map.unknown.count, first: [...map.unknown.first] }),
  };
}

function addBase(map: LinkMap, url: string, bases: Base[]): void {
  const parts = partsOf(url);
  if (!parts) return;
  const path = bare(parts.path);
  for (const host of addHost(map, parts.host)) {
    if (!bases.some((base) => base.host === host && base.path === path)) bases.push({ host, path });
  }
  map.find = undefined;
}

/** URLs of the host are looked for. @returns its spellings */
function addHost(map: LinkMap, host: string): readonly string[] {
  const { hosts } = map;
  if (hosts.has(host) || hosts.size >= maxHosts) return [host];
  const unicode = domainToUnicode(host);
  const spellings = unicode === '' || unicode === host ? [host] : [host, unicode];
  for (const one of spellings) hosts.add(one);
  map.find = undefined;
  return spellings;
}

function addPage(map: LinkMap, from: string, to: string): void {
  const parts = partsOf(from) ?? {
    host: '',
    path: plainPath(from.replace(/[?#].*$/s, '')),
    rest: /[?#].*$/s.exec(from)?.[0] ?? '',
  };
  const key = bare(parts.path) + (askedOf(parts.rest) ?? '');
  if (!map.localPages.has(key)) map.localPages.set(key, to);
  if (parts.host === '') return;
  map.pages.set(parts.host + key, to);
  addHost(map, parts.host);
}

function addFile(map: LinkMap, from: string, to: string): void {
  const parts = partsOf(from);
  if (parts) addHost(map, parts.host);
  const key = parts ? parts.host + parts.path : plainPath(from).replace(/^\/+/, '');
  map.files.set(key, to);
  for (const name of formerNames(key)) if (!map.formerFiles.has(name)) map.formerFiles.set(name, to);
}

function finderOf(map: LinkMap): NonNullable<LinkMap['find']> {
  map.find ??= createFinder({ hosts: map.hosts, folders: map.folders.map(({ path }) => path) });
  return map.find;
}

function rewrite(map: LinkMap, text: string): Rewritten {
  const pieces: string[] = [];
  const counted = { files: 0, pages: 0 };
  const unknown: string[] = [];
  let done = 0;
  for (const first of finderOf(map)(text)) {
    if (first.start < done) continue;
    const found = withBlanks(map, first);
    const target = targetOf(map, found);
    if (target === 'unknown') {
      if (found.role === 'text' && !isOfFolder(map, found)) continue;
      const written = text.slice(found.start, found.end).slice(0, 300);
      map.unknown.count++;
      if (map.unknown.first.length < shownUnknown) map.unknown.first.push(written);
      if (unknown.length < notedUnknown) unknown.push(written);
    }
    if (typeof target === 'string' || (found.role === 'text' && target.kind === 'pages')) continue;
    const before = text.slice(found.start, found.end);
    const written = spelled(target.address, found, text) + target.left;
    if (written === before) continue;
    counted[target.kind]++;
    const isAuto = found.role === 'autolink';
    pieces.push(text.slice(done, found.start - (isAuto ? 1 : 0)));
    // Angle brackets may only contain absolute URLs.
    pieces.push(isAuto ? `[${target.kind === 'pages' ? before : written}](${written})` : written);
    done = found.end + (isAuto ? 1 : 0);
  }
  return { text: pieces.length === 0 ? text : pieces.join('') + text.slice(done), ...counted, unknown };
}

/** An address whose name goes on behind a blank, where that is the name of a file. */
function withBlanks(map: LinkMap, found: FoundAddress): FoundAddress {
  const { longer, host } = found;
  return longer && fileAt(map, host, plainPath(longer.path)) !== null ? { ...found, ...longer } : found;
}

/** Where a URL leads now; `left`: what of it is punctuation. 'other': not of the site. */
function targetOf(map: LinkMap, { host, path, rest, isProxied }: FoundAddress): LinkTarget | 'unknown' | 'other' {
  for (const written of new Set([path, withoutPunctuation(path)])) {
    const plain = plainPath(written);
    const left = path.slice(written.length) + rest;
    const file = fileAt(map, host, plain);
    if (file !== null)
      return { kind: 'files', address: uploadAddress(file), left: isProxied ? path.slice(written.length) : left };
    const place = bare(plain);
    const asked = askedOf(rest);
    const page = asked === null ? null : pageAt(map, host, place + asked, place);
    if (page !== null) return { kind: 'pages', address: page, left: /(?<!&)#.*$/s.exec(rest)?.[0] ?? '' };
    const plainPage = pageAt(map, host, place, place) ?? homeAt(map, host, place, rest);
    if (plainPage !== null) return { kind: 'pages', address: plainPage, left };
    const other = otherSpelling(map, host, place, rest);
    if (other !== null) return { kind: 'pages', address: other, left };
  }
  const isSite = host !== null && map.sites.some((base) => base.host === host && isBelow(plainPath(path), base.path));
  return isSite || isOfFolder(map, { host, path }) ? 'unknown' : 'other';
}

/**
 * A page whose address is written in another way: with the name of the program that answered it, `/index.php/about/`, or with the
 * number of a page of its list, `/news/page/2/`, which goes on here.
 */
function otherSpelling(map: LinkMap, host: string | null, place: string, rest: string): string | null {
  const program = map.sites.find(({ path }) => isBelow(place, `${path}/index.php`))?.path;
  const plain = program === undefined ? place : program + place.slice(program.length + '/index.php'.length);
  const [, listed = plain, number = ''] = /^(.*)\/page\/(\d{1,6})$/s.exec(plain) ?? [];
  if (plain === place && number === '') return null;
  const page = pageAt(map, host, listed, listed) ?? homeAt(map, host, listed, rest);
  if (page === null || number === '') return page;
  return page.endsWith('/') ? `${page}page/${number}/` : page;
}

function isOfFolder({ folders }: LinkMap, { host, path }: Pick<FoundAddress, 'host' | 'path'>): boolean {
  return folders.some((folder) => isAt(folder, host) && isBelow(plainPath(path), folder.path));
}

function fileAt(map: LinkMap, host: string | null, path: string): string | null {
  const direct = host === null ? null : uploadAt(map, host + path);
  if (direct !== null) return direct;
  for (const folder of map.folders) {
    if (!isAt(folder, host) || !path.startsWith(`${folder.path}/`)) continue;
    const found = uploadAt(map, path.slice(folder.path.length + 1));
    if (found !== null) return found;
  }
  return null;
}

/** @param key  path with what of the query says which page it is */
function pageAt({ sites, pages, localPages }: LinkMap, host: string | null, key: string, path: string): string | null {
  const isSite = host === null || sites.some((base) => base.host === host && isBelow(path, base.path));
  for (const one of [key, key.toLowerCase()]) {
    const found = (host === null ? undefined : pages.get(host + one)) ?? (isSite ? localPages.get(one) : undefined);
    if (found !== undefined) return found;
  }
  return null;
}

/** The front page with a query is something else: a search, a preview. */
function homeAt({ sites }: LinkMap, host: string | null, path: string, rest: string): string | null {
  return !rest.startsWith('?') && sites.some((base) => base.host === host && base.path === path) ? '/' : null;
}

/** A file, or the size of one that is asked for. */
function uploadAt({ files, formerFiles, sizing }: LinkMap, key: string): string | null {
  const exact = files.get(key);
  if (exact !== undefined) return exact;
  const size = /^(.+)-(\d{1,5})x(\d{1,5})(\.[a-z\d]+)$/i.exec(key);
  const whole = size ? `${size[1]}${size[4]}` : key;
  for (const name of [whole, ...formerNames(whole)]) {
    const found = files.get(name) ?? formerFiles.get(name);
    if (found === undefined) continue;
    const end = size ? { width: Number(size[2]), height: Number(size[3]) } : /-(scaled|rotated)\.[^./]+$/.exec(whole)?.[1];
    return end === undefined ? found : sizeOf(found, end as Parameters<typeof derivedName>[1], sizing);
  }
  return null;
}

function sizeOf(path: string, end: Parameters<typeof derivedName>[1], sizing: Sizing): string {
  const at = path.lastIndexOf('/') + 1;
  const name = derivedName(path.slice(at), end, sizing);
  return name === null ? path : path.slice(0, at) + name;
}

interface LinkTarget {
  readonly kind: 'files' | 'pages';
  readonly address: string;
  readonly left: string;
}

/** `cat-scaled.jpg` and `cat-e1699000000000.jpg` were once `cat.jpg`. */
function formerNames(path: string): readonly string[] {
  const base = stem(path);
  const reduced = base.replace(/-(?:scaled|rotated)$/, '');
  const unedited = reduced.replace(/-e\d{10,14}$/, '');
  return [...new Set([reduced, unedited])].filter((name) => name !== base).map((name) => name + path.slice(base.length));
}

/** What of a query says which page is meant: a number, by whichever of its names, else all of it. Null for no query. */
function askedOf(rest: string): string | null {
  const query = rest.replace(/(?<!&)#.*$/s, '').replace(/&(?:amp|#0?38);|\\u0026/gi, '&');
  const id = /[?&](?:p|page_id|attachment_id)=(\d+)(?!\d)/.exec(query)?.[1];
  if (id !== undefined) return `?p=${id}`;
  return query.startsWith('?') ? query : null;
}

/** Whether a base can be meant; a root-relative address can only be told by a path. */
function isAt(base: Base, host: string | null): boolean {
  return host === null ? base.path !== '' : base.host === host;
}

function bare(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

function isBelow(path: string, base: string): boolean {
  return path === base || path.startsWith(`${base}/`);
}

/** @param path  below the uploads here */
export function uploadAddress(path: string): string {
  const encode = (name: string): string =>
    encodeURIComponent(name).replace(/['()]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
  return `${uploadsRoot}/${path.split('/').map(encode).join('/')}`;
}

/** An address as the place asks for where it stands. */
function spelled(address: string, { start, path, isEscaped }: FoundAddress, text: string): string {
  const isComment = address.includes('--') && (path.includes('\\u002d') || isInComment(text, start));
  // A comment cannot hold two dashes.
  const safe = isComment ? address.replaceAll('--', '\\u002d\\u002d') : address;
  return isEscaped ? safe.replaceAll('/', '\\/') : safe;
}

/** Whether a place is within a delimiter of a block, which is a comment. */
function isInComment(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 20_000), at);
  return before.lastIndexOf('<!--') > before.lastIndexOf('-->');
}
