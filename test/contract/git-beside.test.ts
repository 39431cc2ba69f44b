/** Git at work in the folder of a running server: nothing the server writes by itself makes git refuse. */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Module } from '../../src/kernel/module.ts';
import { startSite, type TestSite, until } from '../support/site.ts';

const admin = { as: 'admin' };
const plain = '---\ntitle: By hand\n---\ntext\n';
const file = 'posts/by-hand.md';
const menu = 'menus/main.yaml';
let origin: string;
let site: TestSite;
let id: number;
/** What a module does before files of others are ingested. */
let look: (() => Promise<void>) | null = null;
const slow: Module = {
  name: 'slow',
  setup: () => ({
    async beforeExternal() {
      await look?.();
      return () => [];
    },
  }),
};

const git = (...args: string[]) =>
  execFileSync('git', ['-C', site.dir, '-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], { encoding: 'utf8' });
const found = async () => (await site.ask('GET', '/cms/v2/posts?slug=by-hand')).body[0];
/** All that others have changed is taken in, and all that follows from it is written. */
async function takenIn(): Promise<void> {
  await site.site.ingest(await site.site.store.sweep());
}

beforeEach(async () => {
  origin = await mkdtemp(join(tmpdir(), 'cms-git-'));
  site = await startSite({
    files: { [file]: plain, [menu]: 'name: Main\nitems:\n  - { url: /a, label: A }\n' },
    modules: [slow],
  });
  // As a server met it first: then it was not in git yet. In one turn, or the server beside would write ids into what is committed.
  writeFileSync(join(site.dir, file), plain);
  writeFileSync(join(site.dir, menu), 'name: Main\nitems:\n  - { url: /a, label: A }\n');
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'without ids');
  await site.site.ingest(await site.site.store.load());
  await site.ask('PUT', `/cms/v2/posts/${(await found()).id}`, { ...admin, body: { title: 'Changed' } });
  ({ id } = await found());
  expect(await site.read(file)).toContain(`id: ${id}`);
});
afterEach(async () => {
  look = null;
  await site.close();
  await rm(origin, { recursive: true, force: true });
});

it('a stash can be popped, and the post always keeps its id', async () => {
  const text = await site.read(file);
  git('stash', '-q');
  await takenIn();
  expect(await site.read(file)).toBe(plain);
  expect(await found()).toMatchObject({ id, title: { rendered: 'By hand' } });
  git('stash', 'pop', '-q');
  await takenIn();
  expect(await site.read(file)).toBe(text);
  expect(await found()).toMatchObject({ id, title: { rendered: 'Changed' } });
});

it('branches can be switched, and a file that was away keeps its id', async () => {
  git('switch', '-qc', 'other', '-f');
  git('rm', '-q', '--cached', file);
  git('commit', '-qm', 'without the post');
  rmSync(join(site.dir, file));
  git('checkout', '-q', '--', '.');
  await takenIn();
  expect(await found()).toBeUndefined();
  git('switch', '-q', 'main');
  await takenIn();
  expect(await site.read(file)).toBe(plain);
  expect((await found()).id).toBe(id);
  git('switch', '-q', 'other');
  await takenIn();
  git('switch', '-q', 'main');
});

it('changes can be discarded and branches switched', async () => {
  git('checkout', '-q', '--', '.');
  await takenIn();
  expect(git('status', '--porcelain', '--', 'posts', 'menus')).toBe('');
  git('switch', '-qc', 'other');
  await site.write(file, `${plain}more\n`);
  git('commit', '-qam', 'more');
  await takenIn();
  git('checkout', '-q', '--', '.');
  await takenIn();
  git('switch', '-q', 'main');
  await takenIn();
  git('switch', '-q', 'other');
  expect((await found()).id).toBe(id);
});

it('the id is written with the next change by hand', async () => {
  git('stash', '-q');
  await takenIn();
  await site.write(file, plain.replace('text', 'another text'));
  await takenIn();
  expect(await site.read(file)).toContain(`id: ${id}`);
  expect(await site.read(file)).toContain('another text');
});

it('the id is written with the next change over REST', async () => {
  git('stash', '-q');
  await takenIn();
  expect((await site.ask('PUT', `/cms/v2/posts/${id}`, { ...admin, body: { title: 'New' } })).status).toBe(200);
  expect(await site.read(file)).toContain(`id: ${id}`);
  expect(await site.read(file)).toContain('title: New');
});

it('the next server knows the id and does not touch the file', async () => {
  git('stash', '-q');
  await takenIn();
  await site.site.close();
  const { openSite } = await import('../../src/open-site.ts');
  const next = await openSite(site.dir);
  expect(await site.read(file)).toBe(plain);
  expect(next.posts.get(id)?.path).toBe(file);
  git('stash', 'pop', '-q');
  await next.ingest(await next.store.sweep());
  await next.close();
  const last = await openSite(site.dir);
  expect(last.posts.get(id)?.path).toBe(file);
  await last.close();
});

it('a server that stops while reading a change records the id first', async () => {
  const asked = new Promise<void>((resolve) => {
    look = async () => {
      resolve();
      await pause(500);
    };
  });
  git('stash', '-q');
  await asked;
  await site.site.close();
  const { openSite } = await import('../../src/open-site.ts');
  const next = await openSite(site.dir);
  expect(await site.read(file)).toBe(plain);
  expect(next.posts.get(id)?.path).toBe(file);
  await next.close();
});

it('a new file from git gets its id at once', async () => {
  await site.write('posts/new.md', '---\ntitle: New\n---\nx\n');
  git('add', 'posts/new.md');
  git('commit', '-qm', 'new', '--', 'posts/new.md');
  await takenIn();
  await until(async () => /^id: \d+$/m.test(await site.read('posts/new.md')));
});

it('the server writes nothing by itself while git writes files', async () => {
  const lock = join(site.dir, '.git', 'index.lock');
  writeFileSync(lock, '');
  await site.write('posts/new.md', '---\ntitle: New\n---\nx\n');
  const taking = takenIn();
  await until(async () => (await site.ask('GET', '/cms/v2/posts?slug=new')).body.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await site.read('posts/new.md')).not.toContain('id:');
  rmSync(lock);
  await taking;
  await until(async () => (await site.read('posts/new.md')).includes('id:'));
});

it('a file recreated after a client deleted it is a new item', async () => {
  expect((await site.ask('DELETE', `/cms/v2/posts/${id}?force=true`, admin)).status).toBe(200);
  await site.write(file, plain);
  await takenIn();
  await until(async () => (await site.read(file)).includes('id:'));
  expect((await found()).id).not.toBe(id);
});
