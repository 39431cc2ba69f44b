/**
 * A content folder as a content engine: the same files, with the order and the refusals that several writers need. The process that has it
 * numbers the commits; its numbers begin anew when it does. What people and other processes change is one more commit, which nobody can have
 * foreseen.
 */
import { etagOf } from '../kernel/yaml/codec.ts';
import { isPath, kindOf } from '../kernel/store/paths.ts';
import type { OpenStore } from '../kernel/store/store.ts';
import { reserveIds } from '../kernel/store/taken-ids.ts';
import { type Batch, type FileChange, StaleWriteError } from '../kernel/store/types.ts';
import {
  type Committed,
  type ContentEngine,
  type Edit,
  type EngineCommit,
  everything,
  type StoredFile,
} from '../kernel/store/content-engine.ts';
import { privateFolder } from './shared-documents.ts';

interface FolderEngineOptions {
  /** Changes by others count, from now on. Otherwise there must be none. */
  readonly follow?: boolean;
  readonly clock?: () => number;
}

type Known = Omit<StoredFile, 'bytes'>;

/** Changed files, outcomes and claims that are remembered; who asks for older ones lists everything, or plans anew. */
const mostKept = 20_000;
/** Bytes of files that are listed at a time. */
const listedAtOnce = 8 * 1024 * 1024;

