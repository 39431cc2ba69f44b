import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { environment } from '../../../src/kernel/environment.ts';
import { readHooks } from '../../../src/modules/events/webhooks/settings.ts';
import { startSite, type TestSite, until } from '../../support/site.ts';
import { startReceiver, type Receiver } from './receiver.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
environment.CMS_TEST_HOOK_SECRET = secret;
environment.CMS_TEST_HOOK_TOKEN = 'token-of-the-service';

let receiver: Receiver;
let site: TestSite | null = null;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await site?.close();
  site = null;
  await receiver.close();
});

type Row = Readonly<Record<string, unknown>>;

async function serve(hook: Row, more: Parameters<typeof startSite>[0] = {}): Promise<TestSite> {
  site = await startSite({
    ...more,
    operator: { fetch_allow: ['127.0.0.1'], events: { front: { url: receiver.url, ...hook } } },
  });
  return site;
}

const webhook: Row = { secret_env: 'CMS_TEST_HOOK_SECRET' };
const token: Row = { token_env: 'CMS_TEST_HOOK_TOKEN' };

async function publish(of: TestSite, title: string, more: object = {}): Promise<any> {
  const { status, body } = await of.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title, status: 'publish', ...more } });
  expect(status).toBe(201);
  return body;
}

/** Everything that is known has been sent. */
const sent = (of: TestSite) => until(() => of.site.webhooks.counts().waiting === 0 && of.site.webhooks.counts().sent > 0);

