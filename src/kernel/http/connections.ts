/**
 * Connections of clients and their limits: how many there are, how long headers may take, how long a body may stand still, and for
 * which hosts requests are taken. Whatever goes wrong with one request ends that request alone.
 */
import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http';
import { type AddressInfo, Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ErrorCode, type ErrorRow, errorRow, errors, type RestError } from '../errors.ts';
import { createAllowList } from './ip-ranges.ts';
import { hostMatcher, isThisMachine } from '../model/addresses.ts';
import { table } from '../model/maps.ts';
import type { Operator } from '../model/operator.ts';
import { isFile } from '../rest/body.ts';
import { hasBody } from './front-cache.ts';
import { guardHeaders } from './respond.ts';

export type Handle = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** Stands around whatever answers: counts, logs, or answers itself. */
export type Around = (handle: Handle) => Handle;

export type ConnectionSettings = Pick<Operator, 'hosts' | 'max_connections' | 'header_timeout' | 'body_timeout'> &
  Partial<Pick<Operator, 'trusted_proxies'>>;

/** How long a connection may be idle. */
const keepAliveMs = 65_000;
/** For JSON and forms; files may take as long as they keep coming. */
const wholeBodyMs = 300_000;

interface Receiving {
  readonly outgoing: ServerResponse;
  readonly startedAt: number;
  /** Of the connection, at the last look. */
  bytes: number;
  /** When more had come. */
  movedAt: number;
  /** At the last look. One more is waited for: after this machine has stood still, what was sent meanwhile is not read yet. */
  isOver: boolean;
}

/** An HTTP server that listens to nobody yet. @param log  receives what requests fail with */
export function createHttp(
  handle: Handle,
  settings: ConnectionSettings,
  log: (line: string) => void,
  around: Around = (same) => same,
): HttpServer {
  const { hosts, max_connections, header_timeout, body_timeout } = settings;
  const takes = createHostCheck(hosts);
  const receiving = new Map<IncomingMessage, Receiving>();
  const options = {
    headersTimeout: header_timeout * 1000,
    // Uploads take as long as they keep coming: `cutStalled`.
    requestTimeout: 0,
    connectionsCheckingInterval: 1000,
    keepAliveTimeout: keepAliveMs,
  };
  const answer = around((incoming, outgoing) => {
    try {
      if (takes && !takes(incoming)) return answerRefusal(outgoing, 'rest_misdirected');
      if (hasBody(incoming.headers)) watch(incoming, outgoing);
      handle(incoming, outgoing);
    } catch (error) {
      failRequest(incoming, outgoing, error, log);
    }
  });
  const unanswered = new WeakMap<Duplex, ServerResponse[]>();
  const http = createServer(options, (incoming, outgoing) => {
    const { socket } = incoming;
    // Answers end in the order of their requests, of which one connection may send thousands at once.
    const open = unanswered.get(socket) ?? [];
    while (open[0]?.closed) open.shift();
    open.push(outgoing);
    unanswered.set(socket, open);
    // A connection may break at any moment of an answer: that is not the process's matter.
    outgoing.on('error', () => undefined);
    answer(incoming, outgoing);
  });
  http.on('clientError', (error: ParserError, socket) => {
    const isBegun = unanswered.get(socket)?.some(({ closed, headersSent }) => headersSent && !closed) === true;
    if (socket.writable && !isBegun) socket.write(refusalOf(error));
    socket.destroy();
  });
  makeRoom(http, max_connections, settings.trusted_proxies ?? []);
  const looking = setInterval(cutStalled, 500).unref();
  http.once('close', () => clearInterval(looking));
  return http;

  function watch(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const now = performance.now();
    receiving.set(incoming, { outgoing, startedAt: now, bytes: incoming.socket.bytesRead, movedAt: now, isOver: false });
    incoming.once('close', () => receiving.delete(incoming));
  }

  function cutStalled(): void {
    const now = performance.now();
    for (const [incoming, one] of receiving) {
      const { bytesRead } = incoming.socket;
      // What waits to be read here is not the client's fault.
      if (bytesRead !== one.bytes || incoming.readableLength >= incoming.readableHighWaterMark) {
        one.bytes = bytesRead;
        one.movedAt = now;
      }
      const isSlow = now - one.startedAt > wholeBodyMs && !mayTakeLong(incoming);
      const wasOver = one.isOver;
      one.isOver = isSlow || now - one.movedAt > body_timeout * 1000;
      if (incoming.complete) receiving.delete(incoming);
      else if (one.isOver && wasOver) cut(incoming, one.outgoing);
    }
  }
}

