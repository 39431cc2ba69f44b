/** A content folder or engine, with the operator's media store. */
import type { Operator } from './kernel/model/operator.ts';
import { isEngineAddress } from './kernel/store/content-engine.ts';
import { createEngineStore } from './engines/engine-store.ts';
import { createStore, type OpenStore, type StoreOptions } from './kernel/store/store.ts';
import { openWorkerStore, type Seat } from './workers/worker-store.ts';
import { withMediaStore } from './modules/media/store/bucket-store.ts';
import { readMediaStore } from './modules/media/store/settings.ts';

/**
 * Like `createStore`, or the store of a node where the place is an engine.
 * @param seat  as one of several workers
 * @throws OperatorFault if the media store settings are invalid; LocationError, SchemaError, EngineAwayError
 */
export async function openContent(
  options: StoreOptions,
  operator: Pick<Operator, 'media_store' | 'durability' | 'engine_poll' | 'engine_cache'>,
  seat?: Seat,
): Promise<OpenStore> {
  const settings = readMediaStore(operator);
  const store = isEngineAddress(options.dir)
    ? await openNode(options, operator)
    : await openFolder({ ...options, durability: operator.durability === 'folder' ? 'folder' : 'log' }, seat);
  return settings === null ? store : withMediaStore(store, settings);
}

function openFolder(options: StoreOptions, seat: Seat | undefined): Promise<OpenStore> {
  return seat === undefined ? createStore(options) : openWorkerStore(options, seat);
}

async function openNode(
  { dir: address, readOnly = false }: StoreOptions,
  { engine_poll: pollMs, engine_cache: cache }: Pick<Operator, 'engine_poll' | 'engine_cache'>,
): Promise<OpenStore> {
  // Only who uses an engine loads what speaks to it.
  const { createPostgresEngine } = await import('./engines/postgres/postgres-engine.ts');
  const engine = createPostgresEngine(address);
  try {
    await engine.checkSchema();
    return await createEngineStore({ engine, readOnly, pollMs, cache });
  } catch (error) {
    await engine.close();
    throw error;
  }
}
