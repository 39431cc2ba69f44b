/**
 * What stands at an address of the site, told from its files alone: as the server finds it (`modules/permalinks/resolve-url.ts`), with the pages
 * that front ends make of terms, authors and dates.
 */
import { aliasKey, pathKey, queryKey } from '../kernel/model/aliases.ts';
import { parentPath, logicalPath, type PostRecord, settlePost } from '../modules/posts/record.ts';
import type { Draft, FileContext } from '../kernel/model/field.ts';
import { encodedSlug } from '../kernel/model/slugs.ts';
import type { Redirect } from '../modules/permalinks/redirects-file.ts';
import type { PostType } from '../modules/types/types.ts';
import type { Declarations } from './validate.ts';
import { hostOf } from '../modules/permalinks/post-by-url.ts';
import type { Speller } from './finding.ts';
import type { ParsedFile } from './parsed-file.ts';

export type AddressMatch =
  /** Nothing to say: it is there, or it is not for the content to say. */
  | { readonly kind: 'there' }
  /** A former address; `to` is the present one, null where it is not known for certain. */
  | { readonly kind: 'moved'; readonly to: string | null; readonly path: string }
  | { readonly kind: 'hidden'; readonly path: string; readonly why: string }
  | { readonly kind: 'unknown'; readonly near: string | undefined };

export interface Addresses {
  /** The path (and the query) of an address of this site, below its home; null for addresses elsewhere. */
  own(address: string): { readonly path: string; readonly query: string } | null;
  /** @param path  with a leading slash, encoded or not */
  find(path: string, query: string): AddressMatch;
  /** The file of the page that has an address now; null: there is none that is sure. */
  pageAt(path: string): string | null;
  /** The item whose file stands at a place, and its address: null where files alone do not say it. */
  at(place: string): { readonly path: string; readonly address: string | null } | null;
  /** How addresses of the site begin: `//example.com`. */
  readonly hosts: readonly string[];
}

interface Setup {
  readonly parsedFiles: readonly ParsedFile[];
  readonly model: Declarations;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly zone: string;
  readonly nowGmt: string;
  readonly spell: Speller;
  readonly redirects: readonly Redirect[];
}

const maxAnswers = 100_000;
const there = { kind: 'there' } as const;
/** First segments that are not the content's: of the interface, of servers and of what they serve. */
const beyond = /^(?:[a-z]+-(?:json|admin|content|includes)|api|uploads|assets|static|_[\w-]*|index\.php|sitemap[\w-]*|search)$/;

