/**
 * Looking into a text, where the index cannot decide. A text in ASCII is scanned as it is stored; others are folded first
 * where folding may make a difference. What was seen is remembered for the last few searches, so that one that begins again,
 * or asks for another page, goes on where it was.
 */

import { fold, isAscii } from './fold.ts';
import { edge, grown } from './vocabulary.ts';
import { type Needle, needlesOf } from './tokenize.ts';

/** A word or phrase to find: folded, with the needles every record that has it must have in its vocabulary. */
export interface Term {
  readonly text: string;
  /** The whole column equals the text. */
  readonly whole: boolean;
  readonly needles: readonly Needle[];
  /** The one needle is the whole condition; otherwise candidates are looked at. */
  readonly decides: boolean;
  /** Two needles with one character between them are the whole condition. */
  readonly isPair: boolean;
}

interface TextScan {
  /** Whether the term occurs in one of the columns of the record in a slot. `isPlain`: see `fold.ts`; false when not known. */
  matcher(term: Term, columns: readonly number[]): (slot: number, isPlain: boolean) => boolean;
  /** The same for very many slots: remembers. */
  remembering(term: Term, columns: readonly number[]): (slot: number, isPlain: boolean) => boolean;
  /** The record in the slot has other text now. */
  forget(slot: number): void;
}

/** Searches whose looks are remembered, at a byte a record. */
const maxRemembered = 8;
const Seen = { not: 0, without: 1, having: 2 } as const;

/** @param readers  the text of each column, as stored, of the record in a slot */
export function createLooks(readers: readonly ((slot: number) => string)[], slots: () => number): TextScan {
  const seenBy = new Map<string, Uint8Array>();

  function looker(term: Term, columns: readonly number[]): (slot: number, isPlain: boolean) => boolean {
    const occurs = occurrence(term);
    return (slot, isPlain) => {
      for (const column of columns) if (occurs(readers[column]!(slot), isPlain)) return true;
      return false;
    };
  }

  return {
    matcher: looker,
    remembering(term, columns) {
      const name = `${columns} ${term.whole} ${term.text}`;
      let seen = seenBy.get(name) ?? new Uint8Array(0);
      seenBy.delete(name);
      if (seen.length < slots()) seen = grown(seen, Math.ceil(slots() * 1.1) + 64);
      seenBy.set(name, seen);
      for (const oldest of seenBy.keys()) if (seenBy.size > maxRemembered) seenBy.delete(oldest);
      const look = looker(term, columns);
      return (slot, isPlain) => {
        if (seen[slot] === Seen.not) seen[slot] = look(slot, isPlain) ? Seen.having : Seen.without;
        return seen[slot] === Seen.having;
      };
    },
    forget(slot) {
      for (const seen of seenBy.values()) seen[slot] = Seen.not;
    },
  };
}

export function termOf(word: string, whole: boolean): Term {
  const text = fold(word);
  const needles = needlesOf(text, whole);
  const covers = !whole && needles.map((needle) => needle.text.replaceAll(edge, '') + needle.between).join('') === text;
  return { text, whole, needles, decides: covers && needles.length === 1, isPair: covers && needles.length === 2 };
}

function occurrence({ text, whole }: Term): (stored: string, isPlain: boolean) => boolean {
  if (whole) return (stored) => fold(stored) === text;
  if (!isAscii(text)) return (stored) => !isAscii(stored) && fold(stored).includes(text);
  // Case is ignored only for ASCII letters, whatever is next to them: what is found this way is there after folding, too.
  const pattern = new RegExp(text.replace(/[^\w\s]/g, '\\$&'), 'i');
  return (stored, isPlain) => pattern.test(stored) || (!isPlain && !isAscii(stored) && fold(stored).includes(text));
}
