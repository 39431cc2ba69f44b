/** Image processing, a few jobs at a time, because decoding is heavy. Urgent jobs come before those made in advance. */

export interface WorkQueue {
  /** Queues `work`; `urgent` comes first. */
  run<T>(work: () => Promise<T>, urgent?: 'urgent'): Promise<T>;
  /** Number of waiting jobs. */
  readonly length: number;
  /** Drops waiting jobs and waits for running ones. */
  close(): Promise<void>;
}

export function createWorkQueue(atOnce: number): WorkQueue {
  const waiting: { start: () => void; drop: () => void; urgent: boolean }[] = [];
  const running = new Set<Promise<unknown>>();
  let isClosed = false;

  function next(): void {
    while (running.size < atOnce && waiting.length > 0) {
      const at = waiting.findIndex(({ urgent }) => urgent);
      waiting.splice(Math.max(0, at), 1)[0]?.start();
    }
  }

  return {
    get length() {
      return waiting.length;
    },
    run(work, urgent) {
      if (isClosed) return Promise.reject(new Error('closing'));
      return new Promise((resolve, reject) => {
        const start = (): void => {
          const task: Promise<unknown> = work()
            .then(resolve, reject)
            .finally(() => {
              running.delete(task);
              next();
            });
          running.add(task);
        };
        waiting.push({ start, drop: () => reject(new Error('closing')), urgent: urgent !== undefined });
        next();
      });
    },
    async close() {
      isClosed = true;
      for (const { drop } of waiting.splice(0)) drop();
      await Promise.allSettled([...running]);
    },
  };
}
