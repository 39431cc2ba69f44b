/**
 * Index records as clients see them: all columns of each object, as it is now.
 *
 * Source: reference of seo/v1, 2.5; numbers, booleans and null as JSON has them (3.10)
 */
import { createHash } from 'node:crypto';
import { stripTags } from '../../../kernel/model/tags.ts';
import { mapOf, table } from '../../../kernel/model/maps.ts';
import type { Clause } from '../../../kernel/records/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { pagesOf } from '../head/texts.ts';
import { isAddress } from '../metadata/index.ts';
import type { SeoPicture, SeoTarget, SeoValues } from '../metadata/record.ts';
import { type PostRecord, isProtected } from '../../content/posts/record.ts';
import type { TermRecord } from '../../content/terms/record.ts';
import type { Indexable, IndexKey, IndexRow } from './record.ts';
import type { LinkCounts } from './links.ts';
import { isPublic } from '../../types/record.ts';

type Columns = Readonly<Record<string, unknown>>;

/** Versions of what is built, by object type. */
const versions: Readonly<Record<string, number>> = table({ 'date-archive': 1, 'system-page': 1 });
const usualVersion = 2;
const longestKeyphrase = 191;

/** Every column in its order, as it is where nothing is known. */
const blank = {
  id: 0,
  object_id: null,
  object_type: '',
  object_sub_type: null,
  permalink: null,
  permalink_hash: null,
  author_id: null,
  post_parent: null,
  title: null,
  description: null,
  breadcrumb_title: null,
  post_status: null,
  is_public: null,
  is_protected: false,
  has_public_posts: null,
  number_of_pages: null,
  canonical: null,
  primary_focus_keyword: null,
  primary_focus_keyword_score: null,
  readability_score: 0,
  inclusive_language_score: 0,
  is_cornerstone: false,
  is_robots_noindex: null,
  is_robots_nofollow: false,
  is_robots_noarchive: null,
  is_robots_noimageindex: null,
  is_robots_nosnippet: null,
  twitter_title: null,
  twitter_image: null,
  twitter_description: null,
  twitter_image_id: null,
  twitter_image_source: null,
  open_graph_title: null,
  open_graph_description: null,
  open_graph_image: null,
  open_graph_image_id: null,
  open_graph_image_source: null,
  open_graph_image_meta: null,
  link_count: null,
  incoming_link_count: null,
  prominent_words_version: null,
  created_at: '',
  updated_at: '',
  blog_id: 1,
  language: null,
  region: null,
  schema_page_type: null,
  schema_article_type: null,
  has_ancestors: false,
  estimated_reading_time_minutes: null,
  version: usualVersion,
  object_last_modified: null,
  object_published_at: null,
} as const;

/** The record of an object. */
export function indexableOf(
  site: Site,
  target: SeoTarget,
  key: IndexKey,
  { id, createdAt }: IndexRow,
  counts: LinkCounts,
): Indexable {
  const own = columnsOf(site, target);
  const permalink = site.heads.addressOf(target) || null;
  const links = counts.from(key);
  const modified = (own.object_last_modified as string | null | undefined) ?? createdAt;
  return {
    ...blank,
    ...own,
    id,
    permalink: target.kind === 'date' ? null : permalink,
    permalink_hash: permalink === null || target.kind === 'date' ? null : hashOf(permalink),
    link_count: links,
    incoming_link_count: links === null && counts.to(key) === 0 ? null : counts.to(key),
    created_at: createdAt,
    updated_at: modified > createdAt ? modified : createdAt,
    version: versions[own.object_type as string] ?? usualVersion,
  };
}

function hashOf(permalink: string): string {
  return `${permalink.length}:${createHash('md5').update(permalink).digest('hex')}`;
}

function columnsOf(site: Site, target: SeoTarget): Columns {
  const options = site.seo.options();
  switch (target.kind) {
    case 'post':
      return postColumns(site, target.post);
    case 'term':
      return termColumns(site, target.term);
    case 'archive': {
      const of = options.ofType(target.type);
      return {
        object_type: 'post-type-archive',
        object_sub_type: target.type,
        title: of.archiveTitle || null,
        description: of.archiveDescription || null,
        breadcrumb_title: of.archiveBreadcrumb || (site.types.get(target.type)?.label ?? null),
        is_robots_noindex: of.archiveNoindex,
        is_public: !of.archiveNoindex,
        ...times(site, [{ kind: 'in', index: 'type', values: [target.type] }]),
      };
    }
    case 'home':
      return {
        object_type: 'home-page',
        title: options.homeTitle,
        description: options.homeDescription || String(site.settings.value('description') ?? '') || null,
        breadcrumb_title: options.crumbHome,
        is_robots_noindex: options.hidden,
        is_public: !options.hidden,
        open_graph_title: options.frontTitle || null,
        open_graph_description: options.frontDescription || null,
        open_graph_image: options.frontImage || null,
        open_graph_image_id: options.frontImageId || null,
        open_graph_image_source: options.frontImage || options.frontImageId ? 'set-by-user' : null,
        ...times(site, [{ kind: 'in', index: 'type', values: ['post'] }]),
      };
    case 'date':
      return {
        object_type: 'date-archive',
        title: options.dateTitle,
        description: options.dateDescription || null,
        is_robots_noindex: options.dateNoindex,
        is_public: !options.dateNoindex,
      };
    default: {
      const isSearch = target.kind === 'search';
      return {
        object_type: 'system-page',
        object_sub_type: isSearch ? 'search-result' : '404',
        title: isSearch ? options.searchTitle : options.missingTitle,
        breadcrumb_title: isSearch ? options.crumbSearch : options.crumbMissing,
        is_robots_noindex: true,
        is_public: false,
      };
    }
  }
}

