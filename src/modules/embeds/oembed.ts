/**
 * oEmbed: embeds of this site's posts for others, and embeds of remote pages here.
 *
 * Source: oembed.com, sections 2.2 to 2.4 and 4 (discovery); sizes and codes as the reference 6.9 (conformance scenario oembed).
 */
import { createHash } from 'node:crypto';
import { isAttachment, uploadPath } from '../content/attachments/record.ts';
import { isMap, table } from '../../kernel/model/maps.ts';
import { type PostRecord, type PostView, titleMark } from '../content/posts/record.ts';
import { postAt, postOnceAt } from '../content/permalinks/index.ts';
import { homeOf, isPublic } from '../content/permalinks/record.ts';
import { authorPath } from '../people/users/record.ts';
import { type Fetched, type Fetcher, FetchError, textOf } from '../../http-client/fetch.ts';
import { uploadUrl } from '../media/library/index.ts';
import { constrain, hasSameShape } from '../media/files/sizes.ts';
import { framed, readXml } from './markup.ts';
import { itemPrefix } from '../../kernel/rest/address-prefix.ts';
import { providerOf } from './providers.ts';
import { readHead } from '../../render/page-head.ts';
import { createPostView } from '../content/posts/index.ts';
import { playerClasses } from '../../render/wire-constants.ts';
import { escapeHtml, escapeName } from '../../kernel/model/escape.ts';
import { decodeEntities } from '../../render/text.ts';
import { stripTags } from '../../kernel/model/tags.ts';
import type { Site } from '../../kernel/site/site.ts';
import { isUrl } from '../../kernel/model/addresses.ts';

/** An oEmbed response: `type`, `version` and members of the type. */
export type OEmbed = Readonly<Record<string, unknown>>;

interface EmbedSize {
  readonly maxWidth: number;
  readonly maxHeight?: number | undefined;
}

const least = 200;
const most = 600;
/** Maximum bytes of a page or response. */
const maxBytes = 153_600;

/** The embed of a URL of this site; null if nothing public is there. */
export async function embedOf(site: Site, address: string, maxWidth: number): Promise<OEmbed | null> {
  const post = postAt(site, address) ?? postOnceAt(site, address);
  return post && isPublic(site, post) ? embedPost(site, post, maxWidth) : null;
}

/** @param maxWidth  of the frame, in pixels; clamped to 200 to 600 */
async function embedPost(site: Site, post: PostRecord, maxWidth: number): Promise<OEmbed> {
  const view = createPostView(site, { user: null, word: (name) => name, unlocked: () => false });
  const width = Math.min(Math.max(least, maxWidth), most);
  const author = site.users.get(post.author);
  const name = site.settings.value('name') as string;
  const title = titleOf(post, view);
  const link = view.link(post);
  const segments = itemPrefix(site, post);
  const home = segments === '' ? homeOf(site) : `${homeOf(site)}${segments}/`;
  await view.prepare(post);
  return {
    version: '1.0',
    provider_name: name,
    provider_url: home,
    // XML has names as text: what the filter removes must not come back.
    author_name: author ? escapeName(site.operator.filter_content ? stripTags(author.name) : author.name) : name,
    author_url: author ? site.url + segments + authorPath(author) : home,
    title,
    type: isAttachment(post) && post.mime.startsWith('video/') ? 'video' : 'rich',
    width,
    height: Math.max(least, Math.ceil((width / 16) * 9)),
    html: quotation(link, title, view.excerpt(post)),
    ...(await thumbnailOf(site, post, width)),
  };
}

/** The thumbnail of a post or attachment: the smallest file that fills the width, else the original. */
async function thumbnailOf(site: Site, post: PostRecord, width: number): Promise<OEmbed> {
  const media = isAttachment(post) ? post : site.posts.get(post.featuredMedia);
  if (!isAttachment(media) || !isPublic(site, media)) return {};
  await site.media.prepare([media]);
  const layout = site.media.layout(media);
  if (!layout) return {};
  const { full, sizes } = layout;
  const filling = sizes.filter((size) => size.width >= width && hasSameShape(size, full)).sort((a, b) => a.width - b.width);
  const { file, ...dimensions } = filling[0] ?? full;
  const shown = constrain(dimensions, { width, height: 0 });
  const original = uploadPath(media);
  return {
    thumbnail_url: uploadUrl(site, original.slice(0, original.lastIndexOf('/') + 1) + file),
    thumbnail_width: shown.width,
    thumbnail_height: shown.height,
  };
}

