/**
 * A site that follows another one: opened from the same folder, changed by the replication log alone. It writes nothing.
 */
import type { Site } from '../../site/site.ts';
import { versionOf } from '../../../media-files/facts.ts';
import type { Batch, Entry, Store } from '../../store/types.ts';
import { type Change, type Snapshot, withKeys } from './replication.ts';
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
  if ([...site.terms.all()].some(isOwn) || [...site.users.all()].some(isOwn)) {
    await site.close();
    return null;
  }
  site.setAddress(snapshot.address);
  for (const sizes of snapshot.failed) await follow(site, sizes);
  for (const lock of snapshot.locks) site.signIns.lock(lock);
  return site;
}

/** Ingests a change. */
export async function follow(site: Site, change: Change): Promise<void> {
  if (change.kind === 'batch') return site.ingest(change.batch);
  if (change.kind === 'lock') return site.signIns.lock(change.lock);
  if (change.kind === 'document') {
    const account = /^accounts\/(\d+)\.json$/.exec(change.key)?.[1];
    if (account !== undefined) return site.accounts.reread(Number(account));
    if (change.key.startsWith('comments/')) await site.commenters.reread(change.key);
  }
  if (change.kind === 'sizes') {
    const { path, version, made, failed } = change;
    const file = site.media.fileOf({ path });
    if (!file || versionOf(file) !== version) return;
    await site.media.prepare([{ path } as never]);
    const facts = site.media.facts({ path });
    for (const [name, bytes] of made) facts?.made.set(name, bytes);
    facts?.failed.clear();
    for (const name of failed) facts?.failed.add(name);
  }
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
