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
import { createPathLocks, type Ticket } from './path-locks.ts';
import { createSlugReservations, type Planner, type Reservation } from './slug-reservations.ts';

export interface QueuedWriter {
  /** By the clock of `performance.now`. */
  readonly deadlineMs: number;
  /** Runs a plan. Slugs it picks are reserved, those of the plan before are free again. */
  plan<T>(make: () => T): T;
  /** Slugs that the last plan has picked, with their scopes. */
  claims(): readonly string[];
  /** Locks more paths, if nobody has them. Never waits. */
  tryLock(paths: Iterable<string>): boolean;
  /** Gives up all locks and waits until every one of the paths is locked for this writer. @throws BusyError */
  lock(paths: Iterable<string>): Promise<void>;
  /** Gives up locks and slugs. */
  end(): void;
}

export interface WriteQueue {
  /** A writer whose deadline is so many milliseconds away. */
  begin(waitMs: number): QueuedWriter;
  /** Whether another writer than the one that plans now is about to write the path. */
  isLocked(path: string): boolean;
  /**
   * As `uniqueSlug`. Within a plan the slug is reserved, and slugs of others are avoided.
   *
   * @param scope  slugs of one scope must differ
   * @param isTaken  by what is in memory
   */
  pickSlug(scope: string, wanted: string, isTaken: (slug: string) => boolean): string;
}

interface Planning extends Planner {
  readonly held: ReadonlySet<Ticket>;
}

export function createWriteQueue(): WriteQueue {
  const locks = createPathLocks();
  const slugs = createSlugReservations();
  let planning: Planning | null = null;

  return {
    begin(waitMs) {
      const writer = {};
      const deadlineMs = performance.now() + waitMs;
      const held = new Set<Ticket>();
      let reservations: Reservation[] = [];
      return {
        deadlineMs,
        plan(make) {
          slugs.release(reservations, true);
          reservations = [];
          planning = { writer, held, reservations };
          try {
            return make();
          } finally {
            planning = null;
          }
        },
        claims: () => reservations.map(({ slug }) => slug),
        tryLock: (paths) => locks.tryLock(held, paths),
        lock: (paths) => locks.lock(held, paths, deadlineMs),
        end() {
          locks.release(held);
          slugs.release(reservations, false);
          reservations = [];
        },
      };
    },
    isLocked: (path) => locks.isLocked(path, planning?.held),
    pickSlug: (scope, wanted, isTaken) =>
      planning === null ? uniqueSlug(wanted, isTaken) : slugs.pick(planning, scope, wanted, isTaken),
  };
}
