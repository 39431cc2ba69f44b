/** Files that state the id of another one: who has held it keeps it, and the newcomer gets its own. */
import { cp, mkdir, mkdtemp, readFile, rename, rm, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRepository } from '../support/git.ts';
import { startSite, type TestSite, type TestSiteOptions, until } from '../support/site.ts';
import { run } from '../cli/run.ts';

async function served(options: TestSiteOptions = {}): Promise<TestSite> {
  const site = await startSite(options);
  onTestFinished(() => site.close());
  return site;
}

async function folder(files: Readonly<Record<string, string>>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'cms-copies-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  for (const [path, text] of Object.entries({ 'site.yaml': 'title: Copies\ntimezone: UTC\n', ...files })) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
  return dir;
}

const folderOf = 'posts/2026/03/';
const post = (id: number, more = '', title = 'W') =>
  `---\nid: ${id}\ntitle: ${title}\n${more}date: 2026-03-05\n---\nText of ${title}\n`;
const original = `${folderOf}w.md`;
const idIn = (text: string): number => Number(/^id: (\d+)$/m.exec(text)?.[1]);
const pathOf = (site: TestSite, id: number): string | undefined => site.site.posts.get(id)?.path;
const ownIds = (site: TestSite): string[] => site.log.filter((line) => line.includes(' is that of '));