/**
 * The embed of a site URL on its own line in a text: a link, and the embed page in a frame that is hidden until a script of the front end shows it.
 * Undefined if nothing public is there.
 */
export function embeddedPost(site: Site, address: string): string | undefined {
  const post = postAt(site, address) ?? postOnceAt(site, address);
  if (!post || !isPublic(site, post)) return undefined;
  const view = createPostView(site, { user: null, word: (name) => name, unlocked: () => false });
  const [link, title] = [escapeHtml(view.link(post)), titleOf(post, view)];
  // Connects frame and link; guessing it only reveals the frame's height.
  const secret = createHash('sha256').update(link).digest('base64url').replace(/[-_]/g, '').slice(0, 10);
  const label = escapeHtml(`\u201c${decodeEntities(title)}\u201d \u2014 ${site.settings.value('name')}`);
  const frame = [
    `class="${playerClasses.embeddedPost}" sandbox="allow-scripts" security="restricted" style="position: absolute; visibility: hidden;"`,
    `title="${label}" src="${link}embed/#?secret=${secret}#?secret=${secret}" data-secret="${secret}"`,
    'width="500" height="282" frameborder="0" marginwidth="0" marginheight="0" scrolling="no"',
  ];
  const quote = `<blockquote class="${playerClasses.embeddedPost}" data-secret="${secret}"><a href="${link}">${stripTags(title)}</a></blockquote>`;
  return `${quote}<iframe loading="lazy" ${frame.join(' ')}></iframe>`;
}

function titleOf(post: PostRecord, view: PostView): string {
  return `${titleMark(post)}${view.title(post)}`;
}

interface DiscoveryLink {
  readonly rel: 'alternate';
  readonly type: string;
  readonly href: string;
  readonly title: string;
}

/**
 * Discovery links of a post's page, for `<link>` or the `Link` header. None for posts that are not public.
 *
 * @param root  URL of the REST root: `https://example.com/cms-json`
 */
export function oembedLinks(site: Site, post: PostRecord, root: string): readonly DiscoveryLink[] {
  if (!isPublic(site, post)) return [];
  const view = createPostView(site, { user: null, word: (name) => name, unlocked: () => false });
  const href = `${root}/oembed/1.0/embed?url=${encodeURIComponent(view.link(post))}`;
  const title = (form: string): string => `oEmbed (${form})`;
  return [
    { rel: 'alternate', type: 'application/json+oembed', href, title: title('JSON') },
    { rel: 'alternate', type: 'text/xml+oembed', href: `${href}&format=xml`, title: title('XML') },
  ];
}

/**
 * The embed of a remote page: from its provider, from a discovered service, or, for audio and video, a player.
 *
 * @param discover  whether to discover services of unknown sites
 * @returns null if there is none
 */
export async function embedFrom(
  fetcher: Fetcher,
  address: string,
  size: EmbedSize,
  { discover, own }: { readonly discover: boolean; readonly own: readonly string[] },
): Promise<OEmbed | null> {
  const known = providerOf(address);
  const endpoint = known ? endpointFor(known.endpoint, address) : discover ? await discovered(fetcher, address, own) : null;
  const data = endpoint ? await ask(fetcher, endpoint, size, own) : null;
  const shown = data && finished(data, address, known !== undefined);
  return shown ?? player(address);
}

/**
 * A response as XML (oEmbed, section 2.3.4); list members are `oembed` elements. Names and titles are decoded text; markup stays markup. Non-ASCII
 * characters are references, as in the reference.
 */
export function printXml(data: unknown): string {
  return `<?xml version="1.0"?>\n<oembed>${children(data)}</oembed>\n`;
}

function children(value: unknown, name = ''): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return xmlText(name === 'html' ? String(value) : decodeEntities(String(value)));
  return Object.entries(value)
    .map(([key, member]) => {
      const tag = /^\d+$/.test(key) ? 'oembed' : key;
      return `<${tag}>${children(member, tag)}</${tag}>`;
    })
    .join('');
}

const xmlEscapes: Readonly<Record<string, string>> = table({ '&': '&amp;', '<': '&lt;', '>': '&gt;' });

