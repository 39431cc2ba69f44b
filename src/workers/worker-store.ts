/**
 * The store of one of several workers that serve a folder together. Each has the folder open, and commits to it under the lock. What one has
 * written, or has found changed, it tells the others by the feed of the run, before it answers; they read those files before they answer.
 *
 * One of them, the leader, also watches the folder for what people and other programs change, and sees to what follows from that: ids, revisions,
 * files of things that are named. The others take such files as the leader says they will be.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { createJoin } from '../kernel/store/queue.ts';
import { leasedAlone } from '../kernel/store/leases.ts';
import { type FolderStore, type OpenStore, openStore, type StoreOptions } from '../kernel/store/store.ts';
import type { CommitTurns } from '../kernel/store/group-commit.ts';
import { isPath, originalOf } from '../kernel/store/paths.ts';
import { reserveIds } from '../kernel/store/taken-ids.ts';
import {
  type Batch,
  type Documents,
  type FileChange,
  type ModuleMessage,
  type ModulesInMemory,
  StaleWriteError,
  type Store,
  type TrustedDocuments,
} from '../kernel/store/types.ts';
import { everything } from '../kernel/store/content-engine.ts';
import { type News, openRunFeed, type RunLease } from './run-feed.ts';
import { laidOver, type Unwritten, unwrittenOf } from './unwritten.ts';

/** The place of a worker among those of its run. */
export interface Seat {
  /** Folder of the feed. */
  readonly feed: string;
  readonly number: number;
  readonly isLeader: boolean;
  /** Keys that nobody may write are made of it, so that all workers have the same. */
  readonly token: string;
}

/** Opens a folder as one of its workers. Options and errors as of `createStore`. */
export async function openWorkerStore(options: StoreOptions, seat: Seat): Promise<OpenStore> {
  const workers = joinWorkers(seat);
  return workers.store(await openStore(options, { turns: workers.turns, isLeader: seat.isLeader }));
}

/** Between two looks for what others have told, where nobody asks. */
const lookMs = 25;
/** A file that the system tells of so long after another worker has written it was changed by somebody else. */
const theirsMs = 10_000;
/** Names that are remembered; who has planned before takes what it plans for stale. */
const mostClaims = 20_000;
/** More files than these are not named. */
const mostNamed = 20_000;
/** A file of the feed is followed by another one. */
const longestBytes = 16 * 1024 * 1024;
/** Read when the site is opened, and not again: workers that start later are to agree. */
const fixedKeys = ['types', 'taxonomies', 'deployment'];

/** What others have told and memory does not have. */
interface Untold {
  readonly paths: Set<string>;
  readonly documents: Set<string>;
  readonly messages: ModuleMessage[];
  isEverything: boolean;
}

/** A file that another worker has written, or is about to. */
interface TheirWrite {
  readonly at: number;
  readonly isDone: boolean;
  /** As it was written, or read then. */
  readonly etag?: string | undefined;
}

const nothingUntold = (): Untold => ({ paths: new Set(), documents: new Set(), messages: [], isEverything: false });
const isEmpty = ({ paths, documents, messages, isEverything }: Untold): boolean =>
  paths.size + documents.size + messages.length === 0 && !isEverything;

