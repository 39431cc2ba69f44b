/**
 * Counts and dates the pages in sitemaps: one walk over public items per state of memory, in slices. Stores only ids; the content of a sitemap page
 * is read when printed.
 */
import { prefixOf } from '../../../kernel/rest/address-prefix.ts';
import type { Task } from '../../../kernel/scheduler.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { isPublic, segmentsOf } from '../../content/permalinks/record.ts';
import { type PostRecord, isProtected } from '../../content/posts/record.ts';
import { archiveSlug, type PostType } from '../../types/record.ts';
import type { DiscoverySource } from './record.ts';

/** URLs per sitemap, as in common plugins. The protocol allows fifty times as many. */
export const perPage = 1000;

/** Items of a type or taxonomy, or authors, with the same URL prefix. */
export interface Section {
  /** `/de`, or ''. */
  readonly prefix: string;
  readonly kind: 'post' | 'term' | 'author';
  /** Of the type or taxonomy; `author`. */
  readonly name: string;
  /** GMT of the last change of the list page before them (front page or archive). Null: none. */
  readonly list: string | null;
  /** Ascending. */
  readonly ids: readonly number[];
  /** GMT of the last change, per page. */
  readonly changed: readonly string[];
}

export interface SitemapInventory {
  readonly sections: readonly Section[];
  /** Last change in the archive of a term, or of an author below a prefix. */
  changedIn(section: Section, id: number): string;
}

/** A section during the count. */
interface Count {
  readonly ids: number[];
  readonly changed: string[];
}

interface Counts {
  /** By prefix and type. */
  readonly posts: Map<string, Map<string, Count>>;
  /** By prefix: of posts, for the front page and authors. */
  readonly newest: Map<string, string>;
  readonly authors: Map<string, Map<number, string>>;
  readonly terms: Map<number, string>;
}

/** Cost: two microseconds per post. */
export function* takeInventory(site: Site): Task<SitemapInventory> {
  const counts: Counts = { posts: new Map(), newest: new Map(), authors: new Map(), terms: new Map() };
  const types = [...site.types.values()].filter(isListedType);
  let steps = 0;
  for (const type of types)
    for (const id of yield* ascending(site.posts.with('type', type.name))) {
      if (++steps % 64 === 0) yield;
      const post = site.posts.get(id);
      if (post && isPublic(site, post)) count(site, type, post, counts);
    }
  const standard = prefixOf(site, '', {});
  const prefixes = [...new Set([standard, ...[...counts.posts.keys()].sort()])];
  const terms = yield* listedTerms(site, counts);
  const sections = prefixes.flatMap((prefix) => [
    ...types.map((type) => postSection(site, type, prefix, counts)),
    ...[...site.taxonomies.keys()].map((name) =>
      datedSection({ prefix, kind: 'term', name }, terms.get(`${prefix} ${name}`) ?? [], counts.terms),
    ),
    authorSection(site, prefix, counts),
  ]);
  return {
    sections: sections.filter(({ ids, list }) => ids.length > 0 || list !== null),
    changedIn: ({ kind, prefix }, id) => (kind === 'term' ? counts.terms : counts.authors.get(prefix))?.get(id) ?? '',
  };
}

function* ascending(ids: ReadonlySet<number>): Task<Uint32Array> {
  const all = new Uint32Array(ids.size);
  let at = 0;
  for (const id of ids) {
    all[at++] = id;
    if (at % 1024 === 0) yield;
  }
  return all.sort();
}

/** Number of sitemaps of a section. */
export function pagesOf({ ids, list }: Section): number {
  return Math.ceil((ids.length + (list === null ? 0 : 1)) / perPage);
}

/** Whether sitemaps include a public post. */
export function isListed(site: Site, post: PostRecord): boolean {
  return !isProtected(post) && !hides(site, post, (source) => source.hidesPost?.(post));
}

/** Whether a module keeps a page from search engines. One that cannot say so does. */
export function hides(site: Site, of: object, ask: (source: DiscoverySource) => boolean | undefined): boolean {
  return site.spare.ofMember(
    'what search engines are told of it',
    of,
    () => site.discovery.some((source) => ask(source) === true),
    true,
  );
}

