/**
 * How memory follows files: what others changed, what this site wrote, the folder at the start. Memory first, then the files that
 * reading made necessary: ids written in, terms and authors that had no file.
 *
 * Looking at the disk, commits and this overlap; what a newer state has overtaken is left out.
 */
import type { Batch, Entry, FileChange } from '../store/types.ts';
import { isLarge, portionsOf } from './chunked-ingest.ts';
import type { AfterExternal } from './hooks.ts';
import type { RecordCache } from './record-cache.ts';
import { type BatchOptions, type Ingest, noFiles, type BatchOrigin, type SiteParts } from './site-parts.ts';

export function createIngest(parts: SiteParts): Ingest {
  const { store, settings } = parts;
  /** Batches that are being ingested. */
  const underWay = new Set<Promise<void>>();

  /** From the first question on: who closes the site waits for the answer of git as well. */
  function external(found: Batch): Promise<void> {
    return track(fromOthers(found));
  }

  async function fromOthers(found: Batch): Promise<void> {
    const watching = found.isSettled ? [] : parts.hooks.beforeExternal(found);
    // Small batches are ingested in the turn in which they come.
    const after = watching instanceof Promise ? await watching : watching;
    await chunked(found, 'others', after);
  }

  async function chunked(found: Batch, origin: BatchOrigin = 'unknown', after: readonly AfterExternal[] = []): Promise<void> {
    if (!isLarge(found)) return whole(found, { origin, after });
    const { isSettled } = found;
    const { hooks, indexer } = parts;
    hooks.announce(found);
    const keepers = await parts.newcomers.keepers(found);
    await findDates(found);
    const again: Entry[] = [];
    for await (const batch of portionsOf(found, indexer)) {
      await whole({ ...batch, ...(isSettled && { isSettled }) }, { isWhole: false, origin, keepers });
      for (const entry of batch.entries) if (indexer.namesLater(entry)) again.push(entry);
    }
    for await (const batch of portionsOf({ ...noFiles, entries: again }, indexer))
      await whole({ ...batch, ...(isSettled && { isSettled }) }, { isWhole: false, origin });
    const writes = after.flatMap((follow) => follow());
    if (writes.length > 0) await parts.amendments.write(writes);
  }

  function whole(found: Batch, options?: BatchOptions): Promise<void> {
    return track(follow(found, options));
  }

  function track(work: Promise<void>): Promise<void> {
    const tracked = work.finally(() => underWay.delete(tracked));
    underWay.add(tracked);
    return tracked;
  }

  async function follow(
    found: Batch,
    {
      isWhole = true,
      kept = null,
      origin = 'unknown',
      keepers = parts.newcomers.keepers(found, kept),
      after = [],
      ...rest
    }: BatchOptions = {},
  ): Promise<void> {
    const settled = keepers instanceof Promise ? await keepers : keepers;
    const isSettled = found.isSettled === true || (store.follows === true && origin !== 'own');
    const room = store.shared && !isSettled && origin !== 'own' ? roomFor(found, origin, kept, rest.newcomers) : null;
    if (room !== null) await room;
    const dates = isWhole ? findDates(found, kept) : null;
    if (dates !== null) await dates;
    const { hooks, indexer, amendments } = parts;
    const batch = store.current(found);
    const known =
      origin === 'others' && store.git ? new Set(batch.entries.map(({ path }) => path).filter(indexer.idOf)) : undefined;
    amendments.note(batch);
    const changed = batch.entries.find(({ path }) => path === 'site.yaml');
    if (changed && changed !== settings.entry) {
      settings.take(changed);
      parts.records.apply([]);
    }
    hooks.announce(batch);
    const options = { ...rest, kept, isSettled, ...(settled ? { keepers: settled } : {}) };
    const unnumbered = indexer.ingest(hooks.beforeIngest(batch), options).map(hooks.amend);
    const waiting = isWhole ? hooks.waiting() : [];
    if (waiting.length > 0) indexer.ingest({ ...noFiles, entries: waiting });
    const late = indexer.late();
    if (late.length > 0)
      for await (const some of portionsOf({ ...noFiles, entries: late }, indexer)) indexer.ingest(store.current(some));
    const writes: FileChange[] = [...hooks.afterIngest(batch, unnumbered)];
    writes.unshift(...parts.made);
    parts.made = [];
    if (origin !== 'own') store.shared?.workers?.tellOfOthers({ ...batch, ...(found.isSettled && { isSettled: true }) }, writes);
    if (!store.follows && !found.isSettled) parts.newcomers.settleLater();
    for (const necessary of after) writes.push(...necessary());
    if (!store.readOnly && !found.isSettled && writes.length > 0) await amendments.write(writes, known);
  }

  function roomFor(found: Batch, origin: BatchOrigin, ...how: [kept: RecordCache | null, newcomers?: ReadonlySet<string>]) {
    return parts.ids.room(parts.indexer.wanted(found, ...how), origin === 'others' ? found.entries.length : 0);
  }

  function findDates(found: Batch, kept: RecordCache | null = null): Promise<void> | null {
    parts.firstDates.forget(found.removed);
    return parts.firstDates.prepare([...parts.indexer.undated(found, kept), ...parts.hooks.undated(found)]);
  }

  return { external, chunked, whole, idle: async () => void (await Promise.allSettled([...underWay])) };
}
