/** Feed formats: RSS 2.0, Atom (RFC 4287), JSON Feed 1.1. Output does not depend on the time. */
import { table } from '../../../kernel/model/maps.ts';
import { createXml } from '../../../render/xml.ts';
import type { FeedEntry, FeedContent, FeedForm } from './record.ts';

const xml = createXml();

export const forms = table({
  rss: { suffix: 'feed/', file: 'feed.xml', type: 'application/rss+xml; charset=UTF-8', print: printRss },
  atom: { suffix: 'feed/atom/', file: 'atom.xml', type: 'application/atom+xml; charset=UTF-8', print: printAtom },
  json: { suffix: 'feed/json/', file: 'feed.json', type: 'application/feed+json; charset=UTF-8', print: printJson },
} as const satisfies Readonly<Record<string, FeedForm>>);

/** Source: RSS 2.0 specification, with the modules content, dc, atom, slash and wfw. */
function printRss(feed: FeedContent, address: string): string {
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
      ...commentsOf(entry),
    ]),
  );
  const channel = lines('channel', [
    element('title', text(feed.title)),
    element('link', text(feed.page)),
    element('description', text(feed.description)),
    element('language', text(feed.language)),
    ...(feed.updated === '' ? [] : [element('lastBuildDate', rfc822(feed.updated))]),
    element('generator', generator),
    element('sy:updatePeriod', 'hourly'),
    element('sy:updateFrequency', '1'),
    element('atom:link', undefined, { href: address, rel: 'self', type: 'application/rss+xml' }),
    ...(feed.icon === ''
      ? []
      : [
          lines('image', [element('url', text(feed.icon)), element('title', text(feed.title)), element('link', text(feed.page))]),
        ]),
    ...items,
  ]);
  const rss = element('rss', `\n${channel}\n`, {
    version: '2.0',
    'xmlns:atom': 'http://www.w3.org/2005/Atom',
    'xmlns:content': 'http://purl.org/rss/1.0/modules/content/',
    'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
    'xmlns:slash': 'http://purl.org/rss/1.0/modules/slash/',
    'xmlns:sy': 'http://purl.org/rss/1.0/modules/syndication/',
    'xmlns:wfw': 'http://wellformedweb.org/CommentAPI/',
  });
  return `${declaration}${rss}\n`;
}

function commentsOf({ comments }: FeedEntry): readonly string[] {
  if (!comments) return [];
  const { element, text } = xml;
  return [
    element('comments', text(comments.page)),
    element('wfw:commentRss', text(comments.feed)),
    element('slash:comments', String(comments.count)),
  ];
}

/** Source: RFC 4685. */
function repliesTo({ comments, answers }: FeedEntry): readonly string[] {
  const { element } = xml;
  if (answers) return [element('thr:in-reply-to', undefined, { ref: answers.id, href: answers.url, type: 'text/html' })];
  if (!comments) return [];
  const count = String(comments.count);
  const types = { page: 'text/html', atom: 'application/atom+xml' } as const;
  return [
    element('link', undefined, { rel: 'replies', type: types.page, href: comments.page, 'thr:count': count }),
    element('link', undefined, { rel: 'replies', type: types.atom, href: `${comments.feed}atom/`, 'thr:count': count }),
    element('thr:total', count),
  ];
}

/** Source: RFC 4287; for replies, RFC 4685. */
function printAtom(feed: FeedContent, address: string): string {
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
      ...repliesTo(entry),
    ]),
  );
  const body = lines(
    'feed',
    [
      element('id', text(address)),
      element('title', text(feed.title)),
      element('subtitle', text(feed.description)),
      // An empty feed has no date.
      element('updated', moment(feed.updated || '1970-01-01T00:00:00')),
      element('generator', generator),
      element('link', undefined, { href: address, rel: 'self', type: 'application/atom+xml' }),
      element('link', undefined, { href: feed.page, rel: 'alternate', type: 'text/html' }),
      ...(feed.icon === '' ? [] : [element('icon', text(feed.icon))]),
      ...entries,
    ],
    {
      xmlns: 'http://www.w3.org/2005/Atom',
      'xmlns:thr': 'http://purl.org/syndication/thread/1.0',
      'xml:lang': feed.language,
    },
  );
  return `${declaration}${body}\n`;
}

/** Source: jsonfeed.org/version/1.1. */
function printJson(feed: FeedContent, address: string): string {
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
  const { title, page, description, language, icon } = feed;
  const body = {
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: page,
    feed_url: address,
    ...(description === '' ? {} : { description }),
    ...(icon === '' ? {} : { icon }),
    language,
    items,
  };
  return `${JSON.stringify(body, null, 1)}\n`;
}

/** Without a version: a feed changes with its content. */
export const generator = 'cms';

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

function lines(name: string, parts: readonly string[], attributes: Readonly<Record<string, string>> = {}): string {
  return xml.element(name, `\n${parts.join('\n')}\n`, attributes);
}

/** GMT as in RFC 822, with a four-digit year. */
function rfc822(gmt: string): string {
  return new Date(`${gmt}Z`).toUTCString();
}

/** GMT as in RFC 3339. */
function moment(gmt: string): string {
  return `${gmt}Z`;
}
