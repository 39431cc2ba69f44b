/**
 * Words in brackets that stand for something: `[caption width="300"]…[/caption]`. Those of the reference's core are known by name
 * and shown as it shows them: captions and embeds here, what shows media when the media are known (`media-shortcodes.ts`). The
 * others stay as they stand.
 */

import { captionClass } from './wire-constants.ts';
import { filterHtml } from './filter.ts';
import { cleanUrl } from './protocols.ts';
import { trimSpace } from './text.ts';
import { escapeOnce } from '../kernel/model/escape.ts';

/** Those that show media of the site, or recordings of any. */
export const mediaShortcodes = ['gallery', 'playlist', 'audio', 'video'] as const;
const captions = ['caption', 'wp_caption'] as const;
/** Shortcodes of the reference's core. */
export const shortcodes = ['embed', ...captions, ...mediaShortcodes] as const;

export interface Shortcode {
  readonly name: string;
  /** As written. */
  readonly attributes: string;
  /** What stands before the closing one; null when there is none. */
  readonly content: string | null;
  readonly end: number;
}

const opening = new RegExp(`\\[(${shortcodes.join('|')})(?![\\w-])`, 'y');

function isCaption(name: string): boolean {
  return (captions as readonly string[]).includes(name);
}

function isMedia(name: string): boolean {
  return (mediaShortcodes as readonly string[]).includes(name);
}

/** Looks for shortcodes from the start of a text to its end. Cost of all looks: linear. */
function readerOf(html: string): (at: number) => Shortcode | null {
  const neverClosed = new Set<string>();
  /** Where the next closing one of a name is. */
  const closings = new Map<string, number>();
  let bracket = -1;
  return (at) => {
    opening.lastIndex = at;
    const name = opening.exec(html)?.[1];
    if (name === undefined) return null;
    if (bracket !== Number.POSITIVE_INFINITY && bracket < opening.lastIndex) {
      bracket = html.indexOf(']', opening.lastIndex);
      if (bracket === -1) bracket = Number.POSITIVE_INFINITY;
    }
    if (bracket === Number.POSITIVE_INFINITY) return null;
    const attributes = html.slice(opening.lastIndex, bracket);
    const behind = bracket + 1;
    const closing = `[/${name}]`;
    const isAlone = attributes.endsWith('/') || neverClosed.has(name);
    let close = isAlone ? -1 : (closings.get(name) ?? -1);
    if (!isAlone && close < behind) {
      close = html.indexOf(closing, behind);
      closings.set(name, close);
    }
    if (close === -1 && !isAlone) neverClosed.add(name);
    // What stands between two players is not what the first one holds.
    const next = close === -1 || !isMedia(name) ? -1 : html.indexOf(`[${name}`, behind);
    if (next !== -1 && next < close) close = -1;
    return close === -1
      ? { name, attributes, content: null, end: behind }
      : { name, attributes, content: html.slice(behind, close), end: close + closing.length };
  };
}

/** Paragraphs that hold nothing but one shortcode lose the paragraph. */
export function unwrapShortcodes(html: string): string {
  const read = readerOf(html);
  const start = new RegExp(`<p>(?:${blank})*(?=\\[)`, 'g');
  const end = new RegExp(`(?:${blank})*</p>`, 'y');
  let out = '';
  let done = 0;
  for (let match = start.exec(html); match !== null; match = start.exec(html)) {
    const found = read(start.lastIndex);
    end.lastIndex = found?.end ?? 0;
    if (found === null || !end.test(html)) continue;
    out += html.slice(done, match.index) + html.slice(start.lastIndex, found.end);
    done = start.lastIndex = end.lastIndex;
  }
  return out + html.slice(done);
}

/** White space as typography and paragraphs have it. */
const blank = '[\\r\\n\\t \\u00a0]|&nbsp;';

/** The text without its shortcodes and what they hold; of those that are only spoken of, captions are shown (observed). */
export function dropShortcodes(text: string): string {
  const read = readerOf(text);
  const tagAt = tagsOf(text);
  let out = '';
  let done = 0;
  for (let at = text.indexOf('['); at !== -1; at = text.indexOf('[', Math.max(done, at + 1))) {
    const found = tagAt(at) ? null : read(at);
    if (found === null) continue;
    const isSpokenOf = text[at - 1] === '[' && text[found.end] === ']' && at > done;
    out += text.slice(done, isSpokenOf ? at - 1 : at);
    if (isSpokenOf && isCaption(found.name)) out += captioned(found);
    done = isSpokenOf ? found.end + 1 : found.end;
  }
  return out + text.slice(done);
}

