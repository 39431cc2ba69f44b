/** The view of dynamic blocks: what the reader may see. */
import { mayKnow } from '../../content/named-ids/record.ts';
import { asMap } from '../../../render/attribute-path.ts';
import type { Actor } from '../../../kernel/model/access.ts';
import { escapeHtml } from '../../../kernel/model/escape.ts';
import { scalarNumber } from '../../../kernel/model/scalars.ts';
import type { Clause, ResultPage, Sort } from '../../../kernel/records/types.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { firstWords } from '../../../render/excerpt.ts';
import { localDate, timeBetween } from '../../../render/local-date.ts';
import { plainText, withoutTags } from '../../../render/text.ts';
import { canReadPost } from '../../people/accounts/record.ts';
import type { CommentRecord, CommentView } from '../../comments/record.ts';
import { createCommentView } from '../../comments/index.ts';
import { areaOf, templateById, templateId } from '../themes/index.ts';
import { sheetNamed } from '../themes/record.ts';
import { imageOf } from '../../media/library/index.ts';
import { localeIn } from '../../languages/record.ts';
import { isAttachment } from '../../content/attachments/record.ts';
import { termLink } from '../../content/permalinks/record.ts';
import { authorPath } from '../../people/users/record.ts';
import { createPostView } from '../../content/posts/index.ts';
import { type PostRecord, type PostView, isProtected, titleMark } from '../../content/posts/record.ts';
import { countOf } from '../../content/terms/index.ts';
import type { TermRecord } from '../../content/terms/record.ts';
import type { Taxonomy } from '../../types/record.ts';
import { avatarUrls } from '../../people/users/record.ts';
import type { UserRecord } from '../../people/users/record.ts';
import { type AskedAddress, askedAddress } from './asked-address.ts';
import type { Showing } from '../../content/dynamic-blocks/record.ts';

/** A post query. */
interface PostWish {
  readonly type: string;
  /** Besides type and visibility. */
  readonly where?: readonly Clause[];
  readonly sort: Sort;
  readonly offset?: number;
  readonly limit?: number;
  /** Public posts only. */
  readonly isPublic?: boolean;
}

