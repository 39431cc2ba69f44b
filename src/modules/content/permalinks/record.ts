/**
 * Addresses of posts and terms, relative to the site and with a leading slash.
 */
import { table } from '../../../kernel/model/maps.ts';
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';
import { statusInForce } from '../../people/accounts/record.ts';
import type { PostRecord } from '../posts/record.ts';
import { pathKey } from '../../../kernel/model/aliases.ts';
import { slugify } from '../../../kernel/model/slugs.ts';
import { itemParams, itemPrefix } from '../../../kernel/rest/address-prefix.ts';
import { dialects } from '../../../kernel/rest/dialect.ts';
import { uploadsRoot } from '../../../kernel/store/paths.ts';
import type { Clause } from '../../../kernel/records/types.ts';
import type { Params } from '../../../kernel/rest/request.ts';
import type { RedirectStatus } from './redirects-file.ts';
import type { TermRecord } from '../terms/record.ts';
import { ancestors, archiveSlug, type PostType, type Taxonomy } from '../../types/record.ts';
import type { Site } from '../../../kernel/site/site.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly addresses: Addresses;
    /** The id of the item that stands in for another one in calls with these parameters, or the id itself: a page's translation. */
    readonly counterpart?: (table: 'posts' | 'terms', id: number, params: Params) => number;
  }
}

/** What is where on the site, for those that addresses are made of. */
export interface Addresses {
  /** Whether the item is the front page or the page of posts, in its language. */
  isSettingPage(post: Pick<PostRecord, 'id'>): boolean;
  /** As `lookUp`, of the address of an item: what has other segments before its own is something else, and not meant by it. */
  within(address: string): ResolvedUrl | null;
  /** Items at the path asked for: one of the site, or a whole address of it; several in a list. Without one, no clause. */
  postsAsked(params: Params): Clause[];
  termsAsked(params: Params): Clause[];
}

export type ResolvedUrl =
  | { readonly post: PostRecord }
  /** A path of the site with a leading slash to an item, or, where `redirects.yaml` says so, any address. */
  | { readonly redirect: string; readonly status: Exclude<RedirectStatus, 410>; readonly of?: PostRecord }
  /** `redirects.yaml` says that nothing is there any more. */
  | { readonly gone: true };

/** A plan of a site has no modules, which may have segments before the addresses of items. */
type Addressed = Pick<Site, 'posts' | 'terms' | 'users' | 'types' | 'taxonomies' | 'statuses' | 'settings' | 'refs'> &
  Partial<Pick<Site, 'modules'>>;

/** The segments before the address of an item: `/de`, or none. */
export function segmentsOf(site: Addressed, record: PostRecord | TermRecord): string {
  return site.modules && site.modules.address.length > 0 ? itemPrefix(site as Site, record) : '';
}

/** The address that needs no permalinks: `/?p=7`, `/?page_id=7`. */
export function plainLink(site: Addressed, post: PostRecord): string {
  return segmentsOf(site, post) + plainPath(post);
}

function plainPath(post: PostRecord): string {
  if (post.type === 'post' || isInternal(post)) return `/?p=${post.id}`;
  if (post.type === 'page') return `/?page_id=${post.id}`;
  if (post.type === 'attachment') return `/?attachment_id=${post.id}`;
  return `/?post_type=${post.type}&p=${post.id}`;
}

/** Patterns, block menus and the like, which nobody visits: their addresses are made as those of posts (observed). */
function isInternal({ type }: PostRecord): boolean {
  return type.startsWith('cms_');
}

/** The address of a public state of the post, whatever its status is. */
export function prettyLink(site: Addressed, post: PostRecord): string {
  return segmentsOf(site, post) + pathOf(site, post);
}

/** First segments of what the site itself answers: its interface, in both spellings, and its files. */
const ownSegments: ReadonlySet<string> = new Set([...dialects.map(({ root }) => root), uploadsRoot].map((root) => root.slice(1)));

/**
 * Whether the site itself answers an address, whatever item has it: nobody meets that there.
 * @param path  without segments before it that stand for a language
 */
export function isSiteAddress(path: string): boolean {
  const segments = path.split('/').filter((segment) => segment !== '');
  return ownSegments.has(segments[0] ?? '') || segments.at(-1) === 'feed';
}

/** The same without segments before it: what aliases and patterns say. */
export function pathOf(site: Addressed, post: PostRecord): string {
  if (post.type === 'post' || isInternal(post)) return template(site, post, site.settings.value('permalink') as string);
  if (post.type === 'attachment') return mediaLink(site, post);
  if (post.type === 'page') {
    return isFront(site, post) ? '/' : `/${hierarchy(site, post)}/`;
  }
  const type = site.types.get(post.type);
  if (!type?.viewable) return plainPath(post);
  return `/${type.name}/${type.hierarchical ? hierarchy(site, post) : post.slug}/`;
}

