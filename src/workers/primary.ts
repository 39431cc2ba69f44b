/**
 * A server of several processes over one content folder. This one, the primary, answers nothing: it listens, hands connections to
 * the workers in turn, starts another worker where one dies, and stops them.
 *
 * Workers are equal: each answers everything, and commits what it writes. They tell one another by the feed of the run
 * (`worker-store.ts`); worker 1 also watches the folder.
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
import { environment } from '../kernel/environment.ts';
import { addressOf } from '../kernel/http/connections.ts';
import { quietly } from '../kernel/store/lock-file.ts';
import type { Command, WorkerEvent } from './messages.ts';
import { makeRunFeed, touchRunFeed } from './run-feed.ts';

interface PrimaryOptions {
  readonly workers: number;
  readonly port: number;
  readonly host: string;
  readonly log: (line: string) => void;
  /** Resolves when the server is to stop. */
  readonly stopped: Promise<void>;
  /** How long requests under way have to finish. */
  readonly graceMs: number;
  /** Told of each worker as it starts; what has no `kind` in the messages between them is not read here. */
  readonly attend?: ((number: number, worker: ChildProcess) => void) | undefined;
}

/** By this variable a process knows that it is a worker. */
export const workerVariable = 'CMS_WORKER';

const LEADER = 1;
/** Temporary files that nobody has touched for days are cleared away by some systems. */
const touchMs = 3_600_000;
/** Numbers of changes rise from here, over all runs: more than can be made in a second. */
const perSecond = 4096;
/** Before a worker that keeps dying is started again; forgotten when it has lived for a while. */
const backoff = { firstMs: 100, longestMs: 10_000, forgottenAfterMs: 30_000 };
/** For what a worker does after its last request. */
const endingMs = 400;

/** What the primary knows of its workers. */
interface PrimaryState {
  readonly handles: Map<number, WorkerHandle>;
  /** Connections that no worker could take yet. */
  readonly waiting: Socket[];
  connections: number;
  turn: number;
  hasServed: boolean;
  wereAllServing: boolean;
  isStopping: boolean;
}

/**
 * Runs the program that this process runs, once for each worker, until `stopped`.
 * @returns the exit status: that of a writer that could not even begin, else 0
 * @throws NodeJS.ErrnoException when it cannot listen
 */
export async function runPrimary({ workers, port, host, log, stopped, graceMs, attend }: PrimaryOptions): Promise<number> {
  const token = randomBytes(32).toString('hex');
  const state: PrimaryState = {
    handles: new Map(),
    waiting: [],
    connections: 0,
    turn: 0,
    hasServed: false,
    wereAllServing: false,
    isStopping: false,
  };
  let fail: (status: number) => void = () => undefined;
  const failed = new Promise<number>((resolve) => {
    fail = resolve;
  });
  const listener = await listen(port, host, (socket) => hand(state, socket));
  const address = addressOf(host, (listener.address() as AddressInfo).port);
  const own = mkdtempSync(join(tmpdir(), 'cms-'));
  makeRunFeed(own, Math.floor(Date.now() / 1000) * perSecond);
  const touching = setInterval(() => void quietly(() => touchRunFeed(own)), touchMs).unref();
  const sweep = (): void => {
    clearInterval(touching);
    rmSync(own, { recursive: true, force: true });
  };
  process.once('exit', sweep);
  start(LEADER);
  const status = await Promise.race([stopped.then(() => 0), failed]);
  state.isStopping = true;
  listener.close();
  for (const socket of state.waiting.splice(0)) socket.destroy();
  await stop(state, graceMs);
  sweep();
  process.off('exit', sweep);
  return status;

  function start(number: number): void {
    if (state.isStopping) return;
    const handle = startWorker(number, state.handles.get(number)?.deaths ?? 0);
    state.handles.set(number, handle);
    attend?.(number, handle.process);
    handle.process.on('message', (event: WorkerEvent) => react(number, handle, event));
    handle.process.on('error', (error) => log(`worker ${number}: ${error.message}`));
    handle.process.once('exit', (code, signal) => ended(number, handle, signal ?? code ?? 1));
  }

  function react(number: number, handle: WorkerHandle, event: WorkerEvent): void {
    switch (event.kind) {
      case 'here':
        order(state, number, {
          kind: 'work',
          seat: { feed: own, number, isLeader: number === LEADER, token },
          address,
          isFirst: !state.hasServed,
        });
        return;
      case 'took':
        // The worker has it: this end is only another name of it.
        handle.given.get(event.id)?.destroy();
        handle.given.delete(event.id);
        return;
      case 'serving':
        handle.isServing = true;
        for (const socket of state.waiting.splice(0)) hand(state, socket);
        if (!state.hasServed) for (let other = LEADER + 1; other <= workers; other++) start(other);
        state.hasServed = true;
        if (state.wereAllServing || servingOf(state).length < workers) return;
        state.wereAllServing = true;
        log(`all ${workers} workers answer`);
    }
  }

  function ended(number: number, handle: WorkerHandle, how: number | string): void {
    handle.isAlive = false;
    handle.isServing = false;
    const left = [...handle.given.values()];
    handle.given.clear();
    for (const socket of left) hand(state, socket);
    if (state.isStopping) return;
    if (!state.hasServed) {
      fail(typeof how === 'number' && how !== 0 ? how : 1);
      return;
    }
    if (Date.now() - handle.startedAt > backoff.forgottenAfterMs) handle.deaths = 0;
    const waitMs = handle.deaths === 0 ? 0 : Math.min(backoff.firstMs * 2 ** (handle.deaths - 1), backoff.longestMs);
    handle.deaths++;
    log(`worker ${number} has ended (${how}); another one takes its place${waitMs > 0 ? ` in ${waitMs} ms` : ''}`);
    setTimeout(start, waitMs, number);
  }
}

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

