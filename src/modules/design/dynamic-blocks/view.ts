/**
 * What dynamic blocks may ask of the site: what the reader sees of it, and no more.
 */
import { mayKnow } from '../../content/named-ids/record.ts';
import { asMap } from '../../../render/attribute-path.ts';
import type { Actor } from '../../../kernel/model/access.ts';
import { escapeHtml } from '../../../kernel/model/escape.ts';
import { scalarNumber } from '../../../kernel/model/scalars.ts';
import type { Clause, Page, Sort } from '../../../kernel/records/types.ts';
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
import type { PostRecord, PostView } from '../../content/posts/record.ts';
import { countOf } from '../../content/terms/index.ts';
import type { TermRecord } from '../../content/terms/record.ts';
import type { Taxonomy } from '../../types/record.ts';
import { avatarUrls } from '../../people/users/record.ts';
import type { UserRecord } from '../../people/users/record.ts';
import { type AskedAddress, askedAddress } from './asked-address.ts';
import type { Showing } from '../../content/dynamic-blocks/record.ts';

/** Which posts a block wants. */
export interface PostWish {
  readonly type: string;
  /** Beside type and visibility. */
  readonly where?: readonly Clause[];
  readonly sort: Sort;
  readonly offset?: number;
  readonly limit?: number;
  /** Only what everybody sees. */
  readonly isPublic?: boolean;
}

export interface BlockSite {
  /** Address of the site, without a slash at its end. */
  readonly home: string;
  readonly reader: Actor | null;
  /** That the text is asked for at. */
  readonly address: AskedAddress;
  /** Id of the attachment that is the logo; 0 for none. */
  readonly logo: number;
  /** The present in site time. */
  readonly present: string;
  setting(key: string): unknown;
  /** A site time as a format of the reference says it; '' is the date format of the site. */
  formatted(format: string, local: string): string;
  /** A post that the reader may see. */
  post(id: unknown): PostRecord | undefined;
  /** The post whose text is shown, whoever reads it; undefined where the id is of another. */
  own(id: unknown): PostRecord | undefined;
  /** A text of blocks that others take in: a pattern, a menu. */
  shared(id: unknown): PostRecord | undefined;
  /** The newest menu of blocks. */
  newestMenu(): PostRecord | undefined;
  /** The blocks of a pattern of the design, by its name: `site/hero`. */
  pattern(name: string): string | undefined;
  /** A template part that is published. @param theme  undefined: the site's own */
  templatePart(slug: string, theme: unknown): { readonly part: PostRecord; readonly area: string } | undefined;
  /** Shows one text within another; '' while it is shown already. */
  within(key: string, show: () => string): string;
  /** Whether items of a type have pages of their own: patterns, menus and templates are parts of pages, and no members of lists. */
  isViewable(type: string): boolean;
  posts(wish: PostWish): Page<PostRecord>;
  link(post: PostRecord): string;
  title(post: PostRecord): string;
  /** The title without tags, and without what says who may read the post. */
  plainTitle(post: PostRecord): string;
  /** A custom field of a post that clients may read; undefined for others. */
  meta(post: PostRecord, key: string): unknown;
  /** Whether a password is wanted. */
  isLocked(post: PostRecord): boolean;
  /** The excerpt before it gets paragraphs; words of a generated one end with ` [&hellip;]` where there are more. */
  excerpt(post: PostRecord, words?: number): string;
  /** The whole text; '' while it is shown within itself. */
  content(post: PostRecord): string;
  classes(post: PostRecord): readonly string[];
  /** Who wrote something that is shown. */
  author(id: number): UserRecord | undefined;
  /** Somebody by a number that anybody may have written, if the reader may know of them. */
  shownUser(id: number): UserRecord | undefined;
  authorLink(user: UserRecord): string;
  /** The picture of somebody as an element, by e-mail address. */
  avatar(email: string, size: number, alt: string, className?: string, style?: string): string;
  emailOf(user: UserRecord): string;
  taxonomy(name: unknown): Taxonomy | undefined;
  /** Of posts of a type. */
  taxonomiesOf(type: string): readonly Taxonomy[];
  /** In the order of their names. */
  terms(taxonomy: string): readonly TermRecord[];
  term(id: number): TermRecord | undefined;
  termsOf(post: PostRecord, taxonomy: string): readonly TermRecord[];
  termLink(term: TermRecord): string;
  /** What leads to the posts of a format, and its name. */
  formatTerm(format: string): { readonly link: string; readonly label: string };
  /** Published items of a term, and of the terms below it that are given. */
  count(term: TermRecord, below?: readonly number[]): number;
  /** Approved comments, the oldest first. @param post  of one post alone */
  comments(post?: number): readonly CommentRecord[];
  comment(id: unknown): CommentRecord | undefined;
  /** Whether people may comment on a post now; not where nobody asks for the text, who could answer a form. */
  takesComments(post: PostRecord): boolean;
  readonly shownComment: CommentView;
  /** The picture of an attachment as an element; '' where there is none. @param attributes  with a space before them */
  picture(id: number, size: string, attributes?: string): string;
  /** Whether so much more may be done within one text. */
  spend(cost: number): boolean;
  /** What `make` shows, counted; '' where the text would show more than one may. */
  shown(make: () => string): string;
  /** What is shown for each member of a list, as far as it may be. */
  each<T>(members: readonly T[], show: (member: T, index: number) => string): readonly string[];
}

