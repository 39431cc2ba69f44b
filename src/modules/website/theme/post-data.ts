/** Template data of posts, terms, users and comments: plain text, URLs, and markup made by the site. */
import { itemParams } from '../../../kernel/rest/address-prefix.ts';
import type { Params } from '../../../kernel/rest/request.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { localDate } from '../../../render/local-date.ts';
import { neutral } from '../../../kernel/rest/dialect.ts';
import { pathBase } from './record.ts';
import { createCommentView } from '../../comments/index.ts';
import type { CommentRecord } from '../../comments/record.ts';
import { plain } from '../feeds/index.ts';
import { createMediaView, imageOf } from '../../media/library/index.ts';
import { isAttachment } from '../../content/attachments/record.ts';
import { isPublic, prettyLink, segmentsOf, termLink } from '../../content/permalinks/record.ts';
import { authorPath } from '../../people/users/record.ts';
import { createPostView } from '../../content/posts/index.ts';
import { type PostRecord, type PostView, isProtected } from '../../content/posts/record.ts';
import type { UserRecord } from '../../people/users/record.ts';
import { type Html, markup } from './engine.ts';
import type { Say } from '../words/index.ts';
import { languageIn, safeUrl } from './site-data.ts';
import type { Theme } from './theme.ts';

/** The reader and the language of dates. */
interface Reading {
  readonly site: Site;
  /** `de_DE`. */
  readonly locale: string;
  readonly say: Say;
  readonly view: PostView;
  /** Whether a password is required and missing. */
  isLocked(post: PostRecord): boolean;
}

/**
 * @param params  of the page's language
 * @param isUnlocked  whether the password of a post was given
 * @param address  path and query of the page, below the site; undefined for exports
 */
export function readingOf(
  site: Site,
  theme: Theme,
  params: Params,
  isUnlocked: (post: PostRecord) => boolean,
  address?: string,
): Reading {
  const { locale, tag } = languageIn(site, params);
  const view = createPostView(site, { user: null, word: (name) => name, unlocked: isUnlocked, address });
  return { site, locale, say: theme.say(tag), view, isLocked: (post) => isProtected(post) && !isUnlocked(post) };
}

/** A date in templates: site time for machines and for people. */
function moment({ site, locale }: Reading, local: string) {
  return {
    iso: local,
    text: localDate(String(site.settings.value('date_format')), local, site.zone, locale),
    time: localDate(String(site.settings.value('time_format')), local, site.zone, locale),
  };
}

export async function entryData(reading: Reading, post: PostRecord) {
  const { site, view, isLocked } = reading;
  await view.prepare(post);
  const title = plain(view.title(post));
  const type = site.types.get(post.type);
  return {
    id: post.id,
    type: post.type,
    type_label: plain(type?.labels.singular_name ?? post.type),
    url: view.link(post),
    title: title === '' ? `#${post.id}` : title,
    has_title: title !== '',
    date: moment(reading, post.date),
    modified: moment(reading, post.modified),
    author: authorData(site, post),
    is_sticky: post.sticky,
    is_protected: isProtected(post),
    is_locked: isLocked(post),
    format: post.format,
    excerpt: isLocked(post) ? null : markup(view.excerpt(post)),
    image: await pictureOf(site, post, 'medium_large'),
    terms: termsOf(reading, post),
    comment_count: isLocked(post) ? 0 : commentsOn(site, post).length,
  };
}

export async function postData(reading: Reading, post: PostRecord) {
  const { site, view, isLocked } = reading;
  const entry = await entryData(reading, post);
  if (isAttachment(post)) await site.media.prepare([post]);
  const content = isAttachment(post) ? createMediaView(site, view).description(post) : view.content(post);
  const [newer, older] = post.type === 'post' ? [adjacent(site, post, 'asc'), adjacent(site, post, 'desc')] : [];
  const link = (other: PostRecord | undefined) =>
    other && { url: view.link(other), title: plain(view.title(other)) || `#${other.id}` };
  const comments = isLocked(post) ? [] : threads(reading, post);
  const isOpen = post.comments === 'open' && site.types.get(post.type)?.supports.comments !== undefined;
  return {
    ...entry,
    content: isLocked(post) ? null : markup(content),
    image: isAttachment(post) ? null : await pictureOf(site, post, 'large'),
    is_attachment: isAttachment(post),
    newer: link(newer),
    older: link(older),
    parent: link(parentOf(site, post)),
    comments,
    comments_open: isOpen,
    /** URL to sign in for commenting. */
    comments_sign_in: `${pathBase(site)}/${neutral.login}?redirect_to=${encodeURIComponent(`${pathBase(site)}${prettyLink(site, post)}#respond`)}`,
    /** Visitors may comment. */
    comments_by_visitors: site.settings.value('anonymous_comments') === true,
  };
}

