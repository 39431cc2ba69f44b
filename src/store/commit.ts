/**
 * Making changes durable: every file is compared with what the writer expects, printed and staged before the first one
 * is put in place, so that a refusal or a full disk changes nothing. Written files go first, in the order given, removals
 * last: every prefix is a valid site.
 */

import { etagOf, parseEntry, printEntry } from './codec.ts';
import { dropTemporary } from './durable.ts';
import { type Journal, type Step, statTag } from './journal.ts';
import type { Ledger } from './ledger.ts';
import { type Lease, LockError } from './lock.ts';
import type { Engine, Staged } from './mounts.ts';
import { checkPath, kindOf } from './paths.ts';
import { Drift, type Entry, type FileChange, type Remove, type TakeFile, type Write, type WriteBytes } from './types.ts';
import { YamlFault } from './yaml.ts';

export interface CommitContext {
  readonly engine: Engine;
  readonly ledger: Ledger;
  /** Null where the engine keeps no temporary files. */
  readonly journal: Journal | null;
}

/** A path on disk and as this commit will leave it. */
interface State {
  readonly isThere: boolean;
  /** Null when there is nothing, and for blobs, which may be large: they are not put back by an undo. */
  readonly disk: Uint8Array | null;
  readonly diskEtag: string | null;
  next: Uint8Array | null;
  /** A file that becomes this one; `next` is null then. */
  taken?: string;
}

interface Plan {
  readonly states: ReadonlyMap<string, State>;
  /** In the order of the changes; the last one for each path. */
  readonly writes: readonly string[];
  readonly removals: readonly string[];
  readonly entries: readonly Entry[];
}

const atOnce = 16;

/**
 * To be called inside the queue and under the lock.
 * @returns  one entry per Write, as on disk now
 * @throws Drift when a file is not as expected; PathError, TypeError for what cannot be stored. Nothing has been written then.
 */
export async function commitChanges(
  context: CommitContext,
  changes: readonly FileChange[],
  lease: Lease,
): Promise<readonly Entry[]> {
  const { engine, ledger } = context;
  const plan = await prepare(engine, changes);
  const staged = await stageAll(engine, plan, lease);
  try {
    await carryOut(context, plan, staged, lease);
  } catch (error) {
    // Whoever has the lock now may be finishing this commit from its journal.
    if (!(error instanceof LockError)) dropAll(staged);
    throw error;
  }
  const entries: Entry[] = [];
  for (const entry of plan.entries) {
    const stat = await engine.stat(entry.path);
    ledger.note(entry.path, stat, entry.etag);
    entries.push(stat === null || Number.isNaN(stat.mtimeMs) ? entry : { ...entry, mtimeMs: stat.mtimeMs });
  }
  // Bytes that make an entry are not taken note of: the next sweep reads and reports them.
  for (const path of plan.writes) if (kindOf(path) === 'blob') await noteBlob(context, path, plan.states.get(path)?.next);
  for (const path of plan.removals) ledger.note(path, null, '');
  return entries;
}

/** Reads, compares and prints; writes nothing. */
async function prepare(engine: Engine, changes: readonly FileChange[]): Promise<Plan> {
  const states = new Map<string, State>();
  const writes = new Set<string>();
  const removals = new Set<string>();
  const parsed: { readonly path: string; readonly entry: Entry }[] = [];
  const freed = new Set(
    changes.flatMap((change) => ('remove' in change ? [change.remove] : 'from' in change && change.from ? [change.from] : [])),
  );

  async function stateOf(path: string, expect?: string | null): Promise<State> {
    const seen = states.get(path);
    if (seen !== undefined) return seen;
    const state = await diskState(engine, checkPath(path), expect !== undefined);
    states.set(path, state);
    return state;
  }

  async function planWrite(change: Write): Promise<void> {
    const source = await stateOf(change.from ?? change.path, change.expect);
    const isMove = change.from !== undefined && change.from !== change.path;
    expectState(change.from ?? change.path, source, change.expect);
    const target = await stateOf(change.path);
    if (isMove && target.isThere && !freed.has(change.path)) throw new Drift(change.path);
    const current = isMove ? source.disk : source.next;
    const bytes = printOver(current, change);
    const result = parseEntry(change.path, bytes, { size: bytes.length, mtimeMs: 0 });
    if ('problem' in result) throw new TypeError(`${change.path} could not be read again: ${result.problem.message}`);
    parsed.push({ path: change.path, entry: result.entry });
    target.next = bytes;
    writes.add(change.path);
    if (isMove) removals.add(change.from as string);
  }

  async function planRemove({ remove, expect }: Remove): Promise<void> {
    const state = await stateOf(remove, expect);
    if (expect !== undefined) expectState(remove, state, expect);
    if (state.isThere) removals.add(remove);
  }

  async function planBytes({ path, bytes, expect }: WriteBytes): Promise<void> {
    const state = await stateOf(path);
    if (expect === null && state.isThere && !freed.has(path)) throw new Drift(path);
    state.next = bytes;
    delete state.taken;
    writes.add(path);
  }

  async function planTake({ path, fromFile, expect }: TakeFile): Promise<void> {
    const state = await stateOf(path);
    if (expect === null && state.isThere && !freed.has(path)) throw new Drift(path);
    state.next = null;
    state.taken = fromFile;
    writes.add(path);
  }

  for (const change of changes) {
    if ('remove' in change) await planRemove(change);
    else if ('bytes' in change) await planBytes(change);
    else if ('fromFile' in change) await planTake(change);
    else await planWrite(change);
  }
  const isNews = (path: string) => {
    const { disk, next } = states.get(path) as State;
    return disk === null || next === null || Buffer.compare(disk, next) !== 0;
  };
  return {
    states,
    writes: [...writes].filter(isNews),
    removals: [...removals].filter((path) => !writes.has(path)),
    entries: parsed.map((item) => parsed.findLast((later) => later.path === item.path)?.entry ?? item.entry),
  };
}

