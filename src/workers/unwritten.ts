/**
 * Values that one worker is about to write into files (ids above all), for the others: they never give out ids of their own for these.
 */
import { kindOf } from '../kernel/store/paths.ts';
import type { Batch, Blob, Entry, EntryKind, FileChange, Write } from '../kernel/store/types.ts';

/** Values that a file is still to get. */
export interface Unwritten extends Pick<Entry, 'path' | 'kind' | 'data' | 'mtimeMs'> {
  /** The state of the file that lacks them; null: the file is still to be made. */
  readonly over: string | null;
}

/** What a batch makes necessary, as values. @param mediaOf  the media file of a sidecar, where the batch does not have it */
export function unwrittenOf(
  { entries }: Pick<Batch, 'entries'>,
  wanting: readonly FileChange[],
  mediaOf: (sidecar: string) => Blob | undefined,
): readonly Unwritten[] {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  return wanting.filter(isWrite).flatMap(({ path, expect, data }): Unwritten[] => {
    const entry = byPath.get(path);
    if (entry !== undefined) return [{ path, kind: entry.kind, mtimeMs: entry.mtimeMs, over: entry.etag, data }];
    if (expect !== null) return [];
    return [{ path, kind: kindOf(path) as EntryKind, data, mtimeMs: mediaOf(path)?.mtimeMs ?? Date.now(), over: null }];
  });
}

/** A batch with the values that its files are still to get, and with the files that are still to be made. */
export function laidOver(batch: Batch, unwritten: Iterable<Unwritten>): Batch {
  const missing = new Map([...unwritten].map((one) => [one.path, one]));
  const entries = batch.entries.map((entry): Entry => {
    const known = missing.get(entry.path);
    missing.delete(entry.path);
    if (known === undefined || known.over !== entry.etag) return entry;
    const { path, kind, body, etag, size, mtimeMs } = entry;
    return { path, kind, data: { ...entry.data, ...known.data }, body, etag, size, mtimeMs };
  });
  const made = [...missing.values()].flatMap(({ over, path, kind, data, mtimeMs }): Entry[] =>
    over === null ? [{ path, kind, data, body: '', etag: '', size: 0, mtimeMs }] : [],
  );
  return { ...batch, entries: [...entries, ...made] };
}

function isWrite(change: FileChange): change is Write {
  return 'data' in change;
}
