/** The media library for texts. Rendered texts are cached for all readers, so this shows public media, and those attached to the text itself. */
import { decoded } from '../../../kernel/model/slugs.ts';
import { type AttachmentRecord, isAttachment, type TextMedia } from '../../content/attachments/record.ts';
import { canReadPost } from '../../people/accounts/record.ts';
import { givenCaption, imageOf, libraryPicture, sourceUrl } from './view.ts';
import { uploadsRoot } from '../../../kernel/store/paths.ts';
import { mimeOf } from '../files/types.ts';
import { type MediaWish, mediaWishes, type ShownMedia } from '../../../render/media-shortcodes.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { linkOf } from '../../content/permalinks/record.ts';

/** Maximum number of a post's media. */
const mostOfPost = 5000;

export function createTextMedia(site: Site): TextMedia {
  return {
    finder: (post) => ({
      home: site.url,
      mimeOf: (address) => mimeOf(address.replace(/[?#].*$/s, '')) ?? '',
      find: (wish) => mediaOf(site, post, wish).map((media) => shownAs(site, media)),
    }),
    picture: (id, address) => libraryPicture(site, id, address),
    pictureAt(address) {
      const isOwn = address.startsWith(`${site.url}${uploadsRoot}/`);
      const media = isOwn ? attachmentAt(site, address.slice(site.url.length)) : undefined;
      return media ? libraryPicture(site, media.id, address) : null;
    },
    wished: (post, text) => mediaWishes(text, post).flatMap((wish) => mediaOf(site, post, wish)),
    picturesAt(text) {
      const found = [...text.matchAll(addressed)].map(([address]) => attachmentAt(site, address));
      return [...new Set(found.filter((media) => media !== undefined))];
    },
  };
}

const addressed = new RegExp(`${uploadsRoot}/[^\\s"'()<>?#]+`, 'g');

/** @param address  root-relative URL of the file or one of its sizes */
function attachmentAt(site: Site, address: string): AttachmentRecord | undefined {
  const path = decoded(address.slice(uploadsRoot.length + 1));
  const whole = path.replace(/-\d+x\d+(?=\.\w+$)/, '').replace(/-scaled(?=\.\w+$)/, '');
  for (const one of new Set([path, whole])) {
    const media = site.posts.get(site.refs.postId('attachment', one));
    if (isAttachment(media)) return media;
  }
  return undefined;
}

function mediaOf(site: Site, post: number, { family, ids, without, parent, by, isReversed }: MediaWish): AttachmentRecord[] {
  const named = ids ?? [...site.posts.with('parent', parent)].slice(0, mostOfPost);
  const left = new Set(named.filter((id) => !without.includes(id)));
  const found = [...left]
    .map((id) => site.posts.get(id))
    .filter(isAttachment)
    .filter((media) => media.mime.startsWith(`${family}/`) && isOpen(site, post, media));
  if (ids === null) found.sort((a, b) => compare(a, b, by));
  return isReversed ? found.reverse() : found;
}

function compare(a: AttachmentRecord, b: AttachmentRecord, by: string): number {
  if (by === 'title' && a.title !== b.title) return a.title < b.title ? -1 : 1;
  if (by === 'date' && a.date !== b.date) return a.date < b.date ? -1 : 1;
  return (by === 'menu_order' ? a.order - b.order : 0) || a.id - b.id;
}

function isOpen(site: Site, post: number, media: AttachmentRecord): boolean {
  return canReadPost(site.access, null, media) || (media.parent === post && media.status === 'inherit');
}

function shownAs(site: Site, media: AttachmentRecord): ShownMedia {
  const facts = site.media.facts(media);
  const full = site.media.layout(media)?.full;
  return {
    id: media.id,
    url: sourceUrl(site, media),
    link: site.url + linkOf(site, media, false),
    title: media.title,
    mime: media.mime,
    caption: withoutParagraph(givenCaption(site, media)),
    description: media.content,
    shape: full && (full.height > full.width ? 'portrait' : 'landscape'),
    length: facts?.audioVideo?.length_formatted,
    image: (size, attributes) => imageOf(site, media, size, attributes),
  };
}

/** A caption has no paragraph around it. */
function withoutParagraph(html: string): string {
  return html.trim().replace(/^<p>((?:(?!<\/?p>)[\s\S])*)<\/p>$/, '$1');
}
