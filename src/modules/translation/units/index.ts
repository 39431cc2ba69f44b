/**
 * Units of texts in every format: where they are, what they are made of, and a text with its units translated.
 *
 * Every function is pure. Property: a text whose units are given back as they were is the same text, byte for byte.
 */
import { markdownBlocks } from '../../../render/markdown.ts';
import type { TextRules } from '../../languages/config/record.ts';
import { decodeJson, encodeJson } from './block-attributes.ts';
import { encodeAttribute, encodeHtml, htmlPieces } from './html-codes.ts';
import { htmlUnits } from './html-units.ts';
import { textTokens } from './inline-tokens.ts';
import { encodeMarkdown, markdownPieces } from './markdown-codes.ts';
import { markdownUnits } from './markdown-units.ts';
import { type CodePiece, hasText, paired, type Piece, type TargetPiece, type TextFormat, type UnitRange } from './record.ts';
import { encodeValue } from './shortcode-units.ts';

export { pseudo } from './pseudo.ts';

/** Units of a text in their order; they do not overlap. Cost: linear. */
export function unitsOf(format: TextFormat, text: string, rules: TextRules = {}): readonly UnitRange[] {
  if (format === 'markdown') return markdownUnits(text, rules);
  if (format !== 'plain') return htmlUnits(text, rules, format === 'blocks');
  const start = text.length - text.trimStart().length;
  const end = text.trimEnd().length;
  return hasText(plainPieces(text)) ? [{ at: [start, end], kind: 'text' }] : [];
}

/** What stands in place of a unit, by its place among the units of a text; the others stay. */
export function spliced(text: string, units: readonly Pick<UnitRange, 'at'>[], targets: readonly (string | null)[]): string {
  let out = '';
  let done = 0;
  for (const [place, { at }] of units.entries()) {
    const target = targets[place] ?? null;
    if (target === null) continue;
    out += text.slice(done, at[0]) + target;
    done = at[1];
  }
  return out + text.slice(done);
}

const noLabels: ReadonlySet<string> = new Set();

/** How the units of one text are read and written. */
export interface UnitCodec {
  /** Text and codes of a unit. */
  pieces(unit: UnitRange): readonly Piece[];
  /** A translation as the text would have it. `faultsOf` has found nothing. */
  print(unit: UnitRange, target: readonly TargetPiece[]): string;
  /**
   * A printed translation without the markup that a filter takes out. Only plain texts and attributes of blocks can have brought some:
   * everywhere else what a translator writes is text, and codes are those of the source.
   */
  filtered(unit: UnitRange, printed: string, filter: (html: string) => string): string;
}

export function createUnitCodec(format: TextFormat, text: string): UnitCodec {
  let labels: ReadonlySet<string> | undefined;
  const read = (raw: string, { kind }: UnitRange): readonly Piece[] => {
    if (kind === 'attribute') return plainPieces(decodeJson(raw));
    if (kind === 'value') return paired(textTokens(raw, { references: true }));
    if (format === 'plain') return plainPieces(raw);
    if (format !== 'markdown' || kind === 'markup') return htmlPieces(raw);
    labels ??= /\]:/.test(text) ? markdownBlocks(text).labels : noLabels;
    return markdownPieces(raw, labels);
  };
  const known = new Map<number, readonly Piece[]>();
  const codec: UnitCodec = {
    pieces(unit) {
      const pieces = known.get(unit.at[0]) ?? read(text.slice(...unit.at), unit);
      known.set(unit.at[0], pieces);
      return pieces;
    },
    print(unit, given) {
      const target = joinedTexts(given);
      const source = text.slice(...unit.at);
      const pieces = codec.pieces(unit);
      if (isSame(pieces, target)) return source;
      const isOneLine = !/[\n\r]/.test(source);
      if (unit.kind === 'attribute') return join(pieces, target, encodeJson, encodeJson);
      if (unit.kind === 'value') return join(pieces, target, (one) => encodeValue(one, format));
      if (format === 'plain') return join(pieces, target, (one) => one);
      // Another line end would split a paragraph, or end a heading.
      const inLines = target.map((one) =>
        one.kind === 'text' ? { ...one, text: one.text.replace(/[\r\n]+/g, isOneLine ? ' ' : '\n') } : one,
      );
      if (format !== 'markdown' || unit.kind === 'markup')
        return printHtml(pieces, /\n[ \t]*\r?\n/.test(source) ? target : inLines);
      const printed = printMarkdown(pieces, inLines, 'raw');
      return isRead(codesOf(read(printed, unit)), pieces, target) ? printed : printMarkdown(pieces, inLines, 'asTag');
    },
    filtered(unit, printed, filter) {
      const isAttribute = unit.kind === 'attribute';
      if ((!isAttribute && format !== 'plain') || printed === text.slice(...unit.at)) return printed;
      const shown = isAttribute ? decodeJson(printed) : printed;
      const clean = /<[a-z/!?]/i.test(shown) ? filter(shown) : shown;
      return clean === shown ? printed : isAttribute ? encodeJson(clean) : clean;
    },
  };
  return codec;
}

type CodeFault = 'missing_code' | 'extra_code' | 'unbalanced';