/** GMT of the last visible change of a post's page. */
export function changedAt({ dateGmt, modifiedGmt }: Pick<PostRecord, 'dateGmt' | 'modifiedGmt'>): string {
  return dateGmt > modifiedGmt ? dateGmt : modifiedGmt;
}

/** Media are excluded: their pages have little content. */
function isListedType({ viewable, name }: PostType): boolean {
  return viewable && name !== 'attachment';
}

function count(site: Site, type: PostType, post: PostRecord, { posts, newest, authors, terms }: Counts): void {
  const prefix = segmentsOf(site, post);
  const at = changedAt(post);
  if (type.name === 'post') {
    raise(newest, prefix, at);
    raise(
      within(authors, prefix, () => new Map<number, string>()),
      post.author,
      at,
    );
  }
  for (const taxonomy in post.terms) for (const id of post.terms[taxonomy] ?? []) raise(terms, id, at);
  if (!isListed(site, post)) return;
  const own = within(posts, prefix, () => new Map<string, Count>());
  const { ids, changed } = within(own, type.name, () => ({ ids: [], changed: [] }));
  const place = ids.length + (hasList(site, type) ? 1 : 0);
  const page = Math.floor(place / perPage);
  ids.push(post.id);
  if (at > (changed[page] ?? '')) changed[page] = at;
}

function* listedTerms(site: Site, { terms }: Counts): Task<ReadonlyMap<string, readonly number[]>> {
  const found = new Map<string, number[]>();
  let steps = 0;
  for (const id of [...terms.keys()].sort((a, b) => a - b)) {
    if (++steps % 64 === 0) yield;
    const term = site.terms.get(id);
    const taxonomy = term && site.taxonomies.get(term.taxonomy);
    if (!term || !taxonomy?.public || taxonomy.base === null) continue;
    if (hides(site, term, (source) => source.hidesTerm?.(term))) continue;
    within(found, `${segmentsOf(site, term)} ${term.taxonomy}`, () => []).push(id);
  }
  return found;
}

function postSection(site: Site, type: PostType, prefix: string, { posts, newest }: Counts): Section {
  const { ids, changed } = posts.get(prefix)?.get(type.name) ?? { ids: [], changed: [] };
  // Last changes of the front page and of archives follow their newest items.
  const shown = archiveSlug(type) === '' ? (newest.get(prefix) ?? '') : latest(changed);
  const list = hasList(site, type) && (ids.length > 0 || archiveSlug(type) === '') ? shown : null;
  if (list && list > (changed[0] ?? '')) changed[0] = list;
  return { prefix, kind: 'post', name: type.name, list, ids, changed };
}

function authorSection(site: Site, prefix: string, { authors }: Counts): Section {
  const found = authors.get(prefix) ?? new Map<number, string>();
  const ids = [...found.keys()]
    .sort((a, b) => a - b)
    .filter((id) => {
      const user = site.users.get(id);
      return user !== undefined && !hides(site, user, (source) => source.hidesAuthor?.(user));
    });
  return datedSection({ prefix, kind: 'author', name: 'author' }, ids, found);
}

function datedSection(
  section: Pick<Section, 'prefix' | 'kind' | 'name'>,
  ids: readonly number[],
  dates: ReadonlyMap<number, string>,
): Section {
  const changed: string[] = [];
  for (const [at, id] of ids.entries()) {
    const page = Math.floor(at / perPage);
    const date = dates.get(id) ?? '';
    if (date > (changed[page] ?? '')) changed[page] = date;
  }
  return { ...section, list: null, ids, changed };
}

/** The front page comes before the pages, unless it is one of them; an archive before its items. */
function hasList(site: Site, type: PostType): boolean {
  if (type.name === 'page') return site.settings.value('front') !== 'page';
  return archiveSlug(type) !== '' && !hides(site, type, (source) => source.hidesArchive?.(type));
}

export function latest(moments: Iterable<string>): string {
  let last = '';
  for (const moment of moments) if (moment > last) last = moment;
  return last;
}

function raise<K>(dates: Map<K, string>, key: K, date: string): void {
  if (date > (dates.get(key) ?? '')) dates.set(key, date);
}

function within<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
