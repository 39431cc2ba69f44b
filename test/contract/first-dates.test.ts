/** Files that say no date: it is derived once, the same in every clone, and written into them. */
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openSite } from '../../src/open-site.ts';
import type { Site } from '../../src/kernel/site/site.ts';
import { dateInPath } from '../../src/kernel/model/dated-paths.ts';
import { createRepository } from '../support/git.ts';
import { startSite, type TestSite, type TestSiteOptions, until } from '../support/site.ts';

const present = Date.parse('2026-03-20T09:30:15Z');
const old = new Date('2001-02-03T04:05:06Z');
const undated = (title: string, more = ''): string =>
  `---\ntitle: ${title}\n${more}---\nText of ${title}, which is long enough to be known again.\n`;

async function served(options: TestSiteOptions = {}): Promise<TestSite> {
  const site = await startSite({ clock: () => present, ...options });
  onTestFinished(() => site.close());
  return site;
}

async function opened(dir: string, readOnly = false): Promise<Site> {
  const site = await openSite(dir, { readOnly, clock: () => present });
  onTestFinished(() => site.close());
  return site;
}

async function folder(files: Readonly<Record<string, string>>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'cms-dates-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  for (const [path, text] of Object.entries({ 'site.yaml': 'title: Dates\ntimezone: Europe/Berlin\n', ...files })) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
    await utimes(join(dir, path), old, old);
  }
  return dir;
}

const dateOf = (site: Site, path: string): string | undefined => [...site.posts.all()].find((post) => post.path === path)?.date;
const written = async (dir: string, path: string) => /^date: (.*)$/m.exec(await readFile(join(dir, path), 'utf8'))?.[1];
const nowThere = '2026-03-20T10:30:15';

describe('the date of a path', () => {
  it.each([
    ['posts/2024-05-01-title.md', '2024-05-01T00:00:00'],
    ['posts/2024_05_01 title.html', '2024-05-01T00:00:00'],
    ['posts/20240501-title.md', '2024-05-01T00:00:00'],
    ['posts/2024-05-01.md', '2024-05-01T00:00:00'],
    ['posts/2024-05-01-title/index.md', '2024-05-01T00:00:00'],
    ['posts/2024/05/title.md', '2024-05-01T00:00:00'],
    ['posts/2024/05/17/title.md', '2024-05-17T00:00:00'],
    ['posts/2024/05/title/index.md', '2024-05-01T00:00:00'],
    ['posts/2024/05/2024-06-02-title.md', '2024-06-02T00:00:00'],
    ['media/2024/05/cat.jpg', '2024-05-01T00:00:00'],
    ['posts/2024/13/title.md', null],
    ['posts/2024/02/30/title.md', null],
    ['posts/2024-02-30-title.md', null],
    ['posts/2024/title.md', null],
    ['posts/title-2024-05-01.md', null],
    ['posts/1234567890.md', null],
  ])('%s', (path, date) => {
    expect(dateInPath(path)).toBe(date);
  });
});

