/**
 * The indexer keeps memory equal to the disk: every entry, whether a client wrote it or a person, comes in through `ingest`, and
 * only there.
 *
 * Two files may claim one id (copies, merged branches): one is served, the others wait until they get ids of their own.
 */
import type { RecordChange, Records } from '../records/types.ts';
import type { Batch, Entry, Problem, Write } from '../store/types.ts';
import { type Arrival, type Arrivals, createArrivals, isEntry, statedId } from './arrivals.ts';
import { cacheRecords, usableCache } from './cached-records.ts';
import type { Places } from './chunked-ingest.ts';
import type { Contest } from './claims.ts';
import { type FileKind, spaceOf } from './file-kind.ts';
import { dropFile, ingestFile, mostAgain, rereadRecords } from './index-file.ts';
import { type Claim, createIndexerState, type IndexerOptions } from './indexer-state.ts';
import type { RecordCache } from './record-cache.ts';
import type { Sequences } from './sequences.ts';

export interface Indexer extends Places, Omit<Arrivals, 'sorted'> {
  /**
   * Follows what is on disk and returns files that need something written into them: an id, most of all.
   */
  ingest(batch: Batch, options?: IngestOptions): readonly Write[];
  /** Ids that several files state, the one that is served first. */
  contests(): readonly Contest[];
  /** Files to be ingested again because of what was, where these are too many for one go. Each is told once. */
  late(): readonly Entry[];
  /** Records for the next start. Gives way to the event loop. */
  keep(): Promise<readonly Uint8Array[]>;
  /** The id of a file, or that of the one that was there before it went. */
  idOf(path: string): number | undefined;
  /** Whether a file names what is read after it. */
  namesLater(entry: Entry): boolean;
  /**
   * To be called before the files are gone from memory.
   * @returns what to do once they are: kinds forget what they keep of records that went with them
   */
  forgetting(paths: readonly string[]): () => Promise<void>;
  /** Ids of files that do not state them, as an earlier process has given them. */
  remember(ids: Readonly<Record<string, number>>): void;
  /** Files that are gone for good: one that comes in the place of one of them has nothing to do with it. */
  forget(paths: Iterable<string>): void;
  /** How many records have not been read, because they were kept. */
  restored(): number;
  /** Reads the files of records again: what they say depends on the time. */
  refresh(table: string, ids: readonly number[]): void;
  /** What is wrong with a value of a readable file, so that nothing was made of it. */
  faultOf(path: string): Problem | undefined;
  /** Problems of values and ids in readable files. */
  problems(): readonly Problem[];
  readonly sequences: Sequences;
}

export interface IngestOptions {
  /** At the start: records that need not be read, as far as their files and what they refer to are as they were. */
  readonly kept?: RecordCache | null;
  /** Of files that state one id: path → the one that keeps it. */
  readonly keepers?: ReadonlyMap<string, string>;
  /** Files that state the id of another and get one of their own. */
  readonly newcomers?: ReadonlySet<string>;
  /** Others see to ids: a file without one waits until it has got it. */
  readonly isSettled?: boolean;
}

const nothing: ReadonlyMap<string, string> = new Map();
const nobody: ReadonlySet<string> = new Set();

/** @param kinds  in the order in which their files are read: what is referred to comes first */
export function createIndexer(kinds: readonly FileKind[], records: Records, options: IndexerOptions): Indexer {
  const state = createIndexerState(kinds, records, options);
  const { kindOf, claims, former, held, sequences } = state;
  const ranks = new Map(kinds.map((kind, rank) => [kind, rank]));
  const { sorted, ...asked } = createArrivals({ ...state, idOf: (path) => claims.get(path)?.id });

  return {
    ...asked,
    ingest(batch, { kept = null, keepers = nothing, newcomers = nobody, isSettled = false } = {}) {
      const unnumbered: Write[] = [];
      for (const path of batch.removed) {
        dropFile(state, path);
        state.apart.delete(path);
      }
      for (const [kind, all] of sorted(batch, kept, newcomers)) {
        const some = isSettled ? all.filter(({ id }) => id > 0) : all;
        const usable = kept === null || some.length === 0 ? null : usableCache(state, kind, some, kept);
        for (const arrival of some) arrival.id ||= sequences.next(spaceOf(kind));
        if (kind.announce) for (const { source, id } of some) kind.announce(source, id);
        // Level by level, so that a parent's record is there when its children are read.
        for (let at = 0; at < some.length; ) {
          const level = some[at]?.depth;
          const changes: RecordChange[] = [];
          const again = new Set<number>();
          for (; some[at]?.depth === level; at++) {
            const arrival = some[at] as Arrival;
            ingestFile(state, kind, arrival, { changes, again, unnumbered, kept: usable, keepers });
            // The next copy must not get the same slug.
            if (arrival.isNewcomer) records.apply(changes.splice(0));
          }
          records.apply(changes);
          rereadRecords(state, kind.table, again);
        }
      }
      return unnumbered;
    },
    contests: () => held.contests(),
    late() {
      const entries = state.late;
      state.late = [];
      return entries;
    },
    rank: (path) => ranks.get(kindOf(path) as FileKind) ?? kinds.length,
    isNamed: (rank) => kinds[rank]?.isNamedByAll ?? false,
    isServed(source) {
      const known = claims.get(source.path);
      return isSame(known, source) && known?.record?.etag === source.etag;
    },
    holder(source) {
      const known = claims.get(source.path);
      const kind = known?.kind ?? kindOf(source.path);
      // Reading the values of a whole folder at once only to find the same ids would fill the memory with them.
      const id = known?.isSettled && isSame(known, source) ? known.id : kind && statedId(source);
      if (!id) return undefined;
      sequences.see(spaceOf(kind as FileKind), id);
      return held.holder(spaceOf(kind as FileKind), id);
    },
    namesLater: (entry) => kindOf(entry.path)?.namesLater?.(entry) ?? false,
    forgetting(paths) {
      const gone = paths.flatMap((path) => claims.get(path) ?? []).filter(({ kind }) => kind.forget);
      return async () => {
        for (const kind of new Set(gone.map((claim) => claim.kind))) {
          const ids = gone.flatMap((claim) => (claim.kind === kind ? claim.id : []));
          await kind.forget?.(ids.filter((id) => !records.table(kind.table).get(id)));
        }
      };
    },
    idOf: (path) => claims.get(path)?.id ?? former.get(path),
    remember(ids) {
      for (const [path, id] of Object.entries(ids)) {
        const kind = kindOf(path);
        if (!kind) continue;
        former.set(path, id);
        sequences.see(spaceOf(kind), id);
      }
    },
    forget(paths) {
      for (const path of paths) former.delete(path);
    },
    keep: () => cacheRecords(state),
    restored: () => state.restored,
    refresh(table, ids) {
      for (let at = 0; at < ids.length; at += mostAgain) rereadRecords(state, table, new Set(ids.slice(at, at + mostAgain)));
    },
    faultOf: (path) => state.faults.get(path),
    problems: () => [...state.faults.values(), ...[...state.doubtful.values()].flat()],
    sequences,
  };
}

function isSame(claim: Claim | undefined, { etag }: Entry): boolean {
  return claim !== undefined && isEntry(claim.source) && claim.source.etag === etag;
}
