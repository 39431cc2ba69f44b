/**
 * Shortcodes that show media: `[gallery ids="7,8"]`, `[audio]`, `[video]`, `[playlist]`. They are shown last, as who may see the
 * text sees the media library now; what else becomes of the text is kept.
 *
 * Everything a shortcode says is untrusted: it is escaped, addresses have allowed protocols, and what it names is looked up by
 * whoever knows which media readers may see. A text shows so many media, and no more.
 *
 * Source: behaviour of the reference with a theme that has HTML5 galleries (6.9).
 */
import { table } from '../kernel/model/maps.ts';
import { captionClass, playerClasses } from './wire-constants.ts';
import { allowed } from './allowed.ts';
import { cleanUrl } from './protocols.ts';
import { attributesOf, mediaShortcodes, namesRecordings, replaceShortcodes, type Shortcode } from './shortcodes.ts';
import { escapeHtml, escapeOnce } from '../kernel/model/escape.ts';

/** Which media a shortcode wants. */
export interface MediaWish {
  readonly family: 'image' | 'audio' | 'video';
  /** In this order; null: those that belong to `parent`. */
  readonly ids: readonly number[] | null;
  readonly without: readonly number[];
  readonly parent: number;
  /** `menu_order`, `title`, `date`, `id`: of those that belong to a parent. */
  readonly by: string;
  readonly isReversed: boolean;
}

/** A file of the media library as shortcodes show it. */
export interface ShownMedia {
  readonly id: number;
  /** Of the file; of a picture the one shown in full. */
  readonly url: string;
  /** Of its page. */
  readonly link: string;
  readonly title: string;
  readonly mime: string;
  /** As HTML. */
  readonly caption: string;
  readonly description: string;
  /** Undefined where dimensions are not known. */
  readonly shape?: 'portrait' | 'landscape' | undefined;
  readonly length?: string | undefined;
  /** @param attributes  written into the tag, with a space before them */
  image(size: string, attributes: string): string;
}

export interface MediaFinder {
  /** Of the site, for addresses of its uploads from its root. */
  readonly home: string;
  /** What readers may see of what is wished for. */
  find(wish: MediaWish): readonly ShownMedia[];
  /** MIME type of a file by its address; '' where it has none that is known. */
  mimeOf(address: string): string;
}

type Attributes = Readonly<Record<string, string | undefined>>;

/** Media that one text shows; more would be a burden to everybody. */
const mostMedia = 2000;
const mark = new RegExp(`\\[(?:${mediaShortcodes.join('|')})(?![\\w-])`);

export function namesMedia(text: string): boolean {
  return mark.test(text) || namesRecordings(text);
}

/** What the shortcodes of a text will ask for. */
export function mediaWishes(text: string, post: number): readonly MediaWish[] {
  const wishes: MediaWish[] = [];
  replaceShortcodes(text, mediaShortcodes, (found) => {
    if (wishes.length < mostMedia) wishes.push(wishOf(found, attributesOf(found.attributes), post));
    return '';
  });
  return wishes;
}

/**
 * The markup with its media shown. Cost: linear, and what is shown.
 *
 * @param before  how often the text was shown before in the same answer: the numbers of its parts go on behind that
 */
export function showMedia(html: string, post: number, finder: MediaFinder, before = 0): string {
  let left = mostMedia;
  const counts = new Map<string, number>();
  const limited: MediaFinder = {
    ...finder,
    find(wish) {
      const found = left > 0 ? finder.find(wish).slice(0, left) : [];
      left -= Math.max(1, found.length);
      return found;
    },
  };
  const totals = before > 0 ? totalsOf(html) : counts;
  return replaceShortcodes(html, mediaShortcodes, (found) => {
    const number = (counts.get(found.name) ?? 0) + 1;
    counts.set(found.name, number);
    const given = attributesOf(found.attributes);
    const shown = before > 0 ? (totals.get(found.name) ?? 0) * before + number : number;
    return printers[found.name as keyof typeof printers](found, given, { post, number: shown, finder: limited });
  });
}

function totalsOf(html: string): Map<string, number> {
  const totals = new Map<string, number>();
  replaceShortcodes(html, mediaShortcodes, ({ name }) => {
    totals.set(name, (totals.get(name) ?? 0) + 1);
    return '';
  });
  return totals;
}

interface Around {
  readonly post: number;
  readonly number: number;
  readonly finder: MediaFinder;
}

