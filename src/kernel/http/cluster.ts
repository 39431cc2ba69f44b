/**
 * A server of several processes over one content folder. This one, the primary, answers nothing: it listens, hands connections to
 * the workers in turn, starts another worker where one dies, and stops them in order.
 *
 *     worker 1    the writer: a server as it always is, and the only one that changes anything
 *     worker 2 …  readers: answer what only reads from their own memory, hand the rest on to the writer
 *
 * What the writer takes into memory it tells the readers (`cluster/feed.ts`), and answers a request that changed something
 * when all of them know it. So reads grow with the processors, and whatever was answered, the next request on any worker shows.
 *
 *  - A reader that does not say in time that it knows is killed; only then are the answers that waited for it given.
 *  - A reader that starts reads the folder, catches up with the feed, and hands everything on until it is in step.
 *  - When the writer dies, the readers answer reads from their last state: nobody writes. The next writer serves when all of
 *    them have come over to it, which they do empty-handed.
 *
 * Not `node:cluster`: with it a connection that is handed to a worker which is just dying is never answered nor closed, and the
 * port is given up when the last worker dies. Here a connection is the primary's until a worker says it has it.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command, WorkerEvent } from './cluster/messages.ts';
import { addressOf } from './connections.ts';

export interface ClusterOptions {
  readonly workers: number;
  readonly port: number;
  readonly host: string;
  readonly log: (line: string) => void;
  /** Resolves when the server is to stop. */
  readonly stopped: Promise<void>;
  /** How long requests under way have to finish. */
  readonly graceMs: number;
}

/** By this variable a process knows that it is a worker. */
export const workerVariable = 'CMS_WORKER';

const WRITER = 1;
/** Before a worker that keeps dying is started again; forgotten when it has lived for a while. */
const backoff = { firstMs: 100, longestMs: 10_000, forgottenAfterMs: 30_000 };
/** For what a worker does after its last request. */
const endingMs = 400;

interface WorkerHandle {
  readonly process: ChildProcess;
  readonly startedAt: number;
  /** Deaths in a row. */
  deaths: number;
  isAlive: boolean;
  /** Whether it takes connections. */
  isServing: boolean;
  /** Connections it does not have yet. */
  readonly given: Map<number, Socket>;
}

/**
 * Runs the program that this process runs, once for each worker, until `stopped`.
 * @returns the exit status: that of a writer that could not even begin, else 0
 * @throws NodeJS.ErrnoException when it cannot listen
 */