describe('a file without a date', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['posts/2024-05-01-named.md', '2024-05-01T00:00:00'],
    ['posts/2024/05/filed.md', '2024-05-01T00:00:00'],
    ['posts/plain.md', nowThere],
    ['posts/2024/13/odd.md', nowThere],
    ['pages/about.md', nowThere],
    ['boats/tern.md', nowThere],
    ['media/2024/05/sidecar.txt.yaml', '2024-05-01T00:00:00'],
    ['media/bare.txt.yaml', nowThere],
    ['comments/1/3.html', nowThere],
  ];
  const types = 'title: Dates\ntimezone: Europe/Berlin\ntypes:\n  boats:\n    singular: Boat\n    plural: Boats\n';

  it("gets it from its name or folder, else the present, never from the file's time", async () => {
    const files = Object.fromEntries(
      rows.flatMap(([path]) =>
        path.startsWith('media/')
          ? [[path.replace(/\.yaml$/, ''), 'text'], ...(path.includes('sidecar') ? [[path, 'title: Sidecar\n']] : [])]
          : [[path, undated('X')]],
      ),
    );
    const dir = await folder({ ...files, 'site.yaml': types });
    const site = await opened(dir);
    for (const [path, date] of rows) {
      if (!path.startsWith('comments/')) expect([path, dateOf(site, path)]).toEqual([path, date]);
      expect([path, await written(dir, path)]).toEqual([path, date]);
    }
    expect([...site.comments.all()].map(({ date }) => date)).toEqual([nowThere]);
    expect(await readFile(join(dir, 'posts/plain.md'), 'utf8')).toMatch(
      /^---\nid: \d+\ntitle: X\ndate: 2026-03-20T10:30:15\n---\nText of X, /,
    );
  });

  it('gets it while the server runs, and keeps it when saved without it again', async () => {
    let ms = present;
    const site = await served({ clock: () => ms });
    const path = 'posts/fresh.md';
    await site.write(path, undated('Fresh'));
    await until(async () => (await written(site.dir, path)) === nowThere);
    ms += 3_600_000;
    await site.write(path, undated('Edited', `id: ${[...site.site.posts.all()].find((post) => post.path === path)?.id}\n`));
    await until(async () => (await site.read(path)).includes('title: Edited\n') && (await written(site.dir, path)));
    expect([await written(site.dir, path), dateOf(site.site, path)]).toEqual([nowThere, nowThere]);
  });

  it('includes one with an empty date', async () => {
    const dir = await folder({ 'posts/x.md': undated('X', 'date:\n') });
    await opened(dir);
    expect(await readFile(join(dir, 'posts/x.md'), 'utf8')).toMatch(/^date: 2026-03-20T10:30:15$/m);
  });

  it('that is a draft has a floating date until it is published', async () => {
    const site = await served({
      files: { 'posts/d.md': undated('D', 'status: draft\n'), 'posts/p.md': undated('P', 'status: pending\n') },
    });
    for (const path of ['posts/d.md', 'posts/p.md']) expect(await site.read(path)).not.toMatch(/^date:/m);
    const text = await site.read('posts/d.md');
    await site.write('posts/d.md', text.replace('status: draft\n', ''));
    await until(async () => (await written(site.dir, 'posts/d.md')) === nowThere);
  });

  it.each(['status: future', 'status: Future', 'draft: true', 'published: false'])(
    'with %s gets none, and stays hidden',
    async (line) => {
      const dir = await folder({
        'posts/x.md': undated('X', `id: 50\n${line}\n`),
        'posts/2024-05-01-y.md': undated('Y', `id: 51\n${line}\n`),
      });
      createRepository(dir).commit('Begin', '2024-01-02T03:04:05Z');
      const site = await served({ from: dir });
      for (const [id, path] of [
        [50, 'posts/x.md'],
        [51, 'posts/2024-05-01-y.md'],
      ] as const) {
        expect((await site.ask('GET', `/cms/v2/posts/${id}`)).status).toBe(401);
        expect(await site.read(path)).not.toMatch(/^date:/m);
      }
      expect((await site.ask('GET', '/cms/v2/posts')).body).toEqual([]);
    },
  );

  it('is scheduled when its path names a future day', async () => {
    const dir = await folder({ 'posts/2027-05-01-x.md': undated('X', 'id: 50\n') });
    const site = await served({ from: dir });
    expect((await site.ask('GET', '/cms/v2/posts/50')).status).toBe(401);
    expect(await written(site.dir, 'posts/2027-05-01-x.md')).toBe('2027-05-01T00:00:00');
  });

  it('gets none in the trash', async () => {
    const dir = await folder({ 'posts/t.md': undated('T', 'id: 50\nstatus: trash\ntrashed:\n  status: draft\n') });
    await opened(dir);
    expect(await readFile(join(dir, 'posts/t.md'), 'utf8')).not.toMatch(/^date:/m);
  });
});