function parentOf(site: Site, post: PostRecord): PostRecord | undefined {
  const parent = post.parent > 0 ? site.posts.get(post.parent) : undefined;
  return parent && isPublic(site, parent) ? parent : undefined;
}

/** The next newer or older post in the same language. */
function adjacent(site: Site, post: PostRecord, direction: 'asc' | 'desc'): PostRecord | undefined {
  const params = itemParams(site, post);
  const range = direction === 'asc' ? { after: post.date } : { before: post.date };
  const where = [
    { kind: 'in' as const, index: 'type', values: [post.type] },
    { kind: 'in' as const, index: 'status', values: ['publish'] },
    { kind: 'range' as const, order: 'date', ...range },
    ...site.discovery.flatMap((source) => source.scope?.(params) ?? []),
  ];
  return site.posts.query({ where, sort: { by: 'date', direction }, offset: 0, limit: 1 }).records[0];
}

/** Null without one. */
function authorData(site: Site, post: PostRecord) {
  const author = site.users.get(post.author);
  return author && post.type === 'post' ? personData(site, author, segmentsOf(site, post)) : null;
}

export function personData(site: Site, author: UserRecord, prefix: string) {
  return { name: plain(author.name), url: site.url + prefix + authorPath(author), about: plain(author.description) };
}

/** Public terms of a post, by taxonomy. */
function termsOf({ site, view }: Reading, post: PostRecord) {
  const taxonomies = [...site.taxonomies.values()].filter(
    ({ name, base, public: isShown }) => isShown && base !== null && name !== 'post_format',
  );
  return taxonomies.flatMap(({ name, label, labels }) => {
    const terms = view.terms(post, name).flatMap((id) => site.terms.get(id) ?? []);
    if (terms.length === 0) return [];
    return [
      {
        taxonomy: name,
        label: plain(terms.length === 1 ? (labels.singular_name ?? label) : label),
        terms: terms.map((term) => ({ name: plain(term.name), url: site.url + termLink(site, term) })),
      },
    ];
  });
}

/** The featured image with all sizes; null unless public. */
async function pictureOf(site: Site, post: PostRecord, size: string): Promise<Html | null> {
  const picture = site.posts.get(post.featuredMedia);
  if (!isAttachment(picture) || !isPublic(site, picture)) return null;
  await site.media.prepare([picture]);
  return markup(imageOf(site, picture, size));
}

/** Threads are nested up to this level. */
const deepest = 5;
const mostComments = 1000;

function commentsOn(site: Site, post: PostRecord): readonly CommentRecord[] {
  if (site.comments.count('post', post.id) === 0) return [];
  const where = [
    { kind: 'in' as const, index: 'status', values: ['approved'] },
    { kind: 'in' as const, index: 'post', values: [post.id] },
  ];
  const { records } = site.comments.query({ where, sort: { by: 'date_gmt', direction: 'asc' }, offset: 0, limit: mostComments });
  return records.filter(({ type }) => type !== 'note');
}

interface CommentData {
  readonly id: number;
  readonly author: string;
  /** '' for none. */
  readonly author_url: string;
  readonly is_author: boolean;
  readonly date: ReturnType<typeof moment>;
  readonly content: Html | null;
  readonly replies: CommentData[];
}

function threads(reading: Reading, post: PostRecord): readonly CommentData[] {
  const { site, view, say } = reading;
  const shown = createCommentView(site, { postLink: view.link, word: view.word });
  const comments = commentsOn(site, post);
  const known = new Map<number, { readonly data: CommentData; readonly depth: number; readonly siblings: CommentData[] }>();
  const top: CommentData[] = [];
  for (const comment of comments) {
    const url = safeUrl(plain(shown.url(comment)));
    const data: CommentData = {
      id: comment.id,
      author: plain(shown.name(comment)) || say('Anonymous'),
      author_url: /^https?:\/\//.test(url) ? url : '',
      is_author: comment.author > 0 && comment.author === post.author,
      date: moment(reading, comment.date),
      content: markup(shown.content(comment)),
      replies: [],
    };
    // Oldest first, so parents are known; a reply before its parent starts a thread.
    const parent = known.get(comment.parent);
    const siblings = !parent ? top : parent.depth < deepest ? parent.data.replies : parent.siblings;
    known.set(comment.id, { data, siblings, depth: Math.min((parent?.depth ?? 0) + 1, deepest) });
    siblings.push(data);
  }
  return top;
}
