/**
 * The store: the content folder as entries, and the only door through which it is changed.
 */

import { existsSync, lstatSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { rereadData } from '../yaml/codec.ts';
import { createDisk } from './durable.ts';
import { createFaults } from './faults.ts';
import { makeFolder } from './folders.ts';
import { createGitState } from './git-state.ts';
import { type CommitTurns, createCommit } from './group-commit.ts';
import { createKeeper } from './keeper.ts';
import { createLog, type Durability } from './log.ts';
import { createStatCache } from './stat-cache.ts';
import { createLock } from './lock.ts';
import { createMounts } from './mounts.ts';
import { checkPath } from './paths.ts';
import { planReplay } from './replay.ts';
import { createQueue } from './queue.ts';
import { createRecovery } from './recovery.ts';
import { createSnapshot } from './snapshot.ts';
import { openSeal, sealedDocuments, siteState, stateDirectory } from './state.ts';
import { openTrusted } from './trusted.ts';
import { type Basis, type Batch, type Entry, type FileChange, ReadOnlyError, type Store } from './types.ts';
import { visitContent } from './walk.ts';
import { createWatch, type WatchOptions } from './watch.ts';

/** Between two commits; a commit that comes meanwhile saves the locking, four changes of a directory. */
const lingerMs = 20;
/** Between two attempts of a worker to take the lock, which others have for milliseconds. */
const workerPollMs = 1;

export interface StoreOptions {
  /** The content folder; made when it is not there, unless `readOnly`. */
  readonly dir: string;
  /** Nothing is written anywhere: no commits, no documents, no lock; but what a process that died has left half done is finished. */
  readonly readOnly?: boolean;
  /** Not even that. */
  readonly untouched?: boolean;
  /** The state directory of this machine. Default: see `stateDirectory`. */
  readonly state?: string;
  /** Default: `log`. */
  readonly durability?: Durability;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  readonly watch?: WatchOptions;
}

export interface OpenStore extends Store {
  /** Names the commits that have begun and are not complete, half of which may be read; null for none. */
  halfWritten(): string | null;
}

export interface FolderStore extends OpenStore {
  /** See `StatCache.own`. */
  own(paths: Iterable<string>): void;
}

/**
 * Opens a content folder. What a process that died has left half done is finished or undone first; a folder that is only read is read
 * as it is where that cannot be done.
 * @throws LockError when another process keeps the folder locked; StateError; Error when `.cms` is a link
 */
export async function createStore(options: StoreOptions): Promise<OpenStore> {
  const store = await openStore(options);
  if (!options.readOnly || options.untouched || !(await isHalfWritten(store))) return store;
  const writer = await openStore({ ...options, readOnly: false }).catch(() => null);
  await writer?.close();
  return store;
}

/** Whether a commit has begun that nobody goes on with: one of a server that runs beside this is complete within milliseconds. */
export async function isHalfWritten(store: OpenStore): Promise<boolean> {
  const first = store.halfWritten();
  if (first === null) return false;
  for (const waitMs of [20, 50, 100, 200]) {
    await pause(waitMs);
    if (store.halfWritten() !== first) return false;
  }
  return true;
}

/** The same without looking for what others have left. @param worker  others have the folder open as well, and commit all the time */
export async function openStore(
  { dir, readOnly = false, state = stateDirectory(), durability = 'log', clock = Date.now, watch: watchOptions }: StoreOptions,
  worker?: { readonly turns: CommitTurns; readonly isLeader: boolean },
): Promise<FolderStore> {
  refuseLinks(resolve(dir));
  if (!readOnly) makeOwnFolder(resolve(dir));
  const root = existsSync(dir) ? realpathSync.native(dir) : resolve(dir);
  const own = join(root, '.cms');
  siteState(state, root);
  const seal = openSeal(state, readOnly);
  const disk = createDisk();
  const mounts = createMounts({ dir: root, disk, readOnly });
  const engine = mounts.content;
  const queue = createQueue();
  const snapshot = createSnapshot(join(mounts.files.cache.root, 'snapshot'), rereadData, engine.read, seal, root);
  const statCache = createStatCache(engine, queue, clock, snapshot);
  const faults = createFaults();
  const failed = (error: unknown): void => void faults.background('storage', () => Promise.reject(error));
  const isKept = !readOnly && (worker === undefined || worker.isLeader);
  const keeper = isKept ? createKeeper(faults, () => statCache.keep()) : null;
  const lock = createLock({ dir: own, clock, failed, ...(worker ? { pollMs: workerPollMs } : { lingerMs }) });
  const log = createLog({
    dir: own,
    seal,
    disk,
    durability,
    clock,
    flush: engine.flushFiles,
    alone: (work) => locked(() => queue.run(work)),
    background: behindAnswers,
  });
  const watch = createWatch({ engine, statCache, faults, ...watchOptions });

  let isClosed = false;
  const recovery = createRecovery({ engine, documents: mounts.files, log, disk, lock, root, failed });
  const commitGrouped = createCommit(
    { engine, statCache, log, late: putBack, failed },
    { lock, queue, recover: recovery.finish, turns: worker?.turns },
  );

  /** Whoever has had the lock meanwhile may have left something in the log, and has written it on. */
  const locked = <T>(work: () => Promise<T>): Promise<T> =>
    lock.withLock(async (lease) => {
      if (lease.isNew) await queue.run(recovery.finish);
      return work();
    });

  function behindAnswers(work: () => Promise<void>): void {
    void faults.background('storage', work);
  }

  function halfWritten(): string | null {
    const found = log.peek();
    return found !== null && planReplay(engine, found).behind.length > 0 ? found.name : null;
  }

  async function commit(changes: readonly FileChange[], deadlineMs?: number, basis?: Basis): Promise<readonly Entry[]> {
    if (changes.length === 0) return [];
    if (readOnly) throw new ReadOnlyError('the content folder');
    try {
      const entries = await commitGrouped(changes, deadlineMs, basis);
      faults.succeeded();
      return entries;
    } catch (error) {
      faults.report(error);
      throw error;
    }
  }

  /** Text written to a file that a commit had just replaced. It comes round as every change by others does. */
  function putBack(path: string, bytes: Uint8Array): void {
    if (!isClosed && statCache.knows(path)) void faults.background(`${path}: putting back`, () => commit([{ path, bytes }]));
  }

  async function alone<T>(work: () => Promise<T>): Promise<T> {
    if (readOnly) throw new ReadOnlyError('the content folder');
    return locked(work);
  }

  if (!readOnly) await recovery.recover();
  const trusted = await openTrusted({ folder: root, copies: mounts.files.private, state, disk, readOnly });
  return {
    name: root,
    readOnly,
    halfWritten,
    async load(progress) {
      const batch = await statCache.load(progress);
      if (!readOnly) await recovery.tidy();
      keeper?.wake();
      return batch;
    },
    visit: (take, progress) => visitContent(engine, take, progress),
    commit,
    alone,
    following: watch.following,
    sweep: () => watch.sweep(),
    reread: (paths): Promise<Batch> => statCache.look(paths.map(checkPath), 'all'),
    watch: (listener) => watch.listen(listener),
    stopWatching: () => watch.close(),
    current: statCache.current,
    knows: statCache.knows,
    own: statCache.own,
    problems: statCache.problems,
    locate: (path) => engine.find(path),
    spoolFile: recovery.spoolFile,
    readBytes: engine.readLater,
    private: trusted,
    cache: sealedDocuments(mounts.cache, seal),
    derived: { ...snapshot, expire: statCache.expire },
    faults,
    git: createGitState(engine.root, engine.readLater),
    async close() {
      isClosed = true;
      await watch.close();
      await queue.idle();
      await keeper?.close();
      await log.close();
      lock.close();
      disk.close();
      await mounts.dispose();
    },
  };
}

/**
 * A link here could have come with the content and lead our secrets anywhere.
 * @throws Error
 */
export function refuseLinks(dir: string): void {
  for (const name of ['.cms', join('.cms', 'private'), join('.cms', 'cache'), join('.cms', 'tmp'), join('.cms', 'set-aside')]) {
    if (lstatSync(join(dir, name), { throwIfNoEntry: false })?.isSymbolicLink()) {
      throw new Error(`${join(dir, name)} is a link; it must be a folder`);
    }
  }
}

/** `.cms` keeps itself out of git whatever the site's own ignore file says: it holds the accounts. */
function makeOwnFolder(dir: string): void {
  const own = join(dir, '.cms');
  makeFolder(own);
  const ignore = join(own, '.gitignore');
  // It may be a link whose target does not exist yet.
  if (!lstatSync(ignore, { throwIfNoEntry: false })) writeFileSync(ignore, '*\n', { flag: 'wx' });
}
