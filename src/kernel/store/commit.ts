/**
 * Making commits durable, several at once: every file of every commit is staged and in the log before the first one is put in place, so
 * that a refusal or a full disk changes nothing, and the disk is waited for once for all of them. Within a commit written files go first,
 * in the order given, removals last: every prefix is a valid site. A commit that fails leaves the others alone.
 */

import { etagOf } from '../yaml/codec.ts';
import { dropTemporary, type Temporary } from './durable.ts';
import { hasSameStat } from './file-state.ts';
import type { FilesDriver } from './files.ts';
import type { CommitLog } from './log.ts';
import type { Step } from './log-file.ts';
import type { StatCache, WrittenFile } from './stat-cache.ts';
import { type Lease, LockError } from './lock.ts';
import { chunksOf, createPace, paced } from '../scheduler.ts';
import { kindOf } from './paths.ts';
import { type CommitPlan, planCommit, type State } from './commit-plan.ts';
import type { FileStat } from './scan.ts';
import { StaleWriteError, type Entry, type FileChange } from './types.ts';

export interface CommitContext {
  readonly engine: FilesDriver;
  readonly statCache: StatCache;
  readonly log: CommitLog;
  /** Called with text that somebody was still writing to a file when a commit replaced it. */
  late(path: string, bytes: Uint8Array): void;
  /** Called with what fails when nobody waits for it any more. */
  failed(error: unknown): void;
}

/** One commit: either the entries as on disk now, one per Write, or why nothing has been written. */
export type Outcome = { readonly entries: readonly Entry[] } | { readonly error: unknown };

interface Staged extends Temporary {
  readonly path: string;
}

interface Job {
  readonly plan: CommitPlan;
  readonly staged: Staged[];
  /** Files that the log holds until they are flushed, after the answer. */
  readonly carried: ReadonlySet<string>;
  /** As they were put in place. */
  readonly written: Map<string, WrittenFile>;
  outcome?: Outcome;
}

const atOnce = 16;
const empty = new Uint8Array();
const none: ReadonlySet<string> = new Set();
/** Larger files are flushed by themselves; so is what would make the record of a group as long. */
const mostCarriedBytes = 1024 * 1024;

/**
 * Carries out commits whose paths do not meet. To be called inside the queue and under the lock. All of them are durable or refused
 * when it returns. An outcome's error is a StaleWriteError when a file is not as expected, PathError or TypeError for what cannot be stored.
 */
export async function commitAll(
  context: CommitContext,
  commits: readonly (readonly FileChange[])[],
  lease: Lease,
): Promise<readonly Outcome[]> {
  const jobs: Job[] = [];
  const room = { left: mostCarriedBytes };
  for (const changes of commits) jobs.push(await begin(context.engine, changes, room));
  await stageAll(context.engine, jobs, lease);
  const logged = await writeLog(context, jobs);
  await Promise.all(underWay(jobs).map((job) => failing(job, () => publish(context, job, lease))));
  await finish(context, jobs, logged);
  for (const job of underWay(jobs)) {
    await failing(job, async () => {
      const entries = await note(context, job);
      job.outcome = { entries: undoable(entries, job.plan) };
    });
  }
  return jobs.map(({ outcome }) => outcome as Outcome);
}

/** What was where a commit has written, for as long as its entries are held. */
const plans = new WeakMap<readonly Entry[], CommitPlan>();

/** The entries of a commit, which can be undone by them. */
export function undoable(entries: readonly Entry[], plan: CommitPlan): readonly Entry[] {
  plans.set(entries, plan);
  return entries;
}

/**
 * What undoes a commit: files get the bytes they had, new ones go. Left out is what others have saved since, and blobs that were there.
 * @param entries  the very list that the commit has answered
 */
export async function undoing(
  entries: readonly Entry[],
  readBytes: (path: string) => Promise<Uint8Array | null>,
): Promise<readonly FileChange[]> {
  const changes: FileChange[] = [];
  const { states, writes, removals } = plans.get(entries) ?? nothing;
  for (const path of [...writes, ...removals]) {
    const { stat, disk, next, taken } = states.get(path) as State;
    const [now, left] = [await readBytes(path), removals.includes(path) ? null : next];
    if (taken === undefined && (now === null || left === null ? now !== left : Buffer.compare(now, left) !== 0)) continue;
    if (disk !== null) changes.push({ path, bytes: disk });
    else if (stat === null) changes.push({ remove: path });
  }
  return changes;
}

