/**
 * What was pushed to the remote, on its way into the engine: each changed file merged with what it has become here, and the base moved in
 * the same commit. What does not merge stays as it is here; a branch of the remote keeps what was pushed, and a revision of the item shows
 * it to writers.
 */
import { paced } from '../../kernel/scheduler.ts';
import type { Site } from '../../kernel/site/site.ts';
import type { Edit } from '../../kernel/store/content-engine.ts';
import { GitError } from '../../kernel/store/git.ts';
import { kindOf, PathError } from '../../kernel/store/paths.ts';
import { type Replacement, TooLargeError } from '../../kernel/store/types.ts';
import { etagOf, maxTextBytes, parseEntry } from '../../kernel/yaml/codec.ts';
import { mergeEntry, mergeLines } from '../content/merging/index.ts';
import { planOther } from '../content/revisions/index.ts';
import { blobId, notedWrites, noteMove } from '../git/commits/index.ts';
import { type Clone, unmergedPrefix } from './clone.ts';
import { baseKey, isExchanged, printDocument, type RemoteBase, type Unmerged } from './record.ts';
import { itemOf, placeHere, renamedThere, type CommitTree } from './renames.ts';

/** Of one commit of the engine; the base moves with the last one. */
const filesAtOnce = 256;
const bytesAtOnce = 16 * 1024 * 1024;
const megabyte = 1024 * 1024;

type Bytes = Uint8Array | null;
/** Undefined: nothing to do. */
type Outcome = { readonly bytes: Bytes } | NotMerged | undefined;

interface NotMerged {
  readonly reason: string;
  /** Whether what was pushed could be served: then it is kept as a revision, and the remote gets what is here. */
  readonly isUsable: boolean;
  /** What else is not as the remote has it. */
  readonly alsoAt?: readonly string[];
}

export interface Taken {
  readonly base: RemoteBase;
  /** Files that were changed here. */
  readonly count: number;
  readonly unmerged: readonly Unmerged[];
  /** The remote does not have what was pushed to it before. */
  readonly isRewritten: boolean;
}

/** What takes part in it. */
interface Taking {
  readonly site: Site;
  readonly clone: Clone;
  /** Throws NotHeld unless this node is still the one that follows the remote. */
  ask(): void;
  replace(replacement: Replacement): Promise<void>;
}

/** A file on its way: by the name that it had before, and the one that it has there. */
interface Coming {
  readonly path: string;
  readonly there: string;
  /** Ids of its bytes before and there; null: none. */
  readonly was: string | null;
  readonly is: string | null;
}

/**
 * @param stored  the document of `base`; null: there is none
 * @param head    of the remote
 * @throws StaleWriteError when a file or the base is not as it was: to be done again
 */
