/**
 * The store of a node whose content is in an engine that other nodes use as well. It keeps nothing of its own but what can be made
 * again. Memory follows the engine: hints of changes may get lost, so it asks several times a second, and before it answers anybody
 * who is signed in.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathsOf, planCommit, type CommitPlan, type State } from '../kernel/store/commit-plan.ts';
import { undoable } from '../kernel/store/commit.ts';
import { chunksOf } from '../kernel/scheduler.ts';
import { createFaults, type Faults } from '../kernel/store/faults.ts';
import { createKeeper, type Keeper } from '../kernel/store/keeper.ts';
import { createMounts, type Engine } from '../kernel/store/mounts.ts';
import { checkPath, isPath, kindOf, temporaryPrefix } from '../kernel/store/paths.ts';
import { leasedAlone } from '../kernel/store/leases.ts';
import { createJoin, createQueue } from '../kernel/store/queue.ts';
import type { FileStat } from '../kernel/store/scan.ts';
import { createStatCache } from '../kernel/store/stat-cache.ts';
import type { OpenStore } from '../kernel/store/store.ts';
import {
  type Basis,
  type Batch,
  BusyError,
  type Entry,
  type FileChange,
  ReadOnlyError,
  type Replacement,
  type Shared,
  type Store,
} from '../kernel/store/types.ts';
import { visitContent } from '../kernel/store/walk.ts';
import {
  type Changes,
  type ContentEngine,
  type Edit,
  everything,
  type Known,
  type StoredFile,
} from '../kernel/store/content-engine.ts';
import { createNodeCache, type NodeCache } from './node-cache.ts';
import { createSharedDocuments, editOf, privateFolder } from './shared-documents.ts';

interface EngineStoreOptions {
  readonly engine: ContentEngine;
  readonly readOnly?: boolean;
  /** Name of the node (default: that of its machine or container). */
  readonly node?: string;
  /** Between two looks at the engine where no hints come. */
  readonly pollMs?: number;
  /** Folder for what a node has read, for its next start; none if empty. */
  readonly cache?: string;
}

const usualPollMs = 250;
/** Processes without an engine count from the clock, 4,096 for each second: until 2038 their numbers are lower. */
const numbersFrom = 2 ** 43;
/** Of one question for texts that are not kept as they are. */
const filesAtOnce = 500;
const noBytes = new Uint8Array();

