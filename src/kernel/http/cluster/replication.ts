/**
 * The replication log: what changes in the memory of the writer, sent to the readers in order. The one place through which changes
 * of other workers arrive.
 *
 * A reader follows from the moment it subscribes, and counts from the moment it says that it has caught up. From then on the writer
 * gives no answer before every reader knows what it is based on.
 */
import { createHmac } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Lock } from '../../../modules/accounts/sign-in-limit.ts';
import type { Site } from '../../site/site.ts';
import { mediaFolder, originalOf } from '../../store/paths.ts';
import type { Batch, FileChange, Store, TrustedDocuments } from '../../store/types.ts';
import { createSubscribers, type SubscribersOptions } from './subscribers.ts';
import { createUnwrittenValues, plain, type Unwritten } from './unwritten.ts';

/** Sizes of an image that are made, and those that cannot be. */
export interface Sizes {
  readonly kind: 'sizes';
  readonly path: string;
  /** State of the media file, as in the key of what is derived from it. */
  readonly version: string;
  readonly made: readonly (readonly [file: string, bytes: number])[];
  readonly failed: readonly string[];
}

export type Change =
  | { readonly kind: 'batch'; readonly batch: Batch }
  /** A private document was written or removed. */
  | { readonly kind: 'document'; readonly key: string }
  | Sizes
  /** An account cannot be tried from an address for a while. */
  | { readonly kind: 'lock'; readonly lock: Lock }
  /** More has changed than is worth sending: open the folder anew. */
  | { readonly kind: 'renew' };

/** The state that a reader cannot know from the folder alone. */
export interface Snapshot {
  readonly kind: 'snapshot';
  readonly seq: number;
  /** Where the server listens. */
  readonly address: string;
  /** Keys of `site.yaml` that are read at the start and then stand. */
  readonly fixed: Readonly<Record<string, unknown>>;
  /** What is not yet, or will not be, in the files. */
  readonly unwritten: readonly Unwritten[];
  readonly failed: readonly Sizes[];
  /** Accounts that cannot be tried for now. */
  readonly locks: readonly Lock[];
}

export type Message = Snapshot | (Change & { readonly seq: number }) | { readonly kind: 'live'; readonly seq: number };

/** A reader has ingested everything up to a message; `caught-up`: and from now on it answers from memory. */
export interface Acknowledgement {
  readonly kind: 'ack' | 'caught-up';
  readonly seq: number;
}

/** What a reader reports of its requests. */
export type Report =
  /** An application password was used. */
  | { readonly kind: 'use'; readonly use: readonly [id: number, uuid: string, at: number, ip: string | null] }
  /** A wrong password. */
  | { readonly kind: 'failure'; readonly account: string; readonly address: string };

export type Reply = Acknowledgement | Report;

export interface ReplicationLog {
  /** For the opening of the site: what the log has to see of it. */
  readonly wrap: (store: Store) => Store;
  readonly taken: (batch: Batch, wanting: readonly FileChange[]) => void;
  /** The site is open, and the server listens at `address`. To be called before anybody subscribes. */
  begin(site: Site, address: string): void;
  subscribe(reader: number, socket: Socket): void;
  /** Resolves when every reader that counts has ingested what was published until now; null when they have. */
  replicated(): Promise<void> | null;
}

interface ReplicationOptions extends SubscribersOptions {
  readonly token: string;
}

/** Larger batches (a checkout, all files read again) are not sent: readers open the folder again. */
const maxBatch = { files: 20_000, bytes: 32 * 1024 * 1024 };
const fixedKeys = ['types', 'taxonomies', 'deployment'];

export function createReplicationLog({ token, ...options }: ReplicationOptions): ReplicationLog {
  const subscribers = createSubscribers(options);
  const unwritten = createUnwrittenValues();
  const failed = new Map<string, Sizes>();
  let fixed: Readonly<Record<string, unknown>> | null = null;
  let site: Site | null = null;
  let address = '';

  return {
    wrap: (store) => ({
      ...store,
      private: withKeys(token, store.readOnly, observed(store.private, publishDocument)),
      cache: observed(store.cache, publishSizes),
    }),
    taken(batch, wanting) {
      const entries = unwritten.layOver(batch, wanting, (sidecar) => {
        const path = originalOf(sidecar);
        return batch.blobs.find((blob) => blob.path === path) ?? site?.media.fileOf({ path });
      });
      const data = batch.entries.find(({ path }) => path === 'site.yaml')?.data ?? {};
      fixed ??= Object.fromEntries(fixedKeys.map((key) => [key, data[key]]));
      const { blobs, removed, problems } = batch;
      if (entries.length + blobs.length + removed.length + problems.length === 0 || subscribers.size === 0) return;
      const bytes = entries.reduce((sum, { size }) => sum + size, 0);
      if (entries.length + blobs.length > maxBatch.files || bytes > maxBatch.bytes) subscribers.send({ kind: 'renew' });
      else subscribers.send({ kind: 'batch', batch: { entries: entries.map(plain), blobs, removed, problems } });
    },
    begin(opened, listening) {
      site = opened;
      address = listening;
      opened.signIns.onLock((lock) => subscribers.send({ kind: 'lock', lock }));
    },
    subscribe: (reader, socket) =>
      subscribers.add(reader, socket, snapshot(), (reply) => {
        if (reply.kind === 'use') site?.accounts.noteUse(...reply.use);
        else site?.signIns.failed(reply.account, reply.address);
      }),
    replicated: subscribers.replicated,
  };

  function snapshot(): Snapshot {
    return {
      kind: 'snapshot',
      seq: subscribers.seq,
      address,
      fixed: fixed ?? {},
      unwritten: unwritten.all(),
      failed: [...failed.values()],
      locks: site?.signIns.locks() ?? [],
    };
  }

  function publishDocument(key: string): void {
    // Cached answers may depend on what it said; accounts see to that themselves.
    if (!key.startsWith('accounts/')) site?.records.apply([]);
    subscribers.send({ kind: 'document', key });
  }

  /** Sizes are made when what is known of an image is cached. */
  function publishSizes(key: string): void {
    const [, name, version] = /^derived\/(.+)\/([^/]+)\/about\.json$/.exec(key) ?? [];
    if (name === undefined || version === undefined) return;
    const path = mediaFolder + name;
    const facts = site?.media.facts({ path });
    if (!facts) return;
    const change: Sizes = { kind: 'sizes', path, version, made: [...facts.made], failed: [...facts.failed] };
    if (change.failed.length > 0) failed.set(path, change);
    else failed.delete(path);
    subscribers.send(change);
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
