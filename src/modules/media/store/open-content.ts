/** A content folder or engine, with the operator's media store. */
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Operator } from '../../../kernel/model/operator.ts';
import { isEngineAddress } from '../../../kernel/store/engine/content-engine.ts';
import { createEngineStore } from '../../../kernel/store/engine/engine-store.ts';
import { createStore, type OpenStore, type StoreOptions } from '../../../kernel/store/store.ts';
import { versionOf } from '../files/facts.ts';
import { createBucket } from './bucket.ts';
import { createCopies } from './copies.ts';
import { layeredStore } from './layered-store.ts';
import { createObjects } from './objects.ts';
import { type MediaStoreSettings, readMediaStore } from './settings.ts';

/**
 * Like `createStore`, or the store of a node where the place is an engine.
 * @throws OperatorFault if the media store settings are invalid; LocationError, SchemaError, EngineAwayError
 */
export async function openContent(
  options: StoreOptions,
  operator: Pick<Operator, 'media_store' | 'durability' | 'engine_poll'>,
): Promise<OpenStore> {
  const settings = readMediaStore(operator);
  const store = isEngineAddress(options.dir)
    ? await openNode(options, operator.engine_poll)
    : await createStore({ ...options, durability: operator.durability === 'folder' ? 'folder' : 'log' });
  return settings === null ? store : withMediaStore(store, settings);
}

async function openNode({ dir: address, readOnly = false }: StoreOptions, pollMs: number): Promise<OpenStore> {
  // Only who uses an engine loads what speaks to it.
  const { createPostgresEngine } = await import('../../../kernel/store/postgres/postgres-engine.ts');
  const engine = createPostgresEngine(address);
  try {
    await engine.checkSchema();
    return await createEngineStore({ engine, readOnly, pollMs });
  } catch (error) {
    await engine.close();
    throw error;
  }
}

function withMediaStore(store: OpenStore, settings: MediaStoreSettings): OpenStore {
  const { endpoint, bucket, prefix, cacheBytes } = settings;
  // Nothing is written to a read-only folder, and a node has none.
  const own = store.readOnly || store.shared ? mkdtempSync(join(tmpdir(), 'cms-media-')) : null;
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
