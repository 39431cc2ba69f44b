/** Events of several nodes of one site: a client that was cut off by one goes on at any other. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { neutral } from '../../../src/kernel/rest/dialect.ts';
import type { ContentEngine } from '../../../src/kernel/store/content-engine.ts';
import { createMemoryEngine } from '../../support/memory-engine.ts';
import { createContent, type Node, startNode } from '../../support/nodes.ts';
import { until } from '../../support/site.ts';
import { type Follower, follow, type FollowOptions } from './following.ts';

let engine: ContentEngine;
let as: string;
const nodes: Node[] = [];
const open: Follower[] = [];

beforeEach(async () => {
  engine = createMemoryEngine();
  as = await createContent(engine);
});
afterEach(async () => {
  for (const one of open.splice(0)) one.close();
  for (const node of nodes.splice(0)) await node.close();
});

async function start(of: ContentEngine = engine, clock?: () => number): Promise<Node> {
  const node = await startNode(of, 5, {}, undefined, [], clock);
  nodes.push(node);
  return node;
}

interface Held {
  readonly node: Node;
  /** News has come from the engine, and does not reach the node. */
  readonly isHeld: () => boolean;
  hold(isHeld: boolean): void;
  /** Lets what has come through, and holds what comes next. */
  pass(): void;
}

async function startHeld(clock?: () => number): Promise<Held> {
  let isHolding = false;
  let go: (() => void) | null = null;
  const changes: ContentEngine['changes'] = async (since) => {
    const news = await engine.changes(since);
    if (isHolding && news?.files.length) await new Promise<void>((done) => (go = done));
    go = null;
    return news;
  };
  const node = await start({ ...engine, changes, hints: () => () => undefined }, clock);
  return {
    node,
    isHeld: () => go !== null,
    hold(next) {
      isHolding = next;
      if (!next) go?.();
    },
    pass: () => go?.(),
  };
}

async function following({ url }: Node, last?: string, options: FollowOptions = {}): Promise<Follower> {
  const one = await follow(url, { ...options, ...(last === undefined ? {} : { headers: { 'last-event-id': last } }) });
  open.push(one);
  return one;
}

const publish = async (node: Node, title: string, more: object = {}) =>
  (await node.ask('POST', '/posts', { as, body: { title, status: 'publish', ...more } })).body as { readonly id: number };

/** Memory of a node is whole up to the last commit. */
const settled = (node: Node) =>
  until(async () => node.site.feed.commits?.commit === (await engine.position()) && (await engine.position()));

const posts = ({ messages }: Follower) => messages.filter(({ data }) => data.kind === 'post').map(({ data }) => data.id);
const actions = ({ messages }: Follower) => messages.map(({ data }) => data.action);