export async function runPrimary({ workers, port, host, log, stopped, graceMs }: ClusterOptions): Promise<number> {
  const token = randomBytes(32).toString('hex');
  const handles = new Map<number, WorkerHandle>();
  const waiting: Socket[] = [];
  let base: string | null = null;
  let writers = 0;
  let connections = 0;
  let turn = 0;
  let hasServed = false;
  let wereAllServing = false;
  let isStopping = false;
  let fail: (status: number) => void = () => undefined;
  const failed = new Promise<number>((resolve) => {
    fail = resolve;
  });

  const listener = await listen(port, host, hand);
  const address = addressOf(host, (listener.address() as AddressInfo).port);
  const sockets = process.platform === 'win32' ? null : mkdtempSync(join(tmpdir(), 'cms-'));
  const sweep = (): void => {
    if (sockets) rmSync(sockets, { recursive: true, force: true });
  };
  process.once('exit', sweep);
  start(WRITER);
  const status = await Promise.race([stopped.then(() => 0), failed]);
  isStopping = true;
  listener.close();
  for (const socket of waiting.splice(0)) socket.destroy();
  await stop();
  sweep();
  process.off('exit', sweep);
  return status;

  function start(number: number): void {
    if (isStopping) return;
    const child = fork(process.argv[1] as string, process.argv.slice(2), {
      env: { ...process.env, [workerVariable]: String(number) },
    });
    const deaths = handles.get(number)?.deaths ?? 0;
    handles.set(number, { process: child, startedAt: Date.now(), deaths, isAlive: true, isServing: false, given: new Map() });
    child.on('message', (report: WorkerEvent) => hear(number, report));
    child.on('error', (error) => log(`worker ${number}: ${error.message}`));
    child.once('exit', (code, signal) => ended(number, signal ?? code ?? 1));
  }

  function hear(number: number, report: WorkerEvent): void {
    const handle = handles.get(number) as WorkerHandle;
    if (report.kind === 'here') order(number, number === WRITER ? writing() : { kind: 'read', number, token, base });
    else if (report.kind === 'open') {
      base = report.base;
      for (const reader of readers()) order(reader, { kind: 'follow', base });
    } else if (report.kind === 'drop') handles.get(report.reader)?.process.kill('SIGKILL');
    else if (report.kind === 'took') {
      // The worker has it: this end is only another name of it.
      handle.given.get(report.id)?.destroy();
      handle.given.delete(report.id);
    } else {
      handle.isServing = true;
      for (const socket of waiting.splice(0)) hand(socket);
      if (!hasServed) for (let reader = WRITER + 1; reader <= workers; reader++) start(reader);
      hasServed = true;
      if (wereAllServing || handles.size < workers || ![...handles.values()].every(({ isServing }) => isServing)) return;
      wereAllServing = true;
      log(`all ${workers} workers answer`);
    }
  }

  function writing(): Command {
    const name = `writer-${++writers}`;
    return {
      kind: 'write',
      number: WRITER,
      token,
      base: sockets ? join(sockets, name) : `\\\\.\\pipe\\cms-${token.slice(0, 16)}-${name}`,
      address,
      expected: readers(),
      isFirst: !hasServed,
    };
  }

  function ended(number: number, how: number | string): void {
    const handle = handles.get(number) as WorkerHandle;
    handle.isAlive = false;
    handle.isServing = false;
    const left = [...handle.given.values()];
    handle.given.clear();
    for (const socket of left) hand(socket);
    if (isStopping) return;
    if (!hasServed) {
      fail(typeof how === 'number' && how !== 0 ? how : 1);
      return;
    }
    if (number === WRITER) base = null;
    else order(WRITER, { kind: 'gone', reader: number });
    if (Date.now() - handle.startedAt > backoff.forgottenAfterMs) handle.deaths = 0;
    const waitMs = handle.deaths === 0 ? 0 : Math.min(backoff.firstMs * 2 ** (handle.deaths - 1), backoff.longestMs);
    handle.deaths++;
    log(`worker ${number} has ended (${how}); another one takes its place${waitMs > 0 ? ` in ${waitMs} ms` : ''}`);
    setTimeout(start, waitMs, number);
  }

  /** Gives a connection to the next worker in turn, or keeps it until there is one. */
  function hand(socket: Socket): void {
    const serving = [...handles.values()].filter(({ isServing }) => isServing);
    const handle = serving[turn++ % Math.max(1, serving.length)];
    if (isStopping) socket.destroy();
    else if (!handle) waiting.push(socket);
    else {
      const id = ++connections;
      handle.given.set(id, socket);
      // A worker that cannot be told is dying: what it was given comes back at its end.
      handle.process.send({ kind: 'connection', id } satisfies Command, socket, { keepOpen: true }, () => undefined);
    }
  }

  function readers(): number[] {
    return [...handles].flatMap(([number, { isAlive }]) => (isAlive && number !== WRITER ? [number] : []));
  }

  function order(number: number, what: Command): void {
    const handle = handles.get(number);
    if (handle?.isAlive && handle.process.connected) handle.process.send(what, () => undefined);
  }

  /** Readers first: what they have handed on is still answered. */
  async function stop(): Promise<void> {
    const all = [WRITER, ...readers()];
    for (const number of all) order(number, { kind: 'stop' });
    await within(graceMs, readers());
    order(WRITER, { kind: 'end' });
    await within(endingMs, [WRITER]);
  }

  /** Waits for workers to end, and ends those that do not in time. */
  async function within(limitMs: number, numbers: readonly number[]): Promise<void> {
    const ending = numbers.flatMap((number) => {
      const handle = handles.get(number);
      return handle?.isAlive ? [handle.process] : [];
    });
    const late = new AbortController();
    void pause(limitMs, undefined, { signal: late.signal })
      .then(() => {
        for (const child of ending) child.kill('SIGKILL');
      })
      .catch(() => undefined);
    await Promise.all(ending.map((child) => new Promise((resolve) => child.once('exit', resolve))));
    late.abort();
  }
}

/** Listens and reads nothing: that is for whoever gets the connection. */
function listen(port: number, host: string, take: (socket: Socket) => void): Promise<Server> {
  const listener = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    take(socket);
  });
  return new Promise((resolve, reject) => {
    listener.once('error', reject).listen(port, host, () => resolve(listener));
  });
}
