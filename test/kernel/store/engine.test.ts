/** The mounts of a folder, and a store over them. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMounts, type Mounts } from '../../../src/kernel/store/mounts.ts';
import { PathError } from '../../../src/kernel/store/paths.ts';
import { createStore } from '../../../src/kernel/store/store.ts';
import { StaleWriteError } from '../../../src/kernel/store/types.ts';
import { temporaryFolder } from './folder.ts';

const text = (bytes: Uint8Array | null) => (bytes === null ? null : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
const bytes = (content: string) => new TextEncoder().encode(content);

const mounts = (): Mounts => createMounts({ dir: temporaryFolder().dir });

describe('mounts', () => {
  it('documents are exact bytes', async () => {
    const { private: documents } = mounts();
    expect(await documents.get('accounts/1.json')).toBeNull();
    for (const content of ['42', '', '{"a":1}', 'null', 'base64:x', '\u0000\ufeffé😀', '  ']) {
      await documents.set('accounts/1.json', bytes(content));
      expect(text(await documents.get('accounts/1.json'))).toBe(content);
    }
    await documents.set('blob', new Uint8Array([0, 255, 128, 10]));
    expect([...((await documents.get('blob')) ?? [])]).toEqual([0, 255, 128, 10]);
  });

  it('keys round-trip', async () => {
    const { cache } = mounts();
    const paths = ['one', 'a b/c.json', 'q?x=1', 'cost$', 'x:y', '100%25', 'ü/é.txt', 'a/b/c/d', 'a.b', 'UPPER', '😀'];
    for (const path of paths) await cache.set(path, bytes(path));
    expect(await cache.keys()).toEqual([...paths].sort());
    expect(await cache.keys('a/')).toEqual(['a/b/c/d'].sort());
    for (const path of paths) expect(text(await cache.get(path))).toBe(path);
    await cache.remove('a/b/c/d');
    await cache.remove('never there');
    expect(await cache.keys('a/')).toEqual([]);
    expect(await cache.get('a/b/c/d')).toBeNull();
  });

  it.each([
    '',
    '/',
    '/etc/passwd',
    '..',
    '../x',
    'a/../b',
    'a//b',
    'a/',
    './a',
    'a\u0000b',
    'a\\b',
    '.hidden',
    'a/.git/config',
    'x~',
    'n'.repeat(300),
    'a\ud800',
    '4913',
    `${'d/'.repeat(70)}x`,
  ])('rejects the key %j', async (path) => {
    const { cache, content } = mounts();
    await expect(cache.set(path, bytes('x'))).rejects.toThrow(PathError);
    await expect(cache.get(path)).rejects.toThrow(PathError);
    await expect(Promise.resolve().then(() => content.stage(path, bytes('x')))).rejects.toThrow(PathError);
  });

  it('mounts are isolated', async () => {
    const { private: secret, cache, content } = mounts();
    await secret.set('x.yaml', bytes('1'));
    expect(await cache.get('x.yaml')).toBeNull();
    expect(await cache.keys()).toEqual([]);
    const found: string[] = [];
    await content.sweep(({ path }) => void found.push(path)).catch(() => undefined);
    expect(found).toEqual([]);
  });

  it('a store commits, rejects stale writes, moves and removes', async () => {
    const store = await createStore({ dir: temporaryFolder().dir });
    await store.load();
    const [made] = await store.commit([
      { path: 'posts/a.md', expect: null, data: { title: 'A' }, order: ['title'], body: 'Text' },
    ]);
    expect(made).toMatchObject({ path: 'posts/a.md', kind: 'md', data: { title: 'A' }, body: 'Text' });
    const etag = made?.etag as string;
    await expect(store.commit([{ path: 'posts/a.md', expect: null, data: {}, order: [] }])).rejects.toThrow(StaleWriteError);
    await expect(store.commit([{ path: 'posts/b.md', expect: etag, data: {}, order: [] }])).rejects.toThrow(StaleWriteError);
    await expect(store.commit([{ remove: 'posts/a.md', expect: 'other' }])).rejects.toThrow(StaleWriteError);
    const [moved] = await store.commit([
      { path: 'posts/b.md', from: 'posts/a.md', expect: etag, data: { title: 'B' }, order: [] },
    ]);
    expect(moved).toMatchObject({ path: 'posts/b.md', data: { title: 'B' }, body: 'Text' });
    expect(await store.readBytes('posts/a.md')).toBeNull();
    expect(text(await store.readBytes('posts/b.md'))).toBe('---\ntitle: B\n---\nText\n');
    await store.commit([
      { path: 'media/x.bin', bytes: bytes('\u0000') },
      { remove: 'posts/b.md', expect: moved?.etag as string },
    ]);
    expect(await store.sweep()).toEqual({ entries: [], blobs: [], removed: [], problems: [] });
    const reopened = await store.load();
    expect([reopened.entries.length, reopened.blobs.map(({ path, size }) => [path, size])]).toEqual([0, [['media/x.bin', 1]]]);
    await store.close();
  });

  it('any sequence of documents behaves like a map', async () => {
    const path = fc.constantFrom('a', 'a/b', 'a?b', 'c:d', 'e$', 'é', 'dir/x', 'dir/y');
    const step = fc.record({ path, content: fc.option(fc.uint8Array({ maxLength: 6 })) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const storage = mounts();
        const model = new Map<string, Uint8Array>();
        for (const { path: key, content } of steps) {
          if ((key === 'a' && model.has('a/b')) || (key === 'a/b' && model.has('a'))) continue;
          if (content === null) await storage.cache.remove(key);
          else await storage.cache.set(key, content);
          if (content === null) model.delete(key);
          else model.set(key, content);
        }
        expect(await storage.cache.keys()).toEqual([...model.keys()].sort());
        for (const [key, content] of model) expect(Buffer.compare((await storage.cache.get(key)) as Uint8Array, content)).toBe(0);
      }),
      { numRuns: 15 },
    );
  });
});
