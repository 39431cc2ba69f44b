/**
 * What is known of each file, and what differs on disk: the one place that decides whether a file is new, changed, gone or
 * broken.
 *
 * Size, times and inode stand for the content, except within two seconds of a change: a second edit could leave them equal
 * (coarse clocks), so such files are compared by content. A file that cannot be read is quarantined: its problem is reported
 * once per state of the file, and it counts neither as an entry nor as removed.
 */

import { etagOf, maxTextBytes, parseEntry } from './codec.ts';
import type { Engine } from './mounts.ts';
import { createPace, type Pace } from './pace.ts';
import { isPath, kindOf, PathError } from './paths.ts';
import { problemOf } from './problems.ts';
import type { Queue } from './queue.ts';
import type { FileStat, Refusal } from './scan.ts';
import type { Batch, Blob, Entry, Problem } from './types.ts';

interface Known {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  /** Of the bytes; '' for blobs, a word for what was refused. */
  readonly etag: string;
  /** When it was last compared by content. */
  readonly seenAt: number;
}

export interface Ledger {
  readonly size: number;
  /** Every file, as if none was known. */
  load(progress?: (done: number, total: number) => void): Promise<Batch>;
  /** What differs from what is known. */
  sweep(): Promise<Batch>;
  /** The same for these paths alone. `always`: report each as it is, changed or not. */
  look(paths: readonly string[], options?: { readonly always: boolean }): Promise<Batch>;
  /** Takes note of own writes, so that they are not reported. To be called inside the queue. */
  note(path: string, stat: FileStat | null, etag: string): void;
  problems(): readonly Problem[];
  knows(path: string): boolean;
}

interface Findings {
  readonly entries: Entry[];
  readonly blobs: Blob[];
  readonly removed: string[];
  readonly problems: Problem[];
}

const raceMs = 2000;
/** Between two turns of the event loop, and between two chances for a commit. */
const sliceMs = 8;

