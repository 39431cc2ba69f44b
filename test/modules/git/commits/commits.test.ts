/** Writes over REST as commits of their users, beside a person who works in the same repository. */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GitSite, startGitSite } from '../../../support/git-site.ts';
import { signUp } from '../../../support/site.ts';

let site: GitSite;
const admin = { as: 'admin' };
const git = (...args: string[]): string => site.git(...args);
const flush = () => site.flush();
const log = (format = '%an <%ae> %s') => site.commits(format);
const create = async (title: string, more: object = {}, as = 'admin') =>
  (await site.ask('POST', '/cms/v2/posts', { as, body: { title, status: 'publish', date: '2026-03-05T10:00:00', ...more } }))
    .body;
const change = (id: number, body: object, as = 'admin') => site.ask('PUT', `/cms/v2/posts/${id}`, { as, body });

beforeEach(async () => {
  site = await startGitSite({ 'posts/by-hand.md': '---\nid: 900\ntitle: By hand\ndate: 2026-01-02\n---\ntext\n' });
});
afterEach(() => site.close());

describe('a write', () => {
  it('is a commit by its user, with the written paths', async () => {
    const { id } = await create('Hello');
    await flush();
    expect(log()[0]).toBe('Ada Admin <admin@example.com> Add "Hello" (posts/2026/03/hello.md)');
    // No other call of git has to find out first that the file is as it was committed.
    expect(git('diff-files', '--name-only')).toBe('');
    expect(git('show', '--format=', '--name-status')).toBe('A\tposts/2026/03/hello.md\n');
    expect(git('show', 'HEAD:posts/2026/03/hello.md')).toBe(await site.read('posts/2026/03/hello.md'));
    expect(git('status', '--porcelain')).toBe('');
    await change(id, { slug: 'moved', title: 'Moved' });
    await flush();
    expect(log()[0]).toBe('Ada Admin <admin@example.com> Move "Moved" (posts/2026/03/hello.md to posts/2026/03/moved.md)');
    await site.ask('DELETE', `/cms/v2/posts/${id}?force=true`, admin);
    await flush();
    expect(log()[0]).toBe('Ada Admin <admin@example.com> Delete posts/2026/03/moved.md');
    expect(git('status', '--porcelain')).toBe('');
  });

  it('within a minute joins the last commit of its user to the same post', async () => {
    const first = await create('One');
    const second = await create('Two');
    for (const content of ['a', 'b', 'c']) await change(first.id, { content });
    await flush();
    expect(log('%s').slice(0, -1)).toEqual([`Add "Two" (posts/2026/03/two.md)`, `Add "One" (posts/2026/03/one.md)`]);
    expect(second.id).not.toBe(first.id);
  });

  it('is separate from writes of others to the post', async () => {
    const berta = await signUp(site, 'berta', 'editor');
    const { id } = await create('Shared');
    await change(id, { content: 'of berta' }, berta.as);
    await change(id, { content: 'of ada' });
    await flush();
    const path = 'posts/2026/03/shared.md';
    expect(git('log', '--format=%an', '--', path).trim().split('\n')).toEqual(['Ada Admin', 'berta', 'Ada Admin']);
    expect(git('show', `HEAD~1:${path}`)).toContain('of berta');
    expect(git('show', `HEAD~2:${path}`)).not.toContain('of berta');
    expect(git('status', '--porcelain')).toBe('');
  });

  it('already committed by a person needs no other commit', async () => {
    await create('Hello');
    git('add', '.');
    git('commit', '-qm', 'by hand');
    await flush();
    expect(log('%s')).toEqual(['by hand', 'begin']);
  });

  it('is not committed if it was refused', async () => {
    expect((await change(900, { status: 'nonsense' })).status).toBe(400);
    await flush();
    expect(log('%s')).toEqual(['begin']);
    expect(existsSync(join(site.dir, '.cms/git'))).toBe(false);
  });
});

