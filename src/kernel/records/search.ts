/**
 * Text search: which records have a piece of text in some of their columns, case and accents aside. Text within a word is found by
 * scanning the vocabulary, text across words by the pairs of common words and by looking into the records that have its words. What
 * is not indexed yet is looked at directly, so answers are always exact.
 */

import type { Identified, TableSpec } from './types.ts';
import { choosingAt } from './bigram-index.ts';
import { filterList, has, hasBit, noSlots, setBit, setOf, sizeOf, type Slots, type SlotSet, slotsOf, wordsFor } from './sets.ts';
import type { Task } from '../scheduler.ts';
import type { RowStore, Search } from './table-core.ts';
import { changeText, createTextIndex, type TextIndex, type TextPart, warmTexts } from './text-index.ts';
import { type Term, termOf } from './text-scan.ts';

/** The lists of one needle: those of words in which it occurs. */
interface SearchHits {
  /** Names of common words, as the pairs know them, and the lists of these. */
  readonly common: number[];
  readonly commonLists: number[];
  readonly otherLists: number[];
  /** Numbers in all lists together. */
  entries: number;
}

/** What the index knows of a term, a bit a document: which have it, and which may. */
interface KnownTerm {
  readonly having: Int32Array;
  readonly possible: Int32Array;
}

/** Documents after the last came while the part was asked: they are looked at. */
type PartAnswer = { readonly part: TextPart; readonly last: number; readonly known: KnownTerm | undefined };
/** Slots that the index decides on, with room at the end for those it does not. */
type SiftedSlots = { readonly kept: Slots; readonly open: Slots };

/** Up to so many candidates are looked at directly. */
const fewCandidates = 64;
/** Time a search may spend on indexing, while there is something to index. */
const searchBudgetMs = 5;
/** Looking at one record costs about as much as reading so many entries of the index. */
const entriesPerLook = 1000;
/** Looks, and entries read, between two pauses. */
const stride = 16;
const entriesPerPause = 50_000;

export function createSearch<R extends Identified>(spec: TableSpec<R>, rowStore: Pick<RowStore<R>, 'rows' | 'live'>): Search {
  const columnNumbers = new Map(Object.keys(spec.text).map((name, column) => [name, column]));
  const texts = createTextIndex(spec, rowStore);
  return {
    get started() {
      return texts.started;
    },
    change: (slot) => changeText(texts, slot),
    *find({ columns, words, without, exact = false }, candidates) {
      if (sizeOf(candidates) > fewCandidates) warmTexts(texts, searchBudgetMs);
      const numbers = columns.map((name) => columnNumbers.get(name)!);
      const terms = (some: readonly string[], wanted: boolean) => some.map((word) => ({ term: termOf(word, exact), wanted }));
      let left = candidates;
      // Terms that the index decides by itself go first, so that few texts are left to scan.
      for (const { term, wanted } of [...terms(words, true), ...terms(without, false)].sort(
        (a, b) => Number(b.term.decides) - Number(a.term.decides),
      )) {
        left = yield* keepMatching(texts, left, term, numbers, wanted);
      }
      return left;
    },
    warm: (budgetMs) => warmTexts(texts, budgetMs),
  };
}

function* listsWith(part: TextPart, needle: string, columns: readonly number[]): Task<SearchHits> {
  const found: SearchHits = { common: [], commonLists: [], otherLists: [], entries: 0 };
  for (let segment = 0; segment < part.vocabulary.segments; segment++) {
    for (const word of part.vocabulary.containing(needle, segment)) {
      const name = part.pairs.nameOf(word);
      if (name >= 0) found.common.push(name);
      for (const column of columns) {
        const list = (part.listOf[word * part.columns + column] ?? 0) - 1;
        if (list < 0) continue;
        found.entries += part.lists.count(list);
        (name < 0 ? found.otherLists : found.commonLists).push(list);
      }
    }
    yield;
  }
  return found;
}

