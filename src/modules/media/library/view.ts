/** What getters of attachments use: URLs, file details, and markup. Requires `media.prepare`. */
import {
  type AttachmentRecord,
  isAttachment,
  type Making,
  type MediaView,
  uploadPath,
} from '../../content/attachments/record.ts';
import { originalOf, uploadsRoot } from '../../../kernel/store/paths.ts';
import type { PostView } from '../../content/posts/record.ts';
import { firstWords } from '../../../render/excerpt.ts';
import { renderMarkdown } from '../../../render/markdown.ts';
import type { LibraryPicture } from '../../../render/library-pictures.ts';
import { type RenderOptions, renderMarkup, renderSummary } from '../../../render/markup.ts';
import { plainText } from '../../../render/text.ts';
import { escapeHtml } from '../../../kernel/model/escape.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { qualities } from '../files/image.ts';
import { emptyMeta, type ImageMeta } from '../files/exif.ts';
import { type Layout, sizingOf } from '../files/image-sizes.ts';
import { constrain, type Dimensions, hasSameShape } from '../files/sizes.ts';

type Viewed = Pick<Site, 'url' | 'settings' | 'operator' | 'posts' | 'media'>;

/** An image in markup. */
interface Shown extends Dimensions {
  readonly url: string;
  readonly file: string;
}

/** The largest image in a `srcset`. */
const maxOffered = 2048;

/** @param base  the view of posts: titles, classes, names */
export function createMediaView(site: Viewed, base: PostView): MediaView {
  return {
    ...base,
    guid: (post) =>
      post.guid === '' ? uploadUrl(site, uploadPath(post)) : post.guid.startsWith('/') ? site.url + post.guid : post.guid,
    caption: (media) => captionOf(site, media),
    description: (media) => describe(site, media),
    details: (media) => detailsOf(site, media),
    sourceUrl: (media) => sourceUrl(site, media),
    missingSizes: (media) => missingSizes(site, media),
    fileName: (media) => fileName(site, media),
    fileSize: (media) => (isElsewhere(site, media) ? null : sizeInBytes(site, media)),
    making: (media) => makingOf(site, media),
  };
}

export function imageSizes(site: Pick<Site, 'settings'>): readonly { readonly name: string }[] {
  return sizingOf(site.settings).sizes;
}

export function uploadUrl(site: Pick<Site, 'url'>, path: string): string {
  return `${site.url}${uploadsRoot}/${path.split('/').map(encodeName).join('/')}`;
}

/** A name in a URL: letters of all scripts unencoded, as in the reference, but quotes encoded, because URLs are used in attributes. */
function encodeName(name: string): string {
  return name.replace(/[\0-\x7f]|[^\p{L}\p{M}\p{N}\p{S}\p{P}]/gu, encodeURIComponent).replaceAll("'", '%27');
}

/** URL of the full image, or of the file; the remote URL while it is not local. */
export function sourceUrl(site: Viewed, media: AttachmentRecord): string {
  if (isElsewhere(site, media)) return new URL(media.fetch).href.replaceAll("'", '%27');
  return uploadUrl(site, fullPath(site, media));
}

export function isElsewhere(site: Pick<Site, 'media'>, media: AttachmentRecord): boolean {
  return media.fetch !== '' && !site.media.fileOf(media);
}

/** Files of an attachment, below `media/`: the full one, the original, the sizes. */
export function filesOf(site: Viewed, media: AttachmentRecord): readonly string[] {
  const original = uploadPath(media);
  const layout = site.media.layout(media);
  const folder = original.slice(0, original.lastIndexOf('/') + 1);
  return [original, ...(layout ? [layout.full.file, ...layout.sizes.map(({ file }) => file)].map((file) => folder + file) : [])];
}

function fullPath(site: Viewed, media: AttachmentRecord): string {
  const original = uploadPath(media);
  const layout = site.media.layout(media);
  return layout ? original.slice(0, original.lastIndexOf('/') + 1) + layout.full.file : original;
}

