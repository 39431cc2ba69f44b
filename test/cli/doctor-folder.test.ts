/** What `cms doctor` sees of a folder, by looking at each file. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { walk } from '../../src/cli/doctor/folder.ts';
import { temporary } from './run.ts';

it('names files and folders that are closed, and none of git', async () => {
  const dir = await temporary();
  for (const folder of ['posts', '.git']) await mkdir(join(dir, folder));
  for (const path of ['site.yaml', 'posts/a.md', 'posts/b.md', '.git/closed']) await writeFile(join(dir, path), 'x');
  const closed = new Set(['posts', 'posts/b.md', '.git/closed'].map((path) => join(dir, path)));
  const seen = walk(dir, (path) => !closed.has(path));
  expect(seen.closed).toEqual(['posts', 'posts/b.md']);
  expect(seen.folders).toBe(2);
  expect(walk(dir, () => true).closed).toEqual([]);
});
