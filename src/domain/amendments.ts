/**
 * File changes that reading has made necessary: ids written in, terms and authors that had no file, revisions of what a person
 * replaced. Nobody asked for them, so nothing of them is worth an error: what the disk does not take now is written later.
 */
import { type Entry, type FileChange, Drift, type Store } from '../store/types.ts';
import { pathsOf } from '../store/plan.ts';

export interface Amendments {
  /** Resolves when the changes are written or put off. */
  write(changes: readonly FileChange[]): Promise<void>;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
  /** From now on no fault is thrown. Before, a folder that cannot be written is refused. */
  open(): void;
  close(): Promise<void>;
}

interface AmendmentOptions {
  readonly faults: Store['faults'];
  readonly commit: (changes: readonly FileChange[]) => Promise<readonly Entry[]>;
  readonly retryMs?: number;
}

export function createAmendments({ faults, commit, retryMs = 5000 }: AmendmentOptions): Amendments {
  const underWay = new Set<Promise<void>>();
  /** Put off, by path; a later change of a file replaces an earlier one. */
  const owed = new Map<string, FileChange>();
  let timer: NodeJS.Timeout | undefined;
  let isOpen = false;
  let isClosed = false;

  async function write(changes: readonly FileChange[]): Promise<void> {
    try {
      await commitAll(changes);
    } catch (error) {
      if (!isOpen) throw error;
      for (const change of changes) owed.set(pathsOf(change)[0] as string, change);
      await faults.background('writing into files', () => Promise.reject(error));
      retryLater();
    }
  }

  /** A file that changed meanwhile comes round again by itself. */
  async function commitAll(changes: readonly FileChange[]): Promise<void> {
    try {
      await commit(changes);
    } catch (error) {
      if (!(error instanceof Drift)) throw error;
      for (const change of changes)
        await commit([change]).catch((again) => (again instanceof Drift ? undefined : Promise.reject(again)));
    }
  }

  function retryLater(): void {
    if (isClosed || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      const changes = [...owed.values()];
      owed.clear();
      void track(write(changes));
    }, retryMs).unref();
  }

  function track(work: Promise<void>): Promise<void> {
    const tracked = work.finally(() => underWay.delete(tracked));
    underWay.add(tracked);
    return tracked;
  }

  const settled = async (): Promise<void> => void (await Promise.allSettled([...underWay]));

  return {
    write: (changes) => track(write(changes)),
    settled,
    open() {
      isOpen = true;
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await settled();
    },
  };
}
