/**
 * Sequences: the next free id of each number space. A sequence follows the ids that files have, so that none is given out again
 * once its file has gone; but only so far that no file can use it up.
 */
import { maxId } from '../model/ids.ts';
import { type Highest, soundHighest } from '../store/taken-ids.ts';

/** Files move a sequence up to here. An id above is its file's alone: half of all ids are given out whatever files say. */
export const mostFollowed = 2 ** 30;

export interface Sequences {
  /** The next id of a number space. @throws Error when there is none left */
  next(space: string): number;
  /** An id is in use. One that is none, or that is too far away, moves nothing. */
  see(space: string, id: number): void;
  /** A number space has a sequence from now on. */
  start(space: string): void;
  /** Nothing up to these is given out. */
  raise(highest: Highest): void;
  highest(): Highest;
  /** From now on the ids behind these are given out, whatever ids are seen: others have ranges of their own. */
  begin(starts: Highest): void;
  /** The highest id in use of each number space that goes beyond `ends` within `margin` more ids. */
  used(ends: Highest, margin: number): Highest;
  /** Whether any number space goes beyond these within `margin` more ids. */
  isBeyond(ends: Highest, margin: number): boolean;
}

/** @param isTaken  whether something has an id that the sequence comes to */
export function createSequences(isTaken: (space: string, id: number) => boolean): Sequences {
  const highest = new Map<string, number>();
  /** Of number spaces of which this process has a range: what has been seen. */
  const seen = new Map<string, number>();
  const raise = (space: string, id: number): void => {
    if (id > (highest.get(space) ?? 0)) highest.set(space, id);
  };
  return {
    next(space) {
      let id = (highest.get(space) ?? 0) + 1;
      while (isTaken(space, id)) id++;
      if (id > maxId) throw new Error(`no id is left among ${space}`);
      highest.set(space, id);
      return id;
    },
    see(space, id) {
      if (!isFollowed(id)) return;
      const own = seen.get(space);
      if (own === undefined) raise(space, id);
      else if (id > own) seen.set(space, id);
    },
    start(space) {
      highest.set(space, highest.get(space) ?? 0);
    },
    raise(given) {
      for (const [space, id] of Object.entries(soundHighest(given))) raise(space, id);
    },
    highest: () => Object.fromEntries(highest),
    begin(starts) {
      for (const [space, id] of Object.entries(starts)) {
        seen.set(space, Math.max(seen.get(space) ?? 0, highest.get(space) ?? 0));
        highest.set(space, id);
      }
    },
    used(ends, margin) {
      const some = [...highest].filter(([space, id]) => id + margin > (ends[space] ?? 0));
      return Object.fromEntries(some.map(([space, id]) => [space, Math.max(id, seen.get(space) ?? 0)]));
    },
    isBeyond(ends, margin) {
      for (const [space, id] of highest) if (id + margin > (ends[space] ?? 0)) return true;
      return false;
    },
  };
}

/** Whether a sequence goes on behind an id that a file has. */
export function isFollowed(id: number): boolean {
  return id <= mostFollowed;
}
