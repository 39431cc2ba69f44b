/** The head of a page: tags of modules, else title, description and URL; feeds, embeds and alternates. */
import { escapeHtml } from '../../../kernel/model/escape.ts';
import { prefixOf } from '../../../kernel/rest/address-prefix.ts';
import { dialects, neutral } from '../../../kernel/rest/dialect.ts';
import type { Params } from '../../../kernel/rest/request.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { firstWords } from '../../../render/excerpt.ts';
import { plainText } from '../../../render/text.ts';
import { plain } from '../feeds/index.ts';
import { oembedLinks } from '../../embeds/index.ts';
import { archivePath, datePath, isPublic, prettyLink, termLink } from '../../content/permalinks/record.ts';
import { authorPath } from '../../people/users/record.ts';
import type { PostRecord } from '../../content/posts/record.ts';
import { hides } from '../sitemaps/index.ts';
import type { ShownPage } from '../sitemaps/record.ts';
import type { TermRecord } from '../../content/terms/record.ts';
import type { Say } from '../words/index.ts';
import type { LanguageLink } from './site-data.ts';

export interface HeadSubject {
  /** Plain text, like `tagline`. */
  readonly siteName: string;
  readonly tagline: string;
  /** Plain text; '' for the front page. */
  readonly title: string;
  /** Plain text. */
  readonly description: string;
  /** Absolute; '' if it has no URL. */
  readonly url: string;
  /** Null: only the title is known. */
  readonly shown: ShownPage | null;
  readonly params: Params;
  readonly page: number;
  readonly pages: number;
  /** Noindex. */
  readonly isHidden?: boolean;
  /** URLs of the previous and next page. */
  readonly previous?: string | undefined;
  readonly next?: string | undefined;
  /** Of the list's feed, below its URL; absent: none. */
  readonly feed?: string;
  readonly languages: readonly LanguageLink[];
  readonly say: Say;
}

/** Escaped lines for `<head>`. */
export async function headOf(site: Site, subject: HeadSubject): Promise<string> {
  const { shown, page } = subject;
  // Tags of a list belong to its first page.
  const told = (): Promise<readonly string[]> =>
    Promise.all(site.discovery.flatMap((source) => (shown && source.head?.(shown)) ?? []));
  const subjectOf = shown && shown !== 'missing' ? Object.values(shown)[0] : undefined;
  const given =
    shown && page === 1
      ? await site.spare<Promise<readonly string[]> | readonly string[]>('the head of its page', subjectOf, told, [])
      : [];
  const isHidden = subject.isHidden === true || isPassedOver(site, shown);
  const lines = given.length > 0 ? given : ownLines({ ...subject, isHidden });
  const has = (what: string): boolean => lines.some((line) => line.includes(what));
  return [
    ...lines,
    ...(has('hreflang') ? [] : subject.languages.map(({ hreflang, url }) => link({ rel: 'alternate', hreflang, href: url }))),
    ...(subject.previous === undefined ? [] : [link({ rel: 'prev', href: subject.previous })]),
    ...(subject.next === undefined ? [] : [link({ rel: 'next', href: subject.next })]),
    ...feedLinks(site, subject),
    ...(shown && shown !== 'missing' && 'post' in shown ? embedLinks(site, shown.post) : []),
  ].join('\n');
}

/** Whether a module makes a page noindex. */
function isPassedOver(site: Site, shown: ShownPage | null): boolean {
  if (shown === null || shown === 'missing') return false;
  if ('post' in shown) return hides(site, shown.post, (source) => source.hidesPost?.(shown.post));
  if ('term' in shown) return hides(site, shown.term, (source) => source.hidesTerm?.(shown.term));
  if ('author' in shown) return hides(site, shown.author, (source) => source.hidesAuthor?.(shown.author));
  return 'archive' in shown && hides(site, shown.archive, (source) => source.hidesArchive?.(shown.archive));
}

