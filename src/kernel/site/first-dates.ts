/**
 * The dates of files that say none. A date is derived once, when the file is first seen, and written into it, as an id is: what its
 * name or folder says, else when git first committed it, else the present. So every clone has the same.
 */
import { now } from '../model/dates.ts';
import { dateInPath } from '../model/dated-paths.ts';
import { isMedia, unitOf } from '../store/paths.ts';
import { createGitReader, GitError } from '../store/git.ts';
import type { Store } from '../store/types.ts';

export interface FirstDates {
  /** Asks git about those of the paths of which nothing else tells. Null: there is nothing to be asked. */
  prepare(paths: readonly string[]): Promise<void> | null;
  /**
   * Site time, `YYYY-MM-DDTHH:MM:SS`; the same for a path each time.
   * @param mtimeMs  of the file
   */
  of(path: string, mtimeMs: number): string;
  /** The file has just become something with a date: what its history says is of the time before. */
  begin(path: string): void;
  forget(paths: readonly string[]): void;
}

interface FirstDateOptions {
  readonly store: Pick<Store, 'name' | 'readOnly'>;
  readonly zone: () => string;
  readonly clock: () => number;
  readonly log: (line: string) => void;
}

export function createFirstDates({ store, zone, clock, log }: FirstDateOptions): FirstDates {
  /** By path, for as long as the process: on a site that writes nothing a file is asked for again and again. */
  const known = new Map<string, string>();
  /** When git first committed a file; null: it has not. */
  const committed = new Map<string, number | null>();

  async function ask(paths: readonly string[]): Promise<void> {
    for (const path of paths) committed.set(path, null);
    try {
      const git = await createGitReader(store.name);
      if (git === null) return;
      const names = new Map(paths.flatMap((path) => namesOf(path).map((name): [string, string] => [name, path])));
      // Only what has a history is looked for in it: a new file is not to wait for the log of a large repository.
      const present = await git.committed([...names.keys()]);
      if (present.length === 0) return;
      for (const [name, ms] of await git.firstCommitted(present)) {
        const path = names.get(name) as string;
        committed.set(path, Math.min(ms, committed.get(path) ?? ms));
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      if (!(error instanceof GitError)) throw error;
      log(`${error.message}; files without a date are dated without their history`);
    }
  }

  return {
    prepare(paths) {
      const open = paths.map(unitOf).filter((path) => !known.has(path) && !committed.has(path) && dateInPath(path) === null);
      return open.length === 0 ? null : ask(open);
    },
    of(path, mtimeMs) {
      const place = unitOf(path);
      const date = known.get(place) ?? dateInPath(place) ?? now(zone(), firstMs(place, mtimeMs)).local;
      known.set(place, date);
      return date;
    },
    begin(path) {
      const place = unitOf(path);
      if (!known.has(place) && dateInPath(place) === null) known.set(place, now(zone(), clock()).local);
    },
    forget(paths) {
      for (const path of paths) {
        known.delete(unitOf(path));
        committed.delete(unitOf(path));
      }
    },
  };

  function firstMs(place: string, mtimeMs: number): number {
    // Where nothing can be written down, the present would be another at each start.
    return Math.min(committed.get(place) ?? (store.readOnly ? mtimeMs : clock()), clock());
  }
}

/** The files whose history is that of a place. */
function namesOf(path: string): string[] {
  return isMedia(path) ? [path, `${path}.yaml`] : [path];
}
