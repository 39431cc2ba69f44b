/**
 * Typography: straight quotes, double hyphens, three dots and the like as the signs they stand for, written as numeric
 * entities. Only text changes: not tags, not comments, not what is in code, preformatted text, styles and scripts.
 *
 * Source: observed behaviour of the reference (6.9), English.
 */

import { piecesOf, tagName } from './html-tokenizer.ts';
import { shortcodes, tagsOf } from './shortcodes.ts';

const sign = {
  openDouble: '&#8220;',
  closeDouble: '&#8221;',
  openSingle: '&#8216;',
  closeSingle: '&#8217;',
  apostrophe: '&#8217;',
  prime: '&#8242;',
  doublePrime: '&#8243;',
  enDash: '&#8211;',
  emDash: '&#8212;',
  ellipsis: '&#8230;',
  trademark: '&#8482;',
  times: '&#215;',
} as const;

/** Elements whose text is left alone. */
const verbatim = new Set(['pre', 'code', 'kbd', 'style', 'script', 'tt']);

/** Markup with typographic signs. Applying it twice changes nothing more in ordinary text. Cost: linear. */
export function typography(markup: string): string {
  let out = '';
  const open: string[] = [];
  for (const { kind, raw } of pieces(markup)) {
    if (kind === 'comment') out += raw;
    else if (kind === 'tag') {
      out += encodeAmpersands(raw);
      const name = tagName(raw);
      if (verbatim.has(name)) open.push(name);
      else if (open.length > 0 && name === `/${open[open.length - 1]}`) open.pop();
    } else out += open.length > 0 || /^[ \t\n\r\0\v]*$/.test(raw) ? raw : setText(raw);
  }
  return out;
}

/**
 * The pieces of a text, shortcodes among them: as they stand, like comments. Tags that they hold are their attributes, and no tags of the
 * text. A name counts where it is opened once, without a second bracket.
 */
function pieces(markup: string): ReturnType<typeof piecesOf> {
  const names = markup.includes('[') ? shortcodes.filter((name) => opened(name).test(markup)) : [];
  if (names.length === 0) return piecesOf(markup);
  const shortcode = new RegExp(`\\[[/[]?(?:${names.join('|')})(?=[\\s\\]/])(?:[^\\[\\]<>]|<[^\\[\\]<>]*>)*\\]\\]?`, 'g');
  const isWithinTag = tagsOf(markup);
  const out: ReturnType<typeof piecesOf> = [];
  let done = 0;
  for (const { 0: raw, index } of markup.matchAll(shortcode)) {
    if (isWithinTag(index)) continue;
    out.push(...piecesOf(markup.slice(done, index)), { kind: 'comment', raw });
    done = index + raw.length;
  }
  out.push(...piecesOf(markup.slice(done)));
  return out;
}

function opened(name: string): RegExp {
  return new RegExp(`\\[${name}(?:[<>&/[\\]=\\0- ]|$)`);
}

