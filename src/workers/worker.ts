/**
 * One worker of a server of several processes: answers the connections that the primary hands over. It lives as long as the primary does.
 */
import type { Server as HttpServer } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Site } from '../kernel/site/site.ts';
import type { Registry } from '../kernel/rest/types.ts';
import { type Around, type ConnectionSettings, createHttp, type Handle } from '../kernel/http/connections.ts';
import { createServer, type Server } from '../kernel/http/server.ts';
import type { Command, WorkerEvent } from './messages.ts';
import type { Seat } from './worker-store.ts';

interface WorkerOptions {
  readonly open: (seat: Seat) => Promise<Site>;
  readonly compose: (site: Site) => Registry;
  readonly log: (line: string) => void;
  /** Called by the first worker of a run once it serves. */
  readonly ready: (site: Site, address: string) => void | Promise<void>;
  /** What this worker may take of the limits of the server. */
  readonly connections: ConnectionSettings;
  /** Resolves when something was thrown that nobody caught. */
  readonly crash: { readonly crashed: Promise<void> };
  /** How long requests under way have to finish. */
  readonly graceMs: number;
  /** Answers say which worker they are of. */
  readonly isMarked: boolean;
  /** Stands around whatever clients ask. */
  readonly observed?: { readonly around: Around; serving(server: Server): void } | undefined;
}

/** Header with the number and the process id of the worker, where answers are marked. */
export const workerHeader = 'X-Worker';

/** Works until the primary ends it. @throws what keeps it from opening the site */
export async function runWorker(options: WorkerOptions): Promise<void> {
  // Signals for the whole group are the primary's to answer.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  const leave = (): void => process.exit();
  process.once('disconnect', leave);
  const orders = createOrders();
  report({ kind: 'here' });
  try {
    const first = await orders.first('work', 'stop');
    if (first.kind === 'work') await work(options, orders, first);
  } finally {
    // Nothing else keeps the process; its status is still to be told.
    process.off('disconnect', leave);
    if (process.connected) process.disconnect();
    setTimeout(leave, 1000).unref();
  }
}

async function work(options: WorkerOptions, orders: Orders, order: Command & { kind: 'work' }): Promise<void> {
  const { seat, address, isFirst } = order;
  const site = await options.open(seat);
  const server = createServer({ site, registry: options.compose(site), log: numbered(options, seat.number) });
  options.observed?.serving(server);
  await server.start(address);
  const connections = takeConnections(orders, options, seat.number, server.handle);
  const close = async (): Promise<void> => {
    connections.cut();
    await server.close();
    await site.close();
  };
  endAfterCrash(options, connections, close);
  report({ kind: 'serving' });
  if (isFirst) await options.ready(site, address);
  await orders.first('stop');
  server.endStreams();
  await Promise.race([connections.finish(), orders.first('end')]);
  await close();
}

/** The primary sees it end and starts another one. */
function endAfterCrash({ crash, graceMs }: WorkerOptions, { finish, cut }: Connections, close: () => Promise<void>): void {
  void crash.crashed.then(async () => {
    await Promise.race([finish(), pause(graceMs)]);
    cut();
    await Promise.race([close(), pause(endingMs)]);
    process.exit(1);
  });
}

/** For what a worker does after its last request. */
const endingMs = 400;

interface Connections {
  /** Takes no more, and resolves when those under way have finished. */
  finish(): Promise<void>;
  /** Closes those that have not. */
  cut(): void;
}

/** Answers the connections that the primary hands over. */
function takeConnections(orders: Orders, options: WorkerOptions, number: number, handle: Handle): Connections {
  const http: HttpServer = createHttp(
    marked(options, number, handle),
    options.connections,
    numbered(options, number),
    options.observed?.around,
  );
  // It never listens, and yet it is to look after the times that connections have.
  http.emit('listening');
  const open = new Set<Socket>();
  let isStopping = false;
  let finished: () => void = () => undefined;
  orders.on('connection', ({ id }, socket) => {
    // The primary has it still, for another worker.
    if (isStopping) return void socket?.destroy();
    report({ kind: 'took', id });
    // One that has ended on its way comes as nothing.
    if (!socket) return;
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      if (isStopping && open.size === 0) finished();
    });
    http.emit('connection', socket);
  });
  return {
    finish: () =>
      new Promise((resolve) => {
        isStopping = true;
        finished = resolve;
        if (open.size === 0) resolve();
        // Those that are busy now are idle later.
        const closeIdle = (): void => http.closeIdleConnections();
        closeIdle();
        setInterval(closeIdle, 50).unref();
      }),
    cut() {
      for (const socket of open) socket.destroy();
    },
  };
}

function marked({ isMarked }: WorkerOptions, number: number, handle: Handle): Handle {
  if (!isMarked) return handle;
  return (incoming, outgoing) => {
    outgoing.setHeader(workerHeader, `${number} ${process.pid}`);
    handle(incoming, outgoing);
  };
}

function numbered({ log }: WorkerOptions, number: number): (line: string) => void {
  return (line) => log(`[${number}] ${line}`);
}

function report(what: WorkerEvent): void {
  if (process.connected) process.send?.(what);
}

interface Orders {
  on<K extends Command['kind']>(kind: K, act: (order: Command & { kind: K }, socket?: Socket) => void): void;
  /** The first order, past or to come, of one of these kinds. */
  first(...kinds: readonly Command['kind'][]): Promise<Command>;
}

function createOrders(): Orders {
  const past: Command[] = [];
  const listeners = new Set<(order: Command, socket?: Socket) => void>();
  process.on('message', (message, socket) => {
    const order = message as Command;
    if (order.kind !== undefined && order.kind !== 'connection') past.push(order);
    for (const listener of listeners) listener(order, socket as Socket | undefined);
  });
  return {
    on(kind, act) {
      const listener = (order: Command, socket?: Socket): void => {
        if (order.kind === kind) act(order as never, socket);
      };
      for (const order of past) listener(order);
      listeners.add(listener);
    },
    first: (...kinds) =>
      new Promise((resolve) => {
        const found = past.find(({ kind }) => kinds.includes(kind));
        if (found) return resolve(found);
        const listener = (order: Command): void => {
          if (!kinds.includes(order.kind)) return;
          listeners.delete(listener);
          resolve(order);
        };
        listeners.add(listener);
      }),
  };
}
