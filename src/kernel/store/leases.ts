/** Work that one of several processes does at a time, by leases. */
import { setTimeout as pause } from 'node:timers/promises';
import { BusyError, type Shared } from './types.ts';

/** Longer than any work that only one may do at a time. */
const aloneMs = 15_000;
const askAgainMs = 20;

/** Runs what checks and then writes alone, with everything in memory that others have done. */
export function leasedAlone(lease: Shared['lease'], fresh: Shared['fresh']): Shared['alone'] {
  return async (name, work) => {
    const lateMs = performance.now() + aloneMs;
    while (!(await lease(name, aloneMs))) {
      if (performance.now() > lateMs) throw new BusyError(`another process is at it: ${name}`);
      await pause(askAgainMs);
    }
    try {
      await fresh();
      return await work();
    } finally {
      await lease(name, 0).catch(() => undefined);
    }
  };
}
