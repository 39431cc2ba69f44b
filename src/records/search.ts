/**
 * Text search: which records have a piece of text in some of their columns, case and accents aside. The words of every
 * text are numbered, and for each word the records that have it are listed; text within a word is found by scanning the
 * vocabulary, text across words by looking into the records that have its words. The index is begun by the first search
 * and kept up afterwards in slices of time; what is not indexed yet is looked at directly, so answers are always exact.
 */

import type { Clause, Identified, TableSpec } from './types.ts';
import { fold, hasFolded } from './fold.ts';
import { noSlots, type Slots } from './slots.ts';
import { createDeltaLists, createVocabulary, edge, hashStep } from './terms.ts';
import type { Shelf } from './views.ts';

export type SearchClause = Extract<Clause, { kind: 'search' }>;

export interface Search {
  /** Whether changes must be reported. */
  readonly started: boolean;
  /** The record in the slot came, went or has other text now. */
  change(slot: number): void;
  /** Those of `candidates` that satisfy the clause. `exact` applies to `without` as well. */
  find(clause: SearchClause, candidates: Slots): Slots;
  /** Indexes for at most about `budgetMs`. @returns whether all is indexed */
  warm(budgetMs: number): boolean;
}

/** A word or phrase to find: folded, with the needles every record that has it must have in its vocabulary. */
interface Term {
  readonly text: string;
  readonly whole: boolean;
  readonly needles: readonly string[];
  /** The one needle is the whole condition; otherwise candidates are looked at. */
  readonly decides: boolean;
}

/** Up to so many candidates are looked at directly. */
const fewCandidates = 64;
/** Time a search may spend on indexing, while there is something to index. */
const searchBudgetMs = 20;
/** Longer runs (embedded data) are not worth a vocabulary: records with such are looked at directly. */
const maxWordLength = 64;
/** Looking at one record costs about as much as reading so many entries of the index. */
const entriesPerLook = 1000;
const maxDead = 10_000;

