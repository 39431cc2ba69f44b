/**
 * Texts that a node has read of its engine, kept in a folder of its machine for its next start (`snapshot.ts`). The engine says which of
 * them are still so, and sends the others.
 */
import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rereadData } from '../kernel/yaml/codec.ts';
import { hash } from '../kernel/store/bytes.ts';
import type { FileState } from '../kernel/store/file-state.ts';
import { makeFolder } from '../kernel/store/folders.ts';
import { createSnapshot, type StoreSnapshot } from '../kernel/store/snapshot.ts';
import { openSeal, stateDirectory } from '../kernel/store/state.ts';
import type { Known } from '../kernel/store/content-engine.ts';

export interface NodeCache {
  /** For the stat cache of the node. */
  readonly snapshot: StoreSnapshot;
  /** Reads what is kept. @returns the last commit that it knows of; 0: nothing is kept */
  open(): Promise<number>;
  /** Forgets what the engine has otherwise. @returns whether the text of a file is kept as the engine has it */
  holds(path: string, file: Known): boolean;
}

/**
 * @param folder  of the operator; several nodes that write there at once undo each other's work
 * @param name  of the engine
 * @throws NodeJS.ErrnoException, StateError when it cannot be used
 */
export function createNodeCache(folder: string, name: string, readOnly: boolean): NodeCache {
  if (!readOnly) makeFolder(folder, { mode: 0o700 });
  // A folder of its own: what is in it and not of this snapshot is removed.
  const dir = join(realpathSync.native(resolve(folder)), `cms-${hash(Buffer.from(name)).slice(0, 22)}`);
  let kept: Map<string, FileState> | null = null;
  let isDamaged = false;
  const nothing = (): null => {
    isDamaged = true;
    return null;
  };
  const snapshot = createSnapshot(dir, rereadData, nothing, openSeal(stateDirectory(), readOnly));

  /** All texts now: what turns out to be damaged later could not be waited for. */
  async function restoreWhole(): Promise<ReadonlyMap<string, FileState> | null> {
    try {
      const found = await snapshot.restore();
      for (const { entry } of found?.values() ?? []) if (entry?.arena.text === undefined || isDamaged) return null;
      return found;
    } catch {
      return null;
    }
  }

  return {
    snapshot: {
      ...snapshot,
      async restore() {
        const found = kept;
        kept = null;
        return found;
      },
      async keep(known) {
        // It is not the disk that writes need.
        await snapshot.keep(known).catch((error: Error) => {
          throw new Error(`${dir} cannot be written: ${error.message}`);
        });
      },
    },
    async open() {
      kept = new Map(await restoreWhole());
      let seq = 0;
      for (const { ino } of kept.values()) seq = Math.max(seq, ino);
      return seq;
    },
    holds(path, { etag, seq }) {
      const found = kept?.get(path);
      if (found === undefined) return false;
      if (found.etag === etag && found.ino === seq) return true;
      kept?.delete(path);
      return false;
    },
  };
}
