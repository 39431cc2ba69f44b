/**
 * Commits of writes: each write is recorded before it reaches the disk, and joins those of its user to the same item. Writes never wait for git; the
 * next process commits what a dead one could not.
 */
import { etagOf } from '../../../kernel/yaml/codec.ts';
import type { Announced } from '../../../kernel/site/hooks.ts';
import type { Replicated } from '../../../kernel/site/replicated.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { faultOf } from '../../../kernel/store/faults.ts';
import type { FileChange, Problem } from '../../../kernel/store/types.ts';
import { createCommitter } from './committer.ts';
import { createJournal, type JournaledWrite, leftJournals, maxCapturedBytes } from './journal.ts';
import { join, meets, type OtherWrite, type PendingCommit, unitsOf, writtenFiles } from './pending.ts';
import { type Author, type Commits, type CommittedFile, Held, type WriterId } from './record.ts';
import { currentBranch } from './branch.ts';
import { commitFiles } from './commit-files.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';

const name = 'git-commits';

/** What workers tell one another. */
type Told =
  | ({
      readonly t: 'written';
      readonly by?: WriterId;
      readonly at: number;
      readonly files: readonly CommittedFile[];
    } & OtherWrite)
  | { readonly t: 'captured'; readonly writes: readonly OtherWrite[]; readonly path: string; readonly bytes: string | null }
  | { readonly t: 'settled'; readonly writes: readonly OtherWrite[] };

interface CommitService extends Commits {
  /** What the workers of one server tell one another: any of them can make the commits of all. */
  readonly replicated: Replicated;
  beforeWrite(changes: readonly FileChange[], by: WriterId): Promise<Announced>;
  /** Commits the pending writes of dead processes. */
  recover(): Promise<void>;
  problems(): readonly Problem[];
  close(): Promise<void>;
}

