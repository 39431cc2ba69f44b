/** HTTP as it goes over the wire: bodies with any method, headers that `fetch` sets by itself, and what is no HTTP at all. */
import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Sent {
  readonly method?: string;
  /** Target and address of the server. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
  /** With the length of the body told before. */
  readonly sized?: boolean;
}

export interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** One request on a connection of its own. @throws when the connection ends without an answer */
export async function send(origin: string, { method = 'GET', url, headers = {}, body, sized = false }: Sent): Promise<Got> {
  const { hostname, port } = new URL(origin);
  const length = sized && body !== undefined ? { 'content-length': String(Buffer.byteLength(body)) } : {};
  const all = { ...headers, ...length } as Record<string, string>;
  if (body !== undefined && !sized) all['transfer-encoding'] = 'chunked';
  const sent = request({ hostname, port, method, path: url, headers: all, agent: false });
  const answered = once(sent, 'response') as Promise<[import('node:http').IncomingMessage]>;
  sent.end(body);
  const [answer] = await answered;
  // What is still to be sent may fail once the answer is here.
  sent.on('error', () => undefined);
  const bytes = await buffer(answer);
  return { status: answer.statusCode ?? 0, headers: answer.headers, text: bytes.toString('utf8') };
}

/** Bytes on a connection, and all that comes back until it closes. */
export async function exchange(origin: string, bytes: string | Uint8Array): Promise<string> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  const parts: Buffer[] = [];
  socket.on('data', (part) => parts.push(part)).on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  return Buffer.concat(parts).toString('latin1');
}
