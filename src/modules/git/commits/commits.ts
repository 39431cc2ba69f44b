/**
 * Commits of writes: each is noted before it reaches the disk and joins those of its user to the same item. Nobody's write waits for
 * git; what a process that died has not committed, the next one does.
 */
import { etagOf } from '../../../kernel/yaml/codec.ts';
import type { Announced } from '../../../kernel/site/hooks.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { faultOf } from '../../../kernel/store/faults.ts';
import type { FileChange, Problem } from '../../../kernel/store/types.ts';
import { createCommitter } from './committer.ts';
import { createJournal, type JournaledWrite, leftJournals } from './journal.ts';
import { join, meets, type PendingCommit, unitsOf, writtenFiles } from './pending.ts';
import type { Author, Commits, WriterId } from './record.ts';
import { isUrl } from '../../../kernel/model/addresses.ts';

export interface CommitService extends Commits {
  beforeWrite(changes: readonly FileChange[], by: WriterId): Promise<Announced>;
  /** Commits what processes that are gone have left. */
  recover(): Promise<void>;
  problems(): readonly Problem[];
  close(): Promise<void>;
}

/** @param author  of what a user writes */
export function createCommits(site: Site, author: (by: WriterId) => Author, log: (line: string) => void): CommitService {
  const journal = createJournal(site.store.name);
  const pending: PendingCommit[] = [];
  const committer = createCommitter({ site, journal, pending, author, log });

  /** What a pending commit is about is kept from what somebody else is about to write. */
  async function capture(commit: PendingCommit, paths: readonly string[]): Promise<void> {
    commit.isClosed = true;
    for (const path of paths) {
      if (!commit.files.has(path) || commit.captured.has(path)) continue;
      const bytes = await site.store.readBytes(path);
      commit.captured.set(path, bytes);
      journal.capture(commit.seqs, path, bytes);
    }
  }

  /** A write of a process that is gone is pending here. */
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
      // It is waited for when the write is durable; a fault of the disk until then is told there.
      durable.catch(() => undefined);
      let isPending = false;
      // The file is there: it is committed, whether that can be noted or not.
      const done = (): void => {
        isPending = true;
        join(pending, { by, at, seqs: [seq], files });
        committer.schedule();
        journal.end(seq);
      };
      return {
        async written() {
          done();
          await durable;
        },
        refused: (error) =>
          site.store.faults.background('git', async () => {
            if (isPending) return;
            // A fault of the disk may come when the files are in place.
            if (faultOf(error) !== null && (await wasDone(site, { files }))) done();
            else journal.settle([seq]);
          }),
      };
    },
    flush: committer.flush,
    held: committer.held,
    async recover() {
      const left = leftJournals(site.store.name);
      for (const write of left.writes) if (write.isDone || (await wasDone(site, write))) await adopt(write);
      // By now they are in the journal of this process.
      left.remove();
      if (left.writes.length > 0) void committer.flush();
      committer.catchUp();
      if (site.settings.value('git') !== 'off') await committer.lookAround();
    },
    problems: committer.problems,
    async close() {
      await committer.close();
      journal.close();
    },
  };
}

/** Whether a write that was begun reached the disk: one of its files is not what it was before. */
async function wasDone({ store }: Site, { files }: Pick<JournaledWrite, 'files'>): Promise<boolean> {
  for (const { path, from, was } of files) {
    const bytes = await store.readBytes(from ?? path);
    if (was === undefined ? bytes !== null : was !== (bytes === null ? null : etagOf(bytes))) return true;
  }
  return false;
}

/** Where mail to somebody without an address would go: nowhere, and the same for each commit. */
export function addressFor(slug: string, url: string): string {
  return `${slug}@${(isUrl(url) && new URL(url).hostname) || 'localhost'}`;
}
