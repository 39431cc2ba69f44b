/**
 * Units of Markdown: each heading, paragraph, item and cell, found by the parser that shows the text. Code, front matter, definitions
 * of links and comments are none; markup is read as markup.
 */
import { type MarkdownBlock, markdownBlocks } from '../../../render/markdown.ts';
import { headingParts } from '../../../render/markdown-rules.ts';
import { htmlUnits, peeled } from './html-units.ts';
import { htmlPieces } from './html-codes.ts';
import { markdownPieces } from './markdown-codes.ts';
import type { TextRules } from '../../languages/config/record.ts';
import { hasText, type UnitRange } from './record.ts';
import { createShortcodeReader } from './shortcode-units.ts';

export function markdownUnits(text: string, rules: TextRules): readonly UnitRange[] {
  // As the parser has it; both have the same length.
  const parsed = text.replaceAll('\0', '\ufffd');
  const lines = linesOf(parsed);
  const { blocks, labels } = markdownBlocks(text);
  const found: UnitRange[] = [];
  const shortcodes = createShortcodeReader(text, rules);
  /** Cells of one row stand in one line. */
  let cursor = 0;
  for (const block of blocks) {
    if (block.kind === 'html') {
      for (const [from, to] of markupRanges(parsed, lines, block)) {
        const markup = text.slice(from, to);
        for (const { at, ...unit } of htmlUnits(markup, rules, false).flatMap((unit) => behindStart(markup, unit)))
          found.push({ ...unit, at: [from + at[0], from + at[1]], kind: unit.kind === 'value' ? 'value' : 'markup' });
      }
      continue;
    }
    const range = locate(parsed, lines, block, cursor);
    if (range === null || range[0] < cursor) continue;
    cursor = range[1];
    // The checkbox of a task is not text.
    const [box = ''] = /^\[[ xX]\]\s+/.exec(text.slice(...range)) ?? [];
    range[0] += box.length;
    const whole = { start: range[0], pieces: markdownPieces(text.slice(...range), labels) };
    for (const part of shortcodes(whole)) {
      if ('kind' in part) found.push(part);
      else if (part.pieces.length === whole.pieces.length) {
        if (hasText(part.pieces)) found.push({ at: range, kind: 'text' });
      } else {
        const at = peeled(part, { isMarkdown: true });
        // Alone it may be read differently: what follows decides whether a word in brackets is a link.
        if (hasText(markdownPieces(text.slice(...at), labels))) found.push({ at, kind: 'text' });
      }
    }
  }
  return found;
}

interface Line {
  readonly start: number;
  /** Without the line end. */
  readonly text: string;
}

function linesOf(text: string): readonly Line[] {
  let start = 0;
  return text.split(/(\r\n|\n|\r)/).flatMap((part, at) => {
    const line = { start, text: part };
    start += part.length;
    return at % 2 === 0 ? [line] : [];
  });
}

function rangeOf(lines: readonly Line[], [from, to]: MarkdownBlock['lines']): [number, number] {
  const last = lines[Math.min(to, lines.length) - 1];
  return [lines[from]?.start ?? 0, last ? last.start + last.text.length : 0];
}

/** Markup is known by the tag it begins with: no text of a translation goes before it, or into its line. */
function behindStart(markup: string, unit: UnitRange): readonly UnitRange[] {
  const [from, to] = unit.at;
  if (unit.kind !== 'text' || markup[from] !== '<' || markup.slice(0, from).trim() !== '') return [unit];
  const found: UnitRange[] = [];
  const pieces = htmlPieces(markup.slice(from, to));
  let at = from;
  let value: number | null = null;
  for (const [place, piece] of pieces.entries()) {
    const isPlaceholder = piece.kind === 'alone' && /^[%{&]/.test(piece.raw);
    const isBlank = piece.kind === 'text' && piece.raw.trim() === '';
    if (value === null && !isBlank && (piece.kind === 'text' || isPlaceholder)) {
      const start = at + piece.raw.length - piece.raw.trimStart().length;
      if (hasText(pieces.slice(place))) found.push({ ...unit, at: [start, to] });
      return found;
    }
    if (piece.kind === 'close' && piece.isAttribute && value !== null) {
      found.push({ at: [value, at], kind: 'value' });
      value = null;
    }
    at += piece.raw.length;
    if (piece.kind === 'open' && piece.isAttribute) value = at;
  }
  return found;
}

/** Markup as a whole; in lists and quotes, whose signs are between its lines, each line of it. */
function markupRanges(text: string, lines: readonly Line[], block: MarkdownBlock): readonly (readonly [number, number])[] {
  const whole = rangeOf(lines, block.lines);
  const shown = (one: string): string => one.replace(/\r\n?/g, '\n').trim();
  if (shown(text.slice(...whole)) === shown(block.content)) return [whole];
  return block.content.split('\n').flatMap((part, at) => {
    const line = lines[block.lines[0] + at];
    if (line === undefined || part.trim() === '' || !line.text.endsWith(part)) return [];
    const end = line.start + line.text.length;
    return [[end - part.length, end] as const];
  });
}

/** Where in the text the contents of a block stand; null where the parser has made other characters of them. */
function locate(
  text: string,
  lines: readonly Line[],
  { kind, lines: [from, to], content }: MarkdownBlock,
  cursor: number,
): [number, number] | null {
  const wanted = content.split('\n').map((line) => line.trim());
  const [firstWanted = '', lastWanted = ''] = [wanted[0], wanted.at(-1)];
  const first = lines[from];
  if (first === undefined) return null;
  if (kind === 'cell' || (kind === 'heading' && /^[\s>\d.)*+-]*#/.test(first.text))) {
    const mark = kind === 'heading' ? first.text.indexOf('#') + /#+/.exec(first.text)![0].length : 0;
    const after = Math.max(cursor, first.start + mark);
    const shown = kind === 'cell' && text.indexOf(firstWanted, after) === -1 ? firstWanted.replaceAll('|', '\\|') : firstWanted;
    const escaped = kind === 'cell' ? firstWanted.replaceAll('|', '\\|') : shown;
    for (const one of [escaped, shown]) {
      const at = text.indexOf(one, after);
      if (at !== -1 && at + one.length <= first.start + first.text.length) return [at, at + one.length];
    }
    return null;
  }
  const place = (line: Line | undefined, part: string): number => {
    if (line === undefined) return -1;
    const shown = kind === 'heading' ? headingParts(line.text.trimEnd()).text : line.text.trimEnd();
    return shown.endsWith(part) ? line.start + shown.length - part.length : -1;
  };
  // The parser's end of a block includes blank lines and the line below a heading.
  const start = place(first, firstWanted);
  const end = wanted.length === 1 ? start : place(lines[from + wanted.length - 1], lastWanted);
  return start === -1 || end === -1 || from + wanted.length > to ? null : [start, end + lastWanted.length];
}
