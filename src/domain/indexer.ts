/**
 * Shelves: which files of the content folder become which records. The library keeps memory equal to the disk:
 * every entry, whether a client wrote it or a person, comes in through `absorb`, and only there.
 *
 * Two files may claim one id (copies, merged branches): one is served, the others wait until they get ids of their own.
 */
import { FieldProblem, same } from '../model/field.ts';
import { hash } from '../store/bytes.ts';
import { createPace } from '../store/scheduler.ts';
import type { Change, Identified, Records } from '../records/types.ts';
import type { Batch, Blob, Entry, Problem, Write } from '../store/types.ts';
import { type Apart, type Arrival, createArrivals, isEntry, spaceOf, statedId } from './arrivals.ts';
import { type Contest, createClaims } from './claims.ts';
import { type KeptRecords, type KeptRow, printRecords } from './record-cache.ts';
import { laidOver } from './laid-over.ts';
import type { Places } from './chunked-ingest.ts';
import { createSequences, type Sequences } from './sequences.ts';

export interface Filed extends Identified {
  /** File of the record, below the content folder. */
  readonly path: string;
  readonly etag: string;
}

export interface Shelf<R extends Filed = Filed> {
  readonly name: string;
  readonly table: string;
  /** The table whose ids these share; its own, if not said. */
  readonly space?: string;
  /** Front-matter keys in their order, for an id that is written in. */
  readonly keys: readonly string[];
  /** Whether a file stands on this shelf. */
  owns(path: string): boolean;
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
  /** Called for every source of a batch before any is read, so that they may name one another. */
  announce?(source: Entry | Blob, id: number): void;
  /** How records are kept for the next start; without it they are read from their files each time. */
  readonly kept?: {
    /** A record with what it has from its file and its id alone. */
    blank(source: Entry, id: number): R;
    /** Names of the other values. */
    readonly keys: readonly string[];
    /** Whether no record depends on others of the shelf; otherwise all are read when one of their files has changed. */
    readonly isAlone: boolean;
  };
  /** What a record was made of although its file says otherwise, or nothing that can be read. */
  faults?(record: R): readonly Pick<Problem, 'rule' | 'message' | 'hint'>[];
  /** Ids of records to be read again because this one came, moved or went. */
  touched?(before: R | undefined, after: R | undefined): Iterable<number>;
}

export interface Library extends Places {
  /**
   * Takes in what is on disk and returns files that need something written into them: an id, most of all.
   */
  absorb(batch: Batch, options?: Absorbing): readonly Write[];
  /** Ids that several files of a batch state and nobody else is served under. */
  rivals(batch: Batch, kept?: KeptRecords | null): readonly Contest[];
  /** Files of a batch that may need a date. */
  undated(batch: Batch, kept?: KeptRecords | null): readonly string[];
  /** Ids that several files state, the one that is served first. */
  contests(): readonly Contest[];
  /** Files to be absorbed again because of what was, where these are too many for one go. Each is told once. */
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
  readonly kept?: KeptRecords | null;
  /** Of files that state one id: path → the one that keeps it. */
  readonly keepers?: ReadonlyMap<string, string>;
  /** Files that state the id of another and get one of their own. */
  readonly newcomers?: ReadonlySet<string>;
}

/** What the keeping of records asks; the files of shelves before the first one with kept records count as well. */
export interface LibraryOptions {
  /** Rises when reading a record had an effect beside it, so that it has to be read to have it again. */
  readonly effects: () => number;
  /** What records depend on beside files, in words. */
  readonly basis: () => string;
  /** What a newcomer does not take from the file that it is a copy of. */
  readonly apart?: (record: Filed, original: Filed | undefined, table: string) => Readonly<Record<string, unknown>>;
  /** The date of a file that says none. @param former  what was served of it */
  readonly dateOf?: (source: Entry, former: Filed | undefined) => string;
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
  readonly shelf: Shelf;
  readonly id: number;
  /** Whether the file says its id, and reading it had no other effect. */
  readonly isSettled: boolean;
  readonly source: Entry | Blob;
  /** Null when the values do not fit; the last good record stays in service. */
  readonly record: Filed | null;
}