describe('a webhook', () => {
  it('receives each event, signed as in Standard Webhooks', async () => {
    const of = await serve({ ...webhook, url: `${receiver.url}/hook?a=1` });
    const post = await publish(of, 'Hello');
    await until(() => receiver.received.some(({ body }) => body.includes('"post.created"')));
    const [first] = receiver.received.filter(({ body }) => body.includes('"post.created"'));
    const { method, url, headers, body } = first as NonNullable<typeof first>;
    expect([method, url, headers['content-type']]).toEqual(['POST', '/hook?a=1', 'application/json']);
    const verified = new Webhook(secret).verify(body, headers as Record<string, string>);
    expect(verified).toMatchObject({
      type: 'post.created',
      data: {
        kind: 'post',
        action: 'created',
        id: post.id,
        status: { before: null, after: 'publish' },
        link: { after: post.link },
      },
    });
    expect(() => new Webhook(secret).verify(`${body} `, headers as Record<string, string>)).toThrow();
    expect(JSON.stringify(receiver.received)).not.toContain(secret);
  });

  it('receives only public events, unless the operator allows more', async () => {
    const of = await serve({ ...webhook, kinds: ['post'] });
    const { body: draft } = await of.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title: 'Hidden' } });
    await of.ask('POST', `/cms/v2/posts/${draft.id}`, { as: 'admin', body: { status: 'private' } });
    const shown = await publish(of, 'Shown');
    await of.ask('POST', `/cms/v2/posts/${shown.id}`, { as: 'admin', body: { status: 'private' } });
    await until(() => receiver.received.length === 2);
    await sent(of);
    const told = receiver.received
      .map(({ body }) => JSON.parse(body))
      .map(({ type, data }) => [type, data.id, data.status.after]);
    expect(told).toEqual([
      ['post.created', shown.id, 'publish'],
      ['post.deleted', shown.id, null],
    ]);
    await of.close();
    receiver.received.length = 0;
    const all = await serve({ ...webhook, kinds: ['post'], hidden: true });
    await all.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title: 'Hidden' } });
    await until(() => receiver.received.length === 1);
    expect(JSON.parse(receiver.received[0]?.body ?? '').data.status).toEqual({ before: null, after: 'draft' });
  });

  it('keeps its id over retries, with growing delays, and honors Retry-After', async () => {
    let now = Date.now();
    const of = await serve({ ...webhook, kinds: ['post'] }, { clock: () => now });
    receiver.answer(500);
    await publish(of, 'Hello');
    await until(() => of.site.webhooks.counts().failed === 1);
    const pauses: number[] = [];
    for (const attempt of [2, 3, 4]) {
      const before = now;
      while (of.site.webhooks.counts().failed < attempt) {
        now += 500;
        await new Promise((resolve) => setTimeout(resolve, 1));
        of.site.webhooks.look();
      }
      pauses.push((now - before) / 1000);
    }
    for (const [at, seconds] of [5, 15, 45].entries()) {
      expect(pauses[at]).toBeGreaterThan(seconds * 0.74);
      expect(pauses[at]).toBeLessThan(seconds * 1.3 + 3);
    }
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-signature'])).size).toBeGreaterThan(1);
    receiver.answer(503, { 'retry-after': '1800' });
    now += 600_000;
    of.site.webhooks.look();
    await until(() => of.site.webhooks.counts().failed === 5);
    receiver.answer(204);
    now += 1_700_000;
    of.site.webhooks.look();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(of.site.webhooks.counts().waiting).toBe(1);
    now += 200_000;
    of.site.webhooks.look();
    await until(() => of.site.webhooks.counts().waiting === 0);
    expect(of.log.filter((line) => line.startsWith('webhook'))).toEqual([
      'webhook front: answered 500; it is tried again for a day',
      'webhook front: accepted again',
    ]);
  });

  it('is given up after a day, or at once after a 410, and can be resent', async () => {
    let now = Date.now();
    const of = await serve({ ...webhook, kinds: ['post'] }, { clock: () => now });
    receiver.answer(500);
    await publish(of, 'Hello');
    while (of.site.webhooks.counts().dead === 0) {
      now += 3_600_000;
      of.site.webhooks.look();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const tries = receiver.received.length;
    expect(tries).toBeGreaterThan(3);
    receiver.answer(410);
    await publish(of, 'Other');
    await until(() => of.site.webhooks.counts().dead === 2);
    const kept = await until(async () => {
      const found = JSON.parse(String(await of.site.store.private.get('events/deliveries.json')));
      return found?.dead.length === 2 && found;
    });
    expect(kept.dead.map(({ error }: { error: string }) => error)).toEqual(['answered 500', 'answered 410']);
    receiver.answer(204);
    await of.site.store.private.set('events/resend.json', Buffer.from(JSON.stringify([kept.dead[0].id])));
    await until(() => receiver.received.at(-1)?.headers['webhook-id'] === kept.dead[0].id);
    await until(() => of.site.webhooks.counts().dead === 1);
  });

  it('is sent only to allowed addresses', async () => {
    site = await startSite({ operator: { events: { front: { ...webhook, url: receiver.url } } } });
    await publish(site, 'Hello');
    await until(() => site?.log.some((line) => line.startsWith('webhook front: ')));
    expect(receiver.received).toEqual([]);
    expect(site.log.find((line) => line.startsWith('webhook front: '))).toContain('refused');
  });

  it('does not delay writes, and its queue is bounded', async () => {
    const of = await serve({ ...webhook, kinds: ['post'], url: 'http://127.0.0.1:9/' });
    const post = await publish(of, 'Hello');
    for (let at = 0; at < 300; at++) {
      of.site.records.apply([{ table: 'posts', put: { ...of.site.posts.get(post.id), etag: String(at) } as never }]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await until(() => of.site.webhooks.counts().waiting > 0);
    expect(of.site.webhooks.counts().waiting).toBeLessThanOrEqual(101);
    const kept = await until(async () => {
      const found = JSON.parse(String(await of.site.store.private.get('events/deliveries.json')));
      return found?.waiting.some(({ event }: any) => event.type === 'everything') && found;
    });
    expect(kept.waiting.length).toBeLessThanOrEqual(101);
  });
});

describe('changes while no server runs', () => {
  it('are reported as one event at the next start, and so is what was lost', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'cms-off-'));
    try {
      const first = await serve({ ...webhook });
      const post = await publish(first, 'Hello');
      await sent(first);
      await first.server.close();
      await first.site.close();
      const { cp } = await import('node:fs/promises');
      await cp(first.dir, join(dir, 'same'), { recursive: true });
      await cp(first.dir, join(dir, 'other'), { recursive: true });
      await rm(first.dir, { recursive: true });
      site = null;
      receiver.received.length = 0;
      const same = await serve({ ...webhook }, { from: join(dir, 'same') });
      await until(() => same.site.webhooks.counts().waiting === 0);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(receiver.received).toEqual([]);
      await same.close();
      const path = join(dir, 'other', first.site.posts.get(post.id)?.path ?? '');
      const text = await readFile(path, 'utf8');
      const { writeFile } = await import('node:fs/promises');
      await writeFile(path, text.replace('Hello', 'Hello again'));
      const other = await serve({ ...webhook, kinds: ['term'] }, { from: join(dir, 'other') });
      await until(() => receiver.received.length === 1);
      expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ type: 'site.changed', data: { type: 'everything' } });
      await sent(other);
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });

  it('the queue is sent by the next process', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'cms-off-'));
    try {
      receiver.answer(500);
      const first = await serve({ ...webhook, kinds: ['post'] });
      await publish(first, 'Hello');
      await until(() => first.site.webhooks.counts().failed === 1);
      const id = receiver.received[0]?.headers['webhook-id'];
      await first.server.close();
      await first.site.close();
      const { cp } = await import('node:fs/promises');
      await cp(first.dir, join(dir, 'copy'), { recursive: true });
      await rm(first.dir, { recursive: true });
      site = null;
      receiver.answer(204);
      await serve({ ...webhook, kinds: ['post'] }, { from: join(dir, 'copy'), clock: () => Date.now() + 60_000 });
      await until(() => receiver.received.length === 2);
      expect(receiver.received[1]?.headers['webhook-id']).toBe(id);
      expect(JSON.parse(receiver.received[1]?.body ?? '').type).toBe('post.created');
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });
});