describe('a copy made while the server runs', () => {
  it.each(['w copy.md', 'w (1).md', 'w-copy.md', 'Copy of w.md', 'w 2.md', 'Kopie von w.md', 'a.md', 'zz.md'])(
    '%s: the original is unchanged, its copy gets an id, and one line of its file and of the log changes',
    async (name) => {
      const site = await served({ files: { [original]: post(57) } });
      await site.write(folderOf + name, post(57, '', 'Copy'));
      const text = await until(async () => {
        expect((await site.ask('GET', '/cms/v2/posts/57')).body.title.rendered).toBe('W');
        const found = await site.read(folderOf + name);
        return idIn(found) === 57 ? null : found;
      });
      const id = idIn(text);
      expect(text).toBe(post(id, '', 'Copy'));
      expect(await site.read(original)).toBe(post(57));
      expect((await until(() => site.ask('GET', `/cms/v2/posts/${id}`))).body.title.rendered).toBe('Copy');
      expect(site.site.posts.get(id)?.slug).not.toBe('w');
      expect(ownIds(site)).toEqual([`${folderOf}${name}: id 57 is that of ${original}; it has got ${id}`]);
      // An editor that still has the old text writes it again.
      await site.write(folderOf + name, post(57, '', 'Again'));
      await until(async () => (await site.read(folderOf + name)) === post(id, '', 'Again'));
      expect(ownIds(site)).toHaveLength(1);
      expect(site.site.problems()).toEqual([]);
    },
  );

  it('gets its own slug and no aliases', async () => {
    const text = post(57, 'slug: wharf\n').replace('date: 2026-03-05\n', 'date: 2026-03-05\naliases: [quay, w]\nguid: /?p=3\n');
    const site = await served({ files: { [original]: text } });
    await site.write(`${folderOf}b.md`, text.replace('[quay, w]', '[quay, own]'));
    await site.write(`${folderOf}c.md`, text);
    const copies = await until(async () => {
      const texts = await Promise.all(['b', 'c'].map((name) => site.read(`${folderOf}${name}.md`)));
      return texts.every((one) => idIn(one) !== 57) ? texts : null;
    });
    expect(copies[0]).toMatch(/^slug: wharf-[23]$/m);
    expect(copies[0]).toMatch(/aliases: ?(\[own\]|\n {2}- own)\n/);
    expect(copies[1]).toMatch(/^slug: wharf-[23]$/m);
    expect(copies[1]).not.toMatch(/aliases|guid/);
    expect(/^slug: .*$/m.exec(copies[0] as string)?.[0]).not.toBe(/^slug: .*$/m.exec(copies[1] as string)?.[0]);
    expect(await site.read(original)).toBe(text);
    expect((await site.ask('GET', '/cms/v2/posts?slug=wharf')).body.map(({ id }: { id: number }) => id)).toEqual([57]);
  });

  it('of a folder with nested pages is complete, and so is the original', async () => {
    const page = (id: number, title: string) => `---\nid: ${id}\ntitle: ${title}\ndate: 2026-03-05\n---\n`;
    const site = await served({
      files: { 'pages/m/index.md': page(70, 'M'), 'pages/m/team.md': page(71, 'Team'), 'pages/m/team/boss.md': page(72, 'Boss') },
    });
    await cp(join(site.dir, 'pages/m'), join(site.dir, 'pages/a'), { recursive: true });
    const names = ['index.md', 'team.md', 'team/boss.md'];
    const ids = await until(async () => {
      const found = await Promise.all(names.map(async (name) => idIn(await site.read(`pages/a/${name}`))));
      return found.every((id) => ![70, 71, 72].includes(id)) ? found : null;
    });
    await until(() => ids.every((id) => site.site.posts.get(id)));
    expect(ids.map((id) => site.site.posts.get(id)?.parent)).toEqual([0, ids[0], ids[1]]);
    expect([70, 71, 72].map((id) => site.site.posts.get(id)?.parent)).toEqual([0, 70, 71]);
    expect([70, 71, 72].map((id) => pathOf(site, id))).toEqual(names.map((name) => `pages/m/${name}`));
  });

  it('of every kind of file gets an id, and the original keeps its own', async () => {
    const files = {
      'terms/category/news.yaml': 'id: 40\nname: News\nslug: news\n',
      'users/ben.yaml': 'id: 41\nname: Ben\nslug: ben\n',
      'comments/1/42.html': '---\nid: 42\nname: Cleo\ndate: 2026-03-05\n---\nText\n',
      'media/2026/03/cat.txt': 'cat',
      'media/2026/03/cat.txt.yaml': 'id: 43\ntitle: Cat\nslug: cat\ndate: 2026-03-05\n',
      'menus/main.yaml':
        'id: 44\nname: Main\nitems:\n  - url: /a\n    id: 45\n    items:\n      - url: /b\n        id: 46\n  - url: /c\n    id: 47\n    parent: 45\n',
      'patterns/hero.html': '---\nid: 48\ntitle: Hero\n---\n<p>Hero</p>\n',
      'revisions/1/49.html': '---\nid: 49\nparent: 1\ndate: 2026-03-05\n---\nText\n',
    };
    const copyOf = (path: string): string => path.replace(/\/([^/.]+)\.(?=[^/]*$)/, '/$1 copy.').replace('42', 'a42');
    const site = await served({ files });
    for (const [path, text] of Object.entries(files)) await site.write(copyOf(path), text);
    const yaml = Object.keys(files).filter((path) => !path.endsWith('.txt'));
    const idsIn = (text: string): string[] => [...text.matchAll(/^[ -]*id: (\d+)$/gm)].map(([, id]) => id as string);
    const copied = await until(async () => {
      const texts = await Promise.all(yaml.map((path) => site.read(copyOf(path))));
      const isApart = texts.every((text, at) => {
        const before = idsIn(files[yaml[at] as keyof typeof files]);
        return idsIn(text).every((id, place) => id !== before[place]);
      });
      return isApart ? texts : null;
    });
    for (const [path, text] of Object.entries(files)) expect(await site.read(path)).toBe(text);
    expect(copied[0]).toMatch(/^slug: news-2$/m);
    expect(copied[1]).toMatch(/^slug: ben-2$/m);
    expect(copied[3]).toMatch(/^slug: cat-2$/m);
    const menu = copied[4] as string;
    const items = [...menu.matchAll(/^ +(?:- )?id: (\d+)$/gm)].map(([, id]) => Number(id));
    expect(new Set(items).size).toBe(3);
    expect(menu).toContain(`parent: ${items[0]}`);
    for (const [id, path] of [
      [45, 'menus/main.yaml'],
      [46, 'menus/main.yaml'],
      [43, 'media/2026/03/cat.txt.yaml'],
    ] as const)
      expect(pathOf(site, id)).toBe(path);
    expect(site.site.terms.get(40)?.path).toBe('terms/category/news.yaml');
    expect(site.site.users.get(41)?.path).toBe('users/ben.yaml');
    expect(site.site.comments.get(42)?.path).toBe('comments/1/42.html');
  });

  it('of a post with the id of a menu item gets its own id', async () => {
    const site = await served({ files: { 'menus/main.yaml': 'id: 44\nname: Main\nitems:\n  - url: /a\n    id: 45\n' } });
    await site.write(original, post(45));
    await until(async () => idIn(await site.read(original)) !== 45);
    expect(pathOf(site, 45)).toBe('menus/main.yaml');
  });
});

