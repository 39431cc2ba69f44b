/**
 * An attachment as the scripts of editors read it: flat, with its sizes.
 * `media.prepare` has to have read the file's facts.
 */
import type { Call } from '../../../kernel/rest/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { localDate } from '../../../render/local-date.ts';
import { canReadPost } from '../../people/accounts/record.ts';
import { localeOf } from '../../languages/record.ts';
import { sourceUrl, uploadUrl } from '../../media/library/index.ts';
import { type AttachmentRecord, isAttachment, uploadPath } from '../../content/attachments/record.ts';
import { linkOf } from '../../content/permalinks/record.ts';
import { authorPath } from '../../people/users/record.ts';

interface ShownSize {
  readonly height: number;
  readonly width: number;
  readonly url: string;
  readonly orientation: 'landscape' | 'portrait';
}

const listedSizes = ['thumbnail', 'medium', 'large'];
/** Stands for files that have no picture. */
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 64" width="48" height="64"><path d="M6 4h24l12 12v44H6z" fill="#fff" stroke="#888" stroke-width="2"/><path d="M30 4v12h12" fill="none" stroke="#888" stroke-width="2"/></svg>',
)}`;

export function attachmentForScripts(call: Call, media: AttachmentRecord): Readonly<Record<string, unknown>> {
  const { site, user } = call;
  const mayRead = canReadPost(site.access, user, media);
  const [type = '', subtype = ''] = media.mime.split('/');
  const url = sourceUrl(site, media);
  const author = site.users.get(media.author);
  const bytes = site.media.fileOf(media)?.size;
  return {
    id: media.id,
    title: media.title,
    filename: site.media.layout(media)?.full.file ?? uploadPath(media).replace(/^.*\//, ''),
    url,
    link: site.url + linkOf(site, media, mayRead),
    alt: media.alt,
    author: String(media.author),
    description: media.content,
    caption: media.excerpt,
    name: media.slug,
    status: media.status,
    uploadedTo: media.parent,
    date: milliseconds(media.dateGmt),
    modified: milliseconds(media.modifiedGmt),
    menuOrder: media.order,
    mime: media.mime,
    type,
    subtype,
    icon,
    dateFormatted: localDate(site.settings.value('date_format') as string, media.date, site.zone, localeOf(call)),
    nonces: { update: false, delete: false, edit: false },
    editLink: false,
    meta: false,
    authorName: author?.name ?? '',
    authorLink: author ? site.url + authorPath(author) : '',
    ...attachedTo(call, media),
    ...(bytes === undefined ? {} : { filesizeInBytes: bytes, filesizeHumanReadable: readable(bytes) }),
    context: '',
    ...pictureOf(site, media, url),
    ...videoOf(site, media),
  };
}

/** The item it belongs to, for whoever may read that. */
function attachedTo({ site, user }: Call, media: AttachmentRecord): object {
  const item = media.parent > 0 ? site.posts.get(media.parent) : undefined;
  if (!item || !canReadPost(site.access, user, item)) return {};
  return { uploadedToTitle: item.title || '(no title)', uploadedToLink: site.url + linkOf(site, item, true) };
}

function pictureOf(site: Site, media: AttachmentRecord, url: string): object {
  const layout = site.media.layout(media);
  if (layout === null) return {};
  const folder = url.slice(0, url.lastIndexOf('/') + 1);
  const failed = site.media.facts(media)?.failed;
  const sizes = listedSizes.flatMap((name) => {
    const found = layout.sizes.find((size) => size.name === name && !failed?.has(size.file));
    return found ? [[name, sizeOf(found, folder + encodeURIComponent(found.file))] as const] : [];
  });
  const full = sizeOf(layout.full, url);
  const original = uploadPath(media);
  return {
    ...full,
    sizes: { ...Object.fromEntries(sizes), full },
    ...(layout.full.derived
      ? { originalImageURL: uploadUrl(site, original), originalImageName: original.replace(/^.*\//, '') }
      : {}),
  };
}

/** What is played has a length, and a picture: its own, or that of every file. */
function videoOf(site: Site, media: AttachmentRecord): object {
  const facts = site.media.facts(media)?.audioVideo;
  if (!facts) return {};
  const cover = media.featuredMedia > 0 ? site.posts.get(media.featuredMedia) : undefined;
  const shown = isAttachment(cover) ? { src: sourceUrl(site, cover) } : { src: icon, width: 48, height: 64 };
  return {
    ...(facts.width && facts.height ? { width: facts.width, height: facts.height } : {}),
    ...(facts.length_formatted ? { fileLength: facts.length_formatted } : {}),
    image: shown,
    thumb: shown,
  };
}

function sizeOf({ width, height }: Pick<ShownSize, 'width' | 'height'>, url: string): ShownSize {
  return { height, width, url, orientation: height > width ? 'portrait' : 'landscape' };
}

/** @param gmt  `YYYY-MM-DDTHH:MM:SS` */
function milliseconds(gmt: string): number {
  return Date.parse(`${gmt}Z`) || 0;
}

/** `47 KB`: whole units of 1024. */
function readable(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB'];
  const at = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return `${Math.round(bytes / 1024 ** at)} ${units[at]}`;
}
