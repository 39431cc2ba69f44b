/**
 * Units of markup: the text of each element of a block, and each paragraph that blank lines make. Delimiters of blocks part units, and
 * of their attributes those are units that the block is known to show.
 */
import { delimiters } from '../../../render/blocks.ts';
import { attributeRanges } from './block-attributes.ts';
import { htmlPieces, passedOver, tagAt, tagPattern } from './html-codes.ts';
import type { BlockTexts, TextRules } from '../../languages/config/record.ts';
import { hasText, labelled, type Piece, type UnitRange } from './record.ts';
import { createShortcodeReader, type ShortcodeReader, type Stretch } from './shortcode-units.ts';

const parting = new Set(
  `address article aside audio blockquote body button caption center col colgroup dd details dialog dir div dl dt fieldset figcaption
figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav ol optgroup option p pre search
section select source summary table tbody td tfoot th thead title tr track ul video`.split(/\s+/),
);

export function htmlUnits(text: string, rules: TextRules, isBlocks: boolean): readonly UnitRange[] {
  const found: UnitRange[] = [];
  const shortcodes = createShortcodeReader(text, rules);
  const blocks: (BlockTexts | undefined)[] = [];
  let start = 0;
  const flush = (end: number, next: number, isPreserved = false): void => {
    if (end > start) found.push(...runUnits(text, start, end, { isPreserved, shortcodes, label: blocks.at(-1)?.label ?? '' }));
    start = next;
  };
  let at = 0;
  for (const delimiter of isBlocks ? delimiters(text) : []) {
    if (!blocks.at(-1)?.isLeftAlone) {
      walk(text, at, delimiter.start, flush);
      flush(delimiter.start, delimiter.end);
    }
    start = at = delimiter.end;
    if (delimiter.kind === 'close') blocks.pop();
    else {
      const own = rules.block?.(delimiter.name);
      found.push(...attributeRanges(text, delimiter, own));
      if (delimiter.kind === 'open') blocks.push(own);
    }
  }
  walk(text, at, text.length, flush);
  flush(text.length, text.length);
  return found;
}

/** Tags that part units, in a stretch of the text. */
function walk(text: string, from: number, to: number, flush: (end: number, next: number, isPreserved?: boolean) => void): void {
  let isPreserved = false;
  for (let at = text.indexOf('<', from); at !== -1 && at < to; ) {
    if (text.startsWith('<!--', at)) {
      const end = text.indexOf('-->', at + 4);
      at = end === -1 ? to : text.indexOf('<', end);
      continue;
    }
    tagPattern.lastIndex = at;
    const [tag, slash, given = ''] = tagPattern.exec(text) ?? [];
    if (tag === undefined) {
      at = text.indexOf('<', at + 1);
      continue;
    }
    const name = given.toLowerCase();
    let end = at + tag.length;
    if (slash === '' && (passedOver.has(name) || (name === 'pre' && /^\s*<code\b/i.test(text.slice(end, end + 40))))) {
      const close = new RegExp(`</${name}\\s*>`, 'gi');
      close.lastIndex = end;
      if (close.test(text)) end = close.lastIndex;
      flush(at, end, isPreserved);
    } else if (parting.has(name)) {
      flush(at, end, isPreserved);
      isPreserved = name === 'pre' && slash === '';
    } else end = tagAt(text, at)?.end ?? end;
    at = text.indexOf('<', end);
  }
}

interface Run {
  /** Its lines are kept. */
  readonly isPreserved: boolean;
  readonly shortcodes: ShortcodeReader;
  readonly label: string;
}

/** A stretch between what parts units: paragraphs, unless its lines are kept. */
function runUnits(text: string, start: number, end: number, run: Run): UnitRange[] {
  const found: UnitRange[] = [];
  let from = start;
  if (!run.isPreserved)
    for (const gap of text.slice(start, end).matchAll(/\r?\n[ \t]*\r?\n\s*/g)) {
      found.push(...runUnit(text, from, start + gap.index, run));
      from = start + gap.index + gap[0].length;
    }
  return [...found, ...runUnit(text, from, end, run)];
}

function runUnit(text: string, start: number, end: number, { shortcodes, label }: Run): UnitRange[] {
  const found: UnitRange[] = [];
  for (const part of shortcodes({ start, pieces: htmlPieces(text.slice(start, end)) })) {
    if ('kind' in part) found.push(part);
    else if (hasText(part.pieces)) found.push({ at: peeled(part), kind: 'text', ...labelled(label, '') });
  }
  return found;
}

/** Without blanks, codes that stand alone, and pairs around all of the text. @param isMarkdown  only blanks and breaks are */
export function peeled({ start, pieces }: Stretch, { isMarkdown = false } = {}): readonly [number, number] {
  const left = [...pieces];
  let before = start;
  let after = start + pieces.reduce((sum, { raw }) => sum + raw.length, 0);
  for (;;) {
    const [first, last] = [left[0], left.at(-1)];
    if (first === undefined || last === undefined) return [before, after];
    const isPair = !isMarkdown && first.kind === 'open' && last.kind === 'close' && first.id === last.id && !first.isAttribute;
    if (isPair || isLoose(first, isMarkdown)) before += (left.shift() as Piece).raw.length;
    if (isPair || (!isLoose(first, isMarkdown) && isLoose(last, isMarkdown))) after -= (left.pop() as Piece).raw.length;
    if (isPair || isLoose(first, isMarkdown) || isLoose(last, isMarkdown)) continue;
    if (first.kind === 'text') before += first.raw.length - first.raw.trimStart().length;
    if (last.kind === 'text') after -= last.raw.length - last.raw.trimEnd().length;
    return [before, after];
  }
}

function isLoose({ kind, raw }: Piece, isMarkdown: boolean): boolean {
  if (kind === 'text') return raw.trim() === '';
  return kind === 'alone' && (isMarkdown ? /^[\s\\>]*$/.test(raw) : !/^[%{&]/.test(raw));
}
