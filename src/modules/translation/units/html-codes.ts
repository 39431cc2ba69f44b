/**
 * Markup within a line of text: tags, comments and words in brackets as codes, references as characters.
 */
import { alone, textTokens } from './inline-tokens.ts';
import { paired, type Piece, type Token } from './record.ts';

/** A tag as browsers read it; values in quotes may hold `>`. */
export const tagPattern = /<(\/?)([a-z][^\s/>]*)(?![^\s/>])(?:"[^"]*"|'[^']*'|[^<>"'])*>/iy;
const shortcode = /\[(\/?)([a-z][\w-]*)(?:\s[^[\]<>\n]*)?(\/?)\]/iy;
const alternative = /^<img(?:\s+[^\s"'>=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*?\s+alt\s*=\s*(?:"([^"]*)"|'([^']*)')/i;
const voids = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
/** Nothing in them is text. */
export const passedOver: ReadonlySet<string> = new Set(
  'canvas embed iframe map math noembed noscript object script style svg template textarea'.split(' '),
);
/** Elements whose contents are not in the language of the text. */
const verbatim = new Set([...passedOver, 'code', 'kbd', 'samp', 'var', 'tt']);

export function htmlPieces(raw: string): readonly Piece[] {
  return paired(htmlTokens(raw));
}

/** @param inText  tokens of what is no markup */
function htmlTokens(raw: string, inText = (text: string): Token[] => textTokens(text, { references: true })): Token[] {
  const tokens: Token[] = [];
  const next = markupReader(raw);
  let at = 0;
  for (let found = next(0); found; found = next(at)) {
    if (found.at > at) tokens.push(...inText(raw.slice(at, found.at)));
    tokens.push(...found.tokens);
    at = found.end;
  }
  if (at < raw.length) tokens.push(...inText(raw.slice(at)));
  return tokens;
}

interface Markup {
  readonly at: number;
  readonly end: number;
  readonly tokens: readonly Token[];
}

function markupReader(raw: string): (from: number) => Markup | null {
  const sign = /[<[]/g;
  let isCommentOpen = false;
  return (from) => {
    sign.lastIndex = from;
    for (let match = sign.exec(raw); match; match = sign.exec(raw)) {
      const { index: at } = match;
      if (raw.startsWith('<!--', at) && !isCommentOpen) {
        const end = raw.indexOf('-->', at + 4);
        if (end !== -1) return { at, end: end + 3, tokens: [alone(raw.slice(at, end + 3))] };
        isCommentOpen = true;
      }
      const found = match[0] === '<' ? tagAt(raw, at) : shortcodeAt(raw, at);
      if (found) return found;
    }
    return null;
  };
}

/** The tag at a place; an element that is not in the language of the text goes as a whole. */
export function tagAt(raw: string, at: number): Markup | null {
  tagPattern.lastIndex = at;
  const [tag, slash, given = ''] = tagPattern.exec(raw) ?? [];
  if (tag === undefined) return null;
  const name = given.toLowerCase();
  let end = at + tag.length;
  if (slash === '' && (verbatim.has(name) || /\stranslate\s*=\s*["']?no\b/i.test(tag))) {
    const close = new RegExp(`</${name.replace(/[^a-z\d-]/g, '.')}\\s*>`, 'gi');
    close.lastIndex = end;
    if (close.test(raw)) end = close.lastIndex;
    return { at, end, tokens: [alone(raw.slice(at, end))] };
  }
  return { at, end, tokens: tagTokens(tag, name, slash === '/') };
}

function tagTokens(tag: string, name: string, isClosing: boolean): readonly Token[] {
  const [upTo, double, single] = name === 'img' && !isClosing ? (alternative.exec(tag) ?? []) : [];
  const alt = double ?? single ?? '';
  if (upTo !== undefined && /[\p{L}\p{N}]/u.test(alt)) {
    const start = upTo.length - 1 - alt.length;
    const rest = tag.slice(start + alt.length);
    const quoted = tag.slice(0, start);
    return [
      { kind: 'open', name: 'alt', raw: quoted, isAttribute: true },
      ...textTokens(alt, { references: true }).map((token): Token => (token.kind === 'text' ? token : asText(token.raw))),
      { kind: 'close', name: 'alt', raw: rest, isAttribute: true },
    ];
  }
  const kind = isClosing ? 'close' : voids.has(name) || tag.endsWith('/>') ? 'alone' : 'open';
  return [{ kind, name, raw: tag }];
}

/** Values of attributes hold no codes. */
function asText(raw: string): Token {
  return { kind: 'text', text: raw, raw };
}

function shortcodeAt(raw: string, at: number): Markup | null {
  shortcode.lastIndex = at;
  const [found, slash, name = '', end] = shortcode.exec(raw) ?? [];
  if (found === undefined) return null;
  const kind = slash === '/' ? 'close' : end === '/' ? 'alone' : 'open';
  return { at, end: at + found.length, tokens: [{ kind, name: `[${name}`, raw: found }] };
}

/** Text as markup; nothing in it becomes a tag, a reference or a word in brackets. */
export function encodeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\u00a0', '&nbsp;')
    .replace(/\[(?=\/?[a-z])/gi, '&#91;');
}

/** The same as the value of an attribute in quotes of either kind. */
export function encodeAttribute(text: string): string {
  return encodeHtml(text).replaceAll('"', '&quot;').replaceAll("'", '&#39;');
}
