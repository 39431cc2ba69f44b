/**
 * Pairs of common words: which documents have one right after the other, a single character between. Phrases are costly where
 * their words are in nearly every text; there the pairs decide. The common words are chosen once, from the first documents;
 * pairs with any other word are not kept, since such a word leaves few texts to look into.
 */

import type { DeltaLists } from './vocabulary.ts';

/** Documents from which the common words are chosen. Smaller tables have none: looking into a thousand texts takes 3 ms. */
export const choosingAt = 1024;
/** A common word is in more than this part of the documents. */
const commonPart = 1 / 8;
const maxCommon = 256;
const space = 0x20;

export function createPairs(lists: DeltaLists, columns: number) {
  let names = new Int16Array(0);
  let size = 0;
  /** By column, left and right word: one more than the number of the list. */
  let spaced = new Uint32Array(0);
  /** The same for other characters, by the character as well. */
  const joined = new Map<number, number>();

  const keyOf = (left: number, right: number, column: number) => (column * size + left) * size + right;
  const joinedKey = (key: number, between: number) => between * columns * size * size + key;

  return {
    /** Whether the words are chosen. What was indexed before that has no pairs. */
    get ready(): boolean {
      return spaced.length > 0;
    },
    /** Called once, with the number of documents that each word is in, and of all documents. */
    choose(counts: readonly number[], docs: number): void {
      const common = [...counts.keys()].filter((word) => counts[word]! > docs * commonPart);
      common.sort((a, b) => counts[b]! - counts[a]!);
      size = Math.min(common.length, maxCommon);
      names = new Int16Array(counts.length).fill(-1);
      for (let name = 0; name < size; name++) names[common[name]!] = name;
      spaced = new Uint32Array(Math.max(1, columns * size * size));
    },
    /** What a common word is called here; -1 for others. */
    nameOf: (word: number): number => names[word] ?? -1,
    /** The document has, in the column, two common words with the character `between` them. */
    note(left: number, right: number, between: number, column: number, doc: number): void {
      // Nobody searches for a line break.
      if (between < space) return;
      const key = keyOf(left, right, column);
      const list = between === space ? spaced[key]! : (joined.get(joinedKey(key, between)) ?? 0);
      if (list > 0) lists.append(list - 1, doc);
      else if (between === space) spaced[key] = lists.begin(doc) + 1;
      else joined.set(joinedKey(key, between), lists.begin(doc) + 1);
    },
    /** Lists of the pairs of one of `lefts` and one of `rights`, names of common words. */
    listsOf(lefts: readonly number[], rights: readonly number[], between: number, wanted: readonly number[]): number[] {
      const found: number[] = [];
      for (const column of wanted) {
        for (const left of lefts) {
          for (const right of rights) {
            const key = keyOf(left, right, column);
            const list = between === space ? spaced[key]! : (joined.get(joinedKey(key, between)) ?? 0);
            if (list > 0) found.push(list - 1);
          }
        }
      }
      return found;
    },
  };
}
