/** Faults of the disk beside commits: what is in a file gets its commit, and what has its commit is forgotten. */
import { failDisk, real } from '../../../support/disk-faults.ts';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asPerson, type GitSite, startGitSite } from '../../../support/git-site.ts';

let site: GitSite;
beforeAll(async () => {
  const files = { 'posts/by-hand.md': '---\nid: 900\ntitle: By hand\ndate: 2026-01-02\n---\ntext\n' };
  site = await startGitSite(files, 'git: commit\n', { durability: 'folder' });
});
afterAll(() => site.close());

const put = (content: string) => site.ask('PUT', '/cms/v2/posts/900', { as: 'admin', body: { content } });
const committed = (): string => asPerson(site.dir, 'show', 'HEAD:posts/by-hand.md');
const journals = () => {
  const folder = join(site.dir, '.cms/git');
  return real.readdirSync(folder).map((name) => real.readFileSync(join(folder, name), 'utf8'));
};

it('a write refused after its file was replaced is committed', async () => {
  const end = failDisk((call, path) => (call === 'fsync' && path === join(site.dir, 'posts') ? 'EIO' : undefined));
  const { status } = await put('in place');
  end();
  expect(status).toBe(503);
  expect(await site.read('posts/by-hand.md')).toContain('in place');
  await site.flush();
  expect(committed()).toContain('in place');
  expect(asPerson(site.dir, 'status', '--porcelain')).toBe('');
});

it('a write refused before its file was replaced is not committed', async () => {
  const end = failDisk((call, path) => (call === 'rename' && path.startsWith(join(site.dir, 'posts')) ? 'EIO' : undefined));
  const { status } = await put('nowhere');
  end();
  expect(status).toBe(503);
  await site.flush();
  expect(committed()).not.toContain('nowhere');
  expect(journals().join('')).toBe('');
});

it('a commit that could not be recorded on a full disk is recorded with the next one', async () => {
  expect((await put('noted later')).status).toBe(200);
  const end = failDisk((call, path) => (call === 'write' && path.startsWith(join(site.dir, '.cms/git')) ? 'ENOSPC' : undefined));
  await site.flush();
  end();
  expect(committed()).toContain('noted later');
  expect(journals().join('')).not.toBe('');
  await site.flush();
  expect(journals().join('')).toBe('');
  expect(asPerson(site.dir, 'log', '--format=%s', '-2').trim().split('\n')).toHaveLength(2);
});
