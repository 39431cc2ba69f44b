/**
 * The beginning of a Markdown text as its readers see it, without a parser: paragraphs, headings, lists and quotes of one level, with
 * emphasis and links that can only be that. Whatever else stands there is the parser's.
 */
import { typography } from './typography.ts';

/** How a line of text begins that begins nothing else. */
const lineStart = String.raw`[\p{L}"'(“„‘«]|\d+(?![\d.)])|\*\*?(?=[\p{L}\p{N}])|\[`;
const paragraph = new RegExp(`^(?:${lineStart})[^\\n]*(?:\\n(?:${lineStart})[^\\n]*)*$`, 'u');
const heading = new RegExp(`^#{1,6} (?:${lineStart})[^\\n]*(?<![#}])$`, 'u');
const list = new RegExp(`^[-*+] (?:${lineStart})[^\\n]*(?:\\n[-*+] (?:${lineStart})[^\\n]*)*$`, 'u');
const quote = new RegExp(`^> (?:${lineStart})[^\\n]*(?:\\n> (?:${lineStart})[^\\n]*)*$`, 'u');

/** Signs that may mean something, addresses, spaces at the end of a line, and white space and controls that few texts have. */
const special = /[\\`*_[\]<>&~@|]|\/\/|www\.| (?:\n|$)|[^\n\x20-\x7e\p{L}\p{M}\p{N}\p{P}\p{S}]/iu;
/** What is emphasised, and the labels of links. */
const marked = new RegExp(
  [
    String.raw`(?<=^|[ \n(])(\*\*?|_)(?=[\p{L}\p{N}])([^\n*_]+?)(?:(?<=[\p{L}\p{N}])\1(?=$|[ \n.,;:!?)])|(?<=[.:!?])\1(?=$|[ \n]))`,
    String.raw`(?<!!)\[([^[\]\n]+)\]\((?:https?:\/)?[/#][^\s()<>\\${'`'}]*\)`,
  ].join('|'),
  'gu',
);
/** Without one of these type changes nothing. */
const typed = /['"`-]|\.\.\.| \(tm\)|\dx\d/;

/**
 * The text of as many blocks as have more than `words` words, or of all of them; null where it takes a parser.
 * @param isTyped  whether quotes, dashes and the like are set typographically
 * @returns as HTML without tags
 * Cost: linear in what is read.
 */
export function plainBeginning(body: string, words: number, isTyped: boolean): string | null {
  let out = '';
  let left = words;
  for (let at = 0; at < body.length && left >= 0; ) {
    if (body[at] === '\n') {
      at++;
      continue;
    }
    const gap = body.indexOf('\n\n', at);
    const end = gap === -1 ? body.length - (body.endsWith('\n') ? 1 : 0) : gap;
    const blocks = textsOf(body.slice(at, end));
    for (const block of blocks ?? []) {
      const text = plain(block, isTyped);
      if (text === null) return null;
      out += `${text}\n`;
      left -= wordsIn(text);
    }
    if (blocks === null) return null;
    at = end + 1;
  }
  return out;
}

/** The texts in lines without an empty one between them. */
function textsOf(part: string): readonly string[] | null {
  if (paragraph.test(part)) return [part];
  if (heading.test(part)) return [part.slice(part.indexOf(' ') + 1)];
  if (list.test(part)) return part.split('\n').map((line) => line.slice(2));
  return quote.test(part) ? [part.slice(2).replaceAll('\n> ', '\n')] : null;
}

/** What stands between tags gets its type by itself. */
function plain(text: string, isTyped: boolean): string | null {
  let out = '';
  let at = 0;
  for (const { index, 0: whole, 2: emphasised, 3: label } of text.matchAll(marked)) {
    for (const piece of [text.slice(at, index), emphasised ?? label ?? '']) {
      if (special.test(`${piece}.`) || piece.endsWith('!')) return null;
      out += isTyped && typed.test(piece) ? typography(piece) : piece;
    }
    at = index + whole.length;
  }
  const rest = text.slice(at);
  if (special.test(rest)) return null;
  return out + (isTyped && typed.test(rest) ? typography(rest) : rest);
}

function wordsIn(text: string): number {
  let count = 0;
  let inWord = false;
  for (let at = 0; at < text.length; at++) {
    const isSpace = text[at] === ' ' || text[at] === '\n';
    if (inWord && isSpace) count++;
    inWord = !isSpace;
  }
  return count + (inWord ? 1 : 0);
}
