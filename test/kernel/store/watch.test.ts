import { execFileSync } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { appendFileSync, chmodSync, mkdirSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFaults } from '../../../src/kernel/store/faults.ts';
import { createMounts } from '../../../src/kernel/store/mounts.ts';
import { createQueue } from '../../../src/kernel/store/queue.ts';
import { createStatCache, type StatCache } from '../../../src/kernel/store/stat-cache.ts';
import { createStore, type StoreOptions } from '../../../src/kernel/store/store.ts';
import type { Batch } from '../../../src/kernel/store/types.ts';
import { createWatch } from '../../../src/kernel/store/watch.ts';
import { type Folder, temporaryFolder } from './folder.ts';

/** What a listener has been told, as a map of path to body; and a way to await a state of it. */
async function watched(folder: Folder, options: Partial<StoreOptions> = {}) {
  const store = await createStore({ dir: folder.dir, watch: { intervalMs: 60_000 }, ...options });
  const bodies = new Map<string, string>();
  const batches: Batch[] = [];
  let wake: () => void = () => undefined;
  const apply = (batch: Batch) => {
    batches.push(batch);
    for (const entry of batch.entries) bodies.set(entry.path, entry.body);
    for (const path of batch.removed) bodies.delete(path);
    wake();
  };
  apply(await store.load());
  batches.length = 0;
  const stop = await store.watch(apply);
  onTestFinished(async () => {
    await stop();
    await store.close();
  });
  /** Fails after twenty seconds; sweeps come every minute. */
  async function until(condition: () => boolean): Promise<void> {
    const begun = performance.now();
    while (!condition()) {
      const left = 20_000 - (performance.now() - begun);
      if (left <= 0) throw new Error('not seen in time');
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
  return { store, bodies, batches, until };
}

function busy(forMs: number): void {
  const end = performance.now() + forMs;
  while (performance.now() < end);
}

/** How often the watcher compares two paths. */
function comparisons(): () => number {
  let count = 0;
  const { relative } = path;
  path.relative = (...paths) => {
    count++;
    return relative(...paths);
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    path.relative = relative;
    syncBuiltinESMExports();
  });
  return () => count;
}

it('removed directories are not compared with new ones', async () => {
  const folders = 60;
  const folder = temporaryFolder(
    Object.fromEntries(Array.from({ length: folders }, (_, at) => [`pages/a/d${at}/p.md`, `page ${at}`])),
  );
  const { bodies, until } = await watched(folder);
  const compared = comparisons();
  const has = (name: string) => () =>
    Array.from({ length: folders }, (_, at) => at).every((at) => bodies.has(`pages/${name}/d${at}/p.md`));
  renameSync(folder.at('pages/a'), folder.at('pages/b'));
  await until(has('b'));
  renameSync(folder.at('pages/b'), folder.at('pages/c'));
  await until(has('c'));
  folder.write('pages/c/d7/q.md', 'new');
  await until(() => bodies.get('pages/c/d7/q.md') === 'new');
  expect(compared()).toBeLessThan((folders * folders) / 2);
});

describe('events', () => {
  it('an edit, a new file and a removal are detected at once', async () => {
    const folder = temporaryFolder({ 'posts/a.md': 'a', 'posts/b.md': 'b' });
    const { bodies, until } = await watched(folder);
    folder.write('posts/a.md', 'A');
    await until(() => bodies.get('posts/a.md') === 'A');
    folder.write('posts/c.md', 'c');
    await until(() => bodies.get('posts/c.md') === 'c');
    unlinkSync(folder.at('posts/b.md'));
    await until(() => !bodies.has('posts/b.md'));
  });

  it('an editor that saves by renaming, and one that writes twice, are supported', async () => {
    const folder = temporaryFolder({ 'posts/a.md': 'a' });
    const { bodies, batches, until } = await watched(folder);
    folder.write('posts/.a.md.swp', 'x');
    folder.write('posts/4913', '');
    unlinkSync(folder.at('posts/4913'));
    folder.write('posts/a.md~', 'saved');
    renameSync(folder.at('posts/a.md~'), folder.at('posts/a.md'));
    await until(() => bodies.get('posts/a.md') === 'saved');
    writeFileSync(folder.at('posts/a.md'), '');
    appendFileSync(folder.at('posts/a.md'), 'one');
    writeFileSync(folder.at('posts/a.md'), 'two');
    await until(() => bodies.get('posts/a.md') === 'two');
    expect(batches.flatMap((batch) => batch.entries.map((entry) => entry.body))).toEqual(['saved', 'two']);
  });

  it('a file that is empty, and stays so, is reported', async () => {
    const folder = temporaryFolder({ 'posts/a.md': 'a' });
    const { bodies, until } = await watched(folder);
    folder.write('posts/b.md', '');
    folder.write('posts/a.md', '');
    await until(() => bodies.get('posts/a.md') === '' && bodies.get('posts/b.md') === '');
  });

  it('folders can be renamed, added and removed', async () => {
    const folder = temporaryFolder({ 'posts/2026/03/a.md': 'a', 'posts/2026/03/b.md': 'b' });
    const { bodies, until } = await watched(folder);
    renameSync(folder.at('posts/2026'), folder.at('posts/2027'));
    await until(() => bodies.has('posts/2027/03/a.md') && !bodies.has('posts/2026/03/a.md'));
    folder.write('posts/2027/03/a.md', 'after');
    await until(() => bodies.get('posts/2027/03/a.md') === 'after');
    mkdirSync(folder.at('pages/deep/er'), { recursive: true });
    folder.write('pages/deep/er/x.md', 'x');
    await until(() => bodies.get('pages/deep/er/x.md') === 'x');
    rmSync(folder.at('posts'), { recursive: true });
    await until(() => bodies.size === 1);
    folder.write('posts/2027/03/a.md', 'again');
    await until(() => bodies.get('posts/2027/03/a.md') === 'again');
    folder.write('posts/2027/03/a.md', 'and again');
    await until(() => bodies.get('posts/2027/03/a.md') === 'and again');
  });

  it('2,000 files rewritten while the event loop is blocked are all detected', async () => {
    const paths = Array.from({ length: 2000 }, (_, index) => `posts/${index % 20}/${index}.md`);
    const folder = temporaryFolder(Object.fromEntries(paths.map((path) => [path, 'before'])));
    const { bodies, until } = await watched(folder);
    for (const path of paths) folder.write(path, 'after!');
    busy(300);
    await until(() => paths.every((path) => bodies.get(path) === 'after!'));
  });

  it('own commits are not reported, changes by others in between are', async () => {
    const folder = temporaryFolder({ 'posts/a.md': 'a' });
    const { store, bodies, batches, until } = await watched(folder);
    let etag: string | null = null;
    for (let round = 0; round < 10; round++) {
      const [entry] = await store.commit([{ path: 'posts/own.md', expect: etag, data: { round }, order: [], body: `${round}` }]);
      etag = entry?.etag ?? null;
    }
    await store.commit([{ path: 'media/x.png', bytes: new Uint8Array([1]) }]);
    folder.write('posts/a.md', 'A');
    await until(() => bodies.get('posts/a.md') === 'A');
    await store.sweep();
    expect(batches.flatMap((batch) => [...batch.entries, ...batch.blobs].map(({ path }) => path))).toEqual(['posts/a.md']);
  });

  it('a broken file is reported once', async () => {
    const folder = temporaryFolder({ 'posts/a.md': 'a' });
    const { batches, until } = await watched(folder);
    folder.write('posts/a.md', '---\nx: [\n---\n');
    await until(() => batches.some((batch) => batch.problems.length === 1));
    folder.write('posts/b.md', 'b');
    await until(() => batches.some((batch) => batch.entries.length === 1));
    expect(batches.flatMap((batch) => batch.problems)).toHaveLength(1);
  });

  it('a listener that fails does not end the watch', async () => {
    const folder = temporaryFolder();
    const { store, bodies, until } = await watched(folder);
    const warned = new Promise((resolve) => process.once('warning', resolve));
    const stop = await store.watch(() => {
      throw new Error('listener failed on purpose');
    });
    folder.write('posts/a.md', 'a');
    await until(() => bodies.has('posts/a.md'));
    await warned;
    await stop();
  });
});

it('a moved git HEAD causes a scan', async () => {
  const folder = temporaryFolder({ 'site/content/posts/a.md': 'a' });
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder.at('site'), '-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], {
      stdio: 'pipe',
    });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'one');
  git('switch', '-qc', 'other');
  folder.write('site/content/posts/a.md', 'other');
  git('commit', '-qam', 'two');
  const content = { ...folder, dir: folder.at('site/content') };
  const { bodies, until } = await watched(content);
  git('switch', '-q', 'main');
  await until(() => bodies.get('posts/a.md') === 'a');
  git('switch', '-q', 'other');
  await until(() => bodies.get('posts/a.md') === 'other');
});

