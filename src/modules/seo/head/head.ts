/**
 * The items of a head: one list of rows, printed as JSON and as HTML.
 *
 * Source: reference on seo/v1, 4.2 to 4.5; corrections from recordings.
 */
import { escapeOnce } from '../../../kernel/model/escape.ts';
import type { Head } from '../metadata/record.ts';
import { graphOf } from './graph.ts';
import { represented } from './people.ts';
import { cardPicture, type ShownPicture, socialPicture } from './pictures.ts';
import { isSingular, type SeoPage } from './record.ts';
import { descriptionTemplate, fill, socialDescription, socialTitle, titleTemplate } from './templates.ts';
import { isoTime, modifiedLater, pagesOf, wordCount } from './texts.ts';
import { author } from './variables.ts';
import { escapeName } from '../../../kernel/model/escape.ts';

/** An item: member of the JSON, its value there, and the lines of HTML. One without a value is not in the head. */
interface HeadRow {
  readonly key: string;
  readonly value: unknown;
  readonly html: () => string;
}

export function headOf(page: SeoPage): Head {
  const lines = ['<!-- Search metadata -->'];
  const json: Record<string, unknown> = {};
  for (const { key, value, html } of rowsOf(page)) {
    if (value === '' || value === undefined || value === null) continue;
    lines.push(html());
    json[key] = value;
  }
  lines.push('<!-- / Search metadata -->');
  return { html: lines.join('\n'), json };
}

function rowsOf(page: SeoPage): readonly HeadRow[] {
  const title = fill(page, titleTemplate(page)) || page.siteName;
  const description = fill(page, descriptionTemplate(page));
  const robots = page.site.seo.robotsOf(page.target);
  const schema = graphOf(page, title, description);
  const isMissing = page.kind === 'missing';
  const canonical = robots.noindex || isMissing ? '' : page.canonical;
  return [
    { key: 'title', value: title, html: () => `<title>${escapeOnce(title)}</title>` },
    named('description', description),
    { key: 'robots', value: robots.directives, html: () => meta('name', 'robots', Object.values(robots.directives).join(', ')) },
    link('canonical', canonical),
    link('next', canonical === '' || !page.post || pagesOf(page.post) === 1 ? '' : secondPage(page)),
    ...(page.options.openGraph ? openGraph(page) : []),
    named('author', page.post?.type === 'post' && isSingular(page) ? escapeName(author(page)?.name ?? '') : ''),
    ...(page.options.card && !isMissing ? card(page) : []),
    {
      key: 'schema',
      value: schema,
      html: () => `<script type="application/ld+json" class="schema-graph">${scriptJson(schema)}</script>`,
    },
    ...(page.kind === 'home' || page.kind === 'front' ? verification(page) : []),
  ];
}

function openGraph(page: SeoPage): readonly HeadRow[] {
  const { target, kind } = page;
  if (kind === 'missing')
    return [open('locale', openLocale(page)), open('title', socialTitle(page)), open('site_name', page.siteName)];
  const ofArticle = isSingular(page) ? articleRows(page) : [];
  const picture = socialPicture(page);
  return [
    open('locale', openLocale(page)),
    open('type', openType(page)),
    open('title', socialTitle(page)),
    open('description', socialDescription(page)),
    open('url', target.kind === 'search' ? '' : page.canonical),
    open('site_name', page.siteName),
    ...ofArticle,
    {
      key: 'og_image',
      value: picture ? [picture.type === '' ? elsewhere(picture) : picture] : null,
      html: () => (picture ? pictureLines(picture) : ''),
    },
  ];
}

/** As the reference has it: nothing is known of it, and that is said. */
function elsewhere({ url }: ShownPicture): Readonly<Record<string, unknown>> {
  return { url, type: '', width: '', height: '' };
}

function pictureLines({ url, width, height, type }: ShownPicture): string {
  const rest = Object.entries({ width, height, type }).filter(([, value]) => value !== '');
  return [
    `<meta property="og:image" content="${escapeAddress(url)}" />`,
    ...rest.map(([name, value]) => `\t${meta('property', `og:image:${name}`, String(value))}`),
  ].join('\n');
}

function openType({ kind }: SeoPage): string {
  if (kind === 'user') return 'profile';
  return kind === 'front' || kind === 'home' || kind === 'archive' || kind === 'date' ? 'website' : 'article';
}

function articleRows(page: SeoPage): readonly HeadRow[] {
  const { post, options, site } = page;
  if (!post) return [];
  const who = options.represents === 'person' ? represented(page) : null;
  const publisher = who?.kind === 'person' ? site.seo.valuesOfUser(who.user).networkA : options.networkASite;
  const writer = post.type === 'post' ? author(page) : undefined;
  return [
    property('article_publisher', 'article:publisher', publisher),
    property('article_author', 'article:author', writer ? site.seo.valuesOfUser(writer).networkA : ''),
    property('article_published_time', 'article:published_time', post.type === 'post' ? isoTime(post.dateGmt) : ''),
    property('article_modified_time', 'article:modified_time', modifiedLater(post) ? isoTime(post.modifiedGmt) : ''),
  ];
}

