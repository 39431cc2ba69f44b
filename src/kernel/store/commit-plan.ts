/**
 * What one commit will do: every file is read, compared with what the writer expects, and printed. Nothing is written here, so a
 * refusal changes nothing.
 */

import { etagOf, parseEntry, printEntry } from '../yaml/codec.ts';
import type { Engine } from './mounts.ts';
import { paced } from '../scheduler.ts';
import { BlockedPathError, checkPath, kindOf } from './paths.ts';
import type { FileStat } from './scan.ts';
import type { FileEntry } from './text-arena.ts';
import {
  StaleWriteError,
  TooLargeError,
  type FileChange,
  type Remove,
  type TakeFile,
  type Write,
  type WriteBytes,
} from './types.ts';
import { YamlFault } from '../yaml/parse.ts';

/** A path on disk and as the commit will leave it. */
export interface State {
  /** Null: there was nothing. */
  readonly stat: FileStat | null;
  readonly isDirectory?: boolean;
  /** Null when there is nothing, and for blobs, which may be large: they are not put back by an undo. */
  readonly disk: Uint8Array | null;
  readonly diskEtag: string | null;
  next: Uint8Array | null;
  /** Of `next`, where it is known. */
  nextEtag?: string | undefined;
  /** A file that becomes this one; `next` is null then. */
  taken?: string;
}

export interface CommitPlan {
  readonly states: ReadonlyMap<string, State>;
  /** In the order of the changes; the last one for each path. */
  readonly writes: readonly string[];
  readonly removals: readonly string[];
  /** One per Write, without the time of the file that is not written yet. */
  readonly entries: readonly FileEntry[];
}

/** Paths a change may read, write or remove. */
export function pathsOf(change: FileChange): readonly string[] {
  return 'remove' in change ? [change.remove] : [...freedBy(change), change.path];
}

/** Paths whose files go, or move away. */
export function freedBy(change: FileChange): readonly string[] {
  if ('remove' in change) return [change.remove];
  return 'from' in change && change.from !== undefined ? [change.from] : [];
}

/** @throws StaleWriteError when a file is not as expected; PathError, TooLargeError, TypeError for what cannot be stored */
export async function planCommit(engine: Engine, changes: readonly FileChange[]): Promise<CommitPlan> {
  const states = new Map<string, State>();
  const writes = new Set<string>();
  const removals = new Set<string>();
  const entries: FileEntry[] = [];
  const latest = new Map<string, FileEntry>();
  const freed = new Set(changes.flatMap(freedBy));

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
    const target = isMove ? await stateOf(change.path) : source;
    if (isMove && target.stat !== null && !freed.has(change.path)) throw new StaleWriteError(change.path);
    const bytes = printOver(isMove ? source.disk : source.next, change);
    const result = parseEntry(change.path, bytes, { size: bytes.length, mtimeMs: 0 });
    if ('problem' in result) {
      const message = `${change.path} could not be read again: ${result.problem.message}`;
      throw result.problem.rule === 'too-large' ? new TooLargeError(message) : new TypeError(message);
    }
    entries.push(result.entry);
    latest.set(change.path, result.entry);
    target.next = bytes;
    target.nextEtag = result.entry.etag;
    writes.add(change.path);
    if (isMove) removals.add(change.from as string);
  }

  async function planRemove({ remove, expect }: Remove): Promise<void> {
    const state = await stateOf(remove, expect);
    if (expect !== undefined) expectState(remove, state, expect);
    if (state.stat !== null) removals.add(remove);
  }

  async function planPut({ path, expect, ...content }: WriteBytes | TakeFile): Promise<void> {
    const state = await stateOf(path, expect ?? undefined);
    if (typeof expect === 'string') expectState(path, state, expect);
    if (expect === null && state.stat !== null && !freed.has(path)) throw new StaleWriteError(path);
    state.next = 'bytes' in content ? content.bytes : null;
    delete state.nextEtag;
    delete state.taken;
    if ('fromFile' in content) state.taken = content.fromFile;
    writes.add(path);
  }

  for await (const change of paced(changes, 1)) {
    if ('remove' in change) await planRemove(change);
    else if ('data' in change) await planWrite(change);
    else await planPut(change);
  }
  for (const path of writes) if (states.get(path)?.isDirectory) throw new BlockedPathError(`a directory is there: ${path}`);
  const isNews = (path: string) => {
    const { disk, next } = states.get(path) as State;
    return disk === null || next === null || Buffer.compare(disk, next) !== 0;
  };
  return {
    states,
    writes: [...writes].filter(isNews),
    removals: [...removals].filter((path) => !writes.has(path)),
    entries: entries.map((entry) => latest.get(entry.path) ?? entry),
  };
}

/** Stands for a blob's content, which would take too long to read. */
export function statTag({ size, mtimeMs, ino }: FileStat): string {
  return `=${size}-${mtimeMs}-${ino}`;
}

async function diskState(engine: Engine, path: string, isCompared: boolean): Promise<State> {
  const found = engine.lookUp(path);
  const stat = found instanceof Promise ? await found : found;
  const nothing = { stat: null, disk: null, diskEtag: null, next: null };
  if (stat === null) return nothing;
  if (stat === 'directory') return { ...nothing, isDirectory: true };
  if (stat.refused !== undefined && stat.refused !== 'unreadable') throw new BlockedPathError(`no file is there: ${path}`);
  if (kindOf(path) === 'blob' && !isCompared) return { stat, disk: null, diskEtag: statTag(stat), next: null };
  const disk = await engine.read(path);
  if (disk === null) return nothing;
  return { stat, disk, diskEtag: etagOf(disk), next: disk };
}

/** A file that became unreadable since is another file than the writer knows. */
function printOver(current: Uint8Array | null, change: Write): Uint8Array {
  try {
    return printEntry(current, change);
  } catch (error) {
    throw error instanceof YamlFault ? new StaleWriteError(change.from ?? change.path) : error;
  }
}

/** A writer that comes second in one commit may expect what was on disk, or what the first one leaves. */
function expectState(path: string, { diskEtag, next }: State, expect: string | null): void {
  if (expect === diskEtag) return;
  if (expect === null || next === null || etagOf(next) !== expect) throw new StaleWriteError(path);
}
