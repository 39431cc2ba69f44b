/**
 * Tells the markup of an export from its CDATA sections, in text that comes in pieces. Nearly all of an export is in such
 * sections; a parser would look at every character of them, where finding the end is enough.
 */
import { table } from '../../../kernel/model/maps.ts';

interface Sink {
  /** Markup, comments and instructions, and of CDATA sections the two ends. */
  markup(text: string): void;
  /** Part of what is in a CDATA section. */
  cdata(text: string): void;
  /** An `&` that begins no reference: a parser would take all up to the next `;` for a name. */
  ampersand(): void;
  /** A character in place of references that no parser takes: two halves of it, or (`U+FFFD`) one half without the other. */
  character(char: string, written: string): void;
  /** Name of the element that is open, with or without a prefix. */
  inside(): string;
  /** An end of a section that was taken for text: the section goes on behind it. */
  strayEnd(): void;
}

interface SectionOptions {
  /** What is not well-formed is read as it was meant. */
  readonly keepGoing: boolean;
}

export interface Sections {
  /** Gives everything on but the beginning of what may be a mark. Linear in the text. */
  feed(text: string): void;
  /** Begins anew, in markup. */
  reset(): void;
}

const reference = '&#(?:0{0,10}(\\d{5})|[xX]0{0,10}([\\da-fA-F]{4}));';
const mark = new RegExp(`<!\\[CDATA\\[|<!--|<\\?|${reference}|&(?!#?[\\w.:-]{1,40};)`, 'g');
const nextReference = new RegExp(reference, 'y');
const sectionEnd = ']]>';
const ends: Readonly<Record<string, string>> = table({ '<![CDATA[': sectionEnd, '<!--': '-->', '<?': '?>' });

/** Characters behind an end of a section in which the true end is looked for. */
const maxStray = 64 * 1024;

export function createSections(sink: Sink, { keepGoing }: SectionOptions): Sections {
  /** End of the section the text is in; '' in markup. */
  let until = '';
  let held = '';

  return {
    feed(piece) {
      const text = held + piece;
      const tail = Math.max(text.lastIndexOf('<'), text.lastIndexOf('&'));
      held = '';
      for (let at = 0; at < text.length; ) at = until === '' ? markup(text, at, tail) : section(text, at);
    },
    reset() {
      until = '';
      held = '';
    },
  };

  /** @param tail  where the last `<` or `&` is @returns where to go on */
  function markup(text: string, at: number, tail: number): number {
    mark.lastIndex = at;
    const found = mark.exec(text);
    const isBare = found?.[0] === '&';
    const isCut = tail >= at && (!found || (isBare && found.index === tail)) && isBeginning(text.slice(tail));
    const isReference = found?.[0].startsWith('&') === true;
    const end = isCut ? tail : isReference ? found.index : found ? mark.lastIndex : text.length;
    if (end > at) sink.markup(text.slice(at, end));
    if (isCut || !found) return hold(text, end);
    if (found[0].startsWith('&#')) return half(text, found, end);
    if (!isBare) {
      until = ends[found[0]] as string;
      return end;
    }
    sink.ampersand();
    return end + 1;
  }

  /** A reference by number, which may be half of a character. @param at  where it begins */
  function half(text: string, found: RegExpExecArray, at: number): number {
    const end = at + found[0].length;
    const code = codeOf(found);
    if (code < 0xd800 || code > 0xdfff) {
      sink.markup(found[0]);
      return end;
    }
    nextReference.lastIndex = end;
    const next = code < 0xdc00 ? nextReference.exec(text) : null;
    if (code < 0xdc00 && !next && (end === text.length || isBeginning(text.slice(end)))) return hold(text, at);
    const low = next ? codeOf(next) : 0;
    const isPair = low >= 0xdc00 && low <= 0xdfff;
    const written = isPair ? found[0] + next?.[0] : found[0];
    if (isPair || keepGoing) sink.character(isPair ? String.fromCharCode(code, low) : '\ufffd', written);
    else sink.markup(written);
    return at + written.length;
  }

  /**
   * Whether a section ends here: then its element does, or another section or markup follows. Exporters that do not know the rule put
   * such ends into texts. Undefined: what is there does not tell yet.
   */
  function isEnd(text: string, at: number): boolean | undefined {
    if (!keepGoing) return true;
    const local = sink.inside().replace(/^.*:/, '');
    const close = `</(?:[\\w.-]{1,40}:)?${local.replace(/[^\w-]/g, '\\$&')}[\\s>]`;
    const next = new RegExp(`${close}|<!\\[CDATA\\[|\\]\\]>`, 'g');
    const rest = text.slice(at, at + maxStray);
    const found = next.exec(rest);
    if (found) return found[0] !== sectionEnd;
    return rest.length === maxStray ? true : undefined;
  }

  function section(text: string, at: number): number {
    const found = text.indexOf(until, at);
    if (found >= 0 && until === sectionEnd) {
      const isOver = isEnd(text, found + until.length);
      if (isOver === undefined) {
        if (found > at) sink.cdata(text.slice(at, found));
        return hold(text, found);
      }
      if (!isOver) {
        sink.cdata(text.slice(at, found + until.length));
        sink.strayEnd();
        return found + until.length;
      }
    }
    const stop = found >= 0 ? found : Math.max(at, text.length - until.length + 1);
    if (stop > at) (until === sectionEnd ? sink.cdata : sink.markup)(text.slice(at, stop));
    if (found < 0) return hold(text, stop);
    sink.markup(until);
    const end = stop + until.length;
    until = '';
    return end;
  }

  function hold(text: string, from: number): number {
    held = text.slice(from);
    return text.length;
  }
}

function codeOf([, decimal, hex]: RegExpExecArray): number {
  return decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
}

/** Whether a text may go on as a mark or a reference. */
function isBeginning(text: string): boolean {
  return Object.keys(ends).some((name) => name.startsWith(text)) || /^&#?[\w.:-]{0,40}$/.test(text);
}
