/**
 * Several workers over one folder answer as one: whatever is written, through whichever of them, the next request on any of
 * them shows it.
 */
import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { Batch } from '../../src/kernel/store/types.ts';
import { sample } from '../support/sample-site.ts';
import { asPerson } from '../support/git-site.ts';
import { until } from '../support/site.ts';
import { startWorkers, type Workers } from './workers.ts';

/** What tells of everything there is; `as` whom. */
const probes: readonly (readonly [path: string, as?: string])[] = [
  ['/cms-json/cms/v2/posts?per_page=100'],
  ['/cms-json/cms/v2/posts?per_page=100&context=edit&status=publish,draft,private,future,trash', 'admin'],
  ['/wp-json/wp/v2/pages?per_page=100&_embed', 'admin'],
  ['/cms-json/cms/v2/tags?per_page=100&context=edit', 'admin'],
  ['/cms-json/cms/v2/categories?per_page=100'],
  ['/cms-json/cms/v2/users?per_page=100&context=edit', 'admin'],
  ['/cms-json/cms/v2/media?per_page=100&context=edit', 'admin'],
  ['/cms-json/cms/v2/comments?per_page=100&context=edit', 'admin'],
  ['/cms-json/cms/v2/menu-items?per_page=100&context=edit', 'admin'],
  ['/cms-json/cms/v2/settings', 'admin'],
  ['/cms-json/cms/v2/users/me/application-passwords', 'admin'],
  ['/cms-json/'],
  ['/'],
];

/** Asks every worker the same and expects one answer. */
async function agree(workers: Workers, which = probes): Promise<void> {
  for (const [path, as] of which) {
    const answers = await Promise.all(workers.urls().map((url) => workers.ask(url, 'GET', path, as ? { as } : {})));
    const [first, ...others] = answers.map(({ status, headers, text }) => ({ status, etag: headers.get('etag'), text }));
    for (const other of others) expect(other, path).toEqual(first);
  }
}

/** Waits until they do. @throws what they differ in */
async function settle(workers: Workers, which = probes): Promise<void> {
  const isSo = (): Promise<boolean> =>
    agree(workers, which).then(
      () => true,
      () => false,
    );
  await until(isSo).catch(() => agree(workers, which));
}

type Step =
  | { readonly do: 'create'; readonly route: string; readonly body: object }
  | { readonly do: 'update'; readonly route: string; readonly pick: number; readonly body: object }
  | { readonly do: 'delete'; readonly route: string; readonly pick: number; readonly force: boolean }
  | { readonly do: 'settings'; readonly body: object }
  | { readonly do: 'upload'; readonly width: number }
  | { readonly do: 'write'; readonly path: string; readonly text: string }
  | { readonly do: 'remove'; readonly path: string };