/** Title, page number and site name; for the front page name and tagline. */
function ownLines({
  siteName: name,
  tagline,
  title,
  description,
  url,
  page,
  pages,
  isHidden,
  shown,
  say,
}: HeadSubject): string[] {
  const parts = [
    title === '' ? name : title,
    ...(page > 1 ? [say('Page {number} of {count}', { number: page, count: pages })] : []),
    title === '' ? tagline : name,
  ];
  const whole = parts.filter((part) => part !== '').join(' – ');
  const isPost = shown !== null && shown !== 'missing' && 'post' in shown && shown.post.type === 'post';
  const graph =
    url === ''
      ? []
      : [
          property('og:type', isPost ? 'article' : 'website'),
          property('og:title', title === '' ? name : title),
          property('og:url', url),
          property('og:site_name', name),
          ...(description === '' ? [] : [property('og:description', description)]),
        ];
  return [
    `<title>${escapeHtml(whole)}</title>`,
    ...(description === '' ? [] : [`<meta name="description" content="${escapeHtml(description)}">`]),
    ...(isHidden ? ['<meta name="robots" content="noindex">'] : []),
    ...(url === '' ? [] : [link({ rel: 'canonical', href: url })]),
    ...graph,
  ];
}

function feedLinks(site: Site, { siteName: name, shown, params, title, feed }: HeadSubject): string[] {
  if (shown === null || shown === 'missing') return [];
  const all = `${site.url}${prefixOf(site, '', params)}/feed/`;
  const own = feed === undefined || feed === all ? [] : [[feed, `${title} – ${name}`] as const];
  return [[all, name] as const, ...own].map(([href, of]) =>
    link({ rel: 'alternate', type: 'application/rss+xml', title: of, href }),
  );
}

/** Discovery of embeds. */
function embedLinks(site: Site, post: PostRecord): string[] {
  return oembedLinks(site, post, site.url + neutral.root).map(({ href, type }) => link({ rel: 'alternate', type, href }));
}

/** The header `Link`: the item in the API, and its embed, in each dialect. */
export function linkHeader(site: Site, post: PostRecord | null): string {
  const roots = dialects.map((dialect) => `<${site.url}${dialect.root}/>; rel="${dialect.relationUri('')}"`);
  if (!post) return roots.join(', ');
  const type = site.types.get(post.type);
  const links = dialects.flatMap((dialect) => {
    const root = site.url + dialect.root;
    const item = `${root}${dialect.spellRoute(`/${type?.restNamespace}/${type?.restBase}/${post.id}`)}`;
    return [{ href: item, rel: 'alternate', type: 'application/json' }, ...oembedLinks(site, post, root)];
  });
  return [...roots, ...links.map(({ href, rel, type: form }) => `<${href}>; rel="${rel}"; type="${form}"`)].join(', ');
}

/** A page in every language, including itself; [] if there is only one. */
export function languageLinks(site: Site, shown: ShownPage | null): readonly LanguageLink[] {
  if (shown === null || shown === 'missing') return [];
  if ('post' in shown || 'term' in shown) {
    const item: PostRecord | TermRecord = 'post' in shown ? shown.post : shown.term;
    const told = () => site.discovery.flatMap((source) => source.translations?.(item) ?? []);
    const all = site
      .spare('its translations', item, told, [])
      .filter(({ item: one }) => 'taxonomy' in one || isPublic(site, one));
    if (all.length < 2) return [];
    return all.map(({ hreflang, item: one }) => ({
      hreflang,
      url: site.url + ('taxonomy' in one ? termLink(site, one) : prettyLink(site, one)),
    }));
  }
  if ('search' in shown) return [];
  const below =
    'archive' in shown
      ? archivePath(shown.archive)
      : 'author' in shown
        ? authorPath(shown.author)
        : 'date' in shown
          ? datePath(shown.date)
          : '/';
  const languages = site.discovery.flatMap((source) => source.languages?.() ?? []);
  if (languages.length < 2) return [];
  return languages.map(({ hreflang, params }) => ({ hreflang, url: site.url + prefixOf(site, '', params) + below }));
}

/** A text as a description: its first words, without markup. */
export function described(html: string): string {
  return plain(firstWords(plainText(html), 30))
    .replace(/\s+/g, ' ')
    .trim();
}

function link(attributes: Readonly<Record<string, string>>): string {
  return `<link ${Object.entries(attributes)
    .map(([name, value]) => `${name}="${escapeHtml(value)}"`)
    .join(' ')}>`;
}

function property(name: string, content: string): string {
  return `<meta property="${name}" content="${escapeHtml(content)}">`;
}