export interface BlockSite {
  /** URL of the site, without a trailing slash. */
  readonly home: string;
  readonly reader: Actor | null;
  /** The requested URL. */
  readonly address: AskedAddress;
  /** Id of the logo; 0 for none. */
  readonly logo: number;
  /** Current site time. */
  readonly present: string;
  setting(key: string): unknown;
  /** A formatted site time; '' for the site's date format. */
  formatted(format: string, local: string): string;
  /** A post visible to the reader. */
  post(id: unknown): PostRecord | undefined;
  /** The post of the text, whoever reads it; undefined for other ids. */
  own(id: unknown): PostRecord | undefined;
  /** A text for embedding: a pattern, a menu. */
  shared(id: unknown): PostRecord | undefined;
  /** The latest navigation menu. */
  newestMenu(): PostRecord | undefined;
  /** The blocks of a pattern, by name: `site/hero`. */
  pattern(name: string): string | undefined;
  /** A published template part. @param theme  undefined: the site's own */
  templatePart(slug: string, theme: unknown): { readonly part: PostRecord; readonly area: string } | undefined;
  /** Renders a text within another; '' within itself. */
  within(key: string, show: () => string): string;
  /** Whether a type has pages; patterns, menus and templates do not, and are not listed. */
  isViewable(type: string): boolean;
  posts(wish: PostWish): ResultPage<PostRecord>;
  link(post: PostRecord): string;
  title(post: PostRecord): string;
  /** The title without tags and visibility prefix. */
  plainTitle(post: PostRecord): string;
  /** A public custom field of a post; undefined for others. */
  meta(post: PostRecord, key: string): unknown;
  /** Whether a password is required. */
  isLocked(post: PostRecord): boolean;
  /** The excerpt without paragraphs; a cut one ends with ` [&hellip;]`. */
  excerpt(post: PostRecord, words?: number): string;
  /** The whole text; '' within itself. */
  content(post: PostRecord): string;
  classes(post: PostRecord): readonly string[];
  /** The author. */
  author(id: number): UserRecord | undefined;
  /** A user by id, if the reader may know of them. */
  shownUser(id: number): UserRecord | undefined;
  authorLink(user: UserRecord): string;
  /** An avatar element, by email address. */
  avatar(email: string, size: number, alt: string, className?: string, style?: string): string;
  emailOf(user: UserRecord): string;
  taxonomy(name: unknown): Taxonomy | undefined;
  /** Of posts of a type. */
  taxonomiesOf(type: string): readonly Taxonomy[];
  /** By name. */
  terms(taxonomy: string): readonly TermRecord[];
  term(id: number): TermRecord | undefined;
  termsOf(post: PostRecord, taxonomy: string): readonly TermRecord[];
  termLink(term: TermRecord): string;
  /** The archive link of a format, and its name. */
  formatTerm(format: string): { readonly link: string; readonly label: string };
  /** Published items with a term or the given descendants. */
  count(term: TermRecord, below?: readonly number[]): number;
  /** Approved comments, oldest first. @param post  only of one post */
  comments(post?: number): readonly CommentRecord[];
  comment(id: unknown): CommentRecord | undefined;
  /** Whether commenting is open; false outside of requests, where no form works. */
  takesComments(post: PostRecord): boolean;
  readonly shownComment: CommentView;
  /** An image element of an attachment; '' if there is none. @param attributes  with a leading space */
  picture(id: number, size: string, attributes?: string): string;
  /** Whether the budget allows this cost. */
  spend(cost: number): boolean;
  /** The output of `make`, counted; '' beyond the limit. */
  shown(make: () => string): string;
  /** The output for each member, within the limit. */
  each<T>(members: readonly T[], show: (member: T, index: number) => string): readonly string[];
}

const mostComments = 10_000;
/** Maximum characters rendered for a text. */
const mostShown = 4 * 1024 * 1024;
/** Base cost of a query. */
const queryCost = 10;
/** Characters processed per unit of cost. */
export const charactersOfWork = 1000;
/** Maximum nesting. */
const mostNested = 20;

/**
 * @param showing  the outer context
 * @param post  id of the text's post, for its language
 */