describe('a file that moves', () => {
  it.each([
    ['renamed', async (from: string, to: string) => rename(from, to)],
    ['copied and removed', async (from: string, to: string) => cp(from, to).then(() => unlink(from))],
    [
      'removed and written',
      async (from: string, to: string) => {
        const text = await readFile(from);
        await unlink(from);
        await writeFile(to, text);
      },
    ],
    [
      'written, and removed a moment later',
      async (from: string, to: string, seen: () => Promise<unknown>) => {
        await cp(from, to);
        await seen();
        await unlink(from);
      },
    ],
    [
      'renamed and edited',
      async (from: string, to: string) => {
        await rename(from, to);
        await writeFile(to, post(57, '', 'Edited'));
      },
    ],
  ] as const)('and is %s keeps its id', async (_, move) => {
    const site = await served({ files: { [original]: post(57) } });
    const to = `${folderOf}a moved.md`;
    const seen = () => until(() => site.site.store.knows(to));
    await move(join(site.dir, original), join(site.dir, to), seen);
    await until(() => pathOf(site, 57) === to);
    // Longer than a newcomer waits.
    const end = Date.now() + 1500;
    await until(() => Date.now() > end);
    expect([pathOf(site, 57), idIn(await site.read(to)), ownIds(site)]).toEqual([to, 57, []]);
  });

  it('between checked out branches keeps its id, whatever else has it there', async () => {
    const dir = await folder({ [original]: post(57), [`${folderOf}x.md`]: post(58, '', 'X') });
    const git = createRepository(dir);
    await writeFile(join(dir, '.gitignore'), '.cms/\n');
    git.commit('Begin');
    git.run('checkout', '--quiet', '-b', 'other');
    git.run('mv', original, `${folderOf}a.md`);
    await writeFile(join(dir, folderOf, 'x.md'), post(57, '', 'X'));
    await writeFile(join(dir, folderOf, 'a.md'), post(58));
    git.commit('Swap');
    git.run('checkout', '--quiet', 'main');
    const site = await served({ from: dir });
    const repository = (branch: string) => createRepositoryIn(site.dir, branch);
    for (const [branch, paths] of [
      ['other', [`${folderOf}x.md`, `${folderOf}a.md`]],
      ['main', [original, `${folderOf}x.md`]],
      ['other', [`${folderOf}x.md`, `${folderOf}a.md`]],
    ] as const) {
      repository(branch);
      await until(() => pathOf(site, 57) === paths[0] && pathOf(site, 58) === paths[1]);
    }
    const end = Date.now() + 1500;
    await until(() => Date.now() > end);
    expect(ownIds(site)).toEqual([]);
    expect(createRepository(site.dir).run('status', '--porcelain', '--untracked-files=no')).toBe('');
  });
});

function createRepositoryIn(dir: string, branch: string): void {
  createRepository(dir).run('checkout', '--quiet', branch);
}

