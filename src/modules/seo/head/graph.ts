/**
 * The page and what belongs to it as one graph in the vocabulary of schema.org.
 *
 * Source: reference on seo/v1, 4.7; corrections from recordings.
 */
import { authorPath } from '../../people/users/record.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import type { SeoTarget } from '../metadata/record.ts';
import {
  languageTag,
  person,
  personId,
  type GraphPiece,
  type Represented,
  represented,
  representedId,
  representedPiece,
} from './people.ts';
import { type PrimaryPicture, primaryPicture } from './pictures.ts';
import type { SeoPage } from './record.ts';
import { shownTitle, trailOf } from './trail.ts';
import { escapeName } from '../../../kernel/model/escape.ts';
import { isoTime, modifiedLater, termsOf, wordCount } from './texts.ts';
import { author } from './variables.ts';

/** What the pieces of one graph share. */
interface Graph {
  readonly page: SeoPage;
  readonly title: string;
  readonly description: string;
  readonly who: Represented | null;
  readonly picture: PrimaryPicture | null;
  readonly trail: GraphPiece | null;
  readonly hasArticle: boolean;
}

/** @param title, description  as the head has them */
export function graphOf(page: SeoPage, title: string, description: string): GraphPiece {
  const { kind, isLocked } = page;
  const who = represented(page);
  const graph: Graph = {
    page,
    title,
    description,
    who,
    picture: primaryPicture(page),
    trail: isLocked ? null : trailPiece(page),
    hasArticle: articleType(page) !== null,
  };
  const writer = graph.hasArticle || page.target.kind === 'user' ? author(page) : undefined;
  const isRepresented = who?.kind === 'person' && who.user.id === writer?.id;
  const ofWriter = writer ? writerMembers(page, writer.slug) : {};
  const pieces: readonly (GraphPiece | null)[] = [
    graph.hasArticle ? article(graph) : null,
    kind === 'missing' ? null : webPage(graph),
    graph.picture ? image(graph, graph.picture) : null,
    graph.trail,
    website(graph),
    who ? representedPiece(page, who, isRepresented ? ofWriter : {}) : null,
    writer && !isRepresented ? { ...person(page, writer, 'Person'), ...ofWriter } : null,
  ];
  return { '@context': 'https://schema.org', '@graph': pieces.filter((piece) => piece !== null) };
}

/** What a person's piece has where it is the author's. */
function writerMembers({ target, url, home }: SeoPage, slug: string): GraphPiece {
  return target.kind === 'user' ? { mainEntityOfPage: { '@id': url } } : { url: home + authorPath({ slug }).slice(1) };
}

/** Type of the article that an item is; null for none. */
function articleType({ site, post, values, options, isLocked }: SeoPage): string | readonly string[] | null {
  if (!post || isLocked || !site.types.get(post.type)?.supports.author) return null;
  const type = values?.articleType || options.ofType(post.type).articleType;
  if (type === 'None' || type === '') return null;
  return type.includes('Article') ? type : ['Article', type];
}

function article({ page, who, picture }: Graph): GraphPiece {
  const { post, url, canonical } = page;
  if (!post) return {};
  const writer = author(page);
  const comments = post.comments === 'open';
  const keywords = termsOf(page, 'post_tag').map(({ name }) => name);
  const sections = termsOf(page, 'category')
    .map(({ name }) => name)
    .filter((name) => name !== 'Uncategorized');
  return {
    '@type': articleType(page),
    '@id': `${canonical}#article`,
    isPartOf: { '@id': url },
    ...(writer ? { author: { name: escapeName(writer.name), '@id': personId(page, writer) } } : {}),
    headline: shownTitle(page, post),
    ...datesOf(post),
    mainEntityOfPage: { '@id': url },
    wordCount: wordCount(page),
    ...(comments ? { commentCount: page.watch(approvedComments) } : {}),
    ...(who ? { publisher: { '@id': representedId(page, who) } } : {}),
    ...(picture ? { image: { '@id': `${canonical}#primaryimage` }, thumbnailUrl: picture.url } : {}),
    ...(keywords.length > 0 ? { keywords } : {}),
    ...(sections.length > 0 ? { articleSection: sections } : {}),
    inLanguage: languageTag(page),
    ...(comments ? { potentialAction: [{ '@type': 'CommentAction', name: 'Comment', target: [`${canonical}#respond`] }] } : {}),
  };
}