/** What the parser says of a request that it cannot read. */
type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: Uint8Array };

const refusals: Readonly<Record<string, string>> = table({
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
});

/** As node answers them; whoever sends an address as it is read, with bytes that no address has, is told what to do about it. */
function refusalOf({ code = '', rawPacket }: ParserError): string {
  const bare = `HTTP/1.1 ${refusals[code] ?? '400 Bad Request'}\r\nConnection: close\r\n`;
  const end = rawPacket?.indexOf(lineEnd) ?? -1;
  const line = rawPacket?.subarray(0, end === -1 ? undefined : end);
  if (code !== 'HPE_INVALID_URL' || !line?.some((byte) => byte > 127)) return `${bare}\r\n`;
  const { status, message } = errors.rest_address_unencoded;
  const body = JSON.stringify({ code: 'rest_address_unencoded', message, data: { status } });
  const headers = { 'Content-Type': 'application/json; charset=UTF-8', 'Content-Length': body.length, ...guardHeaders('', 0) };
  return `${bare}${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body}`;
}

const lineEnd = 0x0a;

/** Of all connections, how many one address may have. */
const share = 0.5;

/**
 * Keeps the number of connections within bounds: when there is no room, the one goes that has been idle for longest, and an address with
 * more than its share gives up one of its own. Nobody who only holds connections open keeps others out.
 * @param proxies  networks whose connections are of many clients
 */
function makeRoom(http: HttpServer, most: number, proxies: readonly string[]): void {
  const shared = createAllowList(proxies);
  const perAddress = new Map<string, number>();
  const idle = new Map<Socket, string>();
  const busy = new Map<Socket, number>();
  let count = 0;
  http.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    count++;
    perAddress.set(address, (perAddress.get(address) ?? 0) + 1);
    socket.once('close', () => {
      count--;
      idle.delete(socket);
      busy.delete(socket);
      const left = (perAddress.get(address) ?? 1) - 1;
      if (left > 0) perAddress.set(address, left);
      else perAddress.delete(address);
    });
    const own = perAddress.get(address) as number;
    const isOverShare = own > Math.max(1, most * share) && !(proxies.length > 0 && shared.range(address));
    if (isOverShare) idlest(address)?.destroy();
    else if (count > most) (idlest() ?? socket).destroy();
    if (count > most && isOverShare) socket.destroy();
    if (!socket.destroyed) idle.set(socket, address);
  });
  http.on('request', ({ socket }: IncomingMessage, outgoing: ServerResponse) => {
    const address = idle.get(socket) ?? socket.remoteAddress ?? '';
    idle.delete(socket);
    busy.set(socket, (busy.get(socket) ?? 0) + 1);
    outgoing.once('close', () => {
      const left = (busy.get(socket) ?? 1) - 1;
      if (left > 0) return void busy.set(socket, left);
      busy.delete(socket);
      if (!socket.destroyed) idle.set(socket, address);
    });
  });

  /** Those that became idle first come first. */
  function idlest(of?: string): Socket | undefined {
    for (const [socket, address] of idle) if (of === undefined || address === of) return socket;
    return undefined;
  }
}

function mayTakeLong({ headers }: IncomingMessage): boolean {
  return isFile(headers['content-type']) || headers['content-type']?.startsWith('multipart/') === true;
}

/** As node does with headers that do not come: the client learns why, if it still listens. */
function cut({ socket }: IncomingMessage, outgoing: ServerResponse): void {
  if (socket.writable && !outgoing.headersSent) socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  socket.destroy();
}

/**
 * Answers a request that something was thrown for, and says what in the log.
 * @param known  the refusal that it stands for; null: nobody expected it
 */
