/** Commits that are pushed: on top of what others have pushed, and never over it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { asPerson, type GitSite, startGitSite } from '../../../support/git-site.ts';

let site: GitSite;
let outside: string;
const origin = () => join(outside, 'origin.git');
const clone = () => join(outside, 'clone');
const file = 'posts/by-hand.md';
const change = (body: object) => site.ask('PUT', '/cms/v2/posts/900', { as: 'admin', body });
const pushed = () => asPerson(origin(), 'log', '--format=%an: %s', 'main').trim().split('\n');

/** A colleague changes a file elsewhere and pushes it. */
function elsewhere(path: string, text: string): void {
  asPerson(clone(), 'pull', '-q', '--rebase');
  writeFileSync(join(clone(), path), text);
  asPerson(clone(), 'add', '.');
  asPerson(clone(), 'commit', '-qm', `change ${path}`);
  asPerson(clone(), 'push', '-q');
}

beforeEach(async () => {
  outside = mkdtempSync(join(tmpdir(), 'cms-origin-'));
  site = await startGitSite({ [file]: '---\nid: 900\ntitle: By hand\ndate: 2026-01-02\n---\ntext\n' }, 'git: push\n');
  asPerson(outside, 'init', '-q', '--bare', '-b', 'main', origin());
  site.git('remote', 'add', 'origin', origin());
  site.git('push', '-q', '-u', 'origin', 'main');
  asPerson(outside, 'clone', '-q', origin(), clone());
});
afterEach(async () => {
  await site.close();
  rmSync(outside, { recursive: true, force: true });
});

it('the server pushes its commits', async () => {
  await change({ title: 'Written' });
  await site.flush();
  expect(pushed()).toEqual(['Ada Admin: Update "Written" (posts/by-hand.md)', 'Person: begin']);
  expect(site.site.commits?.held()).toBe(null);
});

it('the server rebases onto what others have pushed, and serves it', async () => {
  elsewhere('posts/theirs.md', '---\nid: 1901\ntitle: Theirs\ndate: 2026-01-03\n---\ntheirs\n');
  await change({ title: 'Written' });
  await site.flush();
  expect(site.site.commits?.held()).toBe(null);
  expect(pushed()).toEqual(['Ada Admin: Update "Written" (posts/by-hand.md)', 'Person: change posts/theirs.md', 'Person: begin']);
  expect(site.commits('%an: %s')).toEqual(pushed());
  expect(site.git('status', '--porcelain')).toBe('');
  await expect.poll(async () => (await site.ask('GET', '/cms/v2/posts/1901')).body.title?.rendered).toBe('Theirs');
  expect((await site.ask('GET', '/cms/v2/posts/900')).body.title.rendered).toBe('Written');
});

it('a conflict is reported, and nothing changes', async () => {
  elsewhere(file, (await readFile(join(clone(), file), 'utf8')).replace('title: By hand', 'title: Theirs'));
  const before = pushed();
  await change({ title: 'Ours' });
  await site.flush();
  expect(site.site.commits?.held()).toMatch(/^commit [0-9a-f]{8} conflicts with the remote/);
  expect(site.site.problems().map(({ rule }) => rule)).toContain('git-push');
  expect(site.log).toContainEqual(expect.stringMatching(/^git: commits are not pushed: commit .* conflicts/));
  expect(pushed()).toEqual(before);
  expect(site.commits()[0]).toBe('Update "Ours" (posts/by-hand.md)');
  expect(site.git('status', '--porcelain')).toBe('');
  expect((await site.ask('GET', '/cms/v2/posts/900')).body.title.rendered).toBe('Ours');
});

it('uncommitted work of a person is left alone', async () => {
  elsewhere(file, (await readFile(join(clone(), file), 'utf8')).replace('text', 'their text'));
  const mine = (await site.read(file)).replace('text', 'my text');
  await site.write(file, mine);
  await site.sweep();
  await site.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title: 'New', status: 'publish' } });
  await site.flush();
  expect(site.site.commits?.held()).toMatch(/^changes that are not committed are in the way/);
  expect(await site.read(file)).toBe(mine);
  site.git('stash');
  await site.flush();
  expect(site.site.commits?.held()).toBe(null);
  expect(pushed()[0]).toMatch(/^Ada Admin: Add "New"/);
  expect(await site.read(file)).toContain('their text');
});

it('a missing remote is reported', async () => {
  site.git('remote', 'set-url', 'origin', 'ext::sh -c touch% sprung');
  await change({ title: 'Written' });
  await site.flush();
  expect(site.site.commits?.held()).toMatch(/is no address to push to$/);
  site.git('remote', 'remove', 'origin');
  await site.flush();
  expect(site.site.commits?.held()).toBe('the branch main has no remote');
  expect(site.commits()[0]).toBe('Update "Written" (posts/by-hand.md)');
});
