/** Theme pages: template data, and the rendered document. */
import { itemParams } from '../../../kernel/rest/address-prefix.ts';
import type { Params } from '../../../kernel/rest/request.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { withoutActive } from '../../../render/active.ts';
import { commentForm } from '../comment-form/index.ts';
import { prettyLink, settingPage } from '../../content/permalinks/record.ts';
import { isAttachment } from '../../content/attachments/record.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import type { ShownPage } from '../sitemaps/record.ts';
import { sitePresetStyle } from '../default-theme/index.ts';
import type { Say } from '../words/index.ts';
import { Html } from './engine.ts';
import { described, headOf, type HeadSubject, languageLinks, linkHeader } from './head.ts';
import { descriptionOf, pageOf, titleOf } from './lists.ts';
import { entryData, personData, postData, readingOf } from './post-data.ts';
import { type CommentState, type List, pathBase, type Target } from './record.ts';
import { homeUrl, languageIn, type LanguageLink, siteData } from './site-data.ts';
import type { Theme } from './theme.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';

export interface PageOptions {
  /** Static: no search, and no password forms. */
  readonly isStatic?: boolean;
  /** Posts whose password was given. */
  readonly isUnlocked?: (post: PostRecord) => boolean;
  /** A wrong password was given. */
  readonly isWrongPassword?: boolean;
  readonly script?: string | null;
  readonly comment?: CommentState;
  /** Parameters of query loops in the URL: `query-3-page=2`; '' for none. */
  readonly loops?: string;
}

export interface RenderedPage {
  readonly html: string;
  /** Value of the header `Link`. */
  readonly link: string;
  /** Absolute URL of the next page of its list. */
  readonly next: string | undefined;
}

/** The page of a target; null if there is none, such as a page beyond a list. */
export async function documentOf(site: Site, theme: Theme, target: Target, options: PageOptions): Promise<RenderedPage | null> {
  switch (target.kind) {
    case 'redirect':
      return null;
    case 'post':
      return postPage(site, theme, target.post, target.isPreview === true, options);
    case 'list':
      return listPage(site, theme, target.list, target.page, options);
    default:
      return noPage(site, theme, target, options);
  }
}

/** Shared data of pages. */
interface Frame extends Omit<HeadSubject, 'languages' | 'siteName' | 'tagline' | 'say'> {
  readonly kind: string;
  readonly templates: readonly string[];
  readonly post?: PostRecord;
  readonly data: object;
  /** Styles for the content of the page. */
  readonly styles?: string;
}

async function framed(site: Site, theme: Theme, frame: Frame, options: PageOptions): Promise<RenderedPage> {
  const { kind, templates, post, data, styles = '', ...subject } = frame;
  const links = languageLinks(site, subject.shown);
  const { params, url, page: number, pages } = subject;
  const told = {
    ...(await siteData(site, params, url)),
    page: { kind, title: subject.title, description: subject.description, url, number, pages },
    languages: switcher(site, links, params),
    search: options.isStatic ? null : { action: searchAction(site, params), words: '' },
    is_static: options.isStatic === true,
    ...data,
  };
  const shown = site.operator.filter_content ? (inert(told) as typeof told) : told;
  const { title, description } = shown.page;
  const head = {
    ...subject,
    title,
    description,
    siteName: shown.site.name,
    tagline: shown.site.description,
    languages: links,
    say: sayOn(site, theme, params),
  };
  const own = [sitePresetStyle(site), styles].filter((rules) => rules !== '').join('\n');
  const html = theme.render(templates, {
    ...shown,
    head: new Html((await headOf(site, head)) + (own === '' ? '' : `\n<style>${own}</style>`)),
    style: pathBase(site) + theme.styleUrl,
    reload: options.script ? new Html(`<script>${options.script}</script>`) : null,
  });
  return { html, link: linkHeader(site, post ?? null), next: subject.next };
}

function sayOn(site: Site, theme: Theme, params: Params): Say {
  return theme.say(languageIn(site, params).tag);
}

/** Template data without active content, for operators who do not trust writers of files. */
function inert(value: unknown): unknown {
  if (typeof value === 'string') return withoutActive(value);
  if (value instanceof Html) return new Html(withoutActive(value.html));
  if (Array.isArray(value)) return value.map(inert);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inert(one)]));
}

/** Every language of the site, with this page or its front page. */
function switcher(site: Site, links: readonly LanguageLink[], params: Params) {
  const all = site.discovery.flatMap((source) => source.languages?.() ?? []);
  if (all.length < 2) return [];
  const { tag } = languageIn(site, params);
  const { languages } = site as Partial<Pick<Site, 'languages'>>;
  return all.map((language) => ({
    code: language.hreflang,
    tag: language.locale,
    name: languages?.of(language.hreflang)?.nativeName || language.hreflang,
    url: links.find(({ hreflang }) => hreflang === language.hreflang)?.url ?? homeUrl(site, language.params),
    is_current: language.locale === tag,
  }));
}

