/** Folders that become links while a site is imported: nothing of what they lead to comes in, or is written. */
import { failDisk, real } from '../../support/disk-faults.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../kernel/store/folder.ts';
import { createStore } from '../../../src/kernel/store/store.ts';
import type { SourceItem } from '../../../src/transfer/import/items.ts';
import { createMediaImport } from '../../../src/transfer/import/media.ts';
import { markdownImporter } from '../../../src/transfer/sources/markdown.ts';

const secret = { 'a.md': '---\ntitle: secret\n---\nsecret', 'only-there.md': 'secret', 'cat.txt': 'secret' };
let end = (): void => undefined;
afterEach(() => end());

function folders() {
  const outside = temporaryFolder(secret);
  const source = temporaryFolder({
    'posts/a.md': '---\ntitle: public\n---\npublic',
    'posts/cat.txt': 'public',
    'pages/b.md': 'public',
    ...Object.fromEntries(Object.entries(secret).map(([name, text]) => [`.keys/${name}`, text] as const)),
  });
  const swap = (target: string): void => {
    end();
    real.renameSync(source.at('posts'), source.at('.before'));
    real.symlinkSync(target === 'outside' ? outside.dir : source.at('.keys'), source.at('posts'));
  };
  const swapAt = (path: string, target: string): void => {
    end = failDisk((call, at) => {
      if (['open', 'readdir', 'copyFile'].includes(call) && at === path) swap(target);
      return undefined;
    });
  };
  return { source, outside, swap, swapAt };
}

async function itemsOf(dir: string): Promise<readonly SourceItem[]> {
  const source = await markdownImporter.open({ source: dir, path: dir, scratch: dir, keepGoing: true } as never);
  const items: SourceItem[] = [];
  for await (const item of source.items('write')) items.push(item);
  await source.close();
  return items;
}

describe('a source folder replaced by a link', () => {
  it.each(['outside', 'hidden'])('to %s is not read through', async (target) => {
    const { source, swapAt } = folders();
    swapAt(source.at('posts/a.md'), target);
    const items = await itemsOf(source.dir);
    expect(JSON.stringify(items)).not.toContain('secret');
    expect(items).toContainEqual(
      expect.objectContaining({ kind: 'lost', place: expect.objectContaining({ source: 'posts/a.md' }) }),
    );
  });

  it.each(['outside', 'hidden'])('to %s is not listed through', async (target) => {
    const { source, swapAt } = folders();
    swapAt(source.at('posts'), target);
    const items = await itemsOf(source.dir);
    expect(JSON.stringify(items)).not.toMatch(/secret|only-there/);
    expect(items).toContainEqual(expect.objectContaining({ kind: 'lost', place: { source: 'posts' } }));
  });
});

describe('a media folder replaced by a link', () => {
  const obtain = async (options: object, file: string) => {
    const site = temporaryFolder();
    const store = await createStore({ dir: site.at('site') });
    const media = createMediaImport({ store, ...options });
    try {
      const found = await media.obtain({ path: 'cat.txt', file }, 'media/cat.txt');
      return 'change' in found ? real.readFileSync(found.change.fromFile, 'utf8') : found;
    } finally {
      await media.close();
      await store.close();
    }
  };

  it.each(['outside', 'hidden'])('to %s is not copied through', async (target) => {
    const { source, swapAt } = folders();
    swapAt(source.at('posts/cat.txt'), target);
    expect(await obtain({ source: { name: source.dir } }, source.at('posts/cat.txt'))).toMatchObject({ isUnreadable: true });
  });

  it('to hidden files, before it is checked, is not copied through', async () => {
    const { source, swap } = folders();
    swap('hidden');
    expect(await obtain({ source: { name: source.dir } }, source.at('posts/cat.txt'))).toMatchObject({ isUnreadable: true });
  });

  it('is not copied through among the old uploads', async () => {
    const { source, swapAt } = folders();
    swapAt(source.at('posts/cat.txt'), 'outside');
    expect(await obtain({ mediaDir: source.at('posts') }, 'cat.txt')).toMatchObject({ isUnreadable: true });
  });

  it('gets no byte of a file if it is the upload folder', async () => {
    const { source, outside } = folders();
    end = failDisk((call, path) => {
      if ((call !== 'open' && call !== 'copyFile') || !path.includes('/.cms/tmp/')) return undefined;
      end();
      const spool = path.slice(0, path.lastIndexOf('/'));
      real.renameSync(spool, `${spool}-before`);
      real.symlinkSync(outside.dir, spool);
      return undefined;
    });
    await expect(obtain({ source: { name: source.dir } }, source.at('posts/cat.txt'))).rejects.toThrow(/link/);
    expect(real.readdirSync(outside.dir).sort()).toEqual(Object.keys(secret).sort());
  });
});