function joinWorkers({ feed: folder, number, isLeader, token }: Seat): {
  readonly turns: CommitTurns;
  readonly store: (opened: FolderStore) => OpenStore;
} {
  const feed = openRunFeed(folder, number);
  const holder = `${number} ${randomUUID()}`;
  const unwritten = new Map<string, Unwritten>();
  const leases = new Map<string, RunLease>();
  /** Name → the line by which another worker has taken it. */
  const claimed = new Map<string, number>();
  const theirs = new Map<string, TheirWrite>();
  let fixed: News['fixed'];
  let untold = nothingUntold();
  let seen = 0;
  /** The last line that names files. */
  let changed = 0;
  /** Lines whose files are still being taken in here: what is in memory ends before them. */
  const held = new Set<number>();
  let forgotten = 0;
  /** Whether others have been asked for news in this turn. */
  let isAsked = false;

  function append(news: News): void {
    isAsked = false;
    feed.append(news);
  }

  /** Takes note of what others have told. */
  function pull(): void {
    for (const { seq, from, news } of feed.read()) {
      for (const lease of news.leases ?? []) leases.set(lease.name, lease);
      for (const path of news.paths ?? []) for (const gone of [path, `${path}.yaml`]) unwritten.delete(gone);
      for (const one of news.unwritten ?? []) unwritten.set(one.path, one);
      fixed ??= news.fixed;
      if (news.paths || news.writing || news.everything) changed = seq;
      if (from === number) continue;
      for (const name of news.claims ?? []) note(claimed, name, seq);
      for (const path of news.writing ?? []) note(theirs, path, { at: performance.now(), isDone: false });
      for (const path of news.paths ?? []) note(theirs, path, { at: performance.now(), isDone: true, etag: news.etags?.[path] });
      for (const path of news.paths ?? []) untold.paths.add(path);
      for (const { path } of news.unwritten ?? []) untold.paths.add(path);
      for (const key of news.documents ?? []) untold.documents.add(key);
      untold.messages.push(...(news.messages ?? []));
      untold.isEverything ||= news.everything ?? false;
    }
    for (const [name, seq] of claimed) {
      if (claimed.size <= mostClaims) break;
      claimed.delete(name);
      forgotten = seq;
    }
    for (const [path, { at }] of theirs) {
      if (at > performance.now() - theirsMs) break;
      theirs.delete(path);
    }
  }

  const turns: CommitTurns = {
    refuse(paths, basis) {
      pull();
      const { seen: since = 0, claims = [] } = basis ?? {};
      if (claims.length === 0) return null;
      const isTaken = [...claims, everything].some((name) => (claimed.get(name) ?? 0) > since);
      return isTaken || since < forgotten ? new StaleWriteError([...paths][0] ?? '') : null;
    },
    begin: (paths) => append({ writing: paths }),
    end: (paths, told, etags) => append({ paths, etags, ...told }),
  };
  return { turns, store };

  function store(opened: FolderStore): OpenStore {
    const listeners = new Set<Parameters<Store['watch']>[0]>();
    const followers = new Set<() => void>();
    const isBehind = (): boolean => seen !== feed.seq || feed.isBehind();
    const fresh = createJoin(catchUp);
    let modules: ModulesInMemory | undefined;
    let isLoaded = false;
    let isRestarted = false;
    let unwatch: (() => Promise<void>) | undefined;
    let looking: NodeJS.Timeout | undefined;

    async function catchUp(): Promise<void> {
      pull();
      const upTo = Math.min(feed.seq, ...[...held].map((line) => line - 1));
      if (listeners.size === 0) return;
      const told = untold;
      untold = nothingUntold();
      if (!isEmpty(told)) await takeIn(told);
      if (upTo === seen) return;
      seen = upTo;
      for (const follower of followers) follower();
    }

    /** What cannot be taken in is logged, and costs itself alone. */
    async function takeIn(told: Untold): Promise<void> {
      const listen = async (some: Untold): Promise<void> => {
        const batch = await batchOf(some);
        const isOf = isOthers(batch);
        const ofOthers = part(batch, (path) => isLeader && theirs.has(path) && isOf(path));
        for (const listener of listeners) {
          await listener({ ...batch, removed: batch.removed.filter((path) => !ofOthers.removed.includes(path)) });
          // Somebody has saved it since. What follows from that may wait for what others tell, and so not the other way round.
          void opened.faults.background('following', () => takeInOthers(ofOthers, listener));
        }
      };
      try {
        await listen(told);
      } catch {
        for (const one of piecesOf(told)) await opened.faults.background('following', () => listen(one));
      }
    }

    async function batchOf({ paths, documents, messages, isEverything }: Untold): Promise<Batch> {
      const swept = isEverything ? await opened.sweep() : null;
      const named = await opened.reread([...paths]);
      const found = swept === null ? named : joined(swept, named);
      const asWritten: string[] = [];
      for (const { path, etag } of named.entries) {
        const write = theirs.get(path);
        if (write?.etag === etag) asWritten.push(path);
        else if (write !== undefined && write.etag === undefined) theirs.set(path, { ...write, etag });
      }
      opened.own(asWritten);
      const touched = new Set(isEverything ? unwritten.keys() : paths);
      const missing = [...unwritten.values()].filter(({ path }) => touched.has(path));
      return { ...laidOver(found, missing), isSettled: true, documents: [...documents], messages };
    }

    /** Between the two lines of a write nobody can tell; after it, its file is as it was written. */
    function isOthers({ entries }: Batch): (path: string) => boolean {
      const etags = new Map(entries.map(({ path, etag }) => [path, etag]));
      return (path) => {
        const write = theirs.get(path);
        return write === undefined || (write.isDone && write.etag !== undefined && write.etag !== etags.get(path));
      };
    }

    /** What the system tells of is the work of another worker, or of others. */
    async function meet(batch: Batch, listener: Parameters<Store['watch']>[0]): Promise<void> {
      await fresh();
      const isOf = isOthers(batch);
      const ofWorkers = part(batch, (path) => !isOf(path));
      const paths = pathsIn(ofWorkers);
      if (paths.length > 0) {
        await listener({ ...ofWorkers, isSettled: true });
        // Whoever wrote it may have died before it could say so.
        append({ paths });
      }
      await takeInOthers(part(batch, isOf), listener);
    }

    async function takeInOthers(batch: Batch, listener: Parameters<Store['watch']>[0]): Promise<void> {
      if (pathsIn(batch).length + batch.problems.length === 0) return;
      // Whoever numbers changes has to know of a line for them before memory changes.
      append({ writing: [] });
      pull();
      const line = feed.seq;
      held.add(line);
      try {
        await listener(batch);
      } finally {
        held.delete(line);
      }
    }

    async function load(progress?: Parameters<Store['load']>[0]): Promise<Batch> {
      pull();
      if (!isLoaded) untold = { ...nothingUntold(), messages: untold.messages };
      const batch = await opened.load(progress);
      pull();
      if (!isLoaded && isLeader) {
        const data = batch.entries.find(({ path }) => path === 'site.yaml')?.data ?? {};
        isRestarted = fixed !== undefined;
        if (!isRestarted) append({ fixed: Object.fromEntries(fixedKeys.map((key) => [key, data[key] ?? null])) });
        pull();
      }
      isLoaded = true;
      const entries = batch.entries.map((entry) => (entry.path === 'site.yaml' ? withFixed(entry, fixed ?? {}) : entry));
      return isLeader ? { ...batch, entries } : { ...laidOver({ ...batch, entries }, unwritten.values()), isSettled: true };
    }

    function tellOfOthers(batch: Batch, wanting: readonly FileChange[]): void {
      if (!isLeader || batch.isSettled) return;
      const mediaOf = (sidecar: string) =>
        batch.blobs.find(({ path }) => path === originalOf(sidecar)) ?? modules?.mediaOf(sidecar);
      const values = unwrittenOf(batch, wanting, mediaOf);
      const paths = modules === undefined ? [] : [...pathsIn(batch), ...batch.problems.map(({ path }) => path).filter(isPath)];
      if (paths.length + values.length === 0) return;
      const files = paths.length > mostNamed ? { everything: true as const } : { paths };
      append({ ...files, unwritten: values, claims: paths.length > 0 ? [everything] : [] });
    }

    async function lease(name: string, forMs: number): Promise<boolean> {
      if (opened.readOnly) return isLeader;
      return opened.alone(async () => {
        pull();
        const present = leases.get(name);
        const now = machineMs();
        if (present !== undefined && present.holder !== holder && present.until > now) return false;
        append({ leases: [{ name, holder, until: now + forMs }] });
        pull();
        return true;
      });
    }

    function look(): void {
      if (isLeader && feed.length > longestBytes && modules !== undefined) void opened.faults.background('the feed', renew);
      if (isBehind()) void opened.faults.background('following', fresh);
    }

    function renew(): Promise<void> {
      const work = async (): Promise<void> => {
        pull();
        if (feed.length > longestBytes)
          feed.renew({
            ...(fixed && { fixed }),
            unwritten: [...unwritten.values()],
            leases: [...leases.values()],
            messages: modules?.snapshots() ?? [],
          });
        pull();
      };
      return opened.readOnly ? work() : opened.alone(work);
    }

    async function stopWatching(): Promise<void> {
      clearInterval(looking);
      listeners.clear();
      await opened.stopWatching();
    }

    return {
      ...opened,
      ...(!isLeader && { follows: true as const }),
      load,
      async watch(listener) {
        listeners.add(listener);
        if (isLeader) unwatch = await opened.watch((batch) => meet(batch, listener));
        looking ??= setInterval(look, lookMs).unref();
        await fresh();
        return async () => {
          listeners.delete(listener);
          if (listeners.size > 0) return;
          clearInterval(looking);
          looking = undefined;
          await unwatch?.();
        };
      },
      stopWatching,
      reread: async (paths) => settledUnless(isLeader, await opened.reread(paths)),
      sweep: async () => settledUnless(isLeader, await opened.sweep()),
      /** What is still to be made is nowhere yet. */
      current(batch) {
        const made = batch.entries.filter(({ etag }) => etag === '');
        const now = opened.current(batch);
        return made.length === 0 ? now : { ...now, entries: [...now.entries.filter(({ etag }) => etag !== ''), ...made] };
      },
      private: withKeys(
        token,
        opened.readOnly,
        observed(opened.private, (key) => append({ documents: [key] })),
      ),
      cache: observed(opened.cache, (key) => modules?.cached(key)),
      shared: {
        node: `worker-${number}`,
        get seen() {
          return seen;
        },
        get changed() {
          // Asked for each change that is made of what was read before.
          if (!isAsked) {
            pull();
            isAsked = true;
            queueMicrotask(() => {
              isAsked = false;
            });
          }
          return changed;
        },
        numbersFrom: 0,
        follow(listener) {
          followers.add(listener);
          return () => void followers.delete(listener);
        },
        fresh,
        reserve: (above, count) => reserveIds(opened, above, count),
        lease,
        alone: leasedAlone(lease, fresh),
        workers: {
          isBehind,
          tellOfOthers,
          tell: (message) => append({ messages: [message] }),
          attach(given) {
            modules = given;
            // What was changed while there was no leader nobody has been told.
            if (isRestarted) append({ everything: true, claims: [everything] });
          },
        },
      },
      async close() {
        await stopWatching();
        await opened.close();
        feed.close();
      },
    };
  }
}