function startWorker(number: number, deaths: number): WorkerHandle {
  const child = fork(process.argv[1] as string, process.argv.slice(2), {
    env: { ...environment, [workerVariable]: String(number) },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  return { process: child, startedAt: Date.now(), deaths, isAlive: true, isServing: false, given: new Map() };
}

/** Gives a connection to the next worker in turn, or keeps it until there is one. */
function hand(state: PrimaryState, socket: Socket): void {
  const serving = servingOf(state);
  const handle = serving[state.turn++ % Math.max(1, serving.length)];
  if (state.isStopping) socket.destroy();
  else if (!handle) state.waiting.push(socket);
  else {
    const id = ++state.connections;
    handle.given.set(id, socket);
    // A worker that cannot be told is dying: what it was given comes back at its end.
    handle.process.send({ kind: 'connection', id } satisfies Command, socket, { keepOpen: true }, () => undefined);
  }
}

function servingOf({ handles }: PrimaryState): readonly WorkerHandle[] {
  return [...handles.values()].filter(({ isServing }) => isServing);
}

function aliveIn({ handles }: PrimaryState): readonly number[] {
  return [...handles].flatMap(([number, { isAlive }]) => (isAlive ? [number] : []));
}

function order({ handles }: PrimaryState, number: number, command: Command): void {
  const handle = handles.get(number);
  if (handle?.isAlive && handle.process.connected) handle.process.send(command, () => undefined);
}

async function stop(state: PrimaryState, graceMs: number): Promise<void> {
  for (const number of aliveIn(state)) order(state, number, { kind: 'stop' });
  const late = setTimeout(() => {
    for (const number of aliveIn(state)) order(state, number, { kind: 'end' });
  }, graceMs);
  await within(state, graceMs + endingMs, aliveIn(state));
  clearTimeout(late);
}

/** Waits for workers to end, and ends those that do not in time. */
async function within({ handles }: PrimaryState, limitMs: number, numbers: readonly number[]): Promise<void> {
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

/** Listens without reading: the worker that gets the connection does. */
function listen(port: number, host: string, take: (socket: Socket) => void): Promise<Server> {
  const listener = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    take(socket);
  });
  return new Promise((resolve, reject) => {
    listener.once('error', reject).listen(port, host, () => resolve(listener));
  });
}
