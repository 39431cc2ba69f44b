/** Who is told by webhooks, on a port of this machine. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** What it answers from now on. */
  answer(status: number, headers?: Readonly<Record<string, string>>): void;
  close(): Promise<void>;
}

export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = [];
  let status = 204;
  let headers: Readonly<Record<string, string>> = {};
  const server = createServer(async (incoming, outgoing) => {
    const { method = '', url = '' } = incoming;
    received.push({ method, url, headers: incoming.headers, body: await text(incoming), at: Date.now() });
    outgoing.writeHead(status, headers).end();
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer(next, more = {}) {
      status = next;
      headers = more;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
