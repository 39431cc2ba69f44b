/** What git tells of a content folder within a repository: its commits, and what is not committed. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHistory } from '../../../../src/modules/git/history/history.ts';
import { createRepository } from '../../../support/git.ts';

let root: string;
const write = (path: string, text: string) => writeFile(join(root, path), text);
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cms-history-'));
  const { commit } = createRepository(root);
  await mkdir(join(root, 'site/posts'), { recursive: true });
  await write('site/posts/a.md', 'One\n');
  await write('readme.txt', 'Outside\n');
  commit('Add a post', '2024-01-01T10:00:00Z');
  await write('readme.txt', 'Outside still\n');
  commit('Change what is no content', '2024-01-02T10:00:00Z');
  await write('site/posts/a.md', 'Two\n');
  commit('Change the post', '2024-01-03T10:00:00Z');
  await write('site/posts/a.md', 'Three\n');
  await write('site/posts/b.md', 'New\n');
  await write('readme.txt', 'Changed again\n');
});
afterAll(() => rm(root, { recursive: true }));

it('has commits of the folder alone, newest first, and pages of them', async () => {
  const history = createHistory(join(root, 'site'));
  const author = { name: 'Anna', email: 'anna@example.org' };
  const change = {
    ...{ at: Date.parse('2024-01-03T10:00:00Z'), author, subject: 'Change the post' },
    files: [{ path: 'posts/a.md', kind: 'changed' }],
  };
  const addition = { subject: 'Add a post', files: [{ path: 'posts/a.md', kind: 'added' }] };
  expect(await history.recent(0, 10)).toMatchObject([change, addition]);
  expect(await history.recent(1, 1)).toMatchObject([addition]);
  expect((await history.of('posts/a.md')).map(({ kind }) => kind)).toEqual(['changed', 'added']);
});

it('has what is not committed', async () => {
  expect(await createHistory(join(root, 'site')).uncommitted()).toEqual([
    { path: 'posts/a.md', kind: 'changed' },
    { path: 'posts/b.md', kind: 'added' },
  ]);
});
