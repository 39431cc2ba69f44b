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
import { changeText, createTextIndex, type TextIndex, warmTexts } from './text-index.ts';
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
      // What the index decides alone goes first, so that few are left to be looked at.
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

function* listsWith<R>(texts: TextIndex<R>, needle: string, columns: readonly number[]): Task<SearchHits> {
  const found: SearchHits = { common: [], commonLists: [], otherLists: [], entries: 0 };
  for (let segment = 0; segment < texts.vocabulary.segments; segment++) {
    for (const word of texts.vocabulary.containing(needle, segment)) {
      const name = texts.pairs.nameOf(word);
      if (name >= 0) found.common.push(name);
      for (const column of columns) {
        const list = (texts.listOf[word * texts.readers.length + column] ?? 0) - 1;
        if (list < 0) continue;
        found.entries += texts.lists.count(list);
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
function* markDocuments<R>(
  texts: TextIndex<R>,
  marks: Int32Array,
  missing: number,
  found: readonly number[],
  look?: (doc: number) => boolean,
): Task<void> {
  // Long lists first: with luck they hold every document, and the many short ones need not be read.
  const isLong = (list: number) => texts.lists.count(list) * 64 >= texts.liveDocs;
  const long = found.filter(isLong).sort((a, b) => texts.lists.count(b) - texts.lists.count(a));
  const last = texts.docs;
  let zeros = missing;
  let left = found.reduce((sum, list) => sum + texts.lists.count(list), 0);
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
    const count = texts.lists.count(list);
    left -= count;
    zeros -= texts.lists.mark(list, marks);
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
  const knownPlain = (slot: number) => texts.docOf[slot]! > 0 && hasBit(texts.plain, texts.docOf[slot]!);
  if (sizeOf(candidates) <= fewCandidates) {
    const look = texts.looks.matcher(term, columns);
    return filterList(slotsOf(candidates), (slot) => look(slot, knownPlain(slot)) === wanted);
  }
  const remembered = texts.looks.remembering(term, columns);
  const look = (slot: number) => remembered(slot, knownPlain(slot));
  // Documents that come while this pauses are looked at.
  const last = texts.docs;
  const known = yield* askIndex(texts, term, columns, sizeOf(candidates), (doc) => look(texts.slotOf[doc]!));
  const isWhole = last === texts.docs && texts.liveDocs === sizeOf(texts.live());
  const few = wanted && isWhole && known !== undefined ? siftFew(texts, candidates, known) : undefined;
  const { kept, open } = few ?? sift(texts, slotsOf(candidates), known, last, wanted);
  let size = kept.length - open.length;
  for (let i = 0; i < open.length; i++) {
    if (look(open[i]!) === wanted) kept[size++] = open[i]!;
    if (i % stride === stride - 1) yield;
  }
  return setOf(kept.subarray(0, size), texts.rows.length);
}

/** The same as `sift` for what is wanted, from the few documents that may have it; undefined when these are not few. Every slot must be indexed. */
function siftFew<R>(
  texts: TextIndex<R>,
  candidates: SlotSet,
  { having, possible }: KnownTerm,
): { kept: Slots; open: Slots } | undefined {
  const docsFound: number[] = [];
  const most = sizeOf(candidates) / 4;
  for (let word = 0; word < possible.length; word++) {
    for (let bits = possible[word]! & ~texts.dead[word]!; bits !== 0; bits &= bits - 1)
      docsFound.push((word << 5) + 31 - Math.clz32(bits & -bits));
    if (docsFound.length > most) return undefined;
  }
  const kept = new Uint32Array(docsFound.length);
  const open = new Uint32Array(docsFound.length);
  let [size, opened] = [0, 0];
  for (const doc of docsFound) {
    const slot = texts.slotOf[doc]!;
    if (!has(candidates, slot)) continue;
    if (hasBit(having, doc)) kept[size++] = slot;
    else open[opened++] = slot;
  }
  return { kept: kept.subarray(0, size + opened), open: open.subarray(0, opened) };
}

/**
 * Those that are `wanted` according to the index, and those it does not decide on.
 *
 * @param last  documents after this one are not known
 * @returns `kept` has room for the open ones at its end
 */
function sift<R>(
  texts: TextIndex<R>,
  slots: Slots,
  known: KnownTerm | undefined,
  last: number,
  wanted: boolean,
): { kept: Slots; open: Slots } {
  if (known === undefined) return { kept: new Uint32Array(slots.length), open: slots };
  const { having, possible } = known;
  const { docOf } = texts;
  const kept = new Uint32Array(slots.length);
  const open = new Uint32Array(slots.length);
  let [size, opened] = [0, 0];
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i]!;
    const doc = slot < docOf.length ? docOf[slot]! : 0;
    if (doc > 0 && doc <= last && (hasBit(having, doc) || !hasBit(possible, doc))) {
      if (hasBit(having, doc) === wanted) kept[size++] = slot;
    } else open[opened++] = slot;
  }
  return { kept: kept.subarray(0, size + opened), open: open.subarray(0, opened) };
}

/** What the index tells of a term, from its rarest needle on as long as that is cheaper than looking; undefined: no needles. */
function* askIndex<R>(
  texts: TextIndex<R>,
  term: Term,
  columns: readonly number[],
  candidates: number,
  look: (doc: number) => boolean,
): Task<KnownTerm | undefined> {
  const found: SearchHits[] = [];
  for (const needle of term.needles) found.push(yield* listsWith(texts, needle.text, columns));
  let possible: Int32Array | undefined;
  let most = candidates;
  for (const { commonLists, otherLists, entries } of found.slice().sort((a, b) => a.entries - b.entries)) {
    if (possible !== undefined && most * entriesPerLook < entries) break;
    const marks = texts.dead.slice(0, wordsFor(texts.docs + 1));
    yield* markDocuments(texts, marks, texts.liveDocs, commonLists.concat(otherLists), term.decides ? look : undefined);
    possible = possible === undefined ? marks : both(possible, marks);
    most = Math.min(most, entries);
  }
  if (possible === undefined) return undefined;
  if (term.decides) return { having: possible, possible };
  let having: Int32Array = new Int32Array(0);
  for (let i = 0; i + 1 < found.length && most > choosingAt; i++) {
    const { between } = term.needles[i]!;
    if (between < ' ' || !texts.pairs.ready) continue;
    const paired: KnownTerm = yield* askPair(texts, found[i]!, found[i + 1]!, between.charCodeAt(0), columns, possible);
    if (term.isPair) having = paired.having;
    possible = paired.possible;
  }
  return { having, possible };
}

/** Documents of `among` that have a word of `left` before one of `right`, or may have. */
function* askPair<R>(
  texts: TextIndex<R>,
  left: SearchHits,
  right: SearchHits,
  between: number,
  columns: readonly number[],
  among: Int32Array,
): Task<KnownTerm> {
  const having = new Int32Array(among.length);
  yield* markDocuments(texts, having, Infinity, texts.pairs.listsOf(left.common, right.common, between, columns));
  // Words that are not common are in no pair: a document with one of them may have the two as well.
  const possible = having.slice();
  yield* markDocuments(texts, possible, Infinity, left.otherLists);
  yield* markDocuments(texts, possible, Infinity, right.otherLists);
  return { having: both(having, among), possible: both(possible, among) };
}

/** Bits that are in both. */
function both(a: Int32Array, b: Int32Array): Int32Array {
  const bits = new Int32Array(Math.min(a.length, b.length));
  for (let i = 0; i < bits.length; i++) bits[i] = a[i]! & b[i]!;
  return bits;
}
