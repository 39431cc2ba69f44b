/**
 * What sitemaps and feeds ask of other modules: which pages search engines are to pass over, and what is where in several languages.
 */
import type { Clause } from '../../../kernel/records/types.ts';
import type { Params } from '../../../kernel/rest/request.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import type { TermRecord } from '../../content/terms/record.ts';
import type { PostType } from '../../types/record.ts';
import type { UserRecord } from '../../people/users/record.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    /** What modules say of pages that are about to be found by others. Each adds its own while it sets up, or before files are read. */
    readonly discovery: DiscoverySource[];
  }
}

export interface DiscoverySource {
  /** Search engines are to pass over the whole site: it has no sitemaps. */
  hidesSite?(): boolean;
  /** Search engines are to pass over it: no sitemap names it. Asked of public items alone, very often. */
  hidesPost?(post: PostRecord): boolean;
  hidesTerm?(term: TermRecord): boolean;
  hidesAuthor?(user: UserRecord): boolean;
  hidesArchive?(type: PostType): boolean;
  /** The item in every language, itself included. */
  translations?(item: PostRecord | TermRecord): readonly Translation[];
  /** The languages of the site, the one that stands for all others first. */
  languages?(): readonly SiteLanguage[];
  /** Lines for the head of a page of the server, with its title. */
  head?(page: ShownPage): Promise<string>;
  /** Clauses of the posts that are shown below the segments which these parameters stand for. */
  scope?(params: Params): readonly Clause[];
}

/** A page of the site, as the server shows it. */
export type ShownPage =
  | { readonly post: PostRecord }
  /** The front page, by what the segments before it stand for. */
  | { readonly home: Params }
  /** The list of the items of a type, likewise. */
  | { readonly archive: PostType; readonly params: Params }
  | { readonly term: TermRecord }
  | { readonly author: UserRecord; readonly params: Params }
  /** `2026`, `2026-03` or `2026-03-05`. */
  | { readonly date: string; readonly params: Params }
  /** What a search has found. */
  | { readonly search: string; readonly params: Params }
  | 'missing';

interface Translation {
  /** Source: RFC 5646. */
  readonly hreflang: string;
  readonly item: PostRecord | TermRecord;
}

interface SiteLanguage {
  readonly hreflang: string;
  /** Locale as feeds say it: `de-DE`. */
  readonly locale: string;
  /** Those that its segment stands for. */
  readonly params: Params;
}

/** A page in another language. */
export interface Alternate {
  readonly hreflang: string;
  readonly url: string;
}
