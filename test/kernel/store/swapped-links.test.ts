/** A checkout that puts a link in the place of a directory while the store is at work in it: nothing is read or written through it. */
import { failDisk, real } from '../../support/disk-faults.ts';
import { afterEach, describe, expect, it } from 'vitest';
import { filesDriver } from '../../../src/kernel/store/files.ts';
import { PathError } from '../../../src/kernel/store/paths.ts';
import { temporaryFolder } from './folder.ts';

const bytes = (content: string) => new TextEncoder().encode(content);
let endSwap = (): void => undefined;
afterEach(() => endSwap());

function folders() {
  const folder = temporaryFolder({ 'posts/a.md': 'a', 'posts/b.md': 'b', 'posts/large.bin': 'x'.repeat(300_000) });
  const outside = temporaryFolder({ 'a.md': 'secret', 'b.md': 'b', 'large.bin': 'y'.repeat(300_000) });
  const swap = (): void => {
    endSwap();
    real.renameSync(folder.at('posts'), folder.at('before'));
    real.symlinkSync(outside.dir, folder.at('posts'));
  };
  const swapBack = (): void => {
    real.unlinkSync(folder.at('posts'));
    real.renameSync(folder.at('before'), folder.at('posts'));
  };
  /** Right before the first such call of the system. */
  const swapBefore = (name: string, part: string): void => {
    const end = failDisk((call, path) => {
      if (call === name && path.includes(part)) swap();
      return undefined;
    });
    endSwap = () => {
      end();
      endSwap = () => undefined;
    };
  };
  /** For the opening of such a file, and no longer. */
  const swapAround = (part: string): void => {
    let isSwapped = false;
    endSwap = failDisk((call, path) => {
      if (isSwapped && call !== 'open') {
        endSwap();
        swapBack();
      } else if (call === 'open' && path.includes(part)) {
        isSwapped = true;
        real.renameSync(folder.at('posts'), folder.at('before'));
        real.symlinkSync(outside.dir, folder.at('posts'));
      }
      return undefined;
    });
  };
  const held = () => Object.fromEntries(real.readdirSync(outside.dir).map((name) => [name, outside.read(name).slice(0, 6)]));
  return { driver: filesDriver({ dir: folder.dir }), swap, swapBefore, swapAround, held };
}
const untouched = { 'a.md': 'secret', 'b.md': 'b', 'large.bin': 'yyyyyy' };

describe('a directory replaced by a link', () => {
  it.each(['read', 'peek', 'readLater'] as const)('between the check and the opening is not read through (%s)', async (how) => {
    const { driver, swapBefore } = folders();
    swapBefore('open', how === 'readLater' ? 'large.bin' : 'a.md');
    const path = how === 'readLater' ? 'posts/large.bin' : 'posts/a.md';
    await expect((async () => driver[how](path))()).rejects.toThrow(PathError);
  });

  it('is not read through in the turn in which it was checked', () => {
    const { driver, swap } = folders();
    expect(driver.stat('posts/a.md')?.refused).toBeUndefined();
    swap();
    expect(() => driver.read('posts/a.md')).toThrow(PathError);
  });

  it('gets no file in the turn in which it was checked', () => {
    const { driver, swap } = folders();
    expect(driver.find('posts/a.md')).toMatch(/a\.md$/);
    swap();
    expect(driver.find('posts/a.md')).toBeNull();
  });

  // Other systems do not tell where an open file is.
  it.runIf(process.platform === 'linux')('for the opening alone is not read through', () => {
    const { driver, swapAround } = folders();
    swapAround('a.md');
    expect(() => driver.read('posts/a.md')).toThrow(PathError);
  });

  it('gets no new file, and loses none, in the turn in which it was checked', async () => {
    const { driver, swap, held } = folders();
    driver.stat('posts/a.md');
    swap();
    await expect(driver.stage('posts/c.md', bytes('c'))).rejects.toThrow(PathError);
    await expect(driver.unlink('posts/b.md')).rejects.toThrow(PathError);
    expect(held()).toEqual(untouched);
  });

  it('gets nothing that is already staged', async () => {
    const { driver, swap, held } = folders();
    const { temporary } = await driver.stage('posts/a.md', bytes('a2'));
    swap();
    // Under the same name, as where the whole directory was moved.
    real.writeFileSync(temporary, 'a2');
    await expect(driver.publish(temporary, 'posts/a.md')).rejects.toThrow(PathError);
    real.rmSync(temporary);
    expect(held()).toEqual(untouched);
  });
});
