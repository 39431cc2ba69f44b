/** URLs of posts and terms, relative to the site, with a leading slash. */
import { table } from '../../../kernel/model/maps.ts';
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';
import { statusInForce } from '../../people/accounts/record.ts';
import type { PostRecord } from '../posts/record.ts';
import { pathKey } from './aliases.ts';
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

export { aliasPath, isPathAlias } from './aliases.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly addresses: Addresses;
    /** The id of the item that stands in for another one in a call, such as its translation; or the id itself. */
    readonly counterpart?: (table: 'posts' | 'terms', id: number, params: Params) => number;
  }
}

/** What is where on the site, for code that makes URLs. */
export interface Addresses {
  /** Whether the item is the front page or the posts page, in its language. */
  isSettingPage(post: Pick<PostRecord, 'id'>): boolean;
  /** Like `lookUp`, for the URL of an item, whose own segments must match. */
  within(address: string): ResolvedUrl | null;
  /** A clause for items at the given path or URL, or a list of them; without one, no clause. */
  postsAsked(params: Params): Clause[];
  termsAsked(params: Params): Clause[];
}

export type ResolvedUrl =
  | { readonly post: PostRecord }
  /** A path of the site with a leading slash, or any URL from `redirects.yaml`. */
  | { readonly redirect: string; readonly status: Exclude<RedirectStatus, 410>; readonly of?: PostRecord }
  /** `redirects.yaml` says that it is gone. */
  | { readonly gone: true };

/** Parts of a site that modules do not affect. */
type Addressed = Pick<Site, 'posts' | 'terms' | 'users' | 'types' | 'taxonomies' | 'statuses' | 'settings' | 'refs'> &
  Partial<Pick<Site, 'modules'>>;

/** The segments before an item's path: `/de`, or none. */
export function segmentsOf(site: Addressed, record: PostRecord | TermRecord): string {
  return site.modules && site.modules.address.length > 0 ? itemPrefix(site as Site, record) : '';
}

/** The URL without permalinks: `/?p=7`, `/?page_id=7`. */
export function plainLink(site: Addressed, post: PostRecord): string {
  return segmentsOf(site, post) + plainPath(post);
}

function plainPath(post: PostRecord): string {
  if (post.type === 'post' || isInternal(post)) return `/?p=${post.id}`;
  if (post.type === 'page') return `/?page_id=${post.id}`;
  if (post.type === 'attachment') return `/?attachment_id=${post.id}`;
  return `/?post_type=${post.type}&p=${post.id}`;
}

/** Patterns, navigation menus and the like have no page; their URLs look like those of posts (observed). */
function isInternal({ type }: PostRecord): boolean {
  return type.startsWith('cms_');
}

/** The URL that the post has or would have once published. */
export function prettyLink(site: Addressed, post: PostRecord): string {
  return segmentsOf(site, post) + pathOf(site, post);
}

/** First segments that the site itself serves: the API, in both dialects, and its files. */
const ownSegments: ReadonlySet<string> = new Set([...dialects.map(({ root }) => root), uploadsRoot].map((root) => root.slice(1)));

/**
 * Whether a path is served by the site itself, so that no item can be visited there.
 * @param path  without language segments
 */
export function isSiteAddress(path: string): boolean {
  const segments = path.split('/').filter((segment) => segment !== '');
  return ownSegments.has(segments[0] ?? '') || segments.at(-1) === 'feed';
}

/** The same without language segments, as in aliases and patterns. */
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

/** Whether readers of the post can visit it at its pretty URL. */
export function hasPrettyLink(site: Addressed, post: PostRecord, mayRead: boolean): boolean {
  if (post.type === 'attachment' && post.status === 'inherit') {
    const parent = parentOf(site, post);
    if (!parent) return post.parent === 0;
    return site.types.get(parent.type)?.viewable === true && hasPrettyLink(site, parent, mayRead);
  }
  const status = site.statuses.find(({ name }) => name === post.status);
  return status !== undefined && (status.public || (status.private && mayRead));
}

/** Whether the pretty URL of a post depends on the reader: it is private, or attached to something private. */
export function dependsOnReader(site: Addressed, post: PostRecord): boolean {
  const of = post.type === 'attachment' && post.status === 'inherit' ? (parentOf(site, post) ?? post) : post;
  return site.statuses.some((status) => status.name === of.status && status.private);
}

export function linkOf(site: Addressed, post: PostRecord, mayRead: boolean): string {
  return hasPrettyLink(site, post, mayRead) ? prettyLink(site, post) : plainLink(site, post);
}

/** `guid` of a file without one. The front page had its own URL before it was chosen. */
export function defaultGuid(site: Addressed, post: PostRecord): string {
  if (post.type !== 'page' || !hasPrettyLink(site, post, true)) return linkOf(site, post, true);
  return `${segmentsOf(site, post)}/${hierarchy(site, post)}/`;
}