function card(page: SeoPage): readonly HeadRow[] {
  const { options, values, post, site } = page;
  const who = options.represents === 'person' ? represented(page) : null;
  const ofSite = (who?.kind === 'person' && site.seo.valuesOfUser(who.user).networkB) || options.networkBSite;
  const writer = post?.type === 'post' && isSingular(page) ? author(page) : undefined;
  const creator = writer ? site.seo.valuesOfUser(writer).networkB || options.networkBSite : '';
  const hasOpen = options.openGraph;
  const own = (given: string | undefined, other: () => string) => (given ? fill(page, given) : hasOpen ? '' : other());
  const image = cardPicture(page) || (hasOpen ? '' : (socialPicture(page)?.url ?? ''));
  return [
    named('twitter_card', 'summary_large_image', 'twitter:card'),
    named(
      'twitter_title',
      own(values?.cardTitle, () => socialTitle(page)),
      'twitter:title',
    ),
    named(
      'twitter_description',
      own(values?.cardDescription, () => socialDescription(page)),
      'twitter:description',
    ),
    { key: 'twitter_image', value: image, html: () => `<meta name="twitter:image" content="${escapeAddress(image)}" />` },
    named('twitter_creator', handle(creator), 'twitter:creator'),
    named('twitter_site', handle(ofSite), 'twitter:site'),
    labels(page),
  ];
}

/** Who has written an item, and how long it takes to read. */
function labels(page: SeoPage): HeadRow {
  const { post, values, locale, options, kind } = page;
  const misc: Record<string, string> = {};
  if (post && kind === 'post' && options.cardLabels) {
    const words = locale.startsWith('de') ? german : english;
    const writer = post.type === 'post' ? author(page) : undefined;
    const minutes = page.isLocked ? 0 : values?.readingMinutes || Math.round(wordCount(page) / 200);
    if (writer) misc[words.writer] = escapeName(writer.name);
    if (minutes > 0) misc[words.time] = `${minutes} ${minutes === 1 ? words.minute : words.minutes}`;
  }
  const pairs = Object.entries(misc);
  return {
    key: 'twitter_misc',
    value: pairs.length > 0 ? misc : null,
    html: () =>
      pairs
        .flatMap(([label, value], at) => [
          meta('name', `twitter:label${at + 1}`, label),
          meta('name', `twitter:data${at + 1}`, value),
        ])
        .join('\n\t'),
  };
}

const english = { writer: 'Written by', time: 'Est. reading time', minute: 'minute', minutes: 'minutes' };
const german = { writer: 'Verfasst von', time: 'Geschätzte Lesezeit', minute: 'Minute', minutes: 'Minuten' };

function verification({ options }: SeoPage): readonly HeadRow[] {
  return [
    named('baidu_site_verification', options.baiduVerify, 'baidu-site-verification'),
    named('msvalidate.01', options.microsoftVerify),
    named('google_site_verification', options.googleVerify, 'google-site-verification'),
    named('p_domain_verify', options.pinterestVerify, 'p:domain_verify'),
    named('yandex_verification', options.yandexVerify, 'yandex-verification'),
  ];
}

/** Of a text in several pages. */
function secondPage({ url }: SeoPage): string {
  return url.includes('?') ? `${url}&page=2` : `${url}2/`;
}

/** `de_DE`, of whatever is said of the language; English of the United States where that is nothing. */
function openLocale({ locale }: SeoPage): string {
  const [, language = '', country] = /^([a-z]{2,3})(?:[_-]([a-z]{2}))?(?:[_-]|$)/i.exec(locale) ?? [];
  if (country !== undefined) return `${language.toLowerCase()}_${country.toUpperCase()}`;
  return language.length === 2 && language !== 'en' ? `${language.toLowerCase()}_${language.toUpperCase()}` : 'en_US';
}

function handle(name: string): string {
  return name === '' ? '' : `@${name.replace(/^@/, '').replace(/^https?:\/\/[^/]*\/@?/i, '')}`;
}

function named(key: string, value: string, name = key): HeadRow {
  return { key, value, html: () => meta('name', name, value) };
}

function property(key: string, name: string, value: string): HeadRow {
  return { key, value, html: () => meta('property', name, value) };
}

function open(name: string, value: string): HeadRow {
  return property(`og_${name}`, `og:${name}`, value);
}

function link(relation: string, address: string): HeadRow {
  return { key: relation, value: address, html: () => `<link rel="${relation}" href="${escapeAddress(address)}" />` };
}

function meta(kind: 'name' | 'property', name: string, content: string): string {
  return `<meta ${kind}="${name}" content="${escapeOnce(content)}" />`;
}

/** Addresses of links and pictures have their `&` by number. */
function escapeAddress(address: string): string {
  return escapeOnce(address.replace(/&(?:amp;)?(?!#038;)/g, '&#038;'));
}

/** JSON that no text in it can take out of its element. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
