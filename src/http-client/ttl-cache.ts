/**
 * Answers from outside, kept for a while in the cache mount. Losing one costs a request, so no failure here is an error.
 */
import { createHash } from 'node:crypto';
import type { Documents } from '../kernel/store/types.ts';

export interface TtlCache<T> {
  get(key: string): Promise<T | null>;
  set(key: string, value: T): Promise<void>;
}

/** Beyond so many the folder is emptied. */
const maxItems = 1000;

interface ExpiringOptions {
  /** Folder in the mount. */
  readonly folder: string;
  readonly lifetimeMs: number;
  readonly clock: () => number;
}

/** Values must survive JSON. */
export function createTtlCache<T>(documents: Documents, { folder, lifetimeMs, clock }: ExpiringOptions): TtlCache<T> {
  const nameOf = (key: string): string => `${folder}/${createHash('sha256').update(key).digest('hex').slice(0, 40)}.json`;
  return {
    async get(key) {
      try {
        const bytes = await documents.get(nameOf(key));
        if (!bytes) return null;
        const { until, value } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { until: number; value: T };
        return until > clock() ? value : null;
      } catch {
        return null;
      }
    },
    async set(key, value) {
      try {
        const known = await documents.keys(folder);
        if (known.length >= maxItems) for (const name of known) await documents.remove(name);
        await documents.set(nameOf(key), Buffer.from(JSON.stringify({ until: clock() + lifetimeMs, value })));
      } catch {
        // A read-only or full disk: the answer is fetched again next time.
      }
    },
  };
}
