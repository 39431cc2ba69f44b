/**
 * The tags of markup, found and changed where they stand: the bytes around them are kept.
 *
 * Source: behaviour of the reference, which looks for tags as a browser does: not within comments, nor in the text of scripts and
 * styles; a tag that never ends is none, and nothing behind it is one.
 */
import { escapeHtml, escapeOnce } from '../kernel/model/escape.ts';
import { cleanUrl } from './protocols.ts';
import { decodeEntities } from './text.ts';

export interface Tag {
  readonly start: number;
  readonly end: number;
  /** In lower case. */
  readonly name: string;
  readonly isClosing: boolean;
}

const tagPattern = /<(\/?)([a-z][^\s/>]*)(?![^\s/>])(?:[^"'>]|"[^"]*"|'[^']*')*>/iy;
/** Elements whose content is text, whatever it looks like. */
const verbatim = new Set(['script', 'style', 'textarea', 'title', 'iframe', 'noembed', 'noframes', 'xmp']);

/** The tags from `from` on, closing ones among them. Cost: linear. */
export function* tagsFrom(html: string, from = 0, to = html.length): Generator<Tag> {
  for (let at = html.indexOf('<', from); at !== -1 && at < to; ) {
    if (html.startsWith('<!--', at)) {
      const end = html.indexOf('-->', at + 4);
      if (end === -1) return;
      at = html.indexOf('<', end + 3);
      continue;
    }
    if (!/[a-z/]/i.test(html[at + 1] ?? '')) {
      at = html.indexOf('<', at + 1);
      continue;
    }
    tagPattern.lastIndex = at;
    const found = tagPattern.exec(html);
    if (!found) {
      if (/^<\/?[a-z]/i.test(html.slice(at, at + 3))) return;
      at = html.indexOf('<', at + 1);
      continue;
    }
    const tag = { start: at, end: at + found[0].length, name: (found[2] as string).toLowerCase(), isClosing: found[1] === '/' };
    yield tag;
    const behind = verbatim.has(tag.name) && !tag.isClosing ? html.toLowerCase().indexOf(`</${tag.name}`, tag.end) : tag.end;
    at = behind === -1 ? -1 : html.indexOf('<', behind);
  }
}

/** The first tag that opens an element, of one of the names if any are given. */
export function openingTag(html: string, accept: (tag: Tag) => boolean = () => true, from = 0, to = html.length): Tag | null {
  for (const tag of tagsFrom(html, from, to)) if (!tag.isClosing && accept(tag)) return tag;
  return null;
}

interface Attribute {
  readonly start: number;
  readonly end: number;
  /** Entities decoded; '' for a name alone. */
  readonly value: string;
}

/** An attribute of the tag, where it stands in the markup. */
function attributeAt(html: string, tag: Tag, name: string): Attribute | null {
  const pattern = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;
  pattern.lastIndex = tag.start + 1 + tag.name.length;
  for (let found = pattern.exec(html); found && found.index < tag.end; found = pattern.exec(html)) {
    if ((found[1] as string).toLowerCase() !== name) continue;
    const value = decodeEntities(found[2] ?? found[3] ?? found[4] ?? '');
    return { start: found.index, end: found.index + found[0].length, value };
  }
  return null;
}

/** The value of an attribute with its entities decoded; undefined where the tag has none of the name. */
export function attributeOf(html: string, tag: Tag, name: string): string | undefined {
  return attributeAt(html, tag, name)?.value;
}

/** Whether the tag has the class. */
export function hasClass(html: string, tag: Tag, name: string): boolean {
  return (attributeOf(html, tag, 'class') ?? '').split(/\s+/).includes(name);
}

/** The markup with more classes on the tag; those that it has stay as they are written. */
export function withClasses(html: string, tag: Tag, classes: readonly string[]): string {
  const value = classesWith(attributeAt(html, tag, 'class')?.value, classes);
  return value === null ? html : withAttribute(html, tag, 'class', value);
}

/** A list of classes with more of them; null where nothing is new. */
function classesWith(own: string | undefined, classes: readonly string[]): string | null {
  const known = new Set(own?.split(/\s+/));
  const fresh = [...new Set(classes)].filter((name) => name !== '' && !known.has(name));
  if (fresh.length === 0) return null;
  const kept = own?.trimEnd() ?? '';
  return kept === '' ? fresh.join(' ') : `${kept} ${fresh.join(' ')}`;
}

/** The markup with the attribute set: in place where the tag has it, else before all others. @param value  true: the name alone */
export function withAttribute(html: string, tag: Tag, name: string, value: string | true): string {
  const isAddress = value !== true && addresses.has(name);
  const address = isAddress ? value.trim().replace(/\s/g, '%20') : '';
  // What may lead nowhere is not set.
  if (isAddress && cleanUrl(address).toLowerCase() !== address.toLowerCase()) return html;
  const text = isAddress ? escapeOnce(address).replaceAll('&amp;', '&#038;') : value === true ? '' : escapeValue(value);
  const written = value === true ? name : `${name}="${text}"`;
  const own = attributeAt(html, tag, name);
  if (own) return html.slice(0, own.start) + written + html.slice(own.end);
  const at = tag.start + 1 + tag.name.length;
  return `${html.slice(0, at)} ${written}${html.slice(at)}`;
}

/** The same for several at a time, and for classes: new attributes stand in the order of their names. */
export function withAttributes(
  html: string,
  tag: Tag,
  attributes: Readonly<Record<string, string | true>>,
  classes: readonly string[] = [],
): string {
  const value = classesWith(attributeAt(html, tag, 'class')?.value, classes);
  const all = Object.entries(value === null ? attributes : { ...attributes, class: value });
  let out = html;
  for (const [name, value] of all.sort(([one], [other]) => (one < other ? 1 : -1))) {
    const now = openingTag(out, undefined, tag.start);
    if (now) out = withAttribute(out, now, name, value);
  }
  return out;
}

/** Attributes that hold addresses. */
const addresses = new Set(
  'action archive background cite classid codebase data formaction href icon longdesc manifest poster profile src usemap xmlns'.split(
    ' ',
  ),
);

/** As a value in quotes. Source: the reference writes `'` by its name here. */
function escapeValue(value: string): string {
  return escapeHtml(value).replaceAll('&#039;', '&apos;');
}
