/**
 * The feed: what changes in the memory of the writer, told to the readers in order. The one place through which changes of
 * other workers arrive.
 *
 * A reader is asked to follow from the moment it subscribes, and counts from the moment it says that it has taken in everything
 * so far. From then on nothing that the writer answers is told before the reader knows it too.
 *
 * What is told of a file is the file with what the writer is about to write into it (ids above all) laid over: readers never
 * give out ids of their own.
 */
import { createHmac } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Lock } from '../../../modules/accounts/sign-in-limit.ts';
import type { Site } from '../../site/site.ts';
import { mediaFolder, originalOf } from '../../../modules/media/record.ts';
import { kindOf } from '../../store/paths.ts';
import type { Batch, Entry, EntryKind, FileChange, Store, TrustedDocuments, Write } from '../../store/types.ts';
import { frameOf, readFrames } from './frames.ts';

/** Sizes of a picture that are made, and those that cannot be. */
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
  /** More has changed than is worth telling: open the folder anew. */
  | { readonly kind: 'renew' };

/** The state that a reader cannot know from the folder alone. */
export interface Hello {
  readonly kind: 'hello';
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

/** Values that a file is still to get. */
export interface Unwritten extends Pick<Entry, 'path' | 'kind' | 'data' | 'mtimeMs'> {
  /** The state of the file they are laid over; null: the file is still to be made. */
  readonly over: string | null;
}

export type Message = Hello | (Change & { readonly seq: number }) | { readonly kind: 'live'; readonly seq: number };

/** What readers say. */
export type Reply =
  | { readonly kind: 'taken' | 'join'; readonly seq: number }
  | { readonly kind: 'use'; readonly use: readonly [id: number, uuid: string, at: number, ip: string | null] }
  /** A wrong password. */
  | { readonly kind: 'failure'; readonly account: string; readonly address: string };

export interface Feed {
  /** For the opening of the site: what the feed has to see of it. */
  readonly wrap: (store: Store) => Store;
  readonly taken: (batch: Batch, wanting: readonly FileChange[]) => void;
  /** The site is open, and the server listens at `address`. To be called before anybody subscribes. */
  begin(site: Site, address: string): void;
  publish(change: Change): void;
  subscribe(reader: number, socket: Socket): void;
  /** Resolves when every reader that counts has taken in what was published until now; null when they have. */
  replicated(): Promise<void> | null;
}

export interface FeedOptions {
  readonly token: string;
  /** Called when a reader does not answer: it must not answer anybody any more. Its connection ends when that is so. */
  readonly drop: (reader: number) => void;
  readonly patienceMs?: number;
}

interface Subscriber {
  readonly socket: Socket;
  patience: NodeJS.Timeout | undefined;
  taken: number;
  isLive: boolean;
}

/** Larger batches (a checkout, all files read again) are not told: readers open the folder again. */
const MAX_TOLD = { files: 20_000, bytes: 32 * 1024 * 1024 };
/** Messages that wait for a reader that is still loading. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
const fixedKeys = ['types', 'taxonomies', 'deployment'];

export function createFeed({ token, drop, patienceMs = 5000 }: FeedOptions): Feed {
  const subscribers = new Map<number, Subscriber>();
  const unwritten = new Map<string, Unwritten>();
  const failed = new Map<string, Sizes>();
  let waiting: { readonly seq: number; readonly resolve: () => void }[] = [];
  let fixed: Readonly<Record<string, unknown>> | null = null;
  let site: Site | null = null;
  let address = '';
  let seq = 0;

  return {
    wrap: (store) => ({
      ...store,
      private: withKeys(token, store.readOnly, told(store.private, publishDocument)),
      cache: told(store.cache, publishSizes),
    }),
    taken(batch, wanting) {
      const entries = laidOver(batch, wanting);
      const data = batch.entries.find(({ path }) => path === 'site.yaml')?.data ?? {};
      fixed ??= Object.fromEntries(fixedKeys.map((key) => [key, data[key]]));
      const { blobs, removed, problems } = batch;
      if (entries.length + blobs.length + removed.length + problems.length === 0 || subscribers.size === 0) return;
      const bytes = entries.reduce((sum, { size }) => sum + size, 0);
      if (entries.length + blobs.length > MAX_TOLD.files || bytes > MAX_TOLD.bytes) publish({ kind: 'renew' });
      else publish({ kind: 'batch', batch: { entries: entries.map(plain), blobs, removed, problems } });
    },
    begin(opened, listening) {
      site = opened;
      address = listening;
      opened.signIns.onLock((lock) => publish({ kind: 'lock', lock }));
    },
    publish,
    subscribe(reader, socket) {
      const subscriber: Subscriber = { socket, patience: undefined, taken: seq, isLive: false };
      subscribers.set(reader, subscriber);
      socket.on('close', () => {
        clearTimeout(subscriber.patience);
        if (subscribers.get(reader) === subscriber) subscribers.delete(reader);
        release();
      });
      socket.on('error', () => socket.destroy());
      readFrames(socket, (message) => hear(reader, subscriber, message as Reply));
      socket.write(frameOf(hello()));
    },
    replicated() {
      if (isTaken(seq)) return null;
      return new Promise((resolve) => void waiting.push({ seq, resolve }));
    },
  };

  function publish(change: Change): void {
    seq++;
    if (subscribers.size === 0) return;
    const frame = frameOf({ ...change, seq });
    for (const [reader, subscriber] of subscribers) {
      subscriber.socket.write(frame);
      if (subscriber.isLive) expectAnswer(reader, subscriber);
      // It has not begun to count; it will come again.
      else if (subscriber.socket.writableLength > MAX_WAITING_BYTES) subscriber.socket.destroy();
    }
  }

  function hello(): Hello {
    return {
      kind: 'hello',
      seq,
      address,
      fixed: fixed ?? {},
      unwritten: [...unwritten.values()],
      failed: [...failed.values()],
      locks: site?.signIns.locks() ?? [],
    };
  }

  function hear(reader: number, subscriber: Subscriber, reply: Reply): void {
    if (reply.kind === 'use') {
      site?.accounts.noteUse(...reply.use);
      return;
    }
    if (reply.kind === 'failure') {
      site?.signIns.failed(reply.account, reply.address);
      return;
    }
    subscriber.taken = reply.seq;
    if (reply.kind === 'join' && reply.seq === seq && !subscriber.isLive) {
      subscriber.isLive = true;
      subscriber.socket.write(frameOf({ kind: 'live', seq }));
    }
    clearTimeout(subscriber.patience);
    if (subscriber.isLive && subscriber.taken < seq) expectAnswer(reader, subscriber);
    release();
  }

  function expectAnswer(reader: number, subscriber: Subscriber): void {
    clearTimeout(subscriber.patience);
    const { taken } = subscriber;
    // When this process itself was held up, the answer is there and not yet read.
    const judge = (): void => void setImmediate(() => setImmediate(() => subscriber.taken === taken && drop(reader)));
    subscriber.patience = setTimeout(judge, patienceMs).unref();
  }

  function isTaken(wanted: number): boolean {
    for (const { isLive, taken } of subscribers.values()) if (isLive && taken < wanted) return false;
    return true;
  }

  function release(): void {
    const ready = waiting.filter((one) => isTaken(one.seq));
    if (ready.length === 0) return;
    waiting = waiting.filter((one) => !isTaken(one.seq));
    for (const { resolve } of ready) resolve();
  }

  /** The entries of a batch as they will be, and the files that will be made because of it; both noted until they are written. */
  function laidOver({ entries, blobs, removed }: Batch, wanting: readonly FileChange[]): readonly Entry[] {
    for (const path of removed) for (const gone of [path, `${path}.yaml`]) unwritten.delete(gone);
    for (const { path } of entries) unwritten.delete(path);
    const writes = new Map(wanting.filter(isWrite).map((write) => [write.path, write]));
    const out = entries.map((entry) => {
      const write = writes.get(entry.path);
      if (!write) return entry;
      writes.delete(entry.path);
      const { path, kind, mtimeMs, etag: over } = entry;
      const missing: Unwritten = { path, kind, mtimeMs, over, data: write.data };
      unwritten.set(path, missing);
      return withMissing(entry, missing);
    });
    for (const { path, expect, data } of writes.values()) {
      if (expect !== null) continue;
      const file = blobs.find((blob) => blob.path === originalOf(path)) ?? site?.media.fileOf({ path });
      const kind = kindOf(path) as EntryKind;
      const missing: Unwritten = { path, kind, data, mtimeMs: file?.mtimeMs ?? Date.now(), over: null };
      unwritten.set(path, missing);
      out.push(withMissing(null, missing));
    }
    return out;
  }

