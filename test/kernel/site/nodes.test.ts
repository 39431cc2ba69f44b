/** Several nodes of one site over one engine: what each of them knows, and what they may promise together. */
import pg from 'pg';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { ContentEngine } from '../../../src/kernel/store/content-engine.ts';
import { createMemoryEngine } from '../../support/memory-engine.ts';
import { createPostgresEngine } from '../../../src/engines/postgres/postgres-engine.ts';
import { addApplicationPassword } from '../../../src/modules/people/accounts/application-passwords.ts';
import { createContent, interruptible, memoryOf, type Node, openNode, startNode } from '../../support/nodes.ts';
import { missingPostgres, startPostgres } from '../../support/postgres.ts';
import { until } from '../../support/site.ts';

const postgres = missingPostgres === null ? it : it.skip;

let engine: ContentEngine;
let as: string;
beforeEach(async () => {
  engine = createMemoryEngine();
  as = await createContent(engine);
});

/** @param pollMs  so rarely that only requests bring news, unless it is given */
async function start(
  count: number,
  over: ContentEngine = { ...engine, hints: () => () => undefined },
  pollMs = 3_600_000,
): Promise<Node[]> {
  const nodes: Node[] = [];
  for (let at = 0; at < count; at++) nodes.push(await startNode(over, pollMs));
  onTestFinished(async () => {
    for (const node of nodes) await node.close();
  });
  return nodes;
}

const post = (node: Node, body: object) => node.ask('POST', '/posts', { as, body: { status: 'publish', ...body } });