export async function createEngineStore({
  engine,
  readOnly = false,
  node = hostname(),
  pollMs = usualPollMs,
  cache: cacheFolder = '',
}: EngineStoreOptions): Promise<OpenStore> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'cms-node-')));
  const local = createMounts({ dir });
  const faults = createFaults();
  const queue = createQueue();
  const holder = randomUUID();
  /** Every file, and those that are gone for as long as older news of them may come. */
  const known = new Map<string, Known>();
  /** Texts that have come and are not read yet. */
  const fresh = new Map<string, Uint8Array>();
  const documents = createSharedDocuments(engine, readOnly);
  const listeners = new Set<Parameters<Store['watch']>[0]>();
  const followers = new Set<() => void>();
  /** Files that are gone. */
  const gone = new Set<string>();
  /** What has changed while nobody listened, or could not be taken in. */
  const untold = new Set<string>();
  /** Own commits that are in memory and not seen. */
  const ownCommits = new Set<number>();
  /** What this node puts in place of files, and then reads like a hand edit: it sees to what follows. */
  const replaced = new Set<string>();
  const polled = { sweeps: 0, sweptMs: 0, sweptAt: null as number | null };
  let position = 0;
  let seen = 0;
  let changed = 0;
  let spools = 0;
  let polling: { stop(): Promise<void> } | null = null;

  const statOf = (path: string): FileStat | null => {
    const file = known.get(path);
    if (file === undefined || file.etag === null) return null;
    return { path, size: file.size, mtimeMs: file.timeMs, ctimeMs: file.timeMs, ino: file.seq };
  };
  const bytesOf = async (path: string) => (await engine.read([path])).get(path)?.bytes ?? null;
  const reading = readingOf({
    stat: statOf,
    async *all() {
      // In one order, so that nodes that start agree.
      for (const path of [...known.keys()].sort()) {
        const stat = statOf(path);
        if (stat !== null) yield stat;
      }
    },
    async read(path) {
      const bytes = fresh.get(path);
      fresh.delete(path);
      if (bytes !== undefined) return bytes;
      const file = (await engine.read([path])).get(path);
      // It may be of a commit that is yet to be taken in.
      changed = Math.max(changed, file?.seq ?? (await engine.position()));
      return file?.bytes ?? null;
    },
  });
  const cache = openCache(cacheFolder, engine.name, readOnly, faults);
  // Of two states that look the same a sequence tells the later one: nothing has to be older than a while.
  const statCache = createStatCache(reading, queue, () => Number.POSITIVE_INFINITY, cache?.snapshot);
  let keeper: Keeper | null = null;

  /** Notes a state, unless a later one is known. @returns whether it is news */
  function note({ path, bytes, ...file }: StoredFile): boolean {
    if (path.startsWith(privateFolder) || !isPath(path) || (known.get(path)?.seq ?? -1) >= file.seq) return false;
    known.set(path, file);
    if (file.etag === null) gone.add(path);
    else gone.delete(path);
    if (bytes !== null && kindOf(path) !== 'blob') fresh.set(path, bytes);
    return true;
  }

  function forget(path: string): void {
    known.delete(path);
    gone.delete(path);
  }

  async function takeIn({ seq, files }: Changes): Promise<void> {
    const touched = files.filter(note).map((file) => {
      changed = Math.max(changed, file.seq);
      return file.path;
    });
    const keys = files.flatMap((file) => documents.note(file) ?? []);
    position = Math.max(position, seq);
    for (const path of gone) if ((known.get(path)?.seq ?? 0) <= position) forget(path);
    await tell(touched, keys);
    see(seq);
  }

  function see(seq: number): void {
    if (seq <= seen) return;
    seen = seq;
    position = Math.max(position, seq);
    for (const one of ownCommits) if (one <= seq) ownCommits.delete(one);
    for (const follower of followers) follower();
  }

  /** Up to where there are only own commits behind what is seen: nobody needs to be asked for them. */
  function ownReach(): number {
    let reach = seen;
    while (ownCommits.has(reach + 1)) reach++;
    return reach;
  }

  async function tell(paths: readonly string[], keys: readonly string[]): Promise<void> {
    if (paths.length + keys.length + untold.size === 0) return;
    const all = new Set([...paths, ...untold]);
    for (const path of all) untold.add(path);
    if (listeners.size === 0) return;
    // Those whose news somebody could not take in the last time have been looked at already.
    const how = all.size > paths.length ? 'all' : 'changed';
    const [own, others] = [[...all].filter((path) => replaced.has(path)), [...all].filter((path) => !replaced.has(path))];
    const batch: Batch = { ...(await statCache.look(others, how)), isSettled: true, documents: keys };
    for (const listener of listeners) await listener(batch);
    if (own.length > 0) {
      const unsettled = await statCache.look(own, how);
      for (const listener of listeners) await listener(unsettled);
    }
    for (const path of all) untold.delete(path);
  }

  async function catchUp(): Promise<void> {
    try {
      for (;;) {
        const changes = await engine.changes(position);
        if (changes === null) await listAnew();
        else await takeIn(changes);
        if (changes?.isLatest) break;
      }
      faults.succeeded();
    } catch (error) {
      faults.report(error);
      throw error;
    }
  }

  /** After so long that single changes are not known any more. */
  async function listAnew(): Promise<void> {
    const present = new Set<string>();
    const files: StoredFile[] = [];
    const seq = await engine.list((some) => {
      for (const file of some) {
        present.add(file.path);
        files.push(file);
      }
    });
    const missing = [...known.keys(), ...documents.paths()].filter((path) => !present.has(path));
    const removed = missing.map((path) => ({ path, etag: null, size: 0, seq, timeMs: 0, bytes: null }));
    await takeIn({ seq, isLatest: false, files: [...files, ...removed] });
  }

  const freshen = createJoin(catchUp);
  const lease: Shared['lease'] = (name, forMs) => engine.lease(name, holder, forMs);

  /** By a question that is short where nobody else has committed anything. */
  const upToDate = createJoin(async () => {
    let last: number;
    try {
      last = await engine.position();
      faults.succeeded();
    } catch (error) {
      faults.report(error);
      throw error;
    }
    if (untold.size === 0 && seen < last && ownReach() >= last) see(last);
    if (seen < last) await freshen();
  });

  async function commit(changes: readonly FileChange[], deadlineMs = Number.POSITIVE_INFINITY, basis?: Basis) {
    if (changes.length === 0) return [];
    if (readOnly) throw new ReadOnlyError('the content');
    if (performance.now() > deadlineMs) throw new BusyError('too late to begin');
    const present = await readPresent(changes);
    const plan = await planCommit(present, changes);
    const edits = await editsOf(plan);
    const id = randomUUID();
    const { seen: since, claims, documents: beside = [] } = basis ?? { seen, claims: [] };
    const all = [...edits, ...beside.map(editOf)];
    try {
      const { seq, timeMs } =
        edits.length === 0 ? { seq: position, timeMs: Date.now() } : await engine.commit({ id, seen: since, edits: all, claims });
      for (const { taken } of plan.states.values()) if (taken !== undefined) await rm(taken, { force: true });
      faults.succeeded();
      const entries = await queue.run(() => noteOwn(plan, edits, seq, timeMs));
      if (edits.length > 0 && beside.length === 0) ownCommits.add(seq);
      return undoable(entries, plan);
    } catch (error) {
      faults.report(error);
      throw error;
    }
  }

  async function replace({ files, documents: beside }: Replacement): Promise<void> {
    if (readOnly) throw new ReadOnlyError('the content');
    const edits = [...files, ...beside.map(editOf)];
    for (const { path } of files) replaced.add(path);
    try {
      // Which names the files take is not known here.
      await engine.commit({ id: randomUUID(), seen, edits, claims: files.length > 0 ? [everything] : [] });
      await freshen();
    } finally {
      for (const { path } of files) replaced.delete(path);
    }
  }

  /** Files as the engine has them now. Those that nobody has ever seen are taken for new: the engine knows better, and says so. */
  async function readPresent(changes: readonly FileChange[]): Promise<Engine> {
    const wanted = changes
      .flatMap(pathsOf)
      .map(checkPath)
      .filter((path) => statOf(path) !== null && kindOf(path) !== 'blob');
    const found = wanted.length === 0 ? new Map<string, StoredFile>() : await engine.read(wanted);
    return readingOf({
      stat(path) {
        if (kindOf(path) === 'blob') return statOf(path);
        const file = found.get(path);
        return file ? { path, size: file.size, mtimeMs: file.timeMs, ctimeMs: file.timeMs, ino: file.seq } : null;
      },
      read: (path) => (kindOf(path) === 'blob' ? bytesOf(path) : (found.get(path)?.bytes ?? null)),
    });
  }

  async function editsOf({ states, writes, removals }: CommitPlan): Promise<Edit[]> {
    const edits: Edit[] = [];
    for (const path of [...writes, ...removals]) {
      const { stat, disk, diskEtag, next, taken } = states.get(path) as State;
      // Of a blob only its times are known, and the last one wins; but not over one that nobody has seen.
      const expect = stat === null ? { expect: null } : disk === null ? {} : { expect: diskEtag };
      const bytes = removals.includes(path) ? null : taken === undefined ? (next ?? noBytes) : await readFile(taken);
      edits.push({ path, bytes, ...expect });
    }
    return edits;
  }

  function noteOwn(plan: CommitPlan, edits: readonly Edit[], seq: number, timeMs: number): readonly Entry[] {
    if (edits.length > 0) changed = Math.max(changed, seq);
    for (const { path, bytes } of edits) {
      const etag = bytes === null ? null : 'own';
      note({ path, etag, size: bytes?.length ?? 0, seq, timeMs, bytes: null });
      fresh.delete(path);
      if (bytes === null || kindOf(path) === 'blob') statCache.note(path, statOf(path), '');
    }
    return plan.entries.map((entry) => {
      const stat = statOf(entry.path);
      const now = entry.at(stat?.mtimeMs ?? timeMs);
      // Otherwise somebody has changed it since, which comes by itself.
      if (stat?.ino === seq || !edits.some(({ path }) => path === entry.path)) statCache.note(entry.path, stat, entry.etag, now);
      return now;
    });
  }

  async function load(progress?: (done: number, total: number) => void): Promise<Batch> {
    const missing: string[] = [];
    const list = await engine.list(
      (files) => {
        for (const file of files) {
          documents.note(file);
          const isKept = note(file) && cache?.holds(file.path, file);
          if (!isKept && file.bytes === null && statOf(file.path) !== null && kindOf(file.path) !== 'blob')
            missing.push(file.path);
        }
      },
      await cache?.open(),
    );
    for (const paths of chunksOf(missing, filesAtOnce))
      for (const [path, { bytes }] of await engine.read(paths)) if (bytes !== null) fresh.set(path, bytes);
    documents.listed();
    position = Math.max(position, list);
    changed = Math.max(changed, list);
    const batch = await statCache.load(progress);
    see(list);
    return batch;
  }

  function follow(): void {
    let timer: NodeJS.Timeout | undefined;
    let isStopped = false;
    let running: Promise<void> = Promise.resolve();
    const look = (work: () => Promise<void>): void => {
      clearTimeout(timer);
      running = faults.background('following the engine', async () => {
        const began = performance.now();
        try {
          await work();
        } finally {
          polled.sweeps++;
          polled.sweptAt = began;
          polled.sweptMs += performance.now() - began;
          clearTimeout(timer);
          if (!isStopped) timer = setTimeout(look, pollMs, upToDate).unref();
        }
      });
    };
    const unhint = engine.hints?.((seq) => {
      look(seq <= ownReach() ? upToDate : freshen);
    });
    look(freshen);
    polling = {
      async stop() {
        isStopped = true;
        unhint?.();
        clearTimeout(timer);
        await running;
      },
    };
  }

  async function stopWatching(): Promise<void> {
    listeners.clear();
    const stopping = polling;
    polling = null;
    await stopping?.stop();
  }

  return {
    name: engine.name,
    readOnly,
    halfWritten: () => null,
    shared: {
      node,
      get seen() {
        return seen;
      },
      get changed() {
        return changed;
      },
      numbersFrom,
      follow(listener) {
        followers.add(listener);
        return () => void followers.delete(listener);
      },
      fresh: upToDate,
      reserve: engine.reserve,
      engine: { changes: engine.changes, replace },
      lease,
      alone: leasedAlone(lease, upToDate),
    },
    load,
    visit: (take, progress) => visitContent(reading, take, progress),
    commit,
    alone: (work) => queue.run(work),
    following: () => ({
      by: polling === null ? null : 'events',
      pending: 0,
      since: null,
      files: known.size,
      ...polled,
    }),
    async sweep() {
      await freshen();
      return statCache.sweep();
    },
    async reread(paths) {
      const all = [...paths.map(checkPath), ...untold];
      const isOthers = untold.size > 0;
      untold.clear();
      return { ...(await statCache.look(all, 'all')), ...(isOthers && { isSettled: true as const }) };
    },
    async watch(listener) {
      listeners.add(listener);
      if (polling === null) follow();
      // Not of a command, which would take the place of what the server has written.
      if (cache !== null && !readOnly) keeper ??= createKeeper(faults, () => statCache.keep());
      keeper?.wake();
      return async () => {
        if (listeners.delete(listener) && listeners.size === 0) await stopWatching();
      };
    },
    stopWatching,
    current: statCache.current,
    knows: (path) => statOf(path) !== null,
    problems: statCache.problems,
    readBytes: (path) => bytesOf(checkPath(path)),
    locate: () => null,
    spoolFile: () => join(dir, `${temporaryPrefix}${++spools}`),
    private: documents,
    cache: local.cache,
    derived: null,
    git: null,
    faults,
    async close() {
      await stopWatching();
      await queue.idle();
      await keeper?.close();
      await engine.close();
      await local.dispose();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** A node does without one that cannot be used. */
function openCache(folder: string, name: string, readOnly: boolean, faults: Faults): NodeCache | null {
  if (folder === '' || (readOnly && !existsSync(folder))) return null;
  try {
    return createNodeCache(folder, name, readOnly);
  } catch (error) {
    void faults.background('engine_cache', () => Promise.reject(new Error((error as Error).message)));
    return null;
  }
}

interface Files {
  stat(path: string): FileStat | null;
  read(path: string): ReturnType<Engine['read']>;
  all?(): AsyncIterable<FileStat>;
}

/** Files as stat cache and plans of commits ask for them. */
function readingOf({ stat, read, all }: Files): Engine {
  const walk: Engine['walk'] = async (visit) => {
    for await (const file of all?.() ?? []) await visit(file);
  };
  return {
    sweep: (visit) => walk(async (file) => visit(file)),
    walk,
    directories: () => [],
    isAway: () => false,
    stat,
    lookUp: stat,
    read,
    peek: read,
  };
}
