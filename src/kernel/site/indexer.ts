/**
 * The indexer keeps memory equal to the disk: every entry, whether a client wrote it or a person, comes in through `ingest`, and only there.
 *
 * Two files may claim one id (copies, merged branches): one is served, the others wait until they get ids of their own.
 */
import { FieldProblem, same } from '../model/field.ts';
import { hash } from '../store/bytes.ts';
import { createPace } from '../store/scheduler.ts';
import type { Change, Records } from '../records/types.ts';
import type { Batch, Blob, Entry, Problem, Write } from '../store/types.ts';
import { type Apart, type Arrival, createArrivals, isEntry, statedId } from './arrivals.ts';
import { type Contest, createClaims } from './claims.ts';
import { type RecordCache, type CachedRow, printRecords } from './record-cache.ts';
import { type FileKind, type FileRecord, spaceOf } from './file-kind.ts';
import { laidOver } from './laid-over.ts';
import type { Places } from './chunked-ingest.ts';
import { createPathLookup } from './path-table.ts';
import { createSequences, type Sequences } from './sequences.ts';

export interface Indexer extends Places {
  /**
   * Takes in what is on disk and returns files that need something written into them: an id, most of all.
   */
  ingest(batch: Batch, options?: Absorbing): readonly Write[];
  /** Ids that several files of a batch state and nobody else is served under. */
  rivals(batch: Batch, kept?: RecordCache | null): readonly Contest[];
  /** Files of a batch that may need a date. */
  undated(batch: Batch, kept?: RecordCache | null): readonly string[];
  /** Ids that several files state, the one that is served first. */
  contests(): readonly Contest[];
  /** Files to be ingested again because of what was, where these are too many for one go. Each is told once. */
  late(): readonly Entry[];
  /** Records for the next start. Gives way to the event loop. */
  keep(): Promise<readonly Uint8Array[]>;
  /** The id of a file, or that of the one that was there before it went. */
  idOf(path: string): number | undefined;
  /** Ids of files that do not state them, as an earlier process has given them. */
  remember(ids: Readonly<Record<string, number>>): void;
  /** Files that are gone for good: one that comes in the place of one of them has nothing to do with it. */
  forget(paths: Iterable<string>): void;
  /** How many records have not been read, because they were kept. */
  restored(): number;
  /** Reads the files of records again: what they say depends on the time. */
  refresh(table: string, ids: readonly number[]): void;
  /** Problems of values and ids in readable files. */
  problems(): readonly Problem[];
  readonly sequences: Sequences;
}

export interface Absorbing {
  /** At the start: records that need not be read, as far as their files and what they refer to are as they were. */
  readonly kept?: RecordCache | null;
  /** Of files that state one id: path → the one that keeps it. */
  readonly keepers?: ReadonlyMap<string, string>;
  /** Files that state the id of another and get one of their own. */
  readonly newcomers?: ReadonlySet<string>;
}