function postColumns(site: Site, post: PostRecord): Columns {
  const values = site.seo.valuesOf(post);
  const isLocked = isProtected(post);
  const pages = pagesOf(post);
  const isClosed = isLocked || values.noindex === true || !isPublic(site.statuses, post.status);
  return {
    object_id: post.id,
    object_type: 'post',
    object_sub_type: post.type,
    author_id: post.author || null,
    post_parent: post.parent,
    post_status: post.status,
    is_public: isClosed ? false : values.noindex === false ? true : null,
    is_protected: isLocked,
    number_of_pages: pages > 1 ? pages : null,
    ...sharedColumns(values, stripTags(post.title)),
    ...pictureColumns(site, { kind: 'post', post }, values, post.featuredMedia),
    language: languageOf(post),
    schema_page_type: values.pageType || null,
    schema_article_type: values.articleType || null,
    has_ancestors: post.parent > 0 || Object.keys(values.primary).length > 0,
    estimated_reading_time_minutes: values.readingMinutes || null,
    object_last_modified: spaced(post.modifiedGmt),
    object_published_at: spaced(post.dateGmt),
  };
}

function termColumns(site: Site, term: TermRecord): Columns {
  const values = site.seo.valuesOf(term);
  const base = site.taxonomies.get(term.taxonomy)?.restBase ?? term.taxonomy;
  return {
    object_id: term.id,
    object_type: 'term',
    object_sub_type: term.taxonomy,
    is_public: values.noindex === null ? null : !values.noindex,
    ...sharedColumns(values, stripTags(term.name)),
    ...pictureColumns(site, { kind: 'term', term }, values, 0),
    language: languageOf(term),
    has_ancestors: term.parent > 0,
    ...times(site, [{ kind: 'in', index: base, values: [term.id] }]),
  };
}

/** What posts and terms have alike. */
function sharedColumns(values: SeoValues, name: string): Columns {
  const { keyphrase } = values;
  return {
    title: values.title || null,
    description: values.description || null,
    breadcrumb_title: values.breadcrumb || name,
    canonical: values.canonical || null,
    primary_focus_keyword: keyphrase === '' ? null : [...keyphrase].slice(0, longestKeyphrase).join(''),
    primary_focus_keyword_score: keyphrase === '' ? null : values.score,
    readability_score: values.readability,
    inclusive_language_score: values.inclusiveLanguage,
    is_cornerstone: values.cornerstone,
    is_robots_noindex: values.noindex,
    is_robots_nofollow: values.nofollow,
    is_robots_noarchive: values.noarchive || null,
    is_robots_noimageindex: values.noimageindex || null,
    is_robots_nosnippet: values.nosnippet || null,
    twitter_title: values.cardTitle || null,
    twitter_description: values.cardDescription || null,
    open_graph_title: values.socialTitle || null,
    open_graph_description: values.socialDescription || null,
  };
}

/** The picture is that of the head, which knows where it comes from but for the site's own. */
function pictureColumns(site: Site, target: SeoTarget, values: SeoValues, featured: number): Columns {
  const { og_image: shown, twitter_image: card } = site.heads.of(target).json;
  const [picture] = Array.isArray(shown) ? shown.map(mapOf) : [];
  const source = sourceOf(values.image) ?? (featured > 0 ? 'featured-image' : 'first-content-image');
  const isOwn = picture !== undefined && (source !== 'first-content-image' || picture.url !== site.seo.options().defaultImage);
  const ids = typeof values.image === 'number' ? values.image : source === 'featured-image' ? featured : null;
  return {
    ...(isOwn
      ? {
          open_graph_image: picture.url,
          open_graph_image_id: ids,
          open_graph_image_source: source,
          open_graph_image_meta: picture.width === '' ? null : JSON.stringify(picture),
        }
      : {}),
    twitter_image: card ?? null,
    twitter_image_id: typeof values.cardImage === 'number' ? values.cardImage : null,
    twitter_image_source: sourceOf(values.cardImage),
  };
}

function sourceOf(picture: SeoPicture): 'set-by-user' | null {
  return typeof picture === 'number' ? (picture > 0 ? 'set-by-user' : null) : isAddress(picture) ? 'set-by-user' : null;
}

/** When the first of the published posts of a page came, and when one of them was changed last. */
function times(site: Site, where: readonly Clause[]): Columns {
  const listed: readonly Clause[] = [
    ...where,
    { kind: 'in', index: 'status', values: ['publish'] },
    { kind: 'in', index: 'password', values: [0] },
  ];
  const first = (by: string, direction: 'asc' | 'desc') =>
    site.posts.query({ where: listed, sort: { by, direction }, offset: 0, limit: 1 }).records[0];
  return {
    object_last_modified: spaced(first('modified', 'desc')?.modifiedGmt ?? ''),
    object_published_at: spaced(first('date', 'asc')?.dateGmt ?? ''),
  };
}

/** As a database prints it; null for none. */
function spaced(gmt: string): string | null {
  return gmt === '' ? null : gmt.replace('T', ' ');
}

function languageOf(record: object): string | null {
  const { lang } = record as { readonly lang?: unknown };
  return typeof lang === 'string' && lang !== '' ? lang : null;
}
