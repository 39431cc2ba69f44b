/**
 * The way of a write: in line for its files, planned against memory, committed to disk; and again, if a person was faster.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { yieldIfBusy } from '../scheduler.ts';
import { pathsOf } from '../store/commit-plan.ts';
import { BusyError, type FileChange, StaleWriteError } from '../store/types.ts';
import type { PlanningSite, Site, WritePlan } from './site.ts';
import type { SiteParts } from './site-parts.ts';
import { refuseUnreadable } from './unreadable.ts';
import { withLimits } from './write-limits.ts';

/** A write that has not begun by then is refused: the client may try again. */
const waitMs = 10_000;
/** Files that change all the time: so often a plan is made anew at once, then after a pause. */
const fewTries = 8;
const retryMs = 20;

/** What follows from a plan joins it: two writes of one file are one, in which the plan's values win. */
function together(plan: readonly FileChange[], following: readonly FileChange[]): readonly FileChange[] {
  if (following.length === 0) return plan;
  const all = [...plan];
  for (const change of following) {
    const at =
      'data' in change ? all.findIndex((one) => 'data' in one && (one.path === change.path || one.from === change.path)) : -1;
    const other = all[at];
    if (other === undefined || !('data' in other) || !('data' in change)) all.push(change);
    else
      all[at] = { ...other, data: { ...change.data, ...other.data }, order: other.order.length > 0 ? other.order : change.order };
  }
  return all;
}

export function createWrite(parts: SiteParts): Site['write'] {
  return (plan) => withLimits((check) => write(plan, check));

  async function write<T>(
    plan: (site: PlanningSite) => WritePlan<T>,
    check: (changes: readonly FileChange[]) => void,
  ): Promise<T> {
    const { site } = parts;
    const writer = site.writers.begin(waitMs);
    try {
      for (let tries = 1; ; tries++) {
        await yieldIfBusy();
        const { losses } = parts.ids;
        const seen = site.store.shared?.seen ?? 0;
        const { changes, result, once, meanwhile } = writer.plan(() => plan(site));
        if (changes.length === 0) return result;
        const paths = [...changes.flatMap(pathsOf), ...(once === undefined ? [] : [`once:${once}`])];
        if (!writer.tryLock(paths)) {
          await writer.lock(paths);
          continue;
        }
        // What changes meanwhile is found out when the files are looked at.
        await yieldIfBusy();
        const all = together(changes, parts.hooks.follow(changes));
        const allPaths = all.flatMap(pathsOf);
        if (!writer.tryLock(allPaths)) {
          await writer.lock(allPaths);
          continue;
        }
        check(all);
        await yieldIfBusy();
        const announced = await parts.hooks.beforeWrite(all);
        try {
          // While it waited, ids of the plan may have turned out to be another process's.
          if (parts.ids.losses !== losses) throw new StaleWriteError(paths[0] ?? '');
          const documents = (announced ?? []).flatMap((one) => one.documents ?? []);
          const messages = (announced ?? []).flatMap((one) => one.messages ?? []);
          await beside(site.commit(all, writer.deadlineMs, { seen, documents, messages, claims: writer.claims() }), meanwhile);
          for (const one of announced ?? []) await one.written();
          return result;
        } catch (error) {
          for (const one of announced ?? []) await one.refused(error);
          if (!(error instanceof StaleWriteError)) throw error;
          await site.store.shared?.fresh();
          await parts.feed.order.committing(async () => parts.ingest.external(await site.store.reread([error.path])));
          await refuseUnreadable(site, error.path);
          if (performance.now() > writer.deadlineMs) throw new BusyError(error.message);
          if (tries > fewTries) await pause(retryMs);
        }
      }
    } finally {
      writer.end();
    }
  }
}

/** Work while another waits for the disk; none when that is done before, as on a quick disk. */
function beside<T>(waiting: Promise<T>, work: (() => void) | undefined): Promise<T> {
  if (work === undefined) return waiting;
  // The commit begins in the next turn.
  let turn = setImmediate(() => {
    turn = setImmediate(() => {
      try {
        work();
      } catch {
        // Whoever needs it meets the same again.
      }
    });
  });
  return waiting.finally(() => clearImmediate(turn));
}
