/**
 * Comments and notes.
 *
 * A file holds what everyone may see: `comments/<post id>/<id>.html`, the body being the comment. E-mail address, IP address
 * and user agent of a commenter are nobody's business; they are kept apart, in the private mount (`modules/comments/commenters.ts`).
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
  /** Id of the post it is on, from the folder; 0 for none. */
  readonly post: number;
  /** Id of the comment it answers, 0 for none. */
  readonly parent: number;
  /** User id, 0 for a guest. */
  readonly author: number;
  /** Name and address as they were when it was written, plain text; null is what the profile of its author says. */
  readonly name: string | null;
  readonly url: string | null;
  /** Site time and GMT. */
  readonly date: string;
  readonly dateGmt: string;
  /** As written, filtered: markup, or Markdown where a person wrote a `.md`. */
  readonly content: string;
  readonly status: CommentStatus;
  /** What a comment in the spam or trash was. */
  readonly was: CommentStatus | null;
  /** `comment`, `note`, or another kind that came with an import. */
  readonly type: string;
  readonly meta: Readonly<Record<string, unknown>>;
}

export const commentStatuses = ['approved', 'hold', 'spam', 'trash'] as const;
export type CommentStatus = (typeof commentStatuses)[number];

/** What the getters of a comment may ask of the site; one for each request. */
export interface CommentView {
  /** As markup shows it. */
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
  /** GMT as clients see it; as of posts. */
  gmt(date: string): string;
}

export type CommentFields = Fields<CommentRecord, CommentView>;

/** Comments of a post, below a comment, by a user. */
export function commentsWith(site: Pick<Site, 'comments'>, index: 'post' | 'parent' | 'author', value: number): CommentRecord[] {
  return [...site.comments.with(index, value)].flatMap((id) => site.comments.get(id) ?? []);
}

/** What goes with a post that is deleted: all comments on it. */
export function removeComments(site: Pick<Site, 'comments'>, post: number): FileChange[] {
  return commentsWith(site, 'post', post).map(({ path }) => ({ remove: path }));
}