describe('presets', () => {
  it('deploy: ten saves are one POST without a body, some time after the last of them', async () => {
    const of = await serve({ preset: 'deploy', wait: 3 });
    const post = await publish(of, 'Hello');
    for (let at = 1; at < 10; at++)
      await of.ask('POST', `/cms/v2/posts/${post.id}`, { as: 'admin', body: { content: String(at) } });
    const saved = Date.now();
    await until(() => receiver.received.length > 0);
    await sent(of);
    expect(receiver.received.map(({ method, url, body }) => [method, url, body])).toEqual([['POST', '/', '']]);
    expect((receiver.received[0]?.at ?? 0) - saved).toBeGreaterThan(1500);
    await of.ask('POST', `/cms/v2/posts/${post.id}`, { as: 'admin', body: { content: 'later' } });
    await until(() => receiver.received.length === 2);
  });

  it('deploy: a build that failed is tried again with the next change', async () => {
    let now = Date.now();
    const of = await serve({ preset: 'deploy', wait: 1 }, { clock: () => now });
    receiver.answer(500);
    const post = await publish(of, 'Hello');
    for (let failed = 1; failed <= 4; failed++) {
      await until(() => {
        now += 5000;
        of.site.webhooks.look();
        return of.site.webhooks.counts().failed >= failed;
      });
    }
    receiver.answer(204);
    await of.ask('POST', `/cms/v2/posts/${post.id}`, { as: 'admin', body: { content: 'later' } });
    const before = now;
    await until(() => {
      now += 50;
      of.site.webhooks.look();
      return of.site.webhooks.counts().waiting === 0;
    });
    // By itself the fifth attempt comes 100 seconds later, or more.
    expect(now - before).toBeLessThan(60_000);
  });

  it('next: paths and tags, signed', async () => {
    const of = await serve({ ...webhook, preset: 'next', wait: 0.2, kinds: ['post'] });
    const { body: category } = await of.ask('POST', '/cms/v2/categories', { as: 'admin', body: { name: 'Notes' } });
    const post = await publish(of, 'Hello', { categories: [category.id] });
    await of.ask('POST', `/cms/v2/posts/${post.id}`, { as: 'admin', body: { slug: 'moved' } });
    await until(() => receiver.received.length === 1);
    const [{ body, headers }] = receiver.received as any;
    const told = new Webhook(secret).verify(body, headers) as any;
    expect(told.everything).toBe(false);
    expect([...told.paths].sort()).toEqual(['/', '/author/admin/', '/category/notes/', '/hello/', '/moved/'].sort());
    expect(told.tags).toEqual(expect.arrayContaining([`posts/${post.id}`, 'posts', `categories/${category.id}`]));
  });

  it('next: everything, if a part of every page changes', async () => {
    const of = await serve({ ...webhook, preset: 'next', wait: 0.1 });
    await of.ask('POST', '/cms/v2/settings', { as: 'admin', body: { title: 'Other' } });
    await until(() => receiver.received.length === 1);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual({ paths: [], tags: [], everything: true });
  });

  it('astro: the path, with the token of its adapter', async () => {
    const of = await serve({ ...token, preset: 'astro', wait: 0.1, kinds: ['post'] });
    await publish(of, 'Hello');
    await sent(of);
    expect(receiver.received.map(({ url }) => url).sort()).toEqual([
      '/',
      '/author/admin/',
      '/category/uncategorized/',
      '/hello/',
    ]);
    for (const { method, headers } of receiver.received)
      expect([method, headers['x-prerender-revalidate']]).toEqual(['GET', 'token-of-the-service']);
  });

  it('fastly: surrogate keys, soft purge, or all', async () => {
    const of = await serve({ ...token, preset: 'fastly', url: `${receiver.url}/service/abc/`, wait: 0.1, soft: true });
    const post = await publish(of, 'Hello');
    await until(() => receiver.received.length === 1);
    const [{ url, headers, body }] = receiver.received as any;
    expect([url, headers['fastly-key'], headers['fastly-soft-purge']]).toEqual([
      '/service/abc/purge',
      'token-of-the-service',
      '1',
    ]);
    expect(JSON.parse(body).surrogate_keys).toContain(`posts/${post.id}`);
    await of.ask('POST', '/cms/v2/settings', { as: 'admin', body: { title: 'Other' } });
    await until(() => receiver.received.length === 2);
    expect(receiver.received[1]?.url).toBe('/service/abc/purge_all');
  });

  it('cloudflare: tags or URLs, thirty at a time', async () => {
    const of = await serve({ ...token, preset: 'cloudflare', url: `${receiver.url}/zones/z`, wait: 0.2, by: 'paths' });
    for (let at = 0; at < 35; at++) await publish(of, `Post ${at}`);
    await sent(of);
    const files = receiver.received.map(({ body }) => JSON.parse(body).files as string[]);
    expect(files.every((list) => list.length <= 30)).toBe(true);
    expect(files.flat()).toContain(`${of.url}/post-34/`);
    expect(receiver.received[0]).toMatchObject({ method: 'POST', url: '/zones/z/purge_cache' });
    expect(receiver.received[0]?.headers.authorization).toBe('Bearer token-of-the-service');
  });

  it('purge: the PURGE method, for each path', async () => {
    const of = await serve({ preset: 'purge', wait: 0.1, kinds: ['post'] });
    await publish(of, 'Hello');
    await sent(of);
    expect(receiver.received.map(({ method, url }) => `${method} ${url}`)).toContain('PURGE /hello/');
  });
});

