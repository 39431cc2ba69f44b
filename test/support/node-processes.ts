/** Nodes as processes over a real PostgreSQL, each behind a network of its own, with clients whose history is written down. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { createPostgresEngine } from '../../src/engines/postgres/postgres-engine.ts';
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts';
import { countIn, counterTitle, type Ending, type Event, type Held, judge } from './history.ts';
import { createContent } from './nodes.ts';
import { freePort, type Postgres } from './postgres.ts';
import { builtProgram } from './program-build.ts';
import { until } from './site.ts';

export interface NodeProcess {
  readonly port: number;
  /** Between it and the database. */
  readonly network: CuttingProxy;
  child: ChildProcess;
  /** Ends it, if it runs. */
  end(signal: NodeJS.Signals): Promise<void>;
  start(): Promise<void>;
}

export interface Reply {
  /** 0: nobody answered. */
  readonly status: number;
  readonly etag: string;
  readonly body: {
    readonly id: number;
    readonly slug: string;
    readonly title: { readonly raw?: string; readonly rendered: string };
  };
}

export interface NodeProcesses {
  readonly nodes: readonly NodeProcess[];
  ask(node: NodeProcess, method: string, path: string, options?: AskNode): Promise<Reply>;
  /** Eight clients begin to work, on all nodes unless some are named. */
  begin(opsEach: number, on?: readonly NodeProcess[]): Promise<Work>;
  /** A private document, as the database has it; '' without one. */
  keeps(key: string): Promise<string>;
  /** Credentials of the administrator. */
  readonly as: string;
  close(): Promise<void>;
}

interface AskNode {
  readonly body?: object;
  readonly match?: string;
  readonly isVisitor?: boolean;
  readonly patienceMs?: number;
}

export interface Work {
  /** Until so much of it is done. */
  reached(share: number): Promise<void>;
  /** Until something is acknowledged that began after now. */
  acknowledged(): Promise<void>;
  readonly done: Promise<void>;
  /** Nobody begins anything more. */
  end(): void;
  /** Waits for the end, and for every node to have heard of it. @returns what the checker has found */
  judged(): Promise<string[]>;
  readonly events: readonly Event[];
}

interface Options {
  readonly database: Postgres;
  readonly count?: number;
  /** What is between the networks and the database. */
  readonly port?: number;
  /** Added to the address of the database. */
  readonly parameters?: string;
  readonly env?: (at: number) => Readonly<Record<string, string>>;
  /** Of `cms serve`. */
  readonly flags?: readonly string[];
}

const clientCount = 8;
const counterCount = 5;
/** Clients wait no longer: a node may have been stopped. */
const usualPatienceMs = 4000;
const nobody: Reply = { status: 0, etag: '', body: { id: 0, slug: '', title: { rendered: '' } } };
/** The first half of an ETag is that of the file. */
const fileOf = (etag: string) => /^"([^."]+)/.exec(etag)?.[1] ?? '';
/** 503 says that nothing has been changed, unless nobody knows; but the clients do not rely on it. */
const isFailed = (status: number): boolean => status === 0 || status >= 500;