async function diskState(engine: Engine, path: string, isCompared: boolean): Promise<State> {
  const stat = await engine.stat(path);
  if (stat === null) return { isThere: false, disk: null, diskEtag: null, next: null };
  if (kindOf(path) === 'blob' && !isCompared) return { isThere: true, disk: null, diskEtag: statTag(stat), next: null };
  const disk = await engine.read(path);
  return { isThere: disk !== null, disk, diskEtag: disk === null ? null : etagOf(disk), next: disk };
}

/** A file that became unreadable since is another file than the writer knows. */
function printOver(current: Uint8Array | null, change: Write): Uint8Array {
  try {
    return printEntry(current, change);
  } catch (error) {
    throw error instanceof YamlFault ? new Drift(change.from ?? change.path) : error;
  }
}

/** A writer that comes second in one commit may expect what was on disk, or what the first one leaves. */
function expectState(path: string, { diskEtag, next }: State, expect: string | null): void {
  if (expect === diskEtag) return;
  if (expect === null || next === null || etagOf(next) !== expect) throw new Drift(path);
}

async function stageAll(engine: Engine, plan: Plan, lease: Lease): Promise<readonly Staged[]> {
  const staged: Staged[] = [];
  try {
    for (let from = 0; from < plan.writes.length; from += atOnce) {
      lease.check();
      const some = plan.writes.slice(from, from + atOnce);
      const results = await Promise.allSettled(
        some.map((path) => {
          const { next, taken } = plan.states.get(path) as State;
          return taken === undefined ? engine.stage(path, next as Uint8Array) : engine.take(path, taken);
        }),
      );
      for (const result of results) if (result.status === 'fulfilled') staged.push(result.value);
      const failed = results.find((result) => result.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    }
  } catch (error) {
    dropAll(staged);
    throw error;
  }
  return staged;
}

async function carryOut({ engine, journal }: CommitContext, plan: Plan, staged: readonly Staged[], lease: Lease): Promise<void> {
  const isJournaled = journal !== null && staged.length + plan.removals.length > 1;
  if (isJournaled) await journal.write(stepsOf(plan, staged));
  const done: string[] = [];
  try {
    for (const item of staged) {
      lease.check();
      await engine.publish(item);
      done.push(item.path);
    }
    for (let from = 0; from < plan.removals.length; from += atOnce) {
      lease.check();
      const some = plan.removals.slice(from, from + atOnce);
      done.push(...some);
      const failed = (await Promise.allSettled(some.map((path) => engine.remove(path)))).find(
        (result) => result.status === 'rejected',
      );
      if (failed !== undefined) throw failed.reason;
    }
  } catch (error) {
    if (error instanceof LockError) throw error;
    await undo(engine, plan, done);
    if (isJournaled) await journal.clear();
    throw error;
  }
  await engine.flush([...plan.writes, ...plan.removals]);
  if (isJournaled) await journal.clear();
}

/** Puts back what was there, last change first. Best effort: the error that led here is the one to report. */
async function undo(engine: Engine, plan: Plan, done: readonly string[]): Promise<void> {
  for (const path of [...done].reverse()) {
    try {
      const before = plan.states.get(path);
      if (before?.disk) await engine.publish(await engine.stage(path, before.disk));
      else if (before?.isThere === false) await engine.remove(path);
    } catch {
      // The next sweep reports the file as it is.
    }
  }
}

function stepsOf(plan: Plan, staged: readonly Staged[]): Step[] {
  const writes = staged.map(({ path, temporary }) => ({
    write: path,
    temporary: temporary as string,
    before: plan.states.get(path)?.diskEtag ?? null,
  }));
  const removals = plan.removals.map((path) => ({ remove: path, before: plan.states.get(path)?.diskEtag ?? '' }));
  return [...writes, ...removals];
}

/** Blobs are known by their times, where the engine tells them. */
async function noteBlob({ engine, ledger }: CommitContext, path: string, bytes: Uint8Array | null | undefined): Promise<void> {
  const stat = await engine.stat(path);
  ledger.note(path, stat, stat !== null && bytes && Number.isNaN(stat.mtimeMs) ? etagOf(bytes) : '');
}

function dropAll(staged: readonly Staged[]): void {
  for (const { temporary } of staged) if (temporary !== null) dropTemporary(temporary);
}
