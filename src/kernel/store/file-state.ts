/**
 * What is known of each file, and whether what the disk says of it now is the same.
 *
 * Size, times and inode stand for the content, except within two seconds of a change: a second edit could leave them equal
 * (coarse clocks), so such files are compared by content, but for those that we have dated (`durable.ts`).
 */

import type { Engine } from './mounts.ts';
import { isAtOrBelow } from './paths.ts';
import type { Queue } from './queue.ts';
import type { FileStat } from './scan.ts';
import type { FileEntry } from './text-arena.ts';
import type { Problem, Stamp } from './types.ts';

/** What is known of a file. */
export interface FileState extends Stamp {
  /** Of the bytes; '' for blobs, a word for what was refused. */
  readonly etag: string;
  /** Null for what is none, and until its text is read. */
  entry: FileEntry | null;
  /** When it was last compared by content, or by times that cannot be mistaken. */
  readonly seenAt: number;
  /** The last sweep that has met the file as it is known here; 0 before the first. */
  sweep: number;
}

/** All that a stat cache knows. */
export interface FileStates {
  readonly engine: Engine;
  /** Shared with the commits: looking and writing never overlap. */
  readonly queue: Queue;
  readonly clock: () => number;
  readonly known: Map<string, FileState>;
  /** Directory → the paths of the known files in it. */
  readonly folders: Map<string, Set<string>>;
  /** The last sweep that was begun, counted from 1. */
  sweeps: number;
  readonly problems: Map<string, Problem>;
  /** What the last scan could not look at or name, and a single look could not judge. */
  beyond: ReadonlyMap<string, FileStat>;
  /** Written by this process since the last sweep. */
  readonly own: Set<string>;
  /** Files that are empty → since when, by the clock of `performance.now`. */
  readonly empty: Map<string, number>;
  /** Files seen empty that nobody has asked for yet. */
  emptied: string[];
  /** Changes since the snapshot. */
  news: number;
  /** Writers need no texts: they are cached from the first read on. */
  isRead: boolean;
}

export const raceMs = 2000;

export function hasSameStat(a: Stamp, b: Stamp): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.ino === b.ino;
}

export function isUnchanged(record: FileState, stat: FileStat): boolean {
  if (!hasSameStat(record, stat)) return false;
  if (record.etag === '' || stat.refused !== undefined) return true;
  return Math.abs(record.seenAt - Math.max(record.mtimeMs, record.ctimeMs)) > raceMs;
}

/** Notes a file as it is now. */
export function remember(
  cache: FileStates,
  path: string,
  { size, mtimeMs, ctimeMs, ino }: FileStat,
  etag: string,
  entry: FileEntry | null = null,
  seenAt = cache.clock(),
): FileState {
  const record = { size, mtimeMs, ctimeMs, ino, etag, entry, seenAt, sweep: 0 };
  if (cache.known.get(path)?.etag !== etag) cache.news++;
  cache.own.delete(path);
  know(cache, path, record);
  return record;
}

export function know({ known, folders }: FileStates, path: string, record: FileState): void {
  if (!known.has(path)) {
    const folder = folderOf(path);
    const paths = folders.get(folder);
    if (paths === undefined) folders.set(folder, new Set([path]));
    else paths.add(path);
  }
  known.set(path, record);
}

/** @returns whether the file was known */
export function forget({ known, folders }: FileStates, path: string): boolean {
  if (!known.delete(path)) return false;
  const folder = folderOf(path);
  const paths = folders.get(folder);
  paths?.delete(path);
  if (paths?.size === 0) folders.delete(folder);
  return true;
}

/** The known paths at or below a directory. Cost: a look at each directory. */
export function* knownIn({ known, folders }: FileStates, directory: string): Iterable<string> {
  if (known.has(directory)) yield directory;
  const isMeant = isAtOrBelow(directory);
  for (const [folder, paths] of folders) if (isMeant(folder)) yield* paths;
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
