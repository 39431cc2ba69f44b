/**
 * Which ids processes have taken to give out: in the cache mount, the end of the last range of each number space. To be changed while
 * nobody else does (`Store.alone`).
 */
import { maxId } from '../model/ids.ts';
import { mapOf } from '../model/maps.ts';
import { jsonIn } from './bytes.ts';
import type { Store } from './types.ts';

/** The highest id that has been given out or seen, by number space. */
export type Highest = Readonly<Record<string, number>>;

const file = 'sequences.json';
/**
 * No sequence gets there by giving out ids. What is kept of one that is beyond comes of a file with an id near the end, and is
 * passed over.
 */
const mostKept = maxId - 2 ** 20;

/** Values that cannot be are left out: whatever is in the file, the ids of the content are what counts. */
export async function readSequences({ cache }: Pick<Store, 'cache'>): Promise<Highest> {
  return soundHighest(jsonIn(await cache.get(file)));
}

export async function writeSequences({ cache }: Pick<Store, 'cache'>, taken: Highest): Promise<void> {
  await cache.set(file, Buffer.from(JSON.stringify(taken)));
}

/** See `ContentEngine.reserve`. */
export const reserveIds = (store: Pick<Store, 'cache' | 'alone'>, above: Highest, count: number): Promise<Highest> =>
  store.alone(async () => {
    const all = await readSequences(store);
    const ends = Object.fromEntries(Object.entries(above).map(([space, id]) => [space, Math.max(all[space] ?? 0, id) + count]));
    await writeSequences(store, { ...all, ...ends });
    return ends;
  });

/** What can be true of what was kept; the rest is passed over, and found out anew from the files. */
export function soundHighest(kept: unknown): Highest {
  const isSound = (id: unknown): boolean => Number.isSafeInteger(id) && (id as number) >= 0 && (id as number) <= mostKept;
  return Object.fromEntries(Object.entries(mapOf(kept) as Highest).filter(([, id]) => isSound(id)));
}
