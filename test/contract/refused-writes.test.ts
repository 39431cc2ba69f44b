/** Writes that no file can hold: the client is at fault, or whoever put something in the way; nothing of them is on disk. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite } from '../../src/open-site.ts';
import { temporaryFolder } from '../kernel/store/folder.ts';
import { startSite, type TestSite } from '../support/site.ts';

/** A page below a page, down to the last folder that is read: the file of the last one has 64 segments. */
const nested = Array.from({ length: 63 }, (_, depth) => {
  const slugs = Array.from({ length: depth + 1 }, (_none, at) => `p${at}`);
  return [`pages/${slugs.join('/')}.md`, `---\nid: ${1000 + depth}\n---\n`] as const;
});

let site: TestSite;
beforeAll(async () => {
  const files = {
    'pages/about.md': '---\nid: 50\ntitle: About\n---\n',
    'pages/team.md': '---\nid: 51\ntitle: Team\n---\n',
    ...Object.fromEntries(nested),
  };
  site = await startSite({ files });
});
afterAll(() => site.close());

const listing = async (): Promise<string[]> =>
  (await readdir(site.dir, { recursive: true })).filter((path) => !path.startsWith('.cms')).sort();

async function refuses(method: string, path: string, body: object, status: number, code: string): Promise<void> {
  const before = await listing();
  const logged = site.log.length;
  const { status: answered, body: told } = await site.ask(method, `/cms/v2${path}`, { as: 'admin', body });
  expect({ status: answered, code: told.code }).toEqual({ status, code });
  expect(await listing()).toEqual(before);
  expect(site.log.slice(logged)).toEqual([]);
}

describe('front matter of more than 1 MB', () => {
  const long = 'x'.repeat(1024 * 1024 + 1);

  it.each([
    ['a title', 'POST', '/posts', { title: long }],
    ['an excerpt', 'POST', '/posts', { title: 'Short', excerpt: long }],
    ['a title that changes', 'PUT', '/pages/50', { title: long }],
    ['the description of a term', 'POST', '/categories', { name: 'News', description: long }],
    ['the description of a user', 'POST', '/users/1', { description: long }],
  ])('is refused: %s', (_name, method, path, body) => refuses(method, path, body, 413, 'rest_fields_too_large'));

  it('leaves the item unchanged', async () => {
    expect((await site.ask('GET', '/cms/v2/pages/50')).body.title.rendered).toBe('About');
  });
});

describe('an obstacle in the way of a write', () => {
  const march = { date: '2026-03-01T12:00:00', status: 'publish' };

  it('refuses a file where a directory is', async () => {
    await mkdir(join(site.dir, 'posts/2026/03/hello.md'), { recursive: true });
    await refuses('POST', '/posts', { title: 'Hello', ...march }, 409, 'rest_path_blocked');
    await mkdir(join(site.dir, 'terms/category/foo.yaml'), { recursive: true });
    await refuses('POST', '/categories', { name: 'Foo' }, 409, 'rest_path_blocked');
  });

  it('refuses to move a page and its children there', async () => {
    const { body: child } = await site.ask('POST', '/cms/v2/pages', {
      as: 'admin',
      body: { title: 'Child', parent: 51, status: 'publish' },
    });
    await mkdir(join(site.dir, 'pages/people/child.md'), { recursive: true });
    await refuses('PUT', '/pages/51', { slug: 'people' }, 409, 'rest_path_blocked');
    expect((await site.ask('GET', `/cms/v2/pages/${child.id}`)).body.link).toBe(`${site.url}/team/child/`);
  });

  it('refuses a file behind a link', async () => {
    await symlink(join(site.dir, 'pages'), join(site.dir, 'posts/2027'));
    await refuses('POST', '/posts', { title: 'Hello', ...march, date: '2027-03-01T12:00:00' }, 409, 'rest_path_blocked');
  });
});

describe('a write by the server itself', () => {
  const files = {
    'site.yaml': 'name: Quay\n',
    'posts/2026/03/a.md': '---\ntitle: A\ndate: 2026-03-05\n---\nText\n',
    'media/2026/03/cat.gif': 'GIF89a',
  };

  it.each<[string, Record<string, string>, (dir: string) => Promise<unknown>]>([
    ['a link in the place of a sidecar', {}, (dir) => symlink('/etc/hostname', join(dir, 'media/2026/03/cat.gif.yaml'))],
    ['a link that leads nowhere there', {}, (dir) => symlink('nowhere', join(dir, 'media/2026/03/cat.gif.yaml'))],
    ['a folder there', {}, (dir) => mkdir(join(dir, 'media/2026/03/cat.gif.yaml'))],
    [
      'a link in the place of the folder of what a post names',
      { 'posts/2026/03/b.md': '---\nid: 70\ntitle: B\ndate: 2026-03-05\ntags: [tides]\nauthor: kay\n---\n' },
      async (dir) => {
        for (const name of ['terms', 'users']) await symlink(join(dir, 'posts'), join(dir, name));
      },
    ],
    [
      'front matter that is as long as it may be',
      { 'posts/2026/03/b.md': `---\ntitle: B\ndate: 2026-03-05\nx: ${'x'.repeat(1024 * 1024 - 33)}\n---\n` },
      async () => undefined,
    ],
  ])('is skipped where there is %s, and the rest is written', async (_, more, lay) => {
    const folder = temporaryFolder({ ...files, ...more });
    await lay(folder.dir);
    const opened = await openSite(folder.dir);
    try {
      expect([...opened.posts.all()].map(({ title }) => title)).toContain('A');
      expect(folder.read('posts/2026/03/a.md')).toMatch(/^id: \d+$/m);
      expect(existsSync(folder.at('posts/tag'))).toBe(false);
    } finally {
      await opened.close();
    }
  });
});

it('a page deeper than the supported folder depth is refused', () =>
  refuses('POST', '/pages', { title: 'One more', parent: 1062, status: 'publish' }, 400, 'rest_path_too_long'));
