/** Makes pending commits in the background: each a minute after its first write, all on request. What cannot be committed or pushed now waits. */
import { table } from '../../../kernel/model/maps.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { GitError } from '../../../kernel/store/git.ts';
import { problemOf } from '../../../kernel/store/problems.ts';
import type { Site } from '../../../kernel/site/site.ts';
import type { Problem } from '../../../kernel/store/types.ts';
import { type Branch, currentBranch } from './branch.ts';
import { commitFiles } from './commit-files.ts';
import type { Journal } from './journal.ts';
import { messageOf } from './message.ts';
import { minuteMs, type PendingCommit } from './pending.ts';
import { push } from './push.ts';
import { atWork, type Author, branchMoved, Held, type WriterId } from './record.ts';

interface CommitterOptions {
  readonly site: Site;
  readonly journal: Journal;
  /** In order of first writes. */
  readonly pending: PendingCommit[];
  /** A commit has been made, or none was needed. */
  readonly settled: (commit: PendingCommit) => void;
  readonly author: (by: WriterId) => Author;
  readonly log: (line: string) => void;
}

interface Committer {
  /** Must be called after a write. */
  schedule(): void;
  /** Commits everything possible. */
  flush(): Promise<void>;
  /** Reports why nothing can be committed. */
  lookAround(): Promise<void>;
  /** Pushes commits of earlier processes. */
  catchUp(): void;
  held(): string | null;
  problems(): readonly Problem[];
  close(): Promise<void>;
}

const retryMs = 2000;
/** What another worker has begun is left to it for so long. */
const theirsMs = 10_000;
/** Retry delay of a push. */
const pushAgainMs = 60_000;

export function createCommitter({ site, journal, pending, settled, author, log }: CommitterOptions): Committer {
  const root = site.store.name;
  const reasons: { commit: string | null; push: string | null } = { commit: null, push: null };
  const timers: { commit?: NodeJS.Timeout | undefined; push?: NodeJS.Timeout | undefined } = {};
  let running: Promise<void> = Promise.resolve();
  let isClosed = false;

  const dueIn = ({ isClosed: isFull, isTheirs, since }: PendingCommit): number =>
    since + (isFull && !isTheirs ? 0 : minuteMs) + (isTheirs ? theirsMs : 0) - Date.now();
  const isDue = (commit: PendingCommit): boolean => dueIn(commit) <= 0;

  function schedule(afterMs = Math.max(0, Math.min(...pending.map(dueIn)))): void {
    if (isClosed || timers.commit !== undefined || pending.length === 0) return;
    timers.commit = setTimeout(() => {
      timers.commit = undefined;
      void run(isDue);
    }, afterMs).unref();
  }

  function run(which: (commit: PendingCommit) => boolean): Promise<void> {
    running = running.then(() => attempt('commit', () => commitAll(which)));
    running = running.then(() => schedule(reasons.commit === null ? undefined : retryMs));
    return running;
  }

  /** Errors are reported, and the work is retried. */
  async function attempt(what: 'commit' | 'push', work: () => Promise<void>): Promise<void> {
    try {
      await work();
      reasons[what] = null;
    } catch (error) {
      const reason = error instanceof Held || error instanceof GitError ? error.message : String(error);
      if (reasons[what] !== reason) log(`git: ${sentences[what]}: ${reason}`);
      reasons[what] = reason;
    }
  }

  async function commitAll(which: (commit: PendingCommit) => boolean): Promise<void> {
    let isMade = false;
    journal.settle([]);
    try {
      for (const commit of pending.filter(which)) {
        const branch = await currentBranch(root);
        commit.isClosed = true;
        if (branch !== null && (await make(branch, commit))) isMade = true;
        settled(commit);
        if (branch === null) throw new Held(noRepository);
      }
    } finally {
      if (isMade || reasons.push !== null) await pushNow();
    }
  }

  /** @returns whether there was anything to commit */
  async function make(branch: Branch, { files: written, captured, by, at }: PendingCommit): Promise<boolean> {
    const files = new Map<string, Uint8Array | null>();
    for (const path of written.keys()) {
      const bytes = captured.has(path) ? null : await site.store.readBytes(path);
      // Another worker may have written over it, and has said what it was.
      await site.store.shared?.fresh();
      files.set(path, captured.has(path) ? (captured.get(path) ?? null) : bytes);
    }
    const commit = await commitFiles(branch, {
      files,
      author: author(by),
      at,
      message: (changes) => messageOf(changes, [...written.values()]),
    });
    return commit !== null;
  }

  async function pushNow(): Promise<void> {
    if (site.settings.value('git') !== 'push') return;
    await attempt('push', async () => {
      const branch = await currentBranch(root);
      if (branch !== null) await push(site, branch);
    });
    if (reasons.push === null || isClosed) return;
    timers.push ??= setTimeout(() => {
      timers.push = undefined;
      catchUp();
    }, pushAgainMs).unref();
  }

  function catchUp(): void {
    running = running.then(pushNow);
  }

  /** Reports obstacles at start, which would otherwise appear only with the first write. */
  async function lookAround(): Promise<void> {
    const branch = await currentBranch(root).catch(() => undefined);
    if (branch === null) await attempt('commit', () => Promise.reject(new Held(noRepository)));
  }

  return {
    schedule,
    lookAround,
    async flush() {
      await site.store.shared?.fresh();
      return run(() => true);
    },
    catchUp,
    held: () => reasons.commit ?? reasons.push,
    problems() {
      if (site.settings.value('git') === 'off') return [];
      const found = Object.entries(reasons) as ['commit' | 'push', string | null][];
      return found.flatMap(([what, reason]) =>
        reason === null
          ? []
          : problemOf('site.yaml', { rule: `git-${what}`, severity: 'warning', message: `${sentences[what]}: ${reason}` }),
      );
    },
    async close() {
      clearTimeout(timers.commit);
      clearTimeout(timers.push);
      isClosed = true;
      // Another git process is only active for moments.
      for (let tries = 0; pending.some(({ isTheirs }) => !isTheirs) && tries < 10; tries++) {
        if (tries > 0) await pause(100);
        await run(({ isTheirs }) => !isTheirs);
        if (reasons.commit !== atWork && reasons.commit !== branchMoved) break;
      }
      clearTimeout(timers.commit);
      await running;
    },
  };
}

const noRepository = 'the folder is in no git repository';
const sentences = table({ commit: 'writes are not committed', push: 'commits are not pushed' } as const);
