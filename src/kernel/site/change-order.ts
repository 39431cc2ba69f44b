/**
 * The numbers by which clients know changes: who was told of everything up to one can be told of the rest later.
 *
 * A process that has the content to itself numbers its changes, and that is all. Several nodes have the order of commits in common, but not
 * that in which memory changes: their own writes are there early, and what others have written comes one by one or many at a time. So a
 * change has two bounds instead. It is due to no commit up to the one that its number begins with, since of those everything was in memory
 * before; and to none behind `upTo`.
 */
import type { Store, Shared } from '../store/types.ts';

/** How clients know a change. */
export interface ChangeMark {
  id: number;
  /** Each node makes it by itself: no commit is the cause. */
  readonly isByClock: boolean;
  /** Who knows a state up to this commit, or number, has been told of the change wherever that was. */
  upTo: number;
}

export interface ChangeOrder {
  /** Everything up to it is in memory, so that whoever has been told of what is has missed nothing. */
  readonly position: number;
  /** Whoever has been told of everything up to it has been told of all writes that have been answered. */
  readonly written: number;
  /** Of a change that is made now: whether no commit is the cause. */
  readonly isByClock: boolean;
  /** Of a change that is made in this turn. @param seq  its number in this process */
  mark(seq: number): ChangeMark;
  /** Runs what commits and then changes memory. */
  committing<T>(work: () => Promise<T>): Promise<T>;
  /** Changes memory without a commit: by the clock. */
  unprompted(work: () => void): void;
  close(): void;
}

/** Of several nodes. */
export interface CommitOrder extends ChangeOrder {
  /** The commit of `position`. */
  readonly commit: number;
  /** The last commit that a change of memory can be due to. */
  readonly changed: number;
  commitOf(number: number): number;
  /** What a client is told that may know of commits behind that of a number. */
  orLater(number: number): number;
  /** Waits until `position` is that of a commit, or its time is over, or there is no such commit. */
  reach(commit: number): Promise<void>;
  /** Calls back before `commit` rises. @returns ends it */
  onRise(listener: (next: number) => void): () => void;
}

/** Changes that are numbered one by one while memory is whole up to the same commit. */
const perCommit = 256;
/** Clocks of nodes differ by less, and so does the time at which they notice that something is due. */
const clocksDifferMs = 60_000;
const retryMs = 10_000;
/** Who asks for what this node does not have yet waits no longer. */
const reachMs = 5000;

export function createCommitOrder({ faults }: Pick<Store, 'faults'>, shared: Shared): CommitOrder {
  const underWay = new Set<{ readonly since: number }>();
  const listeners = new Set<(next: number) => void>();
  /** Of changes without a commit; other nodes may be yet to make them. */
  const open: { readonly mark: ChangeMark; readonly until: number }[] = [];
  let commit = shared.seen;
  let count = 0;
  let isUnprompted = false;
  let timer: NodeJS.Timeout | undefined;
  const unfollow = shared.follow(rise);

  const numberOf = (of: number, at = 0): number => shared.numbersFrom + of * perCommit + at;
  const commitOf = (number: number): number => Math.floor((number - shared.numbersFrom) / perCommit);
  // With nothing committed that is not in memory already, a change is due to no commit either.
  const isDue = (): boolean => !isUnprompted && shared.changed > commit;

  /** Own writes that are not in memory yet may be of any commit after they began. */
  function rise(): void {
    let next = shared.seen;
    for (const { since } of underWay) next = Math.min(next, since);
    if (next <= commit) return;
    for (const listener of listeners) listener(next);
    [commit, count] = [next, 0];
  }

  function close(mark: ChangeMark): void {
    open.push({ mark, until: performance.now() + clocksDifferMs });
    timer ??= setTimeout(settle, clocksDifferMs).unref();
  }

  /** By now every node has made these changes, or is about to before it takes in any later commit. */
  function settle(): void {
    const now = performance.now();
    const due = open.filter(({ until }) => until <= now);
    const again = (ms: number): void => {
      timer = open.length > 0 ? setTimeout(settle, ms).unref() : undefined;
    };
    void faults.background('the order of changes', async () => {
      try {
        await shared.fresh();
        for (const one of due) {
          one.mark.upTo = shared.seen + 1;
          open.splice(open.indexOf(one), 1);
        }
        again(Math.max(0, (open[0]?.until ?? 0) - performance.now()));
      } catch (error) {
        again(retryMs);
        throw error;
      }
    });
  }

  async function reach(wanted: number): Promise<void> {
    if (wanted <= commit) return;
    const late = AbortSignal.timeout(reachMs);
    const isLate = new Promise<void>((done) => late.addEventListener('abort', () => done(), { once: true }));
    await Promise.race([shared.fresh().catch(() => undefined), isLate]);
    while (wanted <= shared.seen && wanted > commit && !late.aborted) await Promise.race([risen(), isLate]);
  }

  function risen(): Promise<void> {
    return new Promise((done) => {
      const listener = (): void => {
        listeners.delete(listener);
        setImmediate(done);
      };
      listeners.add(listener);
    });
  }

  return {
    get commit() {
      return commit;
    },
    get changed() {
      return shared.changed;
    },
    get position() {
      return numberOf(commit);
    },
    get written() {
      return numberOf(Math.max(commit, shared.changed));
    },
    commitOf,
    orLater: (number) => (number === numberOf(commitOf(number)) ? number + 1 : number),
    reach,
    get isByClock() {
      return !isDue();
    },
    mark() {
      count++;
      const id = numberOf(commit, Math.min(count, perCommit - 1));
      if (isDue()) return { id, upTo: shared.changed, isByClock: false };
      const mark = { id, upTo: Number.POSITIVE_INFINITY, isByClock: true };
      close(mark);
      return mark;
    },
    async committing(work) {
      const own = { since: commit };
      underWay.add(own);
      try {
        return await work();
      } finally {
        underWay.delete(own);
        rise();
      }
    },
    unprompted(work) {
      isUnprompted = true;
      try {
        work();
      } finally {
        isUnprompted = false;
      }
    },
    onRise(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      unfollow();
      clearTimeout(timer);
    },
  };
}

/** Of a process that has the content to itself. @param seq  of the latest change */
export function createOwnOrder(seq: () => number): ChangeOrder {
  return {
    get position() {
      return seq();
    },
    get written() {
      return seq();
    },
    isByClock: false,
    mark: (id) => ({ id, upTo: id, isByClock: false }),
    committing: (work) => work(),
    unprompted: (work) => work(),
    close: () => undefined,
  };
}
