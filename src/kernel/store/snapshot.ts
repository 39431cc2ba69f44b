/**
 * What was read of the content folder, kept for the next start: then only files whose size, times or inode have changed are read.
 *
 * The texts stand in segments of some megabytes that are never changed, each in a file of its own; the index says which file's
 * text stands where and what the disk said of the file. Values are not kept: they are read from the text when they are wanted.
 * At any doubt (another version of this program, a length, a code under the key of this machine) there is no snapshot. Drafts are in it, so
 * it is private.
 * A segment is read when a text in it is first wanted (`arena-segment.ts`).
 */

import * as fs from 'node:fs';
import { randomBytes } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hash, hashOfParts } from './bytes.ts';
import { readOwn } from './durable.ts';
import { ArenaSegment, type SegmentBuffer, type SegmentFile } from './arena-segment.ts';
import type { FileState } from './file-state.ts';
import { makeFolder } from './folders.ts';
import { paced } from '../scheduler.ts';
import { etagLength, printIndex, type Program, readIndex, readRows, type SnapshotRow, type Spot } from './snapshot-index.ts';
import { openSeal, type Seal, stateDirectory } from './state.ts';
import { type FileEntry, isNarrow, type Reading, type TextArena, arenaLength } from './text-arena.ts';
import type { Derived } from './types.ts';

export interface StoreSnapshot extends Omit<Derived, 'expire'> {
  /** Files as they were when it was written, by path; null without a snapshot that is whole. */
  restore(): Promise<ReadonlyMap<string, FileState> | null>;
  /** Writes the texts that it does not have yet, and the index. Gives way to the event loop every few milliseconds. */
  keep(known: ReadonlyMap<string, FileState>): Promise<void>;
}

/** A segment of which less is in use is written anew. */
const minUsed = 0.5;

interface SnapshotFolder {
  readonly dir: string;
  /** Folder that is never made. */
  readonly within: string | undefined;
  readonly index: string;
  readonly derived: string;
  readonly read: Reading;
  readonly reread: (path: string) => Uint8Array | null;
  readonly seal: Seal;
  /** Used again for every segment that is read. */
  readonly buffer: SegmentBuffer;
  /** Segments on disk, by the name of their file. */
  readonly segments: Map<string, SegmentFile>;
  /** Texts that stand elsewhere in the snapshot than in memory. */
  readonly moved: WeakMap<FileEntry, Spot>;
  derive: (() => Promise<readonly Uint8Array[]>) | undefined;
  /** Of the program; found when it is first wanted. */
  version: string | undefined;
}

/**
 * @param dir  made when first written to
 * @param reread  a file's bytes as they are now, for texts whose segment turns out to be damaged
 * @param within  the content folder that `dir` is in, which is never made
 */
export function createSnapshot(
  dir: string,
  read: Reading,
  reread: (path: string) => Uint8Array | null,
  seal: Seal = openSeal(stateDirectory()),
  within?: string,
): StoreSnapshot {
  const folder: SnapshotFolder = {
    dir,
    within,
    index: join(dir, 'index'),
    derived: join(dir, 'derived'),
    read,
    reread,
    seal,
    buffer: { bytes: Buffer.alloc(0) },
    segments: new Map(),
    moved: new WeakMap(),
    derive: undefined,
    version: undefined,
  };
  return {
    restore: () => restore(folder),
    keep: (known) => keep(folder, known),
    async read() {
      try {
        return unsealed(ownBytes(folder, folder.derived), folder);
      } catch {
        return null;
      }
    },
    provide(make) {
      folder.derive = make;
    },
  };
}

async function restore(folder: SnapshotFolder): Promise<ReadonlyMap<string, FileState> | null> {
  try {
    const { head, rest } = readIndex(ownBytes(folder, folder.index), programOf(folder));
    const lost = ({ file }: SegmentFile) => void folder.segments.delete(file);
    const arenas = head.segments.map(
      (segment) =>
        new ArenaSegment(folder.dir, segment, {
          ...folder,
          lost: () => lost(segment),
        }),
    );
    const known = readRows(rest, head, arenas, folder.read);
    for (const segment of head.segments) folder.segments.set(segment.file, segment);
    return known;
  } catch {
    return null;
  }
}

async function keep(folder: SnapshotFolder, known: ReadonlyMap<string, FileState>): Promise<void> {
  const rows: SnapshotRow[] = [];
  for await (const one of paced(known.values())) {
    if (one.entry !== null && one.etag.length === etagLength) rows.push({ known: one, entry: one.entry, spot: undefined });
  }
  makeFolder(folder.dir, { mode: 0o700, within: folder.within });
  refuseLinks(folder);
  await findSpots(folder, rows);
  await writeArenas(folder, rows);
  await writeOthers(folder, rows);
  const used = new Set<SegmentFile>();
  for (const { spot } of rows) used.add((spot as Spot).segment);
  await replace(folder.index, await printIndex(rows, [...used], programOf(folder)));
  if (folder.derive !== undefined) await replace(folder.derived, await sealed(await folder.derive(), folder));
  const inUse = new Set([...used].map(({ file }) => file));
  for (const name of await fs.promises.readdir(folder.dir)) {
    // Another process may be writing: what it has just begun is not old.
    if (name === 'index' || name === 'derived' || inUse.has(name) || isYoung(join(folder.dir, name))) continue;
    folder.segments.delete(name);
    await fs.promises.rm(join(folder.dir, name), { force: true });
  }
}

