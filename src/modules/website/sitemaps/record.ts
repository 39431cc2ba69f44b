/** Data of other modules for sitemaps and feeds: noindex, and translations. */
import type { Clause } from '../../../kernel/records/types.ts';
import type { Params } from '../../../kernel/rest/request.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import type { TermRecord } from '../../content/terms/record.ts';
import type { PostType } from '../../types/record.ts';
import type { UserRecord } from '../../people/users/record.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    /** Modules add to it during setup, or before files are read. */
    readonly discovery: DiscoverySource[];
  }
}

export interface DiscoverySource {
  /** The whole site is noindex: no sitemaps. */
  hidesSite?(): boolean;
  /** The item is noindex: not in sitemaps. Called very often, for public items only. */
  hidesPost?(post: PostRecord): boolean;
  hidesTerm?(term: TermRecord): boolean;
  hidesAuthor?(user: UserRecord): boolean;
  hidesArchive?(type: PostType): boolean;
  /** The item in every language, including itself. */
  translations?(item: PostRecord | TermRecord): readonly Translation[];
  /** The site's languages, the default first. */
  languages?(): readonly SiteLanguage[];
  /** Lines for a page's head, with its title. */
  head?(page: ShownPage): Promise<string>;
  /** Clauses of posts for the language of these parameters. */
  scope?(params: Params): readonly Clause[];
}

export type ShownPage =
  | { readonly post: PostRecord }
  /** The front page, in the language of these parameters. */
  | { readonly home: Params }
  /** The archive of a type, likewise. */
  | { readonly archive: PostType; readonly params: Params }
  | { readonly term: TermRecord }
  | { readonly author: UserRecord; readonly params: Params }
  /** `2026`, `2026-03` or `2026-03-05`. */
  | { readonly date: string; readonly params: Params }
  /** Search results. */
  | { readonly search: string; readonly params: Params }
  | 'missing';

interface Translation {
  /** Source: RFC 5646. */
  readonly hreflang: string;
  readonly item: PostRecord | TermRecord;
}

interface SiteLanguage {
  readonly hreflang: string;
  /** Locale in feeds: `de-DE`. */
  readonly locale: string;
  /** Parameters of its segment. */
  readonly params: Params;
}

export interface Alternate {
  readonly hreflang: string;
  readonly url: string;
}
