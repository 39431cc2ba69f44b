/**
 * Bytes of media that are not in the content folder but in a store elsewhere. The folder has the sidecars; the entries of a batch and its
 * blobs are the same in both cases, and `Store.commit` takes the same changes.
 */
import type { Blob } from '../../../kernel/store/types.ts';

export interface MediaElsewhere {
  /** Whether the bytes of a path are there. */
  has(path: string): boolean;
  /** Names in a folder that are taken there, lower case; those of sizes among them. */
  namesIn(folder: string): ReadonlySet<string>;
  /** A copy on this machine, absolute; null when there is none elsewhere, either. @throws when the store is out of reach */
  copyOf(file: Blob): Promise<string | null>;
}

declare module '../../../kernel/store/types.ts' {
  interface Store {
    /** Absent: all bytes are in the folder. */
    readonly elsewhere?: MediaElsewhere;
  }
}

/** A fault of storage that passes: what was asked for is there, and cannot be had now. */
export function isOutOfReach(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EREMOTEIO';
}
