/** Folders that become links while they are archived or restored: nothing of what they lead to comes into the archive, or is written. */
import { failDisk, real } from '../../support/disk-faults.ts';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../kernel/store/folder.ts';
import { writeArchive } from '../../../src/transfer/archive/archive.ts';
import { restoreArchive } from '../../../src/transfer/archive/restore.ts';

const large = 2 * 1024 * 1024;
let end = (): void => undefined;
afterEach(() => end());

function folders() {
  const files = { 'a.md': 'secret', 'large.bin': 'secret'.padEnd(large, 's'), 'only-there.md': 'secret', 'none/x': 'secret' };
  const outside = temporaryFolder(files);
  const own = Object.entries(files).map(([name, text]) => [`.cms/private/${name}`, text] as const);
  const site = temporaryFolder({
    'site.yaml': 'name: X\n',
    'posts/a.md': 'public',
    'posts/large.bin': 'p'.repeat(large),
    'posts/z.md': 'public',
    ...Object.fromEntries(own),
  });
  let isSwapped = false;
  const swap = (target: string): void => {
    if (isSwapped) return;
    isSwapped = true;
    real.renameSync(site.at('posts'), site.at('.cms/before'));
    real.symlinkSync(target === 'outside' ? outside.dir : site.at('.cms/private'), site.at('posts'));
  };
  const swapBack = (): void => {
    if (!isSwapped) return;
    isSwapped = false;
    real.unlinkSync(site.at('posts'));
    real.renameSync(site.at('.cms/before'), site.at('posts'));
  };
  return { site, outside, swap, swapBack };
}

async function archive(dir: string, out: string) {
  let turns = 0;
  const report = await writeArchive({
    store: { name: dir, private: { keys: async () => [], get: async () => null } as never },
    out,
    private: false,
    alone: (work) => {
      turns++;
      return work();
    },
  });
  return { ...report, turns, text: gunzipSync(real.readFileSync(out)).toString('latin1') };
}

describe('a folder replaced by a link while it is archived', () => {
  it.each([
    ['outside', 'a.md'],
    ['outside', 'large.bin'],
    ['own accounts', 'a.md'],
    ['own accounts', 'large.bin'],
  ])('is never read through: to %s, when opening %s', async (target, name) => {
    const { site, outside, swap, swapBack } = folders();
    end = failDisk((call, path) => {
      if (call !== 'open') return undefined;
      if (path === site.at(`posts/${name}`)) swap(target);
      else swapBack();
      return undefined;
    });
    const { text, turns, unsteady, files } = await archive(site.dir, outside.at('site.tar.gz'));
    expect(text).not.toContain('secret');
    // The last try is that while nobody writes.
    expect([turns, files, unsteady]).toEqual([1, 3, [`posts/${name}`]]);
  });

  it.each(['outside', 'own accounts'])('is not listed through, to %s', async (target) => {
    const { site, outside, swap, swapBack } = folders();
    end = failDisk((call, path) => {
      if (call !== 'open' && call !== 'readdir') return undefined;
      if (path === site.at('posts')) swap(target);
      else if (path === site.dir) swapBack();
      return undefined;
    });
    const { text, files, leftOut } = await archive(site.dir, outside.at('site.tar.gz'));
    expect(text).not.toMatch(/secret|only-there|none/);
    expect([files, leftOut.map(({ path }) => path)]).toEqual([1, ['posts']]);
  });
});

it('a folder replaced by a link while it is restored gets no byte of a file', async () => {
  const { site, outside } = folders();
  const out = outside.at('site.tar.gz');
  await archive(site.dir, out);
  const elsewhere = temporaryFolder();
  const into = join(temporaryFolder().dir, 'new');
  end = failDisk((call, path) => {
    if (call !== 'open' || !path.endsWith('/posts/a.md')) return undefined;
    const posts = path.slice(0, -'/a.md'.length);
    real.renameSync(posts, `${posts}-before`);
    real.symlinkSync(elsewhere.dir, posts);
    return undefined;
  });
  await expect(restoreArchive({ file: out, into })).rejects.toThrow(/became a link/);
  expect(elsewhere.read('a.md')).toBe('');
  expect(real.existsSync(into)).toBe(false);
});
