/**
 * A small site elsewhere, on a free port of this machine, for tests of what fetches.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Upstream {
  /** Without a trailing slash. */
  readonly url: string;
  readonly host: string;
  /** Targets asked for, in order. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

export type Page =
  | string
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: string }
  | ((request: IncomingMessage, response: ServerResponse) => void);

/** @param pages  path → what is there; everything else is 404 */
export async function startUpstream(pages: (url: string) => Readonly<Record<string, Page>>): Promise<Upstream> {
  const asked: string[] = [];
  let known: Readonly<Record<string, Page>> = {};
  const server = createServer((request, response) => {
    const target = request.url ?? '/';
    asked.push(target);
    const page = known[target.replace(/\?.*$/, '')];
    if (typeof page === 'function') return page(request, response);
    const {
      status = page === undefined ? 404 : 200,
      headers = {},
      body = '',
    } = typeof page === 'string' ? { body: page } : (page ?? {});
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  known = pages(`http://${host}`);
  return {
    url: `http://${host}`,
    host,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
