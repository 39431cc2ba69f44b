import { closeSync, fstatSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { pathsOf } from '../../src/kernel/store/commit-plan.ts';
import { startSite, type TestSite, until } from '../support/site.ts';

const handWritten = [
  '---',
  '# The first post; keep it short.',
  'title: "Hello, harbour"   # quoted on purpose',
  'mood: calm',
  'id: 50',
  "date: '2026-03-05 10:00'",
  'tags: [walks, Night Sky]  # two',
  'author: anna',
  '',
  'excerpt: >-',
  '  A few words',
  '  on two lines.',
  '---',
  '',
  'Boats *leave* early.',
  '',
].join('\n');

describe('a hand-written file', () => {
  let site: TestSite;
  const path = 'posts/2026/03/hello.md';

  beforeAll(async () => {
    site = await startSite({
      files: {
        [path]: handWritten,
        'posts/2026/04/bare.md': 'Only a body.\n',
        'posts/2026/04/crlf.md': '---\r\ntitle: Old\r\nid: 60\r\n---\r\nLine\r\n',
      },
    });
  });
  afterAll(() => site.close());

  /** Lines that a write took away and put in. */
  const diff = (before: string, after: string): string[] => {
    const [a, b] = [before.split('\n'), after.split('\n')];
    return [
      ...a.filter((line) => !b.includes(line)).map((line) => `- ${line}`),
      ...b.filter((line) => !a.includes(line)).map((line) => `+ ${line}`),
    ];
  };

  it('is served and left as it is', async () => {
    const { body } = await site.ask('GET', '/cms/v2/posts/50');
    expect(body).toMatchObject({
      title: { rendered: 'Hello, harbour' },
      slug: 'hello',
      date: '2026-03-05T10:00:00',
      content: { rendered: '<p>Boats <em>leave</em> early.</p>\n' },
    });
    expect(await site.read(path)).toBe(handWritten);
  });

  it('changes only in the lines of the title and the modification date', async () => {
    const before = await site.read(path);
    const { status, body } = await site.ask('POST', '/cms/v2/posts/50', { as: 'admin', body: { title: 'Hello again' } });
    expect(status).toBe(200);
    expect(diff(before, await site.read(path))).toEqual([
      '- title: "Hello, harbour"   # quoted on purpose',
      '+ title: "Hello again"   # quoted on purpose',
      `+ modified: ${body.modified}`,
    ]);
  });

  it('keeps its comments, unknown keys and quoting when terms and body change', async () => {
    const before = await site.read(path);
    const tag = (await site.ask('POST', '/cms/v2/tags', { as: 'admin', body: { name: 'Boats' } })).body.id;
    const { body } = await site.ask('POST', '/cms/v2/posts/50', { as: 'admin', body: { tags: [tag], content: 'Boats stay.' } });
    const after = await site.read(path);
    expect(body.tags).toEqual([tag]);
    expect(after).toContain('# The first post; keep it short.\n');
    expect(after).toContain('\nmood: calm\n');
    expect(diff(before, after).filter((line) => !line.includes('modified'))).toEqual([
      '- tags: [walks, Night Sky]  # two',
      '- Boats *leave* early.',
      '+ tags: [boats]  # two',
      '+ Boats stay.',
    ]);
  });

  it('gets an id as its first line and the date of its folder, and nothing else', async () => {
    await until(async () => (await site.read('posts/2026/04/bare.md')).includes('id:'));
    expect(await site.read('posts/2026/04/bare.md')).toMatch(
      /^---\nid: \d+\ndate: 2026-04-01T00:00:00\n---\n\n?Only a body\.\n$/,
    );
  });

  it('keeps its line endings', async () => {
    await site.ask('POST', '/cms/v2/posts/60', { as: 'admin', body: { title: 'New' } });
    const text = await site.read('posts/2026/04/crlf.md');
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
    expect(text).toContain('title: New\r\n');
  });

  it('has a text without its final newline, and gets one after a change of text', async () => {
    const change = (id: number, body: object) => site.ask('POST', `/cms/v2/posts/${id}`, { as: 'admin', body });
    await site.write('posts/ends.md', '---\nid: 4001\ntitle: Ends\n---\nOne.\n');
    await site.write('posts/open.md', '---\nid: 4002\ntitle: Open\n---\nOne.');
    for (const [id, name, end] of [
      [4001, 'ends', '\n'],
      [4002, 'open', ''],
    ] as const) {
      await until(async () => (await site.ask('GET', `/cms/v2/posts/${id}`)).status === 200);
      expect((await change(id, { title: 'Other' })).body.content.raw).toBe('One.');
      expect(await site.read(`posts/${name}.md`)).toMatch(new RegExp(`\n---\nOne\\.${end}$`));
    }
    for (const content of ['Two.', 'Two.\n', 'Two.\r\n\n', '\r', '\n', '']) {
      expect((await change(4001, { content })).body.content.raw).toBe(content);
      expect(await site.read('posts/ends.md')).toMatch(new RegExp(`\n---\n\n?${content === '' ? '' : `${content}\n`}$`));
    }
  });

  it('may name terms and authors that have no file yet: they get one', async () => {
    expect(await site.read('terms/tag/night-sky.yaml')).toMatch(/^id: \d+\nname: Night Sky\n$/);
    expect(await site.read('users/anna.yaml')).toMatch(/^id: \d+\nname: anna\n$/);
  });
});

describe('a file created over REST', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site.close());

  it('contains only non-default values, and reads back byte for byte', async () => {
    const content = '\n\n---\nA *body* with "quotes"\r\nand no end';
    const { body } = await site.ask('POST', '/cms/v2/posts', {
      as: 'admin',
      body: { title: 'no', content, status: 'publish', date: '2026-03-05T10:00:00' },
    });
    expect(body.content.raw).toBe(content);
    expect(await site.read('posts/2026/03/no.md')).toBe(
      `---\nid: ${body.id}\ntitle: 'no'\ndate: 2026-03-05T10:00:00\nauthor: admin\ncategories:\n  - uncategorized\n---\n\n${content}\n`,
    );
  });

  it('moves with its slug and date, and keeps the old slug', async () => {
    const made = await site.ask('POST', '/cms/v2/posts', {
      as: 'admin',
      body: { title: 'Tide', content: 'x', status: 'publish', date: '2026-05-05T10:00:00' },
    });
    await site.ask('PUT', `/cms/v2/posts/${made.body.id}`, { as: 'admin', body: { slug: 'ebb', date: '2025-01-02T10:00:00' } });
    await expect(site.read('posts/2026/05/tide.md')).rejects.toThrow();
    expect(await site.read('posts/2025/01/ebb.md')).toContain('aliases:\n  - tide\n');
  });

  it('takes its child pages along', async () => {
    const page = async (title: string, parent = 0) =>
      (await site.ask('POST', '/cms/v2/pages', { as: 'admin', body: { title, parent, status: 'publish' } })).body.id;
    const about = await page('About');
    const team = await page('Team', about);
    const anna = await page('Anna', team);
    expect(await site.read('pages/about/team/anna.md')).toContain('title: Anna');
    await site.ask('POST', `/cms/v2/pages/${about}`, { as: 'admin', body: { slug: 'about-us' } });
    expect(await site.read('pages/about-us/team/anna.md')).toContain('title: Anna');
    expect((await site.ask('GET', `/cms/v2/pages/${anna}`)).body).toMatchObject({
      parent: team,
      link: `${site.url}/about-us/team/anna/`,
    });
  });
});

