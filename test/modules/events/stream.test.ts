import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signUp, startSite, type TestSite, until } from '../../support/site.ts';
import { type Follower, follow, type FollowOptions } from './following.ts';

let site: TestSite;
const open: Follower[] = [];

beforeEach(async () => {
  site = await startSite();
});

afterEach(async () => {
  for (const one of open.splice(0)) one.close();
  await site.close();
});

async function following(options: FollowOptions = {}): Promise<Follower> {
  const one = await follow(site.url, options);
  open.push(one);
  return one;
}

describe('the event stream', () => {
  it('reports a write with status, links and tags, in either dialect', async () => {
    const [here, there] = [await following(), await following({ path: '/wp-json/wp/v2/events' })];
    const category = await site.ask('POST', '/cms/v2/categories', { as: 'admin', body: { name: 'Notes' } });
    const [categories, status] = [[category.body.id], 'publish'];
    const made = await site.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title: 'Harbour', status, categories } });
    expect(made.status).toBe(201);
    const event = await here.next(({ kind }) => kind === 'post');
    expect(event).toMatchObject({
      kind: 'post',
      action: 'created',
      id: made.body.id,
      type: 'post',
      status: { before: null, after: 'publish' },
      link: { before: null, after: made.body.link },
    });
    expect(event.tags).toEqual(
      expect.arrayContaining([`posts/${made.body.id}`, 'posts', `categories/${categories[0]}`, `users/${made.body.author}`]),
    );
    expect(Number(made.headers.get('x-cms-seq'))).toBeGreaterThanOrEqual(event.seq);
    expect(await there.next(({ kind }) => kind === 'post')).toEqual(event);
    const block = await site.ask('POST', '/cms/v2/blocks', {
      as: 'admin',
      body: { title: 'Note', content: 'x', status: 'publish' },
    });
    const admin = await following({ path: '/wp-json/wp/v2/events?type=wp_block', as: `admin:${site.password}` });
    await site.ask('POST', `/cms/v2/blocks/${block.body.id}`, { as: 'admin', body: { title: 'Other' } });
    expect((await admin.next(() => true)).type).toBe('wp_block');
  });

  it('adds an increasing number to responses to writes, but not to reads', async () => {
    expect((await site.ask('GET', '/cms/v2/posts')).headers.get('x-cms-seq')).toBeNull();
    const seqs: number[] = [];
    for (const title of ['a', 'b'])
      seqs.push(
        Number(
          (await site.ask('POST', '/wp/v2/posts', { root: '/wp-json', as: 'admin', body: { title } })).headers.get('x-wp-seq'),
        ),
      );
    expect(seqs[0]).toBeGreaterThan(0);
    expect(seqs[1]).toBeGreaterThan(seqs[0] as number);
    const refused = await site.ask('POST', '/cms/v2/posts', { body: { title: 'no' } });
    expect([refused.status, refused.headers.get('x-cms-seq')]).toEqual([401, null]);
  });

  it('reports hand edits: new, changed, moved, deleted', async () => {
    const stream = await following();
    await site.write('posts/by-hand.md', '---\ntitle: By hand\ndate: 2026-03-01 10:00\n---\n\nText\n');
    const created = await stream.next(({ action, kind }) => kind === 'post' && action === 'created');
    expect(created.link.after).toBe(`${site.url}/by-hand/`);
    await until(async () => (await site.read('posts/by-hand.md')).includes('id:'));
    await rename(join(site.dir, 'posts/by-hand.md'), join(site.dir, 'posts/moved.md'));
    const moved = await stream.next(({ link }) => link.after === `${site.url}/moved/`);
    expect(moved).toMatchObject({ id: created.id });
    await rm(join(site.dir, 'posts/moved.md'));
    const gone = await stream.next(({ action, link }) => action === 'deleted' && link.before === `${site.url}/moved/`);
    expect(gone).toMatchObject({ id: created.id, status: { before: 'publish', after: null }, link: { after: null } });
  });

  it('reports the items whose URLs change with a page', async () => {
    const page = async (title: string, parent = 0) =>
      (await site.ask('POST', '/cms/v2/pages', { as: 'admin', body: { title, status: 'publish', parent } })).body;
    const above = await page('About');
    const below = await page('Team', above.id);
    const stream = await following();
    await site.ask('POST', `/cms/v2/pages/${above.id}`, { as: 'admin', body: { slug: 'company' } });
    const event = await stream.next(({ id }) => id === below.id);
    expect(event.link).toEqual({ before: `${site.url}/about/team/`, after: `${site.url}/company/team/` });
    // By hand only the text of the file above changes.
    const path = site.site.posts.get(above.id)?.path ?? '';
    await site.write(path, (await site.read(path)).replace('---\n', '---\nslug: firm\n'));
    await stream.next(({ id, link }) => id === below.id && link.after === `${site.url}/firm/team/`);
  });

  it('reports a scheduled post when it is published', async () => {
    await site.close();
    let now = Date.parse('2026-03-01T10:00:00Z');
    site = await startSite({ clock: () => now });
    const made = await site.ask('POST', '/cms/v2/posts', {
      as: 'admin',
      body: { title: 'Later', status: 'publish', date_gmt: '2026-03-01T11:00:00' },
    });
    expect(made.body.status).toBe('future');
    const [visitor, admin] = [await following(), await following({ as: `admin:${site.password}` })];
    now = Date.parse('2026-03-01T11:00:01Z');
    site.site.refresh('posts', [made.body.id]);
    expect(await visitor.next(() => true)).toMatchObject({ action: 'created', status: { before: null, after: 'publish' } });
    expect(await admin.next(() => true)).toMatchObject({ action: 'updated', status: { before: 'future', after: 'publish' } });
  });

  it('reports settings, menus and the design as a whole', async () => {
    const stream = await following({ path: '/cms-json/cms/v2/events?kind=site' });
    await site.ask('POST', '/cms/v2/settings', { as: 'admin', body: { title: 'Other' } });
    await stream.next(({ type }) => type === 'settings');
    await site.write('patterns/hero.html', '---\ntitle: Hero\n---\n\n<p>Hi</p>\n');
    await stream.next(({ type }) => type === 'design');
    await site.ask('POST', '/cms/v2/menus', { as: 'admin', body: { name: 'Main' } });
    await stream.next(({ type }) => type === 'menus');
    expect(new Set(stream.messages.map(({ data }) => `${data.kind} ${data.action}`))).toEqual(new Set(['site changed']));
  });

  it('filters by kind and type, and rejects unknown kinds', async () => {
    const stream = await following({ path: '/cms-json/cms/v2/events?kind=post&type[]=page' });
    for (const base of ['posts', 'pages'])
      await site.ask('POST', `/cms/v2/${base}`, { as: 'admin', body: { title: base, status: 'publish' } });
    await stream.next(() => true);
    expect(stream.messages.map(({ data }) => data.type)).toEqual(['page']);
    expect(await site.ask('GET', '/cms/v2/events?kind=nonsense')).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_param' },
    });
  });

  it('resumes from Last-Event-ID, or says that it cannot', async () => {
    const first = await following();
    const titles = ['one', 'two', 'three'];
    const ids: number[] = [];
    for (const title of titles)
      ids.push((await site.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title, status: 'publish' } })).body.id);
    await first.next(({ id }) => id === ids[0]);
    const last = first.messages.find(({ data }) => data.id === ids[0])?.id as string;
    first.close();
    const second = await following({ headers: { 'last-event-id': last } });
    await second.next(({ id }) => id === ids[2]);
    expect(second.messages.filter(({ data }) => data.kind === 'post').map(({ data }) => data.id)).toEqual(ids.slice(1));
    for (const unknown of ['1', '99999999999999', 'nonsense', '-1']) {
      const lost = await following({ headers: { 'last-event-id': unknown } });
      expect(lost.messages.map(({ data }) => data.action)).toEqual(['reset']);
      await site.ask('POST', `/cms/v2/posts/${ids[0]}`, { as: 'admin', body: { title: unknown } });
      expect((await lost.next(({ action }) => action !== 'reset')).id).toBe(ids[0]);
    }
  });

  it('disconnects clients that do not read, and tells them when they reconnect', async () => {
    const slow = connect(Number(new URL(site.url).port), '127.0.0.1');
    slow.write(`GET /cms-json/cms/v2/events HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    const head = await new Promise<string>((resolve) => slow.once('data', (bytes) => resolve(String(bytes))));
    const last = /id: (\d+)/.exec(head)?.[1] ?? '';
    slow.pause();
    const { id } = (await site.ask('POST', '/cms/v2/posts', { as: 'admin', body: { title: 'Much', status: 'publish' } })).body;
    const post = site.site.posts.get(id);
    for (let at = 0; at < 20_000; at++) {
      site.site.records.apply([{ table: 'posts', put: { ...post, etag: String(at) } as never }]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    let rest = '';
    slow.on('error', () => undefined);
    slow.on('data', (bytes) => {
      rest = (rest + String(bytes)).slice(-100);
    });
    slow.resume();
    // It gets what was under way, and the end; or none, on a machine where all this took two pauses of the stream.
    await until(() => rest.endsWith('0\r\n\r\n') || slow.closed);
    slow.destroy();
    const again = await following({ headers: { 'last-event-id': last } });
    expect(again.messages[0]?.data.action).toBe('reset');
  });

  it('is sent immediately, without caching or compression', async () => {
    const { response } = await following({ headers: { 'accept-encoding': 'gzip, br', origin: 'https://front.example' } });
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=UTF-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': 'https://front.example',
    });
    expect(response.headers).not.toHaveProperty('content-length');
    expect(response.headers).not.toHaveProperty('content-encoding');
    const head = await site.ask('HEAD', '/cms/v2/events');
    expect([head.status, head.body]).toEqual([200, '']);
  });

  it('is not in the route catalogue', async () => {
    const { routes } = (await site.ask('GET', '/')).body;
    expect(Object.keys(routes).filter((route) => route.includes('events'))).toEqual([]);
  });

  it('has limits per address and in total', async () => {
    await site.close();
    site = await startSite({ operator: { event_streams: 20 } });
    const two = [await following(), await following()];
    expect(await site.ask('GET', '/cms/v2/events')).toMatchObject({ status: 429, body: { code: 'rest_too_many_streams' } });
    two[0]?.close();
    const freed = await until(async () => {
      const one = await follow(site.url);
      one.close();
      return one.response.statusCode === 200;
    });
    expect(freed).toBe(true);
  });

  it('ends when the server does', async () => {
    const stream = await following();
    const began = performance.now();
    await site.server.close();
    expect(performance.now() - began).toBeLessThan(1000);
    await until(stream.isOver);
  });

  it('ends for users whose account changes', async () => {
    const editor = await signUp(site, 'editor', 'editor');
    const [theirs, other] = [await following({ as: editor.as }), await following()];
    await site.ask('POST', `/cms/v2/users/${editor.id}`, { as: 'admin', body: { roles: ['subscriber'] } });
    // Sooner than the next look at the account, after fifteen seconds.
    await until(theirs.isOver, 10_000);
    expect(other.isOver()).toBe(false);
  });
});
