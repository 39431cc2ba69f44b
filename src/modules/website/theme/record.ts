/** Pages of the site by URL. */
import { withoutTrailing } from '../../../kernel/model/text-ends.ts';
import type { Page, Visit } from '../../../kernel/site/serving.ts';
import type { Params } from '../../../kernel/rest/request.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { ListAt } from '../../content/permalinks/index.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly theme: ThemeService;
  }
}

/** Where pages are: in the theme, nowhere, or at a front end. */
export type PagesAt = 'theme' | 'none' | { readonly frontEnd: string };

/** Theme pages for other modules. */
export interface ThemeService {
  pagesAt(): PagesAt;
  /** Changes whenever a page may look different. */
  state(): Promise<string>;
  /** Adds a script to pages, allowed by their policy, for theme authors. Null: none. */
  showWith(script: string | null): void;
  /** Whether the reader has given the password of a post. */
  isUnlocked(post: PostRecord, visit: Visit): boolean;
  /** The page of a post again, after a refused comment. Null if pages are not shown here. */
  showComment(post: PostRecord, visit: Visit, comment: CommentState, status: number): Promise<Page | null>;
  /** The static page at a URL below the site; null if there is none. */
  print(address: string): Promise<Printed | null>;
  /** The 404 page. */
  printMissing(): Promise<string>;
  /** URLs of all pages, below the site; only first pages of lists. */
  addresses(): Iterable<string>;
  /** Assets of pages, by URL below the site. */
  files(): AsyncIterable<{ readonly address: string; readonly bytes: Uint8Array<ArrayBuffer> | string }>;
}

/** Additional data of the comment form. */
export interface CommentState {
  /** The signed-in user, with the form token. */
  readonly by?: { readonly name: string; readonly proof: string };
  /** A comment is held for approval. */
  readonly waits?: true;
  /** The comment to reply to. */
  readonly replyTo?: number;
  /** The refused input, and the reason in English, a key of `theme-words`. */
  readonly sent?: {
    readonly fields: Readonly<Record<string, string>>;
    readonly error: string;
    /** Invalid field; '' for none. */
    readonly wrong: string;
  };
}

export interface Printed {
  readonly html: string;
  /** URL of the next page below the site; null for the last. */
  readonly next: string | null;
}

/** A paged list. */
export interface List extends Omit<ListAt, 'of' | 'isThere'> {
  readonly of:
    | ListAt['of']
    | { readonly kind: 'home'; readonly page?: PostRecord }
    | { readonly kind: 'search'; readonly words: string };
}

export type Target =
  /** A path of the site with a leading slash, or an absolute URL. */
  | { readonly kind: 'redirect'; readonly to: string; readonly status: 301 | 302 | 307 | 308 }
  | { readonly kind: 'gone' | 'missing'; readonly prefix: string; readonly params: Params }
  | { readonly kind: 'post'; readonly post: PostRecord; readonly isPreview?: true }
  | { readonly kind: 'list'; readonly list: List; readonly page: number };

/** Path of the site's URL, without a trailing slash: usually ''. */
export function pathBase({ url }: Pick<Site, 'url'>): string {
  return isUrl(url) ? withoutTrailing(new URL(url).pathname, '/') : '';
}