/** `&` that begins no entity as `&#038;`. */
export function encodeAmpersands(text: string): string {
  return text.replace(/&(?!#(?:\d+|x[a-f0-9]+);|[a-z1-4]{1,8};)/gi, '&#038;');
}

function setText(text: string): string {
  let set = text.replace(fixed, (found) => replacements.get(found) as string);
  if (set.includes("'")) set = setSingleQuotes(set);
  if (set.includes('"')) set = setDoubleQuotes(set);
  if (set.includes('-')) set = setDashes(set);
  return encodeAmpersands(setTimes(set));
}

/** Replaced wherever they stand. Words that lost their beginning keep an apostrophe there, never an opening quote. */
const replacements = new Map<string, string>([
  ['...', sign.ellipsis],
  ['``', sign.openDouble],
  ["''", sign.closeDouble],
  [' (tm)', ` ${sign.trademark}`],
  ["'tain't", `${sign.apostrophe}tain${sign.apostrophe}t`],
  ...['twere', 'twas', 'tis', 'twill', 'til', 'bout', 'nuff', 'round', 'cause', 'em'].map((word): [string, string] => [
    `'${word}`,
    sign.apostrophe + word,
  ]),
]);

const fixed = new RegExp([...replacements.keys()].map((text) => text.replace(/[.()]/g, '\\$&')).join('|'), 'g');

const space = '[\\r\\n\\t \\u00a0]|&nbsp;';
/** What may follow a closing quote. */
const atEnd = new RegExp(`$|[.,:;!?)}\\]-]|&gt;|${space}`, 'y');
/** What follows an apostrophe neither within nor at the beginning of a word. */
const atBreak = new RegExp(`$|[.,:;!?"'(){}[\\]-]|&[lg]t;|${space}`, 'y');
const atSpace = new RegExp(space, 'y');
const decade = /'\d\d(['"])/y;
const year = /'\d\d(?![%\d]|[.,]\d)/y;
const quotedNumber = /(['"])\d[.,\d]*\1/y;

/** Marks an apostrophe until the quotes around it are settled: no text piece contains it, and no rule takes it for a quote. */
const settled = '<';

/**
 * Single quotes by what is around them: years ('99) and words keep an apostrophe, an opening quote comes after a space or
 * an opening bracket, the rest are closing quotes or primes (6').
 */
function setSingleQuotes(text: string): string {
  const sentences: string[] = [''];
  const append = (part: string) => {
    sentences[sentences.length - 1] += part;
  };
  let at = 0;
  for (let i = text.indexOf("'"); i !== -1; i = text.indexOf("'", at)) {
    append(text.slice(at, i));
    at = i + 1;
    const closing = closingOfDecade(text, i);
    if (closing !== undefined) {
      append(settled + text.slice(i + 1, i + 3) + closing);
      at = i + 4;
    } else if (matches(year, text, i)) append(settled);
    else if (isAfterSpace(text, i) && matches(quotedNumber, text, i) && !isYear(text, quotedNumber.lastIndex - 1)) {
      at = quotedNumber.lastIndex;
      sentences.push(text.slice(i + 1, at - 1) + sign.closeSingle);
    } else if (isAfterOpening(text, i, '"')) sentences.push('');
    else if (!isAfterSpace(text, i) && !matches(atBreak, text, i + 1)) append(settled);
    else append("'");
  }
  append(text.slice(at));
  return settleQuotes(sentences, "'", sign.prime, sign.closeSingle).join(sign.openSingle).replaceAll(settled, sign.apostrophe);
}

function setDoubleQuotes(text: string): string {
  const sentences: string[] = [''];
  let at = 0;
  for (let i = text.indexOf('"'); i !== -1; i = text.indexOf('"', at)) {
    sentences[sentences.length - 1] += text.slice(at, i);
    at = i + 1;
    if (isAfterSpace(text, i) && matches(quotedNumber, text, i)) {
      at = quotedNumber.lastIndex;
      sentences.push(text.slice(i + 1, at - 1) + sign.closeDouble);
    } else if (isAfterOpening(text, i, '') && !matches(atSpace, text, i + 1)) sentences.push('');
    else sentences[sentences.length - 1] += '"';
  }
  sentences[sentences.length - 1] += text.slice(at);
  return settleQuotes(sentences, '"', sign.doublePrime, sign.closeDouble)
    .map((sentence) => sentence.replaceAll('"', sign.closeDouble))
    .join(sign.openDouble);
}

/** For `'99'` and `'99"` at the end of a word: the closing sign behind the number. */
function closingOfDecade(text: string, at: number): string | undefined {
  if (!matches(decade, text, at) || !matches(atEnd, text, at + 4)) return undefined;
  return text[at + 3] === "'" ? sign.closeSingle : sign.closeDouble;
}

function isYear(text: string, at: number): boolean {
  return closingOfDecade(text, at) !== undefined || matches(year, text, at);
}

/**
 * Closing quotes and primes of each sentence, a sentence being what follows an opening quote. A quote behind a digit may
 * be either; a sentence that an opening quote began and nothing has closed yet gets its closing quote first.
 */
function settleQuotes(sentences: readonly string[], quote: string, prime: string, close: string): string[] {
  return sentences.map((sentence, index) => {
    const places = [...sentence.matchAll(quote === '"' ? /"/g : /'/g)].map(({ index: at }) => at);
    if (places.length === 0) return sentence;
    const digit = (at: number) => /\d/.test(sentence[at - 1] ?? '');
    const ends = new Set(places.filter((at) => matches(atEnd, sentence, at + 1)));
    const chosen = new Map<number, string>();
    if (index === 0 || sentence.includes(close)) {
      for (const at of places) if (digit(at)) chosen.set(at, prime);
      for (const at of ends) if (!digit(at)) chosen.set(at, close);
    } else {
      for (const at of places) if (!ends.has(at) && digit(at)) chosen.set(at, prime);
      for (const at of ends) chosen.set(at, ends.size > 1 && digit(at) ? prime : close);
      if (ends.size > 1 && [...ends].every(digit)) chosen.set(lastClosing(sentence, [...ends]), close);
    }
    return replaceAt(sentence, chosen);
  });
}

/** Of several quotes behind digits the one that closes: the last before a full stop, or else the last. */
function lastClosing(sentence: string, places: readonly number[]): number {
  return places.findLast((at) => sentence[at + 1] === '.') ?? (places[places.length - 1] as number);
}

function setDashes(text: string): string {
  return text.replace(/---|--|-/g, (dash, at: number) => {
    if (dash === '---') return sign.emDash;
    const end = at + dash.length;
    const alone = isAfterSpace(text, at) && (end === text.length || matches(atSpace, text, end));
    if (dash === '-') return alone ? sign.enDash : dash;
    if (alone) return sign.emDash;
    return text.slice(Math.max(0, at - 2), at) === 'xn' ? dash : sign.enDash;
  });
}

/** `9x9` gets a multiplication sign, `0x9` is a hexadecimal number. */
function setTimes(text: string): string {
  if (!/\dx\d/.test(text)) return text;
  let out = '';
  let done = 0;
  for (const { index: at } of text.matchAll(/(?<=[\d.,])x(?=\d)/g)) {
    let start = at;
    let begin = -1;
    while (start > done && /[\d.,]/.test(text[start - 1] as string)) {
      start--;
      if (/\d/.test(text[start] as string) && !/\w/.test(text[start - 1] ?? '') && (text[start] !== '0' || at - start > 1))
        begin = start;
    }
    const end = endOfNumber(text, at + 1);
    if (begin === -1 || end === -1) continue;
    out += text.slice(done, at) + sign.times + text.slice(at + 1, end);
    done = end;
  }
  return out + text.slice(done);
}

/** Last word boundary behind the number that begins at `from`; -1 when a letter follows it directly. */
function endOfNumber(text: string, from: number): number {
  let end = from;
  let boundary = -1;
  while (end < text.length && /[\d.,]/.test(text[end] as string)) {
    end++;
    if (/\w/.test(text[end - 1] as string) !== /\w/.test(text[end] ?? '')) boundary = end;
  }
  return boundary;
}

function isAfterSpace(text: string, at: number): boolean {
  return at === 0 || /[\r\n\t \u00a0]/.test(text[at - 1] as string) || text.startsWith('&nbsp;', at - 6);
}

/** Whether an opening quote may stand here: after a space, a hyphen, an opening bracket, or one of `others`. */
function isAfterOpening(text: string, at: number, others: string): boolean {
  return isAfterSpace(text, at) || `([{-${others}`.includes(text[at - 1] as string) || text.startsWith('&lt;', at - 4);
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

function replaceAt(text: string, signs: ReadonlyMap<number, string>): string {
  let out = '';
  let done = 0;
  for (const at of [...signs.keys()].sort((a, b) => a - b)) {
    out += text.slice(done, at) + signs.get(at);
    done = at + 1;
  }
  return out + text.slice(done);
}
