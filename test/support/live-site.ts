/**
 * The sample site as a live site of the original would be: below a path, in the spelling of the original alone, with the original's
 * addresses of files and categories, behind a proxy that tells what was asked and can keep an answer waiting.
 */
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request as sendRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createStore } from '../../src/kernel/store/store.ts';
import { createAccounts } from '../../src/modules/accounts/accounts.ts';
import { makeAdministrator } from '../../src/cli/new-site.ts';
import { startSite, type TestSite } from './site.ts';

export const sample = resolve(import.meta.dirname, '../../content');

export interface LiveSite {
  /** With the path, without a slash at its end. */
  readonly url: string;
  /** Of `admin`. */
  readonly password: string;
  readonly site: TestSite;
  /** Targets that were asked for since it was last emptied. */
  readonly asked: string[];
  /** Called with each request; answers itself where it returns true. */
  before: (target: string, response: ServerResponse) => boolean | Promise<boolean>;
  close(): Promise<void>;
}

const spellings = [
  ['/uploads/', '/wp-content/uploads/'],
  ['/category/', '/topics/'],
] as const;

export const isMedia = (target: string): boolean => target.includes('/wp-content/uploads/');

export async function startLiveSite(files: Readonly<Record<string, string>> = {}): Promise<LiveSite> {
  const asked: string[] = [];
  const proxy = createServer((request, response) => void pass(request, response));
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/blog`;
  const folder = await mkdtemp(join(tmpdir(), 'cms-live-'));
  await cp(sample, folder, { recursive: true });
  const store = await createStore({ dir: folder });
  const admin = { id: 90, login: 'admin', email: 'admin@example.com', passwordName: 'test' };
  const password = await makeAdministrator(await createAccounts(store.private), admin);
  await store.close();
  const settings = `${await readFile(join(sample, 'site.yaml'), 'utf8')}url: ${url}\n`;
  const site = await startSite({ from: folder, files: { ...files, 'site.yaml': settings } });
  await rm(folder, { recursive: true });
  const live: LiveSite = {
    url,
    password,
    site,
    asked,
    before: () => false,
    async close() {
      await new Promise<void>((done) => {
        proxy.close(() => done());
        proxy.closeAllConnections();
      });
      await site.close();
    },
  };
  return live;

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = request.url ?? '/';
    asked.push(target);
    if (await live.before(target, response)) return;
    const inner = new URL((/^\/blog(?=\/|$|\?)/.test(target) ? target.slice('/blog'.length) : '/cms-json') || '/', site.url);
    if (inner.pathname.startsWith('/cms-json')) {
      response.writeHead(404).end();
      return;
    }
    for (const [own, original] of spellings) inner.pathname = inner.pathname.replace(original, own);
    const { 'accept-encoding': _, ...headers } = request.headers;
    const inside = sendRequest(inner, { method: request.method, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const isText = String(answer.headers['content-type']).includes('json');
        const body = isText ? Buffer.from(spelled(Buffer.concat(parts).toString('utf8'), url)) : Buffer.concat(parts);
        const { 'transfer-encoding': __, ...kept } = answer.headers;
        response.writeHead(answer.statusCode ?? 500, { ...kept, 'content-length': body.length }).end(body);
      });
    });
    inside.on('error', () => response.destroy());
    request.pipe(inside);
  }
}

/** Slashes of JSON may be escaped. */
function spelled(text: string, url: string): string {
  let out = text;
  for (const [own, original] of spellings)
    for (const inJson of [(part: string) => part, (part: string) => part.replaceAll('/', '\\/')])
      out = out.replaceAll(inJson(url + own), inJson(url + original));
  return out;
}
