/**
 * Pages of the site: what is at an address.
 */
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

/** Where pages of the site are: shown by the theme, nowhere, or at a front end of its own. */
export type PagesAt = 'theme' | 'none' | { readonly frontEnd: string };

/** What others may ask of pages. */
export interface ThemeService {
  pagesAt(): PagesAt;
  /** Another one whenever a page may look otherwise. */
  state(): Promise<string>;
  /** Shows pages with a script, which their policy allows: for whoever writes a theme. Null: without one, as usual. */
  showWith(script: string | null): void;
  /** Whether whoever asks has given the password of a post. */
  isUnlocked(post: PostRecord, visit: Visit): boolean;
  /** The page of a post once more, for somebody whose comment was not taken. Null: pages are not shown here. */
  showComment(post: PostRecord, visit: Visit, comment: CommentState, status: number): Promise<Page | null>;
  /** The page at an address below the site, as a file that nobody answers forms behind; null for what is no page. */
  print(address: string): Promise<Printed | null>;
  /** The page that stands for what is missing. */
  printMissing(): Promise<string>;
  /** Addresses of all pages, below the site; of lists the first page. */
  addresses(): Iterable<string>;
  /** Files that pages use, by their addresses below the site. */
  files(): AsyncIterable<{ readonly address: string; readonly bytes: Uint8Array<ArrayBuffer> | string }>;
}

/** What the comment form of a page shows beside its fields. */
export interface CommentState {
  /** Who is signed in and comments by their account, and the proof of their session that a form was meant. */
  readonly by?: { readonly name: string; readonly proof: string };
  /** A comment was taken and waits for approval. */
  readonly waits?: true;
  /** The comment that is answered. */
  readonly replyTo?: number;
  /** What somebody sent, which was not taken, and why: English, as `theme-words` knows it. */
  readonly sent?: {
    readonly fields: Readonly<Record<string, string>>;
    readonly error: string;
    /** Name of the field that is wrong; '' for none. */
    readonly wrong: string;
  };
}

export interface Printed {
  readonly html: string;
  /** Address below the site of the page after it in its list; null for the last. */
  readonly next: string | null;
}

/** A list of items, of which a page shows some. */
export interface List extends Omit<ListAt, 'of' | 'isThere'> {
  readonly of:
    | ListAt['of']
    | { readonly kind: 'home'; readonly page?: PostRecord }
    | { readonly kind: 'search'; readonly words: string };
}

export type Target =
  /** A path of the site with a leading slash, or an absolute address. */
  | { readonly kind: 'redirect'; readonly to: string; readonly status: 301 | 302 | 307 | 308 }
  | { readonly kind: 'gone' | 'missing'; readonly prefix: string; readonly params: Params }
  | { readonly kind: 'post'; readonly post: PostRecord; readonly isPreview?: true }
  | { readonly kind: 'list'; readonly list: List; readonly page: number };

/** Path of the site's address, without a slash at its end: '' for most. */
export function pathBase({ url }: Pick<Site, 'url'>): string {
  return isUrl(url) ? withoutTrailing(new URL(url).pathname, '/') : '';
}