export async function takeIn(taking: Taking, base: RemoteBase, stored: Bytes, head: string): Promise<Taken> {
  const { site, clone, replace } = taking;
  if (!(await clone.fetch(head))) throw new Error(`the remote does not give its commit ${head}`);
  const isKnown = base.commit !== null && (await clone.fetch(base.commit));
  const common = isKnown ? await clone.mergeBase(base.commit as string, head) : null;
  const isRewritten = base.commit !== null && common !== base.commit;
  const [before, after] = [common === null ? new Map<string, string>() : await clone.tree(common), await clone.tree(head)];
  const moves =
    common === null
      ? new Map<string, string>()
      : await renamedThere(clone, { id: common, tree: before }, { id: head, tree: after });
  const renamed = new Set(moves.values());
  // What was left out is looked at again only when it is pushed again.
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path) && isExchanged(path),
  );
  const left: Record<string, string | null> = { ...base.left };
  const coming = paths.flatMap((path): Coming[] => {
    if (renamed.has(path)) return [];
    const there = moves.get(path) ?? path;
    const was = (Object.hasOwn(left, path) ? left[path] : before.get(path)) ?? null;
    return [{ path, there, was, is: after.get(there) ?? null }];
  });
  const most = Math.max(maxTextBytes, site.operator.engine_media_limit * megabyte);
  const idsOf = ({ was, is }: Coming): string[] => [was, is].flatMap((id) => id ?? []);
  const unmerged: Omit<Unmerged, 'branch'>[] = [];
  let count = 0;
  let edits: Edit[] = [];
  let notes: Replacement['documents'][number][] = [];
  const writes = await notedWrites(site.store);
  for await (const { some, found } of clone.readFor(coming, idsOf, most)) {
    for await (const one of paced(some, 1)) {
      const { path, there, was, is } = one;
      const sides = await sidesOf(taking, one, found, left, after);
      delete left[path];
      if (sides === null) continue;
      if (!sides.isMovedHere) delete left[sides.here];
      const outcome = await merged(sides, site.operator.engine_media_limit * megabyte);
      if (outcome === undefined) continue;
      if ('bytes' in outcome) {
        const next = editsOf(sides, outcome.bytes);
        if (edits.length > 0 && weightOf([...edits, ...next]) > bytesAtOnce) {
          await replace({ files: edits, documents: notes });
          [edits, notes] = [[], []];
        }
        edits.push(...next);
        // What somebody has written here is theirs under the other name, too.
        const note = next.length > 1 && sides.isChangedHere ? noteMove(writes, sides.here, there) : null;
        if (note !== null) notes.push(note);
        count++;
        continue;
      }
      for (const other of outcome.alsoAt ?? []) unmerged.push({ path: other, commit: head, reason: outcome.reason });
      unmerged.push({ path: sides.theirs === null ? sides.here : there, commit: head, reason: outcome.reason });
      if (!outcome.isUsable) {
        left[there] = was;
        // It is still here, under its name, until it can be read under the other.
        if (sides.isMovedThere) left[sides.here] = null;
      } else if (sides.theirs !== null && is !== null)
        await keepRevision(taking, sides.here, sides.theirs, await clone.authorOf(head, there));
    }
  }
  const branch = unmerged.length > 0 ? await keptIn(clone, head) : null;
  const next: RemoteBase = {
    commit: head,
    // What the remote has lost is compared whole.
    seq: isRewritten ? 0 : base.seq,
    pushing: [],
    unmerged: [...base.unmerged.filter((one) => !paths.includes(one.path)), ...unmerged.map((one) => ({ ...one, branch }))],
    left,
  };
  await replace({ files: edits, documents: [...notes, { key: baseKey, before: stored, bytes: printDocument(next) }] });
  return { base: next, count, unmerged: next.unmerged.filter((one) => one.commit === head), isRewritten };
}

/** The branch that keeps a commit; null where the remote accepts none: its own branch has that commit, too. */
async function keptIn(clone: Clone, head: string): Promise<string | null> {
  const branch = `${unmergedPrefix}${head.slice(0, 12)}`;
  try {
    if (await clone.push(head, branch)) return branch;
  } catch (error) {
    if (!(error instanceof GitError && /\[remote rejected\]/.test(error.message))) throw error;
  }
  return null;
}

interface Sides {
  /** Its name here, and there. */
  readonly here: string;
  readonly there: string;
  readonly isMovedHere: boolean;
  readonly isMovedThere: boolean;
  /** Another file has the name that it gets. */
  readonly isTaken: boolean;
  readonly isChangedHere: boolean;
  readonly isChangedThere: boolean;
  readonly base: Bytes;
  readonly ours: Bytes;
  readonly theirs: Bytes;
  /** The other side has a file that is too large to be read. */
  readonly isTooLarge: boolean;
}

/** Null where both have the same. */
async function sidesOf(
  { site }: Taking,
  { path, there, was, is }: Coming,
  found: ReadonlyMap<string, Buffer>,
  left: RemoteBase['left'],
  after: CommitTree,
): Promise<Sides | null> {
  const of = (id: string | null): Bytes => (id === null ? null : (found.get(id) ?? null));
  const base = of(was);
  let here = path;
  let ours = await site.store.readBytes(path);
  const atTarget = there === path ? null : await site.store.readBytes(there);
  if (ours === null && base !== null) {
    // Renamed the same way here, or some other way.
    const item = itemOf(path, base);
    const isThere = atTarget !== null && (item === null || itemOf(there, atTarget) === item);
    const place = isThere ? there : placeHere(site, path, base);
    if (place !== null) [here, ours] = [place, isThere ? atTarget : await site.store.readBytes(place)];
    if (ours === null) here = path;
  }
  // Their rename, which could not be taken in with what they had written.
  const isLate = here !== path && Object.hasOwn(left, here);
  const isMovedThere = there !== path || isLate;
  const isMovedHere = here !== path && !isLate;
  const id = ours === null ? null : blobId(ours, is ?? was ?? '');
  if (here === there && id === is) return null;
  const isTaken =
    isMovedThere && !isMovedHere
      ? here !== there && (await site.store.readBytes(there)) !== null
      : isMovedHere && here !== there && after.has(here);
  const theirs = of(is);
  return {
    ...{ here, there, isMovedHere, isMovedThere, isTaken, base, ours, theirs },
    isChangedHere: id !== was,
    isChangedThere: is !== was && is !== id,
    isTooLarge: is !== null && theirs === null,
  };
}