export function createAddresses({ parsedFiles, model, settings, zone, nowGmt, spell, redirects }: Setup): Addresses {
  const homes = [settings.url, settings.home].flatMap((home) =>
    typeof home === 'string' && URL.canParse(home) ? [new URL(home)] : [],
  );
  const types = new Map(model.types.filter(({ viewable }) => viewable).map((type) => [type.name, type]));
  const bySlug = new Map<string, ParsedFile[]>();
  const byPlace = new Map<string, ParsedFile>();
  const byId = new Map<number, ParsedFile>();
  const names = new Set<string>();
  const redirected = new Set(redirects.map(({ key }) => key));
  const terms = new Map(model.taxonomies.map(({ name, base }) => [name, base]));
  const put = (key: string, parsedFile: ParsedFile): void =>
    void (bySlug.get(key)?.push(parsedFile) ?? bySlug.set(key, [parsedFile]));
  for (const parsedFile of parsedFiles) {
    const { kind, of, slug, draft, entry } = parsedFile;
    const isPost = (kind === 'post' || kind === 'media') && types.has(of);
    if (!isPost && kind !== 'term' && kind !== 'user') continue;
    const space = isPost ? '' : `${kind === 'user' ? 'author' : terms.get(of)}:`;
    put(space + slug, parsedFile);
    for (const alias of (draft.aliases as readonly string[] | undefined) ?? [])
      put(`${space}~${isPost ? aliasKey(alias) : alias}`, parsedFile);
    if (!isPost) continue;
    byPlace.set(logicalPath(entry.path), parsedFile);
    if (typeof entry.data.id === 'number') byId.set(entry.data.id, parsedFile);
    names.add(slug);
  }
  const pattern = String(settings.permalink ?? '/{slug}/');
  const front = settings.front === 'page' ? pageNamed(settings.front_page) : undefined;
  /** Pages are linked to more than once. */
  const answers = new Map<string, AddressMatch>();
  const bases = new Set([...terms.values(), 'author', ...types.keys()]);

  return {
    own(address) {
      if (address.startsWith('/') && !address.startsWith('//')) return split(address);
      if (!/^(?:https?:)?\/\//i.test(address)) return null;
      const full = address.startsWith('//') ? `https:${address}` : address;
      if (homes.length === 0 || !URL.canParse(full)) return null;
      const host = hostOf(new URL(full));
      const home = homes.find((one) => hostOf(one) === host);
      if (!home) return null;
      const rest = full.replace(/^https?:\/\/[^/?#]*/i, '');
      const base = home.pathname.replace(/\/+$/, '');
      return base === '' || rest === base || rest.startsWith(`${base}/`) ? split(rest.slice(base.length)) : null;
    },
    find(path, query) {
      const key = `${path}?${query}`;
      const known = answers.get(key) ?? find(path, query);
      if (answers.size < maxAnswers) answers.set(key, known);
      return known;
    },
    pageAt(path) {
      const key = pathKey(path);
      const slug = key.slice(key.lastIndexOf('/') + 1);
      const page = (bySlug.get(slug) ?? []).find(
        (parsedFile) => !hidden(parsedFile) && pathKey(addressOf(parsedFile) ?? '') === key,
      );
      return page && key !== '' && !path.includes('?') ? page.entry.path : null;
    },
    at(place) {
      const parsedFile = byPlace.get(place);
      return parsedFile && parsedFile.kind === 'post' ? { path: parsedFile.entry.path, address: addressOf(parsedFile) } : null;
    },
    hosts: homes.map((home) => `//${home.host}`),
  };

  function find(path: string, query: string): AddressMatch {
    const key = pathKey(path);
    const isRedirected = redirected.has(key + queryKey(query)) || redirected.has(key);
    const found = findItem(path, query, isRedirected);
    return found.kind === 'unknown' && isRedirected ? there : found;
  }

  function findItem(path: string, query: string, isRedirected: boolean): AddressMatch {
    const id = /(?:^|&)(?:p|page_id|attachment_id)=(\d+)(?:&|$)/.exec(query)?.[1];
    if (id !== undefined && path === '/') {
      const parsedFile = byId.get(Number(id));
      return parsedFile ? (hidden(parsedFile) ?? there) : { kind: 'unknown', near: undefined };
    }
    const segments = path
      .split('/')
      .filter((segment) => segment !== '')
      .map(encodedSlug);
    while (segments.length > 1 && isSuffix(segments))
      segments.splice(segments.length >= 2 && /^(?:page|feed)$/.test(segments.at(-2) as string) ? -2 : -1);
    const [first = '', ...rest] = segments;
    const last = segments.at(-1);
    if (last === undefined || beyond.test(first) || /\.(?!html?$)\w{1,8}$/.test(last) || isSuffix(['', last])) return there;
    let secret: AddressMatch | undefined;
    const byPath = bySlug.get(`~/${segments.join('/')}`)?.find((parsedFile) => !hidden(parsedFile));
    for (const parsedFile of [...(bySlug.get(last) ?? []), ...(bySlug.get(`~${last}`) ?? [])]) {
      if (!fits(parsedFile, segments)) continue;
      secret ??= hidden(parsedFile) ?? undefined;
      if (hidden(parsedFile)) continue;
      const present = addressOf(parsedFile);
      const isMoved = present === null ? parsedFile.slug !== last : present !== `/${segments.join('/')}/`;
      if (!isMoved) return there;
      if (isRedirected) return there;
      return byPath ? moved(byPath) : { kind: 'moved', to: present, path: parsedFile.entry.path };
    }
    if (isRedirected) return there;
    const once = byPath ?? belowPathAlias(segments);
    if (once) return moved(once);
    if (secret) return secret;
    if (/^\d{4}$/.test(first) && rest.every((segment) => /^\d{1,2}$/.test(segment))) return there;
    if (bases.has(first) && rest.length === 0) return there;
    const inTaxonomy = bySlug.get(`${first}:${last}`) ?? bySlug.get(`${first}:~${last}`);
    if (rest.length > 0 && (inTaxonomy || first === 'type')) return there;
    const near = spell(last, names);
    return { kind: 'unknown', near: near === undefined ? undefined : nearestAddress(near) };
  }

  function moved(parsedFile: ParsedFile): AddressMatch {
    return { kind: 'moved', to: addressOf(parsedFile), path: parsedFile.entry.path };
  }

  /** What lies below a page that has an alias for a part of the path. */
  function belowPathAlias(segments: readonly string[]): ParsedFile | undefined {
    for (let length = segments.length - 1; length > 0; length--) {
      let at = bySlug
        .get(`~/${segments.slice(0, length).join('/')}`)
        ?.find((parsedFile) => types.get(parsedFile.of)?.hierarchical);
      for (const segment of segments.slice(length)) at = at && childNamed(at, segment);
      if (at && !hidden(at)) return at;
    }
    return undefined;
  }

  function childNamed({ entry }: ParsedFile, slug: string): ParsedFile | undefined {
    const place = logicalPath(entry.path);
    return [...(bySlug.get(slug) ?? []), ...(bySlug.get(`~${slug}`) ?? [])].find(
      (parsedFile) => parentPath(parsedFile.entry.path) === place,
    );
  }

  /** Whether an address with as many segments may be that of the item; in a hierarchy each must be a slug, present or former. */
  function fits(parsedFile: ParsedFile, segments: readonly string[]): boolean {
    const type = types.get(parsedFile.of) as PostType;
    const own = type.name === 'post' || type.name === 'page' || type.name === 'attachment' ? segments : segments.slice(1);
    if (own !== segments && segments[0] !== type.name) return false;
    if (type.name === 'attachment') return true;
    if (!type.hierarchical) return own.length === (type.name === 'post' ? pattern.split('/').filter(Boolean).length : 1);
    let at: ParsedFile | undefined = parsedFile;
    for (const segment of own.toReversed()) {
      if (!at || (at.slug !== segment && !((at.draft.aliases ?? []) as readonly string[]).includes(segment))) return false;
      at = byPlace.get(parentPath(at.entry.path));
    }
    return at === undefined;
  }

  /** Null where files alone do not say it. */
  function addressOf(parsedFile: ParsedFile): string | null {
    const type = types.get(parsedFile.of) as PostType;
    if (type.name === 'attachment') return null;
    if (type.name === 'post') return postAddress(parsedFile);
    if (parsedFile === front) return '/';
    const slugs = [parsedFile.slug];
    for (
      let at = type.hierarchical && byPlace.get(parentPath(parsedFile.entry.path));
      at;
      at = byPlace.get(parentPath(at.entry.path))
    )
      slugs.unshift(at.slug);
    return `/${[...(type.name === 'page' ? [] : [type.name]), ...slugs].join('/')}/`;
  }

  function postAddress(parsedFile: ParsedFile): string | null {
    if (/\{(?:category|author)\}/.test(pattern)) return null;
    if (pattern === '/{slug}/') return `/${parsedFile.slug}/`;
    const date = dateOf(parsedFile);
    const values: Record<string, string> = {
      slug: parsedFile.slug,
      id: String(parsedFile.entry.data.id ?? ''),
      year: date.slice(0, 4),
      month: date.slice(5, 7),
      day: date.slice(8, 10),
    };
    return `/${pattern.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole).replace(/^\/+|\/+$/g, '')}/`;
  }

  function dateOf({ draft, entry }: ParsedFile): string {
    const copy = { modified: '', ...draft } as unknown as Draft<PostRecord>;
    if (!copy.date) {
      copy.date = '';
      settlePost(copy, { path: entry.path, mtimeMs: entry.mtimeMs, zone } as FileContext, model.statuses);
    }
    return copy.date;
  }

  /** Why visitors do not meet it; null: they do. */
  function hidden({ kind, draft, entry: { path } }: ParsedFile): AddressMatch | null {
    if (kind === 'media') return null;
    const { status = 'publish', dateGmt = '' } = draft as Partial<PostRecord>;
    if ((status === 'publish' || status === 'future') && dateGmt > nowGmt)
      return { kind: 'hidden', path, why: `is scheduled for ${draft.date}` };
    if (status === 'future' || model.statuses.find(({ name }) => name === status)?.public) return null;
    return { kind: 'hidden', path, why: `has the status ${status}` };
  }

  function nearestAddress(slug: string): string | undefined {
    const parsedFile = bySlug.get(slug)?.[0];
    return parsedFile && (addressOf(parsedFile) ?? undefined);
  }

  function pageNamed(ref: unknown): ParsedFile | undefined {
    if (typeof ref === 'number') return byId.get(ref);
    return typeof ref === 'string' ? byPlace.get(`pages/${ref.replace(/^\/+|\/+$/g, '')}`) : undefined;
  }
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