const mostComments = 10_000;
/** Characters that the blocks of one text show. */
const mostShown = 4 * 1024 * 1024;
/** What a query costs, beside what it finds. */
const queryCost = 10;
/** Characters of a text that are worked through for what one member of a list costs. */
export const charactersOfWork = 1000;
/** Texts within texts. */
const mostNested = 20;

/**
 * @param showing  what is shown around
 * @param post  id of the one whose text it is: dates are in its language
 */
export function createBlockSite(site: Site, reader: Actor | null, showing: Showing, post: number): BlockSite {
  const { lang } = (site.posts.get(post) ?? {}) as { readonly lang?: string };
  const locale = localeIn(site, lang);
  const view: PostView = createPostView(site, { user: reader, word: (name) => name, unlocked: () => false, within: showing });
  const mayRead = (post: PostRecord): boolean => canReadPost(site.access, reader, post);
  const isLocked = (post: PostRecord): boolean => post.password !== '';
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
    // What is shown within has been counted.
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
    title: (post) => marked(post) + view.title(post),
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

/** What stands before titles of posts that not everybody reads. */
function marked(post: PostRecord): string {
  return post.password !== '' ? 'Protected: ' : post.status === 'private' ? 'Private: ' : '';
}

function logoOf(site: Site): number {
  const stored = site.settings.value('logo');
  return typeof stored === 'string' ? site.refs.postId('attachment', stored) : Number(stored) || 0;
}

/** What everybody may see of a type, and what the reader may see beside. */
function findPosts(site: Site, reader: Actor | null, wish: PostWish): Page<PostRecord> {
  const statuses = reader === null || wish.isPublic ? ['publish'] : ['publish', 'private'];
  const where: Clause[] = [
    { kind: 'in', index: 'type', values: [wish.type] },
    { kind: 'in', index: 'status', values: statuses },
    ...(wish.where ?? []),
  ];
  // A search must not tell what is behind a password.
  if (wish.where?.some(({ kind }) => kind === 'search'))
    where.push({ kind: 'test', test: (post: PostRecord) => post.password === '' });
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
  if (post.password !== '') return 'There is no excerpt because this is a protected post.';
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
    return on?.status === 'publish' && on.password === '' && canReadPost(site.access, reader, on);
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

/** So many words of a text without its tags; what stands behind them where there are more. */
export function trimWords(text: string, words: number, more = '&hellip;'): string {
  return firstWords(plainText(text), Math.max(0, words)).replace(/ \[&hellip;\]$/, more);
}