  function publishDocument(key: string): void {
    // Answers that are kept here may tell what it said; accounts see to that themselves.
    if (!key.startsWith('accounts/')) site?.records.apply([]);
    publish({ kind: 'document', key });
  }

  /** Sizes are made when what is known of a picture is kept. */
  function publishSizes(key: string): void {
    const [, name, version] = /^derived\/(.+)\/([^/]+)\/about\.json$/.exec(key) ?? [];
    if (name === undefined || version === undefined) return;
    const path = mediaFolder + name;
    const facts = site?.media.facts({ path });
    if (!facts) return;
    const change: Sizes = { kind: 'sizes', path, version, made: [...facts.made], failed: [...facts.failed] };
    if (change.failed.length > 0) failed.set(path, change);
    else failed.delete(path);
    publish(change);
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

/** Documents whose changes are told once they are made. */
function told(documents: TrustedDocuments, changed: (key: string) => void): TrustedDocuments {
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

function isWrite(change: FileChange): change is Write {
  return 'data' in change;
}

/** A file, or one that is not there yet, with the values it is still to get. */
export function withMissing(entry: Entry | null, { path, kind, data, mtimeMs }: Unwritten): Entry {
  if (!entry) return { path, kind, data, body: '', etag: '', size: 0, mtimeMs };
  return { ...plain(entry), data: { ...entry.data, ...data } };
}

/** An entry as a message can carry it, and as a copy can: entries may read their values when they are asked for. */
export function plain({ path, kind, data, body, etag, size, mtimeMs }: Entry): Entry {
  return { path, kind, data, body, etag, size, mtimeMs };
}
