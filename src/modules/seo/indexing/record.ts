/**
 * Index records: what search engines are told of one object, in one row. Nearly all of a row follows from the object as it is now, so
 * only that there is one, its id and the links that were read in its text are kept.
 *
 * Source: reference of seo/v1, 2.5, 2.6
 */
declare module '../../../kernel/site/site.ts' {
  interface Site {
    readonly seoIndex: SeoIndex;
  }
}

/** `post:7`, `term:3`, `archive:book`, `home`, `date`, `search`, `missing`. */
export type IndexKey = string;

/** What is kept of a record. */
export interface IndexRow {
  /** 0 until it is shown. */
  readonly id: number;
  /** GMT, `YYYY-MM-DD HH:MM:SS`. */
  readonly createdAt: string;
  /** Links of the text, where they were read; of an object that has another etag now they are read again. */
  readonly links?: ReadLinks;
}

export interface ReadLinks {
  readonly etag: string;
  /** Addresses within the site, as written; those that stand several times as often. */
  readonly internal: readonly string[];
}

/** A record as clients see it. */
export type Indexable = Readonly<Record<string, unknown>>;

export interface IndexingState {
  readonly indexing_first_time: boolean;
  /** Seconds since the epoch; null while nothing is under way. */
  readonly indexing_started: number | null;
  readonly indexing_reason: string;
  readonly indexables_indexing_completed: boolean;
}

export interface SeoIndex {
  /** Forgets what was deleted on disk. To be awaited before anything is looked for. */
  refresh(): Promise<void>;
  has(key: IndexKey): boolean;
  /** Whether the links of an object have been read. */
  isLinked(key: IndexKey): boolean;
  /** Makes the record of an object, if there is none. @param options  with its links */
  make(key: IndexKey, options?: { readonly isLinked: boolean }): void;
  /** Keeps what was made. Failures of the disk are noted and no more: everything can be made again. */
  save(): Promise<void>;
  /** The records of objects as they are now; those that cannot be made are left out. */
  show(keys: readonly IndexKey[]): Promise<readonly Indexable[]>;
  /** How far indexing has come. */
  state(): Promise<IndexingState>;
  note(state: Partial<IndexingState>): Promise<void>;
}
