/**
 * What a word is to the text index. Any fixed choice gives exact answers; this one keeps the vocabulary small: letters and
 * digits make words, characters of scripts written without spaces are words of their own.
 */

import { edge, hashStep } from './vocabulary.ts';

const Kind = { between: 0, inWord: 1, alone: 2 } as const;
const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) => Number(/\w/.test(String.fromCharCode(code))));

/** Visits the words of a folded text in their order. `hash` is `hashStep` over the word's characters from 0. */
export function eachWord(text: string, visit: (from: number, to: number, hash: number) => void): void {
  let from = -1;
  let hash = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const kind = code < 0x80 ? asciiKinds[code]! : kindOf(code);
    if (kind === Kind.inWord) {
      if (from < 0) {
        from = i;
        hash = 0;
      }
      hash = hashStep(hash, code);
      continue;
    }
    if (from >= 0) visit(from, i, hash);
    from = -1;
    if (kind === Kind.alone) visit(i, i + 1, hashStep(0, code));
  }
  if (from >= 0) visit(from, text.length, hash);
}

/** What every text that contains `text` must have in its vocabulary: a piece of a word, its ends marked where they are known. */
export interface Needle {
  readonly text: string;
  /** What separates this from the next: a character, or '' if it is none or several. */
  readonly between: string;
}

/** @param whole  the text is a whole column, not a part of one */
export function needlesOf(text: string, whole: boolean): readonly Needle[] {
  const needles: { text: string; between: string }[] = [];
  let end = -1;
  eachWord(text, (from, to) => {
    const alone = to - from === 1 && kindOf(text.charCodeAt(from)) === Kind.alone;
    const left = whole || alone || from > 0 ? edge : '';
    const right = whole || alone || to < text.length ? edge : '';
    const before = needles.at(-1);
    if (before !== undefined && from - end === 1) before.between = text.slice(end, from);
    needles.push({ text: left + text.slice(from, to) + right, between: '' });
    end = to;
  });
  return needles;
}

function kindOf(code: number): number {
  if (code < 0x80) return asciiKinds[code]!;
  if (code < 0xc0 || (code >= 0x2000 && code < 0x2c00) || (code >= 0x3000 && code < 0x3040)) return Kind.between;
  if ((code >= 0x0e00 && code < 0x10a0) || (code >= 0x1780 && code < 0x1800)) return Kind.alone;
  return (code >= 0x2e80 && code < 0xac00) || (code >= 0xf900 && code < 0xfb00) ? Kind.alone : Kind.inWord;
}
