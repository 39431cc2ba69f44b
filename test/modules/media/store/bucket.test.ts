/** What is known of a bucket. */
import { expect, it } from 'vitest';
import { createBucket } from '../../../../src/modules/media/store/bucket.ts';
import type { Copies } from '../../../../src/modules/media/store/copies.ts';
import { MediaStoreError } from '../../../../src/modules/media/store/media-store-error.ts';
import type { Objects } from '../../../../src/modules/media/store/objects.ts';

it.each([
  ['refused', 'is listed', ['media/a.jpg']],
  ['away', 'is looked at again later', 'away'],
] as const)('a bucket object that could not be removed (%s) %s', async (reason, _, expected) => {
  const objects = {
    remove: async () => {
      throw new MediaStoreError(reason, reason);
    },
    async *list() {
      yield { key: 'a.jpg', size: 1, mtimeMs: 1 };
    },
  };
  const bucket = createBucket(objects as unknown as Objects, {} as Copies);
  await expect(bucket.remove('media/b.jpg')).rejects.toThrow();
  const found = bucket.refresh();
  if (expected === 'away') await expect(found).rejects.toThrow('away');
  else expect(await found).toEqual(expected);
  expect(bucket.note().left).toEqual(['b.jpg']);
});
