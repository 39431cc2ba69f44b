/**
 * Keeps a static export fresh: takes in what changes in the content folder and writes the export again, once the folder has held
 * still for a moment. Scheduled posts come out at their minute.
 */
import { createSchedule } from '../../../modules/content/posts/schedule.ts';
import type { Site } from '../../../kernel/site/site.ts';

interface Watch {
  readonly site: Site;
  /** Writes the export again. @param changed  files that changed since the last time; [] for a change that came by itself */
  refresh(changed: readonly string[]): Promise<void>;
  /** Something went wrong; the export is as it was, and tried again with the next change. */
  failed(error: unknown): void;
}

/** A checkout or a save of several files is one change. */
const calmMs = 100;
/** How often the state of memory is looked at, for changes that come from no file. */
const lookMs = 500;

/** @returns a function that ends the watch when the refresh under way is done */
export async function keepFresh({ site, refresh, failed }: Watch): Promise<() => Promise<void>> {
  let changed = new Set<string>();
  let written = site.records.generation;
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> | null = null;
  let isOver = false;

  const soon = (): void => {
    if (isOver || running || site.records.generation === written) return;
    if (timer) clearTimeout(timer);
    timer = setTimeout(() => {
      timer = null;
      running = run().finally(() => {
        running = null;
        soon();
      });
    }, calmMs);
  };
  const run = async (): Promise<void> => {
    const names = [...changed].sort();
    changed = new Set();
    // What changes from here on is written the next time.
    written = site.records.generation;
    await refresh(names).catch(failed);
  };

  const unschedule = createSchedule(site);
  const unwatch = await site.store.watch((batch) => {
    for (const { path } of [...batch.entries, ...batch.blobs]) changed.add(path);
    for (const path of batch.removed) changed.add(path);
    site.ingest(batch).catch(failed);
  });
  site.onChange(soon);
  const look = setInterval(() => {
    if (timer !== null) return;
    // A theme is looked at when somebody asks; another one is another state of memory.
    void site.theme.state().then(soon, failed);
  }, lookMs);
  return async () => {
    isOver = true;
    clearInterval(look);
    if (timer) clearTimeout(timer);
    unschedule();
    await unwatch();
    await running;
  };
}
