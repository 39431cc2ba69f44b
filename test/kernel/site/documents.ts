import type { Documents } from '../../../src/kernel/store/types.ts';

/** Documents in memory, which another process may change through `texts`; `failing` keys cannot be written. */
export function memoryDocuments(): Documents & {
  readonly texts: Map<string, string>;
  readonly failing: Set<string>;
  reads: number;
} {
  const texts = new Map<string, string>();
  const failing = new Set<string>();
  const documents = {
    texts,
    failing,
    reads: 0,
    async get(key: string) {
      documents.reads++;
      const text = texts.get(key);
      return text === undefined ? null : Buffer.from(text);
    },
    async set(key: string, bytes: Uint8Array) {
      if (failing.has(key)) throw new Error(`${key} cannot be written`);
      texts.set(key, Buffer.from(bytes).toString('utf8'));
    },
    async remove(key: string) {
      texts.delete(key);
    },
    async keys(prefix = '') {
      return [...texts.keys()].filter((key) => key.startsWith(prefix)).sort();
    },
  };
  return documents;
}