/** @param store  closed with the engine */
export async function createFolderEngine(
  store: OpenStore,
  { follow = false, clock = Date.now }: FolderEngineOptions = {},
): Promise<ContentEngine> {
  /** What has changed, in the order of the commits. */
  const changed = new Map<string, Known>();
  /** By id. */
  const outcomes = new Map<string, Promise<Committed>>();
  /** Name → the last commit that claimed it; without a number while that is under way. */
  const claimed = new Map<string, number>();
  /** Paths that are being written. */
  const writing = new Map<string, Promise<void>>();
  const leases = new Map<string, { readonly holder: string; readonly until: number }>();
  const listeners = new Set<(seq: number) => void>();
  /** Nothing older than these is remembered. */
  const since = { changed: 0, claimed: 0 };
  let seq = 0;
  let stopWatching: (() => Promise<void>) | null = null;

  function note(files: readonly Pick<StoredFile, 'path' | 'etag' | 'size'>[], claims: readonly string[]): Committed {
    const committed = { seq: ++seq, timeMs: clock() };
    for (const file of files) {
      changed.delete(file.path);
      changed.set(file.path, { ...file, ...committed });
    }
    for (const name of claims) {
      claimed.delete(name);
      claimed.set(name, seq);
    }
    for (const [path, file] of changed) {
      if (changed.size <= mostKept) break;
      changed.delete(path);
      since.changed = file.seq;
    }
    for (const [name, at] of claimed) {
      if (claimed.size <= mostKept || at === Number.POSITIVE_INFINITY) break;
      claimed.delete(name);
      since.claimed = at;
    }
    for (const listener of listeners) listener(seq);
    return committed;
  }

  /** What this process has written comes round as well: bytes are not looked at when they are written. */
  async function hear({ entries, blobs, removed }: Batch): Promise<void> {
    const files: Omit<Known, 'seq' | 'timeMs'>[] = [];
    for (const path of new Set([...removed, ...[...entries, ...blobs].map((file) => file.path)])) {
      const bytes = await bytesAtRest(path);
      const file = { path, etag: bytes && etagOf(bytes), size: bytes?.length ?? 0 };
      if (changed.get(path)?.etag !== file.etag) files.push(file);
    }
    if (files.length > 0) note(files, [everything]);
  }

  async function bytesAtRest(path: string): Promise<Uint8Array | null> {
    for (;;) {
      await writing.get(path)?.catch(() => undefined);
      const known = changed.get(path);
      const bytes = await bytesAt(store, path);
      if (!writing.has(path) && changed.get(path) === known) return bytes;
    }
  }

  function refuseClaimed({ seen, edits, claims = [] }: EngineCommit): void {
    if (claims.length === 0) return;
    const isClaimed = [...claims, everything].some((name) => (claimed.get(name) ?? 0) > seen);
    if (isClaimed || seen < since.claimed) throw new StaleWriteError(edits[0]?.path ?? '');
  }

  async function carryOut({ edits, claims = [] }: EngineCommit): Promise<Committed> {
    const before = new Map(claims.map((name) => [name, claimed.get(name)]));
    for (const name of claims) claimed.set(name, Number.POSITIVE_INFINITY);
    const written = write(store, edits);
    for (const { path } of edits) writing.set(path, written);
    try {
      await written;
    } catch (error) {
      for (const [name, at] of before) {
        if (at === undefined) claimed.delete(name);
        else claimed.set(name, at);
      }
      throw error;
    } finally {
      for (const { path } of edits) if (writing.get(path) === written) writing.delete(path);
    }
    const files = edits.map(({ path, bytes }) => ({ path, etag: bytes && etagOf(bytes), size: bytes?.length ?? 0 }));
    return note(files, claims);
  }

  if (follow) {
    await store.load();
    stopWatching = await store.watch(hear);
  }
  return {
    name: store.name,
    position: async () => seq,
    async changes(from) {
      if (from < since.changed) return null;
      const at = seq;
      const files: StoredFile[] = [];
      for (const file of [...changed.values()].filter((one) => one.seq > from)) {
        const bytes = file.etag === null || kindOf(file.path) === 'blob' ? null : await bytesAt(store, file.path);
        files.push({ ...file, bytes });
      }
      return { seq: at, isLatest: at === seq, files };
    },
    hints(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    list: (take) => whole(store, () => list(take)),
    async read(paths) {
      const found = new Map<string, StoredFile>();
      for (const path of paths) {
        const bytes = await bytesAt(store, path);
        if (bytes !== null) found.set(path, { ...stateOf(path, bytes), bytes });
      }
      return found;
    },
    async commit(commit) {
      const before = outcomes.get(commit.id);
      if (before !== undefined) return before;
      refuseClaimed(commit);
      const running = carryOut(commit);
      outcomes.set(commit.id, running);
      running.catch(() => outcomes.delete(commit.id));
      for (const id of outcomes.keys()) if (outcomes.size > mostKept) outcomes.delete(id);
      return running;
    },
    reserve: (above, count) => reserveIds(store, above, count),
    async lease(name, holder, forMs) {
      const held = leases.get(name);
      if (held && held.holder !== holder && held.until > clock()) return false;
      leases.set(name, { holder, until: clock() + forMs });
      return true;
    },
    async close() {
      await stopWatching?.();
      await store.close();
    },
  };

  function stateOf(path: string, bytes: Uint8Array): Known {
    const { seq: at, timeMs } = changed.get(path) ?? { seq: 0, timeMs: 0 };
    return { path, etag: etagOf(bytes), size: bytes.length, seq: at, timeMs };
  }

  async function list(take: Parameters<ContentEngine['list']>[0]): Promise<number> {
    const at = seq;
    let files: StoredFile[] = [];
    let length = 0;
    for (const path of await pathsIn(store)) {
      const bytes = await bytesAt(store, path);
      if (bytes === null) continue;
      const isText = kindOf(path) !== 'blob' || path.startsWith(privateFolder);
      files.push({ ...stateOf(path, bytes), bytes: isText ? bytes : null });
      length += isText ? bytes.length : 0;
      if (length < listedAtOnce) continue;
      await take(files);
      [files, length] = [[], 0];
    }
    if (files.length > 0) await take(files);
    return at;
  }
}

/** While nobody writes. */
function whole<T>(store: OpenStore, work: () => Promise<T>): Promise<T> {
  return store.readOnly ? work() : store.alone(work);
}

/** Everything that is content, readable or not, and the private documents. */
async function pathsIn(store: OpenStore): Promise<Iterable<string>> {
  const paths = new Set<string>();
  const problems = await store.visit(({ path }) => void paths.add(path));
  for (const { path } of problems) if (isPath(path)) paths.add(path);
  for (const key of await store.private.keys()) paths.add(`${privateFolder}${key}`);
  return paths;
}

function bytesAt(store: OpenStore, path: string): Promise<Uint8Array | null> {
  return path.startsWith(privateFolder) ? store.private.get(path.slice(privateFolder.length)) : store.readBytes(path);
}

/** A private document is a commit of its own: it does not lie where the content does. */
async function write(store: OpenStore, edits: readonly Edit[]): Promise<void> {
  const [first] = edits;
  if (first?.path.startsWith(privateFolder) && edits.length === 1) return writePrivate(store, first);
  if (edits.some(({ path }) => path.startsWith(privateFolder))) throw new TypeError('a private document is a commit of its own');
  await store.commit(edits.map(changeOf));
}

async function writePrivate({ private: documents }: OpenStore, { path, expect, bytes }: Edit): Promise<void> {
  const key = path.slice(privateFolder.length);
  const alter = (now: Uint8Array | null): Uint8Array | null => {
    if (expect !== undefined && expect !== (now && etagOf(now))) throw new StaleWriteError(path);
    return bytes;
  };
  if (documents.update) return documents.update(key, alter);
  const next = alter(await documents.get(key));
  await (next === null ? documents.remove(key) : documents.set(key, next));
}

function changeOf({ path, expect, bytes }: Edit): FileChange {
  const expected = expect === undefined ? {} : { expect };
  return bytes === null ? { remove: path, ...expected } : { path, bytes, ...expected };
}
