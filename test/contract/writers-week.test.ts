/**
 * A week of a writer beside a running server with `git: commit`: at each step what a reader sees, what the file holds, and what git
 * says of it. The steps follow one another.
 */
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GitSite, startGitSite } from '../support/git-site.ts';
import { builtProgram } from '../support/program-build.ts';
import { run } from '../cli/run.ts';

let site: GitSite;
let id: number;
const [file, copy, moved] = ['posts/2026/03/harbour.md', 'posts/2026/03/harbour-2.md', 'posts/2026/03/port.md'];
const git = (...args: string[]) => site.git(...args);
const held = (path: string) => readFileSync(join(site.dir, path), 'utf8');
const write = (path: string, text: string) => writeFileSync(join(site.dir, path), text);
const edit = (path: string, from: string, to: string) => write(path, held(path).replace(from, to));
const put = (body: object, post = id) => site.ask('PUT', `/cms/v2/posts/${post}`, { as: 'admin', body });
const changed = () => git('status', '--porcelain').trim();
/** What a visitor gets: the title, or the status of the refusal. */
const seen = async (post = id) => {
  const { status, body } = await site.ask('GET', `/cms/v2/posts/${post}`);
  return status === 200 ? body.title.rendered : status;
};
const text = async (post = id) => (await site.ask('GET', `/cms/v2/posts/${post}`)).body.content?.rendered.trim();
/** All that was done by hand is taken in, and all that follows is written. */
const takenIn = () => site.sweep();

beforeAll(async () => {
  site = await startGitSite({});
  expect((await run(['merge-driver', '--install', site.dir])).status).toBe(0);
  const { main } = await builtProgram();
  const program = join(site.dir, '.git/driver.mjs');
  writeFileSync(
    program,
    `const { main, processIo } = await import(${JSON.stringify(main)});\nprocess.exitCode = await main(process.argv.slice(2), processIo);`,
  );
  git('config', 'merge.cms.driver', `"${process.execPath}" "${program}" merge-driver %O %A %B %P`);
  git('add', '.');
  git('commit', '-qm', 'merge field by field');
});
afterAll(() => site.close());

it('Monday: a post is written over REST, then corrected by hand', async () => {
  const body = { title: 'Harbour', content: 'Ships.', status: 'publish', date: '2026-03-02T09:00:00' };
  ({ id } = (await site.ask('POST', '/cms/v2/posts', { as: 'admin', body })).body);
  // Nobody waits for git.
  expect(await seen()).toBe('Harbour');
  expect(held(file)).toContain('title: Harbour');
  await site.flush();
  expect(site.commits('%an: %s')[0]).toBe(`Ada Admin: Add "Harbour" (${file})`);
  expect(changed()).toBe('');

  edit(file, 'Ships.', 'Ships and gulls.');
  await takenIn();
  expect(await text()).toBe('<p>Ships and gulls.</p>');
  expect(git('diff', '--stat')).toContain('harbour.md');
  git('commit', '-qam', 'gulls');
  expect(site.commits('%an: %s')[0]).toBe('Person: gulls');
  expect(changed()).toBe('');
});

it('Tuesday: the file is copied, and the copy becomes a post of its own', async () => {
  copyFileSync(join(site.dir, file), join(site.dir, copy));
  edit(copy, 'title: Harbour', 'title: Second harbour');
  await takenIn();
  const second = async () => (await site.ask('GET', '/cms/v2/posts?slug=harbour-2')).body[0];
  await expect.poll(async () => (await second())?.title.rendered).toBe('Second harbour');
  expect((await second()).id).not.toBe(id);
  await expect.poll(() => held(copy)).toContain(`id: ${(await second()).id}`);
  expect(held(file)).toContain(`id: ${id}`);
  expect(changed()).toBe(`?? ${copy}`);
  git('add', copy);
  git('commit', '-qm', 'a second harbour');
  expect(await seen()).toBe('Harbour');
});

it('Wednesday: a file is renamed, and its former URL still redirects', async () => {
  git('mv', file, moved);
  await takenIn();
  await expect.poll(async () => (await site.ask('GET', `/cms/v2/posts/${id}`)).body.slug).toBe('port');
  await site.site.ingest(await site.site.store.sweep());
  await expect.poll(() => held(moved)).toContain('aliases:\n  - harbour\n');
  git('add', '.');
  git('commit', '-qm', 'call it port');
  expect(git('log', '--follow', '--format=%s', '--', moved).trim().split('\n')).toEqual([
    'call it port',
    'gulls',
    `Add "Harbour" (${file})`,
  ]);
  expect(existsSync(join(site.dir, file))).toBe(false);
  // Moved over REST as well: one commit, which git knows as a rename.
  const second = (await site.ask('GET', '/cms/v2/posts?slug=harbour-2')).body[0].id;
  await put({ date: '2026-04-01T09:00:00' }, second);
  await site.flush();
  expect(git('show', '--format=%s', '--name-status', '-M').trim()).toMatch(
    /^Move "Second harbour" \(posts\/2026\/03\/harbour-2.md to posts\/2026\/04\/harbour-2.md\)\n\nR\d+\tposts\/2026\/03/,
  );
  expect(changed()).toBe('');
});

