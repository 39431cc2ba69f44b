/** Items with a date to come, whatever their files say: hidden everywhere until their minute, and there from then on. */
import { mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { composeSite, openSite } from '../../src/open-site.ts';
import { createSchedule } from '../../src/modules/content/posts/schedule.ts';
import { exportStatic } from '../../src/transfer/export/static.ts';
import { startSite, type TestSite, until } from '../support/site.ts';
import { startWorkers } from '../workers/workers.ts';

const canary = 'kingfisher';
const start = Date.parse('2026-03-01T10:00:00Z');
const minute = 60_000;
const item = (...lines: string[]): string => `---\n${[`title: ${canary} title`, ...lines].join('\n')}\n---\n${canary} text\n`;

/** Files that are scheduled for 11:05 in Berlin, an hour ahead of GMT. */
const scheduled: readonly (readonly [what: string, path: string, text: string])[] = [
  ['a post without a status', 'posts/2026/03/later.md', item('id: 50', 'date: 2026-03-01T11:05:00')],
  ['a published post', 'posts/later.html', item('id: 51', 'date: 2026-03-01 11:05', 'status: publish')],
  ['a page', 'pages/later.md', item('id: 52', 'date: 2026-03-01T11:05:00')],
  ['an item of an own type', 'books/later.md', item('id: 53', 'date: 2026-03-01T11:05:00')],
  ['a date with an offset', 'posts/offset.md', item('id: 54', 'date: 2026-03-01T15:35:00+05:30')],
  ['a date in GMT', 'posts/gmt.md', item('id: 55', 'date: 2026-03-01T10:05:00Z')],
  ['a scheduled post', 'posts/said.md', item('id: 56', 'date: 2026-03-01T11:05:00', 'status: future')],
  [
    'a published post with keys of other generators',
    'posts/keys.md',
    item('id: 57', 'date: 2026-03-01T11:05:00', 'draft: false', 'published: true'),
  ],
];

const files = {
  'site.yaml':
    'name: Quay\ntimezone: Europe/Berlin\ntypes:\n  book: { plural: Books, rest_base: books, taxonomies: [category], supports: [title, editor, author, comments] }\n',
  'users/kay.yaml': 'id: 9\nname: Kay\n',
  'terms/category/news.yaml': 'id: 30\nname: News\n',
};
const bases: Readonly<Record<string, string>> = { posts: 'posts', pages: 'pages', books: 'books' };
const routeOf = (path: string, text: string): string => `${bases[path.split('/')[0] as string]}/${/id: (\d+)/.exec(text)?.[1]}`;

/** Anonymous requests below `/cms-json/cms/v2`, in which an item would be found. */
const lists = [
  '/posts?per_page=100&_embed',
  '/posts?search=kingfisher',
  '/posts?after=2026-01-01T00:00:00&orderby=modified',
  '/posts?categories=30',
  '/posts?author=9',
  '/posts?slug=later',
  '/posts?sticky=true',
  '/posts?include=50,51,54,55,56,57',
  '/pages?per_page=100',
  '/pages?parent=52',
  '/books?per_page=100',
  '/search?search=kingfisher',
  '/search?search=later&type=post&subtype=any',
  '/comments?per_page=100',
  '/media?per_page=100&_embed',
];

/** A whole second, far enough that a file can be written and looked at before. */
const soon = (): Date => new Date(Math.ceil(Date.now() / 1000) * 1000 + 3000);

async function shown(site: TestSite): Promise<string> {
  const answers = await Promise.all(lists.map((path) => site.ask('GET', `/cms/v2${path}`)));
  const pages = await Promise.all(['/', '/later/', '/?p=50', '/?page_id=52'].map((path) => site.ask('GET', path, { raw: true })));
  return [...answers, ...pages].map(({ body }) => (typeof body === 'string' ? body : JSON.stringify(body))).join('\n');
}

describe('an item whose file has a future date', () => {
  it.each(scheduled)('%s is hidden before its minute and public from then on', async (_, path, text) => {
    let now = start;
    const site = await startSite({ clock: () => now, files: { ...files, [path]: text } });
    try {
      const route = `/cms/v2/${routeOf(path, text)}`;
      const before = await site.ask('GET', route);
      expect([before.status, JSON.stringify(before.body).includes(canary)]).toEqual([401, false]);
      expect(await shown(site)).not.toContain(canary);
      expect((await site.ask('GET', `${route}?context=edit`, { as: 'admin' })).body.status).toBe('future');
      now += 4 * minute;
      expect((await site.ask('GET', route)).status).toBe(401);
      now += minute;
      // The timer of the server runs on the clock of the system.
      createSchedule(site.site)();
      expect((await site.ask('GET', route)).status).toBe(200);
      expect(await shown(site)).toContain(canary);
    } finally {
      await site.close();
    }
  });

  it('is not counted for its author or terms', async () => {
    const text = item('id: 50', 'date: 2026-03-01T11:05:00', 'author: kay', 'categories: [news]');
    const site = await startSite({ clock: () => start, files: { ...files, 'posts/later.md': text } });
    try {
      const { body: term } = await site.ask('GET', '/cms/v2/categories/30');
      expect(term.count).toBe(0);
      expect((await site.ask('GET', '/cms/v2/users/9')).status).toBe(401);
      expect((await site.ask('GET', '/cms/v2/posts')).headers.get('x-cms-total')).toBe('0');
    } finally {
      await site.close();
    }
  });

  it('hides its comments, media, embeds and revisions', async () => {
    const later = item('id: 50', 'date: 2026-03-01T11:05:00', 'slug: later');
    const site = await startSite({
      clock: () => start,
      files: {
        ...files,
        'posts/later.md': later,
        'posts/open.md': '---\nid: 60\ntitle: Open\ndate: 2026-02-01\nfeatured_media: cat.gif\n---\nOpen\n',
        'media/cat.gif': 'GIF89a',
        'media/cat.gif.yaml': `id: 61\ntitle: ${canary} picture\npost: 50\n`,
        'comments/50/1.html': `---\nid: 1\nname: Ben\n---\n${canary} comment\n`,
        'revisions/50/62.md': `---\nid: 62\ndate: 2026-02-01T10:00:00\nauthor: kay\ntitle: ${canary} former\n---\n${canary}\n`,
      },
    });
    try {
      const address = encodeURIComponent(`${site.url}/later/`);
      const plain = encodeURIComponent(`${site.url}/?p=50`);
      for (const path of [
        '/cms/v2/comments/1',
        '/cms/v2/comments?post=50',
        '/cms/v2/media/61',
        '/cms/v2/media?parent=50',
        '/cms/v2/posts/60?_embed',
        '/cms/v2/posts/50/revisions',
        '/cms/v2/posts/50/revisions/62',
        '/cms/v2/posts/50/autosaves',
        `/oembed/1.0/embed?url=${address}`,
        `/oembed/1.0/embed?url=${plain}`,
      ])
        expect(JSON.stringify((await site.ask('GET', path)).body), path).not.toContain(canary);
    } finally {
      await site.close();
    }
  });

  it('appears on time without a request, despite the front cache', async () => {
    const site = await startSite({ files });
    const due = soon();
    const text = item('id: 50', `date: ${due.toISOString().slice(0, 19)}Z`);
    try {
      await site.write('posts/later.md', text);
      await until(() => site.site.posts.get(50));
      // The second of equal answers is kept.
      for (let n = 0; n < 3; n++) expect((await site.ask('GET', '/cms/v2/posts')).body).toEqual([]);
      await until(() => site.site.posts.get(50)?.status === 'publish');
      expect(Date.now()).toBeGreaterThanOrEqual(due.getTime());
      expect(Date.now() - due.getTime()).toBeLessThan(10_000);
      expect((await site.ask('GET', '/cms/v2/posts')).body).toHaveLength(1);
      expect(await site.read('posts/later.md')).toBe(text);
    } finally {
      await site.close();
    }
  });

  it('appears on every worker, readers included', async () => {
    await using workers = await startWorkers();
    const due = soon();
    await workers.write('posts/later.md', item('id: 50', `date: ${due.toISOString().slice(0, 19)}Z`));
    const seen = (): Promise<number[]> =>
      Promise.all(workers.urls().map(async (url) => (await workers.ask(url, 'GET', '/cms-json/cms/v2/posts/50')).status));
    await until(async () => (await seen()).every((status) => status === 401));
    expect(Date.now()).toBeLessThan(due.getTime());
    await until(async () => (await seen()).every((status) => status === 200));
    expect(Date.now()).toBeGreaterThanOrEqual(due.getTime());
  });

  it('disappears when its date is moved into the future, and comes back', async () => {
    const site = await startSite({ clock: () => start, files });
    try {
      const dates: readonly (readonly [date: string, status: number])[] = [
        ['2026-02-01', 200],
        ['2026-04-01', 401],
        ['2026-02-02', 200],
      ];
      for (const [date, status] of dates) {
        await site.write('posts/2026/03/moved.md', item('id: 50', `date: ${date}`));
        await until(() => site.site.posts.get(50)?.date.startsWith(date));
        expect((await site.ask('GET', '/cms/v2/posts/50')).status).toBe(status);
      }
    } finally {
      await site.close();
    }
  });

  it('can be scheduled by the month of its folder, but not by its file time', async () => {
    const site = await startSite({
      clock: () => start,
      files: { ...files, 'posts/2026/07/folder.md': item('id: 50'), 'posts/loose.md': item('id: 51') },
    });
    try {
      await utimes(join(site.dir, 'posts/loose.md'), new Date(start + 30 * minute), new Date(start + 30 * minute));
      await site.site.reload();
      expect((await site.ask('GET', '/cms/v2/posts/50')).status).toBe(401);
      expect((await site.ask('GET', '/cms/v2/posts/51')).status).toBe(200);
    } finally {
      await site.close();
    }
  });

  it('appears at the next start, from the record cache and on read-only sites', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 600 }, (_, n) => [`posts/p${n}.md`, `---\nid: ${100 + n}\ndate: 2026-02-01\n---\nText ${n}\n`]),
    );
    const later = Object.fromEntries(scheduled.map(([, path, text]) => [path, text]));
    const first = await startSite({ clock: () => start, files: { ...files, ...many, ...later } });
    const ids = scheduled.map(([, , text]) => Number(/id: (\d+)/.exec(text)?.[1]));
    try {
      // A snapshot is of files whose times can be trusted.
      const past = new Date(Date.now() - minute);
      for (const path of await readdir(first.dir, { recursive: true }))
        if (path.endsWith('.md')) await utimes(join(first.dir, path), past, past);
      await first.site.reload();
      const again = await openSite(first.dir, { clock: () => start });
      await again.close();
      for (const readOnly of [true, false]) {
        const before = await openSite(first.dir, { clock: () => start, readOnly });
        expect(ids.map((id) => before.posts.get(id)?.status)).toEqual(ids.map(() => 'future'));
        await before.close();
        const after = await openSite(first.dir, { clock: () => start + 6 * minute, readOnly });
        expect(ids.map((id) => after.posts.get(id)?.status)).toEqual(ids.map(() => 'publish'));
        await after.close();
      }
    } finally {
      await first.close();
    }
  });

  it('is in no file of a static export', async () => {
    const later = Object.fromEntries(scheduled.map(([, path, text]) => [path, text]));
    const open = {
      'posts/open.md': '---\nid: 60\ntitle: Open\ndate: 2026-02-01\nfeatured_media: bird.gif\n---\nOpen\n',
      'media/bird.gif': 'GIF89a',
      'media/bird.gif.yaml': `id: 61\ntitle: ${canary}\npost: 50\n`,
    };
    const site = await startSite({ clock: () => start, files: { ...files, ...later, ...open } });
    const out = await mkdtemp(join(tmpdir(), 'cms-scheduled-'));
    try {
      await exportStatic({ site: site.site, registry: composeSite(site.site), out });
      let count = 0;
      for (const one of await readdir(out, { recursive: true, withFileTypes: true })) {
        if (!one.isFile()) continue;
        count++;
        expect(await readFile(join(one.parentPath, one.name), 'latin1'), one.name).not.toMatch(/kingfisher|\/later\/|bird\.gif/);
      }
      expect(count).toBeGreaterThan(10);
    } finally {
      await site.close();
      await rm(out, { recursive: true, force: true });
    }
  });

  it('keeps the lines that a write does not change', async () => {
    let now = start;
    const text = item('id: 50', 'status: publish', 'date: 2026-03-01T11:05:00');
    const site = await startSite({ clock: () => now, files: { ...files, 'posts/2026/03/later.md': text } });
    const path = 'posts/2026/03/later.md';
    const save = async (body: object): Promise<string> => {
      const { status, body: saved } = await site.ask('PUT', '/cms/v2/posts/50', { as: 'admin', body });
      expect(status).toBe(200);
      return saved.status;
    };
    try {
      expect(await save({ excerpt: 'New' })).toBe('future');
      expect(await site.read(path)).toContain('\nstatus: publish\n');
      expect(await save({ status: 'publish' })).toBe('future');
      expect(await site.read(path)).toContain('\nstatus: publish\n');
      expect(await save({ date: '2026-03-01T10:30:00' })).toBe('publish');
      expect(await site.read(path)).toContain('\nstatus: publish\n');
      expect(await save({ status: 'draft' })).toBe('draft');
      expect(await site.read(path)).toContain('\nstatus: draft\n');
      now += minute;
      expect(await save({ status: 'publish' })).toBe('publish');
      expect((await site.ask('GET', '/cms/v2/posts/50')).status).toBe(200);
    } finally {
      await site.close();
    }
  });

  it('stays hidden without a date, however long it waits', async () => {
    let now = start;
    const site = await startSite({ clock: () => now, files: { ...files, 'posts/later.md': item('id: 50', 'status: future') } });
    try {
      now += 1000 * minute;
      createSchedule(site.site)();
      expect((await site.ask('GET', '/cms/v2/posts/50')).status).toBe(401);
      await site.write('posts/later.md', item('id: 50', 'status: future', 'date: 2026-03-01'));
      await until(async () => (await site.ask('GET', '/cms/v2/posts/50')).status === 200);
    } finally {
      await site.close();
    }
  });

  it('stays hidden if its file cannot be read when its minute comes', async () => {
    let now = start;
    const text = item('id: 50', 'date: 2026-03-01T11:05:00');
    const site = await startSite({ clock: () => now, files: { ...files, 'posts/later.md': text } });
    try {
      await site.write('posts/later.md', text.replace('id: 50', 'id: 50\nstatus: draft\nsticky: perhaps'));
      await until(() => site.site.problems().length > 0);
      now += 10 * minute;
      createSchedule(site.site)();
      expect((await site.ask('GET', '/cms/v2/posts/50')).status).toBe(401);
    } finally {
      await site.close();
    }
  });
});
