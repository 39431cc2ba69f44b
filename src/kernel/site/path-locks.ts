/**
 * Locks of paths, with a line of those who wait before each that is locked.
 *
 * Whoever waits for several paths gets them all at once, when it is first in each of their lines, and has no locks meanwhile: nobody
 * waits in a circle.
 */
import { BusyError } from '../store/types.ts';

/** The paths that a writer has, or wants all at once. */
export interface Ticket {
  readonly paths: ReadonlySet<string>;
  go(): void;
}

interface PathLocks {
  /** @param held  of whoever asks, who does not count */
  isLocked(path: string, held: ReadonlySet<Ticket> | undefined): boolean;
  /** Locks more paths, if nobody has them. Never waits. */
  tryLock(held: Set<Ticket>, paths: Iterable<string>): boolean;
  /** Gives up all locks and waits until every one of the paths is locked. @throws BusyError */
  lock(held: Set<Ticket>, paths: Iterable<string>, deadlineMs: number): Promise<void>;
  release(held: Set<Ticket>): void;
}

interface Line {
  /** Who has the path. Nobody, if the first who wants it waits for another path as well. */
  holder: Ticket | null;
  /** Those who want it, in order. */
  readonly waiting: Set<Ticket>;
  /** When nobody had or wanted it, by the clock of `performance.now`. */
  readonly since: number;
}

/** A line that has lasted longer does not drain by waiting: */
const burstMs = 1000;
/** whoever joins it gives up after this. */
const crowdedMs = 500;

export function createPathLocks(): PathLocks {
  const lines = new Map<string, Line>();

  function lineOf(path: string): Line {
    const known = lines.get(path);
    if (known !== undefined) return known;
    const line = { holder: null, waiting: new Set<Ticket>(), since: performance.now() };
    lines.set(path, line);
    return line;
  }

  function hold(ticket: Ticket): void {
    for (const path of ticket.paths) {
      const line = lineOf(path);
      line.waiting.delete(ticket);
      line.holder = ticket;
    }
  }

  /** Lets a waiting ticket go if it is first in all of its lines. */
  function advance(ticket: Ticket): void {
    for (const path of ticket.paths) {
      const { holder, waiting } = lineOf(path);
      if (holder !== null || first(waiting) !== ticket) return;
    }
    hold(ticket);
    ticket.go();
  }

  function leave(ticket: Ticket): void {
    for (const path of ticket.paths) {
      const line = lines.get(path) as Line;
      if (line.holder === ticket) line.holder = null;
      line.waiting.delete(ticket);
      const next = first(line.waiting);
      if (line.holder === null && next === undefined) lines.delete(path);
    }
    for (const path of ticket.paths) {
      const next = first(lines.get(path)?.waiting);
      if (next !== undefined) advance(next);
    }
  }

  function release(held: Set<Ticket>): void {
    for (const ticket of held) leave(ticket);
    held.clear();
  }

  return {
    isLocked: (path, held) => lines.has(path) && !(held !== undefined && isHeld(held, path)),
    tryLock(held, paths) {
      const more = new Set<string>();
      for (const path of paths) {
        if (isHeld(held, path)) continue;
        const line = lines.get(path);
        // Who has locks goes ahead of those who wait: they may be waiting for the same locks.
        if (line !== undefined && (line.holder !== null || held.size === 0)) return false;
        more.add(path);
      }
      if (more.size === 0) return true;
      const ticket = { paths: more, go: noop };
      hold(ticket);
      held.add(ticket);
      return true;
    },
    async lock(held, paths, deadlineMs) {
      release(held);
      const wanted = [...paths];
      const now = performance.now();
      const isCrowded = wanted.some((path) => now - (lines.get(path)?.since ?? now) > burstMs);
      const patienceMs = Math.max(0, Math.min(deadlineMs - now, isCrowded ? crowdedMs : Number.POSITIVE_INFINITY));
      await new Promise<void>((resolve, reject) => {
        const giveUp = (): void => {
          held.delete(ticket);
          leave(ticket);
          reject(new BusyError('too many are writing the same files'));
        };
        const late = setTimeout(giveUp, patienceMs);
        const ticket: Ticket = {
          paths: new Set(wanted),
          go() {
            clearTimeout(late);
            resolve();
          },
        };
        held.add(ticket);
        for (const path of ticket.paths) lineOf(path).waiting.add(ticket);
        advance(ticket);
      });
    },
    release,
  };
}

const noop = (): void => undefined;

function first(tickets: ReadonlySet<Ticket> | undefined): Ticket | undefined {
  if (tickets !== undefined) for (const ticket of tickets) return ticket;
  return undefined;
}

function isHeld(held: ReadonlySet<Ticket>, path: string): boolean {
  for (const { paths } of held) if (paths.has(path)) return true;
  return false;
}