it('new directories, and one removed with all below it, cause no scan of everything', async () => {
  const folder = temporaryFolder({ 'posts/a.md': 'a' });
  const { store, bodies, until } = await watched(folder);
  const paths = Array.from({ length: 20 }, (_, at) => `comments/${at % 2 === 0 ? 'even' : 'odd'}/${at}/c.md`);
  const before = store.following().sweeps;
  for (const path of paths) folder.write(path, path);
  await until(() => paths.every((path) => bodies.get(path) === path));
  await expect.poll(() => store.following().pending).toBe(0);
  for (const path of paths) folder.write(path, 'later');
  await until(() => paths.every((path) => bodies.get(path) === 'later'));
  rmSync(folder.at('comments'), { recursive: true });
  await until(() => bodies.size === 1);
  expect(store.following().sweeps).toBe(before);
});

it('without events the interval finds everything', async () => {
  const folder = temporaryFolder({ 'posts/a.md': 'a' });
  const { bodies, until } = await watched(folder, { watch: { events: false, intervalMs: 20 } });
  folder.write('posts/a.md', 'A');
  await until(() => bodies.get('posts/a.md') === 'A');
  folder.write('posts/a.md', 'B');
  await until(() => bodies.get('posts/a.md') === 'B');
});

it('a directory is scanned once for all hints that arrive meanwhile', async () => {
  const folder = temporaryFolder({ 'posts/a/1.md': '', 'posts/b/1.md': '', 'posts/c/1.md': '', 'posts/d/1.md': '' });
  const engine = createMounts({ dir: folder.dir }).content;
  const cache = createStatCache(engine, createQueue());
  let sweeps = 0;
  let held: Promise<void> | undefined;
  const statCache: StatCache = {
    ...cache,
    async sweep(...asked) {
      sweeps++;
      await held;
      return cache.sweep(...asked);
    },
  };
  const watch = createWatch({ engine, statCache, faults: createFaults(), intervalMs: 60_000 });
  onTestFinished(() => watch.close());
  await cache.load();
  await watch.listen(() => undefined);
  await expect.poll(() => watch.following().pending).toBe(0);
  let release = () => {};
  held = new Promise((resolve) => {
    release = resolve;
  });
  const before = sweeps;
  for (let round = 0; round < 20; round++) {
    for (const name of round % 2 === 0 ? ['a', 'b'] : ['c', 'd'])
      chmodSync(folder.at(`posts/${name}`), round % 4 < 2 ? 0o750 : 0o755);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await expect.poll(() => sweeps).toBeGreaterThan(before);
  release();
  await expect.poll(() => watch.following().pending).toBe(0);
  // One was under way; then one of each.
  expect(sweeps - before).toBeLessThanOrEqual(5);
});
