/** One after the other: what runs in a queue never overlaps. */

export interface Queue {
  /** Runs `work` when everything queued before has ended, and settles as it does. */
  run<T>(work: () => Promise<T> | T): Promise<T>;
  /** Resolves when nothing is queued any more. */
  idle(): Promise<void>;
}

export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run<T>(work: () => Promise<T> | T): Promise<T> {
      const result = last.then(work);
      last = result.catch(() => undefined);
      return result;
    },
    async idle() {
      for (let seen: unknown; seen !== last; ) {
        seen = last;
        await last;
      }
    },
  };
}
