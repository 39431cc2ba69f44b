/** A commit on request: of what clients wrote and of hand edits, by whom it may be asked for. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GitSite, startGitSite } from '../../support/git-site.ts';
import { signUp } from '../../support/site.ts';

const changes = '/cms-abilities/v1/abilities/cms/changes/run';
const commit = '/cms-abilities/v1/abilities/cms/commit/run';
const files = {
  'posts/hello.md': '---\nid: 7\ntitle: Hello\ndate: 2026-03-05T10:00:00\n---\nText\n',
  'posts/hand.md': '---\nid: 8\ntitle: Hand\ndate: 2026-03-05T10:00:00\n---\nText\n',
};

let site: GitSite;
beforeAll(async () => {
  site = await startGitSite(files);
});
afterAll(() => site.close());

it('lists uncommitted changes with their authors, and commits them with manual edits', async () => {
  await site.ask('POST', '/cms/v2/posts/7', { as: 'admin', body: { content: 'By a client' } });
  await site.write('posts/hand.md', files['posts/hand.md'].replace('Text', 'By hand'));
  await site.sweep();
  const { body } = await site.ask('GET', changes, { as: 'admin' });
  expect(body.may_commit).toBe(true);
  expect(body.uncommitted).toContainEqual({ path: 'posts/hello.md', kind: 'changed', by: 'Ada Admin' });
  expect(body.uncommitted).toContainEqual({ path: 'posts/hand.md', kind: 'changed' });
  const made = await site.ask('POST', commit, { as: 'admin', body: { input: { message: 'say more\nthan before' } } });
  expect(made.status).toBe(200);
  expect(site.git('rev-parse', 'HEAD').trim()).toBe(made.body.commit);
  expect(site.commits('%an: %s')[0]).toBe('Ada Admin: say more than before');
  expect(site.git('show', '--format=', '--name-only', 'HEAD')).toContain('posts/hand.md');
  expect(site.git('status', '--porcelain', '--', 'posts')).toBe('');
  const again = await site.ask('POST', commit, { as: 'admin', body: { input: { message: 'again' } } });
  expect(again.body.commit).toBe('');
});

it('is refused to others, and where writes do not become commits', async () => {
  const { as } = await signUp(site, 'edda', 'editor');
  expect((await site.ask('POST', commit, { as, body: { input: { message: 'mine' } } })).status).toBe(403);
  const off = await startGitSite(files, '');
  expect((await off.ask('GET', changes, { as: 'admin' })).body.may_commit).toBe(false);
  expect((await off.ask('POST', commit, { as: 'admin', body: { input: { message: 'mine' } } })).status).toBe(403);
  await off.close();
});