/**
 * Sets the bits of the documents in the lists, of those that are 0 at the beginning; decided by looking where that is cheaper.
 *
 * @param missing  how many are 0
 */
function* markDocuments(
  part: TextPart,
  marks: Int32Array,
  missing: number,
  found: readonly number[],
  look?: (doc: number) => boolean,
): Task<void> {
  // Long lists first: with luck they hold every document, and the many short ones need not be read.
  const isLong = (list: number) => part.lists.count(list) * 64 >= part.liveDocs;
  const long = found.filter(isLong).sort((a, b) => part.lists.count(b) - part.lists.count(a));
  const last = part.docs;
  let zeros = missing;
  let left = found.reduce((sum, list) => sum + part.lists.count(list), 0);
  let read = 0;
  for (const list of long.length > 0 ? [...long, ...found.filter((each) => !isLong(each))] : found) {
    if (zeros === 0) return;
    if (look !== undefined && zeros * entriesPerLook < left) {
      for (let doc = 1, seen = 0; doc <= last; doc++) {
        if (hasBit(marks, doc)) continue;
        if (look(doc)) setBit(marks, doc);
        if (++seen % stride === 0) yield;
      }
      return;
    }
    const count = part.lists.count(list);
    left -= count;
    zeros -= part.lists.mark(list, marks);
    read += count + 8;
    if (read > entriesPerPause) {
      read = 0;
      yield;
    }
  }
}

/** Those of `candidates` where the term occurs in some column (`wanted`), or in none. */
function* keepMatching<R>(
  texts: TextIndex<R>,
  candidates: SlotSet,
  term: Term,
  columns: readonly number[],
  wanted: boolean,
): Task<SlotSet> {
  if (columns.length === 0 || (term.text === '' && !term.whole)) return columns.length > 0 === wanted ? candidates : noSlots;
  const parts = [texts.main, texts.recent];
  const knownPlain = (slot: number) => parts.some(({ docOf, plain }) => docOf[slot]! > 0 && hasBit(plain, docOf[slot]!));
  if (sizeOf(candidates) <= fewCandidates) {
    const look = texts.looks.matcher(term, columns);
    return filterList(slotsOf(candidates), (slot) => look(slot, knownPlain(slot)) === wanted);
  }
  const remembered = texts.looks.remembering(term, columns);
  const look = (slot: number) => remembered(slot, knownPlain(slot));
  const answers: PartAnswer[] = [];
  for (const part of parts) {
    const last = part.docs;
    const most = Math.min(sizeOf(candidates), part.liveDocs);
    answers.push({ part, last, known: yield* askIndex(part, term, columns, most, (doc) => look(part.slotOf[doc]!)) });
  }
  const isWhole =
    answers.every(({ part, last }) => part.docs === last) && texts.main.liveDocs + texts.recent.liveDocs === sizeOf(texts.live());
  const few = wanted && isWhole ? siftFew(answers, candidates) : undefined;
  const { kept, open } = few ?? sift(answers, slotsOf(candidates), wanted);
  let size = kept.length - open.length;
  for (let i = 0; i < open.length; i++) {
    if (look(open[i]!) === wanted) kept[size++] = open[i]!;
    if (i % stride === stride - 1) yield;
  }
  return setOf(kept.subarray(0, size), texts.rows.length);
}

/** The same as `sift` for what is wanted, from the few documents that may have it; undefined when these are not few. Every slot must be indexed. */
function siftFew(answers: readonly PartAnswer[], candidates: SlotSet): SiftedSlots | undefined {
  const most = sizeOf(candidates) / 4;
  const found: number[] = [];
  const open: number[] = [];
  let seen = 0;
  for (const { part, known } of answers) {
    if (known === undefined) return undefined;
    for (let word = 0; word < known.possible.length; word++) {
      for (let bits = known.possible[word]! & ~part.dead[word]!; bits !== 0; bits &= bits - 1) {
        const doc = (word << 5) + 31 - Math.clz32(bits & -bits);
        const slot = part.slotOf[doc]!;
        seen++;
        if (has(candidates, slot)) (hasBit(known.having, doc) ? found : open).push(slot);
      }
      if (seen > most) return undefined;
    }
  }
  const kept = new Uint32Array(found.length + open.length);
  kept.set(found);
  return { kept, open: Uint32Array.from(open) };
}

