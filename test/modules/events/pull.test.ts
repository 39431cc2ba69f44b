import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { asPerson, startGitSite } from '../../support/git-site.ts';
import { until } from '../../support/site.ts';
import { follow } from './following.ts';

it('`git pull` is reported like any other change', async () => {
  const site = await startGitSite({ 'posts/one.md': '---\nid: 40\ntitle: One\ndate: 2026-03-01 10:00\n---\n\nText\n' }, '');
  const folder = await mkdtemp(join(tmpdir(), 'cms-clone-'));
  try {
    const clone = join(folder, 'clone');
    execFileSync('git', ['clone', '-q', site.dir, clone]);
    await writeFile(join(clone, 'posts/one.md'), '---\nid: 40\ntitle: Other\ndate: 2026-03-01 10:00\n---\n\nText\n');
    await writeFile(join(clone, 'posts/two.md'), '---\nid: 41\ntitle: Two\ndate: 2026-03-01 10:00\n---\n\nText\n');
    await writeFile(join(clone, 'posts/three.md'), '---\nid: 42\ntitle: Three\ndraft: true\n---\n\nText\n');
    asPerson(clone, 'add', '.');
    asPerson(clone, 'commit', '-qm', 'change');
    const stream = await follow(site.url);
    site.git('pull', '-q', clone, 'main');
    await site.sweep();
    await until(() => stream.messages.length >= 2);
    const told = stream.messages.map(({ data: { action, id, link } }) => [action, id, link.after]);
    expect(told.sort()).toEqual([
      ['created', 41, `${site.url}/two/`],
      ['updated', 40, `${site.url}/one/`],
    ]);
    stream.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
    await site.close();
  }
});
