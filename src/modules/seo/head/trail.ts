/**
 * The trail from the home page to a page.
 *
 * Source: reference on seo/v1, 4.8; corrections from recordings.
 */
import { stripTags } from '../../../kernel/model/tags.ts';
import { archivePath, isPublic, settingPage } from '../../content/permalinks/record.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import type { TermRecord } from '../../content/terms/record.ts';
import { archiveSlug } from '../../types/record.ts';
import { addressOf } from './addresses.ts';
import type { SeoPage } from './record.ts';
import { pagesOf, termsOf, visitorsView } from './texts.ts';
import { ancestorsOf, archiveDate, termNamed } from './variables.ts';

interface Crumb {
  /** Plain text, but for what titles and names of terms have as markup (observed). */
  readonly name: string;
  readonly url: string;
}

/** The page itself is last. */
export function trailOf(page: SeoPage): readonly Crumb[] {
  const { options, target, kind } = page;
  const home = { name: options.crumbHome, url: page.home };
  if (kind === 'home' || kind === 'front' || kind === 'missing') return [home];
  switch (target.kind) {
    case 'post': {
      const trail = [home, ...aboveItem(page, target.post), crumbOf(page, target.post)];
      // Pages of a text after the first have their number in the title (observed).
      return pagesOf(target.post) > 1 ? trail.slice(0, -1) : trail;
    }
    case 'term': {
      const above = options.ofTaxonomy(target.term.taxonomy).trailParent === 'post' ? postsPage(page) : [];
      return [
        home,
        ...above,
        ...ancestorsOf(page, target.term).map((term) => termCrumb(page, term)),
        termCrumb(page, target.term),
      ];
    }
    case 'user':
      return [home, { name: `${options.crumbArchive} ${target.user.name}`, url: page.url }];
    case 'date':
      return [home, { name: `${options.crumbArchive} ${archiveDate(page)}`, url: page.url }];
    case 'search':
      return [home, { name: stripTags(`${options.crumbSearch} ${target.phrase}`), url: page.url }];
    case 'archive':
      return [home, archiveCrumb(page, target.type)];
    default:
      return [home];
  }
}

/** The title as pages show it: of what is private it says so. */
export function shownTitle(page: SeoPage, post: PostRecord): string {
  const title = stripTags(visitorsView(page.site).title(post)).trim();
  return post.status === 'private' ? `Private: ${title}` : title;
}

function crumbOf(page: SeoPage, post: PostRecord): Crumb {
  const { breadcrumb } = page.site.seo.valuesOf(post);
  return {
    name: breadcrumb === '' ? shownTitle(page, post) : breadcrumb,
    url: addressOf(page.site, { kind: 'post', post }),
  };
}

function termCrumb({ site }: SeoPage, term: TermRecord): Crumb {
  const { breadcrumb } = site.seo.valuesOf(term);
  return { name: breadcrumb === '' ? term.name : breadcrumb, url: addressOf(site, { kind: 'term', term }) };
}

function aboveItem(page: SeoPage, post: PostRecord): readonly Crumb[] {
  const { site, options, kind } = page;
  if (kind === 'posts page') return [];
  const isBelowPosts = post.type === 'post' && options.crumbPostsPage;
  const archive = archiveSlug(site.types.get(post.type)) === '' ? [] : [archiveCrumb(page, post.type)];
  const parents = parentsOf(page, post);
  const main = parents.length === 0 ? mainTerm(page, post) : undefined;
  const terms = main ? [...ancestorsOf(page, main), main].map((term) => termCrumb(page, term)) : [];
  return [...(isBelowPosts ? postsPage(page) : []), ...archive, ...parents.map((one) => crumbOf(page, one)), ...terms];
}

/** The page at whose address the posts are, where there is one. */
function postsPage(page: SeoPage): readonly Crumb[] {
  const { site, target, watch } = page;
  if (site.settings.value('front') !== 'page') return [];
  const record = target.kind === 'post' ? target.post : target.kind === 'term' ? target.term : null;
  const { lang } = (record ?? {}) as { readonly lang?: string };
  const post = watch(() => site.posts.get(settingPage(site, 'posts_page', lang ? { lang_language: lang } : {})));
  return post && isPublic(site, post) ? [crumbOf(page, post)] : [];
}

function archiveCrumb({ site, options, target, home }: SeoPage, type: string): Crumb {
  const known = site.types.get(type);
  const name = options.ofType(type).archiveBreadcrumb || known?.labels.name || known?.label || type;
  const url = target.kind === 'archive' ? addressOf(site, target) : home + archivePath(known).slice(1);
  return { name, url };
}

/** Items above, the highest first; without those that not everybody may see. */
function parentsOf({ site, watch }: SeoPage, post: PostRecord): readonly PostRecord[] {
  const above: PostRecord[] = [];
  const seen = new Set([post.id]);
  const next = (id: number) => (id > 0 ? watch.record(site.posts, id) : undefined);
  for (let item = next(post.parent); item && !seen.has(item.id); item = next(item.parent)) {
    seen.add(item.id);
    if (isPublic(site, item)) above.unshift(item);
  }
  return above;
}

/** The term that stands for the type's main taxonomy: the primary one, else the deepest. */
function mainTerm(page: SeoPage, post: PostRecord): TermRecord | undefined {
  const { mainTaxonomy } = page.options.ofType(post.type);
  if (mainTaxonomy === '' || mainTaxonomy === '0') return undefined;
  const primary = termNamed(page, page.values?.primary[mainTaxonomy] ?? 0);
  if (primary && post.terms[mainTaxonomy]?.includes(primary.id)) return primary;
  const depth = (term: TermRecord): number => ancestorsOf(page, term).length;
  return [...termsOf(page, mainTaxonomy)].sort((a, b) => depth(b) - depth(a))[0];
}
