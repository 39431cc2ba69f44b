/** The content of a sitemap page: URLs, dates, images, and alternates. */
import { prefixOf } from '../../../kernel/rest/address-prefix.ts';
import { paced } from '../../../kernel/scheduler.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { decodeEntities } from '../../../render/text.ts';
import { sourceUrl } from '../../media/library/index.ts';
import { isAttachment } from '../../content/attachments/record.ts';
import { archivePath, homeOf, isPublic, linkOf, termLink } from '../../content/permalinks/record.ts';
import { authorPath } from '../../people/users/record.ts';
import { createPostView } from '../../content/posts/index.ts';
import type { PostRecord, PostView } from '../../content/posts/record.ts';
import type { TermRecord } from '../../content/terms/record.ts';
import { changedAt, type SitemapInventory, isListed, perPage, type Section } from './inventory.ts';
import type { PageRow } from './print.ts';
import type { Alternate } from './record.ts';

/** @param page  zero-based */
export async function rowsOf(
  site: Site,
  inventory: SitemapInventory,
  section: Section,
  page: number,
): Promise<readonly PageRow[]> {
  const { list, ids, kind } = section;
  const first = page * perPage - (list === null ? 0 : 1);
  const asked = ids.slice(Math.max(0, first), first + perPage);
  const rows: PageRow[] = list !== null && page === 0 ? [listRow(site, inventory, section, list)] : [];
  if (kind === 'post') {
    const view = publicView(site);
    await readFeatured(site, asked);
    const found = await site.spare.each(
      inSitemaps,
      asked,
      (id) => postRow(site, view, id),
      (id) => site.posts.get(id),
    );
    return [...rows, ...found];
  }
  const recordOf = (id: number): unknown => (kind === 'term' ? site.terms.get(id) : site.users.get(id));
  const rowOf = (id: number): PageRow | null => {
    const row = kind === 'term' ? termRow(site, id) : authorRow(site, section.prefix, id);
    return row && { ...row, changed: inventory.changedIn(section, id) };
  };
  return [...rows, ...(await site.spare.each(inSitemaps, asked, rowOf, recordOf))];
}

/** Name for the log. */
const inSitemaps = 'its row of sitemaps';

export function publicView(site: Site): PostView {
  return createPostView(site, { user: null, word: (name) => name, unlocked: () => false });
}

/** The front page or an archive. Alternates are languages with content. */
function listRow(site: Site, { sections }: SitemapInventory, { prefix, name }: Section, changed: string): PageRow {
  const below = archivePath(site.types.get(name));
  const url = (segments: string): string => homeOf(site) + segments + below;
  const shown = below === '/' ? sections : sections.filter((section) => section.kind === 'post' && section.name === name);
  const prefixes = new Set(shown.map((section) => section.prefix));
  const languages = site.discovery.flatMap((source) => source.languages?.() ?? []);
  const alternates = languages.flatMap(({ hreflang, params }) => {
    const segments = prefixOf(site, '', params);
    return prefixes.has(segments) ? [{ hreflang, url: url(segments) }] : [];
  });
  return { url: url(prefix), changed, alternates: withDefault(alternates) };
}

/** Null if it has changed since it was counted. */
async function postRow(site: Site, view: PostView, id: number): Promise<PageRow | null> {
  const post = site.posts.get(id);
  if (!post || !isPublic(site, post) || !isListed(site, post)) return null;
  const pictures = await picturesOf(site, view, post);
  return { url: addressOf(site, post), changed: changedAt(post), alternates: alternatesOf(site, post), pictures };
}

function termRow(site: Site, id: number): Omit<PageRow, 'changed'> | null {
  const term = site.terms.get(id);
  return term ? { url: addressOf(site, term), alternates: alternatesOf(site, term) } : null;
}

function authorRow(site: Site, prefix: string, id: number): Omit<PageRow, 'changed'> | null {
  const author = site.users.get(id);
  return author ? { url: site.url + prefix + authorPath(author) } : null;
}

function addressOf(site: Site, item: PostRecord | TermRecord): string {
  if ('taxonomy' in item) return site.url + termLink(site, item);
  const path = linkOf(site, item, false);
  return path === '/' ? `${homeOf(site)}/` : site.url + path;
}

/** Public and indexed ones. */
function alternatesOf(site: Site, item: PostRecord | TermRecord): readonly Alternate[] {
  const translations = site.discovery.flatMap((source) => source.translations?.(item) ?? []);
  const shown = translations.filter(({ item: other }) =>
    'taxonomy' in other
      ? !site.discovery.some((source) => source.hidesTerm?.(other))
      : isPublic(site, other) && isListed(site, other),
  );
  if (shown.length < 2) return [];
  const order = site.discovery.flatMap((source) => source.languages?.() ?? []).map(({ hreflang }) => hreflang);
  const standard = shown.find(({ hreflang }) => hreflang === order[0]);
  const rows = shown
    .map(({ hreflang, item: other }) => ({ hreflang, url: addressOf(site, other) }))
    .sort((a, b) => order.indexOf(a.hreflang) - order.indexOf(b.hreflang));
  return standard ? withDefault(rows) : rows;
}

/** The first is the default for other languages. */
function withDefault(alternates: readonly Alternate[]): readonly Alternate[] {
  const [first, second] = alternates;
  return first && second ? [...alternates, { hreflang: 'x-default', url: first.url }] : [];
}

/** Loads image facts, several files at a time. */
async function readFeatured(site: Site, ids: readonly number[]): Promise<void> {
  const media = ids.map((id) => site.posts.get(site.posts.get(id)?.featuredMedia ?? 0)).filter(isAttachment);
  const unread = media.filter((one) => site.media.facts(one) === undefined);
  for await (const one of paced(unread, 1)) await site.media.prepare([one]);
}

/** Texts without these contain no images and are not rendered. */
const mayShow = /<img|!\[|\[(?:gallery|caption|playlist)|wp:(?:image|gallery|cover|media-text|post-featured-image)/i;
const most = 1000;

/** URLs of the site's images on the page of a post. */
async function picturesOf(site: Site, view: PostView, post: PostRecord): Promise<readonly string[]> {
  const featured = site.posts.get(post.featuredMedia);
  const found = new Set<string>();
  if (isAttachment(featured) && isPublic(site, featured)) found.add(sourceUrl(site, featured));
  if (mayShow.test(post.content)) {
    await view.prepare(post);
    for (const [, double, single] of view.content(post).matchAll(/<img\s[^<>]*?\bsrc=(?:"([^"]*)"|'([^']*)')/gi)) {
      const address = decodeEntities(double ?? single ?? '');
      found.add(address.startsWith('/') && !address.startsWith('//') ? site.url + address : address);
    }
  }
  const homes = [site.url, homeOf(site)];
  return [...found].filter((address) => homes.some((home) => address.startsWith(`${home}/`))).slice(0, most);
}
