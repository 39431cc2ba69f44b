/**
 * One worker of a server of several processes: does what the primary says, as the writer or as a reader. It lives as long as the
 * primary does.
 */
import cluster from 'node:cluster';
import { createServer as createHttpServer } from 'node:http';
import type { Site } from '../../domain/site.ts';
import type { Registry } from '../../rest/registry.ts';
import { closeHttp, listenOn, withHeaders } from '../server.ts';
import type { Order, Report } from './orders.ts';
import { createReader } from './reader.ts';
import type { OpenReplica } from './replica.ts';
import { createWriter, type OpenWriter, type Writer } from './writer.ts';

export interface WorkerOptions {
  readonly port: number;
  readonly host: string;
  readonly openWriter: OpenWriter;
  readonly openReplica: OpenReplica;
  readonly compose: (site: Site) => Registry;
  readonly log: (line: string) => void;
  /** Called by the first writer once it serves. */
  readonly ready: (site: Site, address: string) => void | Promise<void>;
  /** Answers say which worker they are of. */
  readonly isMarked: boolean;
}

/** Header with the number and the process id of the worker, where answers are marked. */
export const workerHeader = 'X-Worker';

/** Works until the primary ends it. @throws what keeps a writer from opening the site, or from listening */
export async function runWorker(options: WorkerOptions): Promise<void> {
  // Signals for the whole group are the primary's to answer.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  const orders = createOrders();
  report({ kind: 'here' });
  try {
    const first = await orders.until((order) => order.kind === 'write' || order.kind === 'read');
    if (first.kind === 'write') await write(options, orders, first);
    else if (first.kind === 'read') await read(options, orders, first);
  } finally {
    // Nothing else keeps the process.
    cluster.worker?.disconnect();
  }
}

async function write(options: WorkerOptions, orders: Orders, order: Order & { kind: 'write' }): Promise<void> {
  const log = numbered(options, order.number);
  const writer: Writer = await createWriter({
    base: order.base,
    token: order.token,
    open: options.openWriter,
    compose: options.compose,
    log,
    headers: marks(options, order.number),
    drop: (reader) => report({ kind: 'drop', reader }),
  });
  try {
    orders.on('gone', ({ reader }) => writer.giveUp(reader));
    report({ kind: 'open', base: order.base });
    const address = await writer.listen(order.port ?? options.port, options.host, order.expected);
    report({ kind: 'serving', port: Number(new URL(address).port) || 80 });
    if (order.isFirst) await options.ready(writer.site, address);
    await orders.until(({ kind }) => kind === 'stop');
    // What is not answered until the end has had its time.
    void writer.stop();
    await orders.until(({ kind }) => kind === 'end');
  } finally {
    await writer.close();
  }
}

async function read(options: WorkerOptions, orders: Orders, order: Order & { kind: 'read' }): Promise<void> {
  const { number, token, base, port } = order;
  const log = numbered(options, number);
  const reader = createReader({ number, token, open: options.openReplica, compose: options.compose, log });
  orders.on('follow', (next) => reader.follow(next.base));
  if (base !== null) reader.follow(base);
  const stopped = orders.until(({ kind }) => kind === 'stop');
  const http = createHttpServer(withHeaders(marks(options, number), reader.handle));
  const isReady = await Promise.race([reader.ready.then(() => true), stopped.then(() => false)]);
  if (isReady) {
    await listenOn(http, port, options.host);
    report({ kind: 'serving', port });
    await stopped;
    await closeHttp(http);
  }
  await reader.close();
}

function marks({ isMarked }: WorkerOptions, number: number): Readonly<Record<string, string>> {
  return isMarked ? { [workerHeader]: `${number} ${process.pid}` } : {};
}

function numbered({ log }: WorkerOptions, number: number): (line: string) => void {
  return (line) => log(`[${number}] ${line}`);
}

function report(what: Report): void {
  if (process.connected) process.send?.(what);
}

interface Orders {
  on<K extends Order['kind']>(kind: K, act: (order: Order & { kind: K }) => void): void;
  /** The first order, past or to come, that is one of these. */
  until(isOne: (order: Order) => boolean): Promise<Order>;
}

function createOrders(): Orders {
  const past: Order[] = [];
  const listeners = new Set<(order: Order) => void>();
  cluster.worker?.on('message', (order: Order) => {
    past.push(order);
    for (const listener of listeners) listener(order);
  });
  return {
    on(kind, act) {
      const listener = (order: Order): void => {
        if (order.kind === kind) act(order as never);
      };
      past.forEach(listener);
      listeners.add(listener);
    },
    until: (isOne) =>
      new Promise((resolve) => {
        const found = past.find(isOne);
        if (found) return resolve(found);
        const listener = (order: Order): void => {
          if (!isOne(order)) return;
          listeners.delete(listener);
          resolve(order);
        };
        listeners.add(listener);
      }),
  };
}
