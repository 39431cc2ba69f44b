/**
 * A site on disk and its server on a free port, for tests that speak HTTP to the real thing.
 */
import { Agent, request as sendRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { cp, mkdtemp, readFile, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { composeSite, openSite } from '../../src/open-site.ts';
import { addApplicationPassword } from '../../src/modules/people/accounts/application-passwords.ts';
import { createUser } from '../../src/modules/people/users/plan.ts';
import type { Site } from '../../src/kernel/site/site.ts';
import type { Module } from '../../src/kernel/module.ts';
import type { Operator } from '../../src/kernel/model/operator.ts';
import { scaffoldSite } from '../../src/cli/new-site.ts';
import { createServer, type Server } from '../../src/kernel/http/server.ts';

export interface TestSite {
  readonly dir: string;
  /** Address of the server, without a trailing slash. */
  readonly url: string;
  /** Application password of the administrator `admin`. */
  readonly password: string;
  readonly site: Site;
  readonly server: Server;
  /** Lines that the site and its server logged. */
  readonly log: readonly string[];
  /** One request below `/cms-json`, or an absolute path with `raw`. */
  ask(method: string, path: string, options?: AskOptions): Promise<Answered>;
  read(path: string): Promise<string>;
  write(path: string, text: string): Promise<void>;
  close(): Promise<void>;
}

export interface AskOptions {
  /** Login, or login:password; the administrator with `admin`. */
  readonly as?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly root?: string;
  readonly raw?: boolean;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, or the text. */
  readonly body: any;
}

export interface TestSiteOptions {
  /** Folder to copy; otherwise a new empty site as `cms init` makes it. */
  readonly from?: string;
  readonly writing?: 'auto' | 'markdown' | 'markup';
  readonly clock?: () => number;
  readonly readOnly?: boolean;
  readonly operator?: Partial<Operator>;
  readonly modules?: readonly Module[];
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

export async function startSite(options: TestSiteOptions = {}): Promise<TestSite> {
  const dir = await mkdtemp(join(tmpdir(), 'cms-test-'));
  let password = '';
  if (options.from) await cp(options.from, dir, { recursive: true });
  else
    password = await scaffoldSite({
      dir,
      title: 'Example Site',
      timezone: 'Europe/Berlin',
      admin: 'admin',
      email: 'admin@example.com',
      writing: options.writing ?? 'auto',
    });
  for (const [path, text] of Object.entries(options.files ?? {})) await put(join(dir, path), text);
  const { operator = {}, modules = [], readOnly = false } = options;
  const log: string[] = [];
  const told = (line: string): void => void log.push(line);
  const site = await openSite(dir, {
    operator,
    modules,
    readOnly,
    log: told,
    ...(options.clock ? { clock: options.clock } : {}),
  });
  const server = createServer({ site, registry: composeSite(site), log: told });
  const url = await server.listen(0, '127.0.0.1');
  return {
    dir,
    url,
    password,
    site,
    server,
    log,
    async ask(method, path, { as, body, headers = {}, root = '/cms-json', raw = false } = {}) {
      const credentials = as === undefined ? null : as.includes(':') ? as : `${as}:${password}`;
      const sent = {
        ...headers,
        ...(credentials ? { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } : {}),
      };
      const answer = await overHttp(url + (raw ? path : root + path), {
        method,
        headers: body === undefined || typeof body === 'string' ? sent : { 'content-type': 'application/json', ...sent },
        body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
      });
      const isJson = answer.headers.get('content-type')?.includes('json') && answer.body !== '';
      return isJson ? { ...answer, body: JSON.parse(answer.body) } : answer;
    },
    read: (path) => readFile(join(dir, path), 'utf8'),
    write: (path, text) => put(join(dir, path), text),
    async close() {
      await server.close();
      await site.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

const agent = new Agent({ keepAlive: true });

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** One request as `fetch` sends it, at a third of what that costs: the tests send very many. */
export function overHttp(url: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Answered> {
  const all = new Headers({ accept: '*/*', 'user-agent': 'node', ...headers });
  if (body !== undefined && !all.has('content-type')) all.set('content-type', 'text/plain;charset=UTF-8');
  // Of a DELETE it is not said by itself.
  if (body !== undefined) all.set('content-length', String(Buffer.byteLength(body)));
  return new Promise((resolve, reject) => {
    const request = sendRequest(new URL(url), { method, headers: Object.fromEntries(all), agent }, (response) => {
      const { statusCode: status = 0, rawHeaders } = response;
      const received = new Headers();
      for (let at = 0; at < rawHeaders.length; at += 2) received.append(rawHeaders[at] as string, rawHeaders[at + 1] as string);
      text(response).then((said) => resolve({ status, headers: received, body: said }), reject);
    });
    request.on('error', reject).end(body);
  });
}

/** A user who can sign in: the id, and `login:password` as `ask` takes it. */
export async function signUp(
  { site }: TestSite,
  login: string,
  role: string,
): Promise<{ readonly id: number; readonly as: string }> {
  const id = await createUser(site, { login, email: `${login}@example.org`, roles: [role] });
  const { password } = await addApplicationPassword(site, id, 'Tests');
  return { id, as: `${login}:${password}` };
}

/** A site removes a folder that a deletion leaves empty, perhaps between the two steps here: a writer makes it again. */
async function put(path: string, text: string | Uint8Array): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await mkdir(dirname(path), { recursive: true });
      return await writeFile(path, text);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === 10) throw error;
    }
  }
}

/** Waits until `check` gives something, looking every 5 ms. Hints of changes may be lost: then the sweep brings them, every 5 s. @throws after `timeoutMs` */
export async function until<T>(check: () => T | Promise<T>, timeoutMs = 30_000): Promise<NonNullable<T>> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const value = await check();
    if (value) return value as NonNullable<T>;
    if (Date.now() > end) throw new Error(`nothing came within ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