/** Finds of the rows' texts those that are on disk in segments that are still worth their place. */
async function findSpots(folder: SnapshotFolder, rows: readonly SnapshotRow[]): Promise<void> {
  const used = new Map<SegmentFile, number>();
  for await (const row of paced(rows)) {
    const { entry } = row;
    row.spot = folder.moved.get(entry) ?? spotOf(folder, entry);
    if (row.spot) used.set(row.spot.segment, (used.get(row.spot.segment) ?? 0) + entry.end - entry.start);
  }
  for await (const row of paced(rows)) {
    if (row.spot && (used.get(row.spot.segment) ?? 0) < minUsed * row.spot.segment.length) row.spot = undefined;
  }
}

function spotOf(folder: SnapshotFolder, { arena, start }: FileEntry): Spot | undefined {
  const segment = arena.file === undefined ? undefined : folder.segments.get(arena.file);
  return segment && { segment, start };
}

/** Writes whole arenas, as far as they are in use. */
async function writeArenas(folder: SnapshotFolder, rows: readonly SnapshotRow[]): Promise<void> {
  const byArena = new Map<TextArena, SnapshotRow[]>();
  for await (const row of paced(rows)) {
    const { arena } = row.entry;
    if (row.spot || arena.length < arenaLength / 2) continue;
    const others = byArena.get(arena);
    if (others) others.push(row);
    else byArena.set(arena, [row]);
  }
  for (const [arena, members] of byArena) {
    const used = members.reduce((sum, { entry }) => sum + entry.end - entry.start, 0);
    if (used < minUsed * arena.length) continue;
    const segment = await writeSegment(folder, arena.text, arena.isNarrow);
    arena.file = segment.file;
    for (const row of members) row.spot = { segment, start: row.entry.start };
  }
}

/** Joins what stands alone. */
async function writeOthers(folder: SnapshotFolder, rows: readonly SnapshotRow[]): Promise<void> {
  const parts = [true, false].map((narrow) => ({ narrow, rows: [] as SnapshotRow[], texts: [] as string[], length: 0 }));
  const write = async (part: (typeof parts)[number]) => {
    const segment = await writeSegment(folder, part.texts.join(''), part.narrow);
    let start = 0;
    for (const row of part.rows) {
      row.spot = { segment, start };
      folder.moved.set(row.entry, row.spot);
      start += row.entry.end - row.entry.start;
    }
    Object.assign(part, { rows: [], texts: [], length: 0 });
  };
  for await (const row of paced(rows)) {
    if (row.spot) continue;
    const { entry } = row;
    const { text } = entry;
    const part = parts[entry.arena.isNarrow || isNarrow(text) ? 0 : 1] as (typeof parts)[number];
    part.rows.push(row);
    part.texts.push(text);
    part.length += text.length;
    if (part.length >= arenaLength) await write(part);
  }
  for (const part of parts) if (part.length > 0) await write(part);
}

async function writeSegment(folder: SnapshotFolder, text: string, narrow: boolean): Promise<SegmentFile> {
  const bytes = Buffer.from(text, narrow ? 'latin1' : 'utf16le');
  const file = `${randomBytes(9).toString('base64url')}.text`;
  await fs.promises.writeFile(join(folder.dir, file), bytes, { mode: 0o600, flag: 'wx' });
  const segment: SegmentFile = {
    file,
    isNarrow: narrow,
    length: text.length,
    code: folder.seal.quick(file, bytes).toString('base64url'),
  };
  folder.segments.set(file, segment);
  return segment;
}

/** @throws when there is no such file of our own */
function ownBytes(folder: SnapshotFolder, file: string): Buffer {
  refuseLinks(folder);
  const bytes = readOwn(file);
  if (bytes === null) throw new TypeError('nothing is kept');
  return bytes;
}

/** What is kept is written, and what is old removed, in this folder alone. @throws Error when it is reached through a link */
function refuseLinks(folder: SnapshotFolder): void {
  if (fs.realpathSync.native(folder.dir) !== folder.dir) throw new Error(`${folder.dir} is reached through a link`);
}

const programOf = (folder: SnapshotFolder): Program => ({ version: versionOf(folder), seal: folder.seal });

function versionOf(folder: SnapshotFolder): string {
  folder.version ??= readerVersion();
  return folder.version;
}

/** The program that reads files: another one may see something else in the same text. */
export function readerVersion(): string {
  const stats: unknown[] = [process.versions.node, process.versions.icu, process.versions.tz];
  const folders = [resolve(dirname(fileURLToPath(import.meta.url)), '../..')];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const item of fs.readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, item.name);
      if (item.isDirectory()) folders.push(path);
      else if (/\.[jt]s$/.test(item.name)) {
        const { size, mtimeMs } = fs.statSync(path);
        stats.push(path, size, mtimeMs);
      }
    }
  }
  return hash(Buffer.from(JSON.stringify(stats)));
}

async function replace(file: string, parts: readonly Uint8Array[]): Promise<void> {
  const temporary = `${file}.${randomBytes(9).toString('base64url')}`;
  await fs.promises.writeFile(temporary, parts, { mode: 0o600, flag: 'wx' });
  await fs.promises.rename(temporary, file);
}

/** With what shows that they are whole and this program's. */
async function sealed(parts: readonly Uint8Array[], folder: SnapshotFolder): Promise<readonly Uint8Array[]> {
  return [Buffer.from(`${versionOf(folder)} ${folder.seal.of('derived', await hashOfParts(parts))}\n`), ...parts];
}

function unsealed(bytes: Buffer, folder: SnapshotFolder): Buffer | null {
  const end = bytes.indexOf(10);
  const rest = bytes.subarray(end + 1);
  const [version, code = ''] = bytes.toString('latin1', 0, end).split(' ');
  return version === versionOf(folder) && folder.seal.matches(code, 'derived', hash(rest)) ? rest : null;
}

const youngMs = 60_000;

function isYoung(file: string): boolean {
  const stats = fs.statSync(file, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs < youngMs;
}
