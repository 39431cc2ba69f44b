/**
 * Pictures of pages: what social networks show, and what the page is about.
 *
 * Source: reference on seo/v1, 4.6; corrections from recordings.
 */
import { decoded } from '../../../kernel/model/slugs.ts';
import { stripTags } from '../../../kernel/model/tags.ts';
import { decodeEntities } from '../../../render/text.ts';
import { sourceUrl, uploadUrl } from '../../media/library/index.ts';
import { type AttachmentRecord, isAttachment } from '../../content/attachments/record.ts';
import type { SeoPicture } from '../metadata/record.ts';
import { isAddress } from '../metadata/index.ts';
import type { SeoPage } from './record.ts';
import { visitorsView } from './texts.ts';

/** As Open Graph describes it. Of a picture elsewhere nothing but its address is known. */
export interface ShownPicture {
  readonly width: number | '';
  readonly height: number | '';
  readonly url: string;
  readonly type: string;
}

/** What of a page says which pictures it has. */
export type Pictured = Pick<SeoPage, 'site' | 'options' | 'target' | 'watch' | 'post' | 'values' | 'isLocked'>;

const shownTypes: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);
/** Networks pass over larger files. */
const maxBytes = 2 * 1024 * 1024;
const smaller = ['large', 'medium_large'];

/** The picture that social networks show of a page; null for none. */
export function socialPicture(page: SeoPage): ShownPicture | null {
  if (page.kind === 'missing' || page.isLocked) return null;
  const { options, kind, values } = page;
  const own = kind === 'home' ? options.frontImageId || options.frontImage : (values?.image ?? '');
  return (
    shown(page, own) ??
    shown(page, page.post?.featuredMedia ?? 0) ??
    shown(page, galleryPicture(page)) ??
    shown(page, textPicture(page)) ??
    shown(page, options.defaultImageId || options.defaultImage)
  );
}

/** The picture that cards show, where it is another one; '' for none. */
export function cardPicture(page: SeoPage): string {
  return page.isLocked ? '' : (shown(page, page.values?.cardImage ?? '')?.url ?? '');
}

function shown(page: SeoPage, picture: SeoPicture): ShownPicture | null {
  if (typeof picture === 'string' && isAddress(picture)) return { width: '', height: '', url: absolute(page, picture), type: '' };
  const medium = mediumNamed(page, picture);
  return medium ? shownMedium(page, medium) : null;
}

/** A medium by its id or, where the file that names it was read before there was one, by its path. Of an address: none. */
function mediumNamed(page: Pick<SeoPage, 'site' | 'watch'>, picture: SeoPicture): AttachmentRecord | undefined {
  if (typeof picture === 'number') return mediumOf(page, picture);
  const { site, watch } = page;
  return picture === '' || isAddress(picture)
    ? undefined
    : mediumOf(
        page,
        watch(() => site.refs.postId('attachment', picture)),
      );
}

export function mediumOf({ site, watch }: Pick<SeoPage, 'site' | 'watch'>, id: number): AttachmentRecord | undefined {
  const medium = id > 0 ? watch.record(site.posts, id) : undefined;
  return isAttachment(medium) && medium.status !== 'trash' ? medium : undefined;
}

/** The largest of its sizes that networks take. */
function shownMedium({ site, watch }: SeoPage, medium: AttachmentRecord): ShownPicture | null {
  if (!shownTypes.has(medium.mime)) return null;
  const facts = watch(() => site.media.facts(medium));
  const layout = site.media.layout(medium);
  const url = sourceUrl(site, medium);
  if (!layout) return { width: '', height: '', url, type: medium.mime };
  const { full } = layout;
  const bytes = full.derived ? (facts?.made.get(full.file) ?? 0) : (site.media.fileOf(medium)?.size ?? 0);
  const whole = { width: full.width, height: full.height, url, type: full.derived ? layout.mime : medium.mime };
  if (bytes <= maxBytes) return whole;
  const folder = url.slice(0, url.lastIndexOf('/') + 1);
  for (const wanted of smaller) {
    const size = layout.sizes.find(({ name, file }) => name === wanted && (facts?.made.get(file) ?? 0) <= maxBytes);
    if (size) return { width: size.width, height: size.height, url: folder + encodeURIComponent(size.file), type: layout.mime };
  }
  return null;
}

