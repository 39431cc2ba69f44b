/**
 * Words in brackets that a site says something of. They part what they stand in: their values are units of their own, and what stands
 * between the halves of some of them is no text.
 */
import { encodeAttribute } from './html-codes.ts';
import { labelled, type Piece, type TextFormat, type UnitRange } from './record.ts';
import type { TextRules } from '../../languages/config/record.ts';

/** Pieces in a row, and where they begin. */
export interface Stretch {
  readonly start: number;
  readonly pieces: readonly Piece[];
}

/** What of the pieces of a stretch remains, and values, in their order. */
export type ShortcodeReader = (stretch: Stretch) => Generator<Stretch | UnitRange>;

const word = /^\[(\/?)([a-z][\w-]*)/i;
const value = /\s([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Reads the stretches of a text one after the other: what is verbatim may be longer than one. */
export function createShortcodeReader(text: string, { shortcode: ruleOf }: TextRules): ShortcodeReader {
  let verbatim = '';
  return function* read(stretch) {
    if (ruleOf === undefined) {
      yield stretch;
      return;
    }
    const { pieces, start } = stretch;
    let [at, from, first] = [start, start, 0];
    for (const [place, { kind, raw }] of pieces.entries()) {
      const end = at + raw.length;
      const [, slash, name = ''] = kind === 'text' ? [] : (word.exec(raw) ?? []);
      const rule = name !== '' && (verbatim === '' || (slash === '/' && name === verbatim)) ? ruleOf(name) : undefined;
      if (rule) {
        if (verbatim === '' && place > first) yield { start: from, pieces: pieces.slice(first, place) };
        verbatim = '';
        [from, first] = [end, place + 1];
        for (const match of raw.matchAll(value)) {
          const inner = match[2] ?? match[3] ?? '';
          const label = rule.attribute(match[1] as string);
          const to = at + match.index + match[0].length - 1;
          if (label !== null && /[\p{L}\p{N}]/u.test(inner))
            yield { at: [to - inner.length, to], kind: 'value', ...labelled(rule.label, label) };
        }
        if (rule.isVerbatim && slash === '' && !raw.endsWith('/]') && text.includes(`[/${name}]`, end)) verbatim = name;
      }
      at = end;
    }
    if (verbatim === '' && first < pieces.length) yield { start: from, pieces: pieces.slice(first) };
  };
}

/** Text as a value of a word in brackets: nothing in it ends the value, or is a mark of the format around. */
export function encodeValue(text: string, format: TextFormat): string {
  const inLine = encodeAttribute(text.replace(/[\r\n]+/g, ' ')).replaceAll(']', '&#93;');
  return format === 'markdown' ? inLine.replace(/[\\`*_~|]/g, (char) => `&#${char.charCodeAt(0)};`) : inLine;
}
