/** Ids that files do not say are kept by the process that gives them, and by no other. */
import { expect, it } from 'vitest';
import { createAmendments } from '../../../src/kernel/site/amendments.ts';
import { createFaults } from '../../../src/kernel/store/faults.ts';

it.each([
  ['a process that gives ids', {}, 1],
  ['one that is told of them', { follows: true as const }, 0],
])('%s notes which are in files by now', async (_, role, times) => {
  let saved = 0;
  const cache = {
    get: async () => Buffer.from('{"posts/a.md":1,"posts/b.md":2}'),
    set: async () => void saved++,
    remove: async () => undefined,
    keys: async () => [],
  };
  const amendments = await createAmendments(
    { cache, faults: createFaults(), git: null, readOnly: false, ...role },
    async () => [],
  );
  amendments.note({
    entries: [{ path: 'posts/a.md', kind: 'md', data: { id: 9 }, body: '', etag: 'x', size: 1, mtimeMs: 1 }],
  });
  await amendments.close();
  expect([saved, Object.keys(amendments.unwritten())]).toEqual([times, ['posts/b.md']]);
});
