import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, linkSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type FilesDriver, filesDriver } from '../../../src/kernel/store/files.ts';
import { PathError } from '../../../src/kernel/store/paths.ts';
import type { FileStat } from '../../../src/kernel/store/scan.ts';
import { temporaryFolder } from './folder.ts';

const bytes = (content: string) => new TextEncoder().encode(content);

async function filesOf(driver: Pick<FilesDriver, 'sweep'>): Promise<FileStat[]> {
  const found: FileStat[] = [];
  await driver.sweep((stat) => void found.push(stat));
  return found;
}

describe('a scan', () => {
  it('finds files, ignores those of editors and tools, and follows no link', async () => {
    const folder = temporaryFolder({
      'posts/a.md': 'a',
      'posts/2026/b.md': 'b',
      'x/node_modules/y.md': 'y',
      '.hidden.md': 'x',
      '.git/HEAD': 'x',
      '.cms/private/a.json': 'x',
      'node_modules/z.md': 'x',
      'posts/a.md~': 'x',
      'posts/.#a.md': 'x',
      'posts/.a.md.swp': 'x',
      'posts/a.md.swp': 'x',
      'posts/4913': 'x',
      'posts/#a.md#': 'x',
      'posts/.cms-tmp-1-x': 'x',
    });
    symlinkSync('/etc/passwd', folder.at('posts/link.md'));
    symlinkSync(folder.at('posts/2026'), folder.at('inside'));
    symlinkSync('.', folder.at('posts/loop'));
    execFileSync('mkfifo', [folder.at('posts/fifo.md')]);
    const found = await filesOf(filesDriver({ dir: folder.dir }));
    expect(found.map(({ path, refused }) => [path, refused ?? 'file']).sort()).toEqual([
      ['inside', 'link'],
      ['posts/2026/b.md', 'file'],
      ['posts/a.md', 'file'],
      ['posts/fifo.md', 'special'],
      ['posts/link.md', 'link'],
      ['posts/loop', 'link'],
      ['x/node_modules/y.md', 'file'],
    ]);
  });

  it('handles names that are not UTF-8, not normalized, or deep', async () => {
    const folder = temporaryFolder({ 'posts/cafe\u0301.md': 'decomposed', 'cafe\u0301/x.md': 'below' });
    writeFileSync(Buffer.concat([Buffer.from(`${folder.dir}/posts/`), Buffer.from([0xff, 0x2e, 0x6d, 0x64])]), 'x');
    mkdirSync(folder.at('d/'.repeat(70)), { recursive: true });
    const driver = filesDriver({ dir: folder.dir });
    const found = await filesOf(driver);
    expect(found.map(({ path, refused }) => [path, refused]).sort()).toEqual(
      [
        ['caf\u00e9/x.md', undefined],
        [`${'d/'.repeat(62)}d/d`.slice(0, found.find((stat) => stat.refused === 'depth')?.path.length), 'depth'],
        ['posts/caf\u00e9.md', undefined],
        ['posts/\ufffd.md', 'name'],
      ].sort(),
    );
    expect(Buffer.from(driver.read('posts/caf\u00e9.md') as Uint8Array).toString()).toBe('decomposed');
    await driver.write('posts/caf\u00e9.md', bytes('written'));
    expect(folder.read('posts/cafe\u0301.md')).toBe('written');
    await driver.write('caf\u00e9/new.md', bytes('beside'));
    expect(folder.read('cafe\u0301/new.md')).toBe('beside');
  });
});