describe('nodes', () => {
  it('show somebody who is signed in what any of them has acknowledged', async () => {
    const [a, b, c] = (await start(3)) as [Node, Node, Node];
    const { status, body } = await post(a, { title: 'One' });
    expect(status).toBe(201);
    for (const node of [b, c]) {
      for (let at = 0; at < 6; at++)
        expect((await node.ask('GET', `/posts/${body.id}?context=edit`, { as })).body.title.raw).toBe('One');
    }
    expect(c.server.cached().hits).toBeGreaterThan(0);
    expect((await b.ask('POST', `/posts/${body.id}`, { as, body: { title: 'Two' } })).status).toBe(200);
    expect((await c.ask('GET', `/posts/${body.id}?context=edit`, { as })).body.title.raw).toBe('Two');
    expect((await a.ask('GET', `/posts/${body.id}`, { as })).body.title.rendered).toBe('Two');
    expect((await a.ask('DELETE', `/posts/${body.id}?force=true`, { as })).status).toBe(200);
    expect((await c.ask('GET', `/posts/${body.id}`, { as })).status).toBe(404);
  });

  it('show visitors the same a little later', async () => {
    const [a, b] = (await start(2, engine, 20)) as [Node, Node];
    const { body } = await post(a, { title: 'One' });
    await until(async () => (await b.ask('GET', `/posts/${body.id}`)).status === 200);
    await b.ask('POST', `/posts/${body.id}`, { as, body: { title: 'Two' } });
    await until(async () => (await a.ask('GET', `/posts/${body.id}`)).body.title.rendered === 'Two');
  });

  it('take a password that another one has made, and refuse one that another one has taken away', async () => {
    const [a, b] = (await start(2)) as [Node, Node];
    const { id } = (await a.ask('GET', '/users/me', { as })).body;
    const { password, item } = (await addApplicationPassword(a.site, id, 'Phone')) as {
      password: string;
      item?: { uuid: string };
    };
    // Asked again, its answer is kept; and is not given once the password is gone.
    for (let at = 0; at < 6; at++) expect((await b.ask('GET', '/users/me', { as: `admin:${password}` })).status).toBe(200);
    const { body } = await a.ask('GET', `/users/${id}/application-passwords`, { as });
    const phone = body.find((one: { name: string }) => one.name === 'Phone');
    expect((await a.ask('DELETE', `/users/${id}/application-passwords/${item?.uuid ?? phone.uuid}`, { as })).status).toBe(200);
    expect((await b.ask('GET', '/users/me', { as: `admin:${password}` })).status).toBe(401);
  });

  it('never assign one slug or id twice', async () => {
    const nodes = await start(3);
    const answers = await Promise.all(Array.from({ length: 36 }, (_, at) => post(nodes[at % 3] as Node, { title: 'Same' })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(({ body }) => body.slug)).size).toBe(36);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(36);
    // Each has a range of its own, whatever it sees of the others.
    expect(Math.max(...answers.map(({ body }) => body.id))).toBeLessThan(2000);
  });

  it('keep both of two changes of one post that are made at once on two nodes', async () => {
    const [a, b] = (await start(2)) as [Node, Node];
    const { body } = await post(a, { title: 'One', content: 'Text' });
    await b.ask('GET', '/posts', { as });
    const both = await Promise.all([
      a.ask('POST', `/posts/${body.id}`, { as, body: { title: 'New title' } }),
      b.ask('POST', `/posts/${body.id}`, { as, body: { content: 'New text' } }),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const { title, content } = (await a.ask('GET', `/posts/${body.id}?context=edit`, { as })).body;
    expect([title.raw, content.raw]).toEqual(['New title', 'New text']);
  });

  it('refuse a write over a state that another one has replaced', async () => {
    const [a, b] = (await start(2)) as [Node, Node];
    const { body, headers } = await post(a, { title: 'One' });
    await b.ask('POST', `/posts/${body.id}`, { as, body: { title: 'Two' } });
    const late = { as, body: { title: 'Three' }, headers: { 'if-match': headers.get('etag') as string } };
    expect((await a.ask('POST', `/posts/${body.id}`, late)).status).toBe(412);
  });

  it('make one revision of a change, and end in the same state as one that begins now', async () => {
    const nodes = await start(3, engine, 20);
    const [a, b] = nodes as [Node, Node, Node];
    const { body } = await post(a, { title: 'One', content: '1', tags: [] });
    await b.ask('POST', `/posts/${body.id}`, { as, body: { content: '2' } });
    await a.ask('POST', '/tags', { as, body: { name: 'News' } });
    await Promise.all(nodes.map((node, at) => node.ask('POST', `/posts/${body.id}`, { as, body: { excerpt: `from ${at}` } })));
    await b.ask('DELETE', `/posts/${(await post(a, { title: 'Gone' })).body.id}?force=true`, { as });
    const revisions = (await a.ask('GET', `/posts/${body.id}/revisions`, { as })).body;
    for (const node of nodes) {
      await node.site.store.shared?.fresh();
      expect((await node.ask('GET', `/posts/${body.id}/revisions`, { as })).body.length).toBe(revisions.length);
    }
    const anew = await openNode(engine);
    for (const node of nodes) expect(memoryOf(node.site)).toEqual(memoryOf(anew));
    expect(anew.problems()).toEqual([]);
    await anew.close();
  });

  it('create only one account per login name and email address', async () => {
    const nodes = await start(3);
    const create = (at: number, username: string, email: string) =>
      (nodes[at] as Node).ask('POST', '/users', {
        as,
        body: { username, email, password: 'a long enough password', roles: ['editor'] },
      });
    const answers = await Promise.all([0, 1, 2].map((at) => create(at, `same-${at}`, 'same@example.org')));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 500, 500]);
    const logins = await Promise.all([0, 1, 2].map((at) => create(at, 'ada', `ada${at}@example.org`)));
    expect(logins.filter(({ status }) => status === 201).length).toBe(1);
  });

  it('have one key where both make it at once, and lose nothing of private documents that both change', async () => {
    const [a, b] = await Promise.all([startNode(engine), startNode(engine)]);
    onTestFinished(async () => {
      await a.close();
      await b.close();
    });
    expect(a.site.previews.seal('x')).toBe(b.site.previews.seal('x'));
    const commenter = (email: string) => ({ email, ip: '', agent: '' });
    const both = [a, b].flatMap((node, at) =>
      [1, 2, 3, 4].map((id) => node.site.commenters.keep(id * 2 + at, commenter(`${id}-${at}@example.org`))),
    );
    await Promise.all(both);
    const anew = await openNode(engine);
    for (const at of [0, 1])
      for (const id of [1, 2, 3, 4]) expect(anew.commenters.get(id * 2 + at)?.email).toBe(`${id}-${at}@example.org`);
    await anew.close();
  });

  it('without the engine, serve visitors, reject everybody else, and recover when it is back', async () => {
    const { engine: over, away } = interruptible(engine);
    const [a, b] = (await start(2, over, 20)) as [Node, Node];
    const { body } = await post(a, { title: 'One' });
    await b.ask('GET', '/posts', { as });
    away(true);
    expect((await b.ask('GET', `/posts/${body.id}`)).status).toBe(200);
    for (const refused of [await b.ask('GET', `/posts/${body.id}`, { as }), await post(a, { title: 'Two' })]) {
      expect([refused.status, refused.body.code]).toEqual([503, 'rest_storage_unavailable']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    away(false);
    expect((await post(a, { title: 'Three' })).status).toBe(201);
    expect((await b.ask('GET', '/posts', { as })).body.map((one: { slug: string }) => one.slug)).toEqual(['three', 'one']);
  });

  it('find what has changed after so long that single changes are forgotten', async () => {
    let trimmed = 0;
    const forgetful = {
      ...engine,
      hints: () => () => undefined,
      changes: async (since: number) => (since < trimmed ? null : engine.changes(since)),
    };
    const [a, b] = (await start(2, forgetful)) as [Node, Node];
    const { body } = await post(a, { title: 'Gone' });
    await b.ask('GET', '/posts', { as });
    await a.ask('DELETE', `/posts/${body.id}?force=true`, { as });
    for (const title of ['One', 'Two', 'Three', 'Four']) await post(a, { title });
    trimmed = await engine.position();
    expect((await b.ask('GET', '/posts', { as })).body.map((one: { slug: string }) => one.slug).sort()).toEqual([
      'four',
      'one',
      'three',
      'two',
    ]);
  });

  postgres('refuse writes while too many wait for the database, and go on when it takes them', async () => {
    const database = await startPostgres();
    const held = createPostgresEngine(database.address());
    const other = new pg.Client({ connectionString: database.address() });
    onTestFinished(async () => {
      await other.end();
      await held.close();
      await database.stop();
    });
    await held.migrate();
    as = await createContent(held);
    const [node] = (await start(1, held)) as [Node];
    const commit = (at: number) =>
      held.commit({ id: `waiting ${at}`, seen: 0, edits: [{ path: `media/${at}.bin`, expect: null, bytes: new Uint8Array(1) }] });
    await other.connect();
    await other.query('begin');
    await other.query('select 1 from cms.position for update');
    const first = commit(0);
    const isLocked = `select 1 from pg_stat_activity where wait_event_type = 'Lock'`;
    await until(async () => (await database.run(isLocked)).length === 1);
    const rest = Array.from({ length: 256 }, (_, at) => commit(at + 1));
    const refused = await post(node, { title: 'Too many' });
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([503, 'rest_busy', '1']);
    await other.query('commit');
    const seqs = (await Promise.all([first, ...rest])).map(({ seq }) => seq);
    expect(new Set(seqs).size).toBe(257);
    expect((await post(node, { title: 'Again' })).status).toBe(201);
    expect((await node.ask('GET', '/posts', { as })).body.map((one: { slug: string }) => one.slug)).toEqual(['again']);
  });
});
