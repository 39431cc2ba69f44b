/** A store whose media are in the operator's bucket. */
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenStore } from '../../../kernel/store/store.ts';
import { versionOf } from '../files/facts.ts';
import { createBucket } from './bucket.ts';
import { createCopies } from './copies.ts';
import { layeredStore } from './layered-store.ts';
import { createObjects } from './objects.ts';
import type { MediaStoreSettings } from './settings.ts';

export function withMediaStore(store: OpenStore, settings: MediaStoreSettings): OpenStore {
  const { endpoint, bucket, prefix, cacheBytes } = settings;
  // Nothing is written to a read-only folder, and a node has none.
  const own = store.readOnly || store.follows || store.shared?.engine ? mkdtempSync(join(tmpdir(), 'cms-media-')) : null;
  const copies = createCopies(own ?? join(store.name, '.cms', 'cache', 'media'), cacheBytes, own ?? store.name);
  const layered = layeredStore(store, {
    bucket: createBucket(createObjects(settings), copies),
    identity: `${endpoint}/${bucket}/${prefix}`,
    keepCopy: (file, from) => copies.take(`${file.path}/${versionOf(file)}`, from),
  });
  return {
    ...layered,
    async close() {
      await layered.close();
      if (own !== null) await rm(own, { recursive: true, force: true });
    },
  };
}
