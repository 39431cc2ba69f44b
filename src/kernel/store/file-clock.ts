/**
 * How exactly a file system notes times, learnt from own writes.
 *
 * Many systems take the time of the last tick of a timer, up to ten milliseconds ago, or whole seconds: a second write of the same
 * length within a tick cannot be seen. Others note the very moment whenever the times have been looked at since the last change.
 */

export interface FileClock {
  /** A file's `ctimeMs` after a change that was begun at `beganMs`, by `Date.now`. */
  observe(ctimeMs: number, beganMs: number): void;
  /** Whether every change that comes after a look shows in the times. False until enough has been observed. */
  isExact(): boolean;
}

/** A tick passes for the very moment now and then, but not so often in a row. */
const enough = 32;
/** Ticks come at the same fraction of a millisecond again and again. */
const manyFractions = enough / 2;

export function createFileClock(): FileClock {
  let inRow = 0;
  const fractions = new Set<number>();
  return {
    observe(ctimeMs, beganMs) {
      if (inRow < enough) fractions.add(Math.floor((ctimeMs % 1) * 100));
      inRow++;
      if (ctimeMs >= beganMs && ctimeMs <= Date.now() + 1) return;
      inRow = 0;
      fractions.clear();
    },
    isExact: () => inRow >= enough && fractions.size >= manyFractions,
  };
}
