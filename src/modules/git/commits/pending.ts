/** Pending writes: those of one user to one item within a minute become one commit. */
import type { FileChange } from '../../../kernel/store/types.ts';
import { unitOf } from '../../../kernel/store/paths.ts';
import type { WriterId, CommittedFile } from './record.ts';

/** From the first write. */
export const minuteMs = 60_000;

export interface PendingCommit {
  readonly by: WriterId;
  /** Milliseconds since the epoch: of the first write, which determines when it is due, and of the last, which dates the commit. */
  readonly since: number;
  at: number;
  /** In the journal. */
  readonly seqs: number[];
  /** Writes of other workers, which are in their journals. */
  readonly others: OtherWrite[];
  /** Whether a write of another worker began it: that one makes the commit, if it lives. */
  readonly isTheirs: boolean;
  readonly files: Map<string, CommittedFile>;
  /** Committed instead of the files' later content. */
  readonly captured: Map<string, Uint8Array | null>;
  /** Nothing is added any more. */
  isClosed: boolean;
}

export interface OtherWrite {
  readonly worker: string;
  readonly seq: number;
}

interface Done {
  readonly by: WriterId;
  readonly at: number;
  readonly seqs?: readonly number[];
  readonly others?: readonly OtherWrite[];
  readonly files: readonly CommittedFile[];
}

/** Adds a write to its commit. */
export function join(list: PendingCommit[], { by, at, seqs = [], others = [], files }: Done): PendingCommit {
  const units = new Set(files.flatMap(unitsOf));
  const isOpen = (one: PendingCommit): boolean => !one.isClosed && one.by === by && at - one.since < minuteMs;
  const known = list.find((one) => isOpen(one) && meets(one, units));
  const commit: PendingCommit = known ?? {
    ...{ by, since: at, at, seqs: [], others: [], isTheirs: others.length > 0 },
    ...{ files: new Map(), captured: new Map(), isClosed: false },
  };
  if (!known) list.push(commit);
  commit.at = at;
  commit.seqs.push(...seqs);
  commit.others.push(...others);
  for (const file of files) {
    const first = file.from === undefined ? undefined : commit.files.get(file.from);
    // A file moved twice within the minute came from its first path.
    const from = first?.from ?? file.from ?? commit.files.get(file.path)?.from;
    commit.files.set(file.path, from === undefined || from === file.path ? { path: file.path } : { path: file.path, from });
    if (file.from !== undefined) commit.files.set(file.from, { path: file.from });
  }
  return commit;
}

/** Whether a pending commit has one of the files, or the same item. @param units  from `unitsOf` */
export function meets({ files }: PendingCommit, units: ReadonlySet<string>): boolean {
  return [...files.values()].some((file) => unitsOf(file).some((unit) => units.has(unit)));
}

/** The item of a file. A sidecar belongs to its file. */
export function unitsOf({ path, from }: CommittedFile): readonly string[] {
  return from === undefined ? [unitOf(path)] : [unitOf(path), unitOf(from)];
}

export function writtenFiles(changes: readonly FileChange[]): CommittedFile[] {
  return changes.map((change): CommittedFile => {
    if ('remove' in change) return { path: change.remove, ...(change.expect === undefined ? {} : { was: change.expect }) };
    const was = change.expect === undefined ? {} : { was: change.expect };
    return { path: change.path, ...('from' in change && change.from !== undefined ? { from: change.from } : {}), ...was };
  });
}