/** Removes characters that XML 1.0 does not allow. */
function xmlText(text: string): string {
  return text
    .replace(/[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(
      /[&<>]|[^\u0000-\u007f]/gu,
      (char) => xmlEscapes[char] ?? `&#x${(char.codePointAt(0) as number).toString(16).toUpperCase()};`,
    );
}

/** The embed of a post: its link and excerpt. There is no page to frame. */
function quotation(link: string, title: string, excerpt: string): string {
  const begins = stripTags(excerpt).trim();
  const cite = begins === '' ? '' : `<p>${begins}</p>`;
  return `<blockquote class="embedded-content" cite="${escapeHtml(link)}"><p><a href="${escapeHtml(link)}">${title}</a></p>${cite}</blockquote>`;
}

function endpointFor(endpoint: string, address: string): string {
  const url = new URL(endpoint);
  url.searchParams.set('url', address);
  return url.href;
}

/** The service in a page's head, JSON before XML. Source: oEmbed, section 4. */
async function discovered(fetcher: Fetcher, address: string, own: readonly string[]): Promise<string | null> {
  const page = await answerOf(fetcher, address, own);
  if (!page) return null;
  const { links } = readHead(textOf(page));
  for (const type of ['application/json+oembed', 'text/xml+oembed', 'application/xml+oembed']) {
    const href = links.find((link) => link.type?.toLowerCase() === type && link.href)?.href;
    if (href !== undefined && isUrl(href, page.url)) return new URL(href, page.url).href;
  }
  return null;
}

async function ask(
  fetcher: Fetcher,
  endpoint: string,
  { maxWidth, maxHeight }: EmbedSize,
  own: readonly string[],
): Promise<Record<string, unknown> | null> {
  const url = new URL(endpoint);
  url.searchParams.set('maxwidth', String(maxWidth));
  url.searchParams.set('maxheight', String(maxHeight ?? Math.min(Math.ceil(maxWidth * 1.5), 1000)));
  url.searchParams.set('dnt', '1');
  for (const format of ['json', 'xml']) {
    // A discovered XML service has its format in the URL.
    if (!(format === 'json' && url.searchParams.get('format') === 'xml')) url.searchParams.set('format', format);
    const answer = await answerOf(fetcher, url.href, own);
    const data = answer && read(textOf(answer));
    if (data) return data;
  }
  return null;
}

async function answerOf(fetcher: Fetcher, address: string, own: readonly string[]): Promise<Fetched | null> {
  try {
    const answer = await fetcher.get(address, { maxBytes, own });
    return answer.status === 200 ? answer : null;
  } catch (error) {
    if (error instanceof FetchError) return null;
    throw error;
  }
}

function read(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text) as unknown;
    return isMap(value) ? value : null;
  } catch {
    return readXml(text);
  }
}

/** A response with `html` for every type, sanitized if untrusted; null if a required member is missing. */
function finished(data: Record<string, unknown>, address: string, trusted: boolean): OEmbed | null {
  const text = (name: string): string =>
    typeof data[name] === 'string' || typeof data[name] === 'number' ? String(data[name]) : '';
  const html = htmlOf(text, address);
  const safe = html === null || trusted || text('type') === 'photo' || text('type') === 'link' ? html : framed(html);
  return safe === null ? null : { ...data, html: safe };
}

function htmlOf(text: (name: string) => string, address: string): string | null {
  const title = text('title');
  switch (text('type')) {
    case 'photo': {
      if (!/^https?:\/\//i.test(text('url')) || text('width') === '' || text('height') === '') return null;
      const size = `width="${escapeHtml(text('width'))}" height="${escapeHtml(text('height'))}"`;
      return `<a href="${escapeHtml(address)}"><img src="${escapeHtml(text('url'))}" alt="${escapeHtml(title)}" ${size} /></a>`;
    }
    case 'video':
    case 'rich':
      return text('html') || null;
    case 'link':
      return title === '' ? null : `<a href="${escapeHtml(address)}">${escapeHtml(title)}</a>`;
    default:
      return null;
  }
}

const players: Readonly<Record<string, RegExp>> = table({
  audio: /^https?:\/\/.+\.(?:mp3|ogg|oga|flac|m4a|wav)$/i,
  video: /^https?:\/\/.+\.(?:mp4|m4v|webm|ogv|flv)$/i,
});

/** A player for audio and video, as the reference embeds them. */
function player(address: string): OEmbed | null {
  const tag = Object.keys(players).find((name) => players[name]?.test(address));
  return tag === undefined
    ? null
    : { provider_name: 'Embed Handler', html: `<${tag} controls src="${escapeHtml(address)}"></${tag}>` };
}
