/**
 * Views of menu items: the post, term, archive or URL they link to, as far as the user may see it.
 *
 * Source: behaviour of the reference (6.9); conformance scenario menus. Deviation: title and URL of an unpublished target are only for users who may
 * read it.
 */
import { mapOf } from '../../kernel/model/maps.ts';
import type { MenuItemRecord, MenuItemView, MenuView } from './record.ts';
import type { MenuTarget } from './menu-tree.ts';
import type { PostRecord } from '../content/posts/record.ts';
import { slugify } from '../../kernel/model/slugs.ts';
import { findTerm, type TermRecord } from '../content/terms/record.ts';
import { archiveSlug } from '../types/record.ts';
import type { Actor } from '../../kernel/model/access.ts';
import { canReadPost } from '../people/accounts/record.ts';
import { menusOf } from './file.ts';
import { archivePath, linkOf, plainLink, settingPage, spelled, termLink } from '../content/permalinks/record.ts';
import { metaOf } from '../../kernel/model/typed-value.ts';
import { prefixOf } from '../../kernel/rest/address-prefix.ts';
import type { Params } from '../../kernel/rest/request.ts';
import { renderTitle } from '../../render/markup.ts';
import { typography } from '../../render/typography.ts';
import { decodeEntities, withoutTags } from '../../render/text.ts';
import type { Site } from '../../kernel/site/site.ts';
import { createTermView } from '../content/terms/index.ts';

const maxWords = 200;

/** @param params  of the call: archive links follow its language */
export function createMenuItemView(
  site: Site,
  user: Actor | null,
  word: (name: string) => string,
  params?: Params,
): MenuItemView {
  const typed = (text: string): string =>
    renderTitle(text, { typography: site.settings.value('typography') === true, filtered: site.operator.filter_content });
  const set = (text: string): string => (site.settings.value('typography') === true ? typography(text) : text);
  const view: MenuItemView = {
    title: (item) => (item.title === '' ? typed(targetTitle(site, user, item)) : item.title),
    rendered: (item) => typed(view.title(item)),
    url: (item) => urlOf(site, user, item, word, params),
    description: (item) => set(shortened(item.content)),
    typeLabel: (item) => labelOf(site, item),
    object: (item) => word(item.object),
    objectId: (item) => targetId(site, item),
    isInvalid: (item) => isInvalid(site, item),
    meta: (item) => metaOf(site.meta[item.type] ?? {}, item.meta),
  };
  return view;
}

export function createMenuView(site: Site, word: (name: string) => string): MenuView {
  const held = heldLocations(site);
  return {
    ...createTermView(site, word),
    locations: ({ id, locations }) => [...new Set(locations)].filter((name) => held.get(name) === id),
  };
}

export function declaredLocations(site: Pick<Site, 'settings'>): ReadonlyMap<string, string> {
  const entries = Object.entries(mapOf(site.settings.value('menu_locations')));
  return new Map(entries.map(([name, label]) => [name, String(label ?? name)]));
}

/** Location → id of its menu: the first file that lists it. */
export function heldLocations(site: Pick<Site, 'terms'>): ReadonlyMap<string, number> {
  const held = new Map<string, number>();
  for (const { id, locations } of menusOf(site)) for (const name of locations) if (!held.has(name)) held.set(name, id);
  return held;
}

/** The target post, in any status. */
export function targetPost(site: Pick<Site, 'posts' | 'refs' | 'types'>, item: MenuTarget): PostRecord | undefined {
  return item.itemType === 'post_type' ? site.posts.get(postIdOf(site, item.object, item.ref)) : undefined;
}

export function targetTerm(site: Pick<Site, 'terms'>, item: MenuTarget): TermRecord | undefined {
  if (item.itemType !== 'taxonomy') return undefined;
  const term = site.terms.get(termIdOf(site, item.object, item.ref));
  return term?.taxonomy === item.object ? term : undefined;
}

/** Id of the target; 0 if a reference cannot be resolved. */
export function targetId(site: Pick<Site, 'posts' | 'terms' | 'refs' | 'types'>, item: MenuItemRecord): number {
  if (item.itemType === 'custom') return item.id;
  if (item.itemType === 'post_type') return postIdOf(site, item.object, item.ref);
  return item.itemType === 'taxonomy' ? termIdOf(site, item.object, item.ref) : Number(item.ref) || 0;
}

/** The reference to a target: by path in a hierarchy, else by slug, or by id if that is ambiguous. */
export function targetRef(
  site: Pick<Site, 'posts' | 'terms' | 'refs' | 'types'>,
  item: Pick<MenuTarget, 'itemType' | 'object'>,
  id: number,
): string | number {
  if (item.itemType === 'taxonomy') return site.refs.termRef(item.object, id);
  const post = item.itemType === 'post_type' ? site.posts.get(id) : undefined;
  const type = site.types.get(item.object);
  if (!post || !type || post.type !== type.name) return id;
  const ref = type.hierarchical || type.name === 'attachment' ? site.refs.postRef(type.name, id) : post.slug;
  return ref !== '' && postIdOf(site, type.name, ref) === id ? ref : id;
}

