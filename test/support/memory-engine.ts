/** A content engine in memory: the contract in its shortest form. */
import { etagOf } from '../../src/kernel/yaml/codec.ts';
import { privateFolder } from '../../src/engines/shared-documents.ts';
import { kindOf } from '../../src/kernel/store/paths.ts';
import { StaleWriteError } from '../../src/kernel/store/types.ts';
import { type Committed, type ContentEngine, everything, type StoredFile } from '../../src/kernel/store/content-engine.ts';

export function createMemoryEngine(clock: () => number = Date.now): ContentEngine {
  const files = new Map<string, StoredFile>();
  /** By id; null: given up. */
  const outcomes = new Map<string, Committed>();
  /** Name → the last commit that claimed it. */
  const claimed = new Map<string, number>();
  const counters = new Map<string, number>();
  const leases = new Map<string, { readonly holder: string; readonly until: number }>();
  const listeners = new Set<(seq: number) => void>();
  let seq = 0;

  return {
    name: 'memory',
    position: async () => seq,
    async changes(since) {
      return { seq, isLatest: true, files: [...files.values()].filter((file) => file.seq > since).sort((a, b) => a.seq - b.seq) };
    },
    hints(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async list(take, has = 0) {
      const [all, at] = [[...files.values()].filter(({ etag }) => etag !== null), seq];
      const isHad = (file: StoredFile): boolean => file.seq <= has && !file.path.startsWith(privateFolder);
      take(all.map((file) => (kindOf(file.path) === 'blob' || isHad(file) ? { ...file, bytes: null } : file)));
      return at;
    },
    async read(paths) {
      const found = paths.flatMap((path) => files.get(path) ?? []);
      return new Map(found.flatMap((file) => (file.etag === null ? [] : [[file.path, file]])));
    },
    async commit({ id, seen, edits, claims = [] }) {
      const before = outcomes.get(id);
      if (before) return before;
      const isClaimed = [...claims, ...(claims.length > 0 ? [everything] : [])].some((name) => (claimed.get(name) ?? 0) > seen);
      const stale = edits.find(({ path, expect }) => expect !== undefined && expect !== (files.get(path)?.etag ?? null));
      if (isClaimed || stale) throw new StaleWriteError((stale ?? edits[0])?.path ?? '');
      const committed = { seq: ++seq, timeMs: clock() };
      for (const { path, bytes } of edits) {
        const etag = bytes === null ? null : etagOf(bytes);
        files.set(path, { path, etag, size: bytes?.length ?? 0, bytes, ...committed });
      }
      for (const name of claims) claimed.set(name, seq);
      outcomes.set(id, committed);
      for (const listener of listeners) listener(seq);
      return committed;
    },
    async reserve(above, count) {
      const spaces = Object.keys(above);
      for (const space of spaces) counters.set(space, Math.max(counters.get(space) ?? 0, above[space] as number) + count);
      return Object.fromEntries(spaces.map((space) => [space, counters.get(space) as number]));
    },
    async lease(name, holder, forMs) {
      const held = leases.get(name);
      if (held && held.holder !== holder && held.until > clock()) return false;
      leases.set(name, { holder, until: clock() + forMs });
      return true;
    },
    close: async () => undefined,
  };
}