async function postPage(
  site: Site,
  theme: Theme,
  post: PostRecord,
  isPreview: boolean,
  options: PageOptions,
): Promise<RenderedPage> {
  const params = itemParams(site, post);
  const { isStatic = false, comment = {}, loops = '' } = options;
  const asked = [loops, comment.replyTo ? `replytocom=${comment.replyTo}` : ''].filter((one) => one !== '').join('&');
  const address = isStatic ? undefined : prettyLink(site, post) + (asked === '' ? '' : `?${asked}`);
  const reading = readingOf(site, theme, params, options.isUnlocked ?? (() => false), address);
  const data = await postData(reading, post);
  const isShut = isStatic || isPreview || reading.isLocked(post);
  const form = isShut ? null : commentForm(site, reading.say, post, comment);
  const isFront =
    post.type === 'page' && site.settings.value('front') === 'page' && settingPage(site, 'front_page', params) === post.id;
  const own = /^[a-z0-9_-]{1,60}$/i.test(post.template) ? [post.template] : [];
  const frame: Frame = {
    kind: isFront ? 'front' : post.type,
    templates: [...own, ...(isFront ? ['front'] : []), `${post.type}-${post.slug}`, post.type, 'post'],
    title: isFront ? '' : data.title,
    description: data.excerpt ? described(data.excerpt.html) : '',
    url: isPreview ? '' : data.url,
    shown: isPreview ? null : { post },
    isHidden: isPreview || asked !== '' || Object.keys(comment).length > 0,
    params,
    page: 1,
    pages: 1,
    post,
    styles: isAttachment(post) ? '' : reading.view.styles(post),
    data: { post: { ...data, is_preview: isPreview, is_wrong_password: options.isWrongPassword === true, comment_form: form } },
  };
  return framed(site, theme, frame, options);
}

async function listPage(site: Site, theme: Theme, list: List, page: number, options: PageOptions): Promise<RenderedPage | null> {
  const found = await pageOf(site, list, page);
  if (!found) return null;
  const { of, params } = list;
  const reading = readingOf(site, theme, params, () => false);
  const posts = await site.spare.each('its entry in lists', found.posts, (post) => entryData(reading, post));
  const url = (number: number): string => pageUrl(site, list, number);
  const title = titleOf(site, list, reading.locale, reading.say);
  const description = descriptionOf(site, list);
  const previous = page > 1 ? url(page - 1) : undefined;
  const next = page < found.pages ? url(page + 1) : undefined;
  const frame: Frame = {
    kind: of.kind,
    templates: [...templatesOf(list), 'list'],
    title,
    description,
    url: url(page),
    shown: shownOf(list),
    isHidden: of.kind === 'search',
    params,
    page,
    pages: found.pages,
    previous,
    next,
    ...(of.kind === 'search' || of.kind === 'date' || of.kind === 'format' ? {} : { feed: `${url(1)}feed/` }),
    data: {
      posts,
      list: {
        kind: of.kind,
        title,
        description,
        total: found.total,
        taxonomy: of.kind === 'term' ? of.term.taxonomy : null,
        author: of.kind === 'author' ? personData(site, of.author, list.prefix) : null,
      },
      pages: {
        number: page,
        count: found.pages,
        previous,
        next,
        links: numbers(page, found.pages).map((number) => ({
          number,
          url: number === 0 ? null : url(number),
          is_current: number === page,
        })),
      },
      ...(of.kind === 'search' && !options.isStatic ? { search: { action: searchAction(site, params), words: of.words } } : {}),
    },
  };
  return framed(site, theme, frame, options);
}

/** The search target: a path that is right for any host. */
function searchAction(site: Site, params: Params): string {
  const home = homeUrl(site, params);
  return isUrl(home) ? new URL(home).pathname : '/';
}

/** Page numbers in a pagination: first, last, and neighbors of the current one; 0 for gaps. */
function numbers(page: number, pages: number): readonly number[] {
  if (pages === 1) return [];
  const near = new Set([1, page - 1, page, page + 1, pages].filter((number) => number >= 1 && number <= pages));
  const sorted = [...near].sort((a, b) => a - b);
  return sorted.flatMap((number, at) => (at > 0 && number - (sorted[at - 1] as number) > 1 ? [0, number] : [number]));
}

/** Absolute. */
function pageUrl(site: Site, { path, of }: List, number: number): string {
  const [before = '', query] = path.split('?', 2);
  const below = number > 1 && query === undefined ? `page/${number}/` : '';
  const asked = [
    ...(query === undefined ? [] : [query]),
    ...(of.kind === 'search' ? [`s=${encodeURIComponent(of.words)}`] : []),
    ...(number > 1 && query !== undefined ? [`paged=${number}`] : []),
  ].join('&');
  return `${site.url}${before}${below}${asked === '' ? '' : `?${asked}`}`;
}

function templatesOf({ of }: List): readonly string[] {
  if (of.kind === 'term') return [`${of.term.taxonomy}-${of.term.slug}`, of.term.taxonomy, 'term'];
  return of.kind === 'archive' ? [`archive-${of.type.name}`, 'archive'] : [of.kind];
}

function shownOf({ of, params }: List): ShownPage | null {
  switch (of.kind) {
    case 'home':
      return of.page ? { post: of.page } : { home: params };
    case 'term':
      return { term: of.term };
    case 'author':
      return { author: of.author, params };
    case 'date':
      return { date: of.date, params };
    case 'archive':
      return { archive: of.type, params };
    case 'search':
      return { search: of.words, params };
    default:
      return null;
  }
}

function noPage(
  site: Site,
  theme: Theme,
  { kind, params }: { readonly kind: 'gone' | 'missing'; readonly params: Params },
  options: PageOptions,
): Promise<RenderedPage> {
  const isGone = kind === 'gone';
  const frame: Frame = {
    kind,
    templates: [...(isGone ? ['410'] : []), '404'],
    title: sayOn(site, theme, params)(isGone ? 'Gone' : 'Not found'),
    description: '',
    url: '',
    shown: 'missing',
    isHidden: true,
    params,
    page: 1,
    pages: 1,
    data: {},
  };
  return framed(site, theme, frame, options);
}
