/**
 * One file of the indexer: it comes and its record is made, it goes and its record goes, it is read again.
 */
import { FieldProblem, same } from '../model/field.ts';
import type { RecordChange } from '../records/types.ts';
import { problemOf } from '../store/problems.ts';
import type { Blob, Entry, Write } from '../store/types.ts';
import { type Arrival, isEntry } from './arrivals.ts';
import { restoreRecord } from './cached-records.ts';
import { type FileKind, type FileRecord, spaceOf } from './file-kind.ts';
import { type Claim, type IndexerState, namesOf } from './indexer-state.ts';
import { ownNames } from './own-names.ts';
import type { RecordCache } from './record-cache.ts';

/** Where what files give goes to. */
interface IngestRun {
  readonly changes: RecordChange[];
  /** Records to be read again. */
  readonly again: Set<number>;
  readonly unnumbered: Write[];
  readonly kept: RecordCache | null;
  readonly keepers: ReadonlyMap<string, string>;
}

/** So many files that went are remembered. */
const maxFormer = 10_000;
/** So many records are read again at once. */
export const mostAgain = 128;

/** Makes the record of a file, and takes note of what it says. */
export function ingestFile(
  state: IndexerState,
  kind: FileKind,
  arrival: Arrival,
  { changes, again, unnumbered, kept, keepers }: IngestRun,
): void {
  const { id, stated } = arrival;
  const { path } = arrival.source;
  const space = spaceOf(kind);
  state.ingested.set(kind, (state.ingested.get(kind) ?? 0) + 1);
  const known = state.claims.get(path);
  const entry = isEntry(arrival.source) ? arrival.source : null;
  let missing = entry !== null && id !== stated ? missingOf(state, kind, arrival, entry) : null;
  if (missing !== null && entry !== null && arrival.isNewcomer) arrival.source = laidOver(entry, missing);
  if (known && known.id !== id) dropFile(state, path, changes);
  const holder = state.held.claim(space, id, path, keepers.get(path));
  const effects = state.options.effects();
  const before = known?.record;
  const restored = kept && restoreRecord(state, kind, arrival, kept);
  let record = restored ?? readFile(state, kind, arrival.source, id);
  if (!restored && record && entry !== null && state.options.dateOf && kind.isUndated?.(arrival.source as Entry, record)) {
    const date = state.options.dateOf(entry, (before && kind.isFloating?.(before)) ?? false);
    missing = { ...missing, date };
    arrival.source = laidOver(arrival.source as Entry, { date });
    record = readFile(state, kind, arrival.source, id);
  }
  if (missing !== null && entry !== null) unnumbered.push({ path, expect: entry.etag, data: missing, order: kind.keys });
  const { source } = arrival;
  const isSettled = missing === null && state.options.effects() === effects;
  keepClaim(state, { kind, id, isSettled, source, record: record ?? before ?? null });
  state.former.delete(path);
  if (state.below.has(kind) && before && record)
    state.isDisturbed ||= before.id !== id || !same(namesOf(before), namesOf(record));
  // Most sources are never read again.
  if ('kind' in source && source.kind !== 'yaml') source.release?.();
  if (holder !== path || !record) return;
  const served = state.records.table(kind.table).get(id) as FileRecord | undefined;
  changes.push({ table: kind.table, put: record });
  for (const other of kind.touched?.(served, record) ?? []) again.add(other);
}

/** Takes note of what was made of a file, and of what is wrong with it: asked of all of them, that would hold up the event loop. */
function keepClaim(state: IndexerState, claim: Claim): void {
  const { kind, record } = claim;
  const { path } = claim.source;
  state.claims.set(path, claim);
  const found = (record && kind.faults?.(record)) ?? [];
  if (found.length > 0)
    state.doubtful.set(
      path,
      found.map((fault) => problemOf(path, fault)),
    );
  else state.doubtful.delete(path);
}