describe('settings of webhooks', () => {
  const env = { S: secret, T: 'token', SHORT: 'whsec_YWJj', PLAIN: 'secret' };
  const wrong: readonly (readonly [row: unknown, why: string])[] = [
    ['https://example.com', 'events.front is not a map'],
    [{ secret_env: 'S' }, 'events.front has either url or url_env'],
    [{ url: 'https://example.com', url_env: 'T', secret_env: 'S' }, 'events.front has either url or url_env'],
    [{ url: 'ftp://example.com', secret_env: 'S' }, 'events.front.url is not a URL: https://…'],
    [{ url: 'https://example.com' }, 'events.front.secret_env is not the name of an environment variable'],
    [{ url: 'https://example.com', secret_env: 'NONE' }, 'events.front.secret_env names NONE, which is not set'],
    [{ url: 'https://example.com', secret_env: 'SHORT' }, 'events.front.secret_env names a variable that is not whsec_'],
    [{ url: 'https://example.com', secret_env: 'PLAIN' }, 'events.front.secret_env names a variable that is not whsec_'],
    [{ url: 'https://example.com', secret_env: 'S', kind: 'post' }, 'events.front.kind is not one of preset, url,'],
    [
      { url: 'https://example.com', secret_env: 'S', kinds: ['posts'] },
      'events.front.kinds is not one of post, term, user, comment, site',
    ],
    [{ url: 'https://example.com', preset: 'netlify' }, 'events.front.preset is not one of webhook, deploy,'],
    [{ url: 'https://example.com', preset: 'fastly' }, 'events.front.token_env is not the name of an environment variable'],
    [{ url: 'https://example.com', preset: 'deploy', wait: 5000 }, 'events.front.wait is not a number of seconds up to 3600'],
    [{ url: 'https://example.com', preset: 'deploy', hidden: 'yes' }, 'events.front.hidden is not true or false'],
  ];
  for (const [row, why] of wrong)
    it(`reject ${JSON.stringify(row)}`, () => {
      expect(() => readHooks({ front: row }, env)).toThrow(why);
    });

  it('accept a URL from a variable, for secret deploy hooks', () => {
    expect(readHooks({ build: { preset: 'deploy', url_env: 'U' } }, { U: 'https://api.example.com/hooks/1' })).toMatchObject([
      { name: 'build', url: 'https://api.example.com/hooks/1', waitMs: 10_000 },
    ]);
  });
});
