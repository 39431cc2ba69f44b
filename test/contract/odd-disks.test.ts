/** What disks, clocks, editors and other processes do to a running server: it goes on, says so, and needs no restart afterwards. */
import { real } from '../support/disk-faults.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createStore } from '../../src/kernel/store/store.ts';
import { temporary } from '../cli/run.ts';
import { startSite, type TestSite, until } from '../support/site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const path = (name: string): string => join(site.dir, name);
const page = (title: string, id?: number): string => `---\n${id ? `id: ${id}\n` : ''}title: ${title}\n---\ntext\n`;
const bySlug = async (slug: string): Promise<{ id: number; title: { rendered: string } } | undefined> =>
  (await site.ask('GET', `/cms/v2/posts?slug=${slug}`)).body[0];
const create = (title: string) =>
  site.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title, content: 'x', status: 'publish' } });

/** A file by hand, once it is served and has its id. */
async function written(slug: string): Promise<number> {
  real.mkdirSync(path('posts'), { recursive: true });
  real.writeFileSync(path(`posts/${slug}.md`), page(slug));
  const { id } = await until(() => bySlug(slug));
  await until(() => real.readFileSync(path(`posts/${slug}.md`), 'utf8').includes(`id: ${id}`));
  return id;
}

describe('a content folder', () => {
  it('that is moved away is still served from memory, refuses writes, and recovers when it is back', async () => {
    const id = await written('stays');
    const away = `${site.dir}-away`;
    real.renameSync(site.dir, away);
    // A sweep under way may have begun before.
    await until(async () => {
      await site.site.store.sweep();
      return site.site.problems().some(({ rule }) => rule === 'folder-unreadable');
    });
    expect((await site.ask('GET', `/cms/v2/posts/${id}`)).status).toBe(200);
    // Accounts lie in the folder, too: without it nobody is signed in.
    expect([401, 503]).toContain((await create('Nowhere')).status);
    // Nothing is made in the place of the folder.
    expect(real.existsSync(site.dir)).toBe(false);
    real.renameSync(away, site.dir);
    await until(async () => (await create('Back again')).status === 201);
    expect((await bySlug('stays'))?.id).toBe(id);
  });

  it('that is empty for a while, like an unmounted disk, keeps the ids of its items', async () => {
    const id = await written('mounted');
    const aside = join(await temporary(), 'posts');
    real.renameSync(path('posts'), aside);
    await until(async () => (await bySlug('mounted')) === undefined);
    real.rmSync(path('posts'), { recursive: true, force: true });
    real.renameSync(aside, path('posts'));
    expect((await until(() => bySlug('mounted'))).id).toBe(id);
  });
});

describe('a file', () => {
  it('that becomes a directory is no longer served, and comes back with its id', async () => {
    const id = await written('either');
    real.rmSync(path('posts/either.md'));
    real.mkdirSync(path('posts/either.md'));
    await until(async () => (await site.ask('GET', `/cms/v2/posts/${id}`)).status === 404);
    const change = await site.ask('PUT', `/cms/v2/posts/${id}`, { as: 'admin', body: { title: 'x' } });
    expect(change.status).toBe(404);
    real.rmdirSync(path('posts/either.md'));
    real.writeFileSync(path('posts/either.md'), page('Either', id));
    expect((await until(() => bySlug('either'))).id).toBe(id);
  });

  it('renamed only in case stays one item with its id', async () => {
    const id = await written('lower');
    real.renameSync(path('posts/lower.md'), path('posts/LOWER.md'));
    await until(() => site.site.posts.get(id)?.path === 'posts/LOWER.md');
    expect((await site.ask('GET', `/cms/v2/posts/${id}`)).status).toBe(200);
    expect([...site.site.posts.all()].filter((post) => /lower/i.test(post.path))).toHaveLength(1);
  });

  it('saved by editors with swap files, backups and renames stays one item', async () => {
    const id = await written('edited');
    const count = [...site.site.posts.all()].length;
    const others = [
      '.edited.md.swp',
      '.edited.md.swo',
      'edited.md~',
      '#edited.md#',
      '.#edited.md',
      '4913',
      'edited.md.tmp',
      '.edited.md.kate-swp',
    ];
    for (const name of others) real.writeFileSync(path(`posts/${name}`), page('Not this', id));
    for (const title of ['First save', 'Second save']) {
      // As vim, emacs and most others do: aside, anew, or renamed over.
      real.renameSync(path('posts/edited.md'), path('posts/edited.md~'));
      real.writeFileSync(path('posts/edited.md.tmp'), page(title, id));
      real.renameSync(path('posts/edited.md.tmp'), path('posts/edited.md'));
      await until(async () => (await site.ask('GET', `/cms/v2/posts/${id}`)).body.title?.rendered === title);
    }
    await site.site.ingest(await site.site.store.sweep());
    expect([...site.site.posts.all()]).toHaveLength(count);
    expect((await bySlug('edited'))?.id).toBe(id);
    for (const name of others) real.rmSync(path(`posts/${name}`), { force: true });
  });
});