function note<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
}

function piecesOf({ paths, documents, messages, isEverything }: Untold): readonly Untold[] {
  return [
    ...(isEverything ? [{ ...nothingUntold(), isEverything }] : []),
    ...[...paths].map((path) => ({ ...nothingUntold(), paths: new Set([path]) })),
    ...[...documents].map((key) => ({ ...nothingUntold(), documents: new Set([key]) })),
    ...messages.map((message) => ({ ...nothingUntold(), messages: [message] })),
  ];
}

/** Milliseconds by a clock that does not go back, the same in all processes. */
function machineMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

function settledUnless(isLeader: boolean, batch: Batch): Batch {
  return isLeader ? batch : { ...batch, isSettled: true };
}

function pathsIn({ entries, blobs, removed }: Batch): readonly string[] {
  return [...entries.map(({ path }) => path), ...blobs.map(({ path }) => path), ...removed];
}

function part({ entries, blobs, removed, problems }: Batch, isIn: (path: string) => boolean): Batch {
  const some = <T extends { readonly path: string }>(files: readonly T[]): readonly T[] => files.filter(({ path }) => isIn(path));
  return { entries: some(entries), blobs: some(blobs), removed: removed.filter(isIn), problems: some(problems) };
}

function joined(a: Batch, b: Batch): Batch {
  const again = new Set(pathsIn(b));
  const rest = part(a, (path) => !again.has(path));
  return {
    entries: [...rest.entries, ...b.entries],
    blobs: [...rest.blobs, ...b.blobs],
    removed: [...rest.removed, ...b.removed],
    problems: [...rest.problems, ...b.problems],
  };
}

