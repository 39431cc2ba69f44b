/** `cms serve --workers 3` as processes: killed in the middle of writes, and stopped. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workerHeader } from '../../src/workers/worker.ts';
import { newSite } from '../cli/run.ts';
import { follow } from '../modules/events/following.ts';
import { builtProgram } from '../support/program-build.ts';
import { until } from '../support/site.ts';

let folder = '';
let program = '';

beforeAll(async () => {
  const { main } = await builtProgram();
  folder = await mkdtemp(join(tmpdir(), 'cms-processes-'));
  program = join(folder, 'cms.mjs');
  await writeFile(
    program,
    `const { main, processIo } = await import(${JSON.stringify(main)});
     process.exitCode = await main(process.argv.slice(2), processIo);`,
  );
});

afterAll(() => rm(folder, { recursive: true, force: true }));

interface Served {
  readonly process: ChildProcess;
  readonly said: string[];
  readonly url: string;
}

async function serve(...line: readonly string[]): Promise<Served> {
  const child = spawn(process.execPath, [program, 'serve', ...line], {
    env: { ...process.env, CMS_DEBUG: '1', CMS_WORKERS: '3', NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said: string[] = [];
  child.stderr?.setEncoding('utf8').on('data', (text: string) => said.push(...text.trim().split('\n')));
  const url = await until(() => /http:\/\/[\d.:]+/.exec(said.join('\n'))?.[0]);
  return { process: child, said, url };
}

/** A client with one connection that it keeps, and so with one worker. */
function createClient(url: string, authorization: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    async ask(method: string, path: string, body?: object) {
      const sent = request(`${url}/cms-json/cms/v2/${path}`, {
        agent,
        method,
        headers: { authorization, ...(body ? { 'content-type': 'application/json' } : {}) },
      });
      sent.end(body && JSON.stringify(body));
      const [response] = await once(sent, 'response');
      let text = '';
      for await (const part of response.setEncoding('utf8')) text += part;
      const [worker, pid] = String(response.headers[workerHeader.toLowerCase()] ?? '').split(' ');
      return { status: response.statusCode as number, body: JSON.parse(text), worker: Number(worker), pid: Number(pid) };
    },
    close: () => agent.destroy(),
  };
}
type Client = ReturnType<typeof createClient>;