export function createBlockSite(site: Site, reader: Actor | null, showing: Showing, post: number): BlockSite {
  const { lang } = (site.posts.get(post) ?? {}) as { readonly lang?: string };
  const locale = localeIn(site, lang);
  const view: PostView = createPostView(site, { user: reader, word: (name) => name, unlocked: () => false, within: showing });
  const mayRead = (post: PostRecord): boolean => canReadPost(site.access, reader, post);
  const isLocked = isProtected;
  const within = (key: string, show: () => string): string => {
    if (showing.open.has(key) || showing.open.size >= mostNested) return '';
    showing.open.add(key);
    try {
      return show();
    } finally {
      showing.open.delete(key);
    }
  };
  const spend = (cost: number): boolean => {
    showing.left -= cost;
    if (showing.left < 0) tooMuch('more than a text may do');
    return showing.left >= 0 && showing.shown <= mostShown;
  };
  const tooMuch = (why: string): void => site.spare.note('a part of its blocks', site.posts.get(post) ?? { id: post }, why);
  const shown = (make: () => string): string => {
    const before = showing.shown;
    const html = make();
    // Inner output has been counted.
    showing.shown += Math.max(0, html.length - (showing.shown - before));
    if (showing.shown <= mostShown) return html;
    tooMuch('it would be more than 4 MB');
    return '';
  };
  return {
    home: site.url,
    reader,
    address: askedAddress(site.url, showing.address),
    logo: logoOf(site),
    present: site.now().local,
    setting: (key) => site.settings.value(key),
    formatted: (format, local) =>
      format === 'human-diff'
        ? timeBetween(local, site.now().local)
        : localDate(format || String(site.settings.value('date_format')), local, site.zone, locale),
    post(id) {
      const post = site.posts.get(scalarNumber(id));
      return post && mayRead(post) ? post : undefined;
    },
    own: (id) => (id === post ? site.posts.get(post) : undefined),
    shared: (id) => site.posts.get(scalarNumber(id)),
    newestMenu: () =>
      findPosts(site, null, { type: 'cms_navigation', sort: { by: 'date', direction: 'desc' }, limit: 1 }).records[0],
    pattern: (name) => (name.startsWith('site/') ? sheetNamed(site, 'pattern', name.slice(5))?.body : undefined),
    templatePart(slug, theme) {
      const id = theme === undefined ? templateId(site, slug) : `${String(theme)}//${slug}`;
      const found = templateById(site, 'cms_template_part', id);
      return found?.status === 'publish' ? { part: found, area: areaOf(found) } : undefined;
    },
    within,
    isViewable: (type) => site.types.get(type)?.viewable === true,
    posts(wish) {
      const found = findPosts(site, reader, wish);
      spend(queryCost + found.records.length / 100);
      return found;
    },
    link: (post) => view.link(post),
    meta(post, key) {
      const all = asMap(view.meta(post)) ?? {};
      return Object.hasOwn(all, key) ? all[key] : undefined;
    },
    plainTitle: (post) => withoutTags(view.title(post)),
    title: (post) => titleMark(post) + view.title(post),
    isLocked,
    excerpt: (post, words) => excerptOf(site, reader, showing, post, words),
    content: (post) => (isLocked(post) ? '' : within(`${post.type}:${post.id}`, () => view.content(post))),
    classes: (post) => view.classList(post),
    author: (id) => site.users.get(id),
    shownUser: (id) => (mayKnow(site, reader, id) ? site.users.get(id) : undefined),
    authorLink: (user) => site.url + authorPath(user),
    emailOf: (user) => user.account?.email ?? '',
    avatar: (...of) => avatarOf(showing.isAlone === true, ...of),
    taxonomiesOf: (type) => [...site.taxonomies.values()].filter(({ types }) => types.includes(type)),
    taxonomy: (name) => (typeof name === 'string' ? site.taxonomies.get(name) : undefined),
    terms(taxonomy) {
      const { records } = site.terms.query({
        where: [{ kind: 'in', index: 'taxonomy', values: [taxonomy] }],
        sort: { by: 'name', direction: 'asc' },
        offset: 0,
      });
      spend(queryCost + records.length / 20);
      return records;
    },
    term: (id) => site.terms.get(id),
    termsOf: (post, taxonomy) => view.terms(post, taxonomy).flatMap((id) => site.terms.get(id) ?? []),
    termLink: (term) => site.url + termLink(site, term),
    formatTerm: (format) => ({
      link: `${site.url}/${site.taxonomies.get('post_format')?.base}/${format}/`,
      label: format.charAt(0).toUpperCase() + format.slice(1),
    }),
    count(term, below = []) {
      if (below.length > 0) spend(queryCost + below.length / 20);
      return countOf(site, term, below);
    },
    comments(post) {
      const found = commentsOf(site, reader, post);
      spend(queryCost + found.length / 20);
      return found;
    },
    comment(id) {
      const comment = typeof id === 'number' ? site.comments.get(id) : undefined;
      const post = comment && site.posts.get(comment.post);
      return comment?.status === 'approved' && post && !isLocked(post) && mayRead(post) ? comment : undefined;
    },
    takesComments: ({ comments, type }) =>
      showing.address !== undefined && comments === 'open' && site.types.get(type)?.supports.comments !== undefined,
    shownComment: createCommentView(site, { postLink: (post) => view.link(post), word: (name) => name }),
    picture(id, size, attributes = '') {
      const media = site.posts.get(id);
      if (!isAttachment(media) || !mayRead(media)) return '';
      if (site.media.facts(media) === undefined) showing.unread.add(media);
      return imageOf(site, media, size, attributes, showing.isAlone === true ? 'last' : 'none');
    },
    spend,
    shown,
    each(members, show) {
      const out: string[] = [];
      for (const [index, member] of members.entries()) {
        if (!spend(1)) break;
        out.push(shown(() => show(member, index)));
      }
      return out;
    },
  };
}

