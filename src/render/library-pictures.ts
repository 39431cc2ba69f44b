/**
 * Pictures of the media library in a text: editors give their `img` the id of the attachment as a class, and what is known of the
 * file is added when the text is shown: its dimensions, and the sizes that a browser may choose from.
 *
 * Source: behaviour of the reference.
 */
import { wireConstants } from './wire-constants.ts';
import { uploadsRoot } from '../kernel/store/paths.ts';
import { numberOf } from './images.ts';
import { escapeHtml } from '../kernel/model/escape.ts';

export interface LibraryPicture {
  readonly width: number;
  readonly height: number;
  /** Addresses with widths, for `srcset`, of a picture shown at these dimensions; '' when there is no choice. */
  offered(width: number, height: number): string;
}

const classId = new RegExp(`${wireConstants.imageClass}(\\d{1,15})`, 'i');

export function namesPictures(html: string): boolean {
  return html.includes(wireConstants.imageClass);
}

/** Whether a text without such classes may name files of the library: by their addresses. */
export function namesUploads(text: string): boolean {
  return text.includes(`${uploadsRoot}/`);
}

/** Ids of the attachments that `img` tags name. */
export function picturesIn(html: string): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [, id] of html.matchAll(new RegExp(classId, 'gi'))) found.add(Number(id));
  return found;
}

/**
 * The markup with what is known of its pictures. What the author wrote stays.
 *
 * @param find  a file of an attachment by its address, without query; the id is 0 where the tag says none
 */
export function addSizes(html: string, find: (id: number, address: string) => LibraryPicture | null): string {
  return html.replace(/<img\s[^<>]+>/g, (tag) => {
    const id = classId.exec(tag)?.[1];
    const address = / src="([^"?]+)/.exec(tag)?.[1];
    const picture = address === undefined ? null : find(Number(id ?? 0), address);
    return picture ? sized(tag, picture) : tag;
  });
}

function sized(tag: string, picture: LibraryPicture): string {
  const [width, height] = [numberOf(tag, 'width'), numberOf(tag, 'height')];
  const isBare = !tag.includes(' width=') && !tag.includes(' height=');
  const styled = isBare ? Number(/ style="width:\s*(\d+)px;"/.exec(tag)?.[1] ?? 0) : 0;
  const drawn = styled > 0 ? scaled(picture, styled) : picture;
  let out = isBare ? `<img width="${drawn.width}" height="${drawn.height}"${tag.slice(4)}` : tag;
  if (tag.includes(' srcset=')) return out;
  const shown = isBare ? drawn : width > 0 && height > 0 ? { width, height } : picture;
  const offered = picture.offered(shown.width, shown.height);
  if (offered === '') return out;
  const sizes = tag.includes(' sizes=') ? '' : ` sizes="(max-width: ${shown.width}px) 100vw, ${shown.width}px"`;
  out = out.replace(/(?<![/ ])[/ ]*>$/, '');
  return `${out} srcset="${escapeHtml(offered)}"${sizes} />`;
}

function scaled({ width, height }: LibraryPicture, to: number): { readonly width: number; readonly height: number } {
  return { width: to, height: Math.round((height * to) / width) };
}
