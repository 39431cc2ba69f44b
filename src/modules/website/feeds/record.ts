/** Feeds, independent of the format. */

/** A list of the newest posts, or comments. */
export interface FeedContent {
  /** Plain text, like all texts but `content`. */
  readonly title: string;
  readonly description: string;
  /** The page with the same content. */
  readonly page: string;
  readonly language: string;
  /** GMT; '' for an empty feed. */
  readonly updated: string;
  /** URL of the site icon; '' without one. */
  readonly icon: string;
  readonly entries: readonly FeedEntry[];
}

export interface FeedEntry {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly summary: string;
  /** Markup with absolute URLs. */
  readonly content: string;
  /** GMT. */
  readonly published: string;
  readonly updated: string;
  readonly author: { readonly name: string; readonly url: string } | null;
  readonly tags: readonly string[];
  /** '' without one. */
  readonly image: string;
  /** Absent if commenting is closed and there are no comments. */
  readonly comments?: { readonly count: number; readonly page: string; readonly feed: string };
  /** The post or comment that it replies to. */
  readonly answers?: { readonly id: string; readonly url: string };
}

export interface FeedForm {
  /** URL suffix of the page. */
  readonly suffix: string;
  /** File name in a static export, in the folder of the page. */
  readonly file: string;
  readonly type: string;
  /** @param address  of the feed */
  print(feed: FeedContent, address: string): string;
}