/** Those that are `wanted` according to the index, and those it does not decide on. */
function sift(answers: readonly PartAnswer[], slots: Slots, wanted: boolean): SiftedSlots {
  const kept = new Uint32Array(slots.length);
  let open = slots;
  let size = 0;
  for (const { part, last, known } of answers) {
    if (known === undefined) continue;
    const { having, possible } = known;
    const left = new Uint32Array(open.length);
    let opened = 0;
    for (let i = 0; i < open.length; i++) {
      const slot = open[i]!;
      const doc = slot < part.docOf.length ? part.docOf[slot]! : 0;
      if (doc > 0 && doc <= last && (hasBit(having, doc) || !hasBit(possible, doc))) {
        if (hasBit(having, doc) === wanted) kept[size++] = slot;
      } else left[opened++] = slot;
    }
    open = left.subarray(0, opened);
  }
  return { kept: kept.subarray(0, size + open.length), open };
}

/** What the index tells of a term, from its rarest needle on as long as that is cheaper than looking; undefined: no needles. */
function* askIndex(
  part: TextPart,
  term: Term,
  columns: readonly number[],
  candidates: number,
  look: (doc: number) => boolean,
): Task<KnownTerm | undefined> {
  const found: SearchHits[] = [];
  for (const needle of term.needles) found.push(yield* listsWith(part, needle.text, columns));
  let possible: Int32Array | undefined;
  let most = candidates;
  for (const { commonLists, otherLists, entries } of found.slice().sort((a, b) => a.entries - b.entries)) {
    if (possible !== undefined && most * entriesPerLook < entries) break;
    const marks = part.dead.slice(0, wordsFor(part.docs + 1));
    yield* markDocuments(part, marks, part.liveDocs, commonLists.concat(otherLists), term.decides ? look : undefined);
    possible = possible === undefined ? marks : both(possible, marks);
    most = Math.min(most, entries);
  }
  if (possible === undefined) return undefined;
  if (term.decides) return { having: possible, possible };
  let having: Int32Array = new Int32Array(0);
  for (let i = 0; i + 1 < found.length && most > choosingAt; i++) {
    const { between } = term.needles[i]!;
    if (between < ' ' || !part.pairs.ready) continue;
    const paired: KnownTerm = yield* askPair(part, found[i]!, found[i + 1]!, between.charCodeAt(0), columns, possible);
    if (term.isPair) having = paired.having;
    possible = paired.possible;
  }
  return { having, possible };
}

/** Documents of `among` that have a word of `left` before one of `right`, or may have. */
function* askPair(
  part: TextPart,
  left: SearchHits,
  right: SearchHits,
  between: number,
  columns: readonly number[],
  among: Int32Array,
): Task<KnownTerm> {
  const having = new Int32Array(among.length);
  yield* markDocuments(part, having, Infinity, part.pairs.listsOf(left.common, right.common, between, columns));
  // Words that are not common are in no pair: a document with one of them may have the two as well.
  const possible = having.slice();
  yield* markDocuments(part, possible, Infinity, left.otherLists);
  yield* markDocuments(part, possible, Infinity, right.otherLists);
  return { having: both(having, among), possible: both(possible, among) };
}

/** Bits that are in both. */
function both(a: Int32Array, b: Int32Array): Int32Array {
  const bits = new Int32Array(Math.min(a.length, b.length));
  for (let i = 0; i < bits.length; i++) bits[i] = a[i]! & b[i]!;
  return bits;
}