function postIdOf(site: Pick<Site, 'posts' | 'refs' | 'types'>, object: string, ref: string | number): number {
  if (typeof ref === 'number') return ref;
  const placed = site.refs.postId(object, ref);
  if (placed !== 0) return placed;
  // By current slugs, then former ones; in a hierarchy segment by segment.
  const steps = ref.replace(/^\/+|\/+$/g, '').split('/');
  const isTree = site.types.get(object)?.hierarchical;
  let found = 0;
  for (const step of isTree ? steps : steps.slice(-1)) {
    const slug = slugify(step);
    const fits = (key: string) =>
      [...site.posts.with('slug', key)]
        .filter((id) => site.posts.get(id)?.type === object && (!isTree || site.posts.get(id)?.parent === found))
        .sort((a, b) => a - b)[0];
    const next = fits(slug) ?? fits(`~${slug}`);
    if (next === undefined) return 0;
    found = next;
  }
  return found;
}

function termIdOf(site: Pick<Site, 'terms'>, taxonomy: string, ref: string | number): number {
  if (typeof ref === 'number') return ref;
  const slug = slugify(ref);
  return (
    findTerm(site.terms as Site['terms'], taxonomy, slug) ?? findTerm(site.terms as Site['terms'], taxonomy, `~${slug}`) ?? 0
  );
}

/** The title an item has when its file gives none, as stored (markup for terms). */
export function originalTitle(site: Site, item: MenuTarget): string {
  if (item.itemType === 'post_type') return targetPost(site, item)?.title ?? '';
  if (item.itemType === 'taxonomy') return decodeEntities(targetTerm(site, item)?.name ?? '');
  return item.itemType === 'post_type_archive' ? (site.types.get(item.object)?.labels.archives ?? '') : '';
}

function targetTitle(site: Site, user: Actor | null, item: MenuItemRecord): string {
  if (item.itemType === 'custom') return '';
  if (item.itemType === 'post_type_archive') return originalTitle(site, item);
  const post = targetPost(site, item);
  const title = post ? (isShown(site, user, post) ? post.title : '') : (targetTerm(site, item)?.name ?? '');
  return title === '' ? `#${targetId(site, item)} (no title)` : title;
}

/** Whether an item leads somewhere: what it points at is there, not in the trash, and the user may read it. */
export function isReachable(site: Site, user: Actor | null, item: MenuTarget): boolean {
  if (isInvalid(site, item)) return false;
  const post = targetPost(site, item);
  return post === undefined || isShown(site, user, post);
}

function isShown(site: Site, user: Actor | null, post: PostRecord): boolean {
  return canReadPost(site.access, user, post);
}

function urlOf(
  site: Site,
  user: Actor | null,
  item: MenuItemRecord,
  word: (name: string) => string,
  params: Params | undefined,
): string | false {
  const post = targetPost(site, item);
  if (post) return site.url + (isShown(site, user, post) ? linkOf(site, post, true) : plainLink(site, post));
  const term = targetTerm(site, item);
  if (term) return site.url + spelled(termLink(site, term), word);
  return item.itemType === 'post_type_archive' ? archiveUrl(site, item.object, params) : item.url;
}

/** Posts are listed at the front page or the page chosen for them, types with an archive under its slug. */
function archiveUrl(site: Site, name: string, params: Params | undefined): string | false {
  const type = site.types.get(name);
  if (!type) return false;
  const home = site.url + (params ? prefixOf(site, '', params) : '');
  if (name !== 'post') return archiveSlug(type) === '' ? false : home + archivePath(type);
  const page = site.settings.value('front') === 'page' ? site.posts.get(settingPage(site, 'posts_page', params)) : undefined;
  if (page) return site.url + linkOf(site, page, true);
  return home === site.url ? home : `${home}/`;
}

function labelOf(site: Site, { itemType, object }: MenuTarget): string {
  if (itemType === 'custom') return 'Custom Link';
  if (itemType === 'post_type_archive') return 'Post Type Archive';
  const named = itemType === 'post_type' ? site.types.get(object) : site.taxonomies.get(object);
  return named?.labels.singular_name ?? object;
}

function isInvalid(site: Site, item: MenuTarget): boolean {
  if (item.itemType === 'custom') return false;
  if (item.itemType === 'taxonomy') return targetTerm(site, item) === undefined;
  if (!site.types.has(item.object)) return true;
  if (item.itemType === 'post_type_archive') return false;
  const post = targetPost(site, item);
  return post === undefined || post.status === 'trash';
}

function shortened(text: string): string {
  const words = withoutTags(text)
    .split(/[\n\r\t ]+/)
    .filter(Boolean);
  return words.length > maxWords ? `${words.slice(0, maxWords).join(' ')}&hellip;` : words.join(' ');
}
