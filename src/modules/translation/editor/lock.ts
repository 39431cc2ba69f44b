/** The lock of synchronisation. In memory: it lapses by itself, and with the process. */
import { randomUUID } from 'node:crypto';
import type { SyncLock } from './record.ts';

const holdMs = 30_000;

export function createLock(clock: () => number): SyncLock {
  let [key, until] = ['', 0];
  return {
    take(given) {
      const isFree = until <= clock();
      if (!isFree && given !== key) return null;
      // An expired key is still valid if nobody has taken the lock since.
      if (given === '' || given !== key) key = randomUUID();
      until = clock() + holdMs;
      return key;
    },
  };
}
