/** When a snapshot is written. */
import type { Faults } from './faults.ts';

/** The snapshot is written so long after a start, and not more often than this. */
const keepAfterMs = 5000;
const keepEveryMs = 10 * 60_000;

export interface Keeper {
  /** After a start. */
  wake(): void;
  /** Writes it a last time. */
  close(): Promise<void>;
}

/** Soon after a start, then now and then, and at the end. A snapshot that cannot be written is not missed by anybody. */
export function createKeeper(faults: Faults, keep: () => Promise<void>): Keeper {
  let running = Promise.resolve();
  const run = () => {
    running = running.then(() => faults.background('the snapshot', keep));
  };
  const every = setInterval(run, keepEveryMs).unref();
  let soon: NodeJS.Timeout | undefined;
  return {
    wake() {
      soon ??= setTimeout(run, keepAfterMs).unref();
    },
    async close() {
      clearInterval(every);
      clearTimeout(soon);
      run();
      await running;
    },
  };
}
