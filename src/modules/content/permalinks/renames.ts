/**
 * Files that others rename, move or re-slug: the former URL becomes an alias in the file, as with a change over REST. Memory before the change knows
 * the URL; the id in the file identifies the item.
 *
 * The alias is written once nothing has moved for two seconds and git is not at work. Files that git itself put there (a checkout, a pull, a stash)
 * are left alone, so that the next checkout does not fail; lost URLs are reported instead.
 */
import { nextTurn } from '../../../kernel/scheduler.ts';
import type { Batch, Problem } from '../../../kernel/store/types.ts';
import { type Former, itemOf, keyOf, writeAlias } from './alias-plan.ts';
import type { Site } from '../../../kernel/site/site.ts';
import { lostAddress, lostAddresses, takenAddresses } from './lost-addresses.ts';
import { formersIn, maxSmallBatch, type MovedItems, noteMoves, takeDue } from './moved-items.ts';

declare module '../../../kernel/site/site.ts' {
  interface Site {
    /** Former URLs of files that others move. */
    readonly renames: Renames;
  }
}

interface Renames {
  /** Where the items of a batch are before it is ingested; large batches are read lazily. */
  before(batch: Batch): readonly Former[] | Promise<readonly Former[]>;
  after(before: readonly Former[], batch: Pick<Batch, 'entries'>): void;
  onReport(listener: (problems: readonly Problem[]) => void): void;
  /** Writes pending aliases. */
  close(): Promise<void>;
}

const quietMs = 2000;
/** Delay before a retry, while git is at work and after a failed write. */
const againMs = 1000;
/** A commit may be this much older than the time its files were seen. */
const slackMs = 10_000;
/** Files of one commit. */
const maxWrites = 64;

export function createRenames(site: Site): Renames {
  const moved: MovedItems = { pending: new Map(), departed: new Map(), since: 0 };
  /** Aliases written here, by item. */
  const written = new Map<string, Set<string>>();
  const listeners: ((problems: readonly Problem[]) => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  let work: Promise<void> = Promise.resolve();
  let isClosed = false;

  return {
    before: (batch) => formersIn(site, batch),
    after(before, { entries }) {
      const isNew = noteMoves(site, moved, before, entries);
      if (entries.length <= maxSmallBatch) report(takenAddresses(site, before, entries));
      // Items waiting for a file to be removed are checked after every change.
      if (isNew || moved.pending.size > 0) schedule(quietMs);
    },
    onReport: (listener) => void listeners.push(listener),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await finish();
    },
  };

  function report(problems: readonly Problem[]): void {
    if (problems.length > 0) for (const listener of listeners) listener(problems);
  }

  function schedule(ms: number): void {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(() => void finish(), ms).unref();
  }

  /** Resolves when pending aliases have been written. */
  function finish(): Promise<void> {
    work = work.then(writeDue).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      report([lostAddress('', `former addresses could not be saved: ${reason}`)]);
    });
    return work;
  }

  async function writeDue(): Promise<void> {
    if (moved.pending.size === 0) return;
    const { git } = site.store;
    if (await git?.isBusy(site.clock())) return schedule(againMs);
    const due = takeDue(site, moved);
    const wanting = due.flatMap((former) => (planOf(former) ? [{ former, path: itemOf(site, former)?.path ?? '' }] : []));
    if (wanting.length === 0) return;
    if (site.store.readOnly) return report(lostAddresses(site, due, 'the site is read-only'));
    const paths = wanting.map(({ path }) => path);
    const fromGit = (await git?.fromCommit(paths, moved.since - slackMs)) ?? new Set();
    const byHand = wanting.flatMap(({ former, path }) => (fromGit.has(path) ? [] : [former]));
    // Parents first: an alias for a page covers its children.
    byHand.sort((a, b) => depthOf(a) - depthOf(b));
    for (let from = 0; from < byHand.length; ) {
      const depth = depthOf(byHand[from] as Former);
      const part = byHand.slice(from, from + maxWrites).filter((former) => depthOf(former) === depth);
      from += part.length;
      await write(part);
      await nextTurn();
    }
    const left = wanting.flatMap(({ former, path }) => (fromGit.has(path) ? [former] : []));
    report(lostAddresses(site, left, 'git put the file there, and it is left as git knows it'));
  }

  async function write(part: readonly Former[]): Promise<void> {
    try {
      const done = await site.write(() => {
        const plans = part.flatMap((former) => {
          const plan = planOf(former);
          return plan ? [{ ...plan, former }] : [];
        });
        return { changes: plans.map(({ write }) => write), result: plans };
      });
      for (const { former, alias } of done) {
        const key = keyOf(former);
        written.set(key, alias === '' ? new Set() : (written.get(key) ?? new Set()).add(alias));
      }
    } catch (error) {
      if (isClosed) throw error;
      for (const former of part) if (!moved.pending.has(keyOf(former))) moved.pending.set(keyOf(former), former);
      schedule(againMs * 10);
      throw error;
    }
  }

  function planOf(former: Former) {
    return writeAlias(site, former, written.get(keyOf(former)) ?? new Set());
  }
}

function depthOf({ address }: Former): number {
  return address.split('/').length;
}
