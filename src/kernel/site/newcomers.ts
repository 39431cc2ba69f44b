/**
 * Newcomers: files that state the id of another one. A copy, or a branch in which the id was given as well. Who holds the id keeps
 * it; the newcomer waits a moment, because a file that moves is seen at both places for a while, and then gets an id of its own,
 * written into it, and a line in the log.
 */
import { problemOf } from '../store/problems.ts';
import type { Batch, Problem, Store, Write } from '../store/types.ts';
import type { Contest } from './claims.ts';
import type { RecordCache } from './record-cache.ts';
import type { InnerContests } from './hooks.ts';
import type { Indexer } from './indexer.ts';
import type { Renumbered } from './indexer-state.ts';
import type { Witness } from './witness.ts';

export interface Newcomers {
  /** Of the files of a batch that contest an id which nobody is served under: path → the one that keeps it. Null: none. */
  keepers(batch: Batch, kept?: RecordCache | null): Promise<ReadonlyMap<string, string>> | null;
  /** To be called when a batch has been taken in. */
  settleLater(): void;
  /** Gives ids to those that are there. */
  settle(): Promise<void>;
  /** Takes note of a file that has got another id than it says. */
  note(file: Renumbered): void;
  /** Of a site that writes nothing: the files that are served under other ids than they say. */
  problems(): readonly Problem[];
  close(): Promise<void>;
}

interface NewcomerOptions {
  readonly store: Pick<Store, 'readOnly' | 'reread' | 'knows' | 'git' | 'faults'>;
  readonly indexer: Pick<Indexer, 'contests' | 'rivals'>;
  /** Items inside of files. */
  readonly inner: readonly InnerContests[];
  readonly witness: Witness;
  readonly settleMs: number;
  /** Ingests what is on disk, as others have changed it. */
  readonly ingest: (batch: Batch) => Promise<void>;
  /** Ingests files as newcomers. */
  readonly part: (paths: readonly string[]) => Promise<void>;
  readonly amend: (writes: readonly Write[]) => Promise<void>;
  readonly log: (line: string) => void;
}

/** So many files of a copied folder are given ids at once. */
const partedAtOnce = 64;

export function createNewcomers(options: NewcomerOptions): Newcomers {
  const { store, indexer, log } = options;
  const told = new Map<string, Renumbered>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isClosed = false;

  const innerContests = (): string[] => options.inner.flatMap((one) => one.contests());
  const isContested = (): boolean => indexer.contests().length > 0 || innerContests().length > 0;

  async function settle(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (!isContested()) return;
    await store.git?.idle();
    // Nobody gets another id while the file that had it may have gone.
    await options.ingest(await store.reread([...new Set(indexer.contests().flatMap(({ paths }) => paths)), ...innerContests()]));
    const waiting = indexer.contests().flatMap(({ paths }) => paths.slice(1));
    waiting.sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1));
    for (let from = 0; from < waiting.length; from += partedAtOnce) await options.part(waiting.slice(from, from + partedAtOnce));
    for (const inner of options.inner) {
      const { renumbered, writes } = inner.part();
      for (const { path, said, id } of renumbered) note({ path, said, id, keeper: undefined });
      if (writes.length > 0 && !store.readOnly) await options.amend(writes);
    }
  }

  function note(file: Renumbered): void {
    told.set(file.path, file);
    log(lineOf(file, store.readOnly));
  }

  return {
    keepers(batch, kept = null) {
      const rivals = indexer.rivals(batch, kept);
      return rivals.length === 0 ? null : options.witness(rivals).then(keepersOf);
    },
    settleLater() {
      if (isClosed || timer !== undefined || !isContested()) return;
      timer = setTimeout(() => {
        running = running.then(() => store.faults.background('giving ids to copies', settle));
      }, options.settleMs).unref();
    },
    settle,
    note,
    problems: () =>
      store.readOnly ? [...told.values()].flatMap((file) => (store.knows(file.path) ? [toProblem(file)] : [])) : [],
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}

function keepersOf(contests: readonly Contest[]): ReadonlyMap<string, string> {
  return new Map(contests.flatMap(({ paths }) => paths.map((path): [string, string] => [path, paths[0] as string])));
}

function lineOf({ path, said, id, keeper }: Renumbered, isReadOnly: boolean): string {
  const why = keeper === undefined ? `id ${JSON.stringify(said)} is none that it can have` : `id ${said} is that of ${keeper}`;
  return isReadOnly ? `${path}: ${why}; it is served under ${id}` : `${path}: ${why}; it has got ${id}`;
}

function toProblem(file: Renumbered): Problem {
  const rule = file.keeper === undefined ? 'invalid-id' : 'duplicate-id';
  const hint = 'cms validate --fix gives the file an id of its own';
  const message = lineOf(file, true).slice(file.path.length + 2);
  return problemOf(file.path, { rule, message, hint });
}
