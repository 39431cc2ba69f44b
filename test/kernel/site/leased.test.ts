/** Work that one node does at a time. */
import { expect, it } from 'vitest';
import { startLeased } from '../../../src/kernel/site/leased.ts';
import { createEngineStore } from '../../../src/engines/engine-store.ts';
import { createMemoryEngine } from '../../support/memory-engine.ts';
import { until } from '../../support/site.ts';

it('is done by one node, and by another one once that has ended', async () => {
  const engine = createMemoryEngine();
  const stores = await Promise.all(
    [1, 2, 3].map(() => createEngineStore({ engine: { ...engine, close: async () => undefined } })),
  );
  const working = new Set<number>();
  let most = 0;
  const stops = stores.map((store, at) =>
    startLeased({ store }, 'work', 5, () => {
      working.add(at);
      most = Math.max(most, working.size);
      return async () => void working.delete(at);
    }),
  );
  const order: number[] = [];
  for (let round = 0; round < 3; round++) {
    await until(() => working.size > 0);
    const [at] = [...working] as [number];
    order.push(at);
    await stops[at]?.();
  }
  expect(most).toBe(1);
  expect(order.sort()).toEqual([0, 1, 2]);
  for (const store of stores) await store.close();
});
