/**
 * Values that the writer is about to write into files (ids above all), laid over what it replicates of them: readers never give out
 * ids of their own.
 */
import { kindOf } from '../../store/paths.ts';
import type { Batch, Blob, Entry, EntryKind, FileChange, Write } from '../../store/types.ts';

/** Values that a file is still to get. */
export interface Unwritten extends Pick<Entry, 'path' | 'kind' | 'data' | 'mtimeMs'> {
  /** The state of the file they are laid over; null: the file is still to be made. */
  readonly over: string | null;
}

interface UnwrittenValues {
  all(): readonly Unwritten[];
  /**
   * The entries of a batch as they will be, and the files that will be made because of it; both noted until they are written.
   * @param fileOf  the media file of a sidecar
   */
  layOver(batch: Batch, wanting: readonly FileChange[], fileOf: (sidecar: string) => Blob | undefined): readonly Entry[];
}

export function createUnwrittenValues(): UnwrittenValues {
  const unwritten = new Map<string, Unwritten>();
  const note = (missing: Unwritten): Unwritten => {
    unwritten.set(missing.path, missing);
    return missing;
  };
  return {
    all: () => [...unwritten.values()],
    layOver({ entries, removed }, wanting, fileOf) {
      for (const path of removed) for (const gone of [path, `${path}.yaml`]) unwritten.delete(gone);
      for (const { path } of entries) unwritten.delete(path);
      const writes = new Map(wanting.filter(isWrite).map((write) => [write.path, write]));
      const out = entries.map((entry) => {
        const write = writes.get(entry.path);
        if (!write) return entry;
        writes.delete(entry.path);
        const { path, kind, mtimeMs, etag: over } = entry;
        return withMissing(entry, note({ path, kind, mtimeMs, over, data: write.data }));
      });
      for (const { path, expect, data } of writes.values()) {
        if (expect !== null) continue;
        const kind = kindOf(path) as EntryKind;
        out.push(withMissing(null, note({ path, kind, data, mtimeMs: fileOf(path)?.mtimeMs ?? Date.now(), over: null })));
      }
      return out;
    },
  };
}

/** A file, or one that is not there yet, with the values it is still to get. */
export function withMissing(entry: Entry | null, { path, kind, data, mtimeMs }: Unwritten): Entry {
  if (!entry) return { path, kind, data, body: '', etag: '', size: 0, mtimeMs };
  return { ...plain(entry), data: { ...entry.data, ...data } };
}

/** An entry as a message can carry it, and as a copy can: entries may read their values when they are asked for. */
export function plain({ path, kind, data, body, etag, size, mtimeMs }: Entry): Entry {
  return { path, kind, data, body, etag, size, mtimeMs };
}

function isWrite(change: FileChange): change is Write {
  return 'data' in change;
}