function withFixed(entry: Batch['entries'][number], fixed: NonNullable<News['fixed']>): Batch['entries'][number] {
  const { path, kind, data, body, etag, size, mtimeMs } = entry;
  const kept = Object.fromEntries(fixedKeys.map((key) => [key, fixed[key] ?? undefined]));
  const isSame = fixedKeys.every((key) => JSON.stringify(data[key]) === JSON.stringify(kept[key]));
  return isSame ? entry : { path, kind, data: { ...data, ...kept }, body, etag, size, mtimeMs };
}

/** Keys that nobody may write are made of the run's token. */
function withKeys(token: string, isReadOnly: boolean, documents: TrustedDocuments): TrustedDocuments {
  if (!isReadOnly) return documents;
  const derived = (key: string) => (key.endsWith('.key') ? createHmac('sha256', token).update(key).digest() : null);
  return { ...documents, get: async (key) => (await documents.get(key)) ?? derived(key) };
}

/** Documents whose changes are told once they are made. */
function observed<T extends Documents & Pick<TrustedDocuments, 'update'>>(documents: T, changed: (key: string) => void): T {
  const { update } = documents;
  return {
    ...documents,
    ...(update && {
      async update(key: string, alter: Parameters<typeof update>[1]) {
        await update(key, alter);
        changed(key);
      },
    }),
    async set(key: string, bytes: Uint8Array) {
      await documents.set(key, bytes);
      changed(key);
    },
    async remove(key: string) {
      await documents.remove(key);
      changed(key);
    },
  };
}