/** Where what a source gives goes to. */
interface Taking {
  readonly changes: Change[];
  readonly again: Set<number>;
  readonly unnumbered: Write[];
  readonly kept: KeptRecords | null;
  readonly keepers: ReadonlyMap<string, string>;
}

const nothing: ReadonlyMap<string, string> = new Map();
const nobody: ReadonlySet<string> = new Set();
/** So many files that went are remembered. */
const maxFormer = 10_000;
/** So many records are read again at once. */
const mostAgain = 128;

/** @param shelves  in the order in which their files are read: what is referred to comes first */
export function createLibrary(shelves: readonly Shelf[], records: Records, options: LibraryOptions): Library {
  const claims = new Map<string, Claim>();
  /** Ids of files that went. Git takes a file away and puts another in its place, and a stash or a branch may bring it back. */
  const former = new Map<string, number>();
  const held = createClaims();
  const apart = new Map<string, Apart>();
  const faults = new Map<string, Problem>();
  const sequences = createSequences(
    (space, id) => held.holder(space, id) !== undefined || records.table(space).get(id) !== undefined,
  );
  const arrivals = createArrivals({ shelves, records, held, apart, sequences, idOf: (path) => claims.get(path)?.id, former });
  /** Shelves whose files kept records refer to. */
  const below = new Set(
    shelves.slice(
      0,
      Math.max(
        0,
        shelves.findIndex(({ kept }) => kept),
      ),
    ),
  );
  const basis = options.basis();
  let isDisturbed = false;
  /** How many files of a shelf have come or gone. */
  const absorbed = new Map<Shelf, number>();
  let late: Entry[] = [];
  let restoredCount = 0;

  return {
    absorb(batch, { kept = null, keepers = nothing, newcomers = nobody } = {}) {
      const unnumbered: Write[] = [];
      for (const path of batch.removed) {
        drop(path);
        apart.delete(path);
      }
      for (const [shelf, some] of arrivals.sorted(batch, kept, newcomers)) {
        const spared = kept === null || some.length === 0 ? null : standing(shelf, some, kept);
        for (const arrival of some) arrival.id ||= sequences.next(spaceOf(shelf));
        if (shelf.announce) for (const { source, id } of some) shelf.announce(source, id);
        // Level by level, so that a parent's record is there when its children are read.
        for (let at = 0; at < some.length; ) {
          const level = some[at]?.depth;
          const changes: Change[] = [];
          const again = new Set<number>();
          for (; some[at]?.depth === level; at++) {
            const arrival = some[at] as Arrival;
            take(shelf, arrival, { changes, again, unnumbered, kept: spared, keepers });
            // The next copy must not get the same slug.
            if (arrival.isNewcomer) records.apply(changes.splice(0));
          }
          records.apply(changes);
          reread(shelf.table, again);
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
    rank(path) {
      const rank = shelves.findIndex((shelf) => shelf.owns(path));
      return rank === -1 ? shelves.length : rank;
    },
    isNamed: (rank) => shelves[rank] !== undefined && shelves[rank].table !== 'posts' && below.has(shelves[rank]),
    isServed(source) {
      const known = claims.get(source.path);
      return isSame(known, source) && known?.record?.etag === source.etag;
    },
    holder(source) {
      const known = claims.get(source.path);
      const shelf = known?.shelf ?? shelves.find((one) => one.owns(source.path));
      // Reading the values of a whole folder at once only to find the same ids would fill the memory with them.
      const id = known?.isSettled && isSame(known, source) ? known.id : shelf && statedId(source);
      if (!id) return undefined;
      sequences.see(spaceOf(shelf as Shelf), id);
      return held.holder(spaceOf(shelf as Shelf), id);
    },
    idOf: (path) => claims.get(path)?.id ?? former.get(path),
    remember(ids) {
      for (const [path, id] of Object.entries(ids)) {
        const shelf = shelves.find((one) => one.owns(path));
        if (!shelf) continue;
        former.set(path, id);
        sequences.see(spaceOf(shelf), id);
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

  /** The kept records, where those of a shelf may stand for their files. */
  function standing(shelf: Shelf, some: readonly Arrival[], kept: KeptRecords): KeptRecords | null {
    if (!shelf.kept || kept.foundation !== foundation()) return null;
    return shelf.kept.isAlone || some.every(({ row }) => row !== -1) ? kept : null;
  }

  /** Digest of what kept records refer to. */
  function foundation(): string {
    const lines: string[] = [];
    for (const { shelf, id, source } of claims.values())
      if (below.has(shelf)) lines.push(`${source.path} ${id} ${'etag' in source ? source.etag : ''}`);
    return hash(Buffer.from([options.basis(), ...lines.sort()].join('\n')));
  }

  /** Whether every name that files refer to still stands for what it stood for when they were read. */
  function isUndisturbed(): boolean {
    if (isDisturbed) return false;
    const names: string[] = [];
    for (const { shelf, record } of claims.values())
      if (below.has(shelf) && record) for (const name of namesOf(record)) names.push(`${shelf.name} ${name}`);
    return options.basis() === basis && new Set(names).size === names.length;
  }

  function take(shelf: Shelf, arrival: Arrival, { changes, again, unnumbered, kept, keepers }: Taking): void {
    const { id, stated } = arrival;
    const { path } = arrival.source;
    const space = spaceOf(shelf);
    absorbed.set(shelf, (absorbed.get(shelf) ?? 0) + 1);
    const known = claims.get(path);
    const entry = isEntry(arrival.source) ? arrival.source : null;
    let missing = entry !== null && id !== stated ? missingOf(shelf, arrival, entry) : null;
    if (missing !== null && entry !== null && arrival.isNewcomer) arrival.source = laidOver(entry, missing);
    if (known && known.id !== id) drop(path, changes);
    const holder = held.claim(space, id, path, keepers.get(path));
    const effects = options.effects();
    const before = known?.record;
    const restored = kept && restore(shelf, arrival, kept);
    let record = restored ?? read(shelf, arrival.source, id);
    if (!restored && record && entry !== null && options.dateOf && shelf.isUndated?.(arrival.source as Entry, record)) {
      const date = options.dateOf(entry, before ?? undefined);
      missing = { ...missing, date };
      arrival.source = laidOver(arrival.source as Entry, { date });
      record = read(shelf, arrival.source, id);
    }
    if (missing !== null && entry !== null) unnumbered.push({ path, expect: entry.etag, data: missing, order: shelf.keys });
    const { source } = arrival;
    const isSettled = missing === null && options.effects() === effects;
    claims.set(path, { shelf, id, isSettled, source, record: record ?? before ?? null });
    former.delete(path);
    if (below.has(shelf) && before && record) isDisturbed ||= before.id !== id || !same(namesOf(before), namesOf(record));
    // Most sources are never read again.
    if ('kind' in source && source.kind !== 'yaml') source.release?.();
    if (holder !== path || !record) return;
    const served = records.table(shelf.table).get(id) as Filed | undefined;
    changes.push({ table: shelf.table, put: record });
    for (const other of shelf.touched?.(served, record) ?? []) again.add(other);
  }

  /** What a file does not say of itself, to be written into it. */
  function missingOf(shelf: Shelf, { id, stated, isNewcomer }: Arrival, source: Entry): Readonly<Record<string, unknown>> {
    const { path } = source;
    const given = apart.get(path);
    const said = stated || source.data.id;
    if (given !== undefined && given.said === said && given.data.id === id) return given.data;
    if (said === undefined || said === null) return { id };
    const keeper = isNewcomer ? (records.table(spaceOf(shelf)).get(stated) as Filed | undefined) : undefined;
    const record = isNewcomer ? read(shelf, source, id) : null;
    const data = { id, ...(record && options.apart?.(record, keeper, shelf.table)) };
    apart.set(path, { said, data });
    options.renumbered?.({
      path,
      said,
      id,
      keeper: isNewcomer ? (held.holder(spaceOf(shelf), stated) ?? keeper?.path) : undefined,
    });
    return data;
  }

  function restore(shelf: Shelf, { source, id, row }: Arrival, kept: KeptRecords): Filed | null {
    if (row === -1 || !shelf.kept) return null;
    const draft = shelf.kept.blank(source as Entry, id);
    kept.fill(row, draft as unknown as Record<string, unknown>);
    restoredCount++;
    return draft;
  }

  /** Records that are what reading their files would give, and nothing else. */
  async function keep(): Promise<readonly Uint8Array[]> {
    const present = foundation();
    const begun = new Map(absorbed);
    const rows = new Map<Shelf, KeptRow[]>();
    const pace = createPace();
    await pace.rest();
    for (const { shelf, id, isSettled, source, record } of isUndisturbed() ? claims.values() : []) {
      if (pace.isDue()) await pace.rest();
      if (!shelf.kept || !isSettled || record === null || faults.has(source.path) || !('etag' in source)) continue;
      if (record.etag !== source.etag || held.claimants(spaceOf(shelf), id).length > 1) continue;
      const others = rows.get(shelf);
      const row = { path: source.path, etag: source.etag, id, record: record as unknown as KeptRow['record'] };
      if (others) others.push(row);
      else rows.set(shelf, [row]);
    }
    await pace.rest();
    // What has been taken in meanwhile: of records that depend on one another some are as they were, others as they are.
    const isSound = isUndisturbed() && foundation() === present;
    const good = [...rows].filter(([shelf]) => isSound && (shelf.kept?.isAlone || absorbed.get(shelf) === begun.get(shelf)));
    const keys = new Set(shelves.flatMap(({ kept }) => kept?.keys ?? []));
    return printRecords(
      good.flatMap(([, some]) => some),
      [...keys],
      present,
    );
  }

  function read(shelf: Shelf, source: Entry | Blob, id: number): Filed | null {
    try {
      const record = shelf.read(source, id);
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
    const { shelf, id } = claim;
    absorbed.set(shelf, (absorbed.get(shelf) ?? 0) + 1);
    isDisturbed ||= below.has(shelf);
    const left = held.release(spaceOf(shelf), id, path);
    claims.delete(path);
    if (former.size >= maxFormer) former.delete(former.keys().next().value as string);
    former.set(path, id);
    const before = records.table(shelf.table).get(id) as Filed | undefined;
    if (before?.path !== path) return;
    const heir = left.map((other) => claims.get(other)?.record).find((record) => record);
    const change: Change = heir ? { table: shelf.table, put: heir } : { table: shelf.table, remove: id };
    if (changes) changes.push(change);
    else {
      records.apply([change]);
      reread(shelf.table, new Set(shelf.touched?.(before, heir ?? undefined) ?? []));
    }
  }

  function reread(table: string, ids: ReadonlySet<number>): void {
    const changes: Change[] = [];
    const isMuch = ids.size > mostAgain;
    for (const id of ids) {
      const path = (records.table(table).get(id) as Filed | undefined)?.path;
      const claim = path === undefined ? undefined : claims.get(path);
      // A file may hold more than its own record: items stand in the files of their menus.
      if (claim?.shelf.table !== table) continue;
      if (isMuch && isEntry(claim.source)) {
        claims.set(claim.source.path, { ...claim, isSettled: false });
        late.push(claim.source);
        continue;
      }
      const record = read(claim.shelf, claim.source, id);
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
    for (const { shelf, record } of claims.values())
      if (record !== null && shelf.faults)
        for (const fault of shelf.faults(record))
          found.push({ path: record.path, line: 1, column: 1, severity: 'error', ...fault });
    return found;
  }
}

function isSame(claim: Claim | undefined, { etag }: Entry): boolean {
  return claim !== undefined && isEntry(claim.source) && claim.source.etag === etag;
}

/** What files refer to a record by, beside its id and path. */
function namesOf(record: Filed): readonly string[] {
  const { taxonomy = '', slug, aliases = [] } = record as { taxonomy?: string; slug?: string; aliases?: readonly string[] };
  return slug === undefined || slug === '' ? [] : [slug, ...aliases].map((name) => `${taxonomy} ${name}`);
}