const word = fc.constantFrom('tide', 'ebb', 'Harbour', 'Fog & Rain', 'no', '2024', 'Møte');
const pick = fc.nat(20);
const contentRoute = fc.constantFrom('posts', 'pages');
const post = fc.record({ title: word, content: word, status: fc.constantFrom('publish', 'draft', 'private', 'future') });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const), route: contentRoute, body: post }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('update' as const),
      route: contentRoute,
      pick,
      body: fc.oneof(fc.record({ title: word }), fc.record({ slug: word, tags: fc.constant([]) }), fc.record({ content: word })),
    }),
  },
  fc.record({
    do: fc.constant('delete' as const),
    route: fc.constantFrom('posts', 'pages', 'tags', 'media', 'comments'),
    pick,
    force: fc.boolean(),
  }),
  fc.record({
    do: fc.constant('create' as const),
    route: fc.constantFrom('tags', 'categories'),
    body: fc.record({ name: word }),
  }),
  fc.record({
    do: fc.constant('update' as const),
    route: fc.constant('tags'),
    pick,
    body: fc.record({ name: word, slug: word }),
  }),
  fc.record({ do: fc.constant('update' as const), route: fc.constant('users'), pick, body: fc.record({ nickname: word }) }),
  fc.record({
    do: fc.constant('create' as const),
    route: fc.constant('comments'),
    body: fc.record({
      post: fc.constant(4),
      content: word,
      author_name: word,
      author_email: fc.constantFrom('a@example.com', 'b@example.com'),
    }),
  }),
  fc.record({
    do: fc.constant('update' as const),
    route: fc.constant('comments'),
    pick,
    body: fc.record({ author_email: fc.constantFrom('c@example.com', 'd@example.com') }),
  }),
  fc.record({
    do: fc.constant('settings' as const),
    body: fc.oneof(
      fc.record({ title: word }),
      fc.record({ email: fc.constantFrom('x@example.com', 'y@example.com') }),
      fc.record({ timezone: fc.constantFrom('UTC', 'Europe/Berlin') }),
    ),
  }),
  fc.record({ do: fc.constant('upload' as const), width: fc.integer({ min: 40, max: 400 }) }),
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      path: fc.constantFrom('posts/a.md', 'posts/b.md', 'pages/c.md', 'pages/c/d.md'),
      text: fc
        .record({ title: word, tag: word, author: fc.constantFrom('admin', 'new-one') })
        .map(({ title, tag, author }) => `---\ntitle: '${title}'\ntags: ['${tag}']\nauthor: ${author}\n---\nText\n`),
    }),
  },
  fc.record({
    do: fc.constant('write' as const),
    path: fc.constant('menus/main.yaml'),
    text: word.map((title) => `items:\n  - title: '${title}'\n    url: https://example.com/\n    items:\n      - page: c\n`),
  }),
  fc.record({
    do: fc.constant('remove' as const),
    path: fc.constantFrom('posts/a.md', 'pages/c.md', 'menus/main.yaml', 'media'),
  }),
);

/** Does one step through one of the workers. */
async function take(workers: Workers, one: Step, url: string): Promise<void> {
  const send = async (method: string, route: string, options: object = {}): Promise<void> => {
    const { status, text } = await workers.ask(url, method, `/cms-json/cms/v2/${route}`, { as: 'admin', ...options });
    // A slug may be taken, or nothing to be put in the trash: what matters is that all of them agree afterwards.
    if (text.includes('internal_server_error')) throw new Error(`${JSON.stringify(one)}: ${status} ${text}`);
  };
  if (one.do === 'create') return send('POST', one.route, { body: withDate(one.body) });
  if (one.do === 'settings') return send('POST', 'settings', { body: one.body });
  if (one.do === 'upload') {
    const body = await picture(one.width, 200, 'png');
    const headers = { 'content-type': 'image/png', 'content-disposition': `attachment; filename="p${one.width}.png"` };
    return send('POST', 'media', { body, headers });
  }
  if (one.do === 'write' || one.do === 'remove') {
    if (one.do === 'write') await workers.write(one.path, one.text);
    else await rm(join(workers.dir, one.path), { recursive: true, force: true });
    // A hand edit is nobody's request: it is looked for now, and shown by all soon.
    const site = workers.leader();
    await site.ingest(await site.store.sweep());
    await settle(workers);
    return;
  }
  const status = one.route === 'posts' || one.route === 'pages' ? '&status=publish,draft,private,future,trash' : '';
  const found = await workers.ask(url, 'GET', `/cms-json/cms/v2/${one.route}?context=edit&per_page=100&_fields=id${status}`, {
    as: 'admin',
  });
  const ids = (Array.isArray(found.body) ? found.body : [])
    .map(({ id }: { id: number }) => id)
    .sort((a: number, b: number) => a - b);
  const id = ids[one.pick % Math.max(1, ids.length)];
  if (id === undefined) return;
  if (one.do === 'update') return send('POST', `${one.route}/${id}`, { body: one.body });
  return send('DELETE', `${one.route}/${id}?force=${one.force}`);
}

function withDate(body: object): object {
  return (body as { status?: string }).status === 'future' ? { ...body, date: '2099-01-01T10:00:00' } : body;
}

