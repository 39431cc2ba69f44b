/**
 * What a module keeps in memory beside records, where several processes serve one site: one of them writes, the others follow it.
 * What is sent is JSON, and only the module that sends it reads it.
 */
import type { Blob } from '../store/types.ts';
import type { Records } from '../records/types.ts';

export interface Replicated {
  /** Of its messages. */
  readonly name: string;
  /** Records of things that files name; those that have no file yet have no etag. */
  named?(): Iterable<{ readonly path: string; readonly etag: string }>;
  /** A file beside those that hold records, by its path. */
  fileAt?(path: string): Blob | undefined;
  /** The writer serves: from now on the module sends what followers have to know. */
  publish?(send: (change: object) => void): void;
  /** What a new follower cannot know from the folder, as changes. */
  snapshot?(): readonly object[];
  /** In a follower: what the writer sent. */
  follow?(change: object): void | Promise<void>;
  /** In a follower: from now on the module says what the writer has to know. */
  report?(say: (report: object) => void): void;
  /** In the writer: what a follower said. */
  hear?(report: object): void;
  /** In the writer: a document of the cache was written or removed. */
  cached?(key: string): void;
  /** Private documents that it holds in memory. */
  readonly documents?: {
    readonly prefix: string;
    /** The writer has written or removed one. */
    reread(key: string): void | Promise<void>;
    /** It sees itself to answers that depended on one. */
    readonly announced?: true;
  };
}

/** What a module has in memory of the documents that a key is one of. */
export function documentsWith(replicated: readonly Replicated[], key: string): Replicated['documents'] {
  return replicated.find(({ documents }) => documents && key.startsWith(documents.prefix))?.documents;
}

/** Another process has changed a private document. */
export async function rereadDocument(
  { replicated, records }: { readonly replicated: readonly Replicated[]; readonly records: Records },
  key: string,
): Promise<void> {
  const documents = documentsWith(replicated, key);
  await documents?.reread(key);
  // What was derived dies with the generation.
  if (!documents?.announced) records.apply([]);
}
