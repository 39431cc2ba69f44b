/**
 * Marks within a line of Markdown as codes. Marks that could mean something and have no other half stand alone: what is protected too
 * much is no harm, what is taken for text would be escaped.
 *
 * Source: CommonMark 0.31, 6; GFM 6.5.
 */
import { table } from '../../../kernel/model/maps.ts';
import { tagAt } from './html-codes.ts';
import { alone, textTokens } from './inline-tokens.ts';
import { paired, type Piece, type Token } from './record.ts';

const punctuation = /[!-/:-@[-`{-~\p{P}\p{S}]/u;
const word = /[\p{L}\p{N}]/u;
const tickRun = /`+/y;
/** Whatever a mark begins with, addresses and breaks among it. */
const special = /[\\`*_~[\]!<\n\r]|(?<![ \t])[ \t]+\\?[\n\r]|https?:|www\./gi;
const address = /(?:https?:\/\/|www\.|mailto:)[^\s<>()[\]*`]*[^\s<>()[\]*`.,:;!?'"_~]/iy;
const autolink = /<(?:[a-z][a-z\d+.-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>]+)>/iy;
const destination = /\((?:[^()\\\n]|\\.|\([^()\n]*\))*\)/y;
const label = /\[((?:[^[\]\\]|\\.)*)\]/y;
const footnote = /\[\^[^\]\s]+\]:?/y;
const shortcode = /\[(\/?)([a-z][\w-]*)((?:\s[^[\]\n]*)?)\](?![(:]|\[(?!\/?[a-z][\w-]*[\s\]]))/iy;
const lineEnd = /([ \t]*\\?(?:\r\n|\n|\r))([ \t>]*)/y;

const tags: Readonly<Record<string, string>> = table({ '*': 'em', _: 'em', '**': 'strong', __: 'strong', '~~': 'del' });

/** @param labels  of the document, as its parser folds them */
export function markdownPieces(raw: string, labels: ReadonlySet<string>): readonly Piece[] {
  return paired(markdownTokens(raw, labels));
}

function match(pattern: RegExp, raw: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(raw);
}

function markdownTokens(raw: string, labels: ReadonlySet<string>): Token[] {
  const tokens: Token[] = [];
  const brackets = bracketsOf(raw, labels);
  let text = 0;
  let at = 0;
  const take = (end: number, ...found: readonly Token[]): void => {
    if (at > text) tokens.push(...textTokens(raw.slice(text, at), { references: true }));
    tokens.push(...found);
    text = at = end;
  };
  for (;;) {
    special.lastIndex = at;
    const next = special.exec(raw);
    if (next === null) break;
    at = next.index;
    const known = brackets.get(at) ?? markAt(raw, at);
    if (known) take(at + known.raw.length, ...known.tokens);
    else at++;
  }
  at = raw.length;
  take(raw.length);
  return tokens;
}

interface Mark {
  readonly raw: string;
  readonly tokens: readonly Token[];
}

function one(token: Token): Mark {
  return { raw: token.raw, tokens: [token] };
}

function markAt(raw: string, at: number): Mark | null {
  const char = raw[at] as string;
  if (char === '\\') return /[!-/:-@[-`{-~]/.test(raw[at + 1] ?? '') ? escaped(raw[at + 1] as string) : breakAt(raw, at);
  if (char === '`') return codeSpan(raw, at);
  if (char === '<') {
    const link = match(autolink, raw, at)?.[0];
    if (link !== undefined) return one(alone(link));
    if (raw.startsWith('<!--', at)) {
      const end = raw.indexOf('-->', at + 4);
      return end === -1 ? null : one(alone(raw.slice(at, end + 3)));
    }
    const tag = tagAt(raw, at);
    return tag && { raw: raw.slice(at, tag.end), tokens: tag.tokens };
  }
  if ('*_~'.includes(char)) return delimiterRun(raw, at, char);
  if (char === '[') return bracketWord(raw, at);
  if (/[hw]/i.test(char) && !word.test(raw[at - 1] ?? '')) {
    const found = match(address, raw, at)?.[0];
    return found === undefined ? null : one({ ...alone(found), asTag: addressTag(found) } as Token);
  }
  return /[ \n\r]/.test(char) ? breakAt(raw, at) : null;
}

/** An address that ends where it is said to. */
function addressTag(address: string): string {
  return /^www\./i.test(address) ? `<a href="http://${address}">${address}</a>` : `<${address}>`;
}

function escaped(char: string): Mark {
  return one({ kind: 'text', text: char, raw: `\\${char}` });
}

/** A break that is shown, or one with what the next line begins with; others are white space of the text. */
function breakAt(raw: string, at: number): Mark | null {
  const [found, end = '', prefix = ''] = match(lineEnd, raw, at) ?? [];
  if (found === undefined) return null;
  const isShown = end.includes('\\') || /^ {2,}/.test(end);
  if (isShown || prefix.includes('>')) return one(alone(found));
  return one({ kind: 'text', text: '\n', raw: found });
}

function codeSpan(raw: string, at: number): Mark {
  const ticks = (match(tickRun, raw, at) as RegExpExecArray)[0];
  const close = new RegExp(`(?<!\`)${ticks}(?!\`)`, 'g');
  close.lastIndex = at + ticks.length;
  return one(alone(close.test(raw) ? raw.slice(at, close.lastIndex) : ticks));
}

function delimiterRun(raw: string, at: number, char: string): Mark | null {
  let end = at;
  while (raw[end] === char) end++;
  const run = raw.slice(at, end);
  const before = [...raw.slice(Math.max(0, at - 2), at)].at(-1) ?? ' ';
  const behind = String.fromCodePoint(raw.codePointAt(end) ?? 32);
  const isLeft = !/\s/.test(behind) && (!punctuation.test(behind) || /\s/.test(before) || punctuation.test(before));
  const isRight = !/\s/.test(before) && (!punctuation.test(before) || /\s/.test(behind) || punctuation.test(behind));
  if (!isLeft && !isRight) return { raw: run, tokens: [{ kind: 'text', text: run, raw: run }] };
  if (char === '_' && isLeft && isRight && word.test(before) && word.test(behind))
    return { raw: run, tokens: [{ kind: 'text', text: run, raw: run }] };
  const tag = tags[run];
  if (tag === undefined || (isLeft && isRight && !punctuation.test(before) && !punctuation.test(behind) && char === '_'))
    return one(alone(run));
  const kind = isLeft && (!isRight || punctuation.test(before)) ? 'open' : 'close';
  const asTag = kind === 'open' ? `<${tag}>` : `</${tag}>`;
  return one({ kind, name: run, raw: run, asTag });
}

/** Notes, and words in brackets that stand for something. */
function bracketWord(raw: string, at: number): Mark | null {
  const plain = match(footnote, raw, at)?.[0];
  if (plain !== undefined) return one(alone(plain));
  const [found, slash, name = '', rest = ''] = match(shortcode, raw, at) ?? [];
  if (found === undefined) return null;
  const kind = slash === '/' ? 'close' : rest.endsWith('/') ? 'alone' : 'open';
  return one({ kind, name: `[${name.toLowerCase()}`, raw: found });
}

/** Links and pictures: where their halves stand, and what they are. */
function bracketsOf(raw: string, labels: ReadonlySet<string>): ReadonlyMap<number, Mark> {
  const found = new Map<number, Mark>();
  const open: number[] = [];
  for (let at = 0; at < raw.length; at++) {
    const char = raw[at];
    if (char === '\\') at++;
    else if (char === '`') at += codeSpan(raw, at).raw.length - 1;
    else if (char === '[') open.push(at);
    if (char !== ']') continue;
    const start = open.pop();
    if (start === undefined) continue;
    const inner = raw.slice(start + 1, at);
    const end = endOf(raw, at, inner, labels);
    if (end === null) continue;
    const isPicture = raw[start - 1] === '!' && raw[start - 2] !== '\\';
    const from = isPicture ? start - 1 : start;
    const half = isPicture ? '![' : '[';
    const name = `${half}${start}`;
    found.set(from, one({ kind: 'open', name, raw: half }));
    found.set(at, one({ kind: 'close', name, ...end }));
    // A picture may be in a link; links do not nest.
    if (!isPicture) open.length = 0;
    at += end.raw.length - 1;
  }
  return found;
}

function endOf(raw: string, at: number, inner: string, labels: ReadonlySet<string>): { raw: string; inTarget?: string } | null {
  const target = match(destination, raw, at + 1)?.[0];
  if (target !== undefined) return { raw: `]${target}` };
  const [found, named = ''] = match(label, raw, at + 1) ?? [];
  if (found !== undefined && named !== '' && labels.has(folded(named))) return { raw: `]${found}` };
  if (!labels.has(folded(inner))) return null;
  // The text is also the label.
  return { raw: found === '[]' ? '][]' : ']', inTarget: `][${inner}]` };
}

function folded(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase();
}

/** Text as Markdown that shows just that, whatever stands before and behind it. */
export function encodeMarkdown(text: string, isLineStart: boolean): string {
  const inLine = text
    .replace(/\\(?=[!-/:-@[-`{-~]|\n|$)/g, '\\\\')
    .replace(/[`*[\]<|]|~(?=~|$)|(?<=~|^)~|!$|&(?=#?[a-z\d]+;)/gi, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/(?<! ) +(?=\n)/g, '');
  const lines = inLine.split('\n').map((line, at) => (at > 0 || isLineStart ? withoutMark(line.replace(/^[ \t]+/, '')) : line));
  return lines.filter((line, at) => at === 0 || line !== '' || at === lines.length - 1).join('\n');
}

/** Nothing at the start of a line is the mark of a heading, quote, list, rule or fence. */
function withoutMark(line: string): string {
  return line.replace(/^([#>+=~-]|:(?=\s))/, '\\$1').replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}
