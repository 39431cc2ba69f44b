/** A client of several nodes that is cut off at random, and resumes at a random one. */
import { afterEach, describe, expect, it } from 'vitest';
import type { ContentEngine } from '../../../src/kernel/store/content-engine.ts';
import { createMemoryEngine } from '../../support/memory-engine.ts';
import { createContent, type Node, startNode } from '../../support/nodes.ts';
import { until } from '../../support/site.ts';
import { follow } from './following.ts';

const nodes: Node[] = [];
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.close();
});

async function start(engine: ContentEngine): Promise<Node> {
  const node = await startNode(engine, 5);
  nodes.push(node);
  return node;
}

describe('a client that is cut off at random, and goes on at a random node', () => {
  for (const seed of [1, 2, 3, 4]) it(`misses nothing (${seed})`, { timeout: 120_000 }, () => wander(seed));
});

/** What happens to posts, and a client that knows their URLs by events alone. */
async function wander(seed: number): Promise<void> {
  const engine = createMemoryEngine();
  const as = await createContent(engine);
  const random = seeded(seed);
  const below = (count: number): number => Math.floor(random() * count);
  /** News is late, and may come together. */
  const slow = (): ContentEngine => ({
    ...engine,
    hints: () => () => undefined,
    async changes(since) {
      await new Promise((done) => setTimeout(done, below(12)));
      return engine.changes(since);
    },
  });
  const all = [await start(slow()), await start(slow()), await start(engine)];
  const node = (): Node => all[below(all.length)] as Node;
  const settled = (one: Node) => until(async () => one.site.feed.commits?.commit === (await engine.position()));
  const publish = async (one: Node, title: string, more: object = {}): Promise<number> =>
    (await one.ask('POST', '/posts', { as, body: { title, status: 'publish', ...more } })).body.id;
  /** A post that comes after all others. */
  let mark = 0;
  const known = new Map<number, string>();
  const counts = { cuts: 0, resets: 0 };
  async function read({ url }: Node): Promise<void> {
    known.clear();
    const answer = await fetch(`${url}/cms-json/cms/v2/posts?per_page=100&_fields=id,link`);
    for (const { id, link } of (await answer.json()) as { id: number; link: string }[]) known.set(id, link);
  }

  /** Until it is cut off: it takes no notice of what comes after. */
  async function listen(last: string | undefined): Promise<string> {
    const at = node();
    const headers: Record<string, string> = last === undefined ? {} : { 'last-event-id': last };
    const stream = await follow(at.url, { headers, path: '/cms-json/cms/v2/events?kind=post,site' });
    const most = below(6);
    const ends = performance.now() + below(150);
    let [next, now] = [0, last ?? stream.last()];
    while (next < most && performance.now() < ends) {
      const message = stream.messages[next];
      if (message === undefined) {
        await new Promise((done) => setTimeout(done, 2));
        continue;
      }
      const { id, data } = message;
      if (data.action === 'reset') {
        counts.resets++;
        await read(at);
      } else if (data.kind === 'post') {
        if (data.link.after === null) known.delete(data.id);
        else known.set(data.id, data.link.after);
      }
      [next, now] = [next + 1, id];
    }
    // Of an event of all that have come it may have been told already that its commit is whole.
    if (next === stream.messages.length) now = stream.last();
    stream.close();
    counts.cuts++;
    return now;
  }

  async function client(): Promise<void> {
    let last = await listen(undefined);
    while (!known.has(mark)) last = await listen(last);
  }

  async function writer(): Promise<void> {
    const ids: number[] = [];
    for (let write = 0; write < 25; write++) {
      const [id, slug] = [ids[below(ids.length)], `at-${seed}-${below(1e9)}`];
      const what = below(4);
      if (id === undefined || what === 0) ids.push(await publish(node(), slug, { slug }));
      else if (what === 1) await node().ask('DELETE', `/posts/${ids.splice(ids.indexOf(id), 1)[0]}?force=true`, { as });
      else await node().ask('POST', `/posts/${id}`, { as, body: { slug, status: what === 2 ? 'publish' : 'private' } });
      await new Promise((done) => setTimeout(done, below(25)));
    }
  }

  await Promise.all(all.map(settled));
  await publish(all[0] as Node, 'First');
  await Promise.all(all.map(settled));
  const reading = client();
  await Promise.all([writer(), writer()]);
  await Promise.all(all.map(settled));
  mark = await publish(all[0] as Node, 'Mark');
  await reading;
  const expected = new Map<number, string>();
  for (const { id, link } of (await all[0]?.ask('GET', '/posts?per_page=100'))?.body ?? []) expected.set(id, link);
  // What was there before it came it was not told of.
  for (const [id, link] of known) expect([id, link]).toEqual([id, expected.get(id)]);
  for (const id of expected.keys()) if (!known.has(id)) expect(expected.get(id)).toContain('/first/');
  expect(counts.cuts).toBeGreaterThan(5);
  // The busier the machine, the more commits come together.
  expect(counts.resets).toBeLessThan(counts.cuts * 0.75);
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}
