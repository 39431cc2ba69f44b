/**
 * Long computations in short pieces, so that the event loop serves others in between. A computation is a generator that
 * pauses often; whoever cannot wait runs it to its end.
 */

/** Yields about every tenth of a millisecond. */
export type Task<T> = Generator<void, T>;

export interface TimeSlices {
  /**
   * Runs a computation a slice at a time. When `stamp` has changed in between it is begun again: the result holds for the
   * stamp at the moment the promise resolves.
   */
  run<T>(begin: () => Task<T>, stamp: () => number): Promise<T>;
}

/** Beginning again is cheap, since what costs is remembered; but it must come to an end under steady changes. */
const maxStarts = 50;

/**
 * All that runs shares one queue: a slice of one computation per turn of the event loop, whatever their number.
 *
 * @param sliceMs  how long others may have to wait behind one slice
 */
export function createTimeSlices(sliceMs: number): TimeSlices {
  const queue: (() => boolean)[] = [];

  function turn(): void {
    const step = queue.shift()!;
    if (!step()) queue.push(step);
    if (queue.length > 0) setImmediate(turn);
  }

  return {
    run: <T>(begin: () => Task<T>, stamp: () => number) =>
      new Promise<T>((resolve, reject) => {
        let [work, begun, starts] = [begin(), stamp(), 1];
        function advance(): boolean {
          if (stamp() !== begun) [work, begun, starts] = [begin(), stamp(), starts + 1];
          const end = starts > maxStarts ? Infinity : performance.now() + sliceMs;
          let step = work.next();
          while (!step.done && performance.now() < end) step = work.next();
          if (step.done) resolve(step.value);
          return step.done === true;
        }
        const step = (): boolean => {
          try {
            return advance();
          } catch (error) {
            reject(error);
            return true;
          }
        };
        // What takes less than a slice, as nearly everything does, is done at once.
        if (queue.length === 0 && step()) return;
        if (queue.push(step) === 1) setImmediate(turn);
      }),
  };
}

/** Runs a computation to its end. */
export function finish<T>(work: Task<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
