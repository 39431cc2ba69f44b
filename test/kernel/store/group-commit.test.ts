/** Commits that come together share the disk's time and nothing else. */

import { mkdirSync, readdirSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { commitAll } from '../../../src/kernel/store/commit.ts';
import { createStatCache } from '../../../src/kernel/store/stat-cache.ts';
import { createCommit } from '../../../src/kernel/store/group-commit.ts';
import type { Lease, Lock } from '../../../src/kernel/store/lock.ts';
import type { FilesDriver } from '../../../src/kernel/store/files.ts';
import { createMounts } from '../../../src/kernel/store/mounts.ts';
import { createQueue } from '../../../src/kernel/store/queue.ts';
import { createStore, type OpenStore } from '../../../src/kernel/store/store.ts';
import { StaleWriteError, type FileChange, type Write } from '../../../src/kernel/store/types.ts';
import { type Folder, temporaryFolder } from './folder.ts';
import { logIn } from './folder-log.ts';

async function open(folder: Folder): Promise<OpenStore> {
  const store = await createStore({ dir: folder.dir });
  onTestFinished(() => store.close());
  await store.load();
  return store;
}

const fresh = (path: string, body = 'x'): Write => ({ path, expect: null, data: {}, order: [], body });
const posts = (folder: Folder) => readdirSync(folder.at('posts')).sort();

describe('concurrent commits', () => {
  it('succeed and fail independently', async () => {
    const folder = temporaryFolder({ 'posts/a.md': 'a', 'posts/b.md': 'b' });
    mkdirSync(folder.at('posts/taken.md'));
    const store = await open(folder);
    const commits: FileChange[][] = [
      [fresh('posts/1.md')],
      [fresh('posts/2.md'), { ...fresh('posts/a.md'), expect: 'another state' }],
      [fresh('posts/3.md'), { path: 'posts/4.md', expect: null, data: { x: Number.NaN }, order: [] }],
      [fresh('posts/5.md'), fresh('posts/taken.md'), { remove: 'posts/b.md' }],
      [fresh('posts/6.md'), { remove: 'posts/b.md' }],
      [fresh('../7.md')],
      [fresh('posts/8.md')],
    ];
    const outcomes = await Promise.allSettled(commits.map((changes) => store.commit(changes)));
    expect(
      outcomes.map((one) => (one.status === 'fulfilled' ? one.value.length : (one.reason as Error).constructor.name)),
    ).toEqual([1, 'StaleWriteError', 'TypeError', 'BlockedPathError', 1, 'PathError', 1]);
    expect(posts(folder)).toEqual(['1.md', '6.md', '8.md', 'a.md', 'taken.md']);
    expect((await store.sweep()).entries).toEqual([]);
  });

  it('to one file run one after the other', async () => {
    const folder = temporaryFolder({ 'posts/a.md': 'a' });
    const store = await open(folder);
    const [outcome, again, moved, other] = await Promise.allSettled([
      store.commit([fresh('posts/b.md', 'first')]),
      store.commit([fresh('posts/b.md', 'second')]),
      store.commit([{ ...fresh('posts/c.md', 'moved'), from: 'posts/b.md' }, fresh('posts/d.md')]),
      store.commit([fresh('posts/d.md', 'later')]),
    ]);
    expect([outcome.status, again.status, moved.status, other.status]).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect([folder.read('posts/b.md'), folder.read('posts/d.md')]).toEqual(
      ['first', 'later'].map((body) => expect.stringContaining(body)),
    );
  });

  it('of one turn of the event loop take the lock once', async () => {
    const folder = temporaryFolder({ 'posts/a.md': 'a' });
    const { content: engine } = createMounts({ dir: folder.dir });
    const log = logIn(folder);
    onTestFinished(() => log.close());
    const ignore = () => undefined;
    const context = { engine, statCache: createStatCache(engine, createQueue()), log, late: ignore, failed: ignore };
    let taken = 0;
    const lock: Lock = {
      withLock: (work) => {
        taken++;
        return work({ fence: 1, isNew: false, check: ignore });
      },
      close: ignore,
    };
    const commit = createCommit(context, { lock, queue: createQueue(), recover: async () => undefined });
    const later = async (at: number) => {
      for (let step = 0; step < 20 * at; step++) await undefined;
      return commit([fresh(`posts/${at}.md`)]);
    };
    await Promise.all([0, 1, 2, 3].map(later));
    expect(posts(folder)).toEqual(['0.md', '1.md', '2.md', '3.md', 'a.md']);
    expect(taken).toBe(1);
  });

  it('lose no change when everyone reads, changes and retries', async () => {
    const folder = temporaryFolder({ 'posts/a.md': '---\ncount: 0\n---\n', 'posts/b.md': '---\ncount: 0\n---\n' });
    const stores = [await open(folder), await open(folder)];
    const raise = async (store: OpenStore, path: string): Promise<void> => {
      const [entry] = (await store.reread([path])).entries;
      const write = { path, expect: entry?.etag as string, data: { count: (entry?.data.count as number) + 1 }, order: [] };
      await store
        .commit([write])
        .catch((error) => (error instanceof StaleWriteError ? raise(store, path) : Promise.reject(error)));
    };
    await Promise.all(
      Array.from({ length: 32 }, (_, at) => raise(stores[at & 1] as OpenStore, at & 2 ? 'posts/a.md' : 'posts/b.md')),
    );
    expect(folder.read('posts/a.md') + folder.read('posts/b.md')).toBe('---\ncount: 16\n---\n'.repeat(2));
  });
});

describe('a file that a person saves at the last moment', () => {
  const lease: Lease = { fence: 1, isNew: true, check: () => undefined };

  /** Commits while `interrupt` runs after the first file is staged. */
  async function commit(folder: Folder, changes: readonly FileChange[][], interrupt: () => void) {
    const { content } = createMounts({ dir: folder.dir });
    const engine: FilesDriver = {
      ...content,
      async stage(path, bytes) {
        const staged = await content.stage(path, bytes);
        interrupt();
        return staged;
      },
    };
    const statCache = createStatCache(engine, createQueue());
    await statCache.load();
    return commitAll(
      {
        engine,
        statCache,
        log: logIn(folder),
        late: () => undefined,
        failed: () => undefined,
      },
      changes,
      lease,
    );
  }

  it.each([
    ['that is written', { path: 'posts/a.md', expect: undefined, data: {}, order: [], body: 'ours' }],
    ['that is removed', { remove: 'posts/a.md' }],
    ['that moves', { path: 'posts/z.md', from: 'posts/a.md', expect: undefined, data: {}, order: [], body: 'ours' }],
  ])('%s stays', async (_, change) => {
    const folder = temporaryFolder({ 'posts/a.md': 'a' });
    const { etag } = ((await (await open(folder)).reread(['posts/a.md'])).entries[0] ?? {}) as { etag: string };
    const first = [{ ...change, ...('expect' in change ? { expect: etag } : {}) } as FileChange, fresh('posts/b.md')];
    const outcomes = await commit(folder, [first, [fresh('posts/c.md')]], () => folder.write('posts/a.md', 'by hand'));
    expect(outcomes).toMatchObject([{ error: expect.any(StaleWriteError) }, { entries: [{ path: 'posts/c.md' }] }]);
    expect(folder.read('posts/a.md')).toBe('by hand');
    expect(posts(folder)).toEqual(['a.md', 'c.md']);
  });

  it('that was new to both stays theirs', async () => {
    const folder = temporaryFolder({ 'posts/a.md': 'a' });
    const outcomes = await commit(folder, [[fresh('posts/b.md')]], () => folder.write('posts/b.md', 'by hand'));
    expect(outcomes).toMatchObject([{ error: expect.any(StaleWriteError) }]);
    expect([folder.read('posts/b.md'), posts(folder)]).toEqual(['by hand', ['a.md', 'b.md']]);
  });

  it('that appears after the last check is reported', async () => {
    const folder = temporaryFolder({ 'posts/a.md': 'a' });
    const { content } = createMounts({ dir: folder.dir });
    const engine: FilesDriver = {
      ...content,
      publish(...asked) {
        folder.write('posts/b.md', 'by hand');
        return content.publish(...asked);
      },
    };
    const statCache = createStatCache(engine, createQueue());
    await statCache.load();
    const told = new Promise((resolve) => {
      const late = (path: string, bytes: Uint8Array) => resolve([path, Buffer.from(bytes).toString()]);
      void commitAll({ engine, statCache, log: logIn(folder), late, failed: () => undefined }, [[fresh('posts/b.md')]], lease);
    });
    expect(await told).toEqual(['posts/b.md', 'by hand']);
  });
});
