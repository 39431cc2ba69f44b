/**
 * The index of a snapshot as bytes: a line of JSON, then columns of what the disk said of each file and of where its text stands, then
 * etags and paths.
 */

import { hash, hashOfParts } from './bytes.ts';
import type { ArenaSegment, SegmentFile } from './arena-segment.ts';
import type { FileState } from './file-state.ts';
import { chunksOf, paced } from '../scheduler.ts';
import { kindOf } from './paths.ts';
import type { Seal } from './state.ts';
import { FileEntry, type Reading } from './text-arena.ts';
import type { EntryKind } from './types.ts';

/** Whose index it is: of another version, or under another key, it counts for nothing. */
export interface Program {
  readonly version: string;
  readonly seal: Seal;
}

/** Position of a text in the snapshot. */
export interface Spot {
  readonly segment: SegmentFile;
  readonly start: number;
}

export interface SnapshotRow {
  readonly known: FileState;
  readonly entry: FileEntry;
  spot: Spot | undefined;
}

interface IndexHead {
  readonly version: string;
  readonly rows: number;
  readonly segments: readonly SegmentFile[];
  /** Of the rest of the head, and of everything behind it, under the key of this machine. */
  readonly code: string;
}

export const etagLength = 22;

/** Numbers of a row: the stat, and the position of the text. */
const doubles = 5;
const words = 4;

/** Rows of which the texts are made into bytes at once. */
const rowsAtOnce = 4096;

/** @param used  the segments that contain texts */
export async function printIndex(
  rows: readonly SnapshotRow[],
  used: readonly SegmentFile[],
  program: Program,
): Promise<readonly Uint8Array[]> {
  const numbers = new Map(used.map((segment, at) => [segment, at]));
  const stats = new Float64Array(rows.length * doubles);
  const places = new Uint32Array(rows.length * words);
  const etags: Buffer[] = [];
  const paths: Buffer[] = [];
  for await (const [at, { known, entry, spot }] of paced(rows.entries())) {
    const { segment, start } = spot as Spot;
    stats.set([known.size, known.mtimeMs, known.ctimeMs, known.ino, known.seenAt], at * doubles);
    places.set([numbers.get(segment) as number, start, entry.end - entry.start, entry.bodyAt], at * words);
  }
  for await (const some of paced(chunksOf(rows, rowsAtOnce), 1)) {
    etags.push(Buffer.from(some.map(({ known }) => known.etag).join(''), 'latin1'));
    paths.push(Buffer.from(`${paths.length === 0 ? '' : '\n'}${some.map(({ entry }) => entry.path).join('\n')}`));
  }
  const rest = [bytesOf(stats), bytesOf(places), ...etags, ...paths];
  const about = { version: program.version, rows: rows.length, segments: used };
  const head: IndexHead = { ...about, code: program.seal.of('index', JSON.stringify(about), await hashOfParts(rest)) };
  return [Buffer.from(`${JSON.stringify(head)}\n`), ...rest];
}

/** @throws when the index is not whole, or another program's or machine's */
export function readIndex(bytes: Buffer, program: Program): { head: IndexHead; rest: Buffer } {
  const end = bytes.indexOf(10);
  const head = JSON.parse(bytes.toString('utf8', 0, end)) as IndexHead;
  const rest = bytes.subarray(end + 1);
  const { code, ...about } = head;
  if (head.version !== program.version || !program.seal.matches(code, 'index', JSON.stringify(about), hash(rest)))
    throw new TypeError('not a snapshot of this program');
  return { head, rest };
}

/** @throws when a row cannot be */
export function readRows(
  rest: Buffer,
  { rows }: IndexHead,
  arenas: readonly ArenaSegment[],
  read: Reading,
): Map<string, FileState> {
  const etagsAt = rows * (doubles * 8 + words * 4);
  // Copied, because columns must be aligned.
  const stats = new Float64Array(new Uint8Array(rest.subarray(0, rows * doubles * 8)).buffer);
  const places = new Uint32Array(new Uint8Array(rest.subarray(rows * doubles * 8, etagsAt)).buffer);
  const etags = rest.toString('latin1', etagsAt, etagsAt + rows * etagLength);
  const paths = rest.toString('utf8', etagsAt + rows * etagLength).split('\n');
  const known = new Map<string, FileState>();
  for (let at = 0; at < rows; at++) {
    const size = stats[at * doubles] as number;
    const mtimeMs = stats[at * doubles + 1] as number;
    const ctimeMs = stats[at * doubles + 2] as number;
    const ino = stats[at * doubles + 3] as number;
    const seenAt = stats[at * doubles + 4] as number;
    const segment = places[at * words] as number;
    const start = places[at * words + 1] as number;
    const length = places[at * words + 2] as number;
    const bodyAt = places[at * words + 3] as number;
    const path = paths[at] as string;
    const kind = kindOf(path) as EntryKind;
    const arena = arenas[segment] as ArenaSegment;
    if (start + length > arena.length || bodyAt > length) throw new TypeError('out of its segment');
    const etag = etags.slice(at * etagLength, (at + 1) * etagLength);
    const entry = new FileEntry({ path, kind, etag, size, mtimeMs }, { arena, start, end: start + length, bodyAt }, read);
    arena.holds(entry);
    known.set(path, { size, mtimeMs, ctimeMs, ino, etag, seenAt, entry, sweep: 0 });
  }
  return known;
}

function bytesOf(array: Float64Array | Uint32Array): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}