/** Guids of child items that would change with the post and are not in their files. */
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

/** A relative URL in a dialect: plain URLs contain names of types or taxonomies. */
export function spelled(address: string, word: (name: string) => string): string {
  return address.replace(/^([^?]*\?(?:post_type|taxonomy)=)(\w+)/, (_, before: string, type: string) => before + word(type));
}

/** The permalink with a placeholder for the editable part: `/%postname%/`, `/about/%pagename%/`. */
export function permalinkTemplate(site: Addressed, post: PostRecord): string {
  if (post.status === 'trash' && post.type !== 'page') return plainLink(site, post);
  // (Observed: unattached media have no template.)
  if (post.type === 'attachment' && (!parentOf(site, post) || !hasPrettyLink(site, post, true))) return plainLink(site, post);
  const tag = site.types.get(post.type)?.hierarchical ? '%pagename%' : '%postname%';
  return prettyLink(site, { ...post, slug: tag });
}

/** Media are below the item they are attached to. */
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

/** Slug path of a hierarchical post, without slashes at the ends. */
function hierarchy(site: Pick<Site, 'posts'>, post: PostRecord): string {
  const slugs = [post.slug];
  for (const above of ancestors(site.posts, post)) slugs.unshift(above.slug);
  return slugs.filter((slug) => slug !== '').join('/');
}

/** The query parameter for a term of a taxonomy: `/?category_name=news`. */
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

/** The archive of a type, below the language segments; `/` for posts, which are on the home page, and for types without an archive. */
export function archivePath(type: PostType | undefined): string {
  const slug = archiveSlug(type);
  return slug === '' ? '/' : `/${slug}/`;
}

/** The date archive, below the language segments. @param date  a year, a month or a day: `2026-03` */
export function datePath(date: string): string {
  return `/${date.replaceAll('-', '/')}/`;
}

/** Id of the page that a setting names by id or path; 0 for none. @param params  of the call: modules may have another page for it */
export function settingPage(
  site: Pick<Site, 'settings' | 'refs' | 'counterpart'>,
  key: 'front_page' | 'posts_page',
  params?: Params,
): number {
  const stored = site.settings.value(key);
  const id = typeof stored === 'string' || typeof stored === 'number' ? site.refs.postId('page', stored) : 0;
  return (params && site.counterpart?.('posts', id, params)) ?? id;
}

/** The page of such a setting, if the front page is static. */
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

/** Whether everyone may visit the page of a post. A password hides its text, not the page. */
export function isPublic(site: Site, post: PostRecord): boolean {
  const status = statusInForce(post, site.access.lookup);
  return site.types.get(post.type)?.viewable === true && site.access.statuses.get(status)?.public === true;
}

/** URL of the front page, without a trailing slash. */
export function homeOf(site: Pick<Site, 'settings' | 'url'>): string {
  const home = (site.settings.value('home') as string | undefined) || site.url;
  return withoutTrailing(home, '/');
}

/** The values of a path in a permalink pattern. */
interface PatternValues {
  readonly slug?: string;
  readonly id?: string;
}

/** A permalink pattern with its `{names}` filled in; unknown ones stay. */
function fillPattern(pattern: string, values: Readonly<Record<string, () => string>>): string {
  return pattern.replace(/\{(\w+)\}/g, (whole, name: string) => values[name]?.() ?? whole);
}

/**
 * Matches a path against a permalink pattern; null if it does not match. Ignores a trailing slash.
 *
 * @param key  normalized path (`pathKey`)
 */
export function readPattern(pattern: string, key: string): PatternValues | null {
  // Most patterns end with the slug; the rest may be a former date or category.
  if (/\/\{slug\}\/?$/.test(pattern)) return { slug: key.slice(key.lastIndexOf('/') + 1) };
  if (key.length > longest) return null;
  const parts = withoutTrailing(pattern, '/').split(/\{(\w+)\}/);
  const source = parts.map((part, at) => (at % 2 === 0 ? literal(part) : `(?<${part}>${forms[part] ?? '[^/]+'})`));
  return new RegExp(`^${source.join('')}$`).exec(key)?.groups ?? null;
}

/** Longer than any post URL: slugs have at most 200 bytes, and three values are free. */
const longest = 1000;

const forms: Readonly<Record<string, string>> = table({ id: '[1-9]\\d{0,9}', year: '\\d{4}', month: '\\d\\d', day: '\\d\\d' });

/** A literal part of the pattern, normalized like paths. */
function literal(part: string): string {
  const key = part.split('/').map((piece) => pathKey(piece).slice(1));
  return key.join('/').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
