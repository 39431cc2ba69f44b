/**
 * Feeds: what they say, in whatever form they are printed.
 */

/** A list of the newest posts, or comments. */
export interface FeedContent {
  /** Plain text, as are all texts but `content`. */
  readonly title: string;
  readonly description: string;
  /** Page that shows the same. */
  readonly page: string;
  readonly language: string;
  /** GMT; '' for an empty feed. */
  readonly updated: string;
  /** Address of the site's icon; '' without one. */
  readonly icon: string;
  readonly entries: readonly Entry[];
}

export interface Entry {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly summary: string;
  /** Markup, with whole addresses. */
  readonly content: string;
  /** GMT. */
  readonly published: string;
  readonly updated: string;
  readonly author: { readonly name: string; readonly url: string } | null;
  readonly tags: readonly string[];
  /** Address; '' without one. */
  readonly image: string;
  /** Absent where nobody can comment and nobody has. */
  readonly comments?: { readonly count: number; readonly page: string; readonly feed: string };
  /** Of a comment: the post or the comment that it answers. */
  readonly answers?: { readonly id: string; readonly url: string };
}

export interface FeedForm {
  /** What stands behind the address of the page. */
  readonly suffix: string;
  /** Name of the file in a static export, in the folder of the page. */
  readonly file: string;
  /** Media type. */
  readonly type: string;
  /** @param address  of the feed */
  print(feed: FeedContent, address: string): string;
}
