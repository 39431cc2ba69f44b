/**
 * Writers of one site in line for the files they change.
 *
 * A plan is made against memory, so two writers of one file must not plan side by side: the second would build on a state that the
 * first replaces. Each writer locks the paths of its plan before it commits; whoever meets a locked path waits in line, and plans
 * again when its turn comes. Writers of different files never wait for one another.
 *
 * Waiting ends with `BusyError`: at the writer's deadline, and much sooner in a line that has not been empty for a while. A burst of
 * writers is served to the last; where more come than can be served, those that are served have not waited long.
 *
 * Slugs that a plan has picked stay reserved until its files are in memory: plans made meanwhile pick others.
 */
import { uniqueSlug } from '../model/slugs.ts';
import { BusyError } from '../store/types.ts';

export interface Writer {
  /** By the clock of `performance.now`. */
  readonly deadlineMs: number;
  /** Runs a plan. Slugs it picks are reserved, those of the plan before are free again. */
  plan<T>(make: () => T): T;
  /** Locks more paths, if nobody has them. Never waits. */
  tryLock(paths: Iterable<string>): boolean;
  /** Gives up all locks and waits until every one of the paths is locked for this writer. @throws BusyError */
  lock(paths: Iterable<string>): Promise<void>;
  /** Gives up locks and slugs. */
  end(): void;
}

export interface WriteQueue {
  /** A writer whose deadline is so many milliseconds away. */
  begin(waitMs: number): Writer;
  /** Whether another writer than the one that plans now is about to write the path. */
  isLocked(path: string): boolean;
  /**
   * As `uniqueSlug`. Within a plan the slug is reserved, and slugs of others are avoided.
   * Cost: one look for each suffix that is taken, but for many writers who ask for one slug at once one look each.
   *
   * @param scope  slugs of one scope must differ
   * @param isTaken  by what is in memory
   */
  pickSlug(scope: string, wanted: string, isTaken: (slug: string) => boolean): string;
}

/** The paths that a writer has, or wants all at once. */
interface Ticket {
  readonly paths: ReadonlySet<string>;
  go(): void;
}

interface Line {
  /** Who has the path. Nobody, if the first who wants it waits for another path as well. */
  holder: Ticket | null;
  /** Those who want it, in order. */
  readonly waiting: Set<Ticket>;
  /** When nobody had or wanted it, by the clock of `performance.now`. */
  readonly since: number;
}

interface Reservation {
  readonly slug: string;
  readonly wanted: string;
  /** Its suffix; 1 without one. */
  readonly number: number;
}

/** Suffixes of a wanted slug: all below `next` are taken, as long as somebody holds a reservation. */
interface Suffixes {
  next: number;
  reservations: number;
}

interface Planning {
  readonly writer: object;
  readonly held: ReadonlySet<Ticket>;
  readonly reservations: Reservation[];
}

/** A line that has lasted longer does not drain by waiting: */
const burstMs = 1000;
/** whoever joins it gives up after this. */
const crowdedMs = 500;

export function createWriteQueue(): WriteQueue {
  const lines = new Map<string, Line>();
  /** Scope and slug → its writer. */
  const reserved = new Map<string, object>();
  const suffixes = new Map<string, Suffixes>();
  let planning: Planning | null = null;

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

  /** @param isUnused  the slugs are as free as before */
  function unreserve(reservations: readonly Reservation[], isUnused: boolean): void {
    for (const { slug, wanted, number } of reservations) {
      reserved.delete(slug);
      const known = suffixes.get(wanted) as Suffixes;
      if (isUnused && number > 1) known.next = Math.min(known.next, number);
      if (--known.reservations === 0) suffixes.delete(wanted);
    }
  }

  function begin(waitMs: number): Writer {
    const writer = {};
    const deadlineMs = performance.now() + waitMs;
    const held = new Set<Ticket>();
    let reservations: Reservation[] = [];

    function release(): void {
      for (const ticket of held) leave(ticket);
      held.clear();
    }

    return {
      deadlineMs,
      plan(make) {
        unreserve(reservations, true);
        reservations = [];
        planning = { writer, held, reservations };
        try {
          return make();
        } finally {
          planning = null;
        }
      },
      tryLock(paths) {
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
      async lock(paths) {
        release();
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
      end() {
        release();
        unreserve(reservations, false);
        reservations = [];
      },
    };
  }

  function pickSlug(scope: string, wanted: string, isTaken: (slug: string) => boolean): string {
    if (planning === null) return uniqueSlug(wanted, isTaken);
    const { writer, reservations } = planning;
    const nameOf = (slug: string): string => `${scope} ${slug}`;
    const known = suffixes.get(nameOf(wanted)) ?? { next: 2, reservations: 0 };
    let number = known.next - 2;
    const slug = uniqueSlug(
      wanted,
      (one) => {
        number++;
        const holder = reserved.get(nameOf(one));
        return (holder !== undefined && holder !== writer) || isTaken(one);
      },
      known.next,
    );
    if (reserved.get(nameOf(slug)) === writer) return slug;
    reserved.set(nameOf(slug), writer);
    const next = slug === wanted ? known.next : number + 1;
    suffixes.set(nameOf(wanted), { next, reservations: known.reservations + 1 });
    reservations.push({ slug: nameOf(slug), wanted: nameOf(wanted), number: slug === wanted ? 1 : number });
    return slug;
  }

  return {
    begin,
    isLocked: (path) => lines.has(path) && !(planning !== null && isHeld(planning.held, path)),
    pickSlug,
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
