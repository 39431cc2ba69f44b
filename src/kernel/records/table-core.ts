/**
 * What the parts of a table see of one another: its rows in slots, its sorted indexes, its text search.
 */

import type { Clause, Identified, Key, TableSpec } from './types.ts';
import type { Slots, SlotSet } from './sets.ts';
import type { Task } from '../scheduler.ts';

/** What an equal-index says of a record. */
export type Values = Key | readonly Key[] | undefined;

/** What a record is found and sorted by, computed once per change. */
export interface Facets {
  /** What each equal-index says, in the order of the spec. */
  readonly equal: readonly Values[];
  /** Only the orders in use; see `SortedIndexes.orders`. */
  readonly keys: Readonly<Record<string, Key>>;
}

/** The rows of a table. `rows` and `ids` are indexed by slot. */
export interface RowStore<R> {
  readonly rows: (R | undefined)[];
  readonly ids: number[];
  live(): SlotSet;
  with(index: string, value: Key): SlotSet;
  /** Whether the record in the slot has the value. */
  has(index: string, value: Key, slot: number): boolean;
}

export interface SortedIndexes {
  /** @throws Error for an order the table does not have */
  check(order: string): void;
  /** Sort keys by slot. */
  keys(order: string): readonly Key[];
  fill(order: string): Task<readonly Key[]>;
  /** Orders whose keys are kept, and so belong into facets. */
  orders(): Iterable<string>;
  /** Whether there is a view of `order` for exactly these equal-indexes. */
  covers(order: string, indexes: readonly string[]): boolean;
  /** The view of `order` for exactly these values of these indexes, if it is there. */
  ready(order: string, values: ReadonlyMap<string, Key>): Slots | undefined;
  /**
   * The narrowest view of `order` that holds all records with all of `values` (index → value); the whole table's at worst.
   * Slots ascending by key, then id; valid until the next change. What was built of it stays when the work is given up.
   */
  find(order: string, values: ReadonlyMap<string, Key>): Task<Slots>;
  /** A record came (no `before`), went (no `after`) or changed in its slot. */
  change(slot: number, before: Facets | undefined, after: Facets | undefined): void;
  /** Forgets the views, to be sorted afresh when wanted: cheaper than very many insertions. */
  drop(): void;
  /** Drops what has not been wanted for long. Called once per apply. */
  age(): void;
}

type SearchClause = Extract<Clause, { kind: 'search' }>;

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

/** The table as its planner sees it. */
export interface Core<R extends Identified> extends RowStore<R> {
  readonly spec: TableSpec<R>;
  readonly views: SortedIndexes;
  readonly search: Search;
  slotOf(id: number): number | undefined;
  /** @throws Error for an index the table does not have */
  with(index: string, value: Key): SlotSet;
  count(index: string, value: Key): number;
}
