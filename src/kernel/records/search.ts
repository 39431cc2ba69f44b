/**
 * Text search: which records have a piece of text in some of their columns, case and accents aside. The words of every
 * text are numbered, and for each word the records that have it are listed; text within a word is found by scanning the
 * vocabulary, text across words by the pairs of common words and by looking into the records that have its words. The index
 * is begun by the first search and kept up afterwards in slices of time; what is not indexed yet is looked at directly, so
 * answers are always exact.
 */

import type { Clause, Identified, TableSpec } from './types.ts';
import { fold, isPlain } from './fold.ts';
import { createLooks, type Term, termOf } from './text-scan.ts';
import { choosingAt, createPairs } from './bigram-index.ts';
import { filterList, has, hasBit, noSlots, setBit, setOf, sizeOf, type Slots, type SlotSet, slotsOf, wordsFor } from './sets.ts';
import type { Task } from '../scheduler.ts';
import { createDeltaLists, createVocabulary } from './vocabulary.ts';
import type { RowStore } from './sorted-index.ts';
import { eachWord } from './tokenize.ts';

export type SearchClause = Extract<Clause, { kind: 'search' }>;

export interface Search {
  /** Whether changes must be reported. */
  readonly started: boolean;
  /** The record in the slot came, went or has other text now. */
  change(slot: number): void;
  /** Those of `candidates` that satisfy the clause. `exact` applies to `without` as well. */
  find(clause: SearchClause, candidates: SlotSet): Task<SlotSet>;
  /** Indexes for at most about `budgetMs`. @returns whether all is indexed */
  warm(budgetMs: number): boolean;
}

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
/** Longer runs (embedded data) are not worth a vocabulary: records with such are looked at directly. */
const maxWordLength = 64;
/** Looking at one record costs about as much as reading so many entries of the index. */
const entriesPerLook = 1000;
/** Looks, and entries read, between two pauses. */
const stride = 16;
const entriesPerPause = 50_000;
const maxDead = 10_000;

