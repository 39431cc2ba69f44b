/**
 * Files on their way to their kinds: in which order they are read, and under which ids.
 */
import { isId } from '../model/ids.ts';
import { logicalPath } from '../model/logical-path.ts';
import type { Records } from '../records/types.ts';
import type { Batch, Blob, Entry } from '../store/types.ts';
import type { IdClaims, Contest } from './claims.ts';
import type { RecordCache } from './record-cache.ts';
import type { Sequences } from './sequences.ts';
import { type FileKind, type FileRecord, spaceOf } from './file-kind.ts';

/** A source on its way to its kind. */
export interface Arrival {
  source: Entry | Blob;
  readonly depth: number;
  /** The id that the file says; 0: none. */
  readonly stated: number;
  /** Whether that is the id of another. */
  readonly isNewcomer: boolean;
  /** 0 until one is given. */
  id: number;
  /** Among the kept records; -1 without one. */
  readonly row: number;
}

/** A file that says an id which is not its own, and what is to be written into it. */
export interface Apart {
  readonly said: unknown;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Arrivals {
  /** Sources by kind in kind order, what is above before what is below; ids that files state are seen before any is given out. */
  sorted(batch: Batch, kept: RecordCache | null, newcomers: ReadonlySet<string>): ReadonlyMap<FileKind, readonly Arrival[]>;
  /** Ids that several files of a batch state and nobody else is served under. */
  rivals(batch: Batch, kept?: RecordCache | null): readonly Contest[];
  /** How many ids a batch needs, by number space. Those that its files state are seen. */
  wanted(batch: Batch, kept?: RecordCache | null, newcomers?: ReadonlySet<string>): Readonly<Record<string, number>>;
  /** Files of a batch that say no date and may need one; none of those that are kept. */
  undated(batch: Batch, kept?: RecordCache | null): readonly string[];
  /** Of ids by path, those that no file of a batch states. Front matter of what is kept is not read for it. */
  unstated(ids: Readonly<Record<string, number>>, batch: Batch, kept: RecordCache | null): Readonly<Record<string, number>>;
}

interface ArrivalOptions {
  readonly kinds: readonly FileKind[];
  readonly kindOf: (path: string) => FileKind | undefined;
  readonly records: Records;
  readonly held: IdClaims;
  readonly apart: ReadonlyMap<string, Apart>;
  readonly sequences: Sequences;
  /** The id of a file that has been read. */
  readonly idOf: (path: string) => number | undefined;
  /** Ids of files that are not there, or that do not state them. */
  readonly former: ReadonlyMap<string, number>;
}

const nobody: ReadonlySet<string> = new Set();

export function createArrivals({ kinds, kindOf, records, held, apart, sequences, idOf, former }: ArrivalOptions): Arrivals {
  return {
    sorted(batch, kept, newcomers) {
      const out = new Map<FileKind, Arrival[]>(kinds.map((kind) => [kind, []]));
      for (const [kind, arrival] of arriving(batch, kept, newcomers)) out.get(kind)?.push(arrival);
      for (const some of out.values()) some.sort((a, b) => a.depth - b.depth || compare(a.source.path, b.source.path));
      return out;
    },
    wanted(batch, kept = null, newcomers = nobody) {
      const counts: Record<string, number> = {};
      for (const [kind, { id }] of arriving(batch, kept, newcomers))
        if (id === 0) counts[spaceOf(kind)] = (counts[spaceOf(kind)] ?? 0) + 1;
      return counts;
    },
    rivals(batch, kept = null) {
      const first = new Map<string, Map<number, string>>();
      const several = new Map<string, { space: string; id: number; paths: string[] }>();
      const gone = new Set(batch.removed);
      for (const source of batch.entries) {
        const kind = kindOf(source.path);
        if (!kind) continue;
        const id = idIn(source, rowOf(kind, source, kept), kept);
        if (id === 0) continue;
        const space = spaceOf(kind);
        const holder = held.holder(space, id);
        if (holder !== undefined && !gone.has(holder)) continue;
        const seen = first.get(space) ?? new Map<number, string>();
        first.set(space, seen);
        const other = seen.get(id);
        if (other === undefined) {
          seen.set(id, source.path);
          continue;
        }
        const contest = several.get(`${space}:${id}`) ?? { space, id, paths: [other] };
        contest.paths.push(source.path);
        several.set(`${space}:${id}`, contest);
      }
      return [...several.values()];
    },
    undated: (batch, kept = null) =>
      batch.entries.flatMap((entry) => {
        const kind = kindOf(entry.path);
        return kind?.isUndated && rowOf(kind, entry, kept) === -1 && kind.isUndated(entry) ? [entry.path] : [];
      }),
    unstated(ids, batch, kept) {
      const given = Object.entries(ids);
      if (given.length === 0) return ids;
      const byPath = new Map(given);
      const stated = new Set<number>();
      for (const entry of batch.entries) {
        const kind = kindOf(entry.path);
        const id = kind ? idIn(entry, rowOf(kind, entry, kept), kept) : 0;
        // What is kept has its id, whether its file says so or not.
        stated.add(byPath.get(entry.path) === id ? statedId(entry) : id);
      }
      return Object.fromEntries(given.filter(([, id]) => !stated.has(id)));
    },
  };

  function* arriving(
    batch: Batch,
    kept: RecordCache | null,
    newcomers: ReadonlySet<string>,
  ): Generator<readonly [FileKind, Arrival]> {
    for (const sources of [batch.entries, batch.blobs]) {
      for (const source of sources) {
        const kind = kindOf(source.path);
        if (!kind) continue;
        const row = rowOf(kind, source, kept);
        const stated = idIn(source, row, kept);
        if (stated > 0) sequences.see(spaceOf(kind), stated);
        const isNewcomer = stated > 0 && isApart(kind, source.path, stated, newcomers);
        const known = isNewcomer ? apart.get(source.path)?.data.id : stated || idOf(source.path);
        const id = (known as number | undefined) ?? formerId(kind, source.path) ?? 0;
        yield [kind, { source, depth: depth(source.path), stated, isNewcomer, id, row }];
      }
    }
  }

  /** Undefined for a file that has none, or whose id has been given to another. */
  function formerId(kind: FileKind, path: string): number | undefined {
    const id = former.size > 0 ? former.get(path) : undefined;
    return id !== undefined && held.holder(spaceOf(kind), id) !== undefined ? undefined : id;
  }

  /** Whether a file states an id that is another's, and has or gets one of its own; what has no file of its own may have the id as well. */
  function isApart(kind: FileKind, path: string, stated: number, newcomers: ReadonlySet<string>): boolean {
    const holder = held.holder(spaceOf(kind), stated);
    if (holder !== undefined) return holder !== path && (newcomers.has(path) || apart.get(path)?.said === stated);
    const other = records.table(spaceOf(kind)).get(stated) as FileRecord | undefined;
    return other !== undefined && other.path !== '' && other.path !== path;
  }
}

/** The id that a file says; 0: none that can be. */
export function statedId(source: Entry | Blob): number {
  const id = 'data' in source ? source.data.id : undefined;
  return isId(id) ? id : 0;
}

/** The id that a file says, or has at `row` of what is kept. */
function idIn(source: Entry | Blob, row: number, kept: RecordCache | null): number {
  return kept !== null && row !== -1 ? kept.id(row) : statedId(source);
}

export function isEntry(source: Entry | Blob): source is Entry {
  return 'etag' in source;
}

function rowOf(kind: FileKind, source: Entry | Blob, kept: RecordCache | null): number {
  return kept !== null && kind.cached && isEntry(source) ? kept.row(source.path, source.etag) : -1;
}

function depth(path: string): number {
  return logicalPath(path).split('/').length;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
