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
}

export interface Sections {
  /** Gives everything on but the beginning of what may be a mark. Linear in the text. */
  feed(text: string): void;
  /** Begins anew, in markup. */
  reset(): void;
}

const mark = /<!\[CDATA\[|<!--|<\?|&(?!#?[\w.:-]{1,40};)/g;
const sectionEnd = ']]>';
const ends: Readonly<Record<string, string>> = table({ '<![CDATA[': sectionEnd, '<!--': '-->', '<?': '?>' });

export function createSections(sink: Sink): Sections {
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
    const end = isCut ? tail : isBare ? found.index : found ? mark.lastIndex : text.length;
    if (end > at) sink.markup(text.slice(at, end));
    if (isCut || !found) return hold(text, end);
    if (!isBare) {
      until = ends[found[0]] as string;
      return end;
    }
    sink.ampersand();
    return end + 1;
  }

  function section(text: string, at: number): number {
    const found = text.indexOf(until, at);
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

/** Whether a text may go on as a mark or a reference. */
function isBeginning(text: string): boolean {
  return Object.keys(ends).some((name) => name.startsWith(text)) || /^&#?[\w.:-]{0,40}$/.test(text);
}