describe('edits on both sides', () => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({
      files: { 'posts/2026/03/shared.md': '---\nid: 50\ntitle: Old title\nexcerpt: Old excerpt\n---\nBody\n' },
    });
  });
  afterAll(() => site.close());

  it('are visible over REST at once, not only after the periodic scan', { retry: 2 }, async () => {
    const title = `Saved by hand ${Date.now()}`;
    const started = Date.now();
    await site.write('posts/2026/03/shared.md', `---\nid: 50\ntitle: ${title}\nexcerpt: Old excerpt\n---\nBody\n`);
    await until(async () => (await site.ask('GET', '/cms/v2/posts/50')).body.title.rendered === title);
    expect(Date.now() - started).toBeLessThan(2500);
  });

  it('of different fields at the same moment both survive', async () => {
    await site.write('posts/2026/03/shared.md', '---\nid: 50\ntitle: Saved by hand\nexcerpt: New by hand\n---\nBody\n');
    const { status } = await site.ask('POST', '/cms/v2/posts/50', { as: 'admin', body: { title: 'New over REST' } });
    expect(status).toBe(200);
    expect(await site.read('posts/2026/03/shared.md')).toMatch(
      /title: New over REST\ndate: 2026-03-01T00:00:00\nmodified: .*\nexcerpt: New by hand\n/,
    );
    const { body } = await site.ask('GET', '/cms/v2/posts/50');
    expect(body).toMatchObject({ title: { rendered: 'New over REST' }, excerpt: { rendered: '<p>New by hand</p>\n' } });
  });

  it('by hand leave the replaced version as a revision', async () => {
    const { body } = await site.ask('GET', '/cms/v2/posts/50/revisions?context=edit', { as: 'admin' });
    const titles = body.map(({ title }: { title: { raw: string } }) => title.raw);
    expect(titles).toContain('Old title');
    expect(titles.some((title: string) => title.startsWith('Saved by hand'))).toBe(true);
  });

  it('by hand are one commit with their consequences and revision', async () => {
    const text = (title: string, tags = '') => `---\nid: 900\ntitle: ${title}\ndate: 2026-03-02T00:00:00\n${tags}---\nBody\n`;
    await site.write('posts/2026/03/alone.md', text('Before'));
    await site.site.ingest(await site.site.store.sweep());
    const commit = vi.spyOn(site.site.store, 'commit');
    await site.write('posts/2026/03/alone.md', text('After', 'tags:\n  - never-seen\n'));
    await site.site.ingest(await site.site.store.sweep());
    const [[changes = []] = [], ...others] = commit.mock.calls;
    expect(others).toEqual([]);
    expect(changes.flatMap(pathsOf)).toEqual(['terms/tag/never-seen.yaml', expect.stringMatching(/^revisions\/900\/\d+\.md$/)]);
    commit.mockRestore();
  });

  it('keep serving the last good version of a broken file', async () => {
    await site.write('posts/2026/03/shared.md', '---\nid: 50\ntitle: "never closed\n---\nBroken\n');
    await until(() => site.site.problems().some(({ path }) => path === 'posts/2026/03/shared.md'));
    const { status, body } = await site.ask('GET', '/cms/v2/posts/50');
    expect([status, body.title.rendered]).toEqual([200, 'New over REST']);
  });

  it('of two files with one id: the first keeps it, the other gets its own', async () => {
    await site.write('posts/2026/03/a.md', '---\nid: 70\ntitle: First\n---\n');
    await until(() => site.site.posts.get(70));
    await site.write('posts/2026/03/b.md', '---\nid: 70\ntitle: Second\n---\n');
    await until(async () => !(await site.read('posts/2026/03/b.md')).includes('id: 70\n'));
    expect((await site.ask('GET', '/cms/v2/posts/70')).body.title.rendered).toBe('First');
  });

  it('make a conditional write fail without changing anything', async () => {
    const first = await site.ask('GET', '/cms/v2/posts/70');
    const etag = first.headers.get('etag') as string;
    expect((await site.ask('GET', '/cms/v2/posts/70', { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect(
      (await site.ask('POST', '/cms/v2/posts/70', { as: 'admin', body: { title: 'One' }, headers: { 'if-match': etag } })).status,
    ).toBe(200);
    const before = await site.read('posts/2026/03/a.md');
    const stale = await site.ask('POST', '/cms/v2/posts/70', {
      as: 'admin',
      body: { title: 'Two' },
      headers: { 'if-match': etag },
    });
    expect([stale.status, stale.body.code]).toEqual([412, 'rest_conflict']);
    expect(await site.read('posts/2026/03/a.md')).toBe(before);
  });

  it.each(['/cms/v2/posts', '/cms/v2/posts/70', '/cms/v2/users', '/cms/v2/search', '/cms/v2/categories'])(
    'of %s change one ETag, for GET and HEAD alike',
    async (route) => {
      const [whole, head] = [await site.ask('GET', route), await site.ask('HEAD', route)];
      for (const name of ['etag', 'content-length']) expect(head.headers.get(name)).toBe(whole.headers.get(name));
      expect(whole.headers.get('etag')).toMatch(/^"/);
    },
  );

  it.each([
    ['categories', 'terms/category/harbour.yaml', 'id: 710\nname: Harbour\n', { name: 'Port' }],
    ['media', 'media/note.txt.yaml', 'id: 720\ntitle: Note\n', { title: 'Port' }],
  ])('of %s return the ETag to readers and writers', async (base, path, text, body) => {
    if (base === 'media') await site.write('media/note.txt', 'note');
    await site.write(path, text);
    const route = `/cms/v2/${base}/${base === 'media' ? 720 : 710}`;
    const write = (state: string) => site.ask('POST', route, { as: 'admin', body, headers: { 'if-match': state } });
    // A file may be seen before it is filled, and then once more.
    const { etag, written } = await until(async () => {
      const read = await site.ask('GET', route);
      const state = read.headers.get('etag') as string;
      const answer = read.status === 200 ? await write(state) : read;
      return answer !== read && answer.status === 200 ? { etag: state, written: answer } : null;
    });
    expect((await write(etag)).status).toBe(412);
    expect((await write(written.headers.get('etag') as string)).status).toBe(200);
  });

  it.each([
    ['users', { username: 'mia', email: 'mia@example.org', password: 'low' }, { description: 'Mine' }, { description: 'Theirs' }],
    ['users', { username: 'pia', email: 'pia@example.org', password: 'low' }, { roles: ['author'] }, { email: 'p@example.org' }],
    ['settings', null, { title: 'Mine' }, { title: 'Theirs' }],
    ['settings', null, { title: 'Mine too' }, { email: 'other@example.org' }],
    ['menus', { name: 'Foot' }, { name: 'Mine' }, { name: 'Theirs' }],
  ])('of %s like %o are not changed where somebody else has changed them', async (path, made, mine, theirs) => {
    const { body: one } = await site.ask('POST', `/cms/v2/${path}`, { as: 'admin', body: made ?? {} });
    const route = made === null ? `/cms/v2/${path}` : `/cms/v2/${path}/${one.id}`;
    const read = () => site.ask('GET', `${route}?context=edit`, { as: 'admin' });
    const write = (body: object, state?: string) =>
      site.ask('POST', route, { as: 'admin', body, headers: state === undefined ? {} : { 'if-match': state } });
    const seen = (await read()).headers.get('etag') as string;
    expect((await write(theirs)).status).toBe(200);
    const late = await write(mine, seen);
    expect([late.status, late.body.code]).toEqual([412, 'rest_conflict']);
    expect((await read()).body).toMatchObject(theirs);
    const done = await write(mine, (await read()).headers.get('etag') as string);
    expect(done.status).toBe(200);
    expect((await write(mine, done.headers.get('etag') as string)).status).toBe(200);
  });

  it('of a user are as visitors see them, whatever becomes of the account', async () => {
    const etag = async () => (await site.ask('GET', '/cms/v2/users/1', { as: 'admin' })).headers.get('etag') as string;
    const before = await etag();
    await site.ask('POST', '/cms/v2/users/1', { as: 'admin', body: { email: 'me@example.org' } });
    expect((await etag()).split('.')[0]).toBe(before.split('.')[0]);
    const body = { description: 'Writes.' };
    const write = (state: string) => site.ask('POST', '/cms/v2/users/1', { as: 'admin', body, headers: { 'if-match': state } });
    expect((await write(before)).status).toBe(200);
    expect((await write(before)).status).toBe(412);
  });

  it('of a post with the number of a vim temporary file have revisions like others', async () => {
    await site.write('posts/tried.md', '---\nid: 4913\ntitle: Tried\n---\nOne.\n');
    await until(async () => (await site.ask('GET', '/cms/v2/posts/4913')).status === 200);
    for (const content of ['Two.', 'Three.'])
      expect((await site.ask('POST', '/cms/v2/posts/4913', { as: 'admin', body: { content } })).status).toBe(200);
    await site.site.reload();
    expect((await site.ask('GET', '/cms/v2/posts/4913/revisions', { as: 'admin' })).body.length).toBeGreaterThanOrEqual(2);
    expect(await site.site.store.sweep()).toMatchObject({ entries: [], removed: [] });
  });

  it.each([
    ['a new file, while its id is written into it', '---\ntitle: Slow\n---\nFirst.\n', undefined, 2500],
    ['a file that is changed over REST meanwhile', '---\nid: 90\ntitle: Slow\n---\nFirst.\n', { title: 'Over REST' }, 0],
  ])('that are written slowly are stored whole: %s', async (_, beginning, change, pauseMs) => {
    const name = `slow-${change ? 'known' : 'new'}`;
    const path = `posts/2026/03/${name}.md`;
    const file = openSync(join(site.dir, path), 'w');
    onTestFinished(() => closeSync(file));
    writeSync(file, beginning);
    const { id } = await until(async () => (await site.ask('GET', `/cms/v2/posts?slug=${name}`)).body[0]);
    if (change) await site.ask('POST', `/cms/v2/posts/${id}`, { as: 'admin', body: change });
    await until(() => statSync(join(site.dir, path)).ino !== fstatSync(file).ino);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    writeSync(file, 'Second.\n');
    await until(async () => (await site.ask('GET', `/cms/v2/posts/${id}`)).body.content.rendered.includes('Second.'));
    await until(async () => (await site.read(path)).includes(`id: ${id}`));
    expect(await site.read(path)).toContain('First.\nSecond.\n');
    if (!change) return;
    const { body } = await site.ask('GET', `/cms/v2/posts/${id}/revisions`, { as: 'admin' });
    expect(body.map(({ title }: { title: { rendered: string } }) => title.rendered)).toContain('Over REST');
  });

  it('that start by emptying the file show the old version until it is filled', async () => {
    const path = join(site.dir, 'posts/2026/03/emptied.md');
    await site.write('posts/2026/03/emptied.md', '---\nid: 91\ntitle: Before\n---\n');
    await until(async () => (await site.ask('GET', '/cms/v2/posts/91')).status === 200);
    const titles = new Set<string>();
    const file = openSync(path, 'w');
    for (const end = Date.now() + 100; Date.now() < end; )
      titles.add((await site.ask('GET', '/cms/v2/posts/91')).body.title.rendered);
    writeSync(file, '---\nid: 91\ntitle: After\n---\n');
    closeSync(file);
    await until(async () => (await site.ask('GET', '/cms/v2/posts/91')).body.title.rendered === 'After');
    expect([...titles]).toEqual(['Before']);
  });

  it('that move a file leave it there, under a free name', async () => {
    await site.write('posts/oak.md', '---\nid: 80\ntitle: Oak\ndate: 2026-03-05\n---\n');
    await site.write('posts/elm.md', '---\nid: 81\ntitle: Elm\nslug: ash\ndate: 2026-03-05\n---\n');
    await until(async () => (await site.ask('GET', '/cms/v2/posts/81')).status === 200);
    const { status, body } = await site.ask('POST', '/cms/v2/posts/80', { as: 'admin', body: { slug: 'elm' } });
    expect([status, body.slug]).toEqual([200, 'elm']);
    expect(await site.read('posts/elm-80.md')).toContain('title: Oak');
    expect(await site.read('posts/elm.md')).toContain('title: Elm');
  });
});
