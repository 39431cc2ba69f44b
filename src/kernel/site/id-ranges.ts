/**
 * The ids a process may give out. Each process takes a range of its own of every number space, and says so on disk before anything
 * carries them: two that write one folder never give out the same id, and a crash cannot make one be used twice.
 */
import { isId } from '../model/ids.ts';
import { mapOf } from '../model/maps.ts';
import { jsonIn } from '../store/bytes.ts';
import { BusyError, type Shared, StaleWriteError, type Store } from '../store/types.ts';
import { type Highest, readSequences, writeSequences } from '../store/taken-ids.ts';
import { isFollowed } from './sequences.ts';
import type { Indexer } from './indexer.ts';

const STEP = 256;
/** Of a file that others have changed: a revision, and tags and authors that it names first. */
const perFile = 8;
const mostForFiles = 8 * STEP;

export interface IdRanges {
  /**
   * To be called before ids that were given out are written; takes the next range ahead of need.
   * @param deadlineMs  by the clock of `performance.now`
   * @throws Drift when another process has the ids that were given out beyond the end of the range: others have to be given;
   *         BusyError at the deadline
   */
  hold(path: string, deadlineMs?: number): Promise<void>;
  /**
   * To be called before files of others are read, where several processes serve the content: what they are given or make necessary
   * is not planned anew. Takes a range that is large enough; null: there is one.
   * @param wanted  ids for files that say none, by number space
   * @param files   how many may make others necessary
   */
  room(wanted: Readonly<Record<string, number>>, files: number): Promise<void> | null;
  /** How often ids that were given out here turned out to be another process's: what was planned before has to be planned anew. */
  readonly losses: number;
  /** The next id of a number space, held, unless the site only reads: for what cannot be planned anew. */
  next(space: string): Promise<number>;
  /** Gives back what has not been given out. */
  release(): Promise<void>;
}

/** In the cache mount: what imports have taken, so that one that goes on finds its ids as it left them. */
const importedFile = 'imported-ids.json';

/** From each first id to each last, by number space. */
type Ranges = Readonly<Record<string, readonly (readonly [first: number, last: number])[]>>;

/** Which ids nobody else can be giving out: those behind all ranges, and what imports have taken before. */
export async function freeIds(store: Pick<Store, 'cache'>): Promise<(space: string, id: number) => boolean> {
  const taken = await readSequences(store);
  const imported = await readImported(store);
  return (space, id) =>
    isId(id) && (id > (taken[space] ?? 0) || (imported[space] ?? []).some(([first, last]) => first <= id && id <= last));
}

/**
 * Takes all ids up to these for an import.
 * @param seen  what was taken when the ids were chosen
 * @returns false when others have taken more meanwhile
 */
export function takeIds(store: Pick<Store, 'cache' | 'alone'>, wanted: Highest, seen: Highest): Promise<boolean> {
  return store.alone(async () => {
    const taken = await readSequences(store);
    if (Object.keys(wanted).some((space) => (taken[space] ?? 0) > (seen[space] ?? 0))) return false;
    const imported: Record<string, Ranges[string]> = { ...(await readImported(store)) };
    const after = { ...taken };
    for (const [space, id] of Object.entries(wanted)) {
      const before = taken[space] ?? 0;
      if (id <= before || !isFollowed(id)) continue;
      imported[space] = [...(imported[space] ?? []), [before + 1, id]];
      after[space] = id;
    }
    await store.cache.set(importedFile, Buffer.from(JSON.stringify(imported)));
    await writeSequences(store, after);
    return true;
  });
}