describe('reading and writing', () => {
  it('follows no link', async () => {
    const folder = temporaryFolder({ 'posts/a.md': 'a', '.cms/private/secret.json': 'secret' });
    const outside = temporaryFolder({ 'x.md': 'outside' });
    symlinkSync(outside.dir, folder.at('out'));
    symlinkSync(folder.at('.cms/private'), folder.at('media'));
    symlinkSync(outside.at('x.md'), folder.at('posts/link.md'));
    const driver = filesDriver({ dir: folder.dir });
    expect(() => driver.read('out/x.md')).toThrow(PathError);
    expect(() => driver.read('media/secret.json')).toThrow(PathError);
    expect(() => driver.read('posts/link.md')).toThrow();
    expect(driver.stat('posts/link.md')?.refused).toBe('link');
    await expect(driver.write('out/y.md', bytes('y'))).rejects.toThrow(PathError);
    await expect(driver.write('out/new/y.md', bytes('y'))).rejects.toThrow();
    expect(existsSync(outside.at('new'))).toBe(false);
    await driver.write('posts/link.md', bytes('replaced'));
    expect(outside.read('x.md')).toBe('outside');
    expect(folder.read('posts/link.md')).toBe('replaced');
  });

  it('does not hang on a FIFO', () => {
    const folder = temporaryFolder();
    execFileSync('mkfifo', [folder.at('f.md')]);
    expect(() => filesDriver({ dir: folder.dir }).read('f.md')).toThrow(PathError);
  });

  it('replaces whole files: keeps the mode, leaves other hard links alone, and no temporary file', async () => {
    const folder = temporaryFolder({ 'a.md': 'old' });
    chmodSync(folder.at('a.md'), 0o640);
    linkSync(folder.at('a.md'), folder.at('b.md'));
    const driver = filesDriver({ dir: folder.dir });
    await driver.write('a.md', bytes('new'));
    expect([folder.read('a.md'), folder.read('b.md'), statSync(folder.at('a.md')).mode & 0o777]).toEqual(['new', 'old', 0o640]);
    expect(readdirSync(folder.dir).sort()).toEqual(['a.md', 'b.md']);
  });

  it('makes private files readable only by their owner', async () => {
    const folder = temporaryFolder();
    const driver = filesDriver({ dir: folder.at('deep/private'), private: true });
    await driver.write('accounts/1.json', bytes('{}'));
    expect(statSync(folder.at('deep/private/accounts/1.json')).mode & 0o777).toBe(0o600);
    expect(statSync(folder.at('deep/private/accounts')).mode & 0o777).toBe(0o700);
    expect(statSync(folder.at('deep/private')).mode & 0o777).toBe(0o700);
  });

  it('a failed write leaves the old file and nothing else', async () => {
    const folder = temporaryFolder({ 'a.md/inner.md': 'x' });
    const driver = filesDriver({ dir: folder.dir });
    await expect(driver.write('a.md', bytes('new'))).rejects.toThrow();
    expect(readdirSync(folder.dir)).toEqual(['a.md']);
  });

  it('removes empty folders up to the root', async () => {
    const folder = temporaryFolder({ 'a/b/c.md': 'x', 'a/d.md': 'y' });
    const driver = filesDriver({ dir: folder.dir });
    await driver.remove('a/b/c.md');
    expect(existsSync(folder.at('a/b'))).toBe(false);
    await driver.remove('a/d.md');
    expect(readdirSync(folder.dir)).toEqual([]);
  });

  it('handles large files and files that grow while they are read', async () => {
    const folder = temporaryFolder();
    const driver = filesDriver({ dir: folder.dir });
    const large = Buffer.alloc(3_000_000, 'x');
    await driver.write('media/large.bin', large);
    expect(Buffer.compare(driver.read('media/large.bin') as Uint8Array, large)).toBe(0);
    expect(await driver.readLater('none')).toBeNull();
    expect(Buffer.compare((await driver.readLater('media/large.bin')) as Uint8Array, large)).toBe(0);
  });

  it('removes temporary files of dead processes', async () => {
    const gone = Number(execFileSync('sh', ['-c', 'echo $$']).toString());
    const folder = temporaryFolder({
      [`posts/.cms-tmp-${gone}-abc`]: 'x',
      [`.cms-tmp-${process.pid}-earlier`]: 'x',
      '.cms-tmp-1-alive': 'x',
      'posts/a.md': 'a',
    });
    expect(await filesDriver({ dir: folder.dir }).sweepTemporary()).toBe(2);
    expect(existsSync(folder.at('.cms-tmp-1-alive'))).toBe(true);
  });
});
