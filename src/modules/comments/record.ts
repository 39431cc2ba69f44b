/**
 * Comments and notes.
 *
 * Files hold public data: `comments/<post id>/<id>.html`, the body being the comment. Email address, IP address and user agent are private
 * (`commenters.ts`).
 */
import type { Fields } from '../../kernel/model/field.ts';
import type { Table } from '../../kernel/records/types.ts';
import type { Site } from '../../kernel/site/site.ts';
import type { FileChange } from '../../kernel/store/types.ts';

declare module '../../kernel/site/site.ts' {
  interface Site {
    readonly comments: Table<CommentRecord>;
  }
}

export interface CommentRecord {
  readonly id: number;
  readonly path: string;
  readonly etag: string;
  /** From the folder; 0 for none. */
  readonly post: number;
  /** 0 for none. */
  readonly parent: number;
  /** 0 for a guest. */
  readonly author: number;
  /** Name and URL when it was written, plain text; null for those of the author's profile. */
  readonly name: string | null;
  readonly url: string | null;
  /** Site time and GMT. */
  readonly date: string;
  readonly dateGmt: string;
  /** As written, filtered: markup, or Markdown in a `.md`. */
  readonly content: string;
  readonly status: CommentStatus;
  /** Previous status of a spam or trashed comment. */
  readonly was: CommentStatus | null;
  /** `comment`, `note`, or an imported type. */
  readonly type: string;
  readonly meta: Readonly<Record<string, unknown>>;
}

export const commentStatuses = ['approved', 'hold', 'spam', 'trash'] as const;
export type CommentStatus = (typeof commentStatuses)[number];

/** What getters of a comment use, once per request. */
export interface CommentView {
  /** As markup. */
  name(comment: CommentRecord): string;
  url(comment: CommentRecord): string;
  email(comment: CommentRecord): string;
  ip(comment: CommentRecord): string;
  agent(comment: CommentRecord): string;
  content(comment: CommentRecord): string;
  link(comment: CommentRecord): string;
  status(comment: CommentRecord): string;
  avatars(comment: CommentRecord): Readonly<Record<string, string>>;
  meta(comment: CommentRecord): unknown;
  /** GMT for clients, as for posts. */
  gmt(date: string): string;
}

export type CommentFields = Fields<CommentRecord, CommentView>;

export function commentsWith(site: Pick<Site, 'comments'>, index: 'post' | 'parent' | 'author', value: number): CommentRecord[] {
  return [...site.comments.with(index, value)].flatMap((id) => site.comments.get(id) ?? []);
}

/** Files deleted with a post: all comments on it. */
export function removeComments(site: Pick<Site, 'comments'>, post: number): FileChange[] {
  return commentsWith(site, 'post', post).map(({ path }) => ({ remove: path }));
}
