/** Several workers in one process, each with a port of its own, for tests that ask them all. */
import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { composeSite, openSite } from '../../src/open-site.ts';
import type { Operator } from '../../src/kernel/model/operator.ts';
import { scaffoldSite } from '../../src/cli/new-site.ts';
import { closeHttp, listenOn } from '../../src/kernel/http/connections.ts';
import { createServer, type Server } from '../../src/kernel/http/server.ts';
import type { Site } from '../../src/kernel/site/site.ts';
import { makeRunFeed, openRunFeed, type RunFeed } from '../../src/workers/run-feed.ts';

export interface Workers extends AsyncDisposable {
  readonly dir: string;
  readonly password: string;
  readonly log: string[];
  /** Another end of their feed, on which nobody serves. */
  readonly feed: RunFeed;
  /** Site of the one that watches the folder. */
  leader(): Site;
  readonly others: readonly Site[];
  /** The leader's address first. */
  urls(): readonly string[];
  ask(url: string, method: string, path: string, options?: AskOptions): Promise<Asked>;
  write(path: string, text: string): Promise<void>;
  read(path: string): Promise<string>;
  add(): Promise<void>;
  /** Ends the leader and starts another one, as after a crash of it. `between` runs while there is none. */
  replaceLeader(between?: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export interface AskOptions {
  /** Login; or login:password. */
  readonly as?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: any;
}

export interface WorkersOptions {
  readonly operator?: Partial<Operator>;
  /** Beside the leader. */
  readonly others?: number;
  readonly readOnly?: boolean;
  readonly files?: Readonly<Record<string, string>>;
  readonly bytes?: Readonly<Record<string, Uint8Array>>;
  readonly from?: string;
}

interface Worker {
  readonly site: Site;
  readonly server: Server;
}

export async function startWorkers(options: WorkersOptions = {}): Promise<Workers> {
  const { others: count = 2, readOnly = false, operator = {} } = options;
  const root = await mkdtemp(join(tmpdir(), 'cms-workers-'));
  const dir = join(root, 'site');
  const token = randomBytes(16).toString('hex');
  let password = '';
  if (options.from) await cp(options.from, dir, { recursive: true });
  else
    password = await scaffoldSite({
      dir,
      title: 'Example',
      timezone: 'Europe/Berlin',
      admin: 'admin',
      email: 'admin@example.com',
      writing: 'auto',
    });
  const put = async (path: string, text: string | Uint8Array): Promise<void> => {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  };
  for (const [path, text] of Object.entries({ ...options.files, ...options.bytes })) await put(path, text);
  const log: string[] = [];
  const run = join(root, 'run');
  await mkdir(run);
  makeRunFeed(run, Math.floor(Date.now() / 1000) * 4096);
  const feed = openRunFeed(run, 99);
  const https: HttpServer[] = [];
  const urls: string[] = [];

  const open = async (number: number): Promise<Worker> => {
    const seat = { feed: run, number, isLeader: number === 1, token };
    const site = await openSite(dir, { operator, readOnly, seat, log: (line) => log.push(line) });
    return { site, server: createServer({ site, registry: composeSite(site), log: (line) => log.push(line) }) };
  };
  const end = async ({ site, server }: Worker): Promise<void> => {
    await server.close();
    await site.close();
  };
  const workers = [await open(1)];
  const at = (index: number): Worker => workers[index] as Worker;
  const listen = async (index: number): Promise<void> => {
    // Whoever has the place, it is asked at the same address.
    const http = createHttpServer((incoming, outgoing) => at(index).server.handle(incoming, outgoing));
    https.push(http);
    urls.push(await listenOn(http, 0, '127.0.0.1'));
  };
  await listen(0);
  const [address = ''] = urls;
  await at(0).server.start(address);

  const add = async (): Promise<void> => {
    const index = workers.push(await open(workers.length + 1)) - 1;
    await at(index).server.start(address);
    await listen(index);
  };
  for (let number = 0; number < count; number++) await add();

  const close = async (): Promise<void> => {
    for (const http of https) {
      http.closeAllConnections();
      await closeHttp(http);
    }
    await Promise.all(workers.map(end));
    feed.close();
    await rm(root, { recursive: true, force: true });
  };

  return {
    dir,
    password,
    log,
    feed,
    leader: () => at(0).site,
    get others() {
      return workers.slice(1).map(({ site }) => site);
    },
    urls: () => urls,
    async ask(url, method, path, { as, body, headers = {} } = {}) {
      const credentials = as === undefined ? null : as.includes(':') ? as : `${as}:${password}`;
      const isText = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
      const response = await fetch(url + path, {
        method,
        redirect: 'manual',
        headers: {
          ...(isText ? {} : { 'content-type': 'application/json' }),
          ...(credentials ? { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } : {}),
          ...headers,
        },
        ...(body === undefined ? {} : { body: isText ? (body as string) : JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
      return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : text };
    },
    write: put,
    read: (path) => readFile(join(dir, path), 'utf8'),
    add,
    async replaceLeader(between) {
      await end(at(0));
      await between?.();
      workers[0] = await open(1);
      await at(0).server.start(address);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