function logoOf(site: Site): number {
  const stored = site.settings.value('logo');
  return typeof stored === 'string' ? site.refs.postId('attachment', stored) : Number(stored) || 0;
}

/** Public statuses of a type, and those of the reader. */
function findPosts(site: Site, reader: Actor | null, wish: PostWish): ResultPage<PostRecord> {
  const statuses = reader === null || wish.isPublic ? ['publish'] : ['publish', 'private'];
  const where: Clause[] = [
    { kind: 'in', index: 'type', values: [wish.type] },
    { kind: 'in', index: 'status', values: statuses },
    ...(wish.where ?? []),
  ];
  // A search must not reveal protected text.
  if (wish.where?.some(({ kind }) => kind === 'search'))
    where.push({ kind: 'test', test: (post: PostRecord) => !isProtected(post) });
  if (statuses.length > 1) {
    const isOpen = (post: PostRecord): boolean => post.status === 'publish' || canReadPost(site.access, reader, post);
    where.push({ kind: 'test', test: isOpen });
  }
  return site.posts.query({
    where,
    sort: wish.sort,
    offset: wish.offset ?? 0,
    ...(wish.limit === undefined ? {} : { limit: wish.limit }),
  });
}

function excerptOf(site: Site, reader: Actor | null, showing: Showing, post: PostRecord, words?: number): string {
  if (isProtected(post)) return 'There is no excerpt because this is a protected post.';
  if (post.excerpt.trim() !== '') return post.excerpt;
  const view = createPostView(site, {
    user: reader,
    word: (name) => name,
    unlocked: () => false,
    within: showing,
    ...(words === undefined ? {} : { excerptWords: words }),
  });
  return plainText(view.excerpt(post)).trim();
}

function commentsOf(site: Site, reader: Actor | null, post?: number): readonly CommentRecord[] {
  const where: Clause[] = [
    { kind: 'in', index: 'status', values: ['approved'] },
    { kind: 'in', index: 'type', values: ['comment'] },
    ...(post === undefined ? [] : [{ kind: 'in' as const, index: 'post', values: [post] }]),
  ];
  const { records } = site.comments.query({ where, sort: { by: 'date_gmt', direction: 'asc' }, offset: 0, limit: mostComments });
  return records.filter((comment) => {
    const on = site.posts.get(comment.post);
    return on?.status === 'publish' && !isProtected(on) && canReadPost(site.access, reader, on);
  });
}

function avatarOf(isAlone: boolean, email: string, size: number, alt: string, className = '', style = ''): string {
  const address = (pixels: number): string =>
    escapeHtml((Object.values(avatarUrls(email))[0] ?? '').replace(/s=\d+/, `s=${pixels}`)).replaceAll('&amp;', '&#038;');
  const classes = ['avatar', `avatar-${size}`, 'photo', email === '' ? 'avatar-default' : '', className].filter(
    (name) => name !== '',
  );
  const styled = style === '' ? ' ' : `  style="${escapeHtml(style)}"${isAlone ? ' ' : ''}`;
  return `<img alt='${escapeHtml(alt)}' src='${address(size)}' srcset='${address(size * 2)} 2x' class='${escapeHtml(classes.join(' '))}' height='${size}' width='${size}'${styled}${isAlone ? "loading='lazy' decoding='async'" : ''}/>`;
}

/** The first words of a text without tags, with a suffix if cut. */
export function trimWords(text: string, words: number, more = '&hellip;'): string {
  return firstWords(plainText(text), Math.max(0, words)).replace(/ \[&hellip;\]$/, more);
}
