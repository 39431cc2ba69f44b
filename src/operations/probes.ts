/**
 * What a supervisor asks, off the root of the interface: `/healthz` (the process answers), `/readyz` (the index equals the disk, or
 * how far it is behind) and `/metrics`. On the server's own port, and on one of their own where the operator wishes it.
 *
 * Metrics are not for the public: the server's own port gives them for a token alone.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http';
import { listenOn } from '../kernel/http/connections.ts';
import { guardHeaders } from '../kernel/http/respond.ts';
import type { Site } from '../kernel/site/site.ts';
import type { Readiness } from './following.ts';
import { mergeReports, printMetrics, type MetricsReport } from './metrics.ts';

/** What one process says of itself. */
export interface Reported {
  /** Its number; 0 where there is one process. */
  readonly worker: number;
  readonly report: MetricsReport;
  readonly readiness: Readiness | null;
}

export interface ProbeOptions {
  /** What all processes say of themselves; those that do not answer are left out. */
  readonly collect: () => Promise<readonly Reported[]>;
  /** `Authorization: Bearer …` that metrics are given for; '' for none. */
  readonly token: string;
}

export interface Probes {
  /** Answers, when it is asked for one of these. @param site  whose server this is */
  take(incoming: IncomingMessage, outgoing: ServerResponse, site?: Guarded | null): boolean;
}

type Guarded = Pick<Site, 'url' | 'operator'>;

/** A server that is so far behind is not ready. */
const maxBehindMs = 10_000;

type Answer = { readonly status: number; readonly type: string; readonly body: string };

/** @param isPublic  whoever may connect is anybody */
export function createProbes({ collect, token }: ProbeOptions, isPublic: boolean): Probes {
  const answers: Readonly<Record<string, () => Promise<Answer>>> = {
    '/healthz': async () => ({ status: 200, type: 'text/plain', body: 'ok\n' }),
    '/readyz': async () => readyAnswer(await collect()),
    '/metrics': async () => {
      const reported = await collect();
      const body = printMetrics(mergeReports(reported.map(({ worker, report }) => [worker, report])));
      return { status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', body };
    },
  };
  const paths: ReadonlyMap<string | undefined, () => Promise<Answer>> = new Map(Object.entries(answers));
  return {
    take(incoming, outgoing, site) {
      const answer = paths.get(incoming.url);
      if (!answer || (incoming.method !== 'GET' && incoming.method !== 'HEAD')) return false;
      const isGuarded = incoming.url === '/metrics' && (isPublic || token !== '');
      // Nobody learns that there is something to guess.
      if (isGuarded && token === '') return false;
      if (isGuarded && !isBearer(incoming.headers.authorization, token)) {
        const refusal = { status: 401, type: 'text/plain', body: 'unauthorized\n' };
        send(incoming, outgoing, refusal, { ...guardsOf(site), 'WWW-Authenticate': 'Bearer' });
        return true;
      }
      answer().then(
        (made) => send(incoming, outgoing, made, guardsOf(site)),
        () => send(incoming, outgoing, { status: 503, type: 'text/plain', body: 'unavailable\n' }, guardsOf(site)),
      );
      return true;
    },
  };
}

/** Listens for these alone. */
export async function listenForProbes(
  probes: Probes,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<{ readonly address: string; close(): void }> {
  const http: HttpServer = createServer({ requestTimeout: 10_000, headersTimeout: 5000 }, (incoming, outgoing) => {
    outgoing.on('error', () => undefined);
    if (!probes.take(incoming, outgoing)) send(incoming, outgoing, { status: 404, type: 'text/plain', body: 'not found\n' });
  });
  const address = await listenOn(http, port, host);
  return {
    address,
    close() {
      http.close();
      http.closeAllConnections();
    },
  };
}

function readyAnswer(reported: readonly Reported[]): Answer {
  const following = reported.map(({ readiness }) => readiness).find((one) => one !== null);
  const behindMs = Math.round(following?.behindMs ?? 0);
  const isReady = following?.isListable === true && behindMs <= maxBehindMs;
  const body = {
    ready: isReady,
    workers: reported.filter(({ report }) => report.cms_workers).length,
    ...(following && {
      behind: { changes: following.pending, ms: behindMs },
      lookedMsAgo: following.ageMs === null ? null : Math.round(following.ageMs),
      watching: following.by,
      folder: following.isListable ? 'readable' : 'unreadable',
      faults: following.faults,
    }),
  };
  return { status: isReady ? 200 : 503, type: 'application/json', body: `${JSON.stringify(body)}\n` };
}

function send(
  { method }: IncomingMessage,
  outgoing: ServerResponse,
  { status, type, body }: Answer,
  headers = guardsOf(null),
): void {
  outgoing.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    ...headers,
  });
  outgoing.end(method === 'HEAD' ? undefined : body);
}

/** On a port of its own nobody comes by HTTPS. */
function guardsOf(site: Guarded | null | undefined): Readonly<Record<string, string>> {
  return guardHeaders(site?.url ?? '', site?.operator.hsts ?? 0);
}

function isBearer(header: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];
  if (given === undefined) return false;
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
