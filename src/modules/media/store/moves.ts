/**
 * Moves library files between folder and bucket: one at a time, each complete on the other side before it is removed, so that it can be stopped and
 * resumed.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, readFile, stat } from 'node:fs/promises';
import type { Store } from '../../../kernel/store/types.ts';
import { maxPointerBytes, readPointer } from '../files/lfs.ts';
import { type Bucket, isKept } from './bucket.ts';
import type { Overlay } from './overlay.ts';

/** `moved`: done. `present`: it was on the other side already. Otherwise the reason why it stays. */
export type Moved = 'moved' | 'present' | { readonly reason: string };

export interface Moves {
  /** Media files in the folder. Of what was loaded or visited. */
  inFolder(paths: Iterable<string>): readonly string[];
  /** Media files that are only in the bucket. */
  inBucket(): readonly string[];
  /** @throws MediaStoreError */
  push(path: string): Promise<Moved>;
  /** The object stays in the bucket. @throws MediaStoreError */
  pull(path: string): Promise<Moved>;
}

export function createMoves(inner: Store, bucket: Bucket, { sidecars, isHere, blobAt, note }: Overlay): Moves {
  return {
    inFolder: (paths) => [...paths].filter((path) => isKept(path) && isHere(path)).sort(),
    inBucket: () => [...sidecars.originals()].filter((path) => bucket.at(path) && blobAt(path)).sort(),
    async push(path) {
      const file = inner.locate(path);
      if (file === null) return { reason: 'is no file any more' };
      if (!sidecars.names(path)) return { reason: 'has no sidecar yet: a server writes one when it sees the file' };
      const before = await stat(file);
      if (before.size <= maxPointerBytes && readPointer(await readFile(file))) return { reason: 'is in git LFS and not here' };
      const there = await bucket.digestOf(path);
      if (there !== null && there !== (await digestOf(file)))
        return { reason: 'another file of this name is in the media store' };
      if (there === null) await bucket.put(path, { fromFile: file });
      else await bucket.look(path);
      const after = await stat(file);
      if (after.mtimeMs !== before.mtimeMs || after.size !== before.size) return { reason: 'has changed meanwhile' };
      await inner.commit([{ remove: path }]);
      note();
      return there === null ? 'moved' : 'present';
    },
    async pull(path) {
      if (isHere(path)) return 'present';
      const blob = blobAt(path);
      const copy = blob ? await bucket.copyOf(blob) : null;
      if (copy === null) return { reason: 'is not in the media store' };
      const file = inner.spoolFile();
      await copyFile(copy, file);
      await inner.commit([{ path, fromFile: file, expect: null }]);
      return 'moved';
    },
  };
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
