/**
 * The index of a table's texts: the words of every text are numbered, and for each word the records that have it are listed. It is
 * begun by the first search and kept up afterwards in slices of time.
 */

import type { Identified, TableSpec } from './types.ts';
import { choosingAt, createPairs } from './bigram-index.ts';
import { fold, isPlain } from './fold.ts';
import { addBit, bitsOf, removeBit } from './postings.ts';
import { hasBit, noSlots, setBit, type Slots, slotsOf, wordsFor } from './sets.ts';
import type { RowStore } from './table-core.ts';
import { createLooks } from './text-scan.ts';
import { eachWord } from './tokenize.ts';
import { createDeltaLists, createVocabulary, grown } from './vocabulary.ts';

export type TextPart = ReturnType<typeof createPart>;

export interface TextIndex<R> extends Pick<RowStore<R>, 'rows' | 'live'>, ReturnType<typeof beginning> {
  /** Of each column, its text. */
  readonly readers: readonly ((record: R) => string)[];
  /** For records that have to be read. */
  readonly looks: ReturnType<typeof createLooks>;
  started: boolean;
}

/** Longer runs (embedded data) are not worth a vocabulary: records with such are looked at directly. */
const maxWordLength = 64;
/** So many dead documents are never worth a new part. More than die when the common words are chosen. */
const maxDead = 2 * choosingAt;

export function createTextIndex<R extends Identified>(
  spec: TableSpec<R>,
  { rows, live }: Pick<RowStore<R>, 'rows' | 'live'>,
): TextIndex<R> {
  const readers = Object.values(spec.text);
  const looks = createLooks(
    readers.map((read) => (slot: number) => read(rows[slot]!)),
    () => rows.length,
  );
  return { rows, live, readers, looks, started: false, ...beginning(readers.length, noSlots) };
}

function beginning(columns: number, slots: Slots) {
  return {
    /** Slots to index, each once. */
    pending: [...slots].reverse(),
    isPending: bitsOf(slots),
    /** Slots that have been indexed. */
    known: bitsOf(noSlots),
    /** What each slot held first. */
    main: createPart(columns),
    /**
     * What slots hold that have changed since. Mostly few records change again and again, and each time a document dies: this part is
     * small and made anew before long, where the one of all records would grow to twice its size first.
     */
    recent: createPart(columns),
  };
}

/** Documents and the words in them. Each indexing of a record takes the next document number; what is dead goes with the whole part. */
function createPart(columns: number) {
  const lists = createDeltaLists();
  return {
    /** Of a record's text: a list is of a word in a column. */
    columns,
    docs: 0,
    liveDocs: 0,
    /** By slot; 0 or nothing stands for a slot that is not indexed here. */
    docOf: new Uint32Array(0),
    slotOf: new Uint32Array(0),
    /** A bit a document. No document has the number 0. */
    dead: Int32Array.of(1),
    plain: new Int32Array(1),
    /** Slots whose texts have words too long for the index: their document is none of what died. */
    unindexed: new Set<number>(),
    vocabulary: createVocabulary(),
    lists,
    pairs: createPairs(lists, columns),
    /** By word and column: one more than the number of the list, 0 when there is none. */
    listOf: new Uint32Array(0),
  };
}

/** The record in the slot came, went or has other text now. */
export function changeText<R>(texts: TextIndex<R>, slot: number): void {
  texts.looks.forget(slot);
  const { main, recent } = texts;
  dropDocument(main, slot);
  dropDocument(recent, slot);
  enqueue(texts, slot);
  // The work on a part is spread over the changes that wear it out: the larger it is, the more of them.
  if (deadOf(main) > main.liveDocs / 2 + maxDead) restart(texts);
  else if (deadOf(recent) > recent.liveDocs + maxDead) {
    texts.recent = createPart(recent.columns);
    for (let doc = 1; doc <= recent.docs; doc++) if (!hasBit(recent.dead, doc)) enqueue(texts, recent.slotOf[doc]!);
    for (const each of recent.unindexed) enqueue(texts, each);
  }
}

