/**
 * Writes without a commit yet, where several nodes serve the content: a private document of each is stored in the same commit of the engine
 * as its files. The node that follows the remote makes commits of them.
 */
import { randomUUID } from 'node:crypto';
import type { Announced } from '../../../kernel/site/hooks.ts';
import type { Store, FileChange } from '../../../kernel/store/types.ts';
import { isMap } from '../../../kernel/model/maps.ts';
import { join, type PendingCommit, unitsOf, writtenFiles } from './pending.ts';
import type { CommittedFile, WriterId } from './record.ts';

export const notedPrefix = 'git/writes/';
/** Larger files are not saved: their later content is committed. */
const maxCapturedBytes = 1024 * 1024;

interface NotedWrite {
  /** Key of the document. */
  readonly key: string;
  /** Of its commit in the engine. */
  readonly seq: number;
  readonly by: WriterId;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly files: readonly CommittedFile[];
  /** Contents that somebody else had written before, and that this write replaced; null: none. */
  readonly captured: ReadonlyMap<string, Uint8Array | null>;
}

/** A note to be stored with a write. */
export async function noteWrite(store: Store, changes: readonly FileChange[], by: WriterId): Promise<Announced> {
  const files = writtenFiles(changes);
  const captured: Record<string, string | null> = {};
  const others = new Set(
    (await notedWrites(store)).flatMap((other) => (other.by === by ? [] : other.files.map(({ path }) => path))),
  );
  for (const path of files.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path]))) {
    if (!others.has(path)) continue;
    const bytes = await store.readBytes(path);
    if (bytes === null || bytes.length <= maxCapturedBytes)
      captured[path] = bytes === null ? null : Buffer.from(bytes).toString('base64');
  }
  return {
    documents: [printNote({ by, at: Date.now(), files }, captured)],
    written: () => undefined,
    refused: () => undefined,
  };
}

/** A note that who wrote a file last has it under another name now; null: nobody's write waits for a commit. */
export function noteMove(writes: readonly NotedWrite[], from: string, path: string): ReturnType<typeof printNote> | null {
  const last = writes.findLast(({ files }) => files.some((file) => file.path === from));
  return last === undefined ? null : printNote({ by: last.by, at: last.at, files: [{ path, from }] });
}

function printNote(
  { by, ...note }: Pick<NotedWrite, 'by' | 'at' | 'files'>,
  captured: Readonly<Record<string, string | null>> = {},
) {
  const bytes = Buffer.from(JSON.stringify({ ...(by === undefined ? {} : { by }), ...note, captured }));
  return { key: `${notedPrefix}${randomUUID()}.json`, bytes, before: null };
}

/** Notes never change. By the documents of a store. */
const read = new WeakMap<Store['private'], Map<string, NotedWrite>>();

/** In the order of their commits in the engine. */
export async function notedWrites({ private: documents }: Pick<Store, 'private'>): Promise<readonly NotedWrite[]> {
  const before = read.get(documents);
  const notes = new Map<string, NotedWrite>();
  for (const key of await documents.keys(notedPrefix)) {
    const known = before?.get(key) ?? readNote(key, await documents.get(key), documents.stamp?.(key)?.ino ?? 0);
    if (known) notes.set(key, known);
  }
  read.set(documents, notes);
  return [...notes.values()].sort((a, b) => a.seq - b.seq);
}

/** Writes by one user to one item within a minute become one commit. `seqs`: positions in the list. */
export function pendingOf(writes: readonly NotedWrite[]): PendingCommit[] {
  const pending = new Set<PendingCommit>();
  const byUnit = new Map<string, PendingCommit[]>();
  for (const [at, write] of writes.entries()) {
    const units = new Set(write.files.flatMap(unitsOf));
    const near = [...new Set([...units].flatMap((unit) => byUnit.get(unit) ?? []))];
    for (const other of near) {
      if (other.by === write.by) continue;
      other.isClosed = true;
      for (const [path, bytes] of write.captured)
        if (other.files.has(path) && !other.captured.has(path)) other.captured.set(path, bytes);
    }
    const commit = join(near, { ...write, seqs: [at] });
    pending.add(commit);
    for (const unit of units) byUnit.set(unit, [...(byUnit.get(unit) ?? []).filter((one) => one !== commit), commit]);
  }
  return [...pending];
}

function readNote(key: string, stored: Uint8Array | null, seq: number): NotedWrite | null {
  if (stored === null) return null;
  const { by, at, files, captured } = JSON.parse(Buffer.from(stored).toString()) as Record<string, unknown>;
  if (typeof at !== 'number' || !Array.isArray(files) || !isMap(captured)) return null;
  const saved = Object.entries(captured).map(([path, text]): [string, Uint8Array | null] => [
    path,
    typeof text === 'string' ? Buffer.from(text, 'base64') : null,
  ]);
  return { key, seq, by: by as WriterId, at, files: files as CommittedFile[], captured: new Map(saved) };
}
