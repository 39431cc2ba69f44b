/** Text normalization for the site search. */
import { fold } from '../../../kernel/records/fold.ts';
import { escapeHtml } from '../../../kernel/model/escape.ts';
import { decodeEntities, plainText, withoutParts } from '../../../render/text.ts';

/** Characters of an excerpt. */
const excerptLength = 160;
const maxWords = 10;
const maxQuery = 200;

/** Words and "phrases" of a query, folded; at most ten. */
export function wordsOf(query: string): readonly string[] {
  const parts = query.slice(0, maxQuery).match(/"[^"]*(?:"|$)|[^\s"]+/g) ?? [];
  const words = parts.map((part) => fold(part.replaceAll('"', '').replace(/\s+/g, ' ').trim())).filter((word) => word !== '');
  return [...new Set(words)].slice(0, maxWords);
}

/** The text of a body without markup. @param kind  `md` for Markdown */
export function textOf(body: string, kind: string): string {
  const bare = withoutParts(body, '<!--', '-->', ' ').replace(
    /<\/?(?:p|div|h\d|li|br|td|tr|blockquote)\b[^>]*(>?)/gi,
    (all, end: string) => (end === '' ? all : ' '),
  );
  const text =
    kind === 'md'
      ? bare
          .replace(/!?\[([^\]\n]*)(?:\](?:\([^)\n]*(\)?))?)?/g, (all, words: string, end?: string) => (end ? words : all))
          .replace(/^[^\S\r\n\u2028\u2029]*(?:#{1,6}|[-*+>]|\d+\.)\s+|[*_`~]+/gm, '')
      : bare;
  return decodeEntities(plainText(text)).replace(/\s+/g, ' ').trim();
}

/** Weight of a word in a folded text: 0, 1, or 2 for a whole word. */
export function weightIn(text: string, word: string): 0 | 1 | 2 {
  let found: 0 | 1 = 0;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isLetter(text[at - 1]) && !isLetter(text[at + word.length])) return 2;
    found = 1;
  }
  return found;
}

/** The text around the first match, as HTML with `mark`; otherwise its beginning. */
export function excerptOf(text: string, words: readonly string[]): string {
  const { folded, places } = foldedPlaces(text);
  const spots = spotsIn(folded, words).map(([from, to]) => [places[from] as number, places[to] ?? text.length] as const);
  const first = spots[0]?.[0] ?? 0;
  const start = first <= excerptLength / 2 ? 0 : afterBlank(text, first - excerptLength / 2, first);
  const end = text.length - start <= excerptLength ? text.length : beforeBlank(text, start + excerptLength);
  let html = '';
  let at = start;
  for (const [from, to] of spots) {
    if (from < at || to > end) continue;
    html += `${escapeHtml(text.slice(at, from))}<mark>${escapeHtml(text.slice(from, to))}</mark>`;
    at = to;
  }
  html += escapeHtml(text.slice(at, end));
  return `${start > 0 ? '… ' : ''}${html}${end < text.length ? ' …' : ''}`;
}

/** Positions of the words, in order, without overlaps. */
function spotsIn(folded: string, words: readonly string[]): readonly (readonly [from: number, to: number])[] {
  const all: (readonly [number, number])[] = [];
  for (const word of words)
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length)) all.push([at, at + word.length]);
  all.sort(([a, aEnd], [b, bEnd]) => a - b || bEnd - aEnd);
  let last = 0;
  return all.filter(([from, to]) => {
    const isApart = from >= last;
    if (isApart) last = to;
    return isApart;
  });
}

/** A folded text, with the original position of each character. */
function foldedPlaces(text: string): { readonly folded: string; readonly places: readonly number[] } {
  let folded = '';
  const places: number[] = [];
  let at = 0;
  for (const character of text) {
    const one = fold(character);
    folded += one;
    for (let unit = 0; unit < one.length; unit++) places.push(at);
    at += character.length;
  }
  return { folded, places };
}

function afterBlank(text: string, from: number, limit: number): number {
  const blank = text.indexOf(' ', from);
  return blank < 0 || blank >= limit ? limit : blank + 1;
}

function beforeBlank(text: string, end: number): number {
  const blank = text.lastIndexOf(' ', end);
  return blank > end - excerptLength / 2 ? blank : wholeCharacter(text, end);
}

/** Not within a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  return /[\ud800-\udbff]/.test(text[at - 1] ?? '') ? at - 1 : at;
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}
