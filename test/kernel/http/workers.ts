/** A writer and its readers in one process, each with a port of its own, for tests that ask them all. */
import { randomBytes } from 'node:crypto';
import { closeSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { composeSite, openSite } from '../../../src/open-site.ts';
import type { Operator } from '../../../src/kernel/model/operator.ts';
import { scaffoldSite } from '../../../src/cli/new-site.ts';
import { makePosition, openPosition, type Position } from '../../../src/kernel/http/cluster/position.ts';
import { createReader, type Reader } from '../../../src/kernel/http/cluster/reader.ts';
import { createWriter, type Writer } from '../../../src/kernel/http/cluster/writer.ts';
import { closeHttp, listenOn } from '../../../src/kernel/http/connections.ts';

export interface Workers extends AsyncDisposable {
  readonly dir: string;
  readonly password: string;
  readonly token: string;
  readonly log: string[];
  readonly position: Position;
  readonly readers: Reader[];
  writer(): Writer;
  /** Of the writer's private sockets. */
  base(): string;
  /** The writer's address first. */
  urls(): readonly string[];
  ask(url: string, method: string, path: string, options?: AskOptions): Promise<Asked>;
  write(path: string, text: string): Promise<void>;
  read(path: string): Promise<string>;
  addReader(): Promise<void>;
  /** Ends the writer and opens another one, as after a crash of it. `between` runs while there is none. */
  replaceWriter(between?: () => Promise<void>): Promise<void>;
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
  readonly readers?: number;
  readonly readOnly?: boolean;
  readonly files?: Readonly<Record<string, string>>;
  readonly bytes?: Readonly<Record<string, Uint8Array>>;
  readonly from?: string;
}

export async function startWorkers(options: WorkersOptions = {}): Promise<Workers> {
  const { readers: count = 2, readOnly = false, operator = {} } = options;
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
  const handle = makePosition(join(root, 'position'));
  const position = openPosition(handle);
  const https: HttpServer[] = [];
  const urls: string[] = [];
  const readers: Reader[] = [];
  let generation = 0;

  const openWriter = () =>
    createWriter({
      base: join(root, `writer-${++generation}`),
      token,
      open: ({ wrap, taken }) => openSite(dir, { operator, readOnly, wrap, taken }),
      compose: composeSite,
      log: (line) => log.push(line),
      position,
    });
  let writer = await openWriter();
  // Whoever is the writer, it is asked at the same address.
  const front = createHttpServer((incoming, outgoing) => writer.server.handle(incoming, outgoing));
  const address = await listenOn(front, 0, '127.0.0.1');
  https.push(front);
  urls.push(address);
  await writer.open(address);

  const addReader = async (): Promise<void> => {
    const reader = createReader({
      token,
      position,
      open: (wrap) => openSite(dir, { operator, readOnly: true, wrap }),
      compose: composeSite,
      log: (line) => log.push(line),
    });
    readers.push(reader);
    reader.follow(join(root, `writer-${generation}`));
    await reader.ready;
    const http = createHttpServer(reader.handle);
    https.push(http);
    urls.push(await listenOn(http, 0, '127.0.0.1'));
  };
  for (let at = 0; at < count; at++) await addReader();

  const close = async (): Promise<void> => {
    for (const reader of readers) await reader.close();
    for (const http of https) {
      http.closeAllConnections();
      await closeHttp(http);
    }
    await writer.close();
    closeSync(handle);
    await rm(root, { recursive: true, force: true });
  };

  return {
    dir,
    password,
    token,
    log,
    position,
    readers,
    writer: () => writer,
    base: () => join(root, `writer-${generation}`),
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
    addReader,
    async replaceWriter(between) {
      await writer.close();
      await between?.();
      writer = await openWriter();
      const opening = writer.open(address);
      for (const reader of readers) reader.follow(join(root, `writer-${generation}`));
      await opening;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