export async function startNodeProcesses({
  database,
  count = 3,
  port: target = database.port,
  parameters = '',
  env = () => ({}),
  flags = [],
}: Options): Promise<NodeProcesses> {
  const { main } = await builtProgram();
  const folder = await mkdtemp(join(tmpdir(), 'cms-nodes-'));
  const program = join(folder, 'cms.mjs');
  await writeFile(
    program,
    `const { main, processIo } = await import(${JSON.stringify(main)});
     process.exitCode = await main(process.argv.slice(2), processIo);`,
  );
  const engine = createPostgresEngine(`postgres://cms@127.0.0.1:${target}/postgres`);
  await engine.migrate();
  const as = await createContent(engine);
  const authorization = `Basic ${Buffer.from(as).toString('base64')}`;
  await engine.close();
  const agent = new Agent({ keepAlive: true });
  const nodes = await Promise.all(Array.from({ length: count }, (_, at) => startNode(at)));
  process.once('exit', () => {
    for (const { child } of nodes) child.kill('SIGKILL');
  });
  let runs = 0;

  async function startNode(at: number): Promise<NodeProcess> {
    const [port, network] = [await freePort(), await startCuttingProxy(target)];
    const address = `postgres://cms@127.0.0.1:${network.port}/postgres${parameters}`;
    const start = async (): Promise<ChildProcess> => {
      const child = spawn(process.execPath, [program, 'serve', '--port', String(port), ...flags], {
        env: { ...process.env, ...env(at), CMS_ENGINE: address, NODE_OPTIONS: '' },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let said = '';
      child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
      await until(() => {
        if (child.exitCode !== null) throw new Error(said);
        return said.includes('serving');
      }, 120_000);
      return child;
    };
    const node: NodeProcess = {
      port,
      network,
      child: await start(),
      async end(signal) {
        const { child } = node;
        if (child.exitCode !== null || child.signalCode !== null) return;
        const exit = new Promise((resolve) => child.once('exit', resolve));
        child.kill(signal);
        await exit;
      },
      async start() {
        node.child = await start();
      },
    };
    return node;
  }

  async function ask({ port }: NodeProcess, method: string, path: string, options: AskNode = {}): Promise<Reply> {
    const { body, match, isVisitor = false, patienceMs = usualPatienceMs } = options;
    try {
      return await new Promise<Reply>((done, failed) => {
        const sent = request({
          host: '127.0.0.1',
          port,
          method,
          path: `/cms-json/cms/v2${path}`,
          agent,
          headers: {
            ...(isVisitor ? {} : { authorization }),
            ...(body ? { 'content-type': 'application/json' } : {}),
            ...(match ? { 'if-match': match } : {}),
          },
          signal: AbortSignal.timeout(patienceMs),
        });
        sent.on('error', failed).on('response', (answer) => {
          text(answer).then(
            (said) => done({ status: answer.statusCode ?? 0, etag: answer.headers.etag ?? '', body: JSON.parse(said || '{}') }),
            failed,
          );
        });
        sent.end(body && JSON.stringify(body));
      });
    } catch {
      return nobody;
    }
  }

  async function begin(opsEach: number, on: readonly NodeProcess[] = nodes): Promise<Work> {
    const run = ++runs;
    const counters: number[] = [];
    for (let at = 0; at < counterCount; at++) {
      const body = { title: counterTitle(0), slug: `count-${run}-${at}`, status: 'publish' };
      counters.push((await ask(on[at % on.length] as NodeProcess, 'POST', '/posts', { body })).body.id);
    }
    const before = (await listed()).filter(({ id }) => !counters.includes(id));
    const events: Event[] = [];
    let done = 0;
    let isEnded = false;
    let random = run;
    const next = (below: number): number => {
      random = (random * 48271) % 2147483647;
      return random % below;
    };

    async function client(number: number): Promise<void> {
      let at = number % on.length;
      for (let op = 0; op < opsEach && !isEnded; op++) {
        const node = on[at] as NodeProcess;
        const status = op % 5 === 4 ? await create(node, number, op) : await increase(node, number, op % 5 === 3);
        if (isFailed(status)) {
          at = (at + 1) % on.length;
          await pause(50);
        }
        done++;
      }
    }

    async function create(node: NodeProcess, number: number, op: number): Promise<number> {
      const began = performance.now();
      const title = `New ${run} of ${number} ${op}`;
      // Many want the same slug.
      const { status, body } = await ask(node, 'POST', '/posts', { body: { title, slug: 'wanted', status: 'publish' } });
      const isSure = status === 201;
      if (!isSure && !isFailed(status)) throw new Error(`creating: ${status} ${JSON.stringify(body)}`);
      const { id, slug } = isSure ? body : nobody.body;
      events.push({ kind: 'creation', client: number, began, ended: performance.now(), isSure, title, id, slug });
      return status;
    }

    async function increase(node: NodeProcess, number: number, isVisitor: boolean): Promise<number> {
      const id = counters[next(counterCount)] as number;
      let began = performance.now();
      const seen = await ask(node, 'GET', `/posts/${id}${isVisitor ? '' : '?context=edit'}`, { isVisitor });
      // Visitors of a node that begins, or has not heard yet.
      if (isVisitor && seen.status === 404) return 404;
      if (seen.status !== 200) {
        if (!isFailed(seen.status)) throw new Error(`reading: ${seen.status}`);
        return seen.status;
      }
      const count = countIn(isVisitor ? seen.body.title.rendered : (seen.body.title.raw ?? ''));
      const etag = isVisitor ? '' : fileOf(seen.etag);
      const mine = { client: number, id };
      events.push({ kind: 'read', ...mine, began, ended: performance.now(), isSure: true, isVisitor, count, etag });
      if (isVisitor) return 200;
      began = performance.now();
      const body = { title: counterTitle(count + 1) };
      const reply = await ask(node, 'POST', `/posts/${id}`, { body, match: seen.etag });
      const isSure = reply.status === 200;
      // An answer shows the post as it is by then, which may be what somebody has made of it.
      const isOwn = isSure && reply.body.title.raw === body.title;
      if (isSure || isFailed(reply.status))
        events.push({
          ...{ kind: 'change', ...mine, began, ended: performance.now(), isSure },
          ...{ count: count + 1, from: etag, to: isOwn ? fileOf(reply.etag) : '' },
        });
      else if (reply.status !== 412) throw new Error(`changing: ${reply.status} ${JSON.stringify(reply.body)}`);
      return reply.status;
    }

    const working = Promise.all(Array.from({ length: clientCount }, (_, number) => client(number))).then(() => undefined);
    working.catch(() => undefined);
    return {
      events,
      done: working,
      end() {
        isEnded = true;
      },
      reached: (share) => until(() => done >= opsEach * clientCount * share, 300_000).then(() => undefined),
      async acknowledged() {
        const [now, from] = [performance.now(), events.length];
        const isNews = (event: Event): boolean => event.kind !== 'read' && event.isSure && event.began > now;
        await Promise.race([working, until(() => events.slice(from).some(isNews), 60_000)]);
      },
      async judged() {
        await working;
        const old = new Set(before.map(({ id }) => id));
        const fresh = (all: readonly Held[]) => all.filter(({ id }) => !old.has(id));
        const { engine: held, nodes: memories } = await ending();
        return judge(events, counters, { engine: fresh(held), nodes: memories.map(fresh) });
      },
    };
  }

  async function ending(): Promise<Ending> {
    const memories: Held[][] = [];
    for (const node of nodes) memories.push(await memoryOf(node));
    return { engine: await listed(), nodes: memories };
  }

  /** What the engine has, read without this program's reader. */
  async function listed(): Promise<Held[]> {
    const rows = await database.run(
      `select path, etag, bytes from cms.file where path like 'posts/%' and etag is not null order by path`,
    );
    return rows.map(({ path, etag, bytes }) => {
      const file = (bytes as Buffer).toString();
      const value = (key: string) => new RegExp(`^${key}: ['"]?(.*?)['"]?$`, 'm').exec(file)?.[1] ?? '';
      return { id: Number(value('id')), slug: basename(path as string, '.md'), title: value('title'), etag: etag as string };
    });
  }

  /** As somebody who is signed in is shown it. */
  async function memoryOf(node: NodeProcess): Promise<Held[]> {
    const all: Held[] = [];
    for (let page = 1; ; page++) {
      const { status, body } = await ask(node, 'GET', `/posts?per_page=100&page=${page}&context=edit&status=any`);
      if (status === 400) break;
      if (status !== 200) throw new Error(`listing: ${status}`);
      const items = body as unknown as Reply['body'][];
      const etags = await Promise.all(items.map(async ({ id }) => (await ask(node, 'GET', `/posts/${id}?context=edit`)).etag));
      for (const [at, { id, slug, title }] of items.entries())
        all.push({ id, slug, title: title.raw ?? '', etag: fileOf(etags[at] as string) });
      if (items.length < 100) break;
    }
    return all;
  }

  return {
    nodes,
    ask,
    begin,
    as,
    async keeps(key) {
      const [row] = await database.run(`select bytes from cms.file where path = '.private/${key}'`);
      return ((row?.bytes as Buffer | null | undefined) ?? '').toString();
    },
    async close() {
      for (const { child } of nodes) child.kill('SIGCONT');
      await Promise.all(nodes.map((node) => node.end('SIGTERM')));
      for (const { network } of nodes) await network.close();
      agent.destroy();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