const printers = table({ gallery, playlist, audio: player, video: player } as const);

function wishOf({ name }: Shortcode, given: Attributes, post: number): MediaWish {
  const said = given.ids ?? given.include;
  const order = (given.orderby ?? 'menu_order').trim().toLowerCase();
  return {
    family:
      name === 'gallery' ? 'image' : name === 'video' || (name === 'playlist' && given.type === 'video') ? 'video' : 'audio',
    ids: said === undefined || said.trim() === '' ? null : numbers(said),
    without: numbers(given.exclude ?? ''),
    parent: numbers(given.id ?? '')[0] ?? post,
    by: /^(?:title|post_title)/.test(order)
      ? 'title'
      : /^(?:date|post_date)/.test(order)
        ? 'date'
        : /^id/.test(order)
          ? 'id'
          : 'menu_order',
    isReversed: /^desc$/i.test(given.order?.trim() ?? ''),
  };
}

function gallery(found: Shortcode, given: Attributes, { post, number, finder }: Around): string {
  const wish = wishOf(found, given, post);
  const pictures = finder.find(wish);
  if (pictures.length === 0) return '';
  const columns = Math.min(99, Math.max(0, Number.parseInt(given.columns ?? '3', 10) || 0));
  const size = className(given.size ?? '') || 'thumbnail';
  const [item, icon, words] = [
    tag(given.itemtag, 'figure', 'dl'),
    tag(given.icontag, 'div', 'dt'),
    tag(given.captiontag, 'figcaption', 'dd'),
  ];
  const selector = `gallery-${number}`;
  const items = pictures.map((picture) => {
    const { id, url, link, caption, shape = '' } = picture;
    const isTold = caption.trim() !== '';
    const image = picture.image(size, isTold ? ` aria-describedby="${selector}-${id}"` : '');
    const target = given.link === 'none' ? null : given.link === 'file' ? url : link;
    const shown = target === null ? image : `<a href='${escapeHtml(target)}'>${image}</a>`;
    const below = isTold
      ? `\n\t\t\t\t<${words} class='${captionClass}-text gallery-caption' id='${selector}-${id}'>\n\t\t\t\t${caption}\n\t\t\t\t</${words}>`
      : '';
    return `<${item} class='gallery-item'>\n\t\t\t<${icon} class='gallery-icon ${shape}'>\n\t\t\t\t${shown}\n\t\t\t</${icon}>${below}</${item}>`;
  });
  const classes = `gallery galleryid-${wish.parent} gallery-columns-${columns} gallery-size-${size}`;
  return `<div id='${selector}' class='${classes}'>${items.join('')}\n\t\t</div>\n`;
}

/** Extensions by which a player may be given its files, the usual first. */
const extensions = table({
  audio: ['mp3', 'ogg', 'flac', 'm4a', 'wav'],
  video: ['mp4', 'm4v', 'webm', 'ogv', 'flv'],
} as const);

function player(found: Shortcode, given: Attributes, { post, number, finder }: Around): string {
  const name = found.name as 'audio' | 'video';
  const said = ['src', ...extensions[name]].map((key) => addressOf(given[key] ?? '', finder.home)).filter((url) => url !== '');
  const isPlayed = (url: string): boolean =>
    (extensions[name] as readonly string[]).includes(/\.([^.]+)$/.exec(url)?.[1]?.toLowerCase() ?? '');
  if (given.src && said[0] !== undefined && !isPlayed(said[0]))
    return `<a class="${playerClasses.embedded}-${name}" href="${said[0]}">${escapeOnce(given.src.trim())}</a>`;
  const own = said.length > 0 ? undefined : finder.find({ ...wishOf(found, {}, post), family: name })[0];
  const urls = own ? [addressOf(own.url, finder.home)] : said.filter(isPlayed);
  const [first] = urls;
  if (first === undefined) return '';
  const sources = urls.map((url) => {
    const once = `${url}${url.includes('?') ? '&#038;' : '?'}_=${number}`;
    return `<source type="${escapeHtml(finder.mimeOf(url))}" src="${once}" />`;
  });
  const parts = [...sources, `<a href="${first}">${first}</a>`].join('');
  const switches = ['loop', 'autoplay', 'muted'].filter((key) => isOn(given[key]) && (key !== 'muted' || name === 'video'));
  const attributes = (pairs: readonly (readonly [key: string, value: string | true])[]): string =>
    pairs.flatMap(([key, value]) => (value === '' ? [] : [value === true ? key : `${key}="${value}"`])).join(' ');
  const preload = /^(?:none|auto|metadata)$/.test(given.preload ?? '')
    ? (given.preload as string)
    : name === 'audio'
      ? 'none'
      : 'metadata';
  const begin = [
    ['class', escapeOnce(given.class ?? playerClasses[name])],
    ['id', `${name}-${post}-${number}`],
  ] as const;
  const rest = [...switches.map((key) => [key, true] as const), ['preload', preload]] as const;
  if (name === 'audio') {
    const style = escapeOnce(given.style ?? 'width: 100%;');
    return `<audio ${attributes([...begin, ...rest, ['style', style]])} controls="controls">${parts}</audio>`;
  }
  const [width, height] = [pixels(given.width, 640), pixels(given.height, 360)];
  const box = [
    ['width', String(width)],
    ['height', String(height)],
    ['poster', addressOf(given.poster ?? '', finder.home)],
  ] as const;
  const video = `<video ${attributes([...begin, ...box, ...rest])} controls="controls">${parts}</video>`;
  return `<div style="width: ${width}px;" class="${playerClasses.videoBox}">${video}</div>`;
}

