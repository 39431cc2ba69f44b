/**
 * Feeds of the newest posts, three spellings of one list: RSS 2.0, Atom (RFC 4287), JSON Feed 1.1.
 *
 * For the whole site and beside the address of each category, tag and author: `category/notes/feed.xml`, `atom.xml`,
 * `feed.json`. Posts that need a password are left out. Nothing in them depends on when they were made.
 */
import { isPublic } from '../../../modules/permalinks/record.ts';
import { decodeEntities, plainText } from '../../../render/text.ts';
import { dataWithoutActive } from '../../../render/active.ts';
import { sourceUrl } from '../../../modules/media/view.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { isAttachment } from '../../../modules/media/record.ts';
import type { PostRecord } from '../../../modules/posts/record.ts';
import { createXml } from '../../../render/xml.ts';
import type { Folder } from './folder.ts';
import { type Archive, archives, homeAddress, latest, moment, posts, publicView } from './listing.ts';
import { pathBelow } from './names.ts';

/** Posts in a feed. */
const length = 20;

interface Feed {
  readonly title: string;
  readonly description: string;
  /** Page that shows the same. */
  readonly page: string;
  /** Address of the folder the feeds are in, with a trailing slash. */
  readonly folder: string;
  readonly language: string;
  /** GMT; '' for an empty site. */
  readonly updated: string;
  readonly entries: readonly Entry[];
}

interface Entry {
  readonly id: string;
  readonly url: string;
  /** Plain text. */
  readonly title: string;
  readonly summary: string;
  /** Markup. */
  readonly content: string;
  readonly published: string;
  readonly updated: string;
  readonly author: { readonly name: string; readonly url: string } | null;
  readonly tags: readonly string[];
  readonly image: string;
}

const forms: readonly { readonly file: string; print(feed: Feed, address: string): string }[] = [
  { file: 'feed.xml', print: printRss },
  { file: 'atom.xml', print: printAtom },
  { file: 'feed.json', print: printJson },
];

const xml = createXml();

export async function writeFeeds(site: Site, folder: Folder, step: () => Promise<void>): Promise<void> {
  for (const archive of archives(site)) {
    const whole = await feedOf(site, archive);
    const feed = site.operator.filter_content ? (dataWithoutActive(whole, 'visitor') as Feed) : whole;
    const place = pathBelow(archive.path);
    for (const { file, print } of forms) folder.put(place === '' ? file : `${place}/${file}`, print(feed, feed.folder + file));
    await step();
  }
}

async function feedOf(site: Site, { path, name, where, term, author }: Archive): Promise<Feed> {
  const open = posts(site, [{ kind: 'test', test: (post: PostRecord) => post.password === '' }, ...where], length);
  const entries = await Promise.all(open.map((post) => entryOf(site, post)));
  const siteName = plain(String(site.settings.value('name') ?? ''));
  const about = term?.description || author?.description || String(site.settings.value('description') ?? '');
  return {
    title: name === '' ? siteName : `${plain(name)} – ${siteName}`,
    description: plain(about),
    page: path === '/' ? homeAddress(site) : site.url + path,
    folder: site.url + path,
    language: String(site.settings.value('language') ?? 'en_US').replaceAll('_', '-'),
    updated: latest(entries.map(({ updated }) => updated)),
    entries,
  };
}

async function entryOf(site: Site, post: PostRecord): Promise<Entry> {
  const view = publicView(site);
  const author = site.users.get(post.author);
  const picture = site.posts.get(post.featuredMedia);
  if (isAttachment(picture)) await site.media.prepare([picture]);
  const tags = ['category', 'post_tag'].flatMap((taxonomy) => view.terms(post, taxonomy));
  return {
    id: view.guid(post),
    url: view.link(post),
    title: plain(view.title(post)),
    summary: plain(view.excerpt(post)),
    content: view.content(post),
    published: post.dateGmt,
    updated: latest([post.dateGmt, post.modifiedGmt]),
    author: author ? { name: plain(author.name), url: `${site.url}/author/${author.slug}/` } : null,
    tags: tags.flatMap((id) => plain(site.terms.get(id)?.name ?? '')),
    image: isAttachment(picture) && isPublic(site, picture) ? sourceUrl(site, picture) : '',
  };
}