describe('a copy found at start', () => {
  const copies = ['w copy.md', 'w (1).md', 'w-copy.md', 'Copy of w.md', 'w 2.md', 'Kopie von w.md', '2026-copy/w.md'];
  it.each(copies)('%s, in a clone without history: the copy is recognized by its name', async (name) => {
    const path = `posts/${name.includes('/') ? name : `2026/${name}`}`;
    const dir = await folder({ [path]: post(57, '', 'Copy'), 'posts/2026/w.md': post(57) });
    // A checkout writes files in any order.
    await utimes(join(dir, 'posts/2026/w.md'), new Date(), new Date());
    await utimes(join(dir, path), new Date(), new Date(Date.now() - 60_000));
    const found = await run(['validate', '--json'], { cwd: dir });
    expect(
      JSON.parse(found.out)
        .problems.filter(({ rule }: { rule: string }) => rule === 'duplicate-id')
        .map((one: { path: string }) => one.path),
    ).toEqual([path]);
    const site = await served({ from: dir });
    expect(pathOf(site, 57)).toBe('posts/2026/w.md');
    expect(idIn(await site.read(path))).not.toBe(57);
    expect(await site.read('posts/2026/w.md')).toBe(post(57));
  });

  it('with another name: the older file keeps the id', async () => {
    const dir = await folder({ 'posts/2026/a.md': post(57, '', 'Copy'), 'posts/2026/w.md': post(57) });
    await utimes(join(dir, 'posts/2026/w.md'), new Date(), new Date(Date.now() - 60_000));
    const site = await served({ from: dir, readOnly: true });
    // Copying a site renews all times.
    await site.close();
    const { openSite } = await import('../../src/open-site.ts');
    const own = await openSite(dir);
    onTestFinished(() => own.close());
    expect(own.posts.get(57)?.path).toBe('posts/2026/w.md');
  });

  it('with git: the file with the id in HEAD keeps it, whatever the names and times', async () => {
    const dir = await folder({ 'posts/2026/w copy.md': post(57) });
    const git = createRepository(dir);
    git.commit('Begin');
    await writeFile(join(dir, 'posts/2026/w.md'), post(57, '', 'Newcomer'));
    await utimes(join(dir, 'posts/2026/w.md'), new Date(0), new Date(0));
    const found = await run(['validate', '--fix', '--json'], { cwd: dir });
    expect(JSON.parse(found.out).fixed).toMatchObject([{ path: 'posts/2026/w.md', rule: 'duplicate-id' }]);
    expect(await readFile(join(dir, 'posts/2026/w copy.md'), 'utf8')).toBe(post(57));
    git.run('checkout', '--quiet', '--', '.');
    await writeFile(join(dir, 'posts/2026/w.md'), post(57, '', 'Newcomer'));
    const site = await served({ from: dir });
    expect(pathOf(site, 57)).toBe('posts/2026/w copy.md');
    expect(await site.read('posts/2026/w copy.md')).toBe(post(57));
  });

  it('of two branches: the one that was in HEAD first keeps the id, even if the other was written earlier', async () => {
    const dir = await folder({ 'posts/2026/x.md': post(1, '', 'X') });
    const git = createRepository(dir);
    git.commit('Begin');
    git.run('checkout', '--quiet', '-b', 'feature');
    await writeFile(join(dir, 'posts/2026/a.md'), post(57, '', 'Feature'));
    git.commit('Feature', '2024-02-01T10:00:00Z');
    git.run('checkout', '--quiet', 'main');
    await writeFile(join(dir, 'posts/2026/w.md'), post(57));
    git.commit('Main', '2024-03-01T10:00:00Z');
    git.run('merge', '--quiet', '--no-edit', 'feature');
    const site = await served({ from: dir });
    expect(pathOf(site, 57)).toBe('posts/2026/w.md');
    const id = idIn(await site.read('posts/2026/a.md'));
    expect([id === 57, pathOf(site, id)]).toEqual([false, 'posts/2026/a.md']);
  });

  it('is served under its own id and slug on a read-only site', async () => {
    const text = post(57, 'slug: wharf\n');
    const files = { 'posts/2026/w.md': text, 'posts/2026/w copy.md': text };
    const dir = await folder(files);
    const site = await served({ from: dir, readOnly: true });
    expect(pathOf(site, 57)).toBe('posts/2026/w.md');
    const { body } = await site.ask('GET', '/cms/v2/posts?orderby=id&order=desc');
    expect(body.map(({ slug }: { slug: string }) => slug)).toEqual(['wharf-2', 'wharf']);
    const { id } = body[0];
    await site.site.reload();
    expect(pathOf(site, id)).toBe('posts/2026/w copy.md');
    for (const [path, before] of Object.entries(files)) expect(await site.read(path)).toBe(before);
    expect(ownIds(site)).toEqual([`posts/2026/w copy.md: id 57 is that of posts/2026/w.md; it is served under ${id}`]);
    expect(site.site.problems()).toMatchObject([{ path: 'posts/2026/w copy.md', rule: 'duplicate-id' }]);
  });

  it('of a whole folder leaves every original unchanged', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 150 }, (_, at) => [`posts/2026/p${at}.md`, post(100 + at, '', `P${at}`)]),
    );
    const dir = await folder(files);
    await cp(join(dir, 'posts/2026'), join(dir, 'posts/2026-copy'), { recursive: true });
    const site = await served({ from: dir });
    for (const [path, text] of Object.entries(files)) {
      expect(pathOf(site, idIn(text))).toBe(path);
      expect(await site.read(path)).toBe(text);
    }
    expect(site.site.posts.size).toBe(300);
    expect(new Set([...site.site.posts.all()].map(({ slug }) => slug)).size).toBe(300);
  });
});