describe('several workers', () => {
  it('show what is written through any of them, at once', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, fc.nat(2)), { minLength: 5, maxLength: 18 }), fc.nat(17), async (steps, late) => {
        const workers = await startWorkers({ others: 1 });
        try {
          // The first use of a password is noted soon, not at once.
          await settle(workers);
          for (const [at, [one, through]] of steps.entries()) {
            // One comes while the others work.
            if (at === late) await workers.add();
            const urls = workers.urls();
            await take(workers, one, urls[through % urls.length] as string);
            await agree(workers);
          }
          expect(workers.log).toEqual([]);
        } finally {
          await workers.close();
        }
      }),
      // A case takes long: it is told as it is.
      { numRuns: 4, endOnFailure: true },
    );
  });

  it('know the image sizes that one of them has created', async () => {
    await using workers = await startWorkers({ bytes: { 'media/2026/quay.jpg': await picture(800, 600) } });
    const media: typeof probes = [['/cms-json/cms/v2/media?context=edit', 'admin'], ['/cms-json/cms/v2/media']];
    await agree(workers, media);
    const [writer = '', first = '', second = ''] = workers.urls();
    for (const url of [first, second, writer]) {
      const { status, headers } = await workers.ask(url, 'GET', '/uploads/2026/quay-300x225.jpg');
      expect([status, headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      await settle(workers, media);
    }
    const { body } = await workers.ask(second, 'GET', '/cms-json/cms/v2/media');
    expect(body[0].media_details.sizes.medium.filesize).toBeGreaterThan(0);
  });

  it('give the same ids to files that will never have one', async () => {
    const file = (title: string): string => `---\ntitle: ${title}\ntags: [${title}]\nauthor: ${title}\ndate: 2024-01-01\n---\n`;
    // Where nothing may be written, the note of last use stays with the writer.
    const lasting = probes.filter(([path]) => !path.includes('application-passwords'));
    await using workers = await startWorkers({
      readOnly: true,
      files: { 'posts/m.md': file('m'), 'menus/main.yaml': 'items:\n  - title: One\n    url: https://example.com/\n' },
      bytes: { 'media/a.png': await picture(20, 20, 'png') },
    });
    await agree(workers, lasting);
    for (const name of ['z', 'a', 'k']) {
      await workers.write(`posts/${name}.md`, file(name));
      await workers.write('menus/other.yaml', `items:\n  - title: ${name}\n    url: https://example.com/${name}\n`);
      const site = workers.leader();
      await site.ingest(await site.store.sweep());
      await settle(workers, lasting);
    }
    // Who comes later cannot tell in which order they came.
    await workers.add();
    await agree(workers, lasting);
    const refused = await workers.ask(workers.urls()[1] as string, 'POST', '/cms-json/cms/v2/posts', {
      as: 'admin',
      body: { title: 'x' },
    });
    expect([refused.status, refused.body.code]).toEqual([403, 'rest_read_only']);
  });

  it('drop a revoked password at once, and record where one was used', async () => {
    await using workers = await startWorkers();
    const [writer = '', first = '', second = ''] = workers.urls();
    const passwords = '/cms-json/cms/v2/users/me/application-passwords';
    const { body } = await workers.ask(first, 'POST', passwords, { as: 'admin', body: { name: 'Second' } });
    const as = `admin:${body.password}`;
    // Told by the worker that was asked, or by the one that it was handed on to; a name that the client gives itself is not believed.
    for (const [method, ip] of [
      ['GET', '127.0.0.2'],
      ['POST', '127.0.0.3'],
    ] as const) {
      const { body: made } = await workers.ask(first, 'POST', passwords, { as: 'admin', body: { name: method } });
      const authorization = `Basic ${Buffer.from(`admin:${made.password}`).toString('base64')}`;
      const from = { authorization, 'x-worker-client': '10.0.0.1' };
      expect(await askFrom(ip, method, `${second}/cms-json/cms/v2/users/me`, from)).toBe(200);
      for (const url of workers.urls())
        await until(
          async () => (await workers.ask(url, 'GET', `${passwords}/${made.uuid}`, { as: 'admin' })).body.last_ip === ip,
        );
    }
    for (const url of workers.urls()) expect((await workers.ask(url, 'GET', passwords, { as })).status).toBe(200);
    expect((await workers.ask(second, 'DELETE', `${passwords}/${body.uuid}`, { as: 'admin' })).status).toBe(200);
    for (const url of [writer, first, second]) expect((await workers.ask(url, 'GET', passwords, { as })).status).toBe(401);
  });

  it('share the count of wrong passwords', async () => {
    await using workers = await startWorkers();
    const urls = workers.urls();
    const me = '/cms-json/cms/v2/users/me';
    for (const url of urls) expect((await workers.ask(url, 'GET', me, { as: 'admin' })).status).toBe(200);
    // On each fewer than are too many, by reads and by writes, which go to the writer.
    for (let at = 0; at < 12; at++)
      await workers.ask(urls[at % 3] as string, at % 2 ? 'GET' : 'POST', me, { as: `admin:wrong${at}` });
    for (const url of urls) await until(async () => (await workers.ask(url, 'GET', me, { as: 'admin' })).status === 429);
    await workers.add();
    const added = workers.urls().at(-1) as string;
    expect((await workers.ask(added, 'GET', me, { as: 'admin' })).status).toBe(429);
    for (const url of urls) expect((await workers.ask(url, 'GET', '/cms-json/cms/v2/posts')).status).toBe(200);
  });

  it('write, however that is asked', async () => {
    await using workers = await startWorkers();
    const [, first = '', second = ''] = workers.urls();
    const made = async (url: string, title: string): Promise<string> => {
      const { status, body } = await workers.ask(url, 'POST', '/wp-json/wp/v2/posts', { as: 'admin', body: { title } });
      expect(status).toBe(201);
      return `/cms-json/cms/v2/posts/${body.id}`;
    };
    const gone = async (path: string): Promise<void> => {
      for (const url of workers.urls()) expect((await workers.ask(url, 'GET', path)).status).toBe(404);
    };
    const rows: readonly (readonly [method: string, query: string, headers?: Record<string, string>])[] = [
      ['DELETE', '?force=true'],
      ['POST', '?force=true&_method=delete'],
      ['POST', '?force=true&%5Fmethod=DELETE'],
      ['POST', '?force=true', { 'x-http-method-override': 'DELETE' }],
    ];
    for (const [method, query, headers = {}] of rows) {
      const path = await made(first, method);
      const { status, text } = await workers.ask(second, method, path + query, { as: 'admin', headers });
      expect([status, method, query], text).toEqual([200, method, query]);
      await gone(path);
    }
    const navigation = '/cms-json/cms-block-editor/v1/navigation-fallback';
    const answers = [];
    for (const url of [second, first, ...workers.urls()])
      answers.push(await workers.ask(url, 'GET', navigation, { as: 'admin' }));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`))).toEqual(new Set([`200 ${answers[0]?.body.id}`]));
    expect((await workers.ask(first, 'GET', '/cms-json/cms/v2/themes', { as: 'admin' })).status).toBe(200);
    await agree(workers);
  });

  it('accept a comment form on any of them, and show the comment on all', async () => {
    await using workers = await startWorkers({
      files: {
        'site.yaml': 'anonymous_comments: true\nmoderation: none\n',
        'posts/open.md': '---\nid: 7\ntitle: Open\ndate: 2026-03-01T10:00:00\ncomments: open\n---\nText\n',
      },
    });
    const [, reader = ''] = workers.urls();
    const fields = { comment_post_ID: '7', author: 'Ida', email: 'ida@example.com', comment: 'Through a reader' };
    const sent = await fetch(`${reader}/cms-comments-post.php`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
    expect([sent.status, sent.headers.get('location')]).toEqual([303, expect.stringMatching(/\/open\/#comment-\d+$/)]);
    for (const url of workers.urls()) expect((await workers.ask(url, 'GET', '/open/')).text).toContain('<p>Through a reader</p>');
    expect(workers.log).toEqual([]);
  });

  it('return the same lists', async () => {
    await using workers = await startWorkers({ from: sample, others: 1 });
    const { body } = await workers.ask(workers.urls()[0] as string, 'GET', '/cms-json/');
    const lists = Object.keys(body.routes).filter((route) => !/\(|^\/cms-site-health|^\/batch/.test(route));
    expect(lists.length).toBeGreaterThan(30);
    await agree(
      workers,
      lists.map((route) => [`/cms-json${route}`]),
    );
    await agree(
      workers,
      lists.map((route) => [`/?rest_route=${encodeURIComponent(route)}`]),
    );
  });

  it('stream large bodies', async () => {
    await using workers = await startWorkers({ others: 1 });
    const [, url = ''] = workers.urls();
    const body = Buffer.alloc(20 * 1024 * 1024, 'a line of text\n');
    const headers = { 'content-type': 'text/plain', 'content-disposition': 'attachment; filename="long.txt"' };
    const { status, body: media } = await workers.ask(url, 'POST', '/cms-json/cms/v2/media', { as: 'admin', body, headers });
    expect(status).toBe(201);
    const { pathname } = new URL(media.source_url);
    for (const each of workers.urls()) expect((await workers.ask(each, 'GET', pathname)).text).toBe(body.toString());
    // Too large is said before all is sent.
    await workers
      .ask(url, 'POST', '/cms-json/cms/v2/settings', { as: 'admin', body: { title: 'x'.repeat(33 * 1024 * 1024) } })
      .then(
        (answer) => expect(answer.status).toBe(413),
        (error: Error) => expect(String(error.cause)).toMatch(/EPIPE|ECONNRESET|other side closed/),
      );
    await agree(workers, [['/cms-json/cms/v2/media?context=edit', 'admin']]);
  });

  it('can join and leave while others write', async () => {
    await using workers = await startWorkers({ others: 1 });
    let isOver = false;
    let count = 0;
    const client = async (name: number): Promise<void> => {
      while (!isOver) {
        const urls = [...workers.urls()];
        const path = '/cms-json/cms/v2/posts';
        const title = `${name} ${++count}`;
        const { status, body } = await workers.ask(urls[count % urls.length] as string, 'POST', path, {
          as: 'admin',
          body: { title, status: 'publish' },
        });
        expect(status).toBe(201);
        for (const url of urls) expect((await workers.ask(url, 'GET', `${path}/${body.id}`)).body.title?.rendered).toBe(title);
      }
    };
    const clients = [1, 2, 3].map(client);
    for (let at = 0; at < 3; at++) {
      const before = count;
      await workers.add();
      await until(() => count >= before + 10);
    }
    isOver = true;
    await Promise.all(clients);
    await agree(workers);
    expect(workers.log).toEqual([]);
  });

  it('never give a slug or an id twice, nor lose a change of a field', async () => {
    await using workers = await startWorkers();
    const path = '/cms-json/cms/v2/posts';
    const send = async (at: number, route: string, body: object): Promise<Record<string, any>> => {
      const urls = workers.urls();
      const answer = await workers.ask(urls[at % urls.length] as string, 'POST', route, { as: 'admin', body });
      expect(answer.status, answer.text).toBeLessThan(300);
      return answer.body;
    };
    // In folders of their own, so that no file says that the slug is taken.
    const made = await Promise.all(
      [...Array(24).keys()].map((at) =>
        send(at, path, { title: 'Same', status: 'publish', date: `20${10 + (at % 12)}-0${1 + (at % 9)}-01T10:00:00` }),
      ),
    );
    for (const key of ['slug', 'id'])
      expect(new Set(made.map((one) => one[key])).size, JSON.stringify(made.map((one) => [one.slug, one.id, one.date]))).toBe(24);
    const route = `${path}/${made[0]?.id}`;
    const fields = ['title', 'content', 'excerpt'];
    await Promise.all(fields.map((field, at) => send(at, route, { [field]: `new ${field}` })));
    for (const url of workers.urls()) {
      const { body } = await workers.ask(url, 'GET', `${route}?context=edit`, { as: 'admin' });
      expect(fields.map((field) => body[field].raw)).toEqual(fields.map((field) => `new ${field}`));
    }
    await agree(workers);
    expect(workers.log).toEqual([]);
  });

  it('give no file, and nothing that follows from it, an id from the range of another', async () => {
    await using workers = await startWorkers({ others: 1 });
    const [, url = ''] = workers.urls();
    const path = '/cms-json/cms/v2/posts';
    const body = { title: 'Made', content: 'by a client', status: 'publish', date: '2026-03-05T10:00:00' };
    const { id } = (await workers.ask(url, 'POST', path, { as: 'admin', body })).body;
    const leader = workers.leader();
    await leader.store.shared?.fresh();
    const file = 'posts/2026/03/made.md';
    await workers.write(file, (await workers.read(file)).replace('by a client', 'by hand'));
    await until(() => [...leader.revisions.all()].length === 1);
    // More of them than there are ids in a range.
    const names = [...Array(300).keys()].map((at) => `posts/copy-${at}.md`);
    for (const name of names) await workers.write(name, `---\ntitle: ${name}\ndate: 2024-01-01\n---\n`);
    const given = () => [...leader.revisions.all(), ...[...leader.posts.all()].filter((one) => names.includes(one.path))];
    await until(() => given().length === names.length + 1);
    const [first, last] = [id, id + 255];
    expect(given().filter((one) => one.id >= first && one.id <= last)).toEqual([]);
    expect(new Set(given().map((one) => one.id)).size).toBe(names.length + 1);
    expect(workers.log).toEqual([]);
  });

  it('commit the writes of each person to git, whichever worker took them', async () => {
    await using workers = await startWorkers({ files: { 'site.yaml': 'title: Example\ngit: commit\n' } });
    asPerson(workers.dir, 'init', '-q', '-b', 'main');
    workers.log.length = 0;
    asPerson(workers.dir, 'add', '.');
    asPerson(workers.dir, 'commit', '-qm', 'begin');
    const urls = workers.urls();
    const send = async (at: number, route: string, body: object, as = 'admin'): Promise<Record<string, any>> => {
      const answer = await workers.ask(urls[at] as string, 'POST', `/cms-json/cms/v2/${route}`, { as, body });
      expect(answer.status, answer.text).toBeLessThan(300);
      return answer.body;
    };
    const bob = { username: 'bob', name: 'Bob', email: 'bob@example.com', password: 'a long password', roles: ['editor'] };
    const { id } = await send(1, 'users', bob);
    const { password } = await send(2, `users/${id}/application-passwords`, { name: 'x' });
    const post = await send(0, 'posts', { title: 'Shared', content: 'by admin', status: 'publish', date: '2026-03-05T10:00:00' });
    await send(1, `posts/${post.id}`, { content: 'by bob' }, `bob:${password}`);
    await send(2, `posts/${post.id}`, { excerpt: 'by admin again' });
    await workers.others[0]?.commits?.flush();
    const path = 'posts/2026/03/shared.md';
    const commits = asPerson(workers.dir, 'log', '--format=%an %H', '--', path).trim().split('\n').reverse();
    const states = commits.map((line) => {
      const text = asPerson(workers.dir, 'show', `${line.split(' ').at(-1)}:${path}`);
      return [line.split(' ')[0], /by \w+\s*$/.exec(text)?.[0].trim(), text.includes('again')];
    });
    expect(states).toEqual([
      ['admin', 'by admin', false],
      ['Bob', 'by bob', false],
      ['admin', 'by bob', true],
    ]);
    // They all know that nothing is left to be committed.
    for (const site of [workers.leader(), ...workers.others]) await site.commits?.flush();
    expect(asPerson(workers.dir, 'log', '--format=%H', '--', path).trim().split('\n')).toHaveLength(3);
    expect(workers.log).toEqual([]);
  });

  it('read the folder again when too much has changed', async () => {
    await using workers = await startWorkers({ others: 1 });
    const long = `---\ntitle: Long\nstatus: draft\n---\n${'word '.repeat(3_500_000)}`;
    await workers.write('posts/one.md', long);
    await workers.write('posts/two.md', long);
    const list = '/cms-json/cms/v2/posts?context=edit&status=draft&_fields=id,slug';
    for (const url of workers.urls())
      await until(async () => (await workers.ask(url, 'GET', list, { as: 'admin' })).body.length === 2);
    // Their ids are still being written in.
    await settle(workers, [[list, 'admin']]);
    expect(workers.log).toEqual([]);
  });
});

describe('a leader that dies', () => {
  it('leaves the others with everything it wrote, and they go on writing', async () => {
    await using workers = await startWorkers();
    const [writer = '', first = '', second = ''] = workers.urls();
    const post = { title: 'Kept', status: 'publish' };
    const path = '/cms-json/cms/v2/posts';
    const { body } = await workers.ask(writer, 'POST', path, { as: 'admin', body: post });
    let late: Promise<unknown> | undefined;
    // Still on its way to the disk when the writer closes.
    const [admin] = workers.leader().accounts.all();
    const [key] = admin?.applicationPasswords ?? [];
    workers.leader().accounts.noteUse(admin?.id ?? 0, key?.uuid ?? '', Date.now(), '127.0.0.9');
    await workers.replaceLeader(async () => {
      for (const url of [first, second])
        expect((await workers.ask(url, 'GET', `${path}/${body.id}`)).body.title.rendered).toBe('Kept');
      late = workers.ask(first, 'POST', path, { as: 'admin', body: { ...post, title: 'Late' } });
      // Changed by hand while nobody looks.
      await workers.write('posts/by-hand.md', '---\ntitle: By hand\ntags: [new]\n---\n');
    });
    expect(await late).toMatchObject({ status: 201 });
    await settle(workers);
    const { body: all } = await workers.ask(second, 'GET', `${path}?_fields=title.rendered`);
    expect(all.map((one: any) => one.title.rendered)).toEqual(expect.arrayContaining(['Kept', 'Late', 'By hand']));
    expect(workers.log).toEqual([]);
  });
});

describe('a worker', () => {
  it('answers only when it has taken in what the others have told', async () => {
    await using workers = await startWorkers({ others: 1 });
    const [, url = ''] = workers.urls();
    await workers.write('posts/told.md', '---\nid: 77\ntitle: Told\ndate: 2024-01-01\n---\n');
    workers.feed.append({ paths: ['posts/told.md'] });
    const { body } = await workers.ask(url, 'GET', '/cms-json/cms/v2/posts?_fields=title.rendered');
    expect(body[0].title.rendered).toBe('Told');
  });

  it('keeps what a person replaces as a revision, soon after another worker has written it', async () => {
    await using workers = await startWorkers({ others: 1 });
    const [, url = ''] = workers.urls();
    const path = '/cms-json/cms/v2/posts';
    const body = { title: 'Quick', content: 'by a client', status: 'publish', date: '2026-03-05T10:00:00' };
    const made = await workers.ask(url, 'POST', path, { as: 'admin', body });
    // The leader looks at once when it is asked, and else every 25 ms: what is replaced sooner it has never seen.
    await workers.leader().store.shared?.fresh();
    const file = 'posts/2026/03/quick.md';
    await workers.write(file, (await workers.read(file)).replace('by a client', 'by hand'));
    const shown = async (one: string) => (await workers.ask(one, 'GET', `${path}/${made.body.id}`)).body.content.rendered;
    for (const one of workers.urls()) await until(async () => (await shown(one)).includes('by hand'));
    const revisions = `${path}/${made.body.id}/revisions?context=edit`;
    for (const one of workers.urls())
      await until(async () =>
        (await workers.ask(one, 'GET', revisions, { as: 'admin' })).body.some((kept: any) =>
          kept.content.raw.includes('by a client'),
        ),
      );
    expect(workers.log).toEqual([]);
  });

  it('takes what a person saves at once over the write of another worker for theirs', async () => {
    await using workers = await startWorkers({ others: 1 });
    const [, url = ''] = workers.urls();
    const path = '/cms-json/cms/v2/posts';
    const create = async (title: string): Promise<string> => {
      const body = { title, content: 'by a client', status: 'publish', date: '2026-03-05T10:00:00' };
      const { status, text } = await workers.ask(url, 'POST', path, { as: 'admin', body });
      expect(status, text).toBe(201);
      return `posts/2026/03/${title}.md`;
    };
    const list = `${path}?_fields=slug,content.rendered`;
    const agree = async (test: (text: string) => boolean): Promise<void> => {
      for (const one of workers.urls()) await until(async () => test((await workers.ask(one, 'GET', list)).text));
    };
    const replaced = await create('replaced');
    // It is served when the leader has given it an id.
    await workers.write(replaced, (await workers.read(replaced)).replace(/^id: .*\n/m, '').replace('by a client', 'by hand'));
    await agree((text) => text.includes('by hand'));
    await rm(join(workers.dir, await create('removed')));
    await agree((text) => !text.includes('removed'));
    expect(workers.log).toEqual([]);
  });

  it('goes on when one of the files it is told of cannot be taken in', async () => {
    await using workers = await startWorkers({ others: 1 });
    const [first = '', url = ''] = workers.urls();
    const [other] = workers.others;
    const ingest = other?.ingest;
    Object.assign(other ?? {}, {
      ingest: async (batch: Batch) => {
        if (batch.entries.some(({ path }) => path.includes('poison'))) throw new Error('cannot be taken in');
        await ingest?.(batch);
      },
    });
    const path = '/cms-json/cms/v2/posts';
    const post = (title: string) => workers.ask(first, 'POST', path, { as: 'admin', body: { title, status: 'publish' } });
    await Promise.all(['poison', 'fine', 'good'].map(post));
    const { status, body } = await workers.ask(url, 'GET', `${path}?_fields=slug`);
    expect([status, body.map(({ slug }: { slug: string }) => slug).sort()]).toEqual([200, ['fine', 'good']]);
    expect(workers.log.join()).toContain('cannot be taken in');
  });

  it('knows which files cannot be read, and when they can be again', async () => {
    await using workers = await startWorkers({ others: 1 });
    const problems = () => [workers.leader(), ...workers.others].map((site) => site.problems().map(({ path }) => path));
    await workers.write('posts/broken.md', '---\nid: 70\ntitle: [\n---\n');
    await until(() => problems().every(([path]) => path === 'posts/broken.md'));
    await workers.write('posts/broken.md', '---\nid: 70\ntitle: Whole\n---\n');
    await until(() => problems().every((paths) => paths.length === 0));
  });

  it('gives no id to a file that the leader is about to give one', async () => {
    await using workers = await startWorkers({ others: 1 });
    const [first = '', url = ''] = workers.urls();
    const path = '/cms-json/cms/v2/posts?slug=early&_fields=id,slug';
    const early = workers.leader().store.stopWatching();
    await workers.write('posts/early.md', '---\ntitle: Early\ntags: [early]\ndate: 2024-01-01\n---\n');
    await early;
    workers.feed.append({ paths: ['posts/early.md'] });
    expect((await workers.ask(url, 'GET', path)).body).toEqual([]);
    const site = workers.leader();
    await site.ingest(await site.store.sweep());
    for (const one of [first, url]) expect((await workers.ask(one, 'GET', path)).body).toHaveLength(1);
    await agree(workers, [[path], ['/cms-json/cms/v2/tags?_fields=id,slug,count']]);
    expect(workers.log).toEqual([]);
  });
});

function picture(width: number, height: number, format: 'jpeg' | 'png' = 'jpeg'): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#88a' } })
    .toFormat(format)
    .toBuffer();
}

/** Asks from another address of this machine. */
function askFrom(
  localAddress: string,
  method: string,
  url: string,
  headers: Record<string, string>,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { localAddress, method, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}
