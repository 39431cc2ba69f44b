/**
 * A site that follows another one: opened from the same folder, changed only by the replication log. It writes nothing.
 */
import { rereadDocument } from '../../site/replicated.ts';
import type { Site } from '../../site/site.ts';
import type { Batch, Entry, Store } from '../../store/types.ts';
import type { Change, Snapshot } from './log-messages.ts';
import { withKeys } from './replication.ts';
import { plain, withMissing } from './unwritten.ts';

/** Opens a folder to be read, with something between it and the site. */
export type OpenReplica = (wrap: (store: Store) => Store) => Promise<Site>;

const nothing: Batch = { entries: [], blobs: [], removed: [], problems: [] };

/**
 * Opens the folder as the writer knows it, as of the snapshot or later: what follows brings it up to date.
 * @returns null when the folder was ahead of the writer, and a term or author was made here that is the writer's to make
 */
export async function openReplica(open: OpenReplica, snapshot: Snapshot, token: string): Promise<Site | null> {
  const site = await open((store) => followed(store, snapshot, token));
  const given = new Set(snapshot.unwritten.map(({ path }) => path));
  const isOwn = ({ path, etag }: { readonly path: string; readonly etag: string }): boolean =>
    etag === '' && path !== '' && !given.has(path);
  if (site.replicated.some(({ named }) => named && [...named()].some(isOwn))) {
    await site.close();
    return null;
  }
  site.setAddress(snapshot.address);
  for (const change of snapshot.modules) await follow(site, change);
  return site;
}

/** Ingests a change. */
export async function follow(site: Site, change: Change): Promise<void> {
  if (change.kind === 'batch') return site.ingest(change.batch);
  if (change.kind === 'module') return site.replicated.find(({ name }) => name === change.name)?.follow?.(change.change);
  if (change.kind === 'document') return rereadDocument(site, change.key);
  // What was derived dies with the generation.
  site.records.apply([]);
}

function followed(store: Store, snapshot: Snapshot, token: string): Store {
  let isLoaded = false;
  return {
    ...store,
    readOnly: true,
    follows: true,
    async load(progress) {
      // Later states of the files come by the replication log.
      if (isLoaded) return nothing;
      isLoaded = true;
      return asWriterHasIt(await store.load(progress), snapshot);
    },
    current: (batch) => batch,
    watch: async () => async () => undefined,
    private: withKeys(token, true, store.private),
  };
}

function asWriterHasIt(batch: Batch, { unwritten, fixed }: Snapshot): Batch {
  const byPath = new Map(unwritten.map((one) => [one.path, one]));
  const entries = batch.entries.map((entry): Entry => {
    const known = byPath.get(entry.path);
    byPath.delete(entry.path);
    if (entry.path === 'site.yaml') return { ...plain(entry), data: { ...entry.data, ...fixed } };
    // Another state of the file comes by the replication log.
    return known?.over === entry.etag ? withMissing(entry, known) : entry;
  });
  const made = [...byPath.values()].flatMap((one) => (one.over === null ? [withMissing(null, one)] : []));
  return { ...batch, entries: [...entries, ...made] };
}