/** @param author  of a user's writes */
export function createCommits(site: Site, author: (by: WriterId) => Author, log: (line: string) => void): CommitService {
  const journal = createJournal(site.store.name);
  const pending: PendingCommit[] = [];
  const worker = `${process.pid} ${site.store.shared?.node ?? ''}`;
  const committer = createCommitter({ site, journal, pending, settled, author, log });

  function tell(change: Told): void {
    site.store.shared?.workers?.tell({ name, change });
  }

  function settled(commit: PendingCommit): void {
    tell({ t: 'settled', writes: [...commit.seqs.map((seq) => ({ worker, seq })), ...commit.others] });
    forget([commit]);
  }

  function forget(commits: readonly PendingCommit[]): void {
    for (const commit of commits) {
      if (pending.includes(commit)) pending.splice(pending.indexOf(commit), 1);
      journal.settle(commit.seqs);
    }
  }

  /** Whether the writes of a commit, all of them or one, are among some. */
  const isOf = ({ seqs, others }: PendingCommit, writes: readonly OtherWrite[], how: 'some' | 'every'): boolean =>
    [...seqs.map((seq) => ({ worker, seq })), ...others][how]((one) =>
      writes.some((other) => other.worker === one.worker && other.seq === one.seq),
    );

  function hear(told: Told): void {
    if (told.t === 'settled') forget(pending.filter((commit) => isOf(commit, told.writes, 'every')));
    else if (told.t === 'captured') {
      const bytes = told.bytes === null ? null : Buffer.from(told.bytes, 'base64');
      for (const commit of pending.filter((one) => isOf(one, told.writes, 'some'))) keep(commit, told.path, bytes);
    } else {
      const { by, at, files, seq } = told;
      const units = new Set(files.flatMap(unitsOf));
      for (const other of pending) if (other.by !== by && meets(other, units)) other.isClosed = true;
      join(pending, { by, at, others: [{ worker: told.worker, seq }], files });
      committer.schedule();
    }
  }

  function keep(commit: PendingCommit, path: string, bytes: Uint8Array | null): void {
    commit.isClosed = true;
    if (!commit.files.has(path) || commit.captured.has(path)) return;
    commit.captured.set(path, bytes);
    if (commit.seqs.length > 0) journal.capture(commit.seqs, path, bytes);
  }

  /** Saves the content of a pending commit before somebody else overwrites it. */
  async function capture(commit: PendingCommit, paths: readonly string[]): Promise<void> {
    commit.isClosed = true;
    for (const path of paths) {
      if (!commit.files.has(path) || commit.captured.has(path)) continue;
      const bytes = await site.store.readBytes(path);
      const writes = [...commit.seqs.map((seq) => ({ worker, seq })), ...commit.others];
      if (bytes === null || bytes.length <= maxCapturedBytes)
        tell({ t: 'captured', writes, path, bytes: bytes === null ? null : Buffer.from(bytes).toString('base64') });
      keep(commit, path, bytes);
    }
  }

  /** Takes over a write of a dead process. */
  async function adopt({ by, at, files, captured }: JournaledWrite): Promise<void> {
    const units = new Set(files.flatMap(unitsOf));
    for (const other of pending) if (other.by !== by && meets(other, units)) other.isClosed = true;
    const { seq, durable } = journal.begin({ by, at, files });
    journal.end(seq);
    const commit = join(pending, { by, at, seqs: [seq], files });
    for (const [path, bytes] of captured) {
      commit.captured.set(path, bytes);
      commit.isClosed = true;
      journal.capture([seq], path, bytes);
    }
    await durable;
  }

  return {
    isOn: () => site.settings.value('git') !== 'off',
    async beforeWrite(changes, by) {
      const files = writtenFiles(changes);
      const paths = files.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path]));
      const units = new Set(files.flatMap(unitsOf));
      for (const other of pending) if (other.by !== by && meets(other, units)) await capture(other, paths);
      const at = Date.now();
      const { seq, durable } = journal.begin({ by, at, files });
      // Awaited with the write, where an error is reported.
      durable.catch(() => undefined);
      let isPending = false;
      // The file is written: commit it even if that cannot be recorded.
      const done = (): void => {
        isPending = true;
        join(pending, { by, at, seqs: [seq], files });
        committer.schedule();
        journal.end(seq);
      };
      return {
        messages: [
          { name, change: { t: 'written', worker, seq, at, files, ...(by === undefined ? {} : { by }) } satisfies Told },
        ],
        async written() {
          done();
          await durable;
        },
        refused: (error) =>
          site.store.faults.background('git', async () => {
            if (isPending) return;
            // A disk error may occur after the files are in place.
            if (faultOf(error) !== null && (await wasDone(site, { files }))) done();
            else {
              journal.settle([seq]);
              tell({ t: 'settled', writes: [{ worker, seq }] });
            }
          }),
      };
    },
    flush: committer.flush,
    writers: () => new Map(pending.flatMap(({ files, by }) => [...files.keys()].map((path) => [path, by] as const))),
    async commit(paths, by, subject) {
      await committer.flush();
      const branch = await currentBranch(site.store.name);
      if (branch === null) throw new Held('no branch is checked out, or there is no repository');
      const files = new Map<string, Uint8Array | null>();
      for (const path of paths) files.set(path, await site.store.readBytes(path));
      return commitFiles(branch, { files, author: author(by), at: Date.now(), message: () => subject });
    },
    held: committer.held,
    async recover() {
      const left = leftJournals(site.store.name);
      for (const write of left.writes) if (write.isDone || (await wasDone(site, write))) await adopt(write);
      // They are in this process's journal by now.
      left.remove();
      if (left.writes.length > 0) void committer.flush();
      committer.catchUp();
      if (site.settings.value('git') !== 'off') await committer.lookAround();
    },
    problems: committer.problems,
    replicated: {
      name,
      follow: (change) => hear(change as Told),
      snapshot: () =>
        pending.flatMap(({ by, at, seqs, others, files }) =>
          [...seqs.map((seq) => ({ worker, seq })), ...others].map((write) => ({
            t: 'written',
            by,
            at,
            files: [...files.values()],
            ...write,
          })),
        ),
    },
    async close() {
      await committer.close();
      journal.close();
    },
  };
}

/** Whether a write reached the disk: one of its files has changed. */
async function wasDone({ store }: Site, { files }: Pick<JournaledWrite, 'files'>): Promise<boolean> {
  for (const { path, from, was } of files) {
    const bytes = await store.readBytes(from ?? path);
    if (was === undefined ? bytes !== null : was !== (bytes === null ? null : etagOf(bytes))) return true;
  }
  return false;
}

/** A non-deliverable email address for users without one, stable over commits. */
export function addressFor(slug: string, url: string): string {
  return `${slug}@${(isUrl(url) && new URL(url).hostname) || 'localhost'}`;
}