function isFront(site: Addressed, post: PostRecord): boolean {
  if (site.settings.value('front') !== 'page') return false;
  const params = site.modules ? itemParams(site as Site, post) : undefined;
  return settingPage(site, 'front_page', params) === post.id;
}

/** Whether everyone (or, for private ones, whoever may read it) meets the post under its pretty address. */
export function hasPrettyLink(site: Addressed, post: PostRecord, mayRead: boolean): boolean {
  if (post.type === 'attachment' && post.status === 'inherit') {
    const parent = parentOf(site, post);
    if (!parent) return post.parent === 0;
    return site.types.get(parent.type)?.viewable === true && hasPrettyLink(site, parent, mayRead);
  }
  const status = site.statuses.find(({ name }) => name === post.status);
  return status !== undefined && (status.public || (status.private && mayRead));
}

/** Whether the pretty address of a post depends on who asks: it is private, or attached to something private. */
export function dependsOnReader(site: Addressed, post: PostRecord): boolean {
  const of = post.type === 'attachment' && post.status === 'inherit' ? (parentOf(site, post) ?? post) : post;
  return site.statuses.some((status) => status.name === of.status && status.private);
}

export function linkOf(site: Addressed, post: PostRecord, mayRead: boolean): string {
  return hasPrettyLink(site, post, mayRead) ? prettyLink(site, post) : plainLink(site, post);
}

/** `guid` when the file does not state one. The front page had an address of its own before it was chosen. */
export function defaultGuid(site: Addressed, post: PostRecord): string {
  if (post.type !== 'page' || !hasPrettyLink(site, post, true)) return linkOf(site, post, true);
  return `${segmentsOf(site, post)}/${hierarchy(site, post)}/`;
}

/** The guids of what lies below a post and does not say its own, where these would be others after a change of the post. */
export function guidsBelow(site: Addressed, before: PostRecord, after: PostRecord): ReadonlyMap<PostRecord, string> {
  const guids = new Map<PostRecord, string>();
  const isTree = site.types.get(before.type)?.hierarchical;
  if (!isTree || hierarchy(site, before) === hierarchy(site, after)) return guids;
  const seen = new Set([before.id]);
  for (const above of seen) {
    for (const id of site.posts.with('parent', above)) {
      const child = site.posts.get(id);
      if (child?.type !== before.type || seen.has(id)) continue;
      seen.add(id);
      if (child.guid === '' && hasPrettyLink(site, child, true)) guids.set(child, defaultGuid(site, child));
    }
  }
  return guids;
}

/** A relative address as a dialect writes it: one that needs no permalinks names the type or the taxonomy. */
export function spelled(address: string, word: (name: string) => string): string {
  return address.replace(/^([^?]*\?(?:post_type|taxonomy)=)(\w+)/, (_, before: string, type: string) => before + word(type));
}

/** The permalink with its changeable part as a tag: `/%postname%/`, `/about/%pagename%/`. */
export function permalinkTemplate(site: Addressed, post: PostRecord): string {
  if (post.status === 'trash' && post.type !== 'page') return plainLink(site, post);
  // (Observed: what hangs on nothing has no template.)
  if (post.type === 'attachment' && (!parentOf(site, post) || !hasPrettyLink(site, post, true))) return plainLink(site, post);
  const tag = site.types.get(post.type)?.hierarchical ? '%pagename%' : '%postname%';
  return prettyLink(site, { ...post, slug: tag });
}

/** Media are below what they are attached to. */
function mediaLink(site: Addressed, media: PostRecord): string {
  const parent = parentOf(site, media);
  if (!parent) return `/${media.slug}/`;
  const above = pathOf(site, parent);
  if (above.includes('?')) return plainPath(media);
  const needsName = /^\d+$/.test(media.slug) || (site.settings.value('permalink') as string).includes('{category}');
  return `${withoutTrailing(above, '/')}/${needsName ? 'attachment/' : ''}${media.slug}/`;
}

function parentOf(site: Addressed, media: PostRecord): PostRecord | undefined {
  return media.parent > 0 && media.parent !== media.id ? site.posts.get(media.parent) : undefined;
}

/** Path of slugs of a hierarchical post, without slashes at the ends. */
export function hierarchy(site: Pick<Site, 'posts'>, post: PostRecord): string {
  const slugs = [post.slug];
  for (const above of ancestors(site.posts, post)) slugs.unshift(above.slug);
  return slugs.filter((slug) => slug !== '').join('/');
}

/** The parameter of an address that names a term of a taxonomy: `/?category_name=news`. */
export function termParam({ name }: Pick<Taxonomy, 'name'>): string {
  return name === 'category' ? 'category_name' : name === 'post_tag' ? 'tag' : name;
}

