/**
 * Tables of frozen records, their indexes, and the queries a list can ask.
 */

export interface Identified {
  readonly id: number;
}

export type Key = string | number;

/** How a table finds and sorts its records. Every function must be pure in the record. */
export interface TableSpec<R extends Identified> {
  readonly name: string;
  /** Value → the one record that has it (first by id when several do). Undefined: not indexed. */
  readonly unique: Readonly<Record<string, (record: R) => string | undefined>>;
  /** Values → posting lists. */
  readonly equal: Readonly<Record<string, (record: R) => Key | readonly Key[] | undefined>>;
  /** Sort keys; ties are broken by id in the same direction as the order. Strings compare by code unit: fold case in the function. */
  readonly order: Readonly<Record<string, (record: R) => Key>>;
  /** Texts searched, by column name; plain text or markup as stored. */
  readonly text: Readonly<Record<string, (record: R) => string>>;
  /** Visitors search these texts: the search is prepared before the first of them does. */
  readonly isSearched?: boolean;
  /** Combinations of equal-indexes for which ordered views are kept: the default lists. */
  readonly views: readonly { readonly by: readonly string[]; readonly order: string }[];
}

export type Clause =
  /** Some value of the index is one of `values` (none of them, when `not`). */
  | { readonly kind: 'in'; readonly index: string; readonly values: readonly Key[]; readonly not?: boolean }
  /** All `values` are among the index's values of the record. */
  | { readonly kind: 'all'; readonly index: string; readonly values: readonly Key[] }
  /** The sort key lies strictly between the bounds (inclusive ends with `inclusive`). */
  | { readonly kind: 'range'; readonly order: string; readonly after?: Key; readonly before?: Key; readonly inclusive?: boolean }
  | { readonly kind: 'ids'; readonly values: readonly number[]; readonly not?: boolean }
  /** Every word (or phrase) occurs, case-insensitively, inside some of the columns; none of `without` does. */
  | {
      readonly kind: 'search';
      readonly columns: readonly string[];
      readonly words: readonly string[];
      readonly without: readonly string[];
      /** The whole column equals the word. */
      readonly exact?: boolean;
    }
  | { readonly kind: 'any'; readonly of: readonly (readonly Clause[])[] }
  /** Last resort: evaluated record by record after everything else. */
  | { readonly kind: 'test'; readonly test: (record: never) => boolean };

/** First the records that satisfy the first list of clauses, then of the others those that satisfy the second, and so on. */
export interface Tiers {
  readonly tiers: readonly (readonly Clause[])[];
}

export interface Sort {
  /** A sort key of the table, or ids in the order wanted, or tiers, or a score (higher first) computed per record. */
  readonly by: string | readonly number[] | Tiers | ((record: never) => number);
  readonly direction: 'asc' | 'desc';
  /** Further keys before the tie is broken by id. */
  readonly then?: readonly { readonly by: string; readonly direction: 'asc' | 'desc' }[];
}

export interface Query {
  readonly where: readonly Clause[];
  readonly sort: Sort;
  readonly offset: number;
  /** Undefined: all. */
  readonly limit?: number;
}

export interface ResultPage<R> {
  readonly records: readonly R[];
  /** Records that satisfy the clauses, before paging. */
  readonly total: number;
}

export interface Table<R extends Identified> {
  readonly size: number;
  get(id: number): R | undefined;
  /** The record whose unique `index` has `value`. */
  by(index: string, value: string): R | undefined;
  /** Ids with `value` in the equal-`index`; treat as read-only. */
  with(index: string, value: Key): ReadonlySet<number>;
  count(index: string, value: Key): number;
  /** The lowest id with `value` in the equal-`index`. */
  lowest(index: string, value: Key): number | undefined;
  query(query: Query): ResultPage<R>;
  /**
   * The same in slices of a few milliseconds, between which other requests are served: for whatever may look into texts or at
   * many records. What takes no longer than a pause is there at once; else the page is that of the moment the promise resolves.
   */
  find(query: Query): ResultPage<R> | Promise<ResultPage<R>>;
  all(): Iterable<R>;
}

/** One change of memory: a record put in place of the one with its id, or an id removed. */
export type RecordChange<R extends Identified = Identified> =
  | { readonly table: string; readonly put: R }
  | { readonly table: string; readonly remove: number };

export interface Records {
  /** Rises by one with every apply; whatever is derived from records is valid for one generation. */
  readonly generation: number;
  /** The same of one table: rises with every apply that changes it, and with one that changes nothing (what records say is read otherwise now). */
  generationOf(table: string): number;
  table<R extends Identified>(name: string): Table<R>;
  /** The only door to memory. Synchronous; records are frozen on the way in. */
  apply(changes: readonly RecordChange[]): void;
  /**
   * Prepares the text search of tables that visitors search ahead of the first search, a slice at a time, so that the event loop
   * stays free.
   *
   * @param budgetMs  about how long one call may take
   * @returns whether everything is prepared; searches are exact at any time, only slower before
   */
  warm(budgetMs: number): boolean;
}
