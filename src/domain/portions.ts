/**
 * A large batch (a checkout, a pull) in portions, so that requests are answered while memory takes it in.
 *
 * After each portion memory is what a folder would give in which some files are new and the others still as they were:
 * - files between which an id moves (a rename is one) come together, so that no id is missing in between;
 * - what all others name (settings, people, terms) comes first and at once, so that a name means what it will mean;
 * - then what is gone goes, then files come in the order of their shelves, parents before children.
 */
import { mediaFolder, originalOf } from '../model/attachment.ts';
import { placeOf } from '../model/post.ts';
import { createPace } from '../store/pace.ts';
import { maxDepth } from '../store/paths.ts';
import type { Batch, Blob, Entry } from '../store/types.ts';

/** What the library knows of files. */
export interface Places {
  /** Number of a file's shelf in the order in which they are read; one more than there are without one. */
  rank(path: string): number;
  /** Whether files of all shelves name files of this one. */
  isNamed(rank: number): boolean;
  /** The file that is served under the id which a file states; from now on nobody is given that id. */
  holder(source: Entry): string | undefined;
}

interface Files {
  readonly entries: Entry[];
  readonly blobs: Blob[];
  readonly removed: string[];
}

/** Files that are taken in together. */
interface Unit extends Files {
  /** When it comes; below 0: first. */
  order: number;
  /** The unit that this has become part of. */
  into?: Unit;
}

/** So many files are taken in within some milliseconds. */
const portionFiles = 256;
const first = -1;

export interface Portion {
  readonly batch: Batch;
  /** Whether there are no others. */
  readonly isWhole: boolean;
}

/** Gives way to the event loop between two portions, and while it finds them. A small batch is one. */
export async function* portionsOf(batch: Batch, places: Places): AsyncGenerator<Portion> {
  if (sizeOf(batch) <= portionFiles) return yield { batch, isWhole: true };
  const pace = createPace();
  const units = new Map<string, Unit>();
  const unitOf = (path: string): Unit => {
    const key = keyOf(path);
    const unit = units.get(key) ?? { ...emptyFiles(), order: orderOf(path, places) };
    units.set(key, unit);
    return unit;
  };
  for (const path of batch.removed) {
    unitOf(path).removed.push(path);
    if (pace.isDue()) await pace.rest();
  }
  for (const blob of batch.blobs) {
    unitOf(blob.path).blobs.push(blob);
    if (pace.isDue()) await pace.rest();
  }
  for (const entry of batch.entries) {
    unitOf(entry.path).entries.push(entry);
    if (pace.isDue()) await pace.rest();
  }
  for (const entry of batch.entries) {
    const holder = places.holder(entry);
    const other = holder === undefined ? undefined : units.get(keyOf(holder));
    if (other) join(unitOf(entry.path), other);
    if (pace.isDue()) await pace.rest();
  }
  const stages = new Map<number, Unit[]>([
    [first, []],
    [0, []],
  ]);
  for (const unit of units.values()) {
    if (unit.into) continue;
    const stage = unit.order !== first && unit.entries.length + unit.blobs.length === 0 ? 0 : unit.order;
    const others = stages.get(stage);
    if (others) others.push(unit);
    else stages.set(stage, [unit]);
    if (pace.isDue()) await pace.rest();
  }
  let portion = emptyFiles();
  for (const [order, members] of [...stages].sort(([a], [b]) => a - b)) {
    for (const unit of members) {
      fill(portion, unit);
      if (order === first || sizeOf(portion) < portionFiles) continue;
      await pace.rest();
      yield { batch: { ...portion, problems: [] }, isWhole: false };
      portion = emptyFiles();
    }
    if (order !== first) continue;
    await pace.rest();
    yield { batch: { ...portion, problems: [] }, isWhole: false };
    portion = emptyFiles();
  }
  await pace.rest();
  yield { batch: { ...portion, problems: batch.problems }, isWhole: false };
}

/** A media file and its sidecar are one. */
function keyOf(path: string): string {
  return path.startsWith(mediaFolder) ? originalOf(path) : path;
}

function orderOf(path: string, places: Places): number {
  const isMedia = path.startsWith(mediaFolder);
  const rank = places.rank(isMedia ? `${originalOf(path)}.yaml` : path);
  if (path === 'site.yaml' || places.isNamed(rank)) return first;
  return (rank + 1) * (maxDepth + 1) + placeOf(path).split('/').length;
}

function emptyFiles(): Files {
  return { entries: [], blobs: [], removed: [] };
}

function sizeOf({ entries, blobs, removed }: Omit<Batch, 'problems'>): number {
  return entries.length + blobs.length + removed.length;
}

function fill(unit: Files, other: Files): void {
  unit.entries.push(...other.entries);
  unit.blobs.push(...other.blobs);
  unit.removed.push(...other.removed);
}

function join(one: Unit, another: Unit): void {
  const [a, b] = [rootOf(one), rootOf(another)];
  if (a === b) return;
  fill(a, b);
  a.order = a.order === first || b.order === first ? first : Math.max(a.order, b.order);
  b.into = a;
}

function rootOf(unit: Unit): Unit {
  let root = unit;
  while (root.into) root = root.into;
  return root;
}
