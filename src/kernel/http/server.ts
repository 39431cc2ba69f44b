/**
 * The HTTP server: reads requests, asks the dispatcher, writes answers. Everything the interface is about happens below.
 */
import { once } from 'node:events';
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import { H3 } from 'h3';
import { toNodeHandler } from 'h3/node';
import { FastResponse } from 'srvx';
import { startJobs } from '../jobs.ts';
import type { Site } from '../site/site.ts';
import type { Records } from '../records/types.ts';
import { dialects } from '../rest/dialect.ts';
import { createDispatcher } from '../rest/dispatch.ts';
import { failureOf } from '../rest/failures.ts';
import type { Dispatcher, Registry } from '../rest/types.ts';
import { type Address, readAddress } from './address.ts';
import { createAnswers } from './answers.ts';
import { createClientOf } from './client.ts';
import { createChunks } from './buffer-pool.ts';
import { type Around, createHttp, closeHttp, failRequest, listenOn } from './connections.ts';
import { createFrontCache, type FrontCache } from './front-cache.ts';
import { pageFor } from './pages.ts';
import { createRequestReader } from './request.ts';
import { guardHeaders, type Written } from './respond.ts';
import { createStreams } from './streams.ts';
import { createUploads } from './uploads.ts';

export interface ServerOptions {
  readonly site: Site;
  readonly registry: Registry;
  /** Receives unexpected errors. Default: one line on standard error. */
  readonly log?: (line: string) => void;
  /** Stands around whatever `listen` answers. */
  readonly around?: Around | undefined;
}

/** For what requests that were cut off leave behind. */
const releaseMs = 300;

export interface Server {
  readonly dispatcher: Dispatcher;
  /** How the cache of answers does. */
  cached: FrontCache['stats'];
  /** Answers one request; what `listen` listens with. */
  handle(incoming: IncomingMessage, outgoing: ServerResponse): void;
  /** Watches, publishes what is scheduled and prepares searches, until it is closed. `address`: where it is asked. */
  start(address: string): Promise<void>;
  /** Ends the streams of events, which would keep their connections. */
  endStreams(): void;
  /** Starts, and listens itself. @returns the address it listens on: `http://127.0.0.1:4180` */
  listen(port: number, host: string): Promise<string>;
  /**
   * Takes no new requests, lets those under way finish, and watches no more.
   * @param graceMs  after which those that have not finished are cut off, and leave nothing
   */
  close(graceMs?: number): Promise<void>;
}