it('Thursday: branches that changed different fields are merged', async () => {
  git('checkout', '-qb', 'spring');
  await takenIn();
  edit(moved, 'title: Harbour', 'title: Port in spring');
  await takenIn();
  expect(await seen()).toBe('Port in spring');
  git('commit', '-qam', 'spring');
  git('checkout', '-q', 'main');
  await takenIn();
  expect(await seen()).toBe('Harbour');
  await put({ excerpt: 'Of ships.' });
  await site.flush();
  expect(git('branch', '--show-current').trim()).toBe('main');
  git('merge', '-q', '-m', 'spring is here', 'spring');
  await takenIn();
  expect(await seen()).toBe('Port in spring');
  expect(held(moved)).toContain('excerpt: Of ships.');
  expect(changed()).toBe('');
  expect(site.commits().slice(0, 1)).toEqual(['spring is here']);
});

it('Friday: both changed one field, and readers see the last good version until a person decides', async () => {
  git('checkout', '-qb', 'other');
  edit(moved, 'title: Port in spring', 'title: Old port');
  git('commit', '-qam', 'old');
  git('checkout', '-q', 'main');
  await takenIn();
  await put({ title: 'New port' });
  await site.flush();
  expect(() => git('merge', '-q', 'other')).toThrow();
  await takenIn();
  expect(held(moved)).toContain('<<<<<<< ours\ntitle: New port\n=======\ntitle: Old port\n>>>>>>> theirs\n');
  expect(await seen()).toBe('New port');
  expect(changed()).toContain(`UU ${moved}`);
  // A client writes elsewhere meanwhile: its commit waits for the merge.
  const other = (await site.ask('GET', '/cms/v2/posts?slug=harbour-2')).body[0].id;
  expect((await put({ title: 'Third harbour' }, other)).status).toBe(200);
  await site.flush();
  expect(site.site.commits?.held()).toBe('a merge is under way in the repository');
  expect(await seen(other)).toBe('Third harbour');
  write(moved, held(moved).replace(/<<<<<<< ours\n(.*\n)=======\n.*\n>>>>>>> theirs\n/, '$1'));
  git('add', moved);
  git('commit', '-qm', 'keep the new port');
  await takenIn();
  await site.flush();
  expect(site.commits('%an: %s').slice(0, 2)).toEqual([
    'Ada Admin: Update "Third harbour" (posts/2026/04/harbour-2.md)',
    'Person: keep the new port',
  ]);
  expect(changed()).toBe('');
});

it('Saturday: unfinished work is stashed while a client writes, and restored', async () => {
  edit(moved, 'Ships and gulls.', 'Ships, gulls and');
  await takenIn();
  expect(await text()).toBe('<p>Ships, gulls and</p>');
  git('stash', '-q');
  await takenIn();
  expect(await text()).toBe('<p>Ships and gulls.</p>');
  await put({ title: 'Newest port' });
  await site.flush();
  expect(site.commits()[0]).toBe(`Update "Newest port" (${moved})`);
  git('stash', 'pop', '-q');
  await takenIn();
  expect([await seen(), await text()]).toEqual(['Newest port', '<p>Ships, gulls and</p>']);
  expect(git('diff')).toMatch(/-Ships and gulls\.\n\+Ships, gulls and\n/);
  edit(moved, 'Ships, gulls and', 'Ships, gulls and cats.');
  git('commit', '-qam', 'cats');
});

it('Sunday: a branch is rebased on what clients wrote', async () => {
  git('checkout', '-qb', 'sunday');
  edit(moved, 'cats.', 'dogs.');
  git('commit', '-qam', 'dogs');
  git('checkout', '-q', 'main');
  await takenIn();
  await put({ excerpt: 'Of ships and more.' });
  await site.flush();
  git('checkout', '-q', 'sunday');
  git('rebase', '-q', 'main');
  await takenIn();
  expect(site.commits().slice(0, 3)).toEqual(['dogs', `Update "Newest port" (${moved})`, 'cats']);
  expect(held(moved)).toContain('excerpt: Of ships and more.');
  expect(await text()).toBe('<p>Ships, gulls and dogs.</p>');
  expect(changed()).toBe('');
  expect(site.site.commits?.held()).toBe(null);
});