/** The markup with its captions shown: a picture and the words below it. Cost: linear. */
export function showCaptions(html: string): string {
  return replaceShortcodes(html, captions, captioned);
}

/**
 * A text with the addresses it embeds as players, where they are of recordings, and as links. Of no provider is anything fetched to
 * show a page. Before all else is done to it.
 */
export function showEmbeds(text: string): string {
  return replaceShortcodes(text, ['embed'], ({ attributes, content }) => {
    const given = attributesOf(attributes);
    const address = trimSpace(content ?? '') || (given.src ?? '');
    return playerFor(address, given) ?? linkTo(address);
  });
}

const recordings = [
  ['audio', /^https?:.*\.(?:mp3|ogg|flac|m4a|wav)$/i],
  ['video', /^https?:.*\.(?:mp4|m4v|webm|ogv|flv)$/i],
] as const;

/** The shortcode of a player, where the address is of a recording. */
function playerFor(address: string, { width, height }: Readonly<Record<string, string | undefined>> = {}): string | undefined {
  const name = /["'<>[\]\s]/.test(address) ? undefined : recordings.find(([, ending]) => ending.test(address))?.[0];
  const [wide, high] = [Number.parseInt(width ?? '', 10), Number.parseInt(height ?? '', 10)];
  const size = name === 'video' && wide > 0 && high > 0 ? ` width="${wide}" height="${high}"` : '';
  return name && `[${name}${size} src="${address}" /]`;
}

/** An address alone on its line, or in its paragraph. */
const alone = /^([^\S\n]*)(https?:\/\/[^\s<>"]+)([^\S\n]*)$|(<p(?:\s[^<>]*)?>\s*)(https?:\/\/[^\s<>"]+)(\s*<\/p>)/gim;

/** Markup in which addresses of recordings that stand alone are players. Of others nothing is fetched to show a page. */
export function showRecordings(text: string): string {
  if (!namesRecordings(text)) return text;
  return replaceLoneAddresses(text, (address) => playerFor(address));
}

/** Markup with what is shown for addresses that stand alone; undefined: the address. Cost: linear. */
export function replaceLoneAddresses(text: string, show: (address: string) => string | undefined): string {
  return text.replace(alone, (whole, ...[before, line, after, open, paragraph, close]: (string | undefined)[]) => {
    const shown = show((line ?? paragraph) as string);
    return shown === undefined ? whole : `${before ?? open}${shown}${after ?? close}`;
  });
}

/** Whether an address in the text may end as those of recordings do. Cost: linear. */
export function namesRecordings(text: string): boolean {
  return text.includes('://') && /\.(?:mp3|ogg|flac|m4a|wav|mp4|m4v|webm|ogv|flv)(?=[\s<[]|$)/i.test(text);
}

function linkTo(address: string): string {
  const shown = escapeOnce(cleanUrl(address));
  return shown === '' ? '' : `<a href="${shown}">${shown}</a>`;
}

/**
 * The markup with shortcodes replaced by what they show. One in two brackets is only spoken of, and loses one of each; one within
 * the value of an attribute shows what may stand there. Cost: linear.
 */
export function replaceShortcodes(html: string, names: readonly string[], show: (found: Shortcode) => string): string {
  const start = new RegExp(`\\[(?:${names.join('|')})(?![\\w-])`, 'g');
  if (!start.test(html)) return html;
  const read = readerOf(html);
  const tagAt = tagsOf(html);
  let out = '';
  let done = 0;
  start.lastIndex = 0;
  for (let next = start.exec(html); next !== null; next = start.exec(html)) {
    const at = next.index;
    const tag = tagAt(at);
    if (tag !== undefined) {
      out += html.slice(done, tag.start) + inAttributes(html.slice(tag.start, tag.end), names, show);
      done = start.lastIndex = tag.end;
      continue;
    }
    const found = read(at);
    if (found === null) continue;
    const isSpokenOf = html[at - 1] === '[' && html[found.end] === ']';
    out += isSpokenOf ? html.slice(done, at - 1) + html.slice(at, found.end) : html.slice(done, at) + show(found);
    done = isSpokenOf ? found.end + 1 : found.end;
    start.lastIndex = Math.max(done, at + 1);
  }
  return out + html.slice(done);
}

/** A tag whose attributes have shortcodes in their quotes: what they show is text there, and an address where one is due. */
function inAttributes(tag: string, names: readonly string[], show: (found: Shortcode) => string): string {
  const element = /^<([a-z][\w-]*)\s/i.exec(tag)?.[1];
  if (element === undefined) return tag;
  return tag.replace(
    /(\s)([\w:-]+)(\s*=\s*)("[^"]*"|'[^']*')/g,
    (whole, space: string, name: string, equals: string, quoted: string) => {
      const [quote, value] = [quoted[0] as string, quoted.slice(1, -1)];
      if (!value.includes('[')) return whole;
      const shown = replaceShortcodes(value, names, show);
      if (shown === value) return whole;
      const filtered = filterHtml(`<${element} ${name}="${escapeOnce(shown)}">`, 'post');
      const start = filtered.indexOf('="') + 2;
      return start < 2 || !filtered.endsWith('">')
        ? `${space}${name}${equals}${quoted}`
        : `${space}${name}=${quote}${filtered.slice(start, -2)}${quote}`;
    },
  );
}

/** Tells, of places asked for in rising order, which tag they are in. */
export function tagsOf(html: string): (at: number) => { readonly start: number; readonly end: number } | undefined {
  let start = -1;
  let end = 0;
  return (at) => {
    while (end <= at) {
      start = html.indexOf('<', end);
      const isComment = start !== -1 && html.startsWith('<!--', start);
      const close = start === -1 ? -1 : html.indexOf(isComment ? '-->' : '>', start);
      end = close === -1 ? Number.POSITIVE_INFINITY : close + (isComment ? 3 : 1);
    }
    if (start === -1 || start >= at) return undefined;
    return { start, end: Math.min(end, html.length) };
  };
}

/** Source: behaviour of the reference with its default theme. */
function captioned({ attributes, content }: Shortcode): string {
  const given = attributesOf(attributes);
  const parts =
    given.caption === undefined
      ? pictureAndWords(content ?? '')
      : { picture: content ?? '', words: given.caption.includes('<') ? filterHtml(given.caption, 'post') : given.caption };
  const width = Number.parseInt(given.width ?? '', 10);
  if (!(width >= 1) || parts.words === '' || parts.words === '0') return parts.picture;
  const id = safeClass(given.id ?? '');
  const wordsId = safeClass(given.caption_id ?? '') || (id && `caption-${id.replaceAll('_', '-')}`);
  const idOf = (name: string): string => (name === '' ? '' : `id="${name}" `);
  const described = wordsId === '' ? '' : `aria-describedby="${wordsId}" `;
  const classes = escapeOnce([captionClass, given.align ?? 'alignnone', given.class ?? ''].join(' ').trim());
  const words = `<figcaption ${idOf(wordsId)}class="${captionClass}-text">${parts.words}</figcaption>`;
  return `<figure ${idOf(id)}${described}style="width: ${width}px" class="${classes}">${parts.picture}${words}</figure>`;
}

/** The first picture, with the link around it, and all that follows; what is no picture with words is all picture. */
function pictureAndWords(content: string): { readonly picture: string; readonly words: string } {
  const start = content.search(/<img /i);
  const end = start === -1 ? -1 : content.indexOf('>', start);
  if (end === -1) return { picture: content, words: '' };
  const link = /<a [^<>]+>\s*$/i.exec(content.slice(0, start))?.[0] ?? '';
  const close = /^\s*<\/a>/i.exec(content.slice(end + 1))?.[0] ?? '';
  const behind = end + 1 + close.length;
  return { picture: content.slice(start - link.length, behind), words: trimSpace(content.slice(behind)) };
}

/** The last branch passes over what is no value, up to where a name may stand: else each `=` in it would be looked at for itself. */
const attribute =
  /(?<![\w-])([\w-]+)\s*=\s*(?:(?:"([^"]*)"|'([^']*)'|([^\s'"]+))(?=\s|\/?$)|[^\s'"]*?(?<![\w-])(?=[\w-]*=?['"]))/g;

export function attributesOf(written: string): Readonly<Record<string, string | undefined>> {
  const found: Record<string, string | undefined> = Object.create(null);
  for (const [, name, ...values] of written.matchAll(attribute)) {
    const value = values.find((one) => one !== undefined);
    if (value !== undefined) found[(name as string).toLowerCase()] = value;
  }
  return found;
}

/** What may stand in a class or an id. */
function safeClass(text: string): string {
  return text.replace(/%[a-f\d]{2}/gi, '').replace(/[^\w-]/g, '');
}