export function createSearch<R extends Identified>(
  spec: TableSpec<R>,
  { rows, live }: Pick<RowStore<R>, 'rows' | 'live'>,
): Search {
  const readers = Object.values(spec.text);
  const columnNumbers = new Map(Object.keys(spec.text).map((name, column) => [name, column]));
  const looks = createLooks(
    readers.map((read) => (slot: number) => read(rows[slot]!)),
    () => rows.length,
  );
  let started = false;
  /** Slots to index. */
  let pending: number[] = [];
  /** Each indexing of a record takes the next document number; 0 in `docOf` stands for a slot that is not indexed. */
  let docs = 0;
  let liveDocs = 0;
  let docOf = new Uint32Array(0);
  let slotOf = new Uint32Array(0);
  /** A bit a document. */
  let dead = new Int32Array(0);
  let plain = new Int32Array(0);
  let vocabulary = createVocabulary();
  let lists = createDeltaLists();
  let pairs = createPairs(lists, readers.length);
  /** By word and column: one more than the number of the list, 0 when there is none. */
  let listOf = new Uint32Array(0);

  function restart(): void {
    started = true;
    pending = [...slotsOf(live())].reverse();
    docs = 0;
    liveDocs = 0;
    docOf = new Uint32Array(rows.length);
    slotOf = new Uint32Array(rows.length + 64);
    dead = new Int32Array(wordsFor(slotOf.length)).fill(1, 0, 1);
    plain = new Int32Array(dead.length);
    vocabulary = createVocabulary();
    lists = createDeltaLists();
    pairs = createPairs(lists, readers.length);
    listOf = new Uint32Array(4096);
  }

  function warm(budgetMs: number): boolean {
    if (!started) restart();
    const end = performance.now() + budgetMs;
    for (let slot = pending.pop(); slot !== undefined; slot = pending.pop()) {
      const row = rows[slot];
      if (row !== undefined && !docOf[slot]) index(slot, row);
      if (performance.now() > end) break;
    }
    if (pending.length > 0) return false;
    // Otherwise the first search would make them all.
    const last = vocabulary.segments - 1;
    for (let segment = 0; segment <= last; segment++) {
      if (vocabulary.prepare(segment) && performance.now() > end) return segment === last;
    }
    return true;
  }

  function index(slot: number, row: R): void {
    const doc = ++docs;
    if (slot >= docOf.length) docOf = grown(docOf, rows.length);
    if (doc >= slotOf.length) {
      slotOf = grown(slotOf, doc);
      dead = grown(dead, wordsFor(slotOf.length));
      plain = grown(plain, wordsFor(slotOf.length));
    }
    let isComplete = true;
    let allPlain = true;
    for (let column = 0; column < readers.length; column++) {
      const stored = readers[column]!(row);
      if (stored === '') continue;
      allPlain &&= isPlain(stored);
      const text = fold(stored);
      let left = -1;
      let end = -1;
      eachWord(text, (from, to, hash) => {
        if (to - from > maxWordLength) {
          isComplete = false;
          return;
        }
        const word = vocabulary.intern(text, from, to, hash);
        note(word * readers.length + column, doc);
        const right = pairs.nameOf(word);
        if (left >= 0 && right >= 0 && from === end + 1) pairs.note(left, right, text.charCodeAt(end), column, doc);
        left = right;
        end = to;
      });
    }
    if (!isComplete) {
      setBit(dead, doc);
      return;
    }
    if (allPlain) setBit(plain, doc);
    docOf[slot] = doc;
    slotOf[doc] = slot;
    liveDocs++;
    if (docs >= choosingAt && !pairs.ready) {
      pairs.choose(docsOfWords(), docs);
      // What is indexed so far is indexed again, with its pairs.
      for (let each = 1; each <= docs; each++) if (!hasBit(dead, each)) drop(slotOf[each]!);
    }
  }

  /** The slot is to be indexed again. */
  function drop(slot: number): void {
    const doc = docOf[slot] ?? 0;
    if (doc !== 0) {
      setBit(dead, doc);
      docOf[slot] = 0;
      liveDocs--;
    }
    pending.push(slot);
  }

  /** Of each word, in how many documents it is (in one column). */
  function docsOfWords(): number[] {
    return Array.from({ length: vocabulary.size }, (_, word) =>
      Math.max(...readers.map((_, column) => lists.count((listOf[word * readers.length + column] ?? 0) - 1) ?? 0)),
    );
  }

  function note(key: number, doc: number): void {
    if (key >= listOf.length) listOf = grown(listOf, key * 1.5);
    const list = listOf[key]!;
    if (list > 0) lists.append(list - 1, doc);
    else listOf[key] = lists.begin(doc) + 1;
  }

  function* listsWith(needle: string, columns: readonly number[]): Task<SearchHits> {
    const found: SearchHits = { common: [], commonLists: [], otherLists: [], entries: 0 };
    for (let segment = 0; segment < vocabulary.segments; segment++) {
      for (const word of vocabulary.containing(needle, segment)) {
        const name = pairs.nameOf(word);
        if (name >= 0) found.common.push(name);
        for (const column of columns) {
          const list = (listOf[word * readers.length + column] ?? 0) - 1;
          if (list < 0) continue;
          found.entries += lists.count(list);
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
  function* mark(marks: Int32Array, missing: number, found: readonly number[], look?: (doc: number) => boolean): Task<void> {
    // Long lists first: with luck they hold every document, and the many short ones need not be read.
    const isLong = (list: number) => lists.count(list) * 64 >= liveDocs;
    const long = found.filter(isLong).sort((a, b) => lists.count(b) - lists.count(a));
    const last = docs;
    let zeros = missing;
    let left = found.reduce((sum, list) => sum + lists.count(list), 0);
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
      const count = lists.count(list);
      left -= count;
      zeros -= lists.mark(list, marks);
      read += count + 8;
      if (read > entriesPerPause) {
        read = 0;
        yield;
      }
    }
  }

  /** Those of `candidates` where the term occurs in some column (`wanted`), or in none. */
  function* keep(candidates: SlotSet, term: Term, columns: readonly number[], wanted: boolean): Task<SlotSet> {
    if (columns.length === 0 || (term.text === '' && !term.whole)) return columns.length > 0 === wanted ? candidates : noSlots;
    const knownPlain = (slot: number) => docOf[slot]! > 0 && hasBit(plain, docOf[slot]!);
    if (sizeOf(candidates) <= fewCandidates) {
      const look = looks.matcher(term, columns);
      return filterList(slotsOf(candidates), (slot) => look(slot, knownPlain(slot)) === wanted);
    }
    const remembered = looks.remembering(term, columns);
    const look = (slot: number) => remembered(slot, knownPlain(slot));
    // Documents that come while this pauses are looked at.
    const last = docs;
    const known = yield* ask(term, columns, sizeOf(candidates), (doc) => look(slotOf[doc]!));
    const isWhole = last === docs && liveDocs === sizeOf(live());
    const few = wanted && isWhole && known !== undefined ? siftFew(candidates, known) : undefined;
    const { kept, open } = few ?? sift(slotsOf(candidates), known, last, wanted);
    let size = kept.length - open.length;
    for (let i = 0; i < open.length; i++) {
      if (look(open[i]!) === wanted) kept[size++] = open[i]!;
      if (i % stride === stride - 1) yield;
    }
    return setOf(kept.subarray(0, size), rows.length);
  }

  /** The same as `sift` for what is wanted, from the few documents that may have it; undefined when these are not few. Every slot must be indexed. */
  function siftFew(candidates: SlotSet, { having, possible }: KnownTerm): { kept: Slots; open: Slots } | undefined {
    const docsFound: number[] = [];
    const most = sizeOf(candidates) / 4;
    for (let word = 0; word < possible.length; word++) {
      for (let bits = possible[word]! & ~dead[word]!; bits !== 0; bits &= bits - 1)
        docsFound.push((word << 5) + 31 - Math.clz32(bits & -bits));
      if (docsFound.length > most) return undefined;
    }
    const kept = new Uint32Array(docsFound.length);
    const open = new Uint32Array(docsFound.length);
    let [size, opened] = [0, 0];
    for (const doc of docsFound) {
      const slot = slotOf[doc]!;
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
  function sift(slots: Slots, known: KnownTerm | undefined, last: number, wanted: boolean): { kept: Slots; open: Slots } {
    if (known === undefined) return { kept: new Uint32Array(slots.length), open: slots };
    const { having, possible } = known;
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
  function* ask(
    term: Term,
    columns: readonly number[],
    candidates: number,
    look: (doc: number) => boolean,
  ): Task<KnownTerm | undefined> {
    const found: SearchHits[] = [];
    for (const needle of term.needles) found.push(yield* listsWith(needle.text, columns));
    let possible: Int32Array | undefined;
    let most = candidates;
    for (const { commonLists, otherLists, entries } of found.slice().sort((a, b) => a.entries - b.entries)) {
      if (possible !== undefined && most * entriesPerLook < entries) break;
      const marks = dead.slice(0, wordsFor(docs + 1));
      yield* mark(marks, liveDocs, commonLists.concat(otherLists), term.decides ? look : undefined);
      possible = possible === undefined ? marks : both(possible, marks);
      most = Math.min(most, entries);
    }
    if (possible === undefined) return undefined;
    if (term.decides) return { having: possible, possible };
    let having: Int32Array = new Int32Array(0);
    for (let i = 0; i + 1 < found.length && most > choosingAt; i++) {
      const { between } = term.needles[i]!;
      if (between < ' ' || !pairs.ready) continue;
      const paired: KnownTerm = yield* askPair(found[i]!, found[i + 1]!, between.charCodeAt(0), columns, possible);
      if (term.isPair) having = paired.having;
      possible = paired.possible;
    }
    return { having, possible };
  }

  /** Documents of `among` that have a word of `left` before one of `right`, or may have. */
  function* askPair(
    left: SearchHits,
    right: SearchHits,
    between: number,
    columns: readonly number[],
    among: Int32Array,
  ): Task<KnownTerm> {
    const having = new Int32Array(among.length);
    yield* mark(having, Infinity, pairs.listsOf(left.common, right.common, between, columns));
    // Words that are not common are in no pair: a document with one of them may have the two as well.
    const possible = having.slice();
    yield* mark(possible, Infinity, left.otherLists);
    yield* mark(possible, Infinity, right.otherLists);
    return { having: both(having, among), possible: both(possible, among) };
  }

  return {
    get started() {
      return started;
    },
    change(slot) {
      looks.forget(slot);
      drop(slot);
      if (docs - liveDocs > liveDocs + maxDead) restart();
    },
    *find({ columns, words, without, exact = false }, candidates) {
      if (sizeOf(candidates) > fewCandidates) warm(searchBudgetMs);
      const numbers = columns.map((name) => columnNumbers.get(name)!);
      const wanted = words.map((word) => ({ term: termOf(word, exact), wanted: true }));
      const unwanted = without.map((word) => ({ term: termOf(word, exact), wanted: false }));
      let left = candidates;
      // What the index decides alone goes first, so that few are left to be looked at.
      for (const { term, wanted: isWanted } of [...wanted, ...unwanted].sort(
        (a, b) => Number(b.term.decides) - Number(a.term.decides),
      )) {
        left = yield* keep(left, term, numbers, isWanted);
      }
      return left;
    },
    warm,
  };
}

/** Bits that are in both. */
function both(a: Int32Array, b: Int32Array): Int32Array {
  const bits = new Int32Array(Math.min(a.length, b.length));
  for (let i = 0; i < bits.length; i++) bits[i] = a[i]! & b[i]!;
  return bits;
}

function grown<T extends Uint32Array | Int32Array>(array: T, length: number): T {
  const bigger = new (array.constructor as new (length: number) => T)(Math.ceil(length * 1.25) + 64);
  bigger.set(array);
  return bigger;
}
