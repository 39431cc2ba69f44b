/**
 * What search engines and social networks are told: the values that items have, the options of the site, and the head made of both.
 *
 * Source: reference on seo/v1, 2.1 to 2.4, 4.
 */
import type { Actor } from '../../../kernel/model/access.ts';
import type { SerializedJson } from '../../../kernel/rest/serialized-json.ts';
import type { FileChange } from '../../../kernel/store/types.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import type { TermRecord } from '../../content/terms/record.ts';
import type { UserRecord } from '../../people/users/record.ts';
import type { SeoOptions } from './option-table.ts';

export type { SeoOptions } from './option-table.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly seo: Seo;
    readonly heads: Heads;
  }
}

/** An item of the media library by its id, a picture by its address, or none (''). */
export type SeoPicture = number | string;

/** Values of a post, page, medium or term. A record holds those alone that its file has. */
export interface SeoValues {
  /** Template of the title. */
  readonly title: string;
  /** Template of the description. */
  readonly description: string;
  readonly keyphrase: string;
  /** 0 to 100, as the tool that has analysed the text says. */
  readonly score: number;
  readonly readability: number;
  readonly inclusiveLanguage: number;
  readonly cornerstone: boolean;
  /** Null: as the options of the type or taxonomy say. */
  readonly noindex: boolean | null;
  readonly nofollow: boolean;
  readonly noimageindex: boolean;
  readonly noarchive: boolean;
  readonly nosnippet: boolean;
  /** Title in the trail. */
  readonly breadcrumb: string;
  readonly canonical: string;
  readonly redirect: string;
  readonly socialTitle: string;
  readonly socialDescription: string;
  readonly image: SeoPicture;
  readonly cardTitle: string;
  readonly cardDescription: string;
  readonly cardImage: SeoPicture;
  /** '' as the options of the type say; else one of `pageTypes`. */
  readonly pageType: string;
  /** '' as the options of the type say; else one of `articleTypes`. */
  readonly articleType: string;
  /** Taxonomy → id of the primary term. */
  readonly primary: Readonly<Record<string, number>>;
  /** 0: by the number of words. */
  readonly readingMinutes: number;
}

export interface UserSeoValues {
  readonly title: string;
  readonly description: string;
  readonly noindex: boolean;
  /** Address of the profile. */
  readonly networkA: string;
  /** Handle, without @. */
  readonly networkB: string;
  readonly profiles: readonly string[];
  readonly pronouns: string;
}

/** What every post, medium and term has; the module adds it. */
export interface WithSeo {
  readonly seo?: Partial<SeoValues>;
}

export interface WithUserSeo {
  readonly seo?: Partial<UserSeoValues>;
}

export const pageTypes = [
  ...['WebPage', 'ItemPage', 'AboutPage', 'FAQPage', 'QAPage', 'ProfilePage', 'ContactPage', 'MedicalWebPage'],
  ...['CollectionPage', 'CheckoutPage', 'RealEstateListing', 'SearchResultsPage'],
] as const;

export const articleTypes = [
  ...['Article', 'BlogPosting', 'SocialMediaPosting', 'NewsArticle', 'AdvertiserContentArticle', 'SatiricalArticle'],
  ...['ScholarlyArticle', 'TechArticle', 'Report', 'None'],
] as const;

/**
 * What a head is of. The front page and the posts page are `post` targets where pages are set for them. `language` is the code of the
 * address, where the site has several.
 */
export type SeoTarget =
  | { readonly kind: 'post'; readonly post: PostRecord }
  | { readonly kind: 'term'; readonly term: TermRecord }
  | { readonly kind: 'user'; readonly user: UserRecord; readonly language?: string }
  | { readonly kind: 'home'; readonly language?: string }
  | { readonly kind: 'archive'; readonly type: string; readonly language?: string }
  /** `2024`, `2024-05` or `2024-05-03`. */
  | { readonly kind: 'date'; readonly date: string; readonly language?: string }
  | { readonly kind: 'search'; readonly phrase: string; readonly language?: string }
  | { readonly kind: 'missing'; readonly slug?: string; readonly language?: string };

/** Items of the head in their order; one without a value is left out. */
type HeadJson = Readonly<Record<string, unknown>>;

export interface Head {
  /** Lines to be put into `<head>`, with a remark before and behind. */
  readonly html: string;
  readonly json: HeadJson;
}

export interface Robots {
  readonly noindex: boolean;
  readonly nofollow: boolean;
  /** Directive by its name without `no` and value, as the head's JSON has it: `{index: 'index', …}`. */
  readonly directives: Readonly<Record<string, string>>;
}

interface Seo {
  /** The options of `site.yaml` as they are now. */
  options(): SeoOptions;
  /**
   * The change of `site.yaml` that stores options, by the reference's names of them (`company_name`, `title-post`); its other lines stay
   * as they are, and a value that is the default is taken out. None where nothing differs. For `site.write`.
   * @throws Error for a name that no option has
   */
  planOptions(values: Readonly<Record<string, unknown>>): readonly FileChange[];
  /** With defaults for what the file of the item does not say. */
  valuesOf(record: PostRecord | TermRecord): SeoValues;
  valuesOfUser(user: UserRecord): UserSeoValues;
  robotsOf(target: SeoTarget): Robots;
}

/** Heads of pages. */
export interface Heads {
  /** Makes ready what `of` needs of files; undefined where nothing is to be waited for. */
  prepare(target: SeoTarget): Promise<void> | undefined;
  /**
   * The head of a page, as visitors would see it: nothing that they may not see is in it, but whether the page itself may be seen is
   * for the caller to say. Kept with the record until something that it shows changes.
   */
  of(target: SeoTarget): Head;
  /** The same as `get_head` answers it: `{html, json, status: 200}`. */
  answerTo(target: SeoTarget): SerializedJson;
  /**
   * What is at an address of the site, whatever the spelling of its slashes; null: another site, or nothing. An alias is nothing. Drafts,
   * private items and the like are found by their address: `isVisible` says who may know of them.
   */
  targetAt(address: string): SeoTarget | null;
  /** Whether somebody may know of the page. */
  isVisible(target: SeoTarget, viewer: Actor | null): boolean;
  /** Absolute address of the page, without `canonical` of its values; '' for searches and what is missing. */
  addressOf(target: SeoTarget): string;
}