function approvedComments({ comments }: Site, target: SeoTarget): number {
  if (target.kind !== 'post') return 0;
  let count = 0;
  for (const comment of comments.with('post', target.post.id)) if (comments.get(comment)?.status === 'approved') count++;
  return count;
}

function webPage({ page, title, description, who, picture, trail }: Graph): GraphPiece {
  const { post, url, canonical, home, isLocked, kind } = page;
  const type = pageTypes(page);
  const isFront = kind === 'home' || kind === 'front';
  const writer = post?.type === 'post' && !who && !isLocked ? author(page) : undefined;
  const isCollection = [type].flat().includes('CollectionPage');
  return {
    '@type': type,
    '@id': url || canonical,
    url: canonical,
    name: title,
    isPartOf: { '@id': `${home}#website` },
    ...(isFront && who ? { about: { '@id': representedId(page, who) } } : {}),
    ...(picture
      ? {
          primaryImageOfPage: { '@id': `${canonical}#primaryimage` },
          image: { '@id': `${canonical}#primaryimage` },
          thumbnailUrl: picture.url,
        }
      : {}),
    ...(post ? datesOf(post) : {}),
    ...(writer ? { author: { '@id': personId(page, writer) } } : {}),
    ...(description === '' || isLocked ? {} : { description }),
    ...(trail || isLocked ? { breadcrumb: { '@id': `${canonical}#breadcrumb` } } : {}),
    inLanguage: languageTag(page),
    ...(isCollection || isLocked ? {} : { potentialAction: [{ '@type': 'ReadAction', target: [canonical] }] }),
  };
}

function pageTypes({ kind, post, values, options }: SeoPage): string | readonly string[] {
  if (kind === 'user') return 'ProfilePage';
  if (kind === 'search') return ['CollectionPage', 'SearchResultsPage'];
  if (!post) return 'CollectionPage';
  const own = values?.pageType || options.ofType(post.type).pageType;
  const types = [...new Set(['WebPage', own, ...(kind === 'posts page' ? ['CollectionPage'] : [])])];
  return types.length === 1 ? 'WebPage' : types;
}

function image({ page }: Graph, { url, width, height, caption }: PrimaryPicture): GraphPiece {
  return {
    '@type': 'ImageObject',
    inLanguage: languageTag(page),
    '@id': `${page.canonical}#primaryimage`,
    url,
    contentUrl: url,
    ...(width === undefined ? {} : { width, height }),
    ...(caption === undefined ? {} : { caption }),
  };
}

/** A trail of one page alone is none, but on the home page. */
function trailPiece(page: SeoPage): GraphPiece | null {
  const trail = trailOf(page);
  const isFront = page.kind === 'home' || page.kind === 'front';
  if (page.kind === 'missing' || (trail.length < 2 && !isFront)) return null;
  return {
    '@type': 'BreadcrumbList',
    '@id': `${page.canonical}#breadcrumb`,
    itemListElement: trail.map(({ name, url }, at) => ({
      '@type': 'ListItem',
      position: at + 1,
      name,
      ...(at + 1 < trail.length ? { item: url } : {}),
    })),
  };
}

function website({ page, who }: Graph): GraphPiece {
  const { options, home, siteName, tagline } = page;
  return {
    '@type': 'WebSite',
    '@id': `${home}#website`,
    url: home,
    name: options.websiteName || siteName,
    description: tagline,
    ...(who ? { publisher: { '@id': representedId(page, who) } } : {}),
    ...(options.alternateWebsiteName === '' ? {} : { alternateName: options.alternateWebsiteName }),
    potentialAction: [
      {
        '@type': 'SearchAction',
        target: { '@type': 'EntryPoint', urlTemplate: `${home}?s={search_term_string}` },
        'query-input': { '@type': 'PropertyValueSpecification', valueRequired: true, valueName: 'search_term_string' },
      },
    ],
    inLanguage: languageTag(page),
  };
}

function datesOf(post: PostRecord): GraphPiece {
  return {
    datePublished: isoTime(post.dateGmt),
    ...(modifiedLater(post) ? { dateModified: isoTime(post.modifiedGmt) } : {}),
  };
}