export function createServer({
  site,
  registry,
  log = (line) => process.stderr.write(`${line}\n`),
  around,
}: ServerOptions): Server {
  const dispatcher = createDispatcher(site, registry, (error, request) => {
    log(`${request.method} ${request.route}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  });
  const nonceHeaders = dialects.map((dialect) => dialect.header('Nonce').toLowerCase());
  const authenticator = site.authenticator({ nonceHeaders, changed: () => front.clear(), log });
  const clientOf = createClientOf(site.operator, (incoming) => incoming.socket.remoteAddress);
  const requests = createRequestReader({ site, authenticator, dispatcher, nonceHeaders, clientOf });
  const chunks = createChunks();
  const front = createFrontCache({
    generation: () => site.records.generation,
    clock: site.clock,
    personal: nonceHeaders,
    own: chunks.own,
  });
  const keyOf = (incoming: IncomingMessage) => front.keyOf(incoming, whoOf(incoming));
  const answerOf = createAnswers({ site, dispatcher, requests, front, keyOf });
  const uploads = createUploads(site, log);
  const streams = createStreams();
  const guards = () => guardHeaders(site.url, site.operator.hsts);
  const app = new H3();
  app.all('/**', ({ runtime }) => answer(runtime?.node?.req as IncomingMessage, runtime?.node?.res as ServerResponse));
  const throughH3 = toNodeHandler(app) as (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;
  const released = () => requests.released(releaseMs);
  const life = createLife(site, serve, { log, around, released, endStreams: streams.end });
  return { dispatcher, handle: serve, cached: front.stats, endStreams: streams.end, ...life };

  /** Never throws: whatever goes wrong is the failure of this request. */
  function serve(incoming: IncomingMessage, outgoing: ServerResponse): void {
    try {
      const { shared } = site.store;
      if (!shared?.workers?.isBehind()) serveNow(incoming, outgoing);
      else
        void shared.fresh().then(
          () => serveNow(incoming, outgoing),
          (error: unknown) => failure(incoming, outgoing, error),
        );
    } catch (error) {
      failure(incoming, outgoing, error);
    }
  }

  function serveNow(incoming: IncomingMessage, outgoing: ServerResponse): void {
    try {
      if (uploads.owns(incoming)) return void uploads.serve(incoming, outgoing.setHeaders(new Map(Object.entries(guards()))));
      const key = keyOf(incoming);
      const { shared } = site.store;
      if (key === null || shared === undefined || shared.workers !== undefined || incoming.headers.authorization === undefined)
        begin(incoming, outgoing, key);
      // Other nodes are asked before somebody who is signed in is answered. What they say may take the credential away.
      else if (front.has(key)) {
        const state = front.state();
        void shared.fresh().then(
          () => begin(incoming, outgoing, state === front.state() ? key : keyOf(incoming)),
          (error: unknown) => failure(incoming, outgoing, error),
        );
      } else begin(incoming, outgoing, null);
    } catch (error) {
      failure(incoming, outgoing, error);
    }
  }

  /** @param key  null: there is no kept answer */
  function begin(incoming: IncomingMessage, outgoing: ServerResponse, key: string | null): void {
    try {
      if (key !== null && front.serve(key, incoming, outgoing)) return;
      const address = isPlain(incoming.url) ? readAddress(incoming.url ?? '/', site) : null;
      if (address) void answerDirectly(incoming, outgoing, address, incoming.headers.authorization === undefined ? key : null);
      else void handle(incoming, outgoing);
    } catch (error) {
      failure(incoming, outgoing, error);
    }
  }

  function failure(incoming: IncomingMessage, outgoing: ServerResponse, error: unknown): void {
    failRequest(incoming, outgoing, error, log, failureOf(error, site.store));
  }

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    try {
      await throughH3(incoming, outgoing.setHeaders(new Map(Object.entries(guards()))));
    } catch (error) {
      failure(incoming, outgoing, error);
    }
  }

  /** What is for the interface goes straight to the connection; `h3` is for whatever else there is, and for escapes in a path. */
  async function answerDirectly(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    address: Address,
    key: string | null,
  ): Promise<void> {
    try {
      const written = await answerOf(incoming, address, key, chunks.take);
      const { status, headers, body, stream } = withLength(written, incoming);
      outgoing.writeHead(status, headers);
      if (stream) streams.send(stream, outgoing);
      else outgoing.end(body, () => chunks.give(body));
    } catch (error) {
      failure(incoming, outgoing, error);
    }
  }

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<Response> {
    try {
      const address = readAddress(incoming.url ?? '/', site);
      if (!address) {
        if (incoming.method !== 'GET' || incoming.headers.cookie !== undefined) await site.store.shared?.fresh();
        return await pageFor(site, incoming, clientOf(incoming));
      }
      const written = await answerOf(incoming, address);
      const { status, headers, body, stream } = withLength(written, incoming);
      if (stream) {
        streams.send(stream, outgoing.writeHead(status, headers));
        await once(outgoing, 'close');
        return new FastResponse(null) as unknown as Response;
      }
      return new FastResponse(body, { status, headers: pairsOf(headers) }) as unknown as Response;
    } catch (error) {
      failure(incoming, outgoing, error);
      // It is answered: what comes now goes nowhere.
      return new FastResponse(null) as unknown as Response;
    }
  }

  /** Whose answer a request gets, where that is known at once: '' of visitors. */
  function whoOf(incoming: IncomingMessage): string | null {
    const { authorization } = incoming.headers;
    if (authorization === undefined) return '';
    return site.operator.require_https && !clientOf(incoming).isPrivate ? null : (authenticator.recall(authorization) ?? null);
  }
}

interface LifeOptions extends Pick<ServerOptions, 'around'>, Pick<Server, 'endStreams'> {
  readonly log: (line: string) => void;
  /** Resolves when requests that were cut off have left nothing. */
  readonly released: () => Promise<void>;
}

/** What starts with a server and ends with it. */
function createLife(
  site: Site,
  serve: Server['handle'],
  { log, around, released, endStreams }: LifeOptions,
): Pick<Server, 'start' | 'listen' | 'close'> {
  let http: HttpServer | null = null;
  let unwatch: (() => Promise<void>) | null = null;
  let stopJobs: (() => Promise<void>) | null = null;
  let stopWarming: (() => void) | null = null;

  async function start(address: string): Promise<void> {
    site.setAddress(address);
    site.store.faults.logTo(log);
    unwatch = await site.store.watch((batch) => site.ingest(batch));
    stopJobs = startJobs(site);
    stopWarming = warmSearch(site.records);
  }

  return {
    start,
    async listen(port, host) {
      http = createHttp(serve, site.operator, log, around);
      const address = await listenOn(http, port, host);
      await start(address);
      return address;
    },
    async close(graceMs) {
      const stopped = stopJobs?.();
      stopWarming?.();
      endStreams();
      // At once: what comes from now on finds nobody.
      const closed = http ? closeHttp(http, graceMs) : null;
      await unwatch?.();
      await closed;
      await stopped;
      await released();
    },
  };
}

/** A POST that asks for headers only gets a response without a body, not one whose body never arrives. */
function withLength(written: Written, { method }: IncomingMessage): Written {
  const { status, headers, body, stream } = written;
  if (body === null && !stream && method !== 'HEAD' && status !== 304 && status !== 204)
    headers[headers.indexOf('Content-Length') + 1] = '0';
  return written;
}

/** Prepares the searches of visitors in the pauses between requests. @returns stops it */
function warmSearch(records: Records): () => void {
  const [sliceMs, pauseMs, restMs] = [1, 1, 5000];
  let timer = setTimeout(warm, pauseMs);
  return () => clearTimeout(timer);

  function warm(): void {
    try {
      if (!records.warm(sliceMs)) timer = setTimeout(warm, pauseMs);
    } catch {
      // A text that cannot be read now. The next search meets the fault, and logs it.
      timer = setTimeout(warm, restMs).unref();
    }
  }
}

function pairsOf(headers: readonly string[]): [string, string][] {
  return headers.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, headers[at + 1] as string]] : []));
}

/** Whether the path of a target has no escapes, which `h3` handles. */
function isPlain(url = '/'): boolean {
  const mark = url.indexOf('%');
  return mark < 0 || url.lastIndexOf('?', mark) >= 0;
}
