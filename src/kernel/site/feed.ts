/**
 * The feed: every change of memory has a number, in the order in which changes happen, whoever causes them: a client, somebody who edits a
 * file, git, or the clock. Numbers rise from one process to the next. This is the one place that gives them out. Clients know them as they
 * are, unless several nodes serve the content (`change-order.ts`).
 *
 * They begin at the time, which nobody else's number is ahead of: 4,096 for each second. Where changes come faster, or a clock goes
 * back, the number that a process may have reached is in a document of the cache.
 */
import { mapOf } from '../model/maps.ts';
import type { RecordChange } from '../records/types.ts';
import { jsonIn } from '../store/bytes.ts';
import type { Store } from '../store/types.ts';
import { type ChangeOrder, type CommitOrder, createCommitOrder, createOwnOrder } from './change-order.ts';

export interface Feed {
  /** Number of the latest change. */
  readonly seq: number;
  /** The number of a change that is none of records. */
  next(): number;
  /** How clients know changes. */
  readonly order: ChangeOrder;
  /** The same, where several nodes serve the content. */
  readonly commits: CommitOrder | null;
  /** @returns ends it */
  watch(watcher: FeedWatcher): () => void;
}

/** Called when records are about to change. What it gives is called once they have; the numbers of the changes begin at `first`. */
type FeedWatcher = (changes: readonly RecordChange[]) => (first: number) => void;

export interface OwnFeed extends Feed {
  /** Memory holds the folder: changes count from now on. */
  open(): void;
  /** For the door of memory. @returns to be called once the changes are made */
  applying(changes: readonly RecordChange[]): () => void;
  close(): Promise<void>;
}

const document = 'feed.json';
const perSecond = 4096;
/** So many numbers are reserved at a time. */
const reservedAtOnce = 65_536;

export async function createFeed(
  { cache, readOnly, faults, shared }: Pick<Store, 'cache' | 'readOnly' | 'faults' | 'shared'>,
  clock: () => number,
): Promise<OwnFeed> {
  const watchers = new Set<FeedWatcher>();
  let reserved = readReserved(await cache.get(document).catch(() => null));
  let seq = Math.max(reserved, Math.floor(clock() / 1000) * perSecond);
  let isOpen = false;
  let writing: Promise<void> = Promise.resolve();

  /** A process that nobody asks for a number, such as a command, reserves none. */
  function reserve(): void {
    if (readOnly || shared || seq < reserved - reservedAtOnce / 2) return;
    reserved = seq + reservedAtOnce;
    const bytes = Buffer.from(JSON.stringify({ reserved }));
    writing = faults.background('the numbers of changes', () => cache.set(document, bytes));
  }

  const current = (): number => {
    reserve();
    return seq;
  };
  const commits = shared ? createCommitOrder({ faults }, shared) : null;
  const order = commits ?? createOwnOrder(current);

  return {
    get seq() {
      return current();
    },
    order,
    commits,
    next: () => ++seq,
    watch(watcher) {
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    open() {
      isOpen = true;
    },
    applying(changes) {
      if (!isOpen) return () => undefined;
      const made = [...watchers].map((watcher) => watcher(changes));
      return () => {
        const first = seq + 1;
        seq += changes.length;
        for (const tell of made) tell(first);
      };
    },
    close() {
      order.close();
      return writing;
    },
  };
}

function readReserved(bytes: Uint8Array | null): number {
  const { reserved } = mapOf(jsonIn(bytes));
  return Number.isSafeInteger(reserved) && Number(reserved) > 0 ? Number(reserved) : 0;
}