/** One client for each worker. */
async function reachAll(url: string, authorization: string, count = 3): Promise<Map<number, Client & { readonly pid: number }>> {
  const clients = new Map<number, Client & { readonly pid: number }>();
  await until(async () => {
    const client = createClient(url, authorization);
    const { worker, pid } = await client.ask('GET', 'types/post');
    if (clients.has(worker)) client.close();
    else clients.set(worker, { ...client, pid });
    return clients.size === count;
  });
  return clients;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('serve --workers', () => {
  it('loses no acknowledged write when a process is killed, and leaves nothing running', async () => {
    const { dir, password } = await newSite();
    const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
    const { process: primary, said, url } = await serve(dir, '--port', '0');
    const answered = new Set<string>();
    const pids = new Set<number>();
    let count = 0;
    const writeAndLook = async (clients: ReadonlyMap<number, Client>): Promise<void> => {
      for (const client of clients.values()) {
        const title = `Post ${++count}`;
        const { status, body } = await client.ask('POST', 'posts', { title, status: 'publish' });
        expect(status).toBe(201);
        answered.add(title);
        for (const other of clients.values())
          expect((await other.ask('GET', `posts/${body.id}`)).body.title?.rendered).toBe(title);
      }
    };
    try {
      for (const victim of [2, 1, 3, 1]) {
        const clients = await reachAll(url, authorization);
        for (const { pid } of clients.values()) pids.add(pid);
        for (let round = 0; round < 3; round++) await writeAndLook(clients);
        // In the middle of writes of all of them.
        const ending = [...clients].map(async ([worker, client]) => {
          for (let at = 0; at < 5; at++) {
            const title = `Late ${victim} ${worker} ${at}`;
            const { status } = await client.ask('POST', 'posts', { title, status: 'publish' });
            if (status === 201) answered.add(title);
          }
        });
        const { pid = 0 } = clients.get(victim) ?? {};
        process.kill(pid, 'SIGKILL');
        await Promise.allSettled(ending);
        await until(() => !isRunning(pid));
        for (const client of clients.values()) client.close();
      }
      const clients = await reachAll(url, authorization);
      for (const [worker, client] of clients) {
        const { body } = await client.ask('GET', 'posts?per_page=100&_fields=title.raw&context=edit');
        const titles = new Set(body.map((post: { title: { raw: string } }) => post.title.raw));
        expect([worker, [...answered].filter((title) => !titles.has(title))]).toEqual([worker, []]);
        pids.add(client.pid);
      }
      for (const client of clients.values()) client.close();
      const begun = said.indexOf('all 3 workers answer');
      expect(begun).toBeGreaterThan(0);
      const told = said.slice(begun + 1).filter((line) => !line.startsWith('saved '));
      expect(told.map((line) => line.replace(/ in \d+ ms$/, ''))).toEqual(
        [2, 1, 3, 1].map((worker) => `worker ${worker} has ended (SIGKILL); another one takes its place`),
      );
    } finally {
      primary.kill('SIGTERM');
    }
    const [status] = primary.exitCode === null ? await once(primary, 'exit') : [primary.exitCode];
    expect(status).toBe(0);
    await until(() => ![...pids].some(isRunning));
  });

  it('finishes pending requests when stopped', async () => {
    const { dir, password } = await newSite();
    const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
    const { process: primary, url } = await serve(dir, '--port', '0');
    const clients = await reachAll(url, authorization);
    const ended = once(primary, 'exit');
    const answers = [...clients.values()].map(async ({ pid }) => {
      // The body comes while the workers are already stopping.
      const agent = new Agent();
      const sent = request(`${url}/cms-json/cms/v2/posts`, {
        agent,
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', 'content-length': 13 },
      });
      sent.flushHeaders();
      await once(sent, 'socket').then(([socket]) => socket.connecting && once(socket, 'connect'));
      return { sent, pid };
    });
    const underWay = await Promise.all(answers);
    // Each of them has been taken in by its worker once a later request of another connection is answered.
    for (const client of clients.values()) await client.ask('GET', 'types/post');
    primary.kill('SIGINT');
    // The door is shut.
    await until(() =>
      fetch(url).then(
        () => false,
        () => true,
      ),
    );
    const statuses = underWay.map(async ({ sent }) => {
      sent.end('{"title":"x"}');
      const [response] = await once(sent, 'response');
      response.resume();
      return response.statusCode;
    });
    expect(await Promise.all(statuses)).toEqual([201, 201, 201]);
    expect(await ended).toEqual([0, null]);
    for (const { pid } of underWay) expect(isRunning(pid)).toBe(false);
    for (const client of clients.values()) client.close();
  });

  it('ends streams of events when it is asked to stop', async () => {
    const { dir } = await newSite();
    const { process: primary, url, said } = await serve(dir, '--port', '0');
    await until(() => said.includes('all 3 workers answer'));
    const streams = await Promise.all([1, 2, 3, 4, 5, 6].map(() => follow(url)));
    const ended = once(primary, 'exit');
    primary.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
    await until(() => streams.every(({ isOver }) => isOver()));
    expect(streams.map(({ response }) => response.complete)).toEqual(streams.map(() => true));
  });

  it('leaves nothing running when the primary is killed', async () => {
    const { dir, password } = await newSite();
    const { process: primary, url } = await serve(dir, '--port', '0', '--workers', '2');
    const clients = await reachAll(url, `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`, 2);
    primary.kill('SIGKILL');
    await until(() => ![...clients.values()].some(({ pid }) => isRunning(pid)));
    for (const client of clients.values()) client.close();
  });

  it('reports once why it cannot serve', async () => {
    const other = createServer();
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const { port } = other.address() as AddressInfo;
    const { dir } = await newSite();
    const child = spawn(process.execPath, [program, 'serve', dir, '--port', String(port), '--workers', '2'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const [status] = await once(child, 'close');
    expect([status, said]).toEqual([
      1,
      `cms: port ${port} on 127.0.0.1 is in use\n  choose another with --port; --port 0 picks a free one\n`,
    ]);
    other.close();
  });
});