const underWay = (jobs: readonly Job[]): readonly Job[] => jobs.filter(({ outcome }) => outcome === undefined);
const nothing: CommitPlan = { states: new Map(), writes: [], removals: [], entries: [] };

async function begin(engine: FilesDriver, changes: readonly FileChange[], room: { left: number }): Promise<Job> {
  try {
    const plan = await planCommit(engine, changes);
    const isCarried = (path: string) => {
      const length = plan.states.get(path)?.next?.length ?? Number.POSITIVE_INFINITY;
      if (length > room.left) return false;
      room.left -= length;
      return true;
    };
    return { plan, staged: [], carried: new Set(plan.writes.filter(isCarried)), written: new Map() };
  } catch (error) {
    return { plan: nothing, staged: [], carried: none, written: new Map(), outcome: { error } };
  }
}

/** An error ends the job alone. Its temporary files go, unless the lock is lost: whoever has it may be finishing the commit. */
async function failing(job: Job, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    job.outcome = { error };
    for (const { path, temporary } of job.staged)
      if (job.carried.has(path) || !(error instanceof LockError)) dropTemporary(temporary);
  }
}

async function stageAll(engine: FilesDriver, jobs: readonly Job[], lease: Lease): Promise<void> {
  const files = jobs.flatMap((job) => job.plan.writes.map((path) => ({ job, path })));
  for await (const piece of paced(chunksOf(files, atOnce), 1)) {
    const some = piece.filter(({ job }) => job.outcome === undefined);
    const results = await Promise.allSettled(
      some.map(async ({ job, path }) => {
        lease.check();
        const { stat, next, taken } = job.plan.states.get(path) as State;
        const options = { isNew: stat === null, isFlushedLater: job.carried.has(path) };
        const staged = taken === undefined ? engine.stage(path, next as Uint8Array, options) : engine.take(path, taken);
        return { path, ...(await staged) };
      }),
    );
    const jobOf = (at: number): Job => (some[at] as { readonly job: Job }).job;
    for (const [at, result] of results.entries()) if (result.status === 'fulfilled') jobOf(at).staged.push(result.value);
    for (const [at, result] of results.entries())
      if (result.status === 'rejected') await failing(jobOf(at), () => Promise.reject(result.reason));
  }
}

/** @returns those that are in the log, with their numbers */
async function writeLog({ engine, log }: CommitContext, jobs: readonly Job[]): Promise<ReadonlyMap<Job, number>> {
  const some = underWay(jobs).filter(({ plan, staged }) => staged.length + plan.removals.length > 0);
  if (some.length === 0) return new Map();
  try {
    // What the log does not hold has to be found under its name.
    const named = some.flatMap(({ staged, carried }) => staged.flatMap(({ path }) => (carried.has(path) ? [] : [path])));
    if (named.length > 0) await engine.flush(named);
    const numbers = await log.append(some.map(stepsOf));
    return new Map(some.map((job, at) => [job, numbers[at] as number]));
  } catch (error) {
    for (const job of some) await failing(job, () => Promise.reject(error));
    return new Map();
  }
}

