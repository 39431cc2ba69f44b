/**
 * A server of several processes over one content folder. This one, the primary, answers nothing: it starts the workers, hands
 * connections to them, starts another one where one dies, and stops them in order.
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
 */
import cluster, { type Worker } from 'node:cluster';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Order, Report } from './cluster/orders.ts';

export interface ClusterOptions {
  readonly workers: number;
  readonly log: (line: string) => void;
  /** Resolves when the server is to stop. */
  readonly stopped: Promise<void>;
  /** How long requests under way have to finish. */
  readonly graceMs: number;
}

/** Names a worker to itself, beside the order it gets. */
export const workerVariable = 'CMS_WORKER';

const WRITER = 1;
/** Before a worker that keeps dying is started again; forgotten when it has lived for a while. */
const backoff = { firstMs: 100, longestMs: 10_000, forgottenAfterMs: 30_000 };
/** For what a worker does after its last request. */
const endingMs = 400;

interface Post {
  worker: Worker | null;
  /** Deaths in a row. */
  deaths: number;
  startedAt: number;
}

/**
 * Runs the program that this process runs, once for each worker, until `stopped`.
 * @returns the exit status: that of a writer that could not even begin, else 0
 */
export async function runPrimary({ workers, log, stopped, graceMs }: ClusterOptions): Promise<number> {
  cluster.schedulingPolicy = cluster.SCHED_RR;
  const token = randomBytes(32).toString('hex');
  const sockets = process.platform === 'win32' ? null : mkdtempSync(join(tmpdir(), 'cms-'));
  const sweep = (): void => {
    if (sockets) rmSync(sockets, { recursive: true, force: true });
  };
  process.once('exit', sweep);
  const posts = new Map<number, Post>();
  let base: string | null = null;
  let writers = 0;
  let port: number | null = null;
  let isStopping = false;
  let fail: (status: number) => void = () => undefined;
  const failed = new Promise<number>((resolve) => {
    fail = resolve;
  });

  start(WRITER);
  const status = await Promise.race([stopped.then(() => 0), failed]);
  isStopping = true;
  await stop();
  sweep();
  process.off('exit', sweep);
  return status;

  function start(number: number): void {
    if (isStopping) return;
    const worker = cluster.fork({ [workerVariable]: String(number) });
    posts.set(number, { deaths: posts.get(number)?.deaths ?? 0, worker, startedAt: Date.now() });
    worker.on('message', (report: Report) => hear(number, report));
    worker.on('error', () => undefined);
    worker.once('exit', (code, signal) => ended(number, signal ?? code));
  }

  function writing(): Order {
    const name = `writer-${++writers}`;
    base = null;
    return {
      kind: 'write',
      number: WRITER,
      token,
      base: sockets ? join(sockets, name) : `\\\\.\\pipe\\cms-${token.slice(0, 16)}-${name}`,
      port,
      expected: living().filter((number) => number !== WRITER),
      isFirst: port === null,
    };
  }

  function reading(number: number): Order {
    return { kind: 'read', number, token, base, port: port as number };
  }

  function hear(number: number, report: Report): void {
    if (report.kind === 'here') order(number, number === WRITER ? writing() : reading(number));
    else if (report.kind === 'open') {
      base = report.base;
      for (const reader of living()) if (reader !== WRITER) order(reader, { kind: 'follow', base });
    } else if (report.kind === 'drop') posts.get(report.reader)?.worker?.process.kill('SIGKILL');
    else if (number === WRITER && port === null) {
      port = report.port;
      for (let reader = WRITER + 1; reader <= workers; reader++) start(reader);
    }
  }

  function ended(number: number, how: number | string): void {
    const post = posts.get(number) as Post;
    post.worker = null;
    if (isStopping) return;
    if (port === null) {
      fail(typeof how === 'number' && how !== 0 ? how : 1);
      return;
    }
    if (number === WRITER) base = null;
    else order(WRITER, { kind: 'gone', reader: number });
    if (Date.now() - post.startedAt > backoff.forgottenAfterMs) post.deaths = 0;
    const waitMs = post.deaths === 0 ? 0 : Math.min(backoff.firstMs * 2 ** (post.deaths - 1), backoff.longestMs);
    post.deaths++;
    log(`worker ${number} has ended (${how}); another one takes its place${waitMs > 0 ? ` in ${waitMs} ms` : ''}`);
    setTimeout(start, waitMs, number);
  }

  function living(): number[] {
    return [...posts].flatMap(([number, { worker }]) => (worker ? [number] : []));
  }

  function order(number: number, what: Order): void {
    const worker = posts.get(number)?.worker;
    if (worker?.isConnected()) worker.send(what, () => undefined);
  }

  /** Readers first: what they have handed on is still answered. */
  async function stop(): Promise<void> {
    for (const number of living()) order(number, { kind: 'stop' });
    const readers = living().filter((number) => number !== WRITER);
    await within(graceMs, readers);
    order(WRITER, { kind: 'end' });
    await within(endingMs, [WRITER]);
  }

  /** Waits for workers to end, and ends those that do not in time. */
  async function within(limitMs: number, numbers: readonly number[]): Promise<void> {
    const ending = numbers.flatMap((number) => {
      const worker = posts.get(number)?.worker;
      return worker ? [new Promise<void>((resolve) => worker.once('exit', () => resolve()))] : [];
    });
    const late = setTimeout(() => {
      for (const number of numbers) posts.get(number)?.worker?.process.kill('SIGKILL');
    }, limitMs);
    await Promise.all(ending);
    clearTimeout(late);
  }
}