function playlist(found: Shortcode, given: Attributes, { post, finder }: Around): string {
  const wish = wishOf(found, given, post);
  const recordings = finder.find(wish);
  if (recordings.length === 0) return '';
  const type = wish.family;
  const style = className(given.style ?? '') || 'light';
  const isShown = (key: string): boolean => given[key] === undefined || isOn(given[key]);
  const data = {
    type,
    tracklist: isShown('tracklist'),
    tracknumbers: isShown('tracknumbers'),
    images: isShown('images'),
    artists: isShown('artists'),
    tracks: recordings.map(({ url, mime, title, caption, description, length }) => ({
      src: url,
      type: mime,
      title,
      caption,
      description,
      meta: length === undefined ? {} : { length_formatted: length },
    })),
  };
  const size = type === 'video' ? ' width="640" height="360"' : ' width="640"';
  const name = playerClasses.playlist;
  const list = recordings.map(({ link, title }) => `<li><a href='${escapeHtml(link)}'>${escapeHtml(title)}</a></li>`);
  return [
    `<div class="${name} ${playlistClass(type)} ${name}-${style}">`,
    ...(type === 'audio' ? [`<div class="${name}-current-item"></div>`] : []),
    `<${type} controls="controls" preload="none"${size}></${type}>`,
    `<div class="${name}-next"></div>`,
    `<div class="${name}-prev"></div>`,
    `<noscript><ol>${list.join('')}</ol></noscript>`,
    // A script ends where its end tag stands, whatever it holds.
    `<script type="application/json" class="${name}-script">${JSON.stringify(data).replace(/[<>]/g, (char) => (char === '<' ? '\\u003C' : '\\u003E'))}</script>`,
    '</div>',
  ].join('\n');
}

function playlistClass(type: string): string {
  return playerClasses.playlist.replace('-', `-${type}-`);
}

/** An address for an attribute; '' for none that may stand there. */
function addressOf(given: string, home: string): string {
  const url = cleanUrl(given.trim().replace(/["'<>\s]/g, (char) => encodeURIComponent(char).replace("'", '%27')));
  return escapeOnce(url.startsWith('/uploads/') ? home + url : url).replaceAll('&amp;', '&#038;');
}

function numbers(text: string): number[] {
  return text.split(/[,\s]+/).flatMap((word) => (/^[1-9]\d{0,9}$/.test(word) ? [Number(word)] : []));
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !/^(?:|0|false|off|no)$/i.test(value.trim());
}

function pixels(value: string | undefined, usual: number): number {
  const given = Number.parseInt(value ?? '', 10);
  return given >= 1 && given <= 10_000 ? given : usual;
}

/** The element that a part of a gallery is: of those that authors may write, or else `fallback`. */
function tag(given: string | undefined, usual: string, fallback: string): string {
  if (given === undefined) return usual;
  const name = given.toLowerCase().replace(/[^a-z\d:_-]/g, '');
  return allowed.post.has(name) ? name : fallback;
}

function className(text: string): string {
  return text.replace(/%[a-f\d]{2}/gi, '').replace(/[^\w-]/g, '');
}