describe('a file without a date that git knows', () => {
  async function repository() {
    const dir = await folder({
      'posts/first.md': undated('First'),
      'pages/p.md': undated('Page'),
      'media/cat.txt': 'cat',
      'comments/1/3.html': undated('C'),
    });
    await writeFile(join(dir, '.gitignore'), '.cms/\n');
    const git = createRepository(dir);
    git.commit('Begin', '2024-01-02T03:04:05Z');
    await rename(join(dir, 'posts/first.md'), join(dir, 'posts/moved.md'));
    git.commit('Move', '2024-07-01T10:00:00Z');
    await writeFile(join(dir, 'posts/second.md'), undated('Second'));
    git.commit('Second', '2024-08-01T10:00:00Z');
    await writeFile(join(dir, 'posts/second.md'), undated('Second, edited'));
    git.commit('Edit', '2024-09-01T10:00:00Z');
    return dir;
  }
  const dates = {
    'posts/moved.md': '2024-01-02T04:04:05',
    'posts/second.md': '2024-08-01T12:00:00',
    'pages/p.md': '2024-01-02T04:04:05',
    'media/cat.txt.yaml': '2024-01-02T04:04:05',
  };

  it.each([false, true])('has the date of its first commit in every clone (read-only: %s)', async (readOnly) => {
    const dir = await repository();
    const clone = await mkdtemp(join(tmpdir(), 'cms-clone-'));
    onTestFinished(() => rm(clone, { recursive: true, force: true }));
    execFileSync('git', ['clone', '--quiet', dir, join(clone, 'site')], { env: { PATH: process.env.PATH, HOME: clone } });
    for (const place of [dir, join(clone, 'site')]) {
      await utimes(join(place, 'posts/second.md'), old, old);
      const site = await opened(place, readOnly);
      expect(Object.fromEntries(Object.keys(dates).map((path) => [path, dateOf(site, path)]))).toEqual(dates);
      expect([...site.comments.all()].map(({ date }) => date)).toEqual(['2024-01-02T04:04:05']);
      await site.reload();
      expect(dateOf(site, 'posts/moved.md')).toBe(dates['posts/moved.md']);
      if (readOnly) expect(await readFile(join(place, 'posts/moved.md'), 'utf8')).not.toMatch(/^date:/m);
      else for (const [path, date] of Object.entries(dates)) expect([path, await written(place, path)]).toEqual([path, date]);
    }
  });

  it('prefers the date in its name to the history; a new file has the present', async () => {
    const dir = await repository();
    await cp(join(dir, 'posts/second.md'), join(dir, 'posts/2020-02-02-third.md'));
    await writeFile(join(dir, 'posts/new.md'), undated('New'));
    const git = createRepository(dir);
    git.run('add', 'posts/2020-02-02-third.md');
    const site = await opened(dir);
    expect([dateOf(site, 'posts/2020-02-02-third.md'), dateOf(site, 'posts/new.md')]).toEqual(['2020-02-02T00:00:00', nowThere]);
  });

  it('is served even if the repository cannot be read, which is reported', async () => {
    const dir = await folder({ 'posts/x.md': undated('X') });
    await mkdir(join(dir, '.git'));
    await writeFile(join(dir, '.git/HEAD'), 'nonsense');
    const site = await served({ from: dir });
    expect(dateOf(site.site, 'posts/x.md')).toBe(nowThere);
    expect(site.log).toEqual([expect.stringContaining('dated without their history')]);
  });
});

/** The commands that git is called with from now on. */
async function gitCalls(): Promise<() => Promise<string[]>> {
  const dir = await mkdtemp(join(tmpdir(), 'cms-path-'));
  const { PATH = '' } = process.env;
  const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  await writeFile(join(dir, 'git'), `#!/bin/sh\necho "$*" >> ${dir}/calls\nexec ${git} "$@"\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${dir}:${PATH}`);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(dir, { recursive: true, force: true });
  });
  return async () => (await readFile(join(dir, 'calls'), 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
}

it('600 files without a date are looked up in one git call, without blocking', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 600 }, (_, at) => [`posts/p${at}.md`, undated(`P${at}`, `id: ${100 + at}\n`)]),
  );
  const dir = await folder(files);
  createRepository(dir).commit('Begin', '2024-01-02T03:04:05Z');
  const calls = await gitCalls();
  let turns = 0;
  const beat = setInterval(() => turns++, 1);
  onTestFinished(() => clearInterval(beat));
  const site = await opened(dir);
  for (const path of Object.keys(files)) expect(await written(dir, path)).toBe('2024-01-02T04:04:05');
  expect(site.problems()).toEqual([]);
  expect(turns).toBeGreaterThan(20);
  expect((await calls()).filter((line) => line.includes(' log '))).toHaveLength(1);
});

it('git is not called when every file has a date in its front matter or name', async () => {
  const dir = await folder({
    'posts/a.md': undated('A', 'date: 2024-01-01\n'),
    'posts/2024-05-01-b.md': undated('B'),
    'posts/2024/05/c.md': undated('C'),
    'posts/d.md': undated('D', 'status: draft\n'),
    'media/2024/05/cat.txt': 'cat',
  });
  createRepository(dir).commit('Begin', '2024-01-02T03:04:05Z');
  const calls = await gitCalls();
  const site = await opened(dir);
  await site.reload();
  expect(await calls()).toEqual([]);
});