export function failRequest(
  { method, url }: Pick<IncomingMessage, 'method' | 'url'>,
  outgoing: ServerResponse,
  error: unknown,
  log: (line: string) => void,
  known: RestError | null = null,
): void {
  // Without the query, which may hold passwords.
  if (!known) log(`${method} ${url?.replace(/\?.*$/s, '')}: ${describe(error)}`);
  if (outgoing.headersSent) outgoing.destroy();
  else answerRefusal(outgoing, known?.code ?? 'internal_server_error');
}

/** An error with what caused it. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.stack ?? error.message}${error.cause === undefined ? '' : `\ncaused by ${describe(error.cause)}`}`;
}

/** The answer to a request that never reaches a route, in the shape of all errors. */
function answerRefusal(outgoing: ServerResponse, code: ErrorCode): void {
  const { status: declared, message, retryAfter }: ErrorRow = errorRow(code, {}) ?? errors.internal_server_error;
  const status = declared === 'auth' ? 403 : declared;
  const body = JSON.stringify({ code, message, data: { status } });
  // Nothing of an answer that was begun is in this one, but what every answer has.
  for (const name of outgoing.getHeaderNames()) if (name !== 'strict-transport-security') outgoing.removeHeader(name);
  outgoing
    .writeHead(status, {
      'Content-Type': 'application/json; charset=UTF-8',
      'Content-Length': Buffer.byteLength(body),
      ...guardHeaders('', 0),
      ...(retryAfter === undefined ? {} : { 'Retry-After': retryAfter }),
      Connection: 'close',
    })
    .end(body);
}

/**
 * Whether a request is for one of the hosts; ports do not count. Where the
 * connection is made on this machine, its own names are fine as well. Null without a list: every host is.
 */
function createHostCheck(hosts: readonly string[]): ((incoming: IncomingMessage) => boolean) | null {
  if (hosts.length === 0) return null;
  const isNamed = hostMatcher(hosts);
  return ({ headers, url = '/', socket }) => {
    const target = url.startsWith('/') || url === '*' ? undefined : /^[a-z]+:\/\/([^/?#]*)/i.exec(url)?.[1];
    return [headers.host, ...(target === undefined ? [] : [target])].every((host) => {
      const name = host?.toLowerCase().replace(/:\d*$/, '') ?? '';
      const isOwn = isThisMachine(name) && isLoopback(socket.localAddress ?? '');
      return isOwn || isNamed(name);
    });
  };
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address);
}

/** @returns the address it listens on: `http://127.0.0.1:4180` */
export async function listenOn(http: HttpServer, port: number, host: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject).listen(port, host, resolve);
  });
  return addressOf(host, (http.address() as AddressInfo).port);
}

export function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** So long, clients that keep their connections are told of the end by an answer, before connections that are idle are closed. */
const lingerMs = 100;

/**
 * Takes no new connections and resolves when requests under way have finished. A proxy may just be sending a request on a connection
 * that is idle here: closed at once, it would fail, and a write is not sent again.
 * @param graceMs  after which those that have not finished are cut off; without it, nobody is at the other ends but the caller
 */
export function closeHttp(http: HttpServer, graceMs = Number.POSITIVE_INFINITY): Promise<void> {
  const isAwaited = Number.isFinite(graceMs);
  return new Promise((resolve) => {
    let idle: NodeJS.Timeout | undefined;
    const end = (): void => {
      // It closes idle connections. Those that are busy now are idle later.
      http.close();
      idle = setInterval(() => http.closeIdleConnections(), 50);
    };
    const soon = isAwaited ? setTimeout(end, lingerMs) : undefined;
    const late = isAwaited ? setTimeout(() => http.closeAllConnections(), graceMs) : undefined;
    http.prependListener('request', (_, outgoing) => {
      outgoing.shouldKeepAlive = false;
    });
    // That of `node:http` would close idle connections now.
    Server.prototype.close.call(http, () => {
      clearInterval(idle);
      clearTimeout(soon);
      clearTimeout(late);
      resolve();
    });
    if (!isAwaited) end();
  });
}
