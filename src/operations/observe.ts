/**
 * Counts and logs what a server does, from outside: it stands around requests and around commits, and changes neither.
 *
 * A request costs it two looks at the clock and one at a map. Who asked for a commit is known by the context that the request began
 * in (`AsyncLocalStorage`), which only requests that may write have, and only where commits are
 * logged: while none is under way it is off, because it costs every promise.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Around } from '../kernel/http/connections.ts';
import type { Server } from '../kernel/http/server.ts';
import type { Module } from '../kernel/module.ts';
import { readingMethods } from '../kernel/rest/request.ts';
import type { Call, Route } from '../kernel/rest/types.ts';
import { createStoreCounts, type StoreCounts } from './following.ts';
import { filesOf, type LogFormat, printEvent } from './lines.ts';
import type { MetricsReport } from './metrics.ts';
import type { Probes } from './probes.ts';
import { createRequestCounts, type RouteSource } from './request-counts.ts';

interface ObserverOptions {
  readonly log: (line: string) => void;
  readonly format: LogFormat;
  /** A line for each commit. */
  readonly writes: boolean;
  /** A line for each request. */
  readonly requests: boolean;
}

export interface Observer extends Pick<StoreCounts, 'wrap' | 'readiness'> {
  /** Stands around what clients ask. */
  readonly around: Around;
  /** Tells which site there is, and who asks. */
  readonly module: Module;
  serving(server: Server): void;
  /** Who answers probes from now on. */
  probeWith(probes: Probes): void;
  report(): MetricsReport;
}

/** A request that may write. */
interface Asking {
  readonly id: string;
  /** Login; null for a visitor. */
  user: string | null;
}

const idHeader = 'X-Request-Id';
/** Of ids that clients and proxies send. */
const plainId = /^[\w.:-]{1,64}$/;

export function createObserver({ log, format, writes: logsWrites, requests }: ObserverOptions): Observer {
  const asking = new AsyncLocalStorage<Asking>();
  const source: RouteSource = { site: null, server: null };
  const counts = createRequestCounts(source);
  const commits = createStoreCounts((changes, ms) => {
    if (!logsWrites) return;
    const { id: request, user } = asking.getStore() ?? {};
    log(printEvent({ event: 'write', request, ...filesOf(changes), ms, user }, format));
  });
  const idOf = createIds();
  /** Who asks, by the headers of a request, which are the same object all along. */
  const users = new WeakMap<object, string>();
  let inProgress = 0;
  let writes = 0;
  let probes: Probes | null = null;

  return {
    around: (handle) => (incoming, outgoing) => {
      if (probes?.take(incoming, outgoing, source.site)) return;
      const began = performance.now();
      const { method = '', url = '/', headers } = incoming;
      const mayWrite = !readingMethods.has(method);
      const isNamed = headers['x-request-id'] !== undefined;
      const id = requests || mayWrite || isNamed ? idOf(incoming) : '';
      if (requests || isNamed) outgoing.setHeader(idHeader, id);
      inProgress++;
      outgoing.once('close', () => {
        inProgress--;
        const ms = performance.now() - began;
        const { statusCode: status, writableFinished } = outgoing;
        const path = pathOf(url);
        counts.count(method, url, path, status, ms);
        if (!requests) return;
        const aborted = writableFinished ? {} : { aborted: true as const };
        log(
          printEvent({ event: 'request', request: id, method, path, status, ms, user: users.get(headers), ...aborted }, format),
        );
      });
      if (mayWrite) write(id, handle, incoming, outgoing);
      else handle(incoming, outgoing);
    },
    module: {
      name: 'operations',
      setup: (site) => {
        source.site = site;
        return {};
      },
      reshape: told,
    },
    wrap: commits.wrap,
    readiness: commits.readiness,
    serving(server) {
      source.server = server;
      counts.forget();
    },
    probeWith(next) {
      probes = next;
    },
    report() {
      const made: Record<string, number> = { cms_http_requests_in_progress: inProgress, cms_workers: 1 };
      counts.into(made);
      commits.into(made);
      const cached = source.server?.cached();
      if (cached) {
        made.cms_front_cache_hits_total = cached.hits;
        made.cms_front_cache_entries = cached.entries;
        made.cms_front_cache_bytes = cached.bytes;
      }
      if (source.site) {
        const { sent, failed, waiting, dead } = source.site.webhooks.counts();
        made.cms_event_streams = source.site.eventStreams.count();
        made.cms_webhooks_sent_total = sent;
        made.cms_webhooks_failed_total = failed;
        made.cms_webhooks_waiting = waiting;
        made.cms_webhooks_dead = dead;
        const letters = source.site.mail.counts();
        made.cms_letters_sent_total = letters.sent;
        made.cms_letters_failed_total = letters.failed;
        made.cms_letters_waiting = letters.waiting;
        made.cms_letters_dead = letters.dead;
        const reports = source.site.spam.counts();
        made.cms_spam_reports_sent_total = reports.sent;
        made.cms_spam_reports_failed_total = reports.failed;
        made.cms_spam_reports_waiting = reports.waiting;
      }
      return Object.assign(made, reportOfProcess());
    },
  };

  function write(id: string, handle: RequestListener, incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (!logsWrites) {
      handle(incoming, outgoing);
      return;
    }
    writes++;
    outgoing.once('close', () => {
      if (--writes === 0) asking.disable();
    });
    asking.run({ id, user: null }, handle, incoming, outgoing);
  }

  /** The same route, which tells who calls it. */
  function told(route: Route): Route {
    const note = ({ user, site, request }: Call): void => {
      const login = user ? site.accounts.get(user.id)?.login : undefined;
      if (login === undefined) return;
      if (requests) users.set(request.headers, login);
      const writing = asking.getStore();
      if (writing) writing.user = login;
    };
    const endpoints = route.endpoints.map((endpoint): Route['endpoints'][number] => {
      if (!requests && endpoint.methods.every((method) => readingMethods.has(method))) return endpoint;
      return {
        ...endpoint,
        handle: (call) => {
          note(call);
          return endpoint.handle(call);
        },
      };
    });
    return { ...route, endpoints };
  }
}

/** The id of a request: the one it came with, else one of its own, with which it goes on to other workers. */
function createIds(): (incoming: IncomingMessage) => string {
  const prefix = `${randomBytes(4).toString('hex')}-`;
  let serial = 0;
  return (incoming) => {
    const sent = incoming.headers['x-request-id'];
    if (typeof sent === 'string' && plainId.test(sent)) return sent;
    const id = prefix + (++serial).toString(36);
    incoming.headers['x-request-id'] = id;
    incoming.rawHeaders.push(idHeader, id);
    return id;
  };
}

function reportOfProcess(): MetricsReport {
  const { rss, heapUsed, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return {
    process_resident_memory_bytes: rss,
    nodejs_heap_size_used_bytes: heapUsed,
    nodejs_external_memory_bytes: external,
    nodejs_eventloop_utilization: performance.eventLoopUtilization().utilization,
    process_cpu_seconds_total: (user + system) / 1e6,
    process_start_time_seconds: performance.timeOrigin / 1000,
  };
}

function pathOf(url: string): string {
  const mark = url.search(/[?#]/);
  return mark < 0 ? url : url.slice(0, mark);
}
