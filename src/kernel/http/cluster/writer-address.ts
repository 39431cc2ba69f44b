/**
 * Where the writer's sockets are, as a reader knows it: the base path of their names, and those who wait for one.
 */
interface WriterAddress {
  /** A writer has opened its sockets. */
  set(base: string): void;
  /** The writer there has ended. */
  gone(base: string): void;
  /** Base path of a writer other than `not`, when there is one or as soon as there is; null after `limitMs`, and once it is closed. */
  next(not: string | undefined, limitMs: number): Promise<string | null>;
  close(): void;
}

/** A timer counts in 32 bits. */
const maxTimerMs = 60_000;

export function createWriterAddress(): WriterAddress {
  const waiting = new Set<() => void>();
  let base: string | null = null;
  let isClosed = false;
  const wakeAll = (): void => {
    for (const wake of waiting) wake();
  };
  return {
    set(path) {
      base = path;
      wakeAll();
    },
    gone(path) {
      if (base === path) base = null;
    },
    async next(not, limitMs) {
      const until = Date.now() + limitMs;
      while (!isClosed && (base === null || base === not)) {
        const left = until - Date.now();
        if (left <= 0) return null;
        const { promise: woken, resolve: wake } = deferred<void>();
        const timer = setTimeout(wake, Math.min(left, maxTimerMs));
        waiting.add(wake);
        await woken;
        waiting.delete(wake);
        clearTimeout(timer);
      }
      return isClosed ? null : base;
    },
    close() {
      isClosed = true;
      wakeAll();
    },
  };
}

/** A promise, and what resolves it. */
export function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
