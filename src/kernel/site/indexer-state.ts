/**
 * What the indexer knows: which file states which id, what was made of it, and what waits.
 */
import { createPathLookup } from './path-table.ts';
import type { Records } from '../records/types.ts';
import type { Blob, Entry, Problem } from '../store/types.ts';
import type { Apart } from './arrivals.ts';
import { type IdClaims, createClaims } from './claims.ts';
import type { FileKind, FileRecord } from './file-kind.ts';
import { createSequences, type Sequences } from './sequences.ts';

/** What the indexer asks of the site. */
export interface IndexerOptions {
  /** Rises when reading a record had an effect beside it, so that it has to be read to have it again. */
  readonly effects: () => number;
  /** What records depend on beside files, as text. */
  readonly basis: () => string;
  /** The date of a file that says none. @param wasFloating  what was served of it had no date of its own yet */
  readonly dateOf?: (source: Entry, wasFloating: boolean) => string;
  /** Told of each file that says an id which is not its own. */
  readonly renumbered?: (file: Renumbered) => void;
}

/** A file that says an id which is not its own, or none that can be. */
export interface Renumbered {
  readonly path: string;
  readonly said: unknown;
  /** The one it has got. */
  readonly id: number;
  /** The file whose id it is. */
  readonly keeper: string | undefined;
}

/** What was made of a file. */
export interface Claim {
  readonly kind: FileKind;
  readonly id: number;
  /** Whether the file says its id, and reading it had no other effect. */
  readonly isSettled: boolean;
  readonly source: Entry | Blob;
  /** Null when the values do not fit; the last good record stays in service. */
  readonly record: FileRecord | null;
}

export interface IndexerState {
  /** In the order in which their files are read: what is referred to comes first. */
  readonly kinds: readonly FileKind[];
  readonly kindOf: (path: string) => FileKind | undefined;
  readonly records: Records;
  readonly options: IndexerOptions;
  readonly claims: Map<string, Claim>;
  /** Ids of files that went. Git takes a file away and puts another in its place, and a stash or a branch may bring it back. */
  readonly former: Map<string, number>;
  readonly held: IdClaims;
  readonly apart: Map<string, Apart>;
  /** Of files that no record could be made of. */
  readonly faults: Map<string, Problem>;
  /** What is wrong with records that were made although their files say otherwise, by path. */
  readonly doubtful: Map<string, readonly Problem[]>;
  readonly sequences: Sequences;
  /** Kinds whose files cached records refer to: those before the first one with cached records. */
  readonly below: ReadonlySet<FileKind>;
  /** The basis when the site was opened. */
  readonly basis: string;
  /** A name that files refer to has stood for something else since. */
  isDisturbed: boolean;
  /** How many files of a kind have come or gone. */
  readonly ingested: Map<FileKind, number>;
  /** Files to be ingested again, too many for one go. */
  late: Entry[];
  /** Records that were not read, because they were cached. */
  restored: number;
}

export function createIndexerState(kinds: readonly FileKind[], records: Records, options: IndexerOptions): IndexerState {
  const held = createClaims();
  const firstCached = kinds.findIndex(({ cached }) => cached);
  return {
    kinds,
    kindOf: createPathLookup(kinds.flatMap((kind) => kind.paths.map((row) => [row, kind] as const))),
    records,
    options,
    claims: new Map(),
    former: new Map(),
    held,
    apart: new Map(),
    faults: new Map(),
    doubtful: new Map(),
    sequences: createSequences((space, id) => held.holder(space, id) !== undefined || records.table(space).get(id) !== undefined),
    below: new Set(kinds.slice(0, Math.max(0, firstCached))),
    basis: options.basis(),
    isDisturbed: false,
    ingested: new Map(),
    late: [],
    restored: 0,
  };
}

/** What files refer to a record by, beside its id and path. */
export function namesOf(record: FileRecord): readonly string[] {
  const { taxonomy = '', slug, aliases = [] } = record as { taxonomy?: string; slug?: string; aliases?: readonly string[] };
  return slug === undefined || slug === '' ? [] : [slug, ...aliases].map((name) => `${taxonomy} ${name}`);
}
