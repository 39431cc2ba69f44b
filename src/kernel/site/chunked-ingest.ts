/**
 * A large batch (a checkout, a pull) in portions, so that requests are answered while memory takes it in.
 *
 * After each portion memory is what a folder would give in which some files are new and the others still as they were:
 * - files between which an id moves (a rename is one) come together, so that no id is missing in between;
 * - what all others name (settings, people, terms) comes first and at once where it differs, so that a name means what it will mean;
 * - then what is gone goes, then files come in the order of their kinds, parents before children.
 */
import { logicalPath } from '../model/logical-path.ts';
import { paced, yieldToOthers } from '../scheduler.ts';
import { maxDepth, isMedia, unitOf as keyOf } from '../store/paths.ts';
import type { Batch, Blob, Entry } from '../store/types.ts';

/** What the indexer knows of files. */
export interface Places {
  /** Number of a file's kind in the order in which they are read; one more than there are without one. */
  rank(path: string): number;
  /** Whether files of all kinds name files of this one. */
  isNamed(rank: number): boolean;
  /** Whether memory has been made of the file as it is here. */
  isServed(source: Entry): boolean;
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

/** Most files come alone: an entry stands for itself, as a unit would. */
type Member = Entry | Unit;

/** So many files are taken in at once, in some tens of milliseconds. */
const wholeFiles = 256;
/** So many of a large batch are, in some milliseconds. */
const portionFiles = 64;
const first = -1;

/** Whether a batch is worth portions. */
export function isLarge(batch: Batch): boolean {
  return sizeOf(batch) > wholeFiles;
}

/** Gives way to the event loop before each portion, and while it finds them. */
export async function* portionsOf(batch: Batch, places: Places): AsyncGenerator<Batch> {
  if (sizeOf(batch) === 0) return;
  const members = new Map<string, Member>();
  const unitOf = (path: string): Unit => {
    const key = keyOf(path);
    const member = members.get(key);
    if (member !== undefined && isUnit(member)) return member;
    const unit: Unit = { ...emptyFiles(), order: orderOf(path, places) };
    if (member !== undefined) unit.entries.push(member);
    members.set(key, unit);
    return unit;
  };
  for await (const path of paced(batch.removed)) {
    unitOf(path).removed.push(path);
  }
  for await (const blob of paced(batch.blobs)) {
    unitOf(blob.path).blobs.push(blob);
  }
  for await (const entry of paced(batch.entries)) {
    const key = keyOf(entry.path);
    if (members.has(key)) unitOf(entry.path).entries.push(entry);
    else members.set(key, entry);
  }
  for await (const entry of paced(batch.entries)) {
    const holder = places.holder(entry);
    if (holder !== undefined && holder !== entry.path && members.has(keyOf(holder))) join(unitOf(entry.path), unitOf(holder));
  }
  const stages = new Map<number, Member[]>([
    [first, []],
    [0, []],
  ]);
  for await (const member of paced(members.values())) {
    if (isUnit(member) && member.into) continue;
    const order = isUnit(member) ? member.order : orderOf(member.path, places, places.isServed(member));
    const isGoing = isUnit(member) && member.entries.length + member.blobs.length === 0;
    const stage = order !== first && isGoing ? 0 : order;
    const others = stages.get(stage);
    if (others) others.push(member);
    else stages.set(stage, [member]);
  }
  let portion = emptyFiles();
  for (const [order, some] of [...stages].sort(([a], [b]) => a - b)) {
    for (const member of some) {
      if (isUnit(member)) fill(portion, member);
      else portion.entries.push(member);
      if (order === first || sizeOf(portion) < portionFiles) continue;
      await yieldToOthers();
      yield { ...portion, problems: [] };
      portion = emptyFiles();
    }
    if (order !== first) continue;
    await yieldToOthers();
    yield { ...portion, problems: [] };
    portion = emptyFiles();
  }
  await yieldToOthers();
  yield { ...portion, problems: batch.problems };
}

/** @param isServed  what others name it by stays as it is */
function orderOf(path: string, places: Places, isServed = false): number {
  const rank = places.rank(isMedia(path) ? `${keyOf(path)}.yaml` : path);
  if (path === 'site.yaml' || (places.isNamed(rank) && !isServed)) return first;
  return (rank + 1) * (maxDepth + 1) + logicalPath(path).split('/').length;
}

function isUnit(member: Member): member is Unit {
  return 'entries' in member;
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
