/**
 * Addresses of pages, and pages by their addresses.
 *
 * Source: reference on seo/v1, 3.9, 7.3; decisions, "Behaviour".
 */
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';
import { prefixOf, splitPath } from '../../../kernel/rest/address-prefix.ts';
import type { Actor } from '../../../kernel/model/access.ts';
import { decoded } from '../../../kernel/model/slugs.ts';
import type { Site } from '../../../kernel/site/site.ts';
import {
  archivePath,
  chosenPage,
  datePath,
  homeOf,
  isPublic,
  linkOf,
  prettyLink,
  settingPage,
  termLink,
} from '../../content/permalinks/record.ts';
import { authorPath } from '../../people/users/record.ts';
import { itemsAt, type ListAt, listAt, lookUp, pathBelow } from '../../content/permalinks/index.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import type { SeoTarget } from '../metadata/record.ts';
import { hasPosts } from '../metadata/index.ts';
import type { TermRecord } from '../../content/terms/record.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';

/** The home page of a language, or a path below it. @param language  code; undefined: the default one */
export function homeIn(site: Site, language?: string, path = '/'): string {
  return homeOf(site) + prefixOf(site, '', languageParams(language)) + path;
}

function languageParams(language: string | undefined): Readonly<Record<string, unknown>> {
  return language === undefined ? {} : { lang_language: language };
}

/** Absolute address of a page; '' for what has none. */
export function addressOf(site: Site, target: SeoTarget): string {
  switch (target.kind) {
    case 'post':
      return homeOf(site) + linkOf(site, target.post, true);
    case 'term':
      return homeOf(site) + termLink(site, target.term);
    case 'user':
      return homeIn(site, target.language, authorPath(target.user));
    case 'home':
      return homeIn(site, target.language);
    case 'archive':
      return homeIn(site, target.language, archivePath(site.types.get(target.type)));
    case 'date':
      return homeIn(site, target.language, datePath(target.date));
    default:
      return '';
  }
}

/** The page that a setting names, in a language. */
export function isNamedPage(site: Site, key: 'front_page' | 'posts_page', post: PostRecord): boolean {
  if (post.type !== 'page' || site.settings.value('front') !== 'page') return false;
  const { lang } = post as PostRecord & { readonly lang?: string };
  return settingPage(site, key, languageParams(lang)) === post.id;
}

/**
 * What is at an address of the site; null: nothing, or another site. Protocol, query and fragment make no difference, nor does a slash
 * that is missing or stands twice. A former address is none.
 */
export function targetAt(site: Site, address: string): SeoTarget | null {
  const path = pathWithin(site, address);
  if (path === null) return null;
  const place = splitPath(site, path);
  const language = place.params.lang_language as string | undefined;
  if (place.path === '/') return homeTarget(site, language);
  const post = postAt(site, path);
  if (post && isPublic(site, post)) return { kind: 'post', post };
  // A redirect is not a list either.
  const list = lookUp(site, path, {}) === null ? listAt(site, place) : null;
  return (list && listTarget(site, list, language)) ?? (post ? { kind: 'post', post } : null);
}

function listTarget(site: Site, { of, isThere }: ListAt, language: string | undefined): SeoTarget | null {
  const inLanguage = language === undefined ? {} : { language };
  if (of.kind === 'date') return site.seo.options().dateDisabled ? null : { ...of, ...inLanguage };
  // Archives of post formats have no head.
  if (!isThere || of.kind === 'format') return null;
  if (of.kind === 'term') return of;
  return of.kind === 'author'
    ? { kind: 'user', user: of.author, ...inLanguage }
    : { kind: 'archive', type: of.type.name, ...inLanguage };
}

/** The path below the home of the site, with one slash at each end; null for another site, which `www.` makes it here. */
function pathWithin(site: Site, address: string): string | null {
  if (!isUrl(address)) return null;
  const url = new URL(address);
  const homes = homesOf(site).filter(({ host }) => host === url.host);
  const segments = pathBelow(homes, url)?.split('/');
  return segments === undefined ? null : `/${segments.map((segment) => (segment === '' ? '' : `${segment}/`)).join('')}`;
}

/** Where the site is: mostly the same for one address as for the last. */
function homesOf(site: Site): readonly URL[] {
  const homes = [homeOf(site), site.url];
  const named = homes.join(' ');
  const known = places.get(site);
  if (known?.named === named) return known.list;
  const list = homes.filter((home) => isUrl(home)).map((home) => new URL(home));
  places.set(site, { named, list });
  return list;
}

const places = new WeakMap<Site, { readonly named: string; readonly list: readonly URL[] }>();

/** The front page in a language: a page, where one is set that everybody may see, or the posts. */
export function homeTarget(site: Site, language?: string): SeoTarget {
  const post = chosenPage(site, 'front_page', languageParams(language));
  if (post && isPublic(site, post)) return { kind: 'post', post };
  return { kind: 'home', ...(language === undefined ? {} : { language }) };
}

/** Where the posts are: the posts page, where one is set, else the front page. */
export function postsTarget(site: Site, language?: string): SeoTarget {
  const post = chosenPage(site, 'posts_page', languageParams(language));
  return post ? { kind: 'post', post } : homeTarget(site, language);
}

/** The item whose address the path is, in whatever status; one that everybody may see first. Capitals make a difference (the reference's). */
function postAt(site: Site, path: string): PostRecord | undefined {
  const exactly = (address: string): string => withoutTrailing(decoded(address), '/');
  const found = itemsAt(site, splitPath(site, path)).filter(
    (post) => site.types.get(post.type)?.viewable === true && exactly(prettyLink(site, post)) === exactly(path),
  );
  return found.find((post) => isPublic(site, post)) ?? found[0];
}

/** Whether somebody may know of a page. */
export function isVisible(site: Site, target: SeoTarget, viewer: Actor | null): boolean {
  const options = site.seo.options();
  switch (target.kind) {
    case 'post': {
      const { post } = target;
      if (post.type === 'attachment' && options.attachmentDisabled) return false;
      return (
        isPublic(site, post) || (site.types.get(post.type)?.viewable === true && site.access.can(viewer, 'read_post', post.id))
      );
    }
    case 'term':
      return hasPages(site, target.term);
    case 'user':
      return !options.authorDisabled && hasPosts(site, target.user);
    case 'date':
      return !options.dateDisabled;
    default:
      return target.kind !== 'missing';
  }
}

/** Whether terms of its taxonomy have pages. */
export function hasPages(site: Site, { taxonomy }: TermRecord): boolean {
  if (taxonomy === 'post_format' && site.seo.options().formatDisabled) return false;
  return site.taxonomies.get(taxonomy)?.public === true;
}
