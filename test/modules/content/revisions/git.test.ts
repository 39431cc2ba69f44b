/** Revisions that are the commits of a post's file. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHistory, type CommittedState, stateIds } from '../../../../src/modules/git/history/index.ts';
import { asPerson, type GitSite, startGitSite } from '../../../support/git-site.ts';
import { signUp } from '../../../support/site.ts';

let site: GitSite;
const admin = { as: 'admin' };
const file = 'posts/by-hand.md';
const list = async (query = '', as = 'admin') => (await site.ask('GET', `/cms/v2/posts/900/revisions${query}`, { as })).body;
const titles = async (query = '') => (await list(query)).map(({ title }: { title: { rendered: string } }) => title.rendered);
const byHand = async (from: string, to: string, author = 'Person <p@example.com>') => {
  await site.write(file, (await site.read(file)).replace(from, to));
  site.git('commit', '-qam', `${from} to ${to}`, `--author=${author}`);
};

beforeAll(async () => {
  site = await startGitSite(
    { 'posts/first.md': '---\nid: 900\ntitle: First\ndate: 2026-01-02\n---\none line of text\n' },
    'git: commit\nrevisions: git\n',
  );
  site.git('mv', 'posts/first.md', file);
  site.git('commit', '-qm', 'rename');
  await byHand('title: First', 'title: Second');
  await site.sweep();
});
afterAll(() => site.close());

it('revisions are the commits of a file under all its names, with author and date', async () => {
  const berta = await signUp(site, 'berta', 'editor');
  await site.ask('PUT', '/cms/v2/posts/900', { as: berta.as, body: { title: 'Third' } });
  await site.flush();
  const revisions = await list();
  expect(await titles()).toEqual(['Third', 'Second', 'First', 'First']);
  expect(revisions.map(({ author }: { author: number }) => author)).toEqual([berta.id, 0, 0, 0]);
  const dates = site.git('log', '--follow', '--format=%at', '--', file).trim().split('\n');
  expect(revisions.map(({ date_gmt }: { date_gmt: string }) => String(Date.parse(`${date_gmt}Z`) / 1000))).toEqual(dates);
  expect((await site.ask('GET', '/cms/v2/posts/900', admin)).body._links['version-history'][0]).not.toHaveProperty('count');
});

it('revisions can be read one by one, searched, paged and restored by writing', async () => {
  const [, second] = await list();
  const { body, headers } = await site.ask('GET', `/cms/v2/posts/900/revisions/${second.id}?context=edit`, admin);
  expect(body).toMatchObject({ id: second.id, parent: 900, title: { raw: 'Second' }, content: { raw: 'one line of text' } });
  expect(headers.get('cache-control')).toContain('no-store');
  expect(await titles('?search=second')).toEqual(['Second']);
  expect(await titles('?per_page=1&page=2')).toEqual(['Second']);
  await site.ask('PUT', '/cms/v2/posts/900', { ...admin, body: { title: body.title.raw } });
  await site.flush();
  expect((await titles()).slice(0, 2)).toEqual(['Second', 'Third']);
});

it('revisions cannot be deleted, and are visible to users who may edit', async () => {
  const before = site.git('status', '--porcelain');
  const [{ id }] = await list();
  const path = `/cms/v2/posts/900/revisions/${id}`;
  expect((await site.ask('DELETE', `${path}?force=true`, admin)).body.code).toBe('rest_cannot_delete');
  expect((await site.ask('GET', path)).status).toBe(401);
  expect((await site.ask('GET', '/cms/v2/posts/900/revisions/5', admin)).body.code).toBe('rest_post_invalid_id');
  expect(site.git('status', '--porcelain')).toBe(before);
});

it('revisions come with autosaves, and no others are stored', async () => {
  await site.ask('POST', '/cms/v2/posts/900/autosaves', { ...admin, body: { title: 'Unsaved' } });
  expect((await titles())[0]).toBe('Unsaved');
  expect(site.site.revisions.size).toBe(1);
});

it('revisions include a merge that differs from all its parents', async () => {
  site.git('checkout', '-qb', 'theirs');
  await byHand('one line', 'a line');
  site.git('checkout', '-q', 'main');
  await byHand('one line', 'some lines');
  expect(() => site.git('merge', 'theirs')).toThrow();
  await site.write(file, (await site.read(file)).replace(/<<<<<<<[\s\S]*>>>>>>>.*/, 'both lines of text'));
  site.git('commit', '-qam', 'merged');
  await site.sweep();
  const texts = (await list('?context=edit')).map(({ content }: { content: { raw: string } }) => content.raw);
  for (const text of ['both lines of text', 'some lines of text', 'a line of text']) expect(texts).toContain(text);
});

it('revisions have the same ids in every clone', async () => {
  const clone = `${site.dir}-clone`;
  asPerson(site.dir, 'clone', '-q', site.dir, clone);
  const ids = async (dir: string) => [...stateIds(await createHistory(dir).of(file)).keys()];
  const here = await ids(site.dir);
  expect(await ids(clone)).toEqual(here);
  rmSync(clone, { recursive: true });
  expect(new Set(await list().then((all) => all.map(({ id }: { id: number }) => id)))).toEqual(
    new Set([...here, ...[...site.site.revisions.all()].map(({ id }) => id)]),
  );
  for (const id of here) expect(id >= 2 ** 30 && id < 2 ** 31).toBe(true);
});

it('revision ids are unique, however many there are', () => {
  const state = (at: number): CommittedState => ({
    commit: String(at % 50_000),
    path: 'x.md',
    at,
    author: { name: '', email: '' },
    subject: '',
    kind: 'changed',
  });
  const states = Array.from({ length: 100_000 }, (_, at) => state(at));
  expect(stateIds(states).size).toBe(states.length);
});

it('revisions are read incrementally when a commit is added', async () => {
  const history = createHistory(site.dir);
  const before = await history.of(file);
  await byHand('title: Second', 'title: Fifth');
  const after = await history.of(file);
  expect(after.slice(1)).toEqual(before);
  expect(after.at(-1)).toBe(before.at(-1));
  expect(await createHistory(site.dir).of(file)).toEqual(after);
});

it('a name with a line break reads no other file', async () => {
  const history = createHistory(site.dir);
  const [newest] = (await history.of(file)) as [CommittedState];
  const odd = { ...newest, path: `posts/a\n${newest.commit}:site.yaml` };
  const read = await history.read([odd, newest]);
  expect(read.get(odd)).toBeUndefined();
  expect(read.get(newest)?.toString()).toBe(await site.read(file));
});