export function termLink(site: Addressed, term: TermRecord): string {
  const taxonomy = site.taxonomies.get(term.taxonomy);
  const before = segmentsOf(site, term);
  if (!taxonomy?.base) return `${before}/?taxonomy=${term.taxonomy}&term=${term.slug}`;
  const slugs = [term.slug];
  for (const above of taxonomy.hierarchical ? ancestors(site.terms, term) : []) slugs.unshift(above.slug);
  return `${before}/${taxonomy.base}/${slugs.join('/')}/`;
}

/** Of the list of all items of a type, below the segments of a language; of posts, which are on the home page, and of what has no list `/`. */
export function archivePath(type: PostType | undefined): string {
  const slug = archiveSlug(type);
  return slug === '' ? '/' : `/${slug}/`;
}

/** Of the list of what was written in a time, below the segments of a language. @param date  a year, a month or a day: `2026-03` */
export function datePath(date: string): string {
  return `/${date.replaceAll('-', '/')}/`;
}

/** Id of the page a setting names by id or place; 0 for none. @param params  those of a call: modules may have another page for it */
export function settingPage(
  site: Pick<Site, 'settings' | 'refs' | 'counterpart'>,
  key: 'front_page' | 'posts_page',
  params?: Params,
): number {
  const stored = site.settings.value(key);
  const id = typeof stored === 'string' || typeof stored === 'number' ? site.refs.postId('page', stored) : 0;
  return (params && site.counterpart?.('posts', id, params)) ?? id;
}

/** The page of such a setting, where pages are chosen for the front page and the posts. */
export function chosenPage(site: Site, key: 'front_page' | 'posts_page', params?: Params): PostRecord | undefined {
  return site.settings.value('front') === 'page' ? site.posts.get(settingPage(site, key, params)) : undefined;
}

function template(site: Addressed, post: PostRecord, pattern: string): string {
  if (pattern === '/{slug}/') return `/${post.slug}/`;
  return fillPattern(pattern, {
    slug: () => post.slug,
    id: () => String(post.id),
    year: () => post.date.slice(0, 4),
    month: () => post.date.slice(5, 7),
    day: () => post.date.slice(8, 10),
    author: () => site.users.get(post.author)?.slug ?? '',
    category: () =>
      site.terms.get([...(post.terms.category ?? [])].sort((a, b) => a - b)[0] ?? 0)?.slug ?? slugify('uncategorized'),
  });
}

/** Whether everyone may see the page of a post. A password hides its text, not the page. */
export function isPublic(site: Site, post: PostRecord): boolean {
  const status = statusInForce(post, site.access.lookup);
  return site.types.get(post.type)?.viewable === true && site.access.statuses.get(status)?.public === true;
}

/** Address of the front page, without a trailing slash. */
export function homeOf(site: Pick<Site, 'settings' | 'url'>): string {
  const home = (site.settings.value('home') as string | undefined) || site.url;
  return withoutTrailing(home, '/');
}

/** What a path says in the places of a permalink pattern. */
interface PatternValues {
  readonly slug?: string;
  readonly id?: string;
}

/** A permalink pattern with its `{names}` filled in; unknown ones stay. */
function fillPattern(pattern: string, values: Readonly<Record<string, () => string>>): string {
  return pattern.replace(/\{(\w+)\}/g, (whole, name: string) => values[name]?.() ?? whole);
}

/**
 * A permalink pattern read backwards: what a path says in its places; null for a path of another form. A slash at the end makes no difference.
 *
 * @param key  as paths are compared (`pathKey`)
 */
export function readPattern(pattern: string, key: string): PatternValues | null {
  // Most end with the slug; what is before it in the path may be of a former date or category.
  if (/\/\{slug\}\/?$/.test(pattern)) return { slug: key.slice(key.lastIndexOf('/') + 1) };
  if (key.length > longest) return null;
  const parts = withoutTrailing(pattern, '/').split(/\{(\w+)\}/);
  const source = parts.map((part, at) => (at % 2 === 0 ? literal(part) : `(?<${part}>${forms[part] ?? '[^/]+'})`));
  return new RegExp(`^${source.join('')}$`).exec(key)?.groups ?? null;
}

/** Longer than any address of a post: slugs have at most 200 bytes, and three of the places are free. */
const longest = 1000;

const forms: Readonly<Record<string, string>> = table({ id: '[1-9]\\d{0,9}', year: '\\d{4}', month: '\\d\\d', day: '\\d\\d' });

/** A part of the pattern itself, compared as paths are. */
function literal(part: string): string {
  const key = part.split('/').map((piece) => pathKey(piece).slice(1));
  return key.join('/').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
