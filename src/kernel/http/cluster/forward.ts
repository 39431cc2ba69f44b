/**
 * Requests handed on to the writer: streamed both ways, the answer unchanged. Who asked goes along, under the token of this run.
 */
import { Agent, type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { readingMethods } from '../../rest/request.ts';

interface Forwarder {
  /** Answers with what the writer says. Never rejects. */
  forward(incoming: IncomingMessage, outgoing: ServerResponse): void;
  /** The writer's answer to a request without a body. @throws when there is no writer */
  ask(incoming: IncomingMessage): Promise<IncomingMessage>;
  close(): void;
}

interface ForwardOptions {
  readonly token: string;
  /** Base path of the writer's sockets; waits for one other than `not`. Null: there is none for now. */
  readonly writer: (not?: string) => Promise<string | null>;
}

/** Lower-case names of the headers of a request from another worker. */
export const passed = { token: 'x-worker-token', ip: 'x-worker-client' } as const;

/** Headers that are of one connection. Source: RFC 9110, 7.6.1. */
const ofConnection = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade']);

export function createForwarder({ token, writer }: ForwardOptions): Forwarder {
  const agent = new Agent({ keepAlive: true });
  return {
    forward: (incoming, outgoing) => void pass(incoming, outgoing),
    async ask(incoming) {
      const sent = await connect(incoming);
      return new Promise((resolve, reject) => {
        sent.on('response', resolve).on('error', reject).end();
      });
    },
    close: () => agent.destroy(),
  };

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse, isAgain = false): Promise<void> {
    let sent: ClientRequest;
    try {
      sent = await connect(incoming);
    } catch {
      return refuse(outgoing, 503, 'The server is starting. Please try again.');
    }
    if (outgoing.destroyed) return void sent.destroy();
    outgoing.once('close', () => outgoing.writableFinished || sent.destroy());
    sent.on('error', () => {
      if (outgoing.headersSent) outgoing.destroy();
      // Asking twice does no harm.
      else if (!isAgain && readingMethods.has(incoming.method) && !hasBody(incoming)) void pass(incoming, outgoing, true);
      else refuse(outgoing, 502, 'The server was started again before it had answered. What was sent may have been saved.');
    });
    sent.on('response', (answer) => {
      const isLast = answer.headers.connection === 'close';
      outgoing.sendDate = false;
      outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, [
        ...endToEnd(answer.rawHeaders).flat(),
        ...(isLast ? ['Connection', 'close'] : []),
      ]);
      pipeline(answer, outgoing, () => undefined);
    });
    // A response may arrive before everything is sent: that ends the sending, and is not an error.
    if (hasBody(incoming)) incoming.on('error', () => sent.destroy()).pipe(sent);
    else sent.end();
  }

  /** A request whose connection is open: until then nothing of the body is read, so that it can still go elsewhere. */
  async function connect(incoming: IncomingMessage): Promise<ClientRequest> {
    for (let base = await writer(); base !== null; base = await writer(base)) {
      const sent = await open(incoming, `${base}.http`);
      if (sent) return sent;
    }
    throw new Error('there is no writer');
  }

  function open(incoming: IncomingMessage, socketPath: string): Promise<ClientRequest | null> {
    return new Promise((resolve) => {
      const { method = 'GET', url: path = '/' } = incoming;
      const sent = request({ agent, socketPath, method, path, headers: headersOf(incoming) });
      const fail = (): void => resolve(null);
      sent.once('error', fail);
      sent.once('socket', (socket) => {
        const ready = (): void => {
          sent.off('error', fail);
          sent.on('error', () => undefined);
          resolve(sent);
        };
        if (socket.connecting) socket.once('connect', ready);
        else ready();
      });
    });
  }

  function headersOf(incoming: IncomingMessage): Record<string, string | string[]> {
    const headers: Record<string, string | string[]> = {};
    for (const [name, value] of endToEnd(incoming.rawHeaders)) {
      const key = name.toLowerCase();
      if (key === passed.token || key === passed.ip || key === 'expect') continue;
      const before = headers[key];
      headers[key] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value];
    }
    if (incoming.headers['transfer-encoding'] !== undefined) headers['transfer-encoding'] = 'chunked';
    else if (!hasBody(incoming) && !readingMethods.has(incoming.method)) headers['content-length'] = '0';
    headers[passed.token] = token;
    headers[passed.ip] = incoming.socket.remoteAddress ?? '';
    return headers;
  }
}

/** Names and values of the headers that go further than one connection. */
export function endToEnd(raw: readonly string[]): [string, string][] {
  const out: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] as string;
    if (!ofConnection.has(name.toLowerCase())) out.push([name, raw[at + 1] as string]);
  }
  return out;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
}

function refuse(outgoing: ServerResponse, status: number, message: string): void {
  if (outgoing.destroyed || outgoing.headersSent) return;
  const body = JSON.stringify({ code: 'internal_server_error', message, data: { status } });
  const headers = {
    'Content-Type': 'application/json; charset=UTF-8',
    'Content-Length': Buffer.byteLength(body),
    'Retry-After': 1,
  };
  // What is left of a body is not read.
  outgoing.writeHead(status, { ...headers, Connection: 'close' }).end(body);
}
