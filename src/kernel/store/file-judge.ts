/**
 * Looks at single files: whether each is new, changed, gone or broken, as far as a `ScanMode` asks for it.
 *
 * A file that cannot be read is quarantined: its problem is reported once per state of the file, and it counts neither as an entry
 * nor as removed.
 */

import { byteProblem, etagOf, type FileOf, maxTextBytes, type Parsed, parseEntry, tooLarge } from '../yaml/codec.ts';
import { EngineAwayError } from './content-engine.ts';
import { faultOf } from './faults.ts';
import { type FileState, type FileStates, forget, hasSameStat, isUnchanged, remember } from './file-state.ts';
import type { Engine } from './mounts.ts';
import type { Pace } from '../scheduler.ts';
import { isPath, kindOf, PathError } from './paths.ts';
import { refusalProblem } from './problems.ts';
import type { FileStat, FileRefusal } from './scan.ts';
import type { ArenaBuilder, FileEntry } from './text-arena.ts';
import type { Blob, Problem } from './types.ts';

/**
 * `changed`: what differs; `stable`: the same, but for files that are being written; `hinted`: the same, and an own write is taken for
 * what it looks like, since sweeps will compare it; `all`: each as it is, changed or not.
 */
export type ScanMode = 'changed' | 'stable' | 'hinted' | 'all';

export interface Findings {
  readonly mode: ScanMode;
  readonly entries: FileEntry[];
  readonly blobs: Blob[];
  readonly removed: string[];
  readonly problems: Problem[];
  /** Where much is read at once. */
  pool: ArenaBuilder<FileOf> | null;
}

/** So long an empty file may be one that is being written. Its last good version stays in service. */
export const emptyMs = 500;

export async function judgeSlice(
  cache: FileStates,
  files: readonly (FileStat | string)[],
  from: number,
  pace: Pace,
  findings: Findings,
): Promise<number> {
  let next = from;
  do {
    const file = files[next++] as FileStat | string;
    const pending = typeof file === 'string' ? inspect(cache, file, findings) : judge(cache, file.path, file, findings);
    if (pending !== undefined) await pending;
  } while (next < files.length && !pace.isDue());
  return next;
}

/** Looks at one file; a promise only where the engine has to be waited for. */
function inspect(cache: FileStates, path: string, findings: Findings): Promise<void> | undefined {
  const refused = cache.beyond.get(path);
  if (refused !== undefined || !isPath(path)) return judge(cache, path, refused ?? null, findings);
  const stat = cache.engine.stat(path);
  if (stat instanceof Promise) return stat.then((found) => judge(cache, path, found, findings));
  return judge(cache, path, stat, findings);
}

function judge(cache: FileStates, path: string, stat: FileStat | null, findings: Findings): Promise<void> | undefined {
  if (stat === null) {
    gone(cache, path, findings);
    return;
  }
  const record = cache.known.get(path);
  const { mode } = findings;
  if (stat.refused !== undefined) {
    quarantine(cache, path, stat, `refused ${stat.refused}`, refusalProblem(path, stat.refused), findings);
    return;
  }
  if (mode !== 'all' && record !== undefined && isUnchanged(record, stat)) return;
  if (mode === 'hinted' && cache.own.has(path) && record !== undefined && hasSameStat(record, stat)) return;
  const kind = kindOf(path);
  if (isPatient(mode) && kind !== 'blob' && record?.size !== 0 && isBeingWritten(cache, path, stat)) return;
  if (kind === 'blob') {
    if (mode === 'all' || record === undefined || !hasSameStat(record, stat)) report(cache, path, stat, '', null, findings);
    else remember(cache, path, stat, '');
    return;
  }
  if (stat.size > maxTextBytes) {
    quarantine(cache, path, stat, `too-large ${stat.size}`, tooLarge(path), findings);
    return;
  }
  let bytes: ReturnType<Engine['read']>;
  try {
    bytes = findings.pool === null ? cache.engine.read(path) : cache.engine.peek(path);
  } catch (error) {
    unreadable(cache, path, stat, error, findings);
    return;
  }
  if (!(bytes instanceof Promise)) {
    digest(cache, path, stat, bytes, findings);
    return;
  }
  return bytes.then(
    (content) => digest(cache, path, stat, content, findings),
    (error: unknown) => unreadable(cache, path, stat, error, findings),
  );
}

