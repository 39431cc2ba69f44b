/**
 * Records for the next start: those that are what reading their files would give, and when they may stand for the files.
 */
import { hash } from '../store/bytes.ts';
import { paced, yieldToOthers } from '../scheduler.ts';
import type { Entry } from '../store/types.ts';
import type { Arrival } from './arrivals.ts';
import { type FileKind, type FileRecord, spaceOf } from './file-kind.ts';
import { type IndexerState, namesOf } from './indexer-state.ts';
import { type CachedRow, printRecords, type RecordCache } from './record-cache.ts';

/** The cached records, where those of a kind may stand for their files. */
export function usableCache(
  state: IndexerState,
  kind: FileKind,
  some: readonly Arrival[],
  kept: RecordCache,
): RecordCache | null {
  if (!kind.cached || kept.foundation !== foundationOf(state)) return null;
  return kind.cached.isAlone || some.every(({ row }) => row !== -1) ? kept : null;
}

/** The record of a file as the last process had it. */
export function restoreRecord(
  state: IndexerState,
  kind: FileKind,
  { source, id, row }: Arrival,
  kept: RecordCache,
): FileRecord | null {
  if (row === -1 || !kind.cached) return null;
  const draft = kind.cached.blank(source as Entry, id);
  kept.fill(row, draft as unknown as Record<string, unknown>);
  state.restored++;
  return draft;
}

/** Records that are what reading their files would give, and nothing else. */
export async function cacheRecords(state: IndexerState): Promise<readonly Uint8Array[]> {
  const present = foundationOf(state);
  const begun = new Map(state.ingested);
  const rows = new Map<FileKind, CachedRow[]>();
  await yieldToOthers();
  for await (const { kind, id, isSettled, source, record } of paced(isUndisturbed(state) ? state.claims.values() : [])) {
    if (!kind.cached || !isSettled || record === null || state.faults.has(source.path) || !('etag' in source)) continue;
    if (record.etag !== source.etag || state.held.claimants(spaceOf(kind), id).length > 1) continue;
    const others = rows.get(kind);
    const row = { path: source.path, etag: source.etag, id, record: record as unknown as CachedRow['record'] };
    if (others) others.push(row);
    else rows.set(kind, [row]);
  }
  await yieldToOthers();
  // What has been ingested meanwhile: of records that depend on one another some are as they were, others as they are.
  const isSound = isUndisturbed(state) && foundationOf(state) === present;
  const good = [...rows].filter(([kind]) => isSound && (kind.cached?.isAlone || state.ingested.get(kind) === begun.get(kind)));
  const keys = new Set(state.kinds.flatMap(({ cached }) => cached?.keys ?? []));
  return printRecords(
    good.flatMap(([, some]) => some),
    [...keys],
    present,
  );
}

/** Digest of what cached records refer to. */
function foundationOf(state: IndexerState): string {
  const lines: string[] = [];
  for (const { kind, id, source } of state.claims.values())
    if (state.below.has(kind)) lines.push(`${source.path} ${id} ${'etag' in source ? source.etag : ''}`);
  return hash(Buffer.from([state.options.basis(), ...lines.sort()].join('\n')));
}

/** Whether every name that files refer to still stands for what it stood for when they were read. */
function isUndisturbed(state: IndexerState): boolean {
  if (state.isDisturbed) return false;
  const names: string[] = [];
  for (const { kind, record } of state.claims.values())
    if (state.below.has(kind) && record) for (const name of namesOf(record)) names.push(`${kind.name} ${name}`);
  return state.options.basis() === state.basis && new Set(names).size === names.length;
}