describe('another process', () => {
  it('that is stopped while holding the lock is waited for until its lease ends, no longer', async () => {
    await written('waiting');
    const child = spawn('sleep', ['600']);
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child, 'spawn');
    child.kill('SIGSTOP');
    // The lock that is still held by the server goes first.
    await new Promise((resolve) => setTimeout(resolve, 60));
    const holder = { pid: child.pid, host: hostname(), started: Date.now(), fence: 1e6, expires: Date.now() + 1500 };
    real.writeFileSync(path('.cms/lock'), JSON.stringify(holder));
    const began = Date.now();
    expect((await create('Patient')).status).toBe(201);
    expect(Date.now() - began).toBeGreaterThan(1000);
    expect((await create('At once')).status).toBe(201);
  });
});

describe('the clock', () => {
  it.each([
    ['back', -1],
    ['forward', 1],
  ])('can jump a year %s without blocking writes or hiding changes', async (_, direction) => {
    let skew = 0;
    const dir = await temporary();
    const store = await createStore({ dir, clock: () => Date.now() + skew, watch: { events: false } });
    const body = (text: string, expectEtag: string | null) => ({
      path: 'a.md',
      expect: expectEtag,
      data: {},
      order: [],
      body: text,
    });
    const [first] = await store.commit([body('one', null)]);
    skew = direction * 366 * 86_400_000;
    const [second] = await store.commit([body('two', first?.etag as string)]);
    expect(second?.body).toBe('two');
    real.writeFileSync(join(dir, 'a.md'), 'three\n');
    const seen = await store.sweep();
    expect(seen.entries.map(({ body: text }) => text)).toEqual(['three']);
    skew = 0;
    const [last] = await store.commit([body('four', seen.entries[0]?.etag as string)]);
    expect(last?.body).toBe('four');
    await store.close();
  });
});

describe('a system without file watches left', () => {
  it('is reported once, changes are found anyway, and watches are retried', async () => {
    const fs = createRequire(import.meta.url)('node:fs') as { watch: unknown };
    const { watch } = fs;
    const restore = (): void => {
      fs.watch = watch;
      syncBuiltinESMExports();
    };
    onTestFinished(restore);
    fs.watch = (file: string) => {
      throw Object.assign(new Error('ENOSPC: System limit for number of file watchers reached'), {
        code: 'ENOSPC',
        syscall: 'watch',
        path: file,
      });
    };
    syncBuiltinESMExports();
    const blind = await startSite({ files: { 'posts/a.md': page('A') } });
    onTestFinished(() => blind.close());
    const told = () => blind.log.filter((line) => line.includes('no more watches'));
    await until(() => told().length > 0);
    expect(blind.site.store.following().by).toBe('sweeps');
    real.writeFileSync(join(blind.dir, 'posts/b.md'), page('B'));
    await until(async () => (await blind.ask('GET', '/cms/v2/posts?slug=b')).body.length === 1);
    expect(told()).toHaveLength(1);
    restore();
    const { now } = performance;
    performance.now = () => now.call(performance) + 31_000;
    onTestFinished(() => {
      performance.now = now;
    });
    await until(() => blind.site.store.following().by === 'events');
  });
});
