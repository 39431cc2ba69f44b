/**
 * The index of a table's texts: the words of every text are numbered, and for each word the records that have it are listed. It is
 * begun by the first search and kept up afterwards in slices of time.
 */

import type { Identified, TableSpec } from './types.ts';
import { choosingAt, createPairs } from './bigram-index.ts';
import { fold, isPlain } from './fold.ts';
import { hasBit, setBit, slotsOf, wordsFor } from './sets.ts';
import type { RowStore } from './table-core.ts';
import { createLooks } from './text-scan.ts';
import { eachWord } from './tokenize.ts';
import { createDeltaLists, createVocabulary } from './vocabulary.ts';

export interface TextIndex<R> extends Pick<RowStore<R>, 'rows' | 'live'> {
  /** Of each column, its text. */
  readonly readers: readonly ((record: R) => string)[];
  /** For records that have to be read. */
  readonly looks: ReturnType<typeof createLooks>;
  started: boolean;
  /** Slots to index. */
  pending: number[];
  /** Each indexing of a record takes the next document number; 0 in `docOf` stands for a slot that is not indexed. */
  docs: number;
  liveDocs: number;
  docOf: Uint32Array;
  slotOf: Uint32Array;
  /** A bit a document. */
  dead: Int32Array;
  plain: Int32Array;
  vocabulary: ReturnType<typeof createVocabulary>;
  lists: ReturnType<typeof createDeltaLists>;
  pairs: ReturnType<typeof createPairs>;
  /** By word and column: one more than the number of the list, 0 when there is none. */
  listOf: Uint32Array;
}

/** Longer runs (embedded data) are not worth a vocabulary: records with such are looked at directly. */
const maxWordLength = 64;
const maxDead = 10_000;

export function createTextIndex<R extends Identified>(
  spec: TableSpec<R>,
  { rows, live }: Pick<RowStore<R>, 'rows' | 'live'>,
): TextIndex<R> {
  const readers = Object.values(spec.text);
  const lists = createDeltaLists();
  return {
    rows,
    live,
    readers,
    looks: createLooks(
      readers.map((read) => (slot: number) => read(rows[slot]!)),
      () => rows.length,
    ),
    started: false,
    pending: [],
    docs: 0,
    liveDocs: 0,
    docOf: new Uint32Array(0),
    slotOf: new Uint32Array(0),
    dead: new Int32Array(0),
    plain: new Int32Array(0),
    vocabulary: createVocabulary(),
    lists,
    pairs: createPairs(lists, readers.length),
    listOf: new Uint32Array(0),
  };
}

/** The record in the slot came, went or has other text now. */
export function changeText<R>(texts: TextIndex<R>, slot: number): void {
  texts.looks.forget(slot);
  dropDocument(texts, slot);
  if (texts.docs - texts.liveDocs > texts.liveDocs + maxDead) restart(texts);
}

/** Indexes for at most about `budgetMs`. @returns whether all is indexed */
export function warmTexts<R>(texts: TextIndex<R>, budgetMs: number): boolean {
  if (!texts.started) restart(texts);
  const end = performance.now() + budgetMs;
  for (let slot = texts.pending.pop(); slot !== undefined; slot = texts.pending.pop()) {
    const row = texts.rows[slot];
    if (row !== undefined && !texts.docOf[slot]) indexRow(texts, slot, row);
    if (performance.now() > end) break;
  }
  if (texts.pending.length > 0) return false;
  // Otherwise the first search would make them all.
  const last = texts.vocabulary.segments - 1;
  for (let segment = 0; segment <= last; segment++) {
    if (texts.vocabulary.prepare(segment) && performance.now() > end) return segment === last;
  }
  return true;
}

function indexRow<R>(texts: TextIndex<R>, slot: number, row: R): void {
  const doc = ++texts.docs;
  if (slot >= texts.docOf.length) texts.docOf = grown(texts.docOf, texts.rows.length);
  if (doc >= texts.slotOf.length) {
    texts.slotOf = grown(texts.slotOf, doc);
    texts.dead = grown(texts.dead, wordsFor(texts.slotOf.length));
    texts.plain = grown(texts.plain, wordsFor(texts.slotOf.length));
  }
  const { readers, vocabulary, pairs } = texts;
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
      noteWord(texts, word * readers.length + column, doc);
      const right = pairs.nameOf(word);
      if (left >= 0 && right >= 0 && from === end + 1) pairs.note(left, right, text.charCodeAt(end), column, doc);
      left = right;
      end = to;
    });
  }
  if (!isComplete) {
    setBit(texts.dead, doc);
    return;
  }
  if (allPlain) setBit(texts.plain, doc);
  texts.docOf[slot] = doc;
  texts.slotOf[doc] = slot;
  texts.liveDocs++;
  if (texts.docs >= choosingAt && !texts.pairs.ready) {
    texts.pairs.choose(docsOfWords(texts), texts.docs);
    // What is indexed so far is indexed again, with its pairs.
    for (let each = 1; each <= texts.docs; each++) if (!hasBit(texts.dead, each)) dropDocument(texts, texts.slotOf[each]!);
  }
}

function restart<R>(texts: TextIndex<R>): void {
  texts.started = true;
  texts.pending = [...slotsOf(texts.live())].reverse();
  texts.docs = 0;
  texts.liveDocs = 0;
  texts.docOf = new Uint32Array(texts.rows.length);
  texts.slotOf = new Uint32Array(texts.rows.length + 64);
  texts.dead = new Int32Array(wordsFor(texts.slotOf.length)).fill(1, 0, 1);
  texts.plain = new Int32Array(texts.dead.length);
  texts.vocabulary = createVocabulary();
  texts.lists = createDeltaLists();
  texts.pairs = createPairs(texts.lists, texts.readers.length);
  texts.listOf = new Uint32Array(4096);
}

/** The slot is to be indexed again. */
function dropDocument<R>(texts: TextIndex<R>, slot: number): void {
  const doc = texts.docOf[slot] ?? 0;
  if (doc !== 0) {
    setBit(texts.dead, doc);
    texts.docOf[slot] = 0;
    texts.liveDocs--;
  }
  texts.pending.push(slot);
}

/** Of each word, in how many documents it is (in one column). */
function docsOfWords<R>(texts: TextIndex<R>): number[] {
  return Array.from({ length: texts.vocabulary.size }, (_, word) =>
    Math.max(
      ...texts.readers.map((_, column) => texts.lists.count((texts.listOf[word * texts.readers.length + column] ?? 0) - 1) ?? 0),
    ),
  );
}

function noteWord<R>(texts: TextIndex<R>, key: number, doc: number): void {
  if (key >= texts.listOf.length) texts.listOf = grown(texts.listOf, key * 1.5);
  const list = texts.listOf[key]!;
  if (list > 0) texts.lists.append(list - 1, doc);
  else texts.listOf[key] = texts.lists.begin(doc) + 1;
}

function grown<T extends Uint32Array | Int32Array>(array: T, length: number): T {
  const bigger = new (array.constructor as new (length: number) => T)(Math.ceil(length * 1.25) + 64);
  bigger.set(array);
  return bigger;
}
