/**
 * A page as its head is made: what it is, where it is, and what it may show.
 *
 * Source: reference on seo/v1, 4.1.
 */
import type { Site } from '../../../kernel/site/site.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import type { SeoOptions, SeoTarget, SeoValues } from '../metadata/record.ts';
import type { TermRecord } from '../../content/terms/record.ts';

export type PageKind =
  /** An item with a page of its own. */
  | 'post'
  /** The page that is the front page. */
  | 'front'
  /** The page at whose address the posts are. */
  | 'posts page'
  | 'term'
  | 'user'
  /** The front page where it shows posts. */
  | 'home'
  | 'archive'
  | 'date'
  | 'search'
  | 'missing';

/** Notes what a head was made of, so that it is known to be as it would be made now. */
export interface Watch {
  /** A value that is asked for again before a kept head is shown. What `read` holds is kept with the head. */
  <T>(read: (site: Site, target: SeoTarget) => T): T;
  /** The record of a table, in the same way. */
  record<R>(table: ReadRecords<R>, id: number): R | undefined;
  /** The head is of this moment only. */
  volatile(): void;
}

export interface ReadRecords<R> {
  get(id: number): R | undefined;
}

export interface SeoPage {
  readonly site: Site;
  readonly options: SeoOptions;
  readonly target: SeoTarget;
  readonly kind: PageKind;
  readonly watch: Watch;
  /** Of `post`, `front` and `posts page`. */
  readonly post?: PostRecord;
  /** Of posts and terms. */
  readonly values?: SeoValues;
  /** A password hides the text: neither text nor pictures are shown. */
  readonly isLocked: boolean;
  /** `de_DE`. */
  readonly locale: string;
  /** Address of the home page of the page's language, with a slash behind. */
  readonly home: string;
  /** Address of the page; '' for what has none. */
  readonly url: string;
  /** What `canonical` of its values says, else the address. */
  readonly canonical: string;
  /** Title and tagline of the site, as markup. */
  readonly siteName: string;
  readonly tagline: string;
  /** Templates as they were filled in: several parts of a head ask for them. */
  readonly filled: Map<string, string>;
  /** Terms by taxonomy: the same. */
  readonly terms: Map<string, readonly TermRecord[]>;
  /** Words of title and text: the same. */
  readonly counted: { words?: number };
}

/** `front` is an item as well as `post`: what is said of items alone is said of it. */
export function isSingular({ kind }: Pick<SeoPage, 'kind'>): boolean {
  return kind === 'post' || kind === 'front';
}