/** Source: RSS 2.0 specification; modules content, dc and atom for what it has no element for. */
function printRss(feed: Feed, address: string): string {
  const { element, text, cdata } = xml;
  const items = feed.entries.map((entry) =>
    lines('item', [
      element('title', text(entry.title)),
      element('link', text(entry.url)),
      element('guid', text(entry.id), { isPermaLink: 'false' }),
      element('pubDate', rfc822(entry.published)),
      ...(entry.author ? [element('dc:creator', text(entry.author.name))] : []),
      ...entry.tags.map((tag) => element('category', text(tag))),
      element('description', text(entry.summary)),
      element('content:encoded', cdata(entry.content)),
    ]),
  );
  const channel = lines('channel', [
    element('title', text(feed.title)),
    element('link', text(feed.page)),
    element('description', text(feed.description)),
    element('language', text(feed.language)),
    ...(feed.updated === '' ? [] : [element('lastBuildDate', rfc822(feed.updated))]),
    element('atom:link', undefined, { href: address, rel: 'self', type: 'application/rss+xml' }),
    ...items,
  ]);
  const rss = element('rss', `\n${channel}\n`, {
    version: '2.0',
    'xmlns:atom': 'http://www.w3.org/2005/Atom',
    'xmlns:content': 'http://purl.org/rss/1.0/modules/content/',
    'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
  });
  return `${declaration}${rss}\n`;
}

function printAtom(feed: Feed, address: string): string {
  const { element, text } = xml;
  const entries = feed.entries.map((entry) =>
    lines('entry', [
      element('id', text(entry.id)),
      element('title', text(entry.title)),
      element('link', undefined, { href: entry.url, rel: 'alternate', type: 'text/html' }),
      element('published', moment(entry.published)),
      element('updated', moment(entry.updated)),
      element(
        'author',
        entry.author
          ? element('name', text(entry.author.name)) + element('uri', text(entry.author.url))
          : element('name', text(feed.title)),
      ),
      ...entry.tags.map((tag) => element('category', undefined, { term: tag })),
      element('summary', text(entry.summary)),
      element('content', text(entry.content), { type: 'html', 'xml:base': entry.url }),
    ]),
  );
  const body = lines(
    'feed',
    [
      element('id', text(address)),
      element('title', text(feed.title)),
      element('subtitle', text(feed.description)),
      // An empty feed was never changed.
      element('updated', moment(feed.updated || '1970-01-01T00:00:00')),
      element('link', undefined, { href: address, rel: 'self', type: 'application/atom+xml' }),
      element('link', undefined, { href: feed.page, rel: 'alternate', type: 'text/html' }),
      ...entries,
    ],
    { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': feed.language },
  );
  return `${declaration}${body}\n`;
}

/** Source: jsonfeed.org/version/1.1. */
function printJson(feed: Feed, address: string): string {
  const items = feed.entries.map(({ id, url, title, summary, content, published, updated, author, tags, image }) => ({
    id,
    url,
    title,
    content_html: content,
    ...(summary === '' ? {} : { summary }),
    ...(image === '' ? {} : { image }),
    date_published: moment(published),
    date_modified: moment(updated),
    ...(author ? { authors: [author] } : {}),
    ...(tags.length === 0 ? {} : { tags }),
  }));
  const { title, page, description, language } = feed;
  const body = {
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: page,
    feed_url: address,
    ...(description === '' ? {} : { description }),
    language,
    items,
  };
  return `${JSON.stringify(body, null, 1)}\n`;
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

function lines(name: string, parts: readonly string[], attributes: Readonly<Record<string, string>> = {}): string {
  return xml.element(name, `\n${parts.join('\n')}\n`, attributes);
}

/** GMT as RFC 822 has it, with the year in full. */
function rfc822(gmt: string): string {
  return new Date(`${gmt}Z`).toUTCString();
}

/** Markup as the text it shows. */
function plain(html: string): string {
  return decodeEntities(plainText(html));
}
