/**
 * What a module keeps in memory beside records, where several processes serve one site. What is sent is JSON, and only the module that sends it
 * reads it.
 */
import type { Records } from '../records/types.ts';
import type { Blob } from '../store/types.ts';

export interface Replicated {
  /** Of its messages. */
  readonly name: string;
  /** A file beside those that hold records, by its path. */
  fileAt?(path: string): Blob | undefined;
  /** From now on the module sends what the other workers have to know. */
  publish?(send: (change: object) => void): void;
  /** What a worker that starts cannot know from the folder, as changes. */
  snapshot?(): readonly object[];
  /** What another worker sent. */
  follow?(change: object): void | Promise<void>;
  /** A document of the cache was written or removed here. */
  cached?(key: string): void;
  /** Private documents that it holds in memory. */
  readonly documents?: {
    readonly prefix: string;
    /** Another process has written or removed one. */
    reread(key: string): void | Promise<void>;
    /** It sees itself to answers that depended on one. */
    readonly announced?: true;
  };
}

/** Another process has changed a private document. */
export async function rereadDocument(
  { replicated, records }: { readonly replicated: readonly Replicated[]; readonly records: Records },
  key: string,
): Promise<void> {
  const documents = replicated.find((one) => one.documents && key.startsWith(one.documents.prefix))?.documents;
  await documents?.reread(key);
  // What was derived dies with the generation.
  if (!documents?.announced) records.apply([]);
}