describe('a client that was cut off', () => {
  it('goes on at another node, with what it has missed alone', async () => {
    const [one, other] = [await start(), await start()];
    await publish(one, 'Before');
    await settled(one);
    await settled(other);
    const first = await following(one);
    const seen = await publish(other, 'Seen');
    await first.next(({ id }) => id === seen.id);
    await settled(one);
    // It is told that the commit is whole, without an event.
    await until(() => Number(first.last()) === one.site.events.position);
    first.close();
    const missed = [await publish(one, 'Missed'), await publish(other, 'Missed too')];
    await settled(other);
    const second = await following(other, first.last());
    await second.next(({ id }) => id === missed[1]?.id);
    expect(posts(second)).toEqual(missed.map(({ id }) => id));
  });

  it('is sent the events of a commit again of which it has had a part', async () => {
    const [one, other] = [await start(), await start()];
    const page = async (title: string, parent = 0) =>
      (await one.ask('POST', '/pages', { as, body: { title, status: 'publish', parent } })).body as { readonly id: number };
    const above = await page('About');
    const below = [await page('Team', above.id), await page('House', above.id)];
    await settled(one);
    await settled(other);
    const first = await following(one);
    await one.ask('POST', `/pages/${above.id}`, { as, body: { slug: 'company' } });
    const all = [above, ...below].map(({ id }) => id).sort();
    await until(() => new Set(posts(first)).size === 3);
    await settled(other);
    for (const { id } of first.messages) {
      const again = await following(other, id);
      await until(() => new Set(posts(again)).size === 3);
      expect(posts(again).sort()).toEqual(all);
    }
  });

  it('is told by the number of a write when its event has been sent, by every node', async () => {
    const [one, other] = [await start(), await start()];
    const streams = [await following(one), await following(other)];
    for (let at = 0; at < 5; at++) {
      const { body, headers } = await one.ask('POST', '/posts', { as, body: { title: `Post ${at}`, status: 'publish' } });
      const written = Number(headers.get('x-cms-seq'));
      for (const stream of streams) {
        await until(() => Number(stream.last()) >= written);
        expect(posts(stream)).toContain(body.id);
      }
    }
  });

  it('is told to read everything by a node that took in several commits at once, unless it knew the state before or after', async () => {
    const [one, { node: late, hold, isHeld }] = [await start(), await startHeld()];
    const first = await following(one);
    const isWhole = () => until(() => Number(first.last()) === one.site.events.position);
    // It may go on to read what comes next.
    const fresh = first.last();
    await publish(one, 'Before');
    await settled(one);
    await settled(late);
    await isWhole();
    const before = first.last();
    hold(true);
    // This alone is on its way; what comes now comes at once.
    await publish(one, 'Held');
    await until(isHeld);
    await settled(one);
    const { id } = await publish(one, 'Short-lived');
    await first.next((event) => event.id === id);
    await isWhole();
    const between = first.last();
    await one.ask('DELETE', `/posts/${id}?force=true`, { as });
    await first.next(({ action }) => action === 'deleted');
    await settled(one);
    await isWhole();
    const after = first.last();
    hold(false);
    await settled(late);
    for (const unsure of [fresh, between]) expect(actions(await following(late, unsure))).toEqual(['reset']);
    for (const known of [before, after]) expect(actions(await following(late, known))).not.toContain('reset');
  });

  it('is told to read everything where the state is not known that it was told of before its commit was whole', async () => {
    const [early, late, other] = [await startHeld(), await startHeld(), await start()];
    // From now on it has ids of its own to give.
    await publish(early.node, 'Before');
    for (const node of nodes) await settled(node);
    for (const one of [early, late]) {
      one.hold(true);
      await publish(other, 'Held');
      await until(one.isHeld);
    }
    const first = await following(early.node);
    // Its own: it does not have what was committed before.
    const text = '---\nid: 9000\ntitle: Own\ndate: 2026-01-01 10:00\n---\n\nText\n';
    await early.node.site.commit([{ path: 'posts/own.md', expect: null, bytes: Buffer.from(text) }]);
    await first.next(({ id }) => id === 9000);
    const told = first.last();
    await settled(other);
    await other.ask('DELETE', '/posts/9000?force=true', { as });
    late.hold(false);
    await settled(late.node);
    const second = await following(late.node, told);
    early.hold(false);
    expect(actions(second)).toEqual(['reset']);
  });

  it('is not told again of a change by a node whose own came too late', async () => {
    const [one, { node: late, hold, isHeld }] = [await start(), await startHeld()];
    const { id } = await publish(one, 'Post');
    for (const node of [one, late]) await settled(node);
    await following(late);
    hold(true);
    await one.ask('POST', `/posts/${id}`, { as, body: { slug: 'first' } });
    await until(isHeld);
    const writing = late.ask('POST', `/posts/${id}`, { as, body: { slug: 'second' } });
    setTimeout(() => hold(false), 50);
    expect((await writing).body.slug).toBe('second');
    for (const node of [one, late]) await settled(node);
    const { body } = await one.ask('POST', `/posts/${id}`, { as, body: { slug: 'third' } });
    for (const node of [one, late]) await settled(node);
    const after = await following(late, String(late.site.events.position));
    const { id: next } = await publish(one, 'Next');
    await after.next((event) => event.id === next);
    expect([body.slug, posts(after)]).toEqual(['third', [next]]);
  });

  it('is not told again of a change that a node has read before it was to take it in', async () => {
    const one = await start();
    const { id } = await publish(one, 'Post');
    let meanwhile: (() => Promise<unknown>) | null = null;
    let isStale = false;
    let news = Promise.resolve();
    const late = await start({
      ...engine,
      hints: () => () => undefined,
      async changes(since) {
        await news;
        return engine.changes(since);
      },
      async read(paths) {
        const change = isStale ? meanwhile : null;
        if (change === null) return engine.read(paths);
        meanwhile = null;
        let go = (): void => undefined;
        news = new Promise((done) => (go = done));
        await change();
        setTimeout(() => go(), 100);
        return engine.read(paths);
      },
      async commit(asked) {
        if (meanwhile === null || asked.edits.every(({ path }) => !path.startsWith('posts/'))) return engine.commit(asked);
        await one.ask('POST', `/posts/${id}`, { as, body: { title: 'First' } });
        isStale = true;
        return engine.commit(asked);
      },
    });
    for (const node of nodes) await settled(node);
    await following(late);
    meanwhile = () => one.ask('POST', `/posts/${id}`, { as, body: { title: 'Second' } });
    const { body } = await late.ask('POST', `/posts/${id}`, { as, body: { excerpt: 'Third' } });
    for (const node of nodes) await settled(node);
    const after = await following(late, String(late.site.events.position));
    const { id: next } = await publish(one, 'Next');
    await after.next((event) => event.id === next);
    expect([body.title.rendered, meanwhile, actions(after), posts(after)]).toEqual(['Second', null, ['created'], [next]]);
  });

  it('is sent what a node has written itself before it had heard of an earlier commit', async () => {
    const [one, { node: late, hold, isHeld }] = [await start(), await startHeld()];
    // From now on it has ids of its own to give.
    await publish(late, 'Before');
    await Promise.all([settled(one), settled(late)]);
    const first = await following(one);
    hold(true);
    const seen = await publish(one, 'Seen');
    await first.next(({ id }) => id === seen.id);
    await until(() => Number(first.last()) === one.site.events.position);
    await until(isHeld);
    const last = first.last();
    const text = '---\nid: 9000\ntitle: Own\ndate: 2026-01-01 10:00\n---\n\nText\n';
    await late.site.commit([{ path: 'posts/own.md', expect: null, bytes: Buffer.from(text) }]);
    hold(false);
    await settled(late);
    const second = await following(late, last);
    await second.next(({ id }) => id === 9000);
    expect(actions(second)).not.toContain('reset');
  });

  it('is not told that a commit is whole whose answer has not come', async () => {
    let answer: (() => void) | null = null;
    const commit: ContentEngine['commit'] = async (asked) => {
      const committed = await engine.commit(asked);
      if (asked.edits.some(({ path }) => path === 'posts/own.md')) await new Promise<void>((done) => (answer = done));
      return committed;
    };
    const node = await start({ ...engine, commit });
    await publish(node, 'Before');
    await settled(node);
    const stream = await following(node);
    const before = node.site.events.position;
    const writing = node.site.commit([
      { path: 'posts/own.md', expect: null, bytes: Buffer.from('---\nid: 9000\ntitle: Own\ndate: 2026-01-01\n---\n\nText\n') },
    ]);
    await until(async () => answer !== null && node.site.store.shared?.seen === (await engine.position()));
    expect(node.site.events.position).toBe(before);
    (answer as (() => void) | null)?.();
    await writing;
    await settled(node);
    await stream.next(({ id }) => id === 9000);
    await until(() => Number(stream.last()) > before);
  });

  it('is not told that a commit is whole because a post has come due after its event', async () => {
    let now = Date.parse('2026-03-01T10:00:00Z');
    const [other, { node, hold, isHeld, pass }] = [await start(), await startHeld(() => now)];
    const { body: later } = await node.ask('POST', '/posts', {
      as,
      body: { title: 'Later', status: 'publish', date_gmt: '2026-03-01T11:00:00' },
    });
    for (const one of nodes) await settled(one);
    const filter = { kinds: [], types: ['post'] };
    const source = await node.site.eventStreams.stream({ user: null, ip: '', dialect: neutral, filter, last: undefined });
    const close = source.open(() => undefined);
    const idOf = (text: string | null): string | undefined => /^id: (\d+)$/m.exec(text ?? '')?.[1];
    /** All there is to be sent, the id of the last message first. */
    const take = () => {
      const texts: string[] = [];
      for (let text = source.take(); text; text = source.take()) texts.unshift(text);
      return texts;
    };
    take();
    hold(true);
    const page = (title: string) => other.ask('POST', '/pages', { as, body: { title, status: 'publish' } });
    await page('On its way');
    await until(isHeld);
    await page('Behind it');
    await node.site.commit([
      { path: 'posts/own.md', expect: null, bytes: Buffer.from('---\nid: 9000\ntitle: Own\ndate: 2026-01-01\n---\n\nText\n') },
    ]);
    now = Date.parse('2026-03-01T11:00:01Z');
    node.site.refresh('posts', [later.id]);
    const [due, own, ...more] = take();
    expect([due, own, more]).toEqual([expect.stringContaining(`"id":${later.id},`), expect.stringContaining('"id":9000,'), []]);
    const before = node.site.events.position;
    pass();
    await until(() => node.site.events.position > before);
    take();
    expect([idOf(source.beat()), take()]).toEqual([idOf(due as string), []]);
    hold(false);
    await settled(node);
    expect(take().map(idOf)).toEqual([String(node.site.events.position)]);
    close();
  });

  it('waits for a node that is behind', async () => {
    const [one, { node: late, hold }] = [await start(), await startHeld()];
    await publish(one, 'Before');
    await settled(late);
    hold(true);
    const first = await following(one);
    const seen = await publish(one, 'Seen');
    await first.next(({ id }) => id === seen.id);
    await until(() => Number(first.last()) === one.site.events.position);
    const waiting = following(late, first.last());
    setTimeout(() => hold(false), 100);
    const second = await waiting;
    const missed = await publish(one, 'Missed');
    await second.next(({ id }) => id === missed.id);
    expect(actions(second)).not.toContain('reset');
  });

  it('is told to read everything where a node cannot know what it has missed', async () => {
    const one = await start();
    const first = await following(one);
    await publish(one, 'Before the other starts');
    await settled(one);
    await until(() => Number(first.last()) === one.site.events.position);
    const other = await start();
    // Of processes that had the content to themselves: 4,096 for each second.
    const ofTheClock = String(Math.floor(Date.now() / 1000) * 4096);
    const ahead = String(Number(first.last()) + 1_000_000);
    for (const last of [first.last(), ofTheClock, ahead, '0', '1', '9999999999999999', 'nonsense', '-1']) {
      const lost = await following(other, last);
      expect([last, actions(lost)]).toEqual([last, ['reset']]);
      expect(Number(lost.last())).toBeGreaterThan(Number(ofTheClock));
    }
  });

  it('hears of a scheduled post from a node that has found it due later, or before it had the last commit', async () => {
    let now = Date.parse('2026-03-01T10:00:00Z');
    const [one, other] = [await start(engine, () => now), await start(engine, () => now)];
    const { body: later } = await one.ask('POST', '/posts', {
      as,
      body: { title: 'Later', status: 'publish', date_gmt: '2026-03-01T11:00:00' },
    });
    expect(later.status).toBe('future');
    await settled(other);
    const first = await following(one);
    now = Date.parse('2026-03-01T11:00:01Z');
    other.site.refresh('posts', [later.id]);
    await publish(one, 'Meanwhile');
    await until(() => posts(first).length > 0);
    await settled(one);
    await settled(other);
    await until(() => Number(first.last()) === one.site.events.position);
    const second = await following(other, first.last());
    await second.next(({ id, action }) => id === later.id && action === 'created');
    expect(actions(second)).not.toContain('reset');
  });

  it('is told of a post that one node has found due as it is now, not as it was then', async () => {
    let now = Date.parse('2026-03-01T10:00:00Z');
    const [one, other] = [await start(engine, () => now), await start(engine, () => now)];
    const { body: later } = await one.ask('POST', '/posts', {
      as,
      body: { title: 'Later', status: 'publish', date_gmt: '2026-03-01T11:00:00' },
    });
    for (const node of nodes) await settled(node);
    const first = await following(one);
    await following(other);
    now = Date.parse('2026-03-01T11:00:01Z');
    for (const node of nodes) node.site.refresh('posts', [later.id]);
    await first.next(({ id }) => id === later.id);
    await one.ask('POST', `/posts/${later.id}`, { as, body: { slug: 'moved' } });
    for (const node of nodes) await settled(node);
    await until(() => Number(first.last()) === one.site.events.position);
    const second = await following(other, first.last());
    await second.next(({ id }) => id === later.id);
    expect(second.messages.map(({ data }) => data.link.after)).toEqual(['https://example.org/moved/']);
  });
});
