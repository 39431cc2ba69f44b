/** Media files that are in a remote store. The folder has the sidecars; batches, blobs and `Store.commit` are the same in both cases. */
import type { Blob } from '../../../kernel/store/types.ts';

interface MediaElsewhere {
  has(path: string): boolean;
  /** Names taken in a remote folder, in lower case, including sizes. */
  namesIn(folder: string): ReadonlySet<string>;
  /** A local copy, absolute path; null if there is none. @throws when the store is unreachable */
  copyOf(file: Blob): Promise<string | null>;
}

declare module '../../../kernel/store/types.ts' {
  interface Store {
    /** Absent: all files are in the folder. */
    readonly elsewhere?: MediaElsewhere;
  }
}

/** A temporary storage error: the file exists but is unreachable. */
export function isOutOfReach(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EREMOTEIO';
}