function isBeingWritten(cache: FileStates, path: string, { size }: FileStat): boolean {
  if (size > 0) {
    if (cache.empty.size > 0) cache.empty.delete(path);
    return false;
  }
  const since = cache.empty.get(path);
  if (since === undefined) {
    cache.empty.set(path, performance.now());
    cache.emptied.push(path);
  }
  return since === undefined || performance.now() - since < emptyMs;
}

function gone(cache: FileStates, path: string, findings: Findings): void {
  if (cache.engine.isAway()) return;
  const wasKnown = forget(cache, path);
  cache.problems.delete(path);
  cache.empty.delete(path);
  if (wasKnown || findings.mode === 'all') findings.removed.push(path);
}

function digest(cache: FileStates, path: string, stat: FileStat, bytes: Uint8Array | null, findings: Findings): void {
  if (bytes === null) {
    gone(cache, path, findings);
    return;
  }
  // It has been emptied between the look and the reading.
  const isEmptied = bytes.length === 0 && stat.size > 0 && isPatient(findings.mode) && kindOf(path) !== 'blob';
  if (isEmptied && isBeingWritten(cache, path, { ...stat, size: 0 })) return;
  const etag = etagOf(bytes);
  const before = cache.known.get(path);
  if (findings.mode !== 'all' && before?.etag === etag) {
    remember(cache, path, stat, etag, before.entry);
    return;
  }
  report(cache, path, { ...stat, size: bytes.length }, etag, bytes, findings);
}

function report(
  cache: FileStates,
  path: string,
  stat: FileStat,
  etag: string,
  bytes: Uint8Array | null,
  findings: Findings,
): void {
  const { size, mtimeMs } = stat;
  cache.problems.delete(path);
  if (kindOf(path) === 'blob' || bytes === null) {
    remember(cache, path, stat, etag);
    findings.blobs.push({ path, size, mtimeMs });
    return;
  }
  const problem = byteProblem(path, bytes);
  if (problem !== null) {
    quarantine(cache, path, stat, etag, problem, findings);
    return;
  }
  const record = remember(cache, path, stat, etag);
  if (findings.pool !== null) findings.pool.add({ path, etag, size, mtimeMs }, bytes);
  else addParsed(cache, record, path, parseEntry(path, bytes, { size, mtimeMs, etag }), findings);
}

export function addParsed(cache: FileStates, record: FileState, path: string, parsed: Parsed, findings: Findings): void {
  if ('entry' in parsed) {
    record.entry = parsed.entry;
    findings.entries.push(parsed.entry);
    return;
  }
  cache.problems.set(path, parsed.problem);
  findings.problems.push(parsed.problem);
}

function quarantine(cache: FileStates, path: string, stat: FileStat, etag: string, problem: Problem, findings: Findings): void {
  const isNew = cache.known.get(path)?.etag !== etag;
  remember(cache, path, stat, etag);
  cache.problems.set(path, problem);
  if (isNew || findings.mode === 'all') findings.problems.push(problem);
}

function unreadable(cache: FileStates, path: string, stat: FileStat, error: unknown, findings: Findings): void {
  // That says nothing of the file: whoever asked asks again.
  if (error instanceof EngineAwayError) throw error;
  const refusal: FileRefusal = error instanceof PathError ? 'link' : 'unreadable';
  // A fault of the disk ends without a change of the file: the next sweep tries again.
  const seen = faultOf(error) === null ? stat : { ...stat, ctimeMs: -1 };
  quarantine(cache, path, seen, `refused ${refusal}`, refusalProblem(path, refusal, error), findings);
}

function isPatient(mode: ScanMode): boolean {
  return mode === 'stable' || mode === 'hinted';
}
