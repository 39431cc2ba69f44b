/**
 * Attachments: media files as posts. What the file itself tells (type, dimensions, sizes) is read from it and never written down
 * (specification section 2.5).
 */
import type { PostRecord, PostView } from '../posts/record.ts';
import { originalOf, uploadOf } from '../../../kernel/store/paths.ts';
import type { LibraryPicture } from '../../../render/library-pictures.ts';
import type { MediaFinder } from '../../../render/media-shortcodes.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly textMedia: TextMedia;
  }
}

/** `title`, `excerpt` (the caption) and `content` (the description) are those of every post. */
export interface AttachmentRecord extends PostRecord {
  /** Text for those who do not see the picture. */
  readonly alt: string;
  readonly mime: string;
  /** Attachment this picture was edited from: id; 0 for none. */
  readonly source: number;
  /** Address of the bytes while they are not here; '' for none. Means nothing beside a file. */
  readonly fetch: string;
  /** What clients said of its sizes, and brought. */
  readonly clientSizes: ClientSizes;
}

/** A file that a client brought. */
export interface BroughtFile {
  /** Its name, without a folder. */
  readonly file: string;
  readonly width: number;
  readonly height: number;
  /** Bytes. */
  readonly filesize: number;
  readonly mime: string;
}

/** What a client said of the sizes of a picture that it uploads, and brought. */
export interface ClientSizes {
  readonly generate: boolean;
  readonly convert: boolean;
  readonly files: readonly BroughtFile[];
  /** Size → name of its file, one of `files`. */
  readonly sizes: Readonly<Record<string, string>>;
  /** One of `files`, or ''. */
  readonly attached: string;
  readonly scaled: boolean;
}

/** How a picture is turned, and the files made of it are written. */
export interface Making {
  /** As EXIF counts; 1: upright. */
  readonly orientation: number;
  /** 1 to 100. */
  readonly quality: number;
  /** MIME type of the files made of it; null where it is that of the picture. */
  readonly format: string | null;
}

export interface MediaView extends PostView {
  caption(media: AttachmentRecord): string;
  description(media: AttachmentRecord): string;
  details(media: AttachmentRecord): unknown;
  sourceUrl(media: AttachmentRecord): string;
  missingSizes(media: AttachmentRecord): readonly string[];
  fileName(media: AttachmentRecord): string;
  /** Bytes of the file as it was uploaded; null while it is elsewhere. */
  fileSize(media: AttachmentRecord): number | null;
  /** How its sizes are made; undefined for what is no picture that sizes are made of. */
  making(media: AttachmentRecord): Making | undefined;
}

/** The media library for texts, which name what they show by shortcodes, ids and addresses. */
export interface TextMedia {
  /** What shortcodes of a post's text show. */
  finder(post: number): MediaFinder;
  /** The media that they ask for, so that what is to be known of their files can be read. */
  wished(post: number, text: string): readonly AttachmentRecord[];
  /** A picture of the library by its id and the address of one of its files; null for what is none of these. */
  picture(id: number, address: string): LibraryPicture | null;
  /** The same by the address alone, for Markdown. */
  pictureAt(address: string): LibraryPicture | null;
  /** The pictures that a Markdown text names. */
  picturesAt(text: string): readonly AttachmentRecord[];
}

/** Key of a sidecar whose file is still to be fetched: the address. */
export const fetchKey = 'fetch';

export function isAttachment(post: PostRecord | undefined): post is AttachmentRecord {
  return post?.type === 'attachment';
}

/** Where a media file is served below the uploads, from its own or its sidecar's path. */
export function uploadPath({ path }: Pick<PostRecord, 'path'>): string {
  return uploadOf(originalOf(path));
}

/** Name of the media file without folder and extension. */
export function nameOfMedia(sidecar: string): string {
  return originalOf(sidecar)
    .replace(/^.*\//, '')
    .replace(/(?<=.)\.[^.]*$/, '');
}
