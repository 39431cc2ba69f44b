/**
 * File changes that reading has made necessary: ids written in, terms and authors that had no file, revisions of what a person
 * replaced. Nobody asked for them, so nothing of them is worth an error: what the disk does not take now is written later.
 *
 * Nor may they get in the way of git. They wait while git writes files. And an id that is known already is not written into a file
 * that is as git has it: a `git stash pop` or `git checkout` would refuse to write over it. Such an id is kept beside the content
 * and written with the next change of the file.
 */
import { mapOf } from '../model/maps.ts';
import { plain } from '../model/plain.ts';
import { jsonIn } from '../store/bytes.ts';
import { pathsOf } from '../store/commit-plan.ts';
import { PathError } from '../store/paths.ts';
import type { Batch, Entry, FileChange, Store, Write } from '../store/types.ts';
import { StaleWriteError, TooLargeError } from '../store/types.ts';

export interface Amendments {
  /**
   * Resolves when the changes are written or put off.
   * @param known  where others have changed files: those of them that had an id before
   */
  write(changes: readonly FileChange[], known?: ReadonlySet<string>): Promise<void>;
  /** Ids that earlier processes gave and that their files need not say: git may have them as they were before. */
  unwritten(): Readonly<Record<string, number>>;
  /** To be told of what is in files now. */
  note(batch: Pick<Batch, 'entries'>): void;
  /** Files that are gone for good. */
  forget(paths: readonly string[]): void;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
  /** From now on no fault is thrown. Before, a folder that cannot be written is refused. */
  open(): void;
  close(): Promise<void>;
}

/** In the cache mount: path → id. */
const file = 'unwritten-ids.json';
const retryMs = 5000;
/** So many ids are remembered of files that say them by now; of a site without git, none. */
const mostGiven = 2000;
/** So many files get what they do not say of themselves in one commit. */
const most = 64;
/** What stands in a file, or in its place, refuses a write. */
const isOfOneFile = (error: unknown) => [StaleWriteError, PathError, TooLargeError].some((kind) => error instanceof kind);

export async function createAmendments(
  { cache, faults, git, readOnly, follows }: Pick<Store, 'cache' | 'faults' | 'git' | 'readOnly' | 'follows'>,
  commit: (changes: readonly FileChange[]) => Promise<readonly Entry[]>,
): Promise<Amendments> {
  const underWay = new Set<Promise<void>>();
  /** Put off because of a fault, by path; a later change of a file replaces an earlier one. */
  const owed = new Map<string, FileChange>();
  const unwritten = new Map(readIds(await cache.get(file)));
  let saving = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isOpen = false;
  let isClosed = false;

  async function write(changes: readonly FileChange[], known?: ReadonlySet<string>): Promise<void> {
    try {
      const wanted = known && git ? await withoutResting(changes, known) : changes;
      await commitAll(wanted);
      for (const change of git ? wanted : [])
        if ('data' in change && change.expect !== null && typeof change.data.id === 'number') give(change.path, change.data.id);
    } catch (error) {
      if (!isOpen) throw error;
      for (const change of changes) owed.set(pathsOf(change)[0] as string, change);
      await faults.background('writing into files', () => Promise.reject(error));
      retryLater();
    }
  }

  function give(path: string, id: number): void {
    unwritten.set(path, id);
    for (const oldest of unwritten.keys()) if (unwritten.size > mostGiven) unwritten.delete(oldest);
    save();
  }

  /** The changes but for ids that are known, of files that git holds as they are. */
  async function withoutResting(changes: readonly FileChange[], known: ReadonlySet<string>): Promise<readonly FileChange[]> {
    await git?.idle();
    const isKnown = (change: FileChange): change is Write => 'data' in change && change.expect !== null && known.has(change.path);
    const candidates = changes.filter(isKnown).map(({ path }) => path);
    if (candidates.length === 0) return changes;
    const resting = (await git?.unchanged(candidates)) ?? new Set();
    for (const change of changes) {
      if (!isKnown(change) || !resting.has(change.path) || typeof change.data.id !== 'number') continue;
      give(change.path, change.data.id);
    }
    return changes.filter((change) => !(isKnown(change) && resting.has(change.path)));
  }

  /** A file that changed meanwhile comes round again by itself; one that cannot be written to keeps no other from it, nor the start. */
  async function commitAll(changes: readonly FileChange[]): Promise<void> {
    for (let from = 0; from < changes.length; from += most) {
      const some = changes.slice(from, from + most).map(withPlainDate);
      try {
        await commit(some);
      } catch (error) {
        if (!isOfOneFile(error)) throw error;
        for (const change of some) await commit([change]).catch((again) => (isOfOneFile(again) ? null : Promise.reject(again)));
      }
    }
  }

  function retryLater(): void {
    if (isClosed || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      const changes = [...owed.values()];
      owed.clear();
      void track(write(changes));
      if (unwritten.size > 0) save();
    }, retryMs).unref();
  }

  /** Once for all changes of a moment. */
  let isDue = false;
  function save(): void {
    // Who is told of ids by another process does not know them all.
    if (isDue || readOnly || follows) return;
    isDue = true;
    saving = saving.then(() => {
      isDue = false;
      const bytes = Buffer.from(JSON.stringify(Object.fromEntries(unwritten)));
      return faults.background('noting ids', () => cache.set(file, bytes).catch(again));
    });
    void track(saving);
  }

  function again(error: unknown): never {
    retryLater();
    throw error;
  }

  function track(work: Promise<void>): Promise<void> {
    const tracked = work.finally(() => underWay.delete(tracked));
    underWay.add(tracked);
    return tracked;
  }

  const settled = async (): Promise<void> => void (await Promise.allSettled([...underWay]));

  return {
    write: (changes, known) => track(write(changes, known)),
    unwritten: () => Object.fromEntries(unwritten),
    note({ entries }) {
      if (unwritten.size === 0) return;
      for (const { path, data } of entries)
        if (data.id !== undefined && data.id !== unwritten.get(path) && unwritten.delete(path)) save();
    },
    forget(paths) {
      for (const path of paths) if (unwritten.delete(path)) save();
    },
    settled,
    open() {
      isOpen = true;
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await settled();
    },
  };
}

/** Dates in files are without quotes. */
function withPlainDate(change: FileChange): FileChange {
  if (!('data' in change) || typeof change.data.date !== 'string') return change;
  return { ...change, data: { ...change.data, date: plain(change.data.date) } };
}

/** A document that makes no sense costs new ids, no start. */
function readIds(bytes: Uint8Array | null): [path: string, id: number][] {
  const isId = ([, id]: readonly [string, unknown]): boolean => Number.isSafeInteger(id) && (id as number) > 0;
  return Object.entries(mapOf(jsonIn(bytes)) as Record<string, number>).filter(isId);
}
