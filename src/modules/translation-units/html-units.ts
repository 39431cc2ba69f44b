/**
 * Units of markup: the text of each element of a block, and each paragraph that blank lines make. Delimiters of blocks part units, and
 * of their attributes those are units that the block is known to show.
 */
import { delimiters } from '../../render/blocks.ts';
import { attributeRanges, type BlockTexts } from './block-attributes.ts';
import { htmlPieces, passedOver, tagAt, tagPattern } from './html-codes.ts';
import { hasText, type Piece, type UnitRange } from './record.ts';

const parting = new Set(
  `address article aside audio blockquote body button caption center col colgroup dd details dialog dir div dl dt fieldset figcaption
figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav ol optgroup option p pre search
section select source summary table tbody td tfoot th thead title tr track ul video`.split(/\s+/),
);

export function htmlUnits(text: string, known: BlockTexts, isBlocks: boolean): readonly UnitRange[] {
  const found: UnitRange[] = [];
  let start = 0;
  const flush = (end: number, next: number, isPreserved = false): void => {
    if (end > start) found.push(...runUnits(text, start, end, isPreserved));
    start = next;
  };
  let at = 0;
  for (const delimiter of isBlocks ? delimiters(text) : []) {
    walk(text, at, delimiter.start, flush);
    flush(delimiter.start, delimiter.end);
    at = delimiter.end;
    if (delimiter.kind !== 'close') found.push(...attributeRanges(text, delimiter, known));
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

/** A stretch between what parts units: paragraphs, unless its lines are kept. */
function runUnits(text: string, start: number, end: number, isPreserved: boolean): UnitRange[] {
  const found: UnitRange[] = [];
  let from = start;
  if (!isPreserved)
    for (const gap of text.slice(start, end).matchAll(/\r?\n[ \t]*\r?\n\s*/g)) {
      found.push(...runUnit(text, from, start + gap.index));
      from = start + gap.index + gap[0].length;
    }
  return [...found, ...runUnit(text, from, end)];
}

function runUnit(text: string, start: number, end: number): UnitRange[] {
  const pieces = htmlPieces(text.slice(start, end));
  if (!hasText(pieces)) return [];
  const [before, after] = peeled(pieces);
  return [{ at: [start + before, end - after], kind: 'text' }];
}

/** How many characters at either end are blanks, codes that stand alone, and pairs around all of the text. */
function peeled(pieces: readonly Piece[]): [number, number] {
  const left = [...pieces];
  let [before, after] = [0, 0];
  for (;;) {
    const [first, last] = [left[0], left.at(-1)];
    if (first === undefined || last === undefined) return [before, after];
    const isPair = first.kind === 'open' && last.kind === 'close' && first.id === last.id && !first.isAttribute;
    if (isPair || isLoose(first)) before += (left.shift() as Piece).raw.length;
    if (isPair || (!isLoose(first) && isLoose(last))) after += (left.pop() as Piece).raw.length;
    if (isPair || isLoose(first) || isLoose(last)) continue;
    if (first.kind === 'text') before += first.raw.length - first.raw.trimStart().length;
    if (last.kind === 'text') after += last.raw.length - last.raw.trimEnd().length;
    return [before, after];
  }
}

function isLoose(piece: Piece): boolean {
  return piece.kind === 'alone' ? !/^[%{&]/.test(piece.raw) : piece.kind === 'text' && piece.raw.trim() === '';
}