/** @param queue  shared with the commits: looking and writing never overlap */
export function createLedger(engine: Engine, queue: Queue, clock: () => number = Date.now): Ledger {
  const known = new Map<string, Known>();
  const problems = new Map<string, Problem>();
  /** What the last scan could not look at or name, and a single look could not judge. */
  let beyond = new Map<string, FileStat>();

  async function load(progress?: (done: number, total: number) => void): Promise<Batch> {
    known.clear();
    problems.clear();
    const stats = await scan();
    if (stats === null) return batchOf({ problems: [...problems.values()] });
    return inSlices(
      stats.filter(isContent).map((stat) => stat.path),
      true,
      progress,
    );
  }

  async function sweep(): Promise<Batch> {
    const isReported = problems.has('');
    const stats = await scan();
    if (stats === null) return batchOf({ problems: isReported ? [] : [problems.get('') as Problem] });
    const present = new Set<string>();
    const suspects: string[] = [];
    for (const stat of stats) {
      if (!isContent(stat)) continue;
      present.add(stat.path);
      const record = known.get(stat.path);
      if (record === undefined || !isUnchanged(record, stat)) suspects.push(stat.path);
    }
    // What is missing may have been written after its directory was listed: it is looked at again.
    for (const path of known.keys()) if (!present.has(path)) suspects.push(path);
    return inSlices(suspects, false);
  }

  /** Null when the folder itself cannot be listed: then nothing is taken for removed. */
  async function scan(): Promise<FileStat[] | null> {
    try {
      const stats = await engine.scan();
      problems.delete('');
      beyond = new Map(stats.filter(isBeyond).map((stat) => [stat.path, stat]));
      return stats;
    } catch (error) {
      const message = `The content folder cannot be listed: ${(error as Error).message}`;
      problems.set('', problemOf('', { rule: 'folder-unreadable', message }));
      return null;
    }
  }

  async function inSlices(
    paths: readonly string[],
    always: boolean,
    progress?: (done: number, total: number) => void,
  ): Promise<Batch> {
    const findings: Findings = { entries: [], blobs: [], removed: [], problems: [] };
    const pace = createPace(sliceMs);
    for (let next = 0; next < paths.length; ) {
      // A new turn first: who was just handed a commit's result gets to apply it before anything newer is found.
      await pace.rest();
      next = await queue.run(() => slice(paths, next, always, pace, findings));
      progress?.(next, paths.length);
    }
    return findings;
  }

  async function slice(paths: readonly string[], from: number, always: boolean, pace: Pace, findings: Findings): Promise<number> {
    let next = from;
    do {
      const path = paths[next++] as string;
      const pending = inspect(path, always, findings);
      if (pending !== undefined) await pending;
    } while (next < paths.length && !pace.isDue());
    return next;
  }

  /** Looks at one file; a promise only where the engine has to be waited for. */
  function inspect(path: string, always: boolean, findings: Findings): Promise<void> | undefined {
    const refused = beyond.get(path);
    if (refused !== undefined || !isPath(path)) return judge(path, refused ?? null, always, findings);
    const stat = engine.stat(path);
    if (stat instanceof Promise) return stat.then((found) => judge(path, found, always, findings));
    return judge(path, stat, always, findings);
  }

  function judge(path: string, stat: FileStat | null, always: boolean, findings: Findings): Promise<void> | undefined {
    if (stat === null) {
      gone(path, always, findings);
      return;
    }
    const record = known.get(path);
    if (stat.refused !== undefined) {
      quarantine(path, stat, `refused ${stat.refused}`, refusalProblem(path, stat.refused), always, findings);
      return;
    }
    if (!always && record !== undefined && isUnchanged(record, stat)) return;
    const kind = kindOf(path);
    if (kind === 'blob' && !Number.isNaN(stat.mtimeMs)) {
      if (always || record === undefined || !hasSameStat(record, stat)) report(path, stat, '', null, findings);
      else remember(path, stat, '');
      return;
    }
    if (kind !== 'blob' && stat.size > maxTextBytes) {
      const message = `The file is larger than ${maxTextBytes / 1024 / 1024} MB.`;
      quarantine(path, stat, `too-large ${stat.size}`, problemOf(path, { rule: 'too-large', message }), always, findings);
      return;
    }
    let bytes: ReturnType<Engine['read']>;
    try {
      bytes = engine.read(path);
    } catch (error) {
      unreadable(path, stat, error, always, findings);
      return;
    }
    if (!(bytes instanceof Promise)) {
      digest(path, stat, bytes, always, findings);
      return;
    }
    return bytes.then(
      (content) => digest(path, stat, content, always, findings),
      (error: unknown) => unreadable(path, stat, error, always, findings),
    );
  }

  function gone(path: string, always: boolean, findings: Findings): void {
    const wasKnown = known.delete(path);
    problems.delete(path);
    if (wasKnown || always) findings.removed.push(path);
  }

  function digest(path: string, stat: FileStat, bytes: Uint8Array | null, always: boolean, findings: Findings): void {
    if (bytes === null) {
      gone(path, always, findings);
      return;
    }
    const etag = etagOf(bytes);
    if (!always && known.get(path)?.etag === etag) {
      remember(path, stat, etag);
      return;
    }
    report(path, { ...stat, size: bytes.length }, etag, bytes, findings);
  }

  function report(path: string, stat: FileStat, etag: string, bytes: Uint8Array | null, findings: Findings): void {
    const { size } = stat;
    const mtimeMs = Number.isNaN(stat.mtimeMs) ? 0 : stat.mtimeMs;
    remember(path, stat, etag);
    problems.delete(path);
    if (kindOf(path) === 'blob' || bytes === null) {
      findings.blobs.push({ path, size, mtimeMs });
      return;
    }
    const parsed = parseEntry(path, bytes, { size, mtimeMs, etag });
    if ('entry' in parsed) {
      findings.entries.push(parsed.entry);
      return;
    }
    problems.set(path, parsed.problem);
    findings.problems.push(parsed.problem);
  }

  function quarantine(path: string, stat: FileStat, etag: string, problem: Problem, always: boolean, findings: Findings): void {
    const isNew = known.get(path)?.etag !== etag;
    remember(path, stat, etag);
    problems.set(path, problem);
    if (isNew || always) findings.problems.push(problem);
  }

  function unreadable(path: string, stat: FileStat, error: unknown, always: boolean, findings: Findings): void {
    const refusal: Refusal = error instanceof PathError ? 'link' : 'unreadable';
    quarantine(path, stat, `refused ${refusal}`, refusalProblem(path, refusal, error), always, findings);
  }

  function remember(path: string, { size, mtimeMs, ctimeMs, ino }: FileStat, etag: string): void {
    known.set(path, { size, mtimeMs, ctimeMs, ino, etag, seenAt: clock() });
  }

  return {
    get size() {
      return known.size;
    },
    load,
    sweep,
    look: (paths, options) =>
      inSlices(
        [...new Set(paths)].filter((path) => kindOf(path) !== null || known.has(path)),
        options?.always ?? false,
      ),
    note(path, stat, etag) {
      problems.delete(path);
      if (stat === null) known.delete(path);
      else remember(path, stat, etag);
    },
    problems: () => [...problems.values()],
    knows: (path) => known.has(path),
  };
}

/** Content by its name; what is refused counts whatever its name: it may be a folder of content. */
function isContent(stat: FileStat): boolean {
  return stat.refused !== undefined || kindOf(stat.path) !== null;
}

function isBeyond(stat: FileStat): boolean {
  return stat.refused === 'name' || stat.refused === 'depth' || stat.refused === 'unreadable';
}

function hasSameStat(record: Known, stat: FileStat): boolean {
  return (
    record.size === stat.size && record.mtimeMs === stat.mtimeMs && record.ctimeMs === stat.ctimeMs && record.ino === stat.ino
  );
}

function isUnchanged(record: Known, stat: FileStat): boolean {
  if (!hasSameStat(record, stat)) return false;
  if (record.etag === '' || stat.refused !== undefined) return true;
  return Math.abs(record.seenAt - Math.max(record.mtimeMs, record.ctimeMs)) > raceMs;
}

const refusals: Readonly<Record<Refusal, string>> = {
  link: 'Links are not followed.',
  special: 'Neither a file nor a folder.',
  name: 'The name is not readable: it must be valid UTF-8, without control characters and backslashes, and unique when composed.',
  depth: 'Folders are nested too deeply here.',
  unreadable: 'It cannot be read.',
};

function refusalProblem(path: string, refusal: Refusal, error?: unknown): Problem {
  const message = error instanceof Error && refusal === 'unreadable' ? `It cannot be read: ${error.message}` : refusals[refusal];
  return problemOf(path, { rule: refusal === 'unreadable' ? 'unreadable' : `not-read-${refusal}`, message, severity: 'warning' });
}

function batchOf(parts: Partial<Batch>): Batch {
  return { entries: [], blobs: [], removed: [], problems: [], ...parts };
}