/** The first picture of the first gallery of a text. */
function galleryPicture({ post }: Pictured): number {
  const ids = post?.content.includes('[gallery') && /\[gallery\b[^\][]*?\bids=["']?(\d+)/.exec(post.content);
  return ids ? Number(ids[1]) : 0;
}

/** Address of the first picture in the text of an item, or in the description of a term; '' for none. */
function textPicture(page: Pictured): string {
  const { post, target, site } = page;
  if (page.isLocked) return '';
  const html = target.kind === 'term' ? target.term.description : post ? textOf(page) : '';
  if (!/<img/i.test(html)) return '';
  for (const [tag] of html.matchAll(/<img\b[^<>]*>/gi)) {
    const [, quoted, single] = /\ssrc\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag) ?? [];
    const address = decodeEntities(stripTags(quoted ?? single ?? '')).trim();
    if (isAddress(address)) return address.startsWith('//') ? `https:${address}` : absolute({ site }, address);
  }
  return '';
}

function textOf({ post, site }: Pictured): string {
  if (!post) return '';
  return post.kind === 'md' ? (/!\[|<img/i.test(post.content) ? visitorsView(site).content(post) : '') : post.content;
}

function absolute({ site }: Pick<SeoPage, 'site'>, address: string): string {
  return address.startsWith('/') && !address.startsWith('//') ? site.url + address : address;
}

/** What the page itself shows first: of an item its featured picture, else the first of its text. */
export interface PrimaryPicture {
  readonly url: string;
  readonly width?: number;
  readonly height?: number;
  readonly caption?: string;
}

export function primaryPicture(page: SeoPage): PrimaryPicture | null {
  const { post, kind } = page;
  if (!post || page.isLocked || kind === 'posts page') return null;
  const featured = mediumOf(page, post.featuredMedia);
  if (featured) return pictureOf(page, featured);
  const address = textPicture(page);
  if (address === '') return null;
  const medium = mediumAt(page, address);
  return medium ? { ...pictureOf(page, medium), url: address } : { url: address };
}

/** A picture with its dimensions, and what is said of it. */
export function pictureOf({ site, watch }: SeoPage, medium: AttachmentRecord): PrimaryPicture {
  watch(() => site.media.facts(medium));
  const full = site.media.layout(medium)?.full;
  const caption = stripTags(medium.excerpt).trim() || medium.alt;
  return {
    url: sourceUrl(site, medium),
    ...(full ? { width: full.width, height: full.height } : {}),
    ...(caption === '' ? {} : { caption }),
  };
}

/** The medium with an address among the uploads of the site. */
function mediumAt(page: Pictured, address: string): AttachmentRecord | undefined {
  const { site, watch } = page;
  const base = uploadUrl(site, '');
  if (!address.startsWith(base)) return undefined;
  const place = decoded(address.slice(base.length));
  return mediumOf(
    page,
    watch(() => site.refs.postId('attachment', place)),
  );
}

/** Media whose files tell something that a head shows. */
export function mediaOf(page: Pictured): readonly AttachmentRecord[] {
  const { options, post, values } = page;
  const address = textPicture(page);
  const inText = address === '' ? undefined : mediumAt(page, address);
  const ids = [options.companyLogoId, options.personLogoId, options.defaultImageId, options.frontImageId];
  const own = [post?.featuredMedia ?? 0, galleryPicture(page), values?.image ?? '', values?.cardImage ?? ''];
  const found = [...ids, ...own].map((one) => mediumNamed(page, one));
  return [...found, inText].flatMap((medium) => medium ?? []);
}
