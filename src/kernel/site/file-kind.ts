/**
 * File kinds: which files of the content folder become which records, and how.
 */
import type { Identified } from '../records/types.ts';
import type { PathRow } from './path-table.ts';
import type { Blob, Entry, Problem } from '../store/types.ts';

export interface FileRecord extends Identified {
  /** File of the record, below the content folder. */
  readonly path: string;
  readonly etag: string;
}

export interface FileKind<R extends FileRecord = FileRecord> {
  readonly name: string;
  readonly table: string;
  /** Names of kinds whose files come before these: what is referred to. */
  readonly refersTo?: readonly string[];
  /** Files of all kinds name these: of a large batch they come first and at once, so that a name means what it will mean. */
  readonly isNamedByAll?: boolean;
  /** Front-matter keys in their order, for an id that is written in. */
  readonly keys: readonly string[];
  /** Which files are of this kind; all their ids are of one sequence. */
  readonly paths: readonly PathRow[];
  /**
   * The record a file holds. `id` is the file's own, or one given to it.
   * @throws FieldProblem when a value does not fit
   */
  read(source: Entry | Blob, id: number): R;
  /**
   * Whether a file says no date and needs one, which is then written into it.
   * @param record  absent before the file is read: whether that may be
   */
  isUndated?(source: Entry, record?: R): boolean;
  /** Whether a record has no date of its own yet: it follows the clock. */
  isFloating?(record: R): boolean;
  /** Whether a file names what is read after it. In a large batch it is read once more in the end. */
  namesLater?(source: Entry): boolean;
  /** Whether another record has the slug of this one, so that a copy cannot have it. */
  isSlugTaken?(record: R): boolean;
  /** Called for every source of a batch before any is read, so that they may name one another. */
  announce?(source: Entry | Blob, id: number): void;
  /** How records are kept for the next start; without it they are read from their files each time. */
  readonly cached?: {
    /** A record with what it has from its file and its id alone. */
    blank(source: Entry, id: number): R;
    /** Names of the other values. */
    readonly keys: readonly string[];
    /** Whether no record depends on others of the kind; otherwise all are read when one of their files has changed. */
    readonly isAlone: boolean;
  };
  /** What a record was made of although its file says otherwise, or nothing that can be read. */
  faults?(record: R): readonly Pick<Problem, 'rule' | 'message' | 'hint'>[];
  /** Records whose files a commit of this site has removed. */
  forget?(ids: readonly number[]): Promise<void>;
  /** Ids of records to be read again because this one came, moved or went. */
  touched?(before: R | undefined, after: R | undefined): Iterable<number>;
}

/** The id sequence of a kind. */
export function spaceOf(kind: FileKind): string {
  return kind.paths[0]?.space ?? kind.table;
}
