/** Webhooks of several nodes are sent by one at a time. It dies, and another one goes on. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { environment } from '../../../src/kernel/environment.ts';
import { type ContentEngine, EngineAwayError } from '../../../src/kernel/store/content-engine.ts';
import { createMemoryEngine } from '../../support/memory-engine.ts';
import { createContent, type Node, startNode } from '../../support/nodes.ts';
import { until } from '../../support/site.ts';
import { type Receiver, startReceiver } from './receiver.ts';

environment.CMS_TEST_HOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const kept = '.private/events/deliveries.json';

let receiver: Receiver;
let engine: ContentEngine;
let as: string;
let now = Date.now();
const nodes: Node[] = [];

beforeEach(async () => {
  receiver = await startReceiver();
  // Leases run out by its clock.
  engine = createMemoryEngine(() => now);
  as = await createContent(engine);
});
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.close();
  await receiver.close();
});

interface Mortal {
  readonly node: Node;
  /** Nothing reaches the engine any more, and nothing comes from it: for all others, the node is dead. */
  die(): void;
  /** It dies instead of storing what is to be sent, or when it has. */
  dieAt(when: 'before storing' | 'after storing'): void;
}

async function start(clock?: () => number): Promise<Mortal> {
  let isDead = false;
  let when = '';
  const alive =
    <A extends unknown[], T>(ask: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      if (isDead) throw new EngineAwayError('dead');
      const answer = await ask(...args);
      if (isDead) throw new EngineAwayError('dead');
      return answer;
    };
  const commit: ContentEngine['commit'] = async (asked) => {
    const isStoring = asked.edits.some(({ path }) => path === kept);
    if (isStoring && when === 'before storing') isDead = true;
    if (isDead) throw new EngineAwayError('dead');
    const committed = await engine.commit(asked);
    if (isStoring && when === 'after storing' && String(asked.edits[0]?.bytes).includes('"created"')) isDead = true;
    return committed;
  };
  const { changes, list, read, reserve, lease } = engine;
  const own = { changes, list, read, reserve, lease };
  const asking = Object.fromEntries(Object.entries(own).map(([name, ask]) => [name, alive(ask as () => Promise<unknown>)]));
  const hook = { url: receiver.url, secret_env: 'CMS_TEST_HOOK_SECRET', kinds: ['post', 'site'] };
  const operator = { fetch_allow: ['127.0.0.1'], events: { front: hook } };
  const node = await startNode({ ...engine, ...asking, commit } as ContentEngine, 5, operator, undefined, [], clock);
  nodes.push(node);
  return {
    node,
    die() {
      isDead = true;
    },
    dieAt(next) {
      when = next;
    },
  };
}

/** One that sends, and another one that would. */
async function two(clock?: () => number): Promise<readonly [Mortal, Mortal]> {
  const first = await start(clock);
  await until(async () => (await engine.read([kept])).size > 0);
  return [first, await start(clock)];
}

const publish = async ({ node }: Mortal, title: string, more: object = {}) =>
  (await node.ask('POST', '/posts', { as, body: { title, status: 'publish', ...more } })).body.id as number;

/** What was received, each once. */
const told = () => {
  const byId = new Map(receiver.received.map(({ headers, body }) => [headers['webhook-id'], JSON.parse(body)]));
  return [...byId.values()].map(({ type, data }) => `${type} ${data.id}`);
};

describe('the node that sends webhooks dies', () => {
  it('and another one sends what has happened since, and nothing else', async () => {
    const [sending, other] = await two();
    const before = await publish(other, 'Before');
    await until(() => receiver.received.length === 1);
    // What was sent is stored.
    await until(async () => !String((await engine.read([kept])).get(kept)?.bytes).includes('"created"'));
    await until(async () => sending.node.site.events.position === other.node.site.events.position);
    sending.die();
    const missed = [await publish(other, 'Missed'), await publish(other, 'Missed too')];
    now += 20_000;
    await until(() => receiver.received.length === 3);
    const last = await publish(other, 'Last');
    await until(() => receiver.received.length === 4);
    expect(receiver.received.map(({ body }) => JSON.parse(body)).map(({ type, data }) => `${type} ${data.id}`)).toEqual(
      [before, ...missed, last].map((id) => `post.created ${id}`),
    );
  });

  it('between a write and storing what is to be sent', async () => {
    const [sending, other] = await two();
    sending.dieAt('before storing');
    const id = await publish(sending, 'Hello');
    await until(async () => other.node.site.posts.get(id));
    expect(receiver.received).toEqual([]);
    now += 20_000;
    await until(() => receiver.received.length === 1);
    expect(told()).toEqual([`post.created ${id}`]);
  });

  it('between storing and sending, or before it can store that it has sent', async () => {
    const [sending, other] = await two();
    sending.dieAt('after storing');
    const id = await publish(sending, 'Hello');
    await until(() => receiver.received.length === 1);
    now += 20_000;
    await until(() => receiver.received.length === 2);
    const last = await publish(other, 'Last');
    await until(() => receiver.received.length === 3);
    expect(told()).toEqual([`post.created ${id}`, `post.created ${last}`]);
  });

  it('with a scheduled post that both have found due', async () => {
    let site = Date.parse('2026-03-01T10:00:00Z');
    const [sending, other] = await two(() => site);
    const id = await publish(sending, 'Later', { date_gmt: '2026-03-01T11:00:00' });
    await until(async () => other.node.site.posts.get(id));
    site = Date.parse('2026-03-01T11:00:01Z');
    for (const { node } of [other, sending]) node.site.refresh('posts', [id]);
    await until(() => receiver.received.length > 0);
    sending.die();
    now += 20_000;
    const last = await publish(other, 'Last');
    await until(() => told().includes(`post.created ${last}`));
    expect(told().filter((one) => one === `post.created ${id}`)).toHaveLength(1);
    expect(told()).not.toContain('site.changed 0');
  });
});
