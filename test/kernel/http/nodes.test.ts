/**
 * Three nodes as processes over a real PostgreSQL, with eight clients, while a node and the database are killed and answers to commits
 * are lost. An independent checker judges the history that the clients saw. `NODES_LONG=1` makes it long.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPostgresEngine } from '../../../src/kernel/store/postgres/postgres-engine.ts';
import { startCuttingProxy, type CuttingProxy } from '../../support/cutting-proxy.ts';
import { createContent } from '../../support/nodes.ts';
import { freePort, missingPostgres, type Postgres, startPostgres } from '../../support/postgres.ts';
import { builtProgram } from '../../support/program-build.ts';
import { overHttp, until } from '../../support/site.ts';

const opsEach = process.env.NODES_LONG ? 500 : 25;
const clientCount = 8;
const shared = 5;

interface Running {
  readonly port: number;
  child: ChildProcess;
}

let folder = '';
let program = '';
let database: Postgres;
let proxy: CuttingProxy;
let as = '';
const nodes: Running[] = [];

const test = missingPostgres === null ? it : it.skip;

beforeAll(async () => {
  if (missingPostgres !== null) return void process.stderr.write(`left out: ${missingPostgres}\n`);
  const { main } = await builtProgram();
  folder = await mkdtemp(join(tmpdir(), 'cms-nodes-'));
  program = join(folder, 'cms.mjs');
  await writeFile(
    program,
    `const { main, processIo } = await import(${JSON.stringify(main)});
     process.exitCode = await main(process.argv.slice(2), processIo);`,
  );
  database = await startPostgres();
  proxy = await startCuttingProxy(database.port);
  const engine = createPostgresEngine(database.address());
  await engine.migrate();
  as = await createContent(engine);
  await engine.close();
  for (let at = 0; at < 3; at++) {
    const port = await freePort();
    nodes.push({ port, child: await serve(port) });
  }
});

afterAll(async () => {
  await Promise.all(nodes.map(({ child }) => ended(child, 'SIGTERM')));
  await proxy?.close();
  await database?.stop();
  if (folder !== '') await rm(folder, { recursive: true, force: true });
});

async function serve(port: number): Promise<ChildProcess> {
  const address = `postgres://cms@127.0.0.1:${proxy.port}/postgres`;
  const child = spawn(process.execPath, [program, 'serve', '--port', String(port)], {
    env: { ...process.env, CMS_ENGINE: address, NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr?.on('data', (text: Buffer) => (said += text.toString()));
  await until(() => {
    if (child.exitCode !== null) throw new Error(said);
    return said.includes('serving');
  });
  return child;
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await exit;
}

interface Reply {
  /** 0: nobody answered. */
  readonly status: number;
  readonly etag: string;
  readonly body: { readonly id: number; readonly slug: string; readonly title: { readonly raw: string } };
}

