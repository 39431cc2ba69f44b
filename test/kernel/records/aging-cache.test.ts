/** What is remembered of records: it goes with them, and by its bytes. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { createAgingCache } from '../../../src/kernel/records/aging-cache.ts';

const cacheOf = (maxBytes: number) => createAgingCache<string>(maxBytes, (text) => text.length);

it('drops replaced records', async () => {
  const cache = cacheOf(1_000_000);
  const stays = { id: 0 };
  cache.set('content', stays, 'kept');
  const gone = Array.from({ length: 50 }, (_, id) => {
    const record = { id };
    cache.set('content', record, `<p>${id}</p>`);
    return new WeakRef(record);
  });
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  await expect
    .poll(() => {
      collect();
      return gone.filter((record) => record.deref() !== undefined).length;
    })
    .toBe(0);
  expect(cache.get('content', stays)).toBe('kept');
});

it('evicts what was not used while it was filled twice, and nothing else', () => {
  const cache = cacheOf(10_000);
  const records = Array.from({ length: 100 }, () => ({}));
  const [asked] = records as [object];
  for (const record of records) {
    cache.set('content', record, 'x'.repeat(300));
    expect(cache.get('content', asked)).toBe('x'.repeat(300));
  }
  expect(cache.get('content', records[1] as object)).toBeUndefined();
  expect(cache.get('content', records[99] as object)).toBe('x'.repeat(300));
  expect(cache.get('excerpt', asked)).toBeUndefined();
});