export function createSearch<R extends Identified>(spec: TableSpec<R>, { rows, live }: Pick<Shelf<R>, 'rows' | 'live'>): Search {
  const readers = Object.values(spec.text);
  const columnNumbers = new Map(Object.keys(spec.text).map((name, column) => [name, column]));
  let started = false;
  /** Slots to index. */
  let pending: number[] = [];
  /** Each indexing of a record takes the next document number; 0 in `docOf` stands for a slot that is not indexed. */
  let docs = 0;
  let liveDocs = 0;
  let docOf = new Uint32Array(0);
  let slotOf = new Uint32Array(0);
  let dead = new Uint8Array(0);
  let vocabulary = createVocabulary();
  let lists = createDeltaLists();

  function restart(): void {
    started = true;
    pending = [...live()].reverse();
    docs = 0;
    liveDocs = 0;
    docOf = new Uint32Array(rows.length);
    slotOf = new Uint32Array(rows.length + 64);
    dead = new Uint8Array(rows.length + 64).fill(1, 0, 1);
    vocabulary = createVocabulary();
    lists = createDeltaLists();
  }

  function warm(budgetMs: number): boolean {
    if (!started) restart();
    const end = performance.now() + budgetMs;
    for (let slot = pending.pop(); slot !== undefined; slot = pending.pop()) {
      const row = rows[slot];
      if (row !== undefined && !docOf[slot]) index(slot, row);
      if (performance.now() > end) break;
    }
    return pending.length === 0;
  }

  function index(slot: number, row: R): void {
    const doc = ++docs;
    if (slot >= docOf.length) docOf = grown(docOf, rows.length);
    if (doc >= slotOf.length) {
      slotOf = grown(slotOf, doc);
      const more = new Uint8Array(slotOf.length);
      more.set(dead);
      dead = more;
    }
    let complete = true;
    for (let column = 0; column < readers.length; column++) {
      const text = fold(readers[column]!(row));
      eachWord(text, (from, to, hash) => {
        if (to - from > maxWordLength) complete = false;
        else lists.append(vocabulary.intern(text, from, to, hash) * readers.length + column, doc);
      });
    }
    if (!complete) {
      dead[doc] = 1;
      return;
    }
    docOf[slot] = doc;
    slotOf[doc] = slot;
    liveDocs++;
  }

  /** Marks, by document, of those that have the needle within one column (decided by looking where that is cheaper). */
  function markNeedle(needle: string, columns: readonly number[], look: ((slot: number) => boolean) | undefined): Uint8Array {
    const marks = dead.slice(0, docs + 1);
    // Long lists first: with luck they hold every document, and the many short ones need not be read.
    const long: number[] = [];
    const short: number[] = [];
    let entries = 0;
    for (const word of vocabulary.containing(needle)) {
      for (const column of columns) {
        const list = word * readers.length + column;
        const count = lists.count(list);
        entries += count;
        if (count > 0) (count * 64 < liveDocs ? short : long).push(list);
      }
    }
    long.sort((a, b) => lists.count(b) - lists.count(a));
    let missing = liveDocs;
    for (const list of [...long, ...short]) {
      if (missing === 0) break;
      if (look !== undefined && missing * entriesPerLook < entries) {
        for (let doc = 1; doc <= docs; doc++) if (marks[doc] === 0 && look(slotOf[doc]!)) marks[doc] = 1;
        break;
      }
      entries -= lists.count(list);
      missing -= lists.mark(list, marks);
    }
    return marks;
  }

  /** Those of `candidates` where the term occurs in some column (`wanted`), or in none. */
  function keep(candidates: Slots, term: Term, columns: readonly number[], wanted: boolean): Slots {
    const look = (slot: number) =>
      columns.some((column) => {
        const text = readers[column]!(rows[slot]!);
        return term.whole ? fold(text) === term.text : hasFolded(text, term.text);
      });
    if (columns.length === 0 || (term.text === '' && !term.whole)) return columns.length > 0 === wanted ? candidates : noSlots;
    if (candidates.length <= fewCandidates) return candidates.filter((slot) => look(slot) === wanted);

    let marks: Uint8Array | undefined;
    for (const needle of term.needles) {
      const next = markNeedle(needle, columns, term.decides ? look : undefined);
      if (marks !== undefined) for (let doc = 0; doc < next.length; doc++) next[doc]! &= marks[doc]!;
      marks = next;
    }
    return candidates.filter((slot) => {
      const doc = docOf[slot] ?? 0;
      if (doc === 0 || marks === undefined) return look(slot) === wanted;
      return (marks[doc] === 1 && (term.decides || look(slot))) === wanted;
    });
  }

  return {
    get started() {
      return started;
    },
    change(slot) {
      const doc = docOf[slot] ?? 0;
      if (doc !== 0) {
        dead[doc] = 1;
        docOf[slot] = 0;
        liveDocs--;
      }
      pending.push(slot);
      if (docs - liveDocs > liveDocs + maxDead) restart();
    },
    find({ columns, words, without, exact = false }, candidates) {
      if (candidates.length > fewCandidates) warm(searchBudgetMs);
      const numbers = columns.map((name) => columnNumbers.get(name)!);
      const wanted = words.map((word) => ({ term: termOf(word, exact), wanted: true }));
      const unwanted = without.map((word) => ({ term: termOf(word, exact), wanted: false }));
      // What the index decides alone goes first, so that few are left to be looked at.
      return [...wanted, ...unwanted]
        .sort((a, b) => Number(b.term.decides) - Number(a.term.decides))
        .reduce((left, { term, wanted }) => keep(left, term, numbers, wanted), candidates);
    },
    warm,
  };
}

function termOf(word: string, whole: boolean): Term {
  const text = fold(word);
  const needles: string[] = [];
  let covered = false;
  eachWord(text, (from, to) => {
    const alone = to - from === 1 && kindOf(text.charCodeAt(from)) === Kind.alone;
    const left = whole || alone || from > 0 ? edge : '';
    const right = whole || alone || to < text.length ? edge : '';
    needles.push(left + text.slice(from, to) + right);
    covered = to - from === text.length;
  });
  return { text, whole, needles, decides: covered && !whole };
}

/**
 * What a character is to the index. Any fixed choice gives exact answers; this one keeps the vocabulary small: letters and
 * digits make words, characters of scripts written without spaces are words of their own.
 */
const Kind = { between: 0, inWord: 1, alone: 2 } as const;

const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) => Number(/\w/.test(String.fromCharCode(code))));

function kindOf(code: number): number {
  if (code < 0x80) return asciiKinds[code]!;
  if (code < 0xc0 || (code >= 0x2000 && code < 0x2c00) || (code >= 0x3000 && code < 0x3040)) return Kind.between;
  if ((code >= 0x0e00 && code < 0x10a0) || (code >= 0x1780 && code < 0x1800)) return Kind.alone;
  return (code >= 0x2e80 && code < 0xac00) || (code >= 0xf900 && code < 0xfb00) ? Kind.alone : Kind.inWord;
}

function eachWord(text: string, visit: (from: number, to: number, hash: number) => void): void {
  let from = -1;
  let hash = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const kind = kindOf(code);
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

function grown(array: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const bigger = new Uint32Array(Math.ceil(length * 1.25) + 64);
  bigger.set(array);
  return bigger;
}
