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

/**
 * Whoever calls while some work is under way shares the next run, which begins after the call: when that work is done, and before those
 * go on who have waited for it.
 */
export function createJoin(work: () => Promise<void>): () => Promise<void> {
  let isRunning = false;
  let next: Run | null = null;
  const begin = (run: Run): void => {
    isRunning = true;
    const over = (): void => {
      const waiting = next;
      [isRunning, next] = [false, null];
      if (waiting !== null) begin(waiting);
    };
    work().then(
      () => {
        over();
        run.done();
      },
      (error: unknown) => {
        over();
        run.failed(error);
      },
    );
  };
  return () => {
    const run = next ?? newRun();
    if (isRunning) next = run;
    else begin(run);
    return run.ended;
  };
}

interface Run {
  readonly ended: Promise<void>;
  done(): void;
  failed(error: unknown): void;
}

function newRun(): Run {
  let [done, failed]: [Run['done'], Run['failed']] = [() => undefined, () => undefined];
  const ended = new Promise<void>((resolve, reject) => {
    [done, failed] = [resolve, reject];
  });
  return { ended, done, failed };
}
