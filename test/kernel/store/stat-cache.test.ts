import { renameSync, rmSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { createStatCache } from '../../../src/kernel/store/stat-cache.ts';
import { createMounts } from '../../../src/kernel/store/mounts.ts';
import { createQueue } from '../../../src/kernel/store/queue.ts';
import type { Batch } from '../../../src/kernel/store/types.ts';
import { type Folder, temporaryFolder } from './folder.ts';

const brief = ({ entries, blobs, removed, problems }: Batch) =>
  [...entries, ...blobs, ...problems]
    .map(({ path }) => path)
    .concat(removed.map((path) => `-${path}`))
    .sort();

async function loaded(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder(files);
  const statCache = createStatCache(createMounts({ dir: folder.dir }).content, createQueue());
  await statCache.load();
  return { folder, statCache };
}

describe('a scan of one directory', () => {
  it.each<[string, (folder: Folder) => void, string[]]>([
    ['sees what changed in it and below', (folder) => folder.write('posts/x/y/b.md', 'new'), ['posts/x/y/b.md']],
    ['leaves what is beside it', (folder) => folder.write('posts/xy.md', 'edited'), []],
    ['sees that it is gone', (folder) => rmSync(folder.at('posts/x'), { recursive: true }), ['-posts/x/a.md']],
    [
      'sees another one of its name',
      (folder) => {
        renameSync(folder.at('posts/x'), folder.at('posts/z'));
        folder.write('posts/x/c.md', 'c');
      },
      ['-posts/x/a.md', 'posts/x/c.md'],
    ],
  ])('%s', async (_, change, found) => {
    const { folder, statCache } = await loaded({ 'posts/x/a.md': 'a', 'posts/xy.md': 'xy' });
    change(folder);
    expect(brief(await statCache.sweep('posts/x'))).toEqual(found);
  });

  it('finds names that are spelled otherwise on disk', async () => {
    const { folder, statCache } = await loaded({ 'posts/a.md': 'a' });
    folder.write('posts/u\u0308/b.md', 'b');
    await statCache.sweep();
    folder.write('posts/u\u0308/c.md', 'c');
    expect(brief(await statCache.sweep('posts/\u00fc'))).toEqual(['posts/\u00fc/c.md']);
    expect(brief(await statCache.sweep())).toEqual([]);
  });
});

describe('full scans', () => {
  it('each find what was removed since the last', async () => {
    const { folder, statCache } = await loaded({ 'posts/a.md': 'a', 'posts/b.md': 'b', 'posts/x/c.md': 'c' });
    expect(brief(await statCache.sweep())).toEqual([]);
    rmSync(folder.at('posts/a.md'));
    expect(brief(await statCache.sweep())).toEqual(['-posts/a.md']);
    rmSync(folder.at('posts/x'), { recursive: true });
    expect(brief(await statCache.sweep('posts'))).toEqual(['-posts/x/c.md']);
    folder.write('posts/a.md', 'again');
    expect(brief(await statCache.sweep())).toEqual(['posts/a.md']);
    expect(statCache.size).toBe(2);
  });
});

describe('files written while they are loaded', () => {
  it('are reported in their final state, once', async () => {
    const files = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`posts/p${at}.md`, `text ${at}`]));
    const folder = temporaryFolder(files);
    const statCache = createStatCache(createMounts({ dir: folder.dir }).content, createQueue());
    let look: Promise<Batch> | undefined;
    const batch = await statCache.load(() => {
      if (look !== undefined) return;
      for (let at = 0; at < 5; at++) folder.write(`posts/p${at}.md`, `edited ${at}`);
      look = statCache.look(Object.keys(files).slice(0, 5));
    });
    const seen = new Map(
      [...batch.entries, ...((await look)?.entries ?? [])].map(({ path, etag, body }) => [path, { etag, body }]),
    );
    const current = new Map(
      statCache
        .current({ ...batch, entries: [...batch.entries, ...((await look)?.entries ?? [])] })
        .entries.map(({ path, body }) => [path, body]),
    );
    expect(seen.size).toBe(600);
    expect(current.size).toBe(600);
    expect([current.get('posts/p0.md'), current.get('posts/p599.md')]).toEqual(['edited 0', 'text 599']);
  });
});

describe('a file emptied between its stat and its reading', () => {
  it.each<[string, string | undefined]>([
    ['that was known', 'before'],
    ['that is new', undefined],
  ])('is checked again before it counts as empty: one %s', async (_what, before) => {
    const folder = temporaryFolder(before === undefined ? {} : { 'posts/a.md': before });
    const { content } = createMounts({ dir: folder.dir });
    const statCache = createStatCache(content, createQueue());
    await statCache.load();
    folder.write('posts/a.md', 'after, and longer');
    const read = vi.spyOn(content, 'read').mockReturnValueOnce(Buffer.alloc(0));
    expect(brief(await statCache.look(['posts/a.md'], 'hinted'))).toEqual([]);
    expect([read.mock.calls.length, statCache.emptied()]).toEqual([1, ['posts/a.md']]);
    expect((await statCache.look(['posts/a.md'], 'hinted')).entries.map(({ body }) => body)).toEqual(['after, and longer']);
  });
});
