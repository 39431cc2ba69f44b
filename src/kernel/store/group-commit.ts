/**
 * Commits in groups: those that come while the disk is busy are carried out together, which costs hardly more than one of them.
 * Commits that name the same path never share a group and keep their order.
 */

import { type CommitContext, commitAll, type Outcome } from './commit.ts';
import type { Lease, Lock } from './lock.ts';
import { nextTurn } from '../scheduler.ts';
import { pathsOf } from './commit-plan.ts';
import type { Queue } from './queue.ts';
import { type Basis, BusyError, type Entry, type FileChange, type StaleWriteError } from './types.ts';

interface Waiting {
  readonly changes: readonly FileChange[];
  readonly paths: ReadonlySet<string>;
  readonly deadlineMs: number;
  readonly basis: Basis | undefined;
  resolve(entries: readonly Entry[]): void;
  reject(error: unknown): void;
}

/** What happens at commits of several processes, under the lock. */
export interface CommitTurns {
  /** @returns why a commit cannot go on: others have taken names meanwhile that it takes */
  refuse(paths: Iterable<string>, basis: Basis | undefined): StaleWriteError | null;
  begin(paths: readonly string[]): void;
  /** @param etags  of what was written, where it makes an entry */
  end(paths: readonly string[], told: Pick<Basis, 'claims' | 'messages'>, etags: Readonly<Record<string, string>>): void;
}

interface GroupOptions {
  readonly lock: Lock;
  readonly queue: Queue;
  readonly recover: () => Promise<unknown>;
  /** Where workers commit in turn. */
  readonly turns?: CommitTurns | undefined;
}

const maxCommits = 64;
/** A group ends with the commit that brings it to so many files. */
const maxPaths = 256;
/** Between two looks for commits whose deadline has passed. */
const lookMs = 100;

/**
 * @param queue  shared with the stat cache: looking and writing never overlap
 * @param recover  called under a lock that others may have had meanwhile, before anything is written
 * @returns  the commit: entries as on disk now, one per Write; rejects with StaleWriteError, PathError, TypeError, LockError, BusyError
 */
export function createCommit(
  context: CommitContext,
  { lock, queue, recover, turns }: GroupOptions,
): (changes: readonly FileChange[], deadlineMs?: number, basis?: Basis) => Promise<readonly Entry[]> {
  let waiting: Waiting[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    const look = setInterval(dropLate, lookMs).unref();
    while (waiting.length > 0) {
      // Whoever writes in this turn, or has just been answered and has more to write, is in the group.
      await nextTurn();
      let group: Waiting[] = [];
      try {
        await lock.withLock((lease) =>
          queue.run(async () => {
            if (lease.isNew) await recover();
            group = takeGroup().filter(mayGoOn);
            answer(group, await inTurn(group, lease));
          }),
        );
      } catch (error) {
        // No lock, or a log that cannot be carried out: nobody's turn will come.
        for (const { reject } of [...group, ...waiting.splice(0)]) reject(error);
      }
    }
    clearInterval(look);
    isRunning = false;
  }

  function mayGoOn({ paths, basis, reject }: Waiting): boolean {
    const refusal = turns?.refuse(paths, basis) ?? null;
    if (refusal !== null) reject(refusal);
    return refusal === null;
  }

  async function inTurn(group: readonly Waiting[], lease: Lease): Promise<readonly Outcome[]> {
    const changes = group.map((one) => one.changes);
    if (turns === undefined || group.length === 0) return commitAll(context, changes, lease);
    const paths = group.flatMap((one) => [...one.paths]);
    turns.begin(paths);
    let outcomes: readonly Outcome[] = [];
    try {
      outcomes = await commitAll(context, changes, lease);
      return outcomes;
    } finally {
      const bases = group.flatMap(({ basis }) => basis ?? []);
      const entries = outcomes.flatMap((one) => ('entries' in one ? one.entries : []));
      turns.end(
        paths,
        { claims: bases.flatMap(({ claims }) => claims), messages: bases.flatMap(({ messages = [] }) => messages) },
        Object.fromEntries(entries.map(({ path, etag }) => [path, etag])),
      );
    }
  }

  /** Another process may have the lock for long. */
  function dropLate(): void {
    const present = performance.now();
    const late = waiting.filter(({ deadlineMs }) => deadlineMs < present);
    if (late.length === 0) return;
    waiting = waiting.filter(({ deadlineMs }) => deadlineMs >= present);
    for (const { reject } of late) reject(new BusyError('the content folder is busy'));
  }

  function takeGroup(): Waiting[] {
    const group: Waiting[] = [];
    const left: Waiting[] = [];
    const touched = new Set<string>();
    let paths = 0;
    for (const one of waiting) {
      const isFull = group.length >= maxCommits || paths >= maxPaths;
      const isFree = !isFull && [...one.paths].every((path) => !touched.has(path));
      for (const path of one.paths) touched.add(path);
      if (isFree) paths += one.paths.size;
      (isFree ? group : left).push(one);
    }
    waiting = left;
    return group;
  }

  return (changes, deadlineMs = Number.POSITIVE_INFINITY, basis) =>
    new Promise((resolve, reject) => {
      waiting.push({ changes, paths: new Set(changes.flatMap(pathsOf)), deadlineMs, basis, resolve, reject });
      if (!isRunning) void run();
    });
}

function answer(group: readonly Waiting[], outcomes: readonly Outcome[]): void {
  for (const [at, outcome] of outcomes.entries()) {
    if ('entries' in outcome) group[at]?.resolve(outcome.entries);
    else group[at]?.reject(outcome.error);
  }
}
