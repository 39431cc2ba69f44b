/**
 * The replication log: what changes in the memory of the writer, sent to the readers in order. The one place through which changes
 * of other workers arrive.
 *
 * Each message raises the position before anything that is based on it is answered. A reader answers from its memory when it has come to
 * the position.
 */
import { createHmac } from 'node:crypto';
import type { Socket } from 'node:net';
import { documentsWith } from '../../site/replicated.ts';
import type { Site } from '../../site/site.ts';
import { originalOf } from '../../store/paths.ts';
import type { Batch, FileChange, Store, TrustedDocuments } from '../../store/types.ts';
import type { Snapshot } from './log-messages.ts';
import type { Position } from './position.ts';
import { createSubscribers } from './subscribers.ts';
import { createUnwrittenValues, plain } from './unwritten.ts';

export interface ReplicationLog {
  /** For the opening of the site: what the log has to see of it. */
  readonly wrap: (store: Store) => Store;
  readonly taken: (batch: Batch, wanting: readonly FileChange[]) => void;
  /** The site is open, and the server listens at `address`. To be called before anybody subscribes. */
  begin(site: Site, address: string): void;
  subscribe(socket: Socket): void;
  /** Nothing more is told, nor waited for. */
  end(): void;
}

interface ReplicationOptions {
  readonly token: string;
  readonly position: Position;
}

/** Larger batches (a checkout, all files read again) are not sent: readers open the folder again. */
const maxBatch = { files: 20_000, bytes: 32 * 1024 * 1024 };
const fixedKeys = ['types', 'taxonomies', 'deployment'];

export function createReplicationLog({ token, position }: ReplicationOptions): ReplicationLog {
  const subscribers = createSubscribers(position);
  const unwritten = createUnwrittenValues();
  let fixed: Readonly<Record<string, unknown>> | null = null;
  let site: Site | null = null;
  let address = '';

  return {
    wrap: (store) => ({
      ...store,
      private: withKeys(token, store.readOnly, observed(store.private, publishDocument)),
      cache: observed(store.cache, publishCached),
    }),
    taken(batch, wanting) {
      const entries = unwritten.layOver(batch, wanting, (sidecar) => {
        const path = originalOf(sidecar);
        const found = batch.blobs.find((blob) => blob.path === path);
        return found ?? site?.replicated.flatMap(({ fileAt }) => fileAt?.(path) ?? []).at(0);
      });
      const data = batch.entries.find(({ path }) => path === 'site.yaml')?.data ?? {};
      fixed ??= Object.fromEntries(fixedKeys.map((key) => [key, data[key]]));
      const { blobs, removed, problems } = batch;
      if (entries.length + blobs.length + removed.length + problems.length === 0) return;
      const bytes = entries.reduce((sum, { size }) => sum + size, 0);
      if (entries.length + blobs.length > maxBatch.files || bytes > maxBatch.bytes) subscribers.send({ kind: 'renew' });
      else subscribers.send({ kind: 'batch', batch: { entries: entries.map(plain), blobs, removed, problems } });
    },
    begin(opened, listening) {
      site = opened;
      address = listening;
      for (const { name, publish } of opened.replicated)
        publish?.((change) => subscribers.send({ kind: 'module', name, change }));
      subscribers.begin();
    },
    end: subscribers.end,
    subscribe: (socket) =>
      subscribers.add(socket, snapshot(), ({ name, report }) => {
        site?.replicated.find((one) => one.name === name)?.hear?.(report);
      }),
  };

  function snapshot(): Snapshot {
    return {
      kind: 'snapshot',
      seq: subscribers.seq,
      address,
      fixed: fixed ?? {},
      unwritten: unwritten.all(),
      modules: (site?.replicated ?? []).flatMap(({ name, snapshot }) =>
        (snapshot?.() ?? []).map((change) => ({ kind: 'module' as const, name, change })),
      ),
    };
  }

  function publishDocument(key: string): void {
    // Cached answers may depend on what it said.
    if (!documentsWith(site?.replicated ?? [], key)?.announced) site?.records.apply([]);
    subscribers.send({ kind: 'document', key });
  }

  function publishCached(key: string): void {
    for (const { cached } of site?.replicated ?? []) cached?.(key);
  }
}

/**
 * Keys that nobody may make are made of the run's token, so that all its workers have the same.
 * @param isReadOnly  otherwise the writer makes them, before anybody reads them
 */
export function withKeys(token: string, isReadOnly: boolean, documents: TrustedDocuments): TrustedDocuments {
  if (!isReadOnly) return documents;
  const derived = (key: string) => (key.endsWith('.key') ? createHmac('sha256', token).update(key).digest() : null);
  return { ...documents, get: async (key) => (await documents.get(key)) ?? derived(key) };
}

/** Documents whose changes are reported once they are made. */
function observed(documents: TrustedDocuments, changed: (key: string) => void): TrustedDocuments {
  const { update } = documents;
  return {
    ...documents,
    ...(update && {
      async update(key, alter) {
        await update(key, alter);
        changed(key);
      },
    }),
    async set(key, bytes) {
      await documents.set(key, bytes);
      changed(key);
    },
    async remove(key) {
      await documents.remove(key);
      changed(key);
    },
  };
}