/** What a file does not say of itself, to be written into it. */
function missingOf(
  state: IndexerState,
  kind: FileKind,
  { id, stated, isNewcomer }: Arrival,
  source: Entry,
): Readonly<Record<string, unknown>> {
  const { path } = source;
  const given = state.apart.get(path);
  const said = stated || source.data.id;
  if (given !== undefined && given.said === said && given.data.id === id) return given.data;
  if (said === undefined || said === null) return { id };
  const keeper = isNewcomer ? (state.records.table(spaceOf(kind)).get(stated) as FileRecord | undefined) : undefined;
  const record = isNewcomer ? readFile(state, kind, source, id) : null;
  const data = { id, ...(record && ownNames(kind, record, keeper)) };
  state.apart.set(path, { said, data });
  state.options.renumbered?.({
    path,
    said,
    id,
    keeper: isNewcomer ? (state.held.holder(spaceOf(kind), stated) ?? keeper?.path) : undefined,
  });
  return data;
}

/** The record of a file; null when a value does not fit, which is noted. */
function readFile(state: IndexerState, kind: FileKind, source: Entry | Blob, id: number): FileRecord | null {
  try {
    const record = kind.read(source, id);
    state.faults.delete(source.path);
    return record;
  } catch (error) {
    if (!(error instanceof FieldProblem)) {
      // What is not there for memory holds no id.
      if (!state.claims.has(source.path)) state.held.release(spaceOf(kind), id, source.path);
      throw error;
    }
    const { key, message, hint } = error;
    state.faults.set(source.path, problemOf(source.path, { rule: `field:${key}`, message, hint }));
    return null;
  }
}

/** A file went: its record goes, or the next file that claims the id takes its place. */
export function dropFile(state: IndexerState, path: string, changes?: RecordChange[]): void {
  state.faults.delete(path);
  const claim = state.claims.get(path);
  if (!claim) return;
  const { kind, id } = claim;
  state.ingested.set(kind, (state.ingested.get(kind) ?? 0) + 1);
  state.isDisturbed ||= state.below.has(kind);
  const left = state.held.release(spaceOf(kind), id, path);
  state.claims.delete(path);
  state.doubtful.delete(path);
  if (state.former.size >= maxFormer) state.former.delete(state.former.keys().next().value as string);
  state.former.set(path, id);
  const before = state.records.table(kind.table).get(id) as FileRecord | undefined;
  if (before?.path !== path) return;
  const heir = left.map((other) => state.claims.get(other)?.record).find((record) => record);
  const change: RecordChange = heir ? { table: kind.table, put: heir } : { table: kind.table, remove: id };
  if (changes) changes.push(change);
  else {
    state.records.apply([change]);
    rereadRecords(state, kind.table, new Set(kind.touched?.(before, heir ?? undefined) ?? []));
  }
}

/** Reads the files of records again. */
export function rereadRecords(state: IndexerState, table: string, ids: ReadonlySet<number>): void {
  const changes: RecordChange[] = [];
  const isMuch = ids.size > mostAgain;
  for (const id of ids) {
    const path = (state.records.table(table).get(id) as FileRecord | undefined)?.path;
    const claim = path === undefined ? undefined : state.claims.get(path);
    // A file may hold more than its own record: items stand in the files of their menus.
    if (claim?.kind.table !== table) continue;
    if (isMuch && isEntry(claim.source)) {
      state.claims.set(claim.source.path, { ...claim, isSettled: false });
      state.late.push(claim.source);
      continue;
    }
    const record = readFile(state, claim.kind, claim.source, id);
    if (record) {
      // What reading it again had for effects is not looked at.
      keepClaim(state, { ...claim, isSettled: false, record });
      changes.push({ table, put: record });
    }
  }
  if (changes.length > 0) state.records.apply(changes);
}

/** A file as it will be, with values laid over its own; undefined takes a key out. Its body is read when it is asked for. */
function laidOver(entry: Entry, data: Readonly<Record<string, unknown>>): Entry {
  const { path, kind, etag, size, mtimeMs } = entry;
  const values = Object.entries({ ...entry.data, ...data }).filter(([, value]) => value !== undefined);
  return {
    path,
    kind,
    etag,
    size,
    mtimeMs,
    data: Object.fromEntries(values),
    get body() {
      return entry.body;
    },
  };
}
