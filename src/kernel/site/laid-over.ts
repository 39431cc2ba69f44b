/**
 * Files as they will be: what is about to be written into one is read as if it were there already.
 */
import type { Entry } from '../store/types.ts';

/** An entry with values laid over its own; undefined takes a key out. Its body is read when it is asked for. */
export function laidOver(entry: Entry, data: Readonly<Record<string, unknown>>): Entry {
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