describe('the index and the work tree of a person', () => {
  it('stay as they are', async () => {
    await site.write('posts/staged.md', '---\nid: 1901\ntitle: Staged\ndate: 2026-01-03\n---\none\n');
    git('add', 'posts/staged.md');
    await site.write('posts/staged.md', '---\nid: 1901\ntitle: Staged\ndate: 2026-01-03\n---\ntwo\n');
    await site.write('posts/loose.md', '---\nid: 1902\ntitle: Loose\ndate: 2026-01-04\n---\nloose\n');
    const staged = git('diff', '--cached');
    await site.sweep();
    await create('Hello');
    await flush();
    expect(git('show', '--format=', '--name-only')).toBe('posts/2026/03/hello.md\n');
    expect(git('diff', '--cached')).toBe(staged);
    expect(git('status', '--porcelain')).toBe('AM posts/staged.md\n?? posts/loose.md\n');
  });

  it('keep staged changes of the written file', async () => {
    await site.write('posts/by-hand.md', (await site.read('posts/by-hand.md')).replace('text', 'staged text'));
    git('add', 'posts/by-hand.md');
    const staged = git('show', ':posts/by-hand.md');
    await site.site.ingest(await site.site.store.sweep());
    await change(900, { title: 'Written' });
    await flush();
    expect(git('show', ':posts/by-hand.md')).toBe(staged);
    expect(git('show', 'HEAD:posts/by-hand.md')).toBe(await site.read('posts/by-hand.md'));
  });

  it('are unchanged when the branch moves during a commit', async () => {
    await change(900, { title: 'First' });
    // A reference that somebody else holds cannot be moved: what git says then is what it says of one that has moved.
    const lock = join(site.dir, '.git/refs/heads/main.lock');
    writeFileSync(lock, '');
    const entry = git('ls-files', '--stage', 'posts/by-hand.md');
    await flush();
    expect(site.site.commits?.held()).toBe('the branch has moved');
    expect(git('ls-files', '--stage', 'posts/by-hand.md')).toBe(entry);
    expect(git('status', '--porcelain')).toBe(' M posts/by-hand.md\n');
    rmSync(lock);
    await change(900, { title: 'Second' });
    await flush();
    expect(git('status', '--porcelain')).toBe('');
    expect(git('show', 'HEAD:posts/by-hand.md')).toContain('title: Second');
  });

  it('use the line endings of the repository', async () => {
    git('config', 'core.autocrlf', 'true');
    await site.write('posts/crlf.md', '---\r\nid: 1903\r\ntitle: Long\r\ndate: 2026-01-04\r\n---\r\nlong\r\n');
    git('add', '.');
    git('commit', '-qm', 'long');
    await site.site.ingest(await site.site.store.sweep());
    await change(1903, { title: 'Longer' });
    await flush();
    expect(git('show', 'HEAD:posts/crlf.md')).not.toContain('\r');
    expect(git('status', '--porcelain')).toBe('');
  });
});

describe('repository settings', () => {
  it('run nothing', async () => {
    const trap = join(site.dir, '.git', 'trap.sh');
    const sprung = join(site.dir, '.git', 'sprung');
    writeFileSync(trap, `#!/bin/sh\necho "$0 $@" >> ${sprung}\ncat\nexit 1\n`);
    chmodSync(trap, 0o755);
    mkdirSync(join(site.dir, '.git/hooks'), { recursive: true });
    for (const hook of [
      'pre-commit',
      'post-commit',
      'commit-msg',
      'reference-transaction',
      'post-index-change',
      'post-checkout',
    ]) {
      writeFileSync(join(site.dir, '.git/hooks', hook), `#!/bin/sh\nexec ${trap} ${hook}\n`);
      chmodSync(join(site.dir, '.git/hooks', hook), 0o755);
    }
    writeFileSync(join(site.dir, '.git/more'), `[core]\n\tpager = ${trap}\n[alias]\n\tupdate-ref = !${trap}\n`);
    for (const [key, value] of [
      ...[
        ['core.fsmonitor', trap],
        ['core.hooksPath', join(site.dir, '.git/hooks')],
        ['filter.evil.clean', trap],
      ],
      ...[
        ['filter.evil.required', 'true'],
        ['commit.gpgsign', 'true'],
        ['gpg.program', trap],
        ['include.path', 'more'],
      ],
    ] as [string, string][])
      git('config', key, value);
    await site.write('.gitattributes', '*.md filter=evil diff=evil\n');
    await create('Hello');
    await flush();
    expect(existsSync(sprung)).toBe(false);
    rmSync(join(site.dir, '.git/hooks'), { recursive: true });
    git('config', '--remove-section', 'filter.evil');
    git('config', 'core.fsmonitor', 'false');
    expect(log('%s')[0]).toBe('Add "Hello" (posts/2026/03/hello.md)');
    expect(git('show', 'HEAD:posts/2026/03/hello.md')).toBe(await site.read('posts/2026/03/hello.md'));
  });
});