async function ask(port: number, method: string, path: string, body?: object, match?: string): Promise<Reply> {
  try {
    const answer = await overHttp(`http://127.0.0.1:${port}/cms-json/cms/v2${path}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(as).toString('base64')}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(match ? { 'if-match': match } : {}),
      },
      body: body && JSON.stringify(body),
    });
    return { status: answer.status, etag: answer.headers.get('etag') ?? '', body: JSON.parse(answer.body || '{}') };
  } catch {
    return { status: 0, etag: '', body: { id: 0, slug: '', title: { raw: '' } } };
  }
}

/** What clients saw. */
interface History {
  /** Counters of shared posts: from one state to the next, by whom. `isSure`: acknowledged. */
  readonly steps: { readonly id: number; readonly from: string; readonly to: number; readonly isSure: boolean }[];
  /** Titles of new posts, and what they got. */
  readonly created: { readonly title: string; readonly id: number; readonly slug: string; readonly isSure: boolean }[];
  /** Reads that showed less than had been acknowledged when they began. */
  readonly stale: string[];
}

/** The first half of an ETag is that of the file. */
const fileOf = (etag: string) => /^"([^."]+)/.exec(etag)?.[1] ?? etag;
const numberIn = (title: string) => Number(/\d+$/.exec(title)?.[0] ?? Number.NaN);

describe('three nodes over PostgreSQL', () => {
  test('keep one history, whatever is killed or cut', { timeout: process.env.NODES_LONG ? 600_000 : 180_000 }, async () => {
    const ids: number[] = [];
    for (let at = 0; at < shared; at++)
      ids.push(
        (await ask(nodes[at % 3]?.port as number, 'POST', '/posts', { title: 'Count 0', slug: `count-${at}`, status: 'publish' }))
          .body.id,
      );
    const history: History = { steps: [], created: [], stale: [] };
    const acknowledged = new Map(ids.map((id) => [id, 0]));
    let done = 0;
    let random = 1;
    const next = (below: number): number => {
      random = (random * 48271) % 2147483647;
      return random % below;
    };

    async function client(number: number): Promise<void> {
      let at = number % 3;
      for (let op = 0; op < opsEach; op++) {
        const { port } = nodes[at] as Running;
        const isFailed = (status: number): boolean => status === 0 || status >= 500;
        if (op % 5 === 4) {
          const title = `New of ${number} ${op}`;
          // Many want the same slug.
          const reply = await ask(port, 'POST', '/posts', { title, slug: 'wanted', status: 'publish' });
          if (reply.status === 201 || isFailed(reply.status))
            history.created.push({ title, id: reply.body.id, slug: reply.body.slug, isSure: reply.status === 201 });
          else throw new Error(`creating: ${reply.status} ${JSON.stringify(reply.body)}`);
          if (isFailed(reply.status)) at = (at + 1) % 3;
        } else {
          const id = ids[next(shared)] as number;
          const known = acknowledged.get(id) as number;
          const read = await ask(port, 'GET', `/posts/${id}?context=edit`);
          if (read.status !== 200) {
            if (!isFailed(read.status)) throw new Error(`reading: ${read.status}`);
            at = (at + 1) % 3;
            done++;
            await pause(50);
            continue;
          }
          const count = numberIn(read.body.title.raw);
          if (count < known) history.stale.push(`${id}: ${count} after ${known}`);
          const to = count + 1;
          const reply = await ask(port, 'POST', `/posts/${id}`, { title: `Count ${to}` }, read.etag);
          if (reply.status === 200) acknowledged.set(id, Math.max(acknowledged.get(id) as number, to));
          if (reply.status === 200 || isFailed(reply.status))
            history.steps.push({ id, from: fileOf(read.etag), to, isSure: reply.status === 200 });
          else if (reply.status !== 412) throw new Error(`changing: ${reply.status} ${JSON.stringify(reply.body)}`);
          if (isFailed(reply.status)) at = (at + 1) % 3;
        }
        done++;
      }
    }

    const total = opsEach * clientCount;
    const reached = (share: number) => until(() => done >= total * share, 150_000);
    const clients = Promise.all(Array.from({ length: clientCount }, (_, number) => client(number)));
    // The last commits may be over by then.
    const cut = () => Promise.race([proxy.cutAfter('commit_all'), clients]);
    async function faults(): Promise<void> {
      await reached(0.1);
      await cut();
      await reached(0.25);
      const killed = nodes[1] as Running;
      await ended(killed.child, 'SIGKILL');
      await reached(0.4);
      killed.child = await serve(killed.port);
      await cut();
      await reached(0.55);
      await database.kill();
      await pause(300);
      await database.start();
      await reached(0.7);
      proxy.sever();
      await pause(300);
      proxy.mend();
      await reached(0.8);
      await cut();
    }
    await Promise.all([clients, faults()]);

    await judge(history, ids, acknowledged);
  });

  async function judge(
    { steps, created, stale }: History,
    ids: readonly number[],
    acknowledged: ReadonlyMap<number, number>,
  ): Promise<void> {
    expect(stale, 'reads of somebody signed in that were too old').toEqual([]);
    const sure = steps.filter(({ isSure }) => isSure);
    expect(sure.length).toBeGreaterThan(opsEach);
    // Nobody has built on a state that another one has replaced.
    const forks = sure.filter((step, at) => sure.findIndex((other) => other.id === step.id && other.from === step.from) !== at);
    expect(forks, 'two acknowledged changes of one state').toEqual([]);
    const made = created.filter(({ isSure }) => isSure);
    expect(new Set(made.map(({ id }) => id)).size).toBe(made.length);

    const engine = createPostgresEngine(database.address());
    const etags = new Set<string>();
    await engine.list((files) => {
      for (const { path, etag } of files) if (path.startsWith('posts/') && etag) etags.add(etag);
    });
    await engine.close();
    const states: string[] = [];
    for (const { port } of nodes) {
      const items: { id: number; slug: string; title: { raw: string } }[] = [];
      for (let page = 1; ; page++) {
        const some = (await ask(port, 'GET', `/posts?per_page=100&page=${page}&context=edit&status=any`))
          .body as unknown as typeof items;
        items.push(...some);
        if (some.length < 100) break;
      }
      for (const id of ids) {
        const { etag, body } = await ask(port, 'GET', `/posts/${id}?context=edit`);
        expect(etags.has(fileOf(etag))).toBe(true);
        // One step for each acknowledged change, and at most one for each whose answer was lost.
        const count = numberIn(body.title.raw);
        const lost = steps.filter((step) => step.id === id && !step.isSure).length;
        const known = sure.filter((step) => step.id === id).length;
        expect(count).toBeGreaterThanOrEqual(acknowledged.get(id) as number);
        expect(count).toBeGreaterThanOrEqual(known);
        expect(count).toBeLessThanOrEqual(known + lost);
      }
      expect(items.length).toBe(etags.size);
      expect(new Set(items.map(({ slug }) => slug)).size).toBe(items.length);
      const titles = new Map(items.map((item) => [item.title.raw, item]));
      for (const { title, id, slug } of made) expect(titles.get(title)).toMatchObject({ id, slug });
      const known = new Set(created.map(({ title }) => title));
      expect(items.filter(({ id, title }) => !ids.includes(id) && !known.has(title.raw))).toEqual([]);
      states.push(JSON.stringify(items.map(({ id, slug, title }) => [id, slug, title.raw]).sort()));
    }
    expect(new Set(states).size).toBe(1);
  }
});