/** Ids of the library begin behind all ranges that are taken. */
export async function createIdRanges(
  store: Pick<Store, 'cache' | 'alone' | 'readOnly' | 'shared'>,
  { sequences }: Pick<Indexer, 'sequences'>,
): Promise<IdRanges> {
  /** Where the last range ends that is known here; of those of others, nothing is given out. */
  let ends = store.shared ? {} : await readSequences(store);
  let taking: Promise<boolean> | undefined;
  let losses = 0;
  sequences.raise(ends);

  /** @returns whether somebody else has what was given out beyond the range */
  function take(): Promise<boolean> {
    if (store.shared) return takeOf(store.shared);
    return store.alone(async () => {
      const taken = await readSequences(store);
      const isOthers = (space: string) => (taken[space] ?? 0) > (ends[space] ?? 0);
      const isGone = Object.entries(sequences.highest()).some(([space, id]) => isOthers(space) && id > (ends[space] ?? 0));
      if (isGone) losses++;
      sequences.raise(Object.fromEntries(Object.entries(taken).filter(([space]) => isOthers(space))));
      ends = Object.fromEntries(Object.entries(sequences.highest()).map(([space, id]) => [space, id + STEP]));
      await writeSequences(store, ends);
      return isGone;
    });
  }

  /** Ranges of several nodes lie side by side: what others give out does not move the own one. */
  async function takeOf(shared: Shared, step = STEP): Promise<boolean> {
    const reserved = await shared.reserve(sequences.used(ends, step / 2), step);
    const isGone = sequences.isBeyond(ends, 0);
    if (isGone) losses++;
    sequences.begin(Object.fromEntries(Object.entries(reserved).map(([space, end]) => [space, end - step])));
    ends = { ...ends, ...reserved };
    return isGone;
  }

  /** Files are read whether there is room or not. */
  async function makeRoom(shared: Shared, most: number): Promise<void> {
    while (sequences.isBeyond(ends, most)) {
      taking ??= takeOf(shared, Math.max(STEP, 2 * most)).finally(() => {
        taking = undefined;
      });
      if ((await taking.catch(() => null)) === null) return;
    }
  }

  /** @returns whether somebody else has what was given out */
  async function isLost(deadlineMs?: number): Promise<boolean> {
    if (sequences.isBeyond(ends, STEP / 2)) {
      taking ??= take().finally(() => {
        taking = undefined;
      });
      taking.catch(() => undefined);
    }
    while (sequences.isBeyond(ends, 0)) if (await inTime(taking ?? take(), deadlineMs)) return true;
    return false;
  }

  return {
    async hold(path, deadlineMs) {
      if (await isLost(deadlineMs)) throw new StaleWriteError(path);
    },
    room(wanted, files) {
      if (store.readOnly) return null;
      for (const space of Object.keys(wanted)) sequences.start(space);
      const most = Math.max(0, ...Object.values(wanted)) + Math.min(perFile * files, mostForFiles);
      return store.shared && most > 0 && sequences.isBeyond(ends, most) ? makeRoom(store.shared, most) : null;
    },
    get losses() {
      return losses;
    },
    async next(space) {
      let id = sequences.next(space);
      while (!store.readOnly && (await isLost())) id = sequences.next(space);
      return id;
    },
    async release() {
      await taking?.catch(() => undefined);
      // Of what is left of a range, nobody else is told.
      if (store.shared) return;
      await store.alone(async () => {
        const taken = await readSequences(store);
        const given = sequences.highest();
        const left = Object.entries(given).map(([space, id]) => [
          space,
          taken[space] === ends[space] ? id : (taken[space] ?? id),
        ]);
        await writeSequences(store, { ...taken, ...Object.fromEntries(left) });
      });
    },
  };
}

/** @throws BusyError at the deadline; the work goes on */
async function inTime<T>(work: Promise<T>, deadlineMs = Number.POSITIVE_INFINITY): Promise<T> {
  if (deadlineMs === Number.POSITIVE_INFINITY) return work;
  let late: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    const giveUp = () => reject(new BusyError('the content folder is busy'));
    late = setTimeout(giveUp, Math.max(0, deadlineMs - performance.now()));
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(late);
  }
}

async function readImported(store: Pick<Store, 'cache'>): Promise<Ranges> {
  const kept = mapOf(jsonIn(await store.cache.get(importedFile)));
  const isRange = (range: unknown): boolean => Array.isArray(range) && range.length === 2 && range.every(isId);
  return Object.fromEntries(
    Object.entries(kept).map(([space, ranges]) => [space, Array.isArray(ranges) ? ranges.filter(isRange) : []]),
  );
}