/** `media_details`. Sizes are listed before they are made, with 0 bytes. Remote files have no details. */
function detailsOf(site: Viewed, media: AttachmentRecord): Record<string, unknown> {
  const facts = site.media.facts(media);
  const layout = site.media.layout(media);
  if (isElsewhere(site, media)) return {};
  const filesize = sizeInBytes(site, media);
  if (!layout || !facts?.picture)
    return { ...facts?.audioVideo, filesize, ...(facts?.audioVideo ? { mime_type: media.mime } : {}), sizes: {} };
  const { full } = layout;
  const full_url = sourceUrl(site, media);
  const folder = full_url.slice(0, full_url.lastIndexOf('/') + 1);
  const url = (file: string): string => folder + encodeName(file);
  const sizes = layout.sizes
    .filter(({ file }) => !facts.failed.has(file))
    .map(({ name, file, width, height, brought }) => {
      return [
        name,
        {
          file,
          width,
          height,
          filesize: brought?.filesize ?? facts.made.get(file) ?? 0,
          mime_type: brought?.mime ?? layout.mime,
          source_url: url(file),
        },
      ] as const;
    });
  const shown = full.derived ? layout.mime : media.mime;
  const fullSize = { file: full.file, width: full.width, height: full.height, mime_type: shown, source_url: full_url };
  const parent = media.source > 0 ? site.posts.get(media.source) : undefined;
  return {
    width: full.width,
    height: full.height,
    file: layout.stated ? uploadPath(media) : fullPath(site, media),
    filesize: full.derived ? (facts.made.get(full.file) ?? 0) : filesize,
    sizes: Object.fromEntries(sizes.length > 0 ? [...sizes, ['full', fullSize]] : sizes),
    image_meta: metaOf(site, media, full.derived),
    ...(full.derived || site.media.clientSizes(originalOf(media.path)).scaled
      ? { original_image: originalOf(media.path).replace(/^.*\//, '') }
      : {}),
    ...(media.source > 0
      ? { parent_image: { attachment_id: String(media.source), file: isAttachment(parent) ? uploadPath(parent) : '' } }
      : {}),
  };
}

/** The name of the attached file; of the original, if there is a scaled copy. */
function fileName(site: Viewed, media: AttachmentRecord): string {
  const layout = site.media.layout(media);
  return layout?.stated ? layout.full.file : uploadPath(media).replace(/^.*\//, '');
}

function sizeInBytes(site: Viewed, media: AttachmentRecord): number {
  return site.media.facts(media)?.pointer?.size ?? site.media.fileOf(media)?.size ?? 0;
}

function makingOf(site: Viewed, media: AttachmentRecord): Making | undefined {
  const layout = site.media.layout(media);
  if (layout === null || !site.media.facts(media)?.picture) return undefined;
  return {
    orientation: Number(metaOf(site, media, layout.full.derived).orientation) || 1,
    quality: sizingOf(site.settings).quality ?? (qualities[layout.format] || qualities.jpeg),
    format: layout.mime === media.mime ? null : layout.mime,
  };
}

/** Camera metadata; an edited image has that of its source. */
function metaOf(site: Viewed, media: AttachmentRecord, isTurned: boolean): Record<string, unknown> {
  const own = site.media.facts(media)?.picture?.meta ?? emptyMeta;
  const parent = media.source > 0 ? site.posts.get(media.source) : undefined;
  const inherited = isAttachment(parent) ? site.media.facts(parent)?.picture?.meta : undefined;
  const merged: Record<string, unknown> = { ...emptyMeta, ...own };
  for (const [key, value] of Object.entries(inherited ?? {})) if (isEmpty(merged[key]) && !isEmpty(value)) merged[key] = value;
  const { orientation } = merged as unknown as ImageMeta;
  if (orientation !== '0' && (isTurned || media.source > 0)) merged.orientation = 1;
  return merged;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || value === '0' || (Array.isArray(value) && value.length === 0);
}

/** Sizes that could not be made. */
function missingSizes(site: Viewed, media: AttachmentRecord): readonly string[] {
  const failed = site.media.facts(media)?.failed;
  const layout = site.media.layout(media);
  if (layout === null) return [];
  return [...layout.sizes.flatMap(({ name, file, brought }) => (!brought && failed?.has(file) ? [name] : [])), ...layout.missing];
}

function optionsOf(site: Viewed): RenderOptions {
  return {
    smilies: site.settings.value('smilies') === true,
    typography: site.settings.value('typography') === true,
    filtered: site.operator.filter_content,
    home: site.url,
    language: String(site.settings.value('language')),
  };
}

/** Texts of sidecars are Markdown, unless the site uses markup. */
function isMarkdown(site: Viewed): boolean {
  return site.settings.value('writing') !== 'markup';
}

/** The caption as HTML; '' if there is none. */
export function givenCaption(site: Viewed, media: AttachmentRecord): string {
  if (media.excerpt.trim() === '') return '';
  const options = optionsOf(site);
  return isMarkdown(site)
    ? renderMarkdown(media.excerpt, { ...options, anchor: `${media.id}c` })
    : renderSummary(media.excerpt, options);
}

/** The caption, else an excerpt of the description with its media. */
function captionOf(site: Viewed, media: AttachmentRecord): string {
  const options = optionsOf(site);
  const given = givenCaption(site, media);
  if (given !== '') return given;
  return renderSummary(firstWords(plainText(describe(site, media)), 55), options);
}

/** The description with its media: a medium image, a player, a link. */
function describe(site: Viewed, media: AttachmentRecord): string {
  const options = optionsOf(site);
  const text =
    media.content.trim() === ''
      ? ''
      : isMarkdown(site)
        ? renderMarkdown(media.content, { ...options, anchor: `${media.id}` })
        : renderMarkup(media.content, options);
  return `${showFile(site, media)}${text}`;
}

function showFile(site: Viewed, media: AttachmentRecord): string {
  const url = escapeHtml(sourceUrl(site, media));
  const [family] = media.mime.split('/');
  if (family === 'audio')
    return `<audio class="attachment" preload="none" style="width: 100%;" controls="controls"><source type="${media.mime}" src="${url}" /></audio>\n`;
  if (family === 'video') {
    const { width, height } = site.media.facts(media)?.audioVideo ?? {};
    const size = width && height ? ` width="${width}" height="${height}"` : '';
    return `<video class="attachment"${size} preload="metadata" controls="controls"><source type="${media.mime}" src="${url}" /></video>\n`;
  }
  const layout = site.media.layout(media);
  return `<p class="attachment"><a href='${url}'>${layout ? imageOf(site, media, 'medium') : escapeHtml(media.title)}</a></p>\n`;
}

/**
 * An image element in one of its sizes: scaled by the browser if there is no such file, full if there is no such size.
 *
 * @param attributes  appended, with a leading space
 * @param hints  position of loading hints: before or behind the other attributes, or none, if the text gets them as a whole
 */
export function imageOf(
  site: Viewed,
  media: AttachmentRecord,
  size: string,
  attributes = '',
  hints: 'first' | 'last' | 'none' = 'first',
): string {
  const layout = site.media.layout(media);
  const named = `class="attachment-${size} size-${size}" alt="${escapeHtml(media.alt)}"${attributes}`;
  const [decoded, lazy] = ['decoding="async"', 'loading="lazy"'];
  if (layout === null) {
    const [before, behind] = [hints === 'first' ? ` ${decoded}` : '', hints === 'last' ? ` ${decoded}` : ''];
    return `<img${before} src="${escapeHtml(sourceUrl(site, media))}" ${named}${behind} />`;
  }
  const pictures = picturesOf(site, media, layout);
  const full = pictures.at(-1) as Shown;
  const made = layout.sizes.find(({ name }) => name === size);
  const box = sizingOf(site.settings).sizes.find(({ name }) => name === size) ?? { width: 0, height: 0 };
  const shown = (made && pictures.find(({ file }) => file === made.file)) ?? { ...full, ...constrain(full, box) };
  const offered = sourceSet(pictures, shown, media.mime === 'image/gif');
  const { width, height, url } = shown;
  return [
    '<img',
    ...(hints === 'first' ? [lazy, decoded] : []),
    `width="${width}" height="${height}" src="${url}" ${named}`,
    ...(hints === 'last' ? [decoded, lazy] : []),
    ...(offered === '' ? [] : [`srcset="${offered}" sizes="auto, (max-width: ${width}px) 100vw, ${width}px"`]),
    '/>',
  ].join(' ');
}

/** Every size, the full image last. */
function picturesOf(site: Viewed, media: AttachmentRecord, { sizes, full }: Layout): readonly Shown[] {
  const url = sourceUrl(site, media);
  const folder = url.slice(0, url.lastIndexOf('/') + 1);
  return [...sizes, full].map(({ file, width, height }) => ({ file, width, height, url: folder + encodeName(file) }));
}

/** A file of an attachment by its URL, for texts; null if it is not one of its files. */
export function libraryPicture(site: Viewed, id: number, address: string): LibraryPicture | null {
  const media = site.posts.get(id);
  const layout = isAttachment(media) ? site.media.layout(media) : null;
  if (!isAttachment(media) || layout === null) return null;
  const pictures = picturesOf(site, media, layout);
  const file = pictures.find(({ url }) => address.endsWith(url.slice(site.url.length)));
  if (file === undefined) return null;
  const { width, height } = file;
  return { width, height, offered: (...shape) => sourceSet(pictures, file, media.mime === 'image/gif', shape) };
}

/** Images with the same aspect ratio, the shown one first; '' if there is only one. A small GIF must not become an animated one. */
function sourceSet(
  pictures: readonly Shown[],
  shown: Shown,
  isGif: boolean,
  [width, height]: readonly [number, number] = [shown.width, shown.height],
): string {
  const whole = pictures.at(-1) as Shown;
  const byWidth = new Map<number, string>([[shown.width, shown.url]]);
  for (const one of pictures) {
    if (one.file === shown.file || byWidth.has(one.width) || one.width > maxOffered || (isGif && one === whole)) continue;
    if (hasSameShape(one, { width, height })) byWidth.set(one.width, one.url);
  }
  if (byWidth.size < 2 || (isGif && shown.file === whole.file)) return '';
  return [...byWidth].map(([width, url]) => `${url} ${width}w`).join(', ');
}
