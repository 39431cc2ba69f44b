/** A content folder, with the operator's media store. */
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Operator } from '../../../kernel/model/operator.ts';
import { createStore, type OpenStore, type StoreOptions } from '../../../kernel/store/store.ts';
import { versionOf } from '../files/facts.ts';
import { createBucket } from './bucket.ts';
import { createCopies } from './copies.ts';
import { layeredStore } from './layered-store.ts';
import { createObjects } from './objects.ts';
import { type MediaStoreSettings, readMediaStore } from './settings.ts';

/** Like `createStore`. @throws OperatorFault if the media store settings are invalid */
export async function openContent(
  options: StoreOptions,
  operator: Pick<Operator, 'media_store' | 'durability'>,
): Promise<OpenStore> {
  const settings = readMediaStore(operator);
  const store = await createStore({ ...options, durability: operator.durability === 'folder' ? 'folder' : 'log' });
  return settings === null ? store : withMediaStore(store, settings);
}

export function withMediaStore(store: OpenStore, settings: MediaStoreSettings): OpenStore {
  const { endpoint, bucket, prefix, cacheBytes } = settings;
  // Nothing is written to a read-only folder.
  const own = store.readOnly ? mkdtempSync(join(tmpdir(), 'cms-media-')) : null;
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