/** Indexes for at most about `budgetMs`. @returns whether all is indexed */
export function warmTexts<R>(texts: TextIndex<R>, budgetMs: number): boolean {
  if (!texts.started) restart(texts);
  const end = performance.now() + budgetMs;
  for (let slot = texts.pending.pop(); slot !== undefined; slot = texts.pending.pop()) {
    removeBit(texts.isPending, slot);
    const row = texts.rows[slot];
    if (row !== undefined) indexRow(texts, slot, row);
    if (performance.now() > end) break;
  }
  if (texts.pending.length > 0) return false;
  // Otherwise the first search would make them all.
  for (const { vocabulary } of [texts.recent, texts.main]) {
    for (let segment = 0; segment < vocabulary.segments; segment++)
      if (vocabulary.prepare(segment) && performance.now() > end) return false;
  }
  return true;
}

function indexRow<R>(texts: TextIndex<R>, slot: number, row: R): void {
  const part = hasBit(texts.known.words, slot) ? texts.recent : texts.main;
  addBit(texts.known, slot);
  const doc = ++part.docs;
  if (slot >= part.docOf.length) part.docOf = grown(part.docOf, roomFor(texts.rows.length));
  if (doc >= part.slotOf.length) {
    part.slotOf = grown(part.slotOf, roomFor(doc));
    part.dead = grown(part.dead, wordsFor(part.slotOf.length));
    part.plain = grown(part.plain, wordsFor(part.slotOf.length));
  }
  const { vocabulary, pairs, columns } = part;
  let isComplete = true;
  let allPlain = true;
  for (let column = 0; column < columns; column++) {
    const stored = texts.readers[column]!(row);
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
      noteWord(part, word * columns + column, doc);
      const right = pairs.nameOf(word);
      if (left >= 0 && right >= 0 && from === end + 1) pairs.note(left, right, text.charCodeAt(end), column, doc);
      left = right;
      end = to;
    });
  }
  if (!isComplete) {
    setBit(part.dead, doc);
    part.unindexed.add(slot);
    return;
  }
  if (allPlain) setBit(part.plain, doc);
  part.docOf[slot] = doc;
  part.slotOf[doc] = slot;
  part.liveDocs++;
  if (part.liveDocs >= choosingAt && !part.pairs.ready) chooseCommon(texts, part);
}

/** What is indexed so far is indexed again, with its pairs. */
function chooseCommon<R>(texts: TextIndex<R>, part: TextPart): void {
  part.pairs.choose(docsOfWords(part), part.docs);
  for (let doc = 1; doc <= part.docs; doc++) {
    if (hasBit(part.dead, doc)) continue;
    const slot = part.slotOf[doc]!;
    dropDocument(part, slot);
    if (part === texts.main) removeBit(texts.known, slot);
    enqueue(texts, slot);
  }
}

function restart<R>(texts: TextIndex<R>): void {
  Object.assign(texts, { started: true, ...beginning(texts.readers.length, slotsOf(texts.live())) });
}

function dropDocument(part: TextPart, slot: number): void {
  part.unindexed.delete(slot);
  const doc = part.docOf[slot] ?? 0;
  if (doc === 0) return;
  setBit(part.dead, doc);
  part.docOf[slot] = 0;
  part.liveDocs--;
}

const roomFor = (count: number): number => Math.ceil(count * 1.25) + 64;
const deadOf = ({ docs, liveDocs, unindexed }: TextPart): number => docs - liveDocs - unindexed.size;

function enqueue<R>({ pending, isPending }: TextIndex<R>, slot: number): void {
  if (hasBit(isPending.words, slot)) return;
  addBit(isPending, slot);
  pending.push(slot);
}

/** Of each word, in how many documents it is (in one column). */
function docsOfWords({ vocabulary, columns, lists, listOf }: TextPart): number[] {
  return Array.from({ length: vocabulary.size }, (_, word) => {
    let most = 0;
    for (let column = 0; column < columns; column++)
      most = Math.max(most, lists.count((listOf[word * columns + column] ?? 0) - 1) ?? 0);
    return most;
  });
}

function noteWord(part: TextPart, key: number, doc: number): void {
  if (key >= part.listOf.length) part.listOf = grown(part.listOf, roomFor(key * 1.5));
  const list = part.listOf[key]!;
  if (list > 0) part.lists.append(list - 1, doc);
  else part.listOf[key] = part.lists.begin(doc) + 1;
}