describe('a repository that cannot be committed to', () => {
  const waits = async (reason: RegExp) => {
    await create('Waiting');
    await flush();
    expect(site.site.commits?.held()).toMatch(reason);
    expect(site.site.problems().map(({ rule, message }) => `${rule}: ${message}`)).toContainEqual(
      expect.stringMatching(new RegExp(`git-commit: writes are not committed: ${reason.source}`)),
    );
    expect((await site.ask('GET', '/cms/v2/posts?slug=waiting')).body).toHaveLength(1);
  };
  const isCommitted = async () => {
    await flush();
    expect(site.site.commits?.held()).toBe(null);
    expect(log('%s')[0]).toBe('Add "Waiting" (posts/2026/03/waiting.md)');
    expect(git('status', '--porcelain')).toBe('');
  };

  it('with a detached HEAD is left alone', async () => {
    git('checkout', '-q', '--detach');
    await waits(/HEAD is detached/);
    expect(log('%s')).toEqual(['begin']);
    git('checkout', '-q', 'main');
    await isCommitted();
  });

  it('during a merge or a rebase is waited for', async () => {
    git('checkout', '-qb', 'other');
    await site.write('posts/by-hand.md', (await site.read('posts/by-hand.md')).replace('text', 'theirs'));
    git('commit', '-qam', 'theirs');
    git('checkout', '-q', 'main');
    await site.write('posts/by-hand.md', (await site.read('posts/by-hand.md')).replace('text', 'ours'));
    git('commit', '-qam', 'ours');
    expect(() => git('rebase', 'other')).toThrow();
    await waits(/a rebase is under way/);
    git('rebase', '--abort');
    expect(() => git('merge', 'other')).toThrow();
    await flush();
    expect(site.site.commits?.held()).toMatch(/a merge is under way/);
    git('merge', '--abort');
    git('bisect', 'start');
    await flush();
    expect(site.site.commits?.held()).toMatch(/a bisection is under way/);
    git('bisect', 'reset');
    await isCommitted();
  });

  it('with a stale lock keeps the lock, and does not block readers', async () => {
    const lock = join(site.dir, '.git/index.lock');
    writeFileSync(lock, '');
    await waits(/git is at work/);
    expect(existsSync(lock)).toBe(true);
    rmSync(lock);
    await isCommitted();
  });

  it('may be missing: writes are served anyway', async () => {
    rmSync(join(site.dir, '.git'), { recursive: true });
    await waits(/the folder is in no git repository/);
  });

  it('without a commit gets its first', async () => {
    rmSync(join(site.dir, '.git'), { recursive: true });
    git('init', '-q', '-b', 'main');
    await create('First');
    await flush();
    expect(log('%s')).toEqual(['Add "First" (posts/2026/03/first.md)']);
    expect(git('ls-files')).toBe('posts/2026/03/first.md\n');
  });
});

it('git commits leave no journal behind', async () => {
  await create('Hello');
  expect(readdirSync(join(site.dir, '.cms/git'))).toHaveLength(1);
  await site.site.close();
  expect(readdirSync(join(site.dir, '.cms/git'))).toEqual([]);
  expect(log('%s')[0]).toBe('Add "Hello" (posts/2026/03/hello.md)');
});