async function publish(
  { engine, statCache, late, failed }: CommitContext,
  { plan, staged, written }: Job,
  lease: Lease,
): Promise<void> {
  const done: string[] = [];
  const pace = createPace(8, 4);
  let hasRested = false;
  const rest = async () => {
    hasRested = true;
    await pace.rest();
  };
  try {
    // A person may have saved while the files were staged.
    for (const path of [...plan.writes, ...plan.removals]) {
      if (hasChanged(engine, path, plan)) throw new StaleWriteError(path);
      if (pace.isDue()) await rest();
    }
    for (const item of staged) {
      lease.check();
      if (pace.isDue()) await rest();
      if (hasRested && hasChanged(engine, item.path, plan)) throw new StaleWriteError(item.path);
      const { stat, disk } = plan.states.get(item.path) as State;
      const bytes = stat === null ? empty : disk;
      const isTheirs = !statCache.isOwn(item.path);
      written.set(item.path, item);
      const replaced = bytes ? { bytes, isTheirs, late: (text: Uint8Array) => late(item.path, text), failed } : undefined;
      await engine.publish(item.temporary, item.path, replaced);
      done.push(item.path);
    }
    for (const some of chunksOf(plan.removals, atOnce)) {
      lease.check();
      if (pace.isDue()) await rest();
      const changed = hasRested ? some.find((path) => hasChanged(engine, path, plan)) : undefined;
      if (changed !== undefined) throw new StaleWriteError(changed);
      done.push(...some);
      const results = await Promise.allSettled(some.map((path) => engine.unlink(path)));
      const failed = results.find((result) => result.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    }
    await engine.tidy();
  } catch (error) {
    if (!(error instanceof LockError)) await undo(engine, plan, done);
    throw error;
  }
}

/** A file that was saved again as it was is the file the writer knows. */
function hasChanged(engine: FilesDriver, path: string, { states }: CommitPlan): boolean {
  const { stat: before = null, disk = null } = states.get(path) ?? {};
  const now = engine.stat(path);
  if (now === null || before === null) return now !== before;
  if (hasSameStat(now, before)) return false;
  const content = disk === null ? null : engine.read(path);
  return content === null || disk === null || Buffer.compare(content, disk) !== 0;
}

/** Puts back what was there, last change first. Best effort: the error that led here is the one to report. */
async function undo(engine: FilesDriver, plan: CommitPlan, done: readonly string[]): Promise<void> {
  for (const path of [...done].reverse()) {
    try {
      const before = plan.states.get(path);
      if (before?.disk) await engine.publish((await engine.stage(path, before.disk)).temporary, path);
      else if (before?.stat === null) await engine.unlink(path);
    } catch {
      // The next sweep reports the file as it is.
    }
  }
}

/** Failed commits as well: what was undone is on disk again. */
async function finish({ log }: CommitContext, jobs: readonly Job[], logged: ReadonlyMap<Job, number>): Promise<void> {
  const paths = jobs.flatMap(({ plan }) => [...plan.writes, ...plan.removals]);
  try {
    // Whoever has the lock now goes on with it.
    if (logged.size === 0 || jobs.some(({ outcome }) => outcome && 'error' in outcome && outcome.error instanceof LockError))
      return;
    const refused = [...logged].flatMap(([{ outcome }, seq]) => (outcome === undefined ? [] : [seq]));
    await log.finish(paths, refused);
  } catch (error) {
    for (const job of underWay(jobs)) job.outcome = { error };
  }
}

/** What is gone again already stays known, so that the next sweep misses it. */
async function note({ engine, statCache }: CommitContext, { plan, written }: Job): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  const gone = (path: string): FileStat => ({ path, size: 0, mtimeMs: 0, ctimeMs: 0, ino: 0 });
  for await (const entry of paced(plan.entries, 4)) {
    const stat = engine.stat(entry.path) ?? gone(entry.path);
    const now = entry.at(stat.mtimeMs);
    statCache.note(entry.path, stat, entry.etag, now, written.get(entry.path));
    entries.push(now);
  }
  // Bytes that make an entry are not taken note of: the next sweep reads and reports them.
  for (const path of plan.writes) {
    if (kindOf(path) !== 'blob') continue;
    statCache.note(path, engine.stat(path) ?? gone(path), '');
  }
  for (const path of plan.removals) statCache.note(path, null, '');
  return entries;
}

function stepsOf({ plan, staged, carried }: Job): Step[] {
  const before = (path: string) => plan.states.get(path)?.diskEtag ?? null;
  const writes = staged.map(({ path, temporary, ino, size }) => {
    const { taken, next, nextEtag } = plan.states.get(path) as State;
    const bytes = next as Uint8Array;
    return {
      write: path,
      before: before(path),
      after: taken === undefined ? (nextEtag ?? etagOf(bytes)) : size,
      ino,
      ...(carried.has(path) ? { bytes } : { temporary }),
    };
  });
  return [...writes, ...plan.removals.map((path) => ({ remove: path, before: before(path) ?? '' }))];
}
