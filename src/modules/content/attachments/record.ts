/** Attachments: media files as posts. Type and dimensions are read from the file and never stored (specification section 2.5). */
import type { PostRecord, PostView } from '../posts/record.ts';
import { originalOf, uploadOf } from '../../../kernel/store/paths.ts';
import type { LibraryPicture } from '../../../render/library-pictures.ts';
import type { MediaFinder } from '../../../render/media-shortcodes.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly textMedia: TextMedia;
  }
}

/** `title`, `excerpt` (the caption) and `content` (the description) are those of posts. */
export interface AttachmentRecord extends PostRecord {
  /** Alternative text. */
  readonly alt: string;
  readonly mime: string;
  /** Id of the attachment this image was edited from; 0 for none. */
  readonly source: number;
  /** URL of the file while it is not local; '' for none. Ignored if the file exists. */
  readonly fetch: string;
  /** Sizes that a client uploaded. */
  readonly clientSizes: ClientSizes;
}

/** A file that a client uploaded. */
export interface BroughtFile {
  readonly file: string;
  readonly width: number;
  readonly height: number;
  readonly filesize: number;
  readonly mime: string;
}

/** The image sizes that a client made and uploaded. */
export interface ClientSizes {
  readonly generate: boolean;
  readonly convert: boolean;
  readonly files: readonly BroughtFile[];
  /** Size → file name, one of `files`. */
  readonly sizes: Readonly<Record<string, string>>;
  /** One of `files`, or ''. */
  readonly attached: string;
  readonly scaled: boolean;
}

/** Orientation of an image, and the format of derived files. */
export interface Making {
  /** EXIF orientation; 1 is upright. */
  readonly orientation: number;
  /** 1 to 100. */
  readonly quality: number;
  /** MIME type of derived files; null for that of the image. */
  readonly format: string | null;
}

export interface MediaView extends PostView {
  caption(media: AttachmentRecord): string;
  description(media: AttachmentRecord): string;
  details(media: AttachmentRecord): unknown;
  sourceUrl(media: AttachmentRecord): string;
  missingSizes(media: AttachmentRecord): readonly string[];
  fileName(media: AttachmentRecord): string;
  /** Size of the uploaded file in bytes; null while it is remote. */
  fileSize(media: AttachmentRecord): number | null;
  /** How sizes are made; undefined for anything but resizable images. */
  making(media: AttachmentRecord): Making | undefined;
}

/** The media library for texts, which refer to media by shortcodes, ids and URLs. */
export interface TextMedia {
  /** Media for the shortcodes of a post's text. */
  finder(post: number): MediaFinder;
  /** The media they refer to, so that their metadata can be loaded. */
  wished(post: number, text: string): readonly AttachmentRecord[];
  /** An image of the library by id and the URL of one of its files; null if there is none. */
  picture(id: number, address: string): LibraryPicture | null;
  /** The same by URL only, for Markdown. */
  pictureAt(address: string): LibraryPicture | null;
  /** The images in a Markdown text. */
  picturesAt(text: string): readonly AttachmentRecord[];
}

/** Sidecar key with the URL of a file to download. */
export const fetchKey = 'fetch';

export function isAttachment(post: PostRecord | undefined): post is AttachmentRecord {
  return post?.type === 'attachment';
}

/** URL path of a media file below the uploads, from its own or its sidecar's path. */
export function uploadPath({ path }: Pick<PostRecord, 'path'>): string {
  return uploadOf(originalOf(path));
}

export function nameOfMedia(sidecar: string): string {
  return originalOf(sidecar)
    .replace(/^.*\//, '')
    .replace(/(?<=.)\.[^.]*$/, '');
}
