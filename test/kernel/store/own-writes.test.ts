/** Files that the store has written itself are known by their times alone: no other write can give them the same. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, expect, it, vi } from 'vitest';
import { createMounts } from '../../../src/kernel/store/mounts.ts';
import { createQueue } from '../../../src/kernel/store/queue.ts';
import { createStatCache } from '../../../src/kernel/store/stat-cache.ts';
import { temporaryFolder } from './folder.ts';

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** What sets the times of files, otherwise. */
function setTimes(otherwise: typeof fs.futimesSync): void {
  vi.spyOn(fs, 'futimesSync').mockImplementation(otherwise);
  syncBuiltinESMExports();
}

const path = 'posts/a.md';

/** A file is written as commits write it, and noted; the reads of the content from then on are counted. */
async function written(text = 'text') {
  const folder = temporaryFolder({});
  const { content } = createMounts({ dir: folder.dir });
  const statCache = createStatCache(content, createQueue());
  await statCache.load();
  const staged = await content.stage(path, Buffer.from(text));
  await content.publish(staged.temporary, path);
  statCache.note(path, await content.stat(path), 'an etag', undefined, staged);
  const reads = vi.spyOn(content, 'read');
  return { folder, statCache, reads };
}

it('own writes are not read again by the next scan', async () => {
  const { statCache, reads } = await written();
  const { entries } = await statCache.sweep();
  expect([entries, reads.mock.calls]).toEqual([[], []]);
});

it('own writes are read again when others write as many bytes right after, even in the same clock tick', async () => {
  for (let at = 0; at < 200; at++) {
    const { folder, statCache } = await written('mine');
    fs.writeFileSync(folder.at(path), 'them');
    const { entries } = await statCache.sweep();
    expect(entries.map(({ body }) => body)).toEqual(['them']);
  }
});

it('own writes are read again if the file system has no times', async () => {
  setTimes(() => {
    throw Object.assign(new Error('not here'), { code: 'ENOSYS' });
  });
  const { statCache, reads } = await written();
  await statCache.sweep();
  expect(reads.mock.calls.map(([one]) => one)).toEqual([path]);
});

it('own writes are read again if times are whole seconds', async () => {
  const { futimesSync } = fs;
  setTimes((file, access, change) => futimesSync(file, Math.floor(Number(access)), Math.floor(Number(change)) - 1));
  const { statCache, reads } = await written();
  await statCache.sweep();
  expect(reads.mock.calls.map(([one]) => one)).toEqual([path]);
});