async function merged(sides: Sides, mostBytes: number): Promise<Outcome> {
  try {
    return await mergedSides(sides, mostBytes);
  } catch (error) {
    // Whatever is wrong with one file does not keep the others from coming in.
    return { reason: `it cannot be merged: ${(error as Error).message}`, isUsable: true };
  }
}

async function mergedSides(sides: Sides, mostBytes: number): Promise<Outcome> {
  const { here, there, isMovedHere, isMovedThere, isTaken, isChangedHere, isChangedThere, base, ours, theirs } = sides;
  const unmerged = (reason: string, ...alsoAt: string[]) => ({ reason, isUsable: true, alsoAt });
  const isBlob = kindOf(there) === 'blob';
  const unchanged = isMovedThere ? { bytes: ours } : undefined;
  if (sides.isTooLarge) return { reason: tooLarge(isBlob, mostBytes), isUsable: false };
  if (theirs === null && here === 'site.yaml') return { reason: 'a site cannot do without it', isUsable: false };
  if (theirs === null && isMovedHere) return unmerged('it was removed there, and renamed here');
  if (theirs === null) return isChangedHere ? unmerged('it was removed there, and changed here') : { bytes: null };
  const fault = isBlob ? sizeFault(theirs, mostBytes) : faultOf(there, theirs);
  if (fault !== null) return { reason: fault, isUsable: false };
  if (ours === null && isMovedThere) return unmerged('it was renamed there, and removed here');
  if (isMovedHere && isMovedThere && here !== there) return unmerged(`it was renamed to ${there} there, and to ${here} here`);
  if (isTaken && isMovedHere) return unmerged(`it was renamed to ${here} here, which is another file there`, here);
  if (isTaken) return unmerged(`it was renamed to ${there} there, which is another file here`, here);
  if (!isChangedThere) return unchanged;
  if (!isChangedHere) return { bytes: theirs };
  if (ours === null) return unmerged('it was changed there, and removed here');
  if (isBlob) return unmerged('both sides changed it');
  const versions = { base: Buffer.from(base ?? []), ours: Buffer.from(ours), theirs: Buffer.from(theirs) };
  const { bytes, conflicts } = await mergeEntry(there, versions, mergeLines);
  return conflicts.length === 0 ? { bytes } : unmerged(`both sides changed ${conflicts.join(', ')}`);
}

/** Under the name that one of the two sides has given to it. */
function editsOf({ here, there, isMovedHere, ours }: Sides, bytes: Bytes): Edit[] {
  const expect = ours && etagOf(ours);
  if (here === there || isMovedHere) return [{ path: here, expect, bytes }];
  return [
    { path: here, expect, bytes: null },
    { path: there, expect: null, bytes },
  ];
}

/** Each edit is at least as heavy as its share of those that a commit may have. */
const weightOf = (edits: readonly Edit[]): number =>
  edits.reduce((sum, { bytes }) => sum + Math.max(bytes?.length ?? 0, bytesAtOnce / filesAtOnce), 0);

function sizeFault({ length }: Uint8Array, mostBytes: number): string | null {
  return length > mostBytes ? tooLarge(true, mostBytes) : null;
}

const tooLarge = (isBlob: boolean, mostBytes: number): string =>
  isBlob
    ? `it is larger than ${mostBytes / megabyte} MB (engine_media_limit)`
    : `it is a text of more than ${maxTextBytes / megabyte} MB`;

/** Why a file cannot be read; null: it can. */
function faultOf(path: string, bytes: Uint8Array): string | null {
  const parsed = parseEntry(path, bytes, { size: bytes.length, mtimeMs: 0 });
  if ('entry' in parsed) return null;
  const { line, message } = parsed.problem;
  return `it cannot be read: line ${line}: ${message}`;
}

/** Shows it to writers. The branch has it in any case. */
async function keepRevision({ site, ask }: Taking, path: string, bytes: Uint8Array, email: string): Promise<void> {
  const parsed = parseEntry(path, bytes, { size: bytes.length, mtimeMs: 0 });
  if (!('entry' in parsed) || email === '') return;
  const author = site.accounts.all().find((one) => one.email.toLowerCase() === email.toLowerCase());
  ask();
  try {
    await site.write((planning) => planOther(planning, parsed.entry, author?.id ?? 0));
  } catch (error) {
    if (!(error instanceof TooLargeError || error instanceof PathError)) throw error;
  }
}