/** What of the codes a translation has lost, doubled or crossed; null: nothing. */
export function faultOf(source: readonly Piece[], target: readonly TargetPiece[]): CodeFault | null {
  const wanted = codesOf(source);
  const given = target.flatMap((one) => (one.kind === 'text' ? [] : [one]));
  const key = ({ kind, id }: Pick<CodePiece, 'kind' | 'id'>): string => `${kind} ${id}`;
  const left = new Set(wanted.map(key));
  if (given.some((one) => !left.delete(key(one)))) return 'extra_code';
  if (left.size > 0) return 'missing_code';
  const attributes = new Set(wanted.filter(({ isAttribute }) => isAttribute).map(({ id }) => id));
  const open: number[] = [];
  for (const { kind, id } of given) {
    if (kind === 'close' && open.pop() !== id) return 'unbalanced';
    if (kind !== 'close' && attributes.has(open.at(-1) ?? 0)) return 'unbalanced';
    if (kind === 'open') open.push(id);
  }
  return null;
}

/** The text of pieces, without codes. */
export function plainOf(pieces: readonly (Piece | TargetPiece)[]): string {
  return pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');
}

function plainPieces(text: string): readonly Piece[] {
  return paired(textTokens(text));
}

function codesOf(pieces: readonly Piece[]): readonly CodePiece[] {
  return pieces.filter((piece): piece is CodePiece => piece.kind !== 'text');
}

/** Whether the codes of a printed translation are those it was to have. */
function isRead(found: readonly CodePiece[], source: readonly Piece[], target: readonly TargetPiece[]): boolean {
  const codes = codeTable(source);
  const wanted = target.flatMap((one) => (one.kind === 'text' ? [] : [codeOf(codes, one)]));
  return (
    found.length === wanted.length &&
    wanted.every(({ kind, raw, inTarget = raw }, at) => found[at]?.kind === kind && found[at]?.raw === inTarget)
  );
}

function codeTable(pieces: readonly Piece[]): ReadonlyMap<string, CodePiece> {
  return new Map(codesOf(pieces).map((code) => [`${code.kind} ${code.id}`, code]));
}

/** XML readers give texts in other parts than they were written in, and what a sign means is told by those beside it. */
function joinedTexts(pieces: readonly TargetPiece[]): readonly TargetPiece[] {
  const joined: TargetPiece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (piece.kind === 'text' && last?.kind === 'text')
      joined[joined.length - 1] = { kind: 'text', text: last.text + piece.text };
    else joined.push(piece);
  }
  return joined;
}

function isSame(pieces: readonly Piece[], target: readonly TargetPiece[]): boolean {
  const flat = (all: readonly (Piece | TargetPiece)[]): string =>
    all.map((one) => (one.kind === 'text' ? JSON.stringify(one.text).slice(1, -1) : `"${one.kind}${one.id}"`)).join('');
  return flat(pieces) === flat(target);
}

function join(
  pieces: readonly Piece[],
  target: readonly TargetPiece[],
  encode: (text: string) => string,
  encodeCode = (raw: string): string => raw,
): string {
  const codes = codeTable(pieces);
  return target.map((one) => (one.kind === 'text' ? encode(one.text) : encodeCode(codeOf(codes, one).raw))).join('');
}

function codeOf(codes: ReadonlyMap<string, CodePiece>, { kind, id }: Pick<CodePiece, 'kind' | 'id'>): CodePiece {
  return codes.get(`${kind} ${id}`) as CodePiece;
}

function printHtml(pieces: readonly Piece[], target: readonly TargetPiece[]): string {
  const codes = codeTable(pieces);
  let isValue = false;
  return target
    .map((one) => {
      if (one.kind === 'text') return isValue ? encodeAttribute(one.text) : encodeHtml(one.text);
      const code = codeOf(codes, one);
      if (code.isAttribute) isValue = one.kind === 'open';
      return code.raw;
    })
    .join('');
}

/** @param marks  `asTag`: emphasis as tags, which need no blanks beside them */
function printMarkdown(pieces: readonly Piece[], target: readonly TargetPiece[], marks: 'raw' | 'asTag'): string {
  const codes = new Map(codesOf(pieces).map((code) => [`${code.kind} ${code.id}`, code]));
  let out = '';
  let isValue = false;
  let isInText = false;
  for (const one of target) {
    if (one.kind === 'text') {
      const isLineStart = /(?:^|\n[ \t>]*)$/.test(out);
      const text = isValue ? encodeAttribute(one.text) : encodeMarkdown(one.text, isLineStart);
      // After a word in brackets it would be the URL of a link.
      out += out.endsWith(']') && /^[(:]/.test(text) ? `\\${text}` : text;
      isInText = true;
      continue;
    }
    const code = codeOf(codes, one);
    if (code.isAttribute) isValue = one.kind === 'open';
    const printed = (marks === 'asTag' ? code.asTag : undefined) ?? code.inTarget ?? code.raw;
    // It was indented, or within a line: at the start of a line it would begin markup or a fence.
    if (isInText && out.endsWith('\n') && /^[<`~]/.test(printed)) out = `${out.slice(0, -1)} `;
    out += printed;
    isInText = false;
  }
  return out.trim();
}
