/** Which media files the sidecars of the folder name. */
import { isMedia, originalOf } from '../../../kernel/store/paths.ts';
import type { Entry } from '../../../kernel/store/types.ts';
import { fetchKey } from '../../content/attachments/record.ts';
import { isKept } from './bucket.ts';

export interface Sidecars {
  put(entry: Pick<Entry, 'path' | 'data'>): void;
  /** @returns the media file, when it was the last of its sidecars */
  remove(path: string): readonly string[];
  /** Whether there is a sidecar of a media file. */
  names(path: string): boolean;
  /** Whether its bytes are still to be fetched from another site. */
  isElsewhere(path: string): boolean;
  originals(): Iterable<string>;
}

export function createSidecars(): Sidecars {
  /** Media file → its sidecars, and whether they say where the bytes can be fetched. */
  const known = new Map<string, Map<string, boolean>>();
  return {
    put({ path, data }) {
      const original = originalOf(path);
      if (original === path || !isMedia(path) || !isKept(original)) return;
      known.set(original, (known.get(original) ?? new Map()).set(path, typeof data[fetchKey] === 'string'));
    },
    remove(path) {
      const original = originalOf(path);
      const own = known.get(original);
      if (!own?.delete(path) || own.size > 0) return [];
      known.delete(original);
      return [original];
    },
    names: (path) => known.has(path),
    isElsewhere: (path) => [...(known.get(path)?.values() ?? [])].includes(true),
    originals: () => known.keys(),
  };
}