/** What the keeping of records asks; the files of kinds before the first one with kept records count as well. */
export interface IndexerOptions {
  /** Rises when reading a record had an effect beside it, so that it has to be read to have it again. */
  readonly effects: () => number;
  /** What records depend on beside files, in words. */
  readonly basis: () => string;
  /** What a newcomer does not take from the file that it is a copy of. */
  readonly apart?: (record: FileRecord, original: FileRecord | undefined, table: string) => Readonly<Record<string, unknown>>;
  /** The date of a file that says none. @param former  what was served of it */
  readonly dateOf?: (source: Entry, former: FileRecord | undefined) => string;
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

interface Claim {
  readonly kind: FileKind;
  readonly id: number;
  /** Whether the file says its id, and reading it had no other effect. */
  readonly isSettled: boolean;
  readonly source: Entry | Blob;
  /** Null when the values do not fit; the last good record stays in service. */
  readonly record: FileRecord | null;
}

/** Where what a source gives goes to. */
interface Taking {
  readonly changes: Change[];
  readonly again: Set<number>;
  readonly unnumbered: Write[];
  readonly kept: RecordCache | null;
  readonly keepers: ReadonlyMap<string, string>;
}

const nothing: ReadonlyMap<string, string> = new Map();
const nobody: ReadonlySet<string> = new Set();
/** So many files that went are remembered. */
const maxFormer = 10_000;
/** So many records are read again at once. */
const mostAgain = 128;

/** @param kinds  in the order in which their files are read: what is referred to comes first */
export function createIndexer(kinds: readonly FileKind[], records: Records, options: IndexerOptions): Indexer {
  const claims = new Map<string, Claim>();
  /** Ids of files that went. Git takes a file away and puts another in its place, and a stash or a branch may bring it back. */
  const former = new Map<string, number>();
  const held = createClaims();
  const apart = new Map<string, Apart>();
  const faults = new Map<string, Problem>();
  const sequences = createSequences(
    (space, id) => held.holder(space, id) !== undefined || records.table(space).get(id) !== undefined,
  );
  const kindOf = createPathLookup(kinds.flatMap((kind) => kind.paths.map((row) => [row, kind] as const)));
  const ranks = new Map(kinds.map((kind, rank) => [kind, rank]));
  const arrivals = createArrivals({
    kinds,
    kindOf,
    records,
    held,
    apart,
    sequences,
    idOf: (path) => claims.get(path)?.id,
    former,
  });
  /** FileKinds whose files kept records refer to. */
  const below = new Set(
    kinds.slice(
      0,
      Math.max(
        0,
        kinds.findIndex(({ cached: kept }) => kept),
      ),
    ),
  );
  const basis = options.basis();
  let isDisturbed = false;
  /** How many files of a kind have come or gone. */
  const ingested = new Map<FileKind, number>();
  let late: Entry[] = [];
  let restoredCount = 0;

  return {
    ingest(batch, { kept = null, keepers = nothing, newcomers = nobody } = {}) {
      const unnumbered: Write[] = [];
      for (const path of batch.removed) {
        drop(path);
        apart.delete(path);
      }
      for (const [kind, some] of arrivals.sorted(batch, kept, newcomers)) {
        const spared = kept === null || some.length === 0 ? null : standing(kind, some, kept);
        for (const arrival of some) arrival.id ||= sequences.next(spaceOf(kind));
        if (kind.announce) for (const { source, id } of some) kind.announce(source, id);
        // Level by level, so that a parent's record is there when its children are read.
        for (let at = 0; at < some.length; ) {
          const level = some[at]?.depth;
          const changes: Change[] = [];
          const again = new Set<number>();
          for (; some[at]?.depth === level; at++) {
            const arrival = some[at] as Arrival;
            take(kind, arrival, { changes, again, unnumbered, kept: spared, keepers });
            // The next copy must not get the same slug.
            if (arrival.isNewcomer) records.apply(changes.splice(0));
          }
          records.apply(changes);
          reread(kind.table, again);
        }
      }
      return unnumbered;
    },
    rivals: arrivals.rivals,
    undated: arrivals.undated,
    contests: () => held.contests(),
    late() {
      const entries = late;
      late = [];
      return entries;
    },
    rank: (path) => ranks.get(kindOf(path) as FileKind) ?? kinds.length,
    isNamed: (rank) => kinds[rank] !== undefined && kinds[rank].table !== 'posts' && below.has(kinds[rank]),
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
    keep,
    restored: () => restoredCount,
    refresh(table, ids) {
      for (let at = 0; at < ids.length; at += mostAgain) reread(table, new Set(ids.slice(at, at + mostAgain)));
    },
    problems: () => [...faults.values(), ...remarks()],
    sequences,
  };

  /** The kept records, where those of a kind may stand for their files. */
  function standing(kind: FileKind, some: readonly Arrival[], kept: RecordCache): RecordCache | null {
    if (!kind.cached || kept.foundation !== foundation()) return null;
    return kind.cached.isAlone || some.every(({ row }) => row !== -1) ? kept : null;
  }

  /** Digest of what kept records refer to. */
  function foundation(): string {
    const lines: string[] = [];
    for (const { kind, id, source } of claims.values())
      if (below.has(kind)) lines.push(`${source.path} ${id} ${'etag' in source ? source.etag : ''}`);
    return hash(Buffer.from([options.basis(), ...lines.sort()].join('\n')));
  }

  /** Whether every name that files refer to still stands for what it stood for when they were read. */
  function isUndisturbed(): boolean {
    if (isDisturbed) return false;
    const names: string[] = [];
    for (const { kind, record } of claims.values())
      if (below.has(kind) && record) for (const name of namesOf(record)) names.push(`${kind.name} ${name}`);
    return options.basis() === basis && new Set(names).size === names.length;
  }

  function take(kind: FileKind, arrival: Arrival, { changes, again, unnumbered, kept, keepers }: Taking): void {
    const { id, stated } = arrival;
    const { path } = arrival.source;
    const space = spaceOf(kind);
    ingested.set(kind, (ingested.get(kind) ?? 0) + 1);
    const known = claims.get(path);
    const entry = isEntry(arrival.source) ? arrival.source : null;
    let missing = entry !== null && id !== stated ? missingOf(kind, arrival, entry) : null;
    if (missing !== null && entry !== null && arrival.isNewcomer) arrival.source = laidOver(entry, missing);
    if (known && known.id !== id) drop(path, changes);
    const holder = held.claim(space, id, path, keepers.get(path));
    const effects = options.effects();
    const before = known?.record;
    const restored = kept && restore(kind, arrival, kept);
    let record = restored ?? read(kind, arrival.source, id);
    if (!restored && record && entry !== null && options.dateOf && kind.isUndated?.(arrival.source as Entry, record)) {
      const date = options.dateOf(entry, before ?? undefined);
      missing = { ...missing, date };
      arrival.source = laidOver(arrival.source as Entry, { date });
      record = read(kind, arrival.source, id);
    }
    if (missing !== null && entry !== null) unnumbered.push({ path, expect: entry.etag, data: missing, order: kind.keys });
    const { source } = arrival;
    const isSettled = missing === null && options.effects() === effects;
    claims.set(path, { kind, id, isSettled, source, record: record ?? before ?? null });
    former.delete(path);
    if (below.has(kind) && before && record) isDisturbed ||= before.id !== id || !same(namesOf(before), namesOf(record));
    // Most sources are never read again.
    if ('kind' in source && source.kind !== 'yaml') source.release?.();
    if (holder !== path || !record) return;
    const served = records.table(kind.table).get(id) as FileRecord | undefined;
    changes.push({ table: kind.table, put: record });
    for (const other of kind.touched?.(served, record) ?? []) again.add(other);
  }

  /** What a file does not say of itself, to be written into it. */
  function missingOf(kind: FileKind, { id, stated, isNewcomer }: Arrival, source: Entry): Readonly<Record<string, unknown>> {
    const { path } = source;
    const given = apart.get(path);
    const said = stated || source.data.id;
    if (given !== undefined && given.said === said && given.data.id === id) return given.data;
    if (said === undefined || said === null) return { id };
    const keeper = isNewcomer ? (records.table(spaceOf(kind)).get(stated) as FileRecord | undefined) : undefined;
    const record = isNewcomer ? read(kind, source, id) : null;
    const data = { id, ...(record && options.apart?.(record, keeper, kind.table)) };
    apart.set(path, { said, data });
    options.renumbered?.({
      path,
      said,
      id,
      keeper: isNewcomer ? (held.holder(spaceOf(kind), stated) ?? keeper?.path) : undefined,
    });
    return data;
  }

  function restore(kind: FileKind, { source, id, row }: Arrival, kept: RecordCache): FileRecord | null {
    if (row === -1 || !kind.cached) return null;
    const draft = kind.cached.blank(source as Entry, id);
    kept.fill(row, draft as unknown as Record<string, unknown>);
    restoredCount++;
    return draft;
  }

  /** Records that are what reading their files would give, and nothing else. */
  async function keep(): Promise<readonly Uint8Array[]> {
    const present = foundation();
    const begun = new Map(ingested);
    const rows = new Map<FileKind, CachedRow[]>();
    const pace = createPace();
    await pace.rest();
    for (const { kind, id, isSettled, source, record } of isUndisturbed() ? claims.values() : []) {
      if (pace.isDue()) await pace.rest();
      if (!kind.cached || !isSettled || record === null || faults.has(source.path) || !('etag' in source)) continue;
      if (record.etag !== source.etag || held.claimants(spaceOf(kind), id).length > 1) continue;
      const others = rows.get(kind);
      const row = { path: source.path, etag: source.etag, id, record: record as unknown as CachedRow['record'] };
      if (others) others.push(row);
      else rows.set(kind, [row]);
    }
    await pace.rest();
    // What has been taken in meanwhile: of records that depend on one another some are as they were, others as they are.
    const isSound = isUndisturbed() && foundation() === present;
    const good = [...rows].filter(([kind]) => isSound && (kind.cached?.isAlone || ingested.get(kind) === begun.get(kind)));
    const keys = new Set(kinds.flatMap(({ cached: kept }) => kept?.keys ?? []));
    return printRecords(
      good.flatMap(([, some]) => some),
      [...keys],
      present,
    );
  }

  function read(kind: FileKind, source: Entry | Blob, id: number): FileRecord | null {
    try {
      const record = kind.read(source, id);
      faults.delete(source.path);
      return record;
    } catch (error) {
      if (!(error instanceof FieldProblem)) throw error;
      faults.set(source.path, {
        path: source.path,
        line: 1,
        column: 1,
        severity: 'error',
        rule: `field:${error.key}`,
        message: error.message,
        ...(error.hint ? { hint: error.hint } : {}),
      });
      return null;
    }
  }

  /** A file went: its record goes, or the next file that claims the id takes its place. */
  function drop(path: string, changes?: Change[]): void {
    faults.delete(path);
    const claim = claims.get(path);
    if (!claim) return;
    const { kind, id } = claim;
    ingested.set(kind, (ingested.get(kind) ?? 0) + 1);
    isDisturbed ||= below.has(kind);
    const left = held.release(spaceOf(kind), id, path);
    claims.delete(path);
    if (former.size >= maxFormer) former.delete(former.keys().next().value as string);
    former.set(path, id);
    const before = records.table(kind.table).get(id) as FileRecord | undefined;
    if (before?.path !== path) return;
    const heir = left.map((other) => claims.get(other)?.record).find((record) => record);
    const change: Change = heir ? { table: kind.table, put: heir } : { table: kind.table, remove: id };
    if (changes) changes.push(change);
    else {
      records.apply([change]);
      reread(kind.table, new Set(kind.touched?.(before, heir ?? undefined) ?? []));
    }
  }

  function reread(table: string, ids: ReadonlySet<number>): void {
    const changes: Change[] = [];
    const isMuch = ids.size > mostAgain;
    for (const id of ids) {
      const path = (records.table(table).get(id) as FileRecord | undefined)?.path;
      const claim = path === undefined ? undefined : claims.get(path);
      // A file may hold more than its own record: items stand in the files of their menus.
      if (claim?.kind.table !== table) continue;
      if (isMuch && isEntry(claim.source)) {
        claims.set(claim.source.path, { ...claim, isSettled: false });
        late.push(claim.source);
        continue;
      }
      const record = read(claim.kind, claim.source, id);
      if (record) {
        // What reading it again had for effects is not looked at.
        claims.set(claim.source.path, { ...claim, isSettled: false, record });
        changes.push({ table, put: record });
      }
    }
    if (changes.length > 0) records.apply(changes);
  }

  function remarks(): Problem[] {
    const found: Problem[] = [];
    for (const { kind, record } of claims.values())
      if (record !== null && kind.faults)
        for (const fault of kind.faults(record))
          found.push({ path: record.path, line: 1, column: 1, severity: 'error', ...fault });
    return found;
  }
}

function isSame(claim: Claim | undefined, { etag }: Entry): boolean {
  return claim !== undefined && isEntry(claim.source) && claim.source.etag === etag;
}

/** What files refer to a record by, beside its id and path. */
function namesOf(record: FileRecord): readonly string[] {
  const { taxonomy = '', slug, aliases = [] } = record as { taxonomy?: string; slug?: string; aliases?: readonly string[] };
  return slug === undefined || slug === '' ? [] : [slug, ...aliases].map((name) => `${taxonomy} ${name}`);
}
